import { queryOptions } from '@tanstack/react-query'
import type { Labels } from '../words/service-words.ts'
import { api, type Schemas } from './client.ts'

export type TableHead = Schemas['TableHead']
export type Table = Schemas['TableDocument']
/** A field of a table, with the members of every type: what a type does not have is undefined. */
export interface Field {
  readonly name: string
  readonly type: string
  readonly label?: string
  readonly description?: string
  readonly required?: boolean
  readonly readonly?: boolean
  readonly searchable?: boolean
  readonly default?: unknown
  readonly min?: number
  readonly max?: number
  readonly max_length?: number
  readonly scale?: number
  readonly multiple?: boolean
  readonly target_table?: string
  readonly options?: readonly Choice[]
  readonly states?: readonly State[]
  readonly transitions?: readonly Transition[]
  /** Of a computed field: the type of its values. */
  readonly result?: string
}
export interface Choice {
  readonly slug: string
  readonly label?: string
  readonly color?: string
  readonly is_active?: boolean
}
export interface State extends Choice {
  readonly is_initial?: boolean
  readonly is_final?: boolean
}
export interface Transition {
  readonly from: string
  readonly to: string
  readonly label?: string
  readonly roles?: readonly string[]
  readonly required_fields?: readonly string[]
}

/** The built-in table of articles, which have screens of their own. */
export const articlesTable = 'sys_articles'

/** The tables that the caller may see. */
export const tablesQuery = queryOptions({
  queryKey: ['tables'],
  queryFn: async ({ signal }): Promise<readonly TableHead[]> =>
    (await api.get('/api/sys/entities', { params: { query: { per_page: 1000 } }, signal })).data,
  staleTime: 5 * 60_000,
})

/** A table with its fields, as far as the caller may see them. */
export const tableQuery = (model: string) =>
  queryOptions({
    queryKey: ['tables', model],
    queryFn: async ({ signal }): Promise<Table> =>
      (await api.get('/api/sys/entities/name/{model}', { params: { path: { model } }, signal })).data,
    staleTime: 5 * 60_000,
  })

export const fieldsOf = (table: Pick<Table, 'table_fields'>): readonly Field[] => table.table_fields as readonly Field[]

/** A name for people: the label, else the name in words. */
export const labelOf = ({ label, name }: { readonly label?: string | null; readonly name: string }): string =>
  label || name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

export const choiceLabel = ({ label, slug }: Choice): string => label || labelOf({ name: slug })

/** What a form calls its fields and their values, for what the service says of them. */
export function labelsOf(fields: readonly Field[]): Labels {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return {
    ofField: (name) => {
      const field = byName.get(name)
      return field && labelOf(field)
    },
    ofValue: (name, value) => {
      const { options = [], states = [] } = byName.get(name) ?? {}
      const choice = [...options, ...states].find(({ slug }) => slug === value)
      return choice && choiceLabel(choice)
    },
  }
}
