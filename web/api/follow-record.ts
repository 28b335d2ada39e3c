import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from './client.ts'
import { followMs, useFollow } from './follow.ts'
import { recordKey } from './records.ts'

/** The newest entry of the conversation: two rows, so that it may be asked for often. */
const newestQuery = (model: string, id: number) =>
  queryOptions({
    queryKey: ['newest', model, id],
    queryFn: async ({ signal }): Promise<string> => {
      const query = { kinds: 'comment,message', per_page: 1 }
      const { data } = await api.get('/api/e/{model}/{id}/timeline', { params: { path: { model, id }, query }, signal })
      return data.map((entry) => `${entry.kind} ${entry.id}`).join()
    },
    staleTime: 0,
    refetchInterval: followMs,
    retry: false,
  })

/** Has an open record follow what others change in it and write about it, while it is seen. */
export function useFollowRecord(model: string, id: number, version: number | undefined): void {
  const client = useQueryClient()
  useFollow(model, () => void client.invalidateQueries({ queryKey: recordKey(model, id) }))
  const { data: newest } = useQuery(newestQuery(model, id))
  const seen = useRef<{
    readonly of?: string
    readonly version?: number | undefined
    readonly newest?: string | undefined
  }>({})
  useEffect(() => {
    const of = `${model} ${id}`
    // Another record has changed by nothing that is seen of it first.
    const before = seen.current.of === of ? seen.current : {}
    seen.current = { of, version, newest }
    if (before.version !== undefined && version !== before.version)
      void client.invalidateQueries({ queryKey: ['about', model, id] })
    else if (before.newest !== undefined && newest !== before.newest)
      void client.invalidateQueries({ queryKey: ['about', model, id, 'timeline'] })
  }, [client, model, id, version, newest])
}
