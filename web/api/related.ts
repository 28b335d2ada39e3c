import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Row } from './records.ts'
import { filterOf, type Shared } from './requester.ts'

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
