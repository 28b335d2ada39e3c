import type { ItemChange } from '../../shared/store/on-stream.ts'

/** A queue that is told of some changes. */
export interface Consumer {
  /** The environment variable that holds the queue's address. */
  readonly queueUrl: 'REMOVAL_QUEUE_URL' | 'SEARCH_QUEUE_URL'
  readonly wants: (change: ItemChange) => boolean
}

/** Who is told of what. A consumer more is a line more. */
export const consumers: readonly Consumer[] = [
  // Every new version of a record: a write that makes none has nothing new to find.
  { queueUrl: 'SEARCH_QUEUE_URL', wants: ({ before, after }) => after?.feed === 'record' && after.version !== before?.version },
  // A delete that its request could not finish, and each further round of it.
  { queueUrl: 'REMOVAL_QUEUE_URL', wants: ({ before, after }) => after?.removal === 'queued' && after.removal_round !== before?.removal_round },
]
