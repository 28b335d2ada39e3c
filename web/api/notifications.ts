import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, follow, type Schemas } from './client.ts'
import { followMs } from './follow.ts'

export type Notice = Schemas['NotificationAnswer']

export interface Bell {
  readonly entries: readonly Notice[]
  readonly unread: number
}

interface BellAnswer {
  readonly data: readonly Notice[]
  readonly meta: { readonly unread?: number }
}

/** The newest entries of the bell, and how many are unread. */
export const bellQuery = queryOptions({
  queryKey: ['bell'],
  queryFn: async ({ signal }): Promise<Bell> => {
    const { data, meta } = await follow<BellAnswer>('/api/notifications?per_page=30', signal)
    return { entries: data, unread: meta.unread ?? 0 }
  },
  staleTime: 0,
  refetchInterval: followMs,
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
