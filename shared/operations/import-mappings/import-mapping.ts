import { mayOnTable, permittedFields, type Rights } from '../../kernel/permissions.ts'
import type { RowTimes } from '../../platform/store/config.ts'
import { typeOfField } from '../../tables/field-types/read-field.ts'
import { searchedFields } from '../../tables/tables/searched-fields.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { ImportFormat, ImportMode } from './schema.ts'

/** Which columns of a file are which fields of a table, and how its rows are stored, under a name. */
export interface ImportMapping extends RowTimes {
  readonly id: number
  readonly name: string
  readonly model: string
  readonly mapping: Readonly<Record<string, string>>
  readonly format: ImportFormat | null
  readonly sheet: string | null
  readonly mode: ImportMode | null
  readonly key: string | null
  readonly legacy: boolean
  /** The user who made it. */
  readonly owner: number
  readonly version: number
}

export const mayImport = (rights: Rights, model: string): boolean =>
  mayOnTable(rights, model, 'create') || mayOnTable(rights, model, 'update')

/** Whether somebody may know a mapping: it names no field that is hidden from them. What the table no longer has hides nothing. */
export function maySeeMapping(rights: Rights, table: Table, { mapping, key }: ImportMapping): boolean {
  const open = new Set(mappableFields(rights, table, true))
  return [...Object.values(mapping), ...(key === null ? [] : [key])].every(
    (name) => open.has(name) || !table.fieldsByName.has(name),
  )
}

/** What legacy data may say beside its fields. */
const originMembers = ['created_at', 'created_by', 'updated_at', 'updated_by']

/** The names that columns may be mapped to: what the actor may write and read, `id`, and what legacy data says besides. */
export function mappableFields(actor: Rights, table: Table, isLegacy: boolean): readonly string[] {
  const readable = permittedFields(actor, table.name, 'read')
  const [mayCreate, mayUpdate] = (['create', 'update'] as const).map((action) =>
    permittedFields(actor, table.name, action),
  )
  const fields = table.table_fields
    .filter(({ name }) => readable?.has(name) ?? true)
    .filter(({ name }) => (mayCreate?.has(name) ?? true) || (mayUpdate?.has(name) ?? true))
    .filter((field) => !typeOfField(field).isDerived || typeOfField(field).generate)
    .map(({ name }) => name)
  return ['id', ...fields, ...(isLegacy ? originMembers : [])]
}

/** The fields that the actor may read, and those of them by which rows name their records. */
export function importKeys(
  actor: Rights,
  table: Table,
): { readonly known: readonly string[]; readonly usable: readonly string[] } {
  const searched = new Set(searchedFields(table).map((field) => field.name))
  const readable = permittedFields(actor, table.name, 'read')
  const known = [...table.fieldsByName.keys()].filter((one) => readable?.has(one) ?? true)
  return { known, usable: ['id', ...known.filter((one) => table.uniqueFields.includes(one) || searched.has(one))] }
}
