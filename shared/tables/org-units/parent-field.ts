import { referencedTable } from '../field-types/read-field.ts'
import type { Table } from '../tables/table.ts'

/** The built-in table of organisational units, and its field that makes them a tree. */
export const orgUnitsTable = 'sys_org_units'
export const parentField = 'parent_id'

/** Whether records of this table form the tree: an administrator may have removed the field. */
export function formsTree({ name, fieldsByName }: Pick<Table, 'name' | 'fieldsByName'>): boolean {
  const field = name === orgUnitsTable ? fieldsByName.get(parentField) : undefined
  return field !== undefined && referencedTable(field) === orgUnitsTable
}
