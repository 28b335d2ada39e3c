import { queryOptions, skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import { queryClient } from './query-client.ts'
import { snoozeKey } from './records.ts'

export type Snoozed = Schemas['SetSnoozeData']

/** The records of all tables that the caller snoozed; the one that returns first comes first. */
export const snoozedQuery = queryOptions({
  queryKey: ['snoozed'],
  queryFn: async ({ signal }): Promise<readonly Snoozed[]> =>
    (await api.get('/api/sys/snoozed', { params: { query: { per_page: 100 } }, signal })).data,
})

/** Until when the caller snoozed a record; null for not at all. */
export function useSnoozedUntil(model: string, id: number): string | null {
  const { data = null } = useQuery<string | null>({ queryKey: snoozeKey(model, id), queryFn: skipToken })
  return data
}

/** Takes a record out of the caller's views until a moment; null brings it back. */
export const useSnooze = (model: string, id: number) =>
  useMutation({
    mutationFn: (until: string | null) =>
      api.put('/api/e/{model}/{id}/snooze', { params: { path: { model, id } }, body: { until } }),
    onMutate(until) {
      const before = queryClient.getQueryData<string | null>(snoozeKey(model, id)) ?? null
      queryClient.setQueryData(snoozeKey(model, id), until)
      return { before }
    },
    onError: (_error, _until, context) => queryClient.setQueryData(snoozeKey(model, id), context?.before ?? null),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: snoozedQuery.queryKey, exact: true }),
        queryClient.invalidateQueries({ queryKey: ['records', model, 'list'] }),
        queryClient.invalidateQueries({ queryKey: ['records', model, 'counts'] }),
      ]),
  })
