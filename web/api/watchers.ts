import { queryOptions, useMutation } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import { queryClient } from './query-client.ts'

export type Watching = Schemas['WatcherAnswer']

/** Who is told of what happens to a record. */
export const watchersQuery = (model: string, id: number) =>
  queryOptions({
    queryKey: ['about', model, id, 'watchers'],
    queryFn: async ({ signal }): Promise<Watching> =>
      (await api.get('/api/e/{model}/{id}/watchers', { params: { path: { model, id } }, signal })).data,
  })

/** Lets people watch a record; the caller where nobody is named. */
export const useWatch = (model: string, id: number) =>
  useMutation({
    mutationFn: (people: readonly number[]) =>
      api.post('/api/e/{model}/{id}/watchers', { params: { path: { model, id } }, body: bodyOf(people) }),
    onSuccess: ({ data }) => queryClient.setQueryData(watchersQuery(model, id).queryKey, data),
  })

/** Ends that people watch a record; that the caller does where nobody is named. */
export const useStopWatching = (model: string, id: number) =>
  useMutation({
    mutationFn: (people: readonly number[]) =>
      api.delete('/api/e/{model}/{id}/watchers', { params: { path: { model, id } }, body: bodyOf(people) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: watchersQuery(model, id).queryKey }),
  })

const bodyOf = (people: readonly number[]): Schemas['AddWatchersBody'] =>
  people.length > 0 ? { user_ids: [...people] } : {}
