import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { EntityRecord, Filter, Row } from './records.ts'
import { type Field, fieldsOf, type Table } from './tables.ts'

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
  const [first] = fieldsOf(table)
    .filter((field) => rank(field) < names.length && ['user', 'model_list', 'email', 'text'].includes(field.type))
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((field): Shared[] => {
      const value = record.data[field.name]
      return (typeof value === 'number' || typeof value === 'string') && value !== '' ? [{ field, value }] : []
    })
  return first
}

export const filterOf = ({ field, value }: Shared): Filter => ({ [field.name]: value })

const shownRows = 6

/** Other records of the same person, newest first. */
export const relatedQuery = (model: string, id: number, shared: Shared) =>
  queryOptions({
    queryKey: ['records', model, 'related', id, shared.field.name, shared.value],
    queryFn: async ({ signal }): Promise<{ readonly rows: readonly Row[]; readonly total: number }> => {
      const { data, meta } = await api.post('/api/e/{model}/list-server', {
        params: { path: { model } },
        body: { filter: { ...filterOf(shared), id: { _neq: id } }, sort: ['-id'], per_page: shownRows },
        signal,
      })
      return { rows: data as readonly Row[], total: meta.total }
    },
    staleTime: 30_000,
  })
