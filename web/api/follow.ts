import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { follow } from './client.ts'

/** How often what is followed is asked for, while the app is seen: a change shows within five seconds. */
export const followMs = 4000

const revisionQuery = (model: string) =>
  queryOptions({
    queryKey: ['revision', model],
    queryFn: async ({ signal }): Promise<number> =>
      (
        await follow<{ readonly data: { readonly revision: number } }>(
          `/api/e/${encodeURIComponent(model)}/revision`,
          signal,
        )
      ).data.revision,
    staleTime: 0,
    refetchInterval: followMs,
    retry: false,
  })

/** Has the lists of a table follow what others change, while they are shown; `onChange` is told of it. */
export function useFollow(model: string, onChange?: () => void): void {
  const client = useQueryClient()
  const { data: revision } = useQuery(revisionQuery(model))
  const seen = useRef<number>(undefined)
  const readAnew = useEffectEvent(() => {
    for (const what of ['list', 'groups', 'counts'])
      void client.invalidateQueries({ queryKey: ['records', model, what] })
    onChange?.()
  })
  useEffect(() => {
    const isChanged = seen.current !== undefined && revision !== seen.current
    seen.current = revision
    if (isChanged) readAnew()
  }, [revision])
}
