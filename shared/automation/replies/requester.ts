import { findUser } from '../../accounts/people/user.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import { normalAddress } from '../../platform/mail/normal-address.ts'
import { portalRecordKey, portalRequestKey } from '../../platform/store/keys/portal.ts'
import { readRequest } from '../../records/portal-requests/request-row.ts'
import { createRecordReads } from '../../records/records/read/record-reads.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { RecordRef, ReplyDependencies } from './dependencies.ts'

/** Somebody whom a record is about, and where mails reach them. */
export interface Requester {
  readonly address: string
  readonly name: string | null
}

/** Usual names of the field that says whom a record is about, the surest first. */
const personNames = ['requester', 'client', 'customer', 'contact', 'caller', 'reporter']
const mailNames = new Set(['email', 'e_mail', 'mail', 'email_address', 'from_email', 'contact_email'])

/**
 * Whom a record is about, where no mail says it: who sent it in the portal; else the address in a field of the record, or
 * of the record that it names as its client. Only what the viewer may read counts.
 */
export async function findRequester(
  services: ReplyDependencies,
  viewer: Viewer,
  { model, id }: RecordRef,
): Promise<Requester | undefined> {
  const { store, tables } = services
  const { tenant } = viewer
  const pointer = await store.get(tenant, portalRecordKey(tenant, model, id))
  const sent = pointer && (await store.get(tenant, portalRequestKey(tenant, Number(pointer['request_id']))))
  const user = sent && (await findUser(store, tenant, readRequest(sent).userId))
  if (user?.isActive && user.email !== null) return { address: user.email, name: user.name }
  const reads = createRecordReads(services)
  const [table, { data }] = await Promise.all([tables.require(tenant, model), reads.get(viewer, model, id)])
  const own = addressIn(table, data)
  if (own !== undefined) return { address: own, name: null }
  for (const { field, target } of personFields(table)) {
    const value = data[field]
    if (typeof value !== 'number' || !mayOnTable(viewer, target, 'read')) continue
    const [found] = await reads.findMany(viewer, target, [value])
    const other = found && (await tables.require(tenant, target))
    const address = other && addressIn(other, found.data)
    if (other && address !== undefined) return { address, name: nameIn(other, found.data) }
  }
  return undefined
}

/** The fields that may name whom a record is about: first those with a usual name. */
function personFields(table: Table): readonly { readonly field: string; readonly target: string }[] {
  const references = table.table_fields.flatMap((field) => {
    const { target_table: target } = field as { readonly target_table?: string }
    return target === undefined || target === table.name || target.startsWith('sys_')
      ? []
      : [{ field: field.name, target }]
  })
  const rank = ({ field }: { readonly field: string }): number => {
    const found = personNames.findIndex((name) => field.startsWith(name))
    return found === -1 ? personNames.length : found
  }
  return references.toSorted((a, b) => rank(a) - rank(b))
}

/** The mail address in the fields of a record. */
function addressIn(table: Table, data: Readonly<Record<string, unknown>>): string | undefined {
  for (const { name, type } of table.table_fields) {
    const value = data[name]
    if ((type !== 'email' && !(type === 'text' && mailNames.has(name))) || typeof value !== 'string') continue
    if (normalAddress(value) !== null) return value
  }
  return undefined
}

function nameIn({ title_field: title }: Table, data: Readonly<Record<string, unknown>>): string | null {
  const value = title === null ? undefined : data[title]
  return typeof value === 'string' && value !== '' ? value : null
}
