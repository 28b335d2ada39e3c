import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

export type Notice = Schemas['NotificationAnswer']

/** The newest entries of the bell, and how many are unread. */
export const bellQuery = queryOptions({
  queryKey: ['bell'],
  queryFn: async ({ signal }): Promise<{ readonly entries: readonly Notice[]; readonly unread: number }> => {
    const { data, meta } = await api.get('/api/notifications', { params: { query: { per_page: 30 } }, signal })
    return { entries: data, unread: (meta as { unread?: number }).unread ?? 0 }
  },
  refetchInterval: 60_000,
})

export function useReadNotice() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api.post('/api/notifications/{id}/read', { params: { path: { id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['bell'] }),
  })
}

export function useReadAllNotices() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.post('/api/notifications/read-all'),
    onSettled: () => client.invalidateQueries({ queryKey: ['bell'] }),
  })
}
