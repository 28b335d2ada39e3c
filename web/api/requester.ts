import type { EntityRecord, Filter } from './records.ts'
import type { Field, Table } from './tables.ts'

/** What two records have in common when they are of the same person. */
export interface Shared {
  readonly field: Field
  readonly value: number | string
}

/** Usual names of the field that says whom a record is about, the surest first. */
const names = ['requester', 'client', 'customer', 'contact', 'caller', 'reporter', 'from_email', 'email']

/** The person whom a record is about; undefined where it names none. */
export function requesterOf(table: Table, record: Pick<EntityRecord, 'data'>): Shared | undefined {
  const rank = ({ name }: Field): number => {
    const found = names.findIndex((one) => name === one || name.startsWith(`${one}_`))
    return found === -1 ? names.length : found
  }
  const [first] = (table.table_fields as readonly Field[])
    .filter((field) => rank(field) < names.length && ['user', 'model_list', 'email', 'text'].includes(field.type))
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((field): Shared[] => {
      const value = record.data[field.name]
      return (typeof value === 'number' || typeof value === 'string') && value !== '' ? [{ field, value }] : []
    })
  return first
}

export const filterOf = ({ field, value }: Shared): Filter => ({ [field.name]: value })
