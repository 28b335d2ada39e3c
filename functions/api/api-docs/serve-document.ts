import { createHash } from 'node:crypto'
import * as z from 'zod'
import { FieldRules, RowRules } from '../../../shared/accounts/access/schema.ts'
import { Invalid } from '../../../shared/kernel/failures/faults.ts'
import { mayOnTable } from '../../../shared/kernel/permissions.ts'
import type { Caller } from '../../../shared/kernel/principal.ts'
import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { publicTable } from '../../../shared/kernel/table-names.ts'
import { nearestWord } from '../../../shared/kernel/text/did-you-mean.ts'
import type { OpenApiDocument } from '../../../shared/platform/http/openapi/document-types.ts'
import { NotModified, publicUrl, Reply } from '../../../shared/platform/http/routing/envelope.ts'
import { withTableNames } from '../../../shared/platform/http/table-names/translate-names.ts'
import { typedDocument } from '../../../shared/tables/record-types/typed-document.ts'
import { TableDocument } from '../../../shared/tables/tables/schema.ts'
import type { Table } from '../../../shared/tables/tables/table.ts'
import { apiDocument } from './api-document.ts'

/** Where the rights of a caller name tables. */
const Rights = z.object({
  permissions: z.array(z.string()),
  grants: z.array(z.object({ permissions: z.array(z.string()), rules: RowRules, fields: FieldRules })),
})

/** A document as text, and what makes it differ from others. */
interface Written {
  readonly text: string
  readonly etag: string
}

let generic: { readonly document: OpenApiDocument; readonly written: Written } | undefined

/** The last documents of callers, oldest first. They are several megabytes at worst. */
const typed = new Map<string, string>()
const maxTypedChars = 16 * 1024 * 1024

/** The document changes with a deployment only; that of a caller with tables and roles, so it is asked for each time. */
const cacheForMinutes = { 'cache-control': 'public, max-age=300', vary: 'authorization' }
const askEachTime = { 'cache-control': 'private, no-cache', vary: 'authorization' }

/**
 * Answers the OpenAPI document: for a caller with the tables that the caller may use, of which `asked` names some, else
 * the generic one. 304 when `known` is its ETag. Throws Invalid for tables that the caller does not have.
 */
export async function serveDocument(
  caller: Caller | undefined,
  asked: readonly string[] | undefined,
  known: string | undefined,
): Promise<Reply<{ openapi: string; info: never; paths: never }> | NotModified> {
  if (asked && !caller) throw new Invalid({ tables: ['Tables can only be asked for with a token.'] })
  const { text, etag } = caller ? await writtenFor(caller, asked) : writtenGeneric().written
  if (namesEtag(known, etag)) return new NotModified(etag)
  // A raw answer that is a text is sent as it is.
  return new Reply(text as never, { ...(caller ? askEachTime : cacheForMinutes), etag })
}

function writtenGeneric() {
  if (!generic) {
    const document = apiDocument({ version: environment().SERVICE_VERSION, serverUrl: publicUrl() })
    const text = JSON.stringify(document)
    generic = { document, written: { text, etag: etagOf(text) } }
  }
  return generic
}

async function writtenFor(caller: Caller, asked: readonly string[] | undefined): Promise<Written> {
  const { tables } = await import('../../wiring/tables/tables.ts')
  const { tenant } = caller
  const stored = await tables.all(tenant)
  const all = withTableNames(tenant, TableDocument.array() as never, stored)
  // Who asks is compared by the names that tables have.
  const rights = {
    ...caller,
    ...withTableNames(tenant, Rights, { permissions: caller.permissions, grants: caller.grants }),
  }
  const named = asked?.map((name) => publicTable(tenant, name))
  if (named) refuseUnknown(named, all, rights)
  const { document, written } = writtenGeneric()
  const { isAdministrator, permissions, grants } = rights
  const etag = etagOf(
    JSON.stringify([
      written.etag,
      named?.toSorted(),
      tenant.id,
      all.map(({ name, version }) => [name, version]),
      isAdministrator || [permissions, grants.map(({ permissions: granted, fields }) => [granted, fields])],
    ]),
  )
  const known = typed.get(etag)
  typed.delete(etag)
  const text = known ?? JSON.stringify(typedDocument(document, all, rights, named && new Set(named)))
  keep(etag, text)
  return { text, etag }
}

function keep(etag: string, text: string): void {
  typed.set(etag, text)
  let chars = [...typed.values()].reduce((sum, one) => sum + one.length, 0)
  for (const [oldest, one] of typed) {
    if (chars <= maxTypedChars) break
    typed.delete(oldest)
    chars -= one.length
  }
}

function refuseUnknown(asked: readonly string[], all: readonly Table[], caller: Caller): void {
  const known = all
    .map(({ name }) => name)
    .filter((name) =>
      (['read', 'create', 'update', 'delete'] as const).some((action) => mayOnTable(caller, name, action)),
    )
  const wrong = asked.filter((name) => !known.includes(name))
  if (wrong.length === 0) return
  throw new Invalid({
    tables: wrong.slice(0, 20).map((name) => {
      const near = nearestWord(name, known)
      const refusal = `There is no table ${name} that you may use.`
      return near === undefined ? refusal : `${refusal} Did you mean ${near}?`
    }),
  })
}

const etagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`

const namesEtag = (given: string | undefined, etag: string): boolean =>
  given?.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim())) === true
