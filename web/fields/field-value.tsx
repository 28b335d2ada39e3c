import type { Row } from '../api/records.ts'
import type { Field } from '../api/tables.ts'
import { isStandard, moduleOf } from './registry.ts'

/** The value of a field in a record, standard fields included. */
export const valueOf = (record: Row, { name }: Pick<Field, 'name'>): unknown =>
  isStandard(name) ? memberOf(record, name) : record.data[name]

/** A member that every record has, or one of its conversation. */
const memberOf = (record: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], record)

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The value of a field, or a dash. `in`: on one line of a list, or in full. */
export function FieldValue({
  field,
  record,
  in: place,
}: {
  readonly field: Field
  readonly record: Row
  readonly in: 'cell' | 'record'
}) {
  const value = valueOf(record, field)
  if (isEmpty(value)) return <span className="quiet">–</span>
  const { Show, Cell = Show } = moduleOf(field)
  const View = place === 'cell' ? Cell : Show
  return <View field={field} value={value} expanded={record.expanded?.[field.name]} />
}
