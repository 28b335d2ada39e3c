import { permittedFields, type Rights } from '../../kernel/permissions.ts'
import { typeOfField } from '../../tables/field-types/read-field.ts'
import { searchedFields } from '../../tables/tables/searched-fields.ts'
import type { Table } from '../../tables/tables/table.ts'

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
