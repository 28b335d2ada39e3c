import { isDeepStrictEqual } from 'node:util'
import { byName } from '../../../kernel/collections/own-members.ts'
import { maxFilesOfMerge, maxFilesPerField } from '../../../kernel/limits/records.ts'
import { permittedFields } from '../../../kernel/permissions.ts'
import type { Actor } from '../../../records/records/actor.ts'
import type { StoredRecord } from '../../../records/records/record-item.ts'
import { missingReferences } from '../../../records/records/write/check-references.ts'
import { referencedTable, typeOfField } from '../../../tables/field-types/read-field.ts'
import { pathsIn } from '../../../tables/files/claims.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { WorkDependencies } from '../dependencies.ts'

type Field = Table['table_fields'][number]

/** What a record takes on of one that is merged into it. */
export interface FilledFields {
  readonly values: Readonly<Record<string, unknown>>
  readonly notFilled: readonly string[]
  readonly files: number
}

/**
 * The empty fields of a record with the values of the one that is merged into it, and its lists of files with those of the
 * other. Unique values stay where they are, so that an unmerge finds them there; what the actor may not read or write, and
 * what refers to something that is gone, is left out.
 */
export async function fillFields(
  services: WorkDependencies,
  actor: Actor,
  table: Table,
  { data: given }: StoredRecord,
  { id, data: held }: StoredRecord,
): Promise<FilledFields> {
  const readable = permittedFields(actor, table.name, 'read')
  const writable = permittedFields(actor, table.name, 'update')
  const values: Record<string, unknown> = byName()
  const notFilled: string[] = []
  let files = 0
  for (const field of table.table_fields) {
    const { name } = field
    if ((readable && !readable.has(name)) || !isFillable(field) || isEmpty(given[name])) continue
    const value = filledValue(field, given[name], held[name], maxFilesOfMerge - files)
    if (value === undefined || isDeepStrictEqual(value, held[name])) continue
    if (referencedTable(field) === table.name && value === id) continue
    if (field.unique || (writable && !writable.has(name)) || value === tooMany) {
      notFilled.push(name)
      continue
    }
    if (typeOfField(field).files) files += pathsIn(value).length - pathsIn(held[name]).length
    values[name] = value
  }
  const fields = Object.keys(values)
  const [missing = {}] = await missingReferences(services, actor.tenant, table, [
    { data: values, fields, viewer: actor },
  ])
  for (const name of Object.keys(missing)) {
    notFilled.push(name)
    delete values[name]
  }
  return { values, notFilled, files }
}

const tooMany = Symbol('more files than one write takes')

/** What the field holds afterwards; undefined when it stays. */
function filledValue(field: Field, given: unknown, held: unknown, filesLeft: number): unknown {
  if (!typeOfField(field).files) return isEmpty(held) ? given : undefined
  const more = pathsIn(given).filter((path) => !pathsIn(held).includes(path))
  const joins = Array.isArray(given) && (isEmpty(held) || Array.isArray(held))
  if (!isEmpty(held) && !joins) return undefined
  if (more.length > filesLeft || pathsIn(held).length + more.length > maxFilesPerField) return tooMany
  return joins ? [...pathsIn(held), ...more] : given
}

/** What the service makes itself, and states, are never filled. */
function isFillable(field: Field): boolean {
  const { isDerived, generate, lifecycle } = typeOfField(field)
  return !isDerived && !generate && !lifecycle
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
