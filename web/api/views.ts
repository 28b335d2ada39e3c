import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

export type View = Schemas['ListViewsData']
/** What a view keeps. */
export type ViewInput = Pick<
  Schemas['CreateViewBody'],
  'name' | 'scope' | 'is_default' | 'columns' | 'filter' | 'search' | 'sort' | 'group_by'
>

/** The views of a table that the caller has or shares, by name. */
export const viewsQuery = (model: string) =>
  queryOptions({
    queryKey: ['views', model],
    queryFn: async ({ signal }): Promise<readonly View[]> =>
      (await api.get('/api/sys/views', { params: { query: { model, per_page: 100, sort: 'name' } }, signal })).data,
    staleTime: 60_000,
  })

/** Tables that have views are those that people work in: their names, those with a default view first. */
export const tablesWithViewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }): Promise<readonly string[]> => {
    const { data } = await api.get('/api/sys/views', { params: { query: { per_page: 100 } }, signal })
    return data.toSorted((a, b) => Number(b.is_default) - Number(a.is_default)).map(({ model }) => model)
  },
})

/** How many records each view has now, by its id. */
export const viewCountsQuery = (model: string) =>
  queryOptions({
    // A change of a record makes it stale, like the lists.
    queryKey: ['records', model, 'counts'],
    queryFn: async ({ signal }): Promise<Readonly<Record<number, number | null>>> => {
      const { data } = await api.get('/api/sys/views/counts', { params: { query: { model } }, signal })
      return Object.fromEntries(data.map(({ id, count }) => [id, count]))
    },
    staleTime: 10_000,
    refetchInterval: 60_000,
  })
