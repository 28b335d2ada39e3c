import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import type { RecordData } from './records.ts'
import type { Field } from './tables.ts'

export type Move = Schemas['RecordForm']['transitions'][number]

/** What a form needs for the caller and one record, or for a new one. */
export interface Form {
  /** Those that are shown, in the order of the table. */
  readonly fields: readonly Field[]
  /** The moves that are open now. */
  readonly moves: readonly Move[]
  /** The values of the record, or what a new one begins with. */
  readonly data: RecordData
}

/**
 * The form of a record (`id`), or of a new one. Which fields it has, which may be changed and which moves are open is for
 * the service to say; a new version of the record is asked anew.
 */
export const formQuery = (model: string, id?: number, version?: number) =>
  queryOptions({
    queryKey: ['form', model, id ?? 'new', version ?? 0],
    queryFn: async ({ signal }): Promise<Form> => {
      const { data } = await api.get('/api/e/{model}/form', { params: { path: { model }, query: { id } }, signal })
      return formOf(data)
    },
    placeholderData: keepPreviousData,
  })

/** The form of a record that cannot be changed now. */
export const withoutChanges = ({ fields, data }: Form): Form => ({
  fields: fields.map((field) => ({ ...field, readonly: true })),
  moves: [],
  data,
})

/** A form with its fields as the field modules take them. */
export const formOf = ({ fields, transitions, data }: Schemas['RecordForm']): Form => ({
  fields: fields.flatMap(({ visible, settings, ...field }) => (visible ? [{ ...settings, ...field }] : [])),
  moves: transitions,
  data,
})
