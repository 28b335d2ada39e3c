import { namesOf } from '../../auth/service.ts'
import { Conflict, NotFound } from '../../kernel/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { taskKey } from '../../store/keys/processes.ts'
import type { Store } from '../../store/table.ts'
import { visibleRecords, type Visibility } from '../instances/visible-records.ts'
import { readTask, type Task } from '../rows/task-row.ts'
import { isCandidate } from './task-rights.ts'

/** The task as it stands. Throws NotFound unless the caller has to do with it or may read its record. */
export async function requireTask(
  deps: { readonly store: Pick<Store, 'get'> } & Visibility,
  caller: Caller,
  id: number,
): Promise<Task> {
  const item = await deps.store.get(caller.tenant, taskKey(caller.tenant, id))
  const task = item && readTask(item)
  if (!task || !(await maySee(deps, caller, task))) throw new NotFound('task', { id })
  return task
}

async function maySee(visibility: Visibility, caller: Caller, task: Task): Promise<boolean> {
  if (task.assignee === caller.userId || task.completedBy === caller.userId || isCandidate(caller, task)) return true
  return (await visibleRecords(visibility, caller, task.model, [task.recordId])).has(task.recordId)
}

/** Why nothing can be done with the task any more: who was faster, and when. */
export async function taskTaken(
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
