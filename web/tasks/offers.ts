import type { Task } from '../api/about-record.ts'
import type { CurrentUser } from '../api/session.ts'

/** What is offered with a task. What the service refuses all the same is told where it was asked for. */
export interface Offers {
  readonly complete: boolean
  readonly claim: boolean
  readonly giveBack: boolean
  /** To the person who asked somebody else. */
  readonly takeBack: boolean
  readonly passOn: boolean
  readonly ask: boolean
  readonly changeDue: boolean
}

/** `isMine`: whether the service lists it among the tasks of the person, which it also does for substitutes. */
export function offersOf(task: Task, user: Pick<CurrentUser, 'id' | 'permissions'>, isMine: boolean): Offers {
  const { assignee, owner, delegation, candidates } = task
  const isAdministrator = user.permissions.includes('*')
  const isAsked = delegation === 'pending'
  const isFree = assignee === null
  const has = !isFree && (isMine || assignee === user.id)
  const decides = isAdministrator || (isAsked ? owner === user.id : has)
  const isOffered = [candidates.users, candidates.roles, candidates.org_units].some((list) => list.length > 0)
  return {
    complete: isFree || has || isAdministrator,
    claim: isFree,
    giveBack: !isFree && decides && isOffered,
    takeBack: isAsked && owner === user.id && assignee !== user.id,
    passOn: decides,
    ask: isFree || has || decides,
    changeDue: decides,
  }
}
