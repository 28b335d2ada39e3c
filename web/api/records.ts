import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { api, ifMatch, type Schemas } from './client.ts'

export type EntityRecord = Schemas['EntityRecord']
export type RecordData = EntityRecord['data']

/** A row of a list, with the records it refers to. */
export interface Row {
  readonly id: number
  readonly version?: number
  readonly data: RecordData
  readonly created_at?: string
  readonly updated_at?: string
  readonly created_by?: number
  readonly updated_by?: number
  readonly expanded?: Readonly<Record<string, Expanded | null>>
}
export interface Expanded {
  readonly id?: number
  readonly name?: string
  readonly data?: RecordData
}

/** The one list grammar: a condition of a filter. */
export type Filter = Readonly<Record<string, unknown>>

/** What a list asks for. It stands in the address of the screen. */
export interface ListQuery {
  readonly filter?: Filter
  readonly search?: string
  readonly sort?: readonly string[]
  readonly expand?: readonly string[]
  /** The view that is shown: what the reader snoozed is left out. */
  readonly view?: number
}

export interface ListWindow {
  readonly rows: readonly Row[]
  readonly total: number
}

/** Rows of one request. */
export const windowSize = 100

/** Names the view of a list, and says what it must not fill in: the screen shows what the query says. */
const withoutSnoozed = (view: number | undefined, { filter, search, sort }: ListQuery) =>
  view !== undefined && {
    view,
    fields: null,
    ...(!filter && { filter: null }),
    ...(!search && { search: null }),
    ...(!sort?.length && { sort: null }),
  }

/** A window of a list, from 0, with the exact total. */
export const windowQuery = (model: string, query: ListQuery, index: number) =>
  queryOptions({
    queryKey: ['records', model, 'list', query, index],
    queryFn: async ({ signal }): Promise<ListWindow> => {
      const { filter, search, sort, expand, view } = query
      const answer = await api.post('/api/e/{model}/list-server', {
        params: { path: { model } },
        body: {
          page: index + 1,
          per_page: windowSize,
          ...(filter && { filter: { ...filter } }),
          ...(search && { search }),
          ...(sort?.length && { sort: [...sort] }),
          ...(expand?.length && { expand: [...expand] }),
          ...withoutSnoozed(view, query),
          ...(view !== undefined && { group_by: null }),
        },
        signal,
      })
      return { rows: answer.data as readonly Row[], total: answer.meta.total }
    },
    staleTime: 10_000,
    // What others change appears by `useFollow`; what time changes, and what stands in other tables, by this.
    refetchInterval: 60_000,
  })

export interface Group {
  readonly value: unknown
  readonly count: number
}

/** The groups of a list by one field, with exact counts. */
export const groupsQuery = (model: string, { filter, search, view }: ListQuery, field: string) =>
  queryOptions({
    queryKey: ['records', model, 'groups', { filter, search, view }, field],
    queryFn: async ({ signal }): Promise<readonly Group[]> => {
      const answer = await api.post('/api/e/{model}/list-server', {
        params: { path: { model } },
        body: {
          group_by: [field],
          aggregate: { count: '*' },
          per_page: 1000,
          ...(filter && { filter: { ...filter } }),
          ...(search && { search }),
          ...withoutSnoozed(view, { ...(filter && { filter }), ...(search && { search }) }),
        },
        signal,
      })
      return (answer.data as readonly { group?: Record<string, unknown>; count?: number }[]).map((row) => ({
        value: row.group?.[field] ?? null,
        count: row.count ?? 0,
      }))
    },
    staleTime: 10_000,
  })

export const recordKey = (model: string, id: number) => ['records', model, 'one', id] as const

/** One record. */
export const recordQuery = (model: string, id: number) =>
  queryOptions({
    queryKey: recordKey(model, id),
    queryFn: async ({ signal, client }): Promise<EntityRecord> => {
      const answer = await api.get('/api/e/{model}/{id}', { params: { path: { model, id } }, signal })
      const { meta } = answer as { readonly meta?: { readonly snoozed_until?: string } }
      client.setQueryData(snoozeKey(model, id), meta?.snoozed_until ?? null)
      return answer.data as EntityRecord
    },
  })

/** Until when the reader snoozed a record; null for not at all. It comes with the record. */
export const snoozeKey = (model: string, id: number) => ['snoozed', model, id] as const

/** The title of a record that another one refers to: read once for all that are shown. */
export const titleQuery = (model: string, id: number, titleField: string | null | undefined) =>
  queryOptions({
    queryKey: ['records', model, 'title', id],
    queryFn: async ({ signal }): Promise<string> => {
      const { data } = await api.get('/api/e/{model}/{id}', { params: { path: { model, id } }, signal })
      return titleOf(data as Row, titleField)
    },
    staleTime: 5 * 60_000,
  })

/** What a record is called. */
export function titleOf(
  record: { readonly id: number; readonly data?: RecordData },
  titleField?: string | null,
): string {
  const title = titleField ? record.data?.[titleField] : undefined
  return typeof title === 'string' && title !== '' ? title : `#${record.id}`
}

export interface Change {
  readonly id: number
  /** The version that was shown; somebody else's change since then is a conflict (412). */
  readonly version: number
  readonly changes: RecordData
}

/** Changes fields of a record at once on the screen, and takes that back when the service refuses. */
export function useChangeRecord(model: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, version, changes }: Change): Promise<EntityRecord> =>
      (
        await api.patch('/api/e/{model}/{id}', {
          params: { path: { model, id }, header: ifMatch({ version }) },
          body: changes,
        })
      ).data as EntityRecord,
    async onMutate({ id, changes }) {
      await client.cancelQueries({ queryKey: ['records', model] })
      const before = client.getQueriesData({ queryKey: ['records', model] })
      showChange(client, model, id, (row) => ({ ...row, data: { ...row.data, ...changes } }))
      return { before }
    },
    onError(_error, _change, context) {
      for (const [key, data] of context?.before ?? []) client.setQueryData(key, data)
    },
    onSuccess(record) {
      showChange(client, model, record.id, (row) => ({ ...row, ...record }))
      void client.invalidateQueries({ queryKey: ['about', model, record.id] })
      void client.invalidateQueries({ queryKey: ['records', model, 'title', record.id] })
    },
    onSettled: (_record, error) =>
      error
        ? undefined
        : Promise.all([
            client.invalidateQueries({ queryKey: ['records', model, 'list'], refetchType: 'none' }),
            client.invalidateQueries({ queryKey: ['records', model, 'counts'] }),
          ]),
  })
}

/** Shows a change of a record wherever it is listed or open. */
function showChange(client: QueryClient, model: string, id: number, change: <R extends Row>(row: R) => R): void {
  client.setQueryData<EntityRecord>(recordKey(model, id), (record) => record && change(record))
  client.setQueriesData<ListWindow>({ queryKey: ['records', model, 'list'] }, (window) =>
    window?.rows?.some((row) => row.id === id)
      ? { ...window, rows: window.rows.map((row) => (row.id === id ? change(row) : row)) }
      : window,
  )
}

/** Makes a record. The key makes a repeated request harmless. */
export function useCreateRecord(model: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ data, key }: { data: RecordData; key: string }): Promise<EntityRecord> =>
      (
        await api.post('/api/e/{model}', {
          params: { path: { model }, header: { 'Idempotency-Key': key } },
          body: data,
        })
      ).data as EntityRecord,
    onSuccess(record) {
      client.setQueryData(recordKey(model, record.id), record)
      void client.invalidateQueries({ queryKey: ['records', model, 'counts'] })
      return client.invalidateQueries({ queryKey: ['records', model, 'list'] })
    },
  })
}

export function useDeleteRecord(model: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, version }: { id: number; version: number }) =>
      api.delete('/api/e/{model}/{id}', { params: { path: { model, id }, header: ifMatch({ version }) } }),
    onSuccess(_nothing, { id }) {
      client.removeQueries({ queryKey: recordKey(model, id) })
      void client.invalidateQueries({ queryKey: ['records', model, 'counts'] })
      return client.invalidateQueries({ queryKey: ['records', model, 'list'] })
    },
  })
}
