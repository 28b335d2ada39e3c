import { namesOf } from '../../../accounts/service.ts'
import { Conflict } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Condition, Store } from '../../../platform/store/store.ts'
import { and, equals } from '../../../platform/store/writes/conditions.ts'
import { isPending, type Task } from '../rows/task-row.ts'

/** The condition that the assignee is the same as when the task was read: another user may have claimed it since. */
export const hasSameAssignee = ({ assignee }: Task, condition: Condition = isPending): Condition =>
  and(condition, equals('assignee', assignee))

/** The Conflict that says who claimed, completed or cancelled the task first, and when. */
export async function taskConflict(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  { status, assignee, completedBy, completedAt }: Task,
): Promise<Conflict> {
  const who = status === 'pending' ? assignee : completedBy
  const names = await namesOf(store, tenant, who === null ? [] : [who])
  const by = who === null ? '' : ` by ${names.get(who) ?? 'Unknown user'}`
  if (status === 'pending') return new Conflict('task_taken', `The task has been taken${by}.`)
  return new Conflict(
    'task_ended',
    status === 'completed'
      ? `The task was completed${by} at ${completedAt}.`
      : `The task was cancelled at ${completedAt}.`,
  )
}
