import { referencedTable, typeOfField } from '../../field-types/read-field.ts'
import { renameInFormulas } from '../../formulas/service.ts'
import type { Field } from '../schema.ts'
import { readTable, type StoredTable, type Table } from '../table.ts'
import type { Renames } from './plan-renames.ts'
import { renameInFilter, type TableRenames } from './rename-in-filter.ts'

/** The rules of a table's fields with the new names of fields: conditions, transitions and formulas. */
export async function renameInRules(fields: readonly Field[], renames: Renames): Promise<readonly Field[]> {
  if (renames.size === 0) return fields
  const nameOf = (name: string): string => renames.get(name) ?? name
  // Conditions look at the record alone, so that they name no field of another table.
  const change: TableRenames = { table: '', renames, targetOf: () => undefined }
  const named = fields.map((field): Field => {
    const next: Record<string, unknown> = { ...field }
    for (const at of ['required_if', 'readonly_if', 'visible_if'] as const)
      if (field[at]) next[at] = renameInFilter(change, '', field[at])
    const moves = typeOfField(field).lifecycle?.moves(field)
    if (moves)
      next.transitions = moves.map((move) => ({
        ...move,
        ...(move.required_fields && { required_fields: move.required_fields.map(nameOf) }),
        ...(move.condition && { condition: renameInFilter(change, '', move.condition) }),
      }))
    return next as unknown as Field
  })
  return renameInFormulas(named, renames)
}

/** The rollups of a table, over the table whose fields are renamed, with their new names. */
export const renameInRollups = (fields: readonly Field[], change: TableRenames): readonly Field[] =>
  fields.map((field) => {
    if (field.type !== 'rollup' || field.table !== change.table) return field
    const { field: by, of, filter } = field
    return {
      ...field,
      ...(by !== undefined && { field: change.renames.get(by) ?? by }),
      ...(of !== undefined && { of: change.renames.get(of) ?? of }),
      ...(filter !== undefined && { filter: renameInFilter(change, change.table, filter) }),
    }
  })

/** The change of names that `renames` is for a table. */
export const renamesOf = (
  { name }: Pick<Table, 'name'>,
  renames: Renames,
  tables: ReadonlyMap<string, { readonly table_fields: readonly Field[] }>,
): TableRenames => ({
  table: name,
  renames,
  targetOf(table, field) {
    const found = tables.get(table)?.table_fields.find((one) => one.name === field)
    return found && referencedTable(found)
  },
})

/** The stored table as if its fields had always had their new names. Their stored names stay. */
export async function renameFields(table: Table, stored: StoredTable, renames: Renames): Promise<Table> {
  if (renames.size === 0) return table
  const nameOf = (name: string): string => renames.get(name) ?? name
  const own = stored.table_fields.map((field) => ({ ...field, name: nameOf(field.name) }) as Field)
  const change = renamesOf(table, renames, new Map([[table.name, stored]]))
  const fields = renameInRollups(await renameInRules(own, renames), change)
  const stored_as = Object.fromEntries(
    stored.table_fields.flatMap(({ name }) => {
      const kept = stored.stored_as?.[name] ?? name
      return kept === nameOf(name) ? [] : [[nameOf(name), kept]]
    }),
  )
  const { stored_as: _former, ...rest } = stored
  return readTable({
    name: table.name,
    version: table.version,
    createdAt: table.createdAt,
    updatedAt: table.updatedAt,
    doc: {
      ...rest,
      table_fields: fields,
      title_field: stored.title_field && nameOf(stored.title_field),
      ...(Object.keys(stored_as).length > 0 && { stored_as }),
      ...(stored.becoming_unique && { becoming_unique: stored.becoming_unique.map(nameOf) }),
      ...(stored.rolled_up_by && {
        rolled_up_by: stored.rolled_up_by.map((one) => ({ ...one, field: nameOf(one.field) })),
      }),
    } satisfies StoredTable,
  })
}
