import type { Delivery, TimelineEntry } from '../../api/about-record.ts'

/** What a timeline can be narrowed to. */
export const shows = ['all', 'conversation', 'notes', 'changes', 'process', 'deliveries'] as const
export type Show = (typeof shows)[number]

type Kind = TimelineEntry['kind']

/** What is asked for; what became of replies comes with the conversation. */
export const kindsOf: Readonly<Record<Show, readonly Kind[] | undefined>> = {
  all: undefined,
  conversation: ['comment', 'message', 'delivery'],
  notes: ['comment'],
  changes: ['change'],
  process: ['process', 'script'],
  deliveries: ['delivery'],
}

/** An entry with what became of it, where it was sent to somebody. */
export interface ShownEntry {
  readonly entry: TimelineEntry
  readonly delivery?: Delivery
}

export const deliveryOf = ({ data }: TimelineEntry): Delivery => data as unknown as Delivery
const isNote = ({ kind, data }: TimelineEntry): boolean => kind === 'comment' && data['is_internal'] === true

/**
 * The entries as they are shown: a message that became a comment stands there once, as it was written; what was sent of a
 * comment stands with the comment.
 */
export function arrange(entries: readonly TimelineEntry[], show: Show): readonly ShownEntry[] {
  const messages = new Set(entries.filter(({ kind }) => kind === 'message').map(({ id }) => Number(id)))
  const comments = new Set(entries.filter(({ kind }) => kind === 'comment').map(({ id }) => Number(id)))
  const replies = new Map(
    show === 'deliveries'
      ? []
      : entries
          .filter(({ kind }) => kind === 'delivery')
          .toReversed()
          .flatMap((entry): [number, Delivery][] => {
            const { source } = deliveryOf(entry)
            return source.comment_id === undefined ? [] : [[source.comment_id, deliveryOf(entry)]]
          }),
  )
  return entries
    .filter((entry) => {
      if (entry.kind === 'comment' && messages.has(Number(entry.data['message_id']))) return false
      if (show === 'notes') return isNote(entry)
      if (show === 'conversation' && isNote(entry)) return false
      if (entry.kind !== 'delivery' || show === 'deliveries') return true
      const { source, status } = deliveryOf(entry)
      if (source.comment_id !== undefined && comments.has(source.comment_id)) return false
      return show === 'all' || status === 'failed'
    })
    .map((entry) => {
      const delivery = entry.kind === 'comment' ? replies.get(Number(entry.id)) : undefined
      return { entry, ...(delivery && { delivery }) }
    })
}

const followMs = 2 * 60_000

/** Whether something that was sent a moment ago has not arrived yet: it is worth looking again soon. */
export const isInFlight = (entries: readonly TimelineEntry[], nowMs: number): boolean =>
  entries.some(
    (entry) =>
      entry.kind === 'delivery' &&
      nowMs - Date.parse(entry.at) < followMs &&
      ['queued', 'sending'].includes(deliveryOf(entry).status),
  )
