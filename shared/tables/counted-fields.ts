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

const noValue = '-'

/** A value as its counter's key writes it. */
export const counterText = (value: unknown): string =>
  value === null || value === undefined ? noValue : `=${String(value)}`

/** The value that a counter's key stands for. */
export function counterValue(field: Field, text: string): CountedValue {
  if (text === noValue) return null
  const value = text.slice(1)
  if (field.type === 'boolean') return value === 'true'
  return field.type === 'value_list' || field.type === 'state_model' ? value : Number(value)
}
