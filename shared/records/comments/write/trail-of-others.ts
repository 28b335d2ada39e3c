import type { Caller } from '../../../kernel/principal.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Write } from '../../../platform/store/store.ts'
import { trailEvent } from '../../../platform/trail/trail-event.ts'
import type { Comment } from '../rows/comment-row.ts'

/**
 * The event of a comment that somebody else than its author changes or deletes: an administrator, under the own name or
 * as the author. None for one's own comment. It says whose comment on which record it was, and not what it said.
 */
export function trailOfOthers(
  clock: Pick<Clock, 'now' | 'uuid'>,
  caller: Caller,
  action: 'update' | 'delete',
  { id, model, recordId, userId, version }: Comment,
): Write[] {
  if (userId === caller.userId && caller.impersonatorId === undefined) return []
  const about = { model, record_id: recordId, user_id: userId }
  const changes = Object.entries(about).map(([name, value]) => [
    name,
    { old: value, new: action === 'delete' ? null : value },
  ])
  const event = { action, model: 'sys_comments', id, version: version + 1, changes: Object.fromEntries(changes) }
  return [trailEvent(clock, caller.tenant, caller, { ...event, name: `comment on ${model} ${recordId}` })]
}
