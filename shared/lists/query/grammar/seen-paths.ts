import { mayOnTable, permittedFields, type Rights } from '../../../kernel/permissions.ts'
import { referencedTable } from '../../../tables/field-types/read-field.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { conversationFields, standardFieldsByName } from './field.ts'

/** The fields that a filter or condition names, as paths such as `client_id.name`, whatever else is in it. */
export function pathsInFilter(filter: unknown, before = ''): string[] {
  if (Array.isArray(filter)) return filter.flatMap((one) => pathsInFilter(one, before))
  if (typeof filter !== 'object' || filter === null) return []
  return Object.entries(filter).flatMap(([key, value]) => {
    if (key.startsWith('_')) return pathsInFilter(value, before)
    const path = before ? `${before}.${key}` : key
    return [path, ...pathsInFilter(value, path)]
  })
}

/** Whether field rules leave a path such as `client_id.name` to somebody. Names that the table lacks hide nothing. */
export function maySeePath(rights: Rights, table: Pick<Table, 'name' | 'fieldsByName'>, path: string): boolean {
  const [asked = ''] = path.split(':')
  const [name = '', step = ''] = asked.split('.')
  if (!table.fieldsByName.has(name) && conversationFields.has(asked)) return true
  if (isHidden(rights, table.name, name)) return false
  const field = table.fieldsByName.get(name)
  const target = step && field ? referencedTable(field) : undefined
  return target === undefined || maySeeFieldOf(rights, target, step)
}

/** Whether somebody may read a table, and field rules leave a field of it to them. */
export const maySeeFieldOf = (rights: Rights, table: string, name: string): boolean =>
  mayOnTable(rights, table, 'read') && !isHidden(rights, table, name)

const isHidden = (rights: Rights, table: string, name: string): boolean =>
  !standardFieldsByName.has(name) && permittedFields(rights, table, 'read')?.has(name) === false
