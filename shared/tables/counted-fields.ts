import { parseCounterSort } from '../store/keys/search.ts'
import type { Field, FieldType } from './schema.ts'
import type { Table } from './table.ts'

/** Types with few values a table. A reference to a table of records may have as many values as that has records: not these. */
const countedTypes: ReadonlySet<FieldType> = new Set([
  'value_list',
  'state_model',
  'boolean',
  'user',
  'company',
  'org_unit',
])
/** An integer is counted when its bounds leave no more values than this. */
const mostIntegers = 100

/** Whether the number of records is kept for each value of a field. */
export function isCounted(field: Field): boolean {
  if (countedTypes.has(field.type)) return true
  const { min, max } = field
  return field.type === 'integer' && min !== undefined && max !== undefined && max - min < mostIntegers
}

export const countedFields = (table: Pick<Table, 'table_fields'>): string[] =>
  table.table_fields.filter(isCounted).map(({ name }) => name)

/** What a counted field may hold. */
export type CountedValue = string | number | boolean | null

/** The value of a counted field from the sort key of its counter. */
export function counterValue(field: Field, sort: string): CountedValue {
  const text = parseCounterSort(sort)
  if (text === null || field.type === 'value_list' || field.type === 'state_model') return text
  return field.type === 'boolean' ? text === 'true' : Number(text)
}
