import { namesOf } from '../../../accounts/people/user.ts'
import { Conflict } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Task } from '../rows/task-row.ts'

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
