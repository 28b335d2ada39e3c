import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Comment, type IncomingMessage, timelineQuery } from '../../api/about-record.ts'

/** Something that was said about a record and can be forwarded. */
export interface Passable {
  readonly kind: 'message' | 'comment'
  readonly id: number
  readonly who: string
  readonly at: string
  readonly text: string
  readonly isInternal: boolean
}

const excerptCharacters = 120

/** What was said about a record, the newest first, as far as its conversation was read. */
export function usePassable(model: string, id: number, enabled: boolean): readonly Passable[] {
  const { data } = useInfiniteQuery({ ...timelineQuery(model, id, ['comment', 'message', 'delivery']), enabled })
  return useMemo(() => {
    const entries = data?.pages.flatMap((page) => page.data) ?? []
    const messages = new Set(entries.filter(({ kind }) => kind === 'message').map((entry) => Number(entry.id)))
    return entries.flatMap((entry): Passable[] => {
      const { at } = entry
      if (entry.kind === 'message') {
        const said = entry.data as unknown as IncomingMessage
        const text = (said.body_new ?? said.body ?? said.subject ?? '').slice(0, excerptCharacters)
        const who = said.from_name ?? said.from_email ?? ''
        return [{ kind: 'message', id: Number(entry.id), who, at, text, isInternal: said.is_internal === true }]
      }
      if (entry.kind !== 'comment') return []
      const said = entry.data as unknown as Comment
      if (said.message_id !== undefined && messages.has(said.message_id)) return []
      const who = said.user?.name ?? said.from?.name ?? said.from?.email ?? ''
      const text = said.body.slice(0, excerptCharacters)
      return [{ kind: 'comment', id: said.id, who, at, text, isInternal: said.is_internal }]
    })
  }, [data])
}
