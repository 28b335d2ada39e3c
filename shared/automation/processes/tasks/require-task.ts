import { namesOf } from '../../../accounts/people/user.ts'
import { Conflict, NotFound } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { taskKey } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import { isCandidate, isMine, needsOwnRight } from '../people/task-rights.ts'
import { readTask, type Task } from '../rows/task-row.ts'
import { type Visibility, visibleRecords } from '../sight/visible-records.ts'
import { type ActingDependencies, peopleOf } from './acting.ts'

/**
 * Reads a task. Throws NotFound unless the caller is its assignee, owner or candidate, or their substitute, completed it, or may read
 * its record. Who has a task that nobody asked them to do has to be able to read the record still.
 */
export async function requireTask(
  services: ActingDependencies & Visibility,
  caller: Caller,
  id: number,
): Promise<Task> {
  const item = await services.store.get(caller.tenant, taskKey(caller.tenant, id))
  const task = item && readTask(item)
  if (!task || !(await maySee(services, caller, task))) throw new NotFound('task', { id })
  return task
}

async function maySee(services: ActingDependencies & Visibility, caller: Caller, task: Task): Promise<boolean> {
  const { assignee, completedBy, owner } = task
  const knowsByTask = !needsOwnRight(task)
  if (completedBy === caller.userId || isCandidate(caller, task)) return true
  if (knowsByTask && [assignee, owner].includes(caller.userId)) return true
  if ((await visibleRecords(services, caller, task.model, [task.recordId])).has(task.recordId)) return true
  if (!knowsByTask) return false
  const people = await peopleOf(services, caller)
  return isMine(caller, task, people) || (owner !== null && people.includes(owner))
}

/** The Conflict that says who claimed, completed or cancelled the task first, and when. */
export async function taskConflict(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  { status, assignee, completedBy, completedAt }: Task,
): Promise<Conflict> {
  const who = status === 'pending' ? assignee : completedBy
  const names = await namesOf(store, tenant, who === null ? [] : [who])
  const name = who === null ? undefined : (names.get(who) ?? 'Unknown user')
  if (status === 'pending') return new Conflict('task_taken', say('task_taken_by', { name }))
  const at = completedAt ?? ''
  return new Conflict(
    'task_ended',
    status === 'completed' ? say('task_completed', { name, at }) : say('task_cancelled', { at }),
  )
}
