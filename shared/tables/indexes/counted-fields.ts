import { parseCounterSort } from '../../store/keys/search.ts'
import type { Field, FieldType } from '../schema.ts'
import type { Table } from '../table.ts'

/** Types with few distinct values. Not `model_list`: it may have as many values as its target has records. */
const countedTypes: ReadonlySet<FieldType> = new Set([
  'value_list',
  'state_model',
  'boolean',
  'user',
  'company',
  'org_unit',
])
/** An integer field is counted when its `min` and `max` allow at most this many values. */
const maxCountedIntegers = 100

/** Whether the records of each value of a field are counted (docs/decisions/0011). */
export function isCounted(field: Field): boolean {
  if (countedTypes.has(field.type)) return true
  const { min, max } = field
  return field.type === 'integer' && min !== undefined && max !== undefined && max - min < maxCountedIntegers
}

/** The names of a table's counted fields. */
export const countedFields = (table: Pick<Table, 'table_fields'>): string[] =>
  table.table_fields.filter(isCounted).map(({ name }) => name)

/** A value of a counted field. */
export type CountedValue = string | number | boolean | null

/** The value that a counter counts, from the sort key of the counter. */
export function counterValue(field: Field, sort: string): CountedValue {
  const text = parseCounterSort(sort)
  if (text === null || field.type === 'value_list' || field.type === 'state_model') return text
  return field.type === 'boolean' ? text === 'true' : Number(text)
}
