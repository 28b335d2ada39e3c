import { queryOptions, useMutation } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import { queryClient } from './query-client.ts'
import { type EntityRecord, recordKey } from './records.ts'

export type HistoryEntry = Schemas['HistoryEntryAnswer']

/** The changes of a record, oldest first: each is a moment that one can go back to. */
export const historyQuery = (model: string, id: number) =>
  queryOptions({
    queryKey: ['about', model, id, 'history'],
    queryFn: async ({ signal }): Promise<readonly HistoryEntry[]> =>
      (
        await api.get('/api/sys/history/{model}/{id}', {
          params: { path: { model, id }, query: { per_page: 1000 } },
          signal,
        })
      ).data.toReversed(),
  })

/** A record as it was at a moment. */
export const pastQuery = (model: string, id: number, at: string) =>
  queryOptions({
    queryKey: ['about', model, id, 'past', at],
    queryFn: async ({ signal }): Promise<EntityRecord> =>
      (await api.get('/api/e/{model}/{id}', { params: { path: { model, id }, query: { as_of: at } }, signal }))
        .data as EntityRecord,
    // What was does not change.
    staleTime: Infinity,
  })

/** Writes the state of a moment back. Answers the record, and the files that no longer exist. */
export const useRestore = (model: string, id: number) =>
  useMutation({
    mutationFn: (at: string) =>
      api.post('/api/e/{model}/{id}/restore', { params: { path: { model, id } }, body: { as_of: at } }),
    onSuccess({ data }) {
      queryClient.setQueryData(recordKey(model, id), data)
      void queryClient.invalidateQueries({ queryKey: ['about', model, id] })
      void queryClient.invalidateQueries({ queryKey: ['records', model, 'list'] })
    },
  })
