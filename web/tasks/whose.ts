import type { Task } from '../api/about-record.ts'

/** Whose a task is: the words for it, and the ids of the people whom they name. */
export interface Whose {
  readonly says:
    | 'tasks.youAsked'
    | 'tasks.asksYou'
    | 'tasks.asked'
    | 'tasks.standsInForYou'
    | 'tasks.for'
    | 'tasks.returned'
    | 'tasks.yours'
    | 'tasks.theirs'
    | 'tasks.theirsFor'
  readonly name?: number | null
  readonly owner?: number | null
}

/**
 * Whose a task is, as the reader is told; undefined for a task that nobody has. `isMine`: whether it waits for the reader,
 * which it also does for whoever stands in for somebody.
 */
export function whoseOf(
  { assignee, owner, delegation, substituted_for: substituted }: Task,
  reader: number,
  isMine: boolean,
): Whose | undefined {
  if (assignee === null) return undefined
  const isReaders = assignee === reader
  if (delegation === 'pending' && owner === reader) return { says: 'tasks.youAsked', name: assignee }
  if (delegation === 'pending')
    return isReaders || isMine ? { says: 'tasks.asksYou', name: owner } : { says: 'tasks.asked', name: assignee, owner }
  if (substituted === reader) return { says: 'tasks.standsInForYou', name: assignee }
  if (isReaders && substituted !== null) return { says: 'tasks.for', name: substituted }
  if (isReaders) return { says: delegation === 'resolved' ? 'tasks.returned' : 'tasks.yours' }
  if (isMine) return { says: 'tasks.for', name: assignee }
  return substituted === null
    ? { says: 'tasks.theirs', name: assignee }
    : { says: 'tasks.theirsFor', name: assignee, owner: substituted }
}
