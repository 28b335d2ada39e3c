import { NotFound } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { taskKey } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import { visibleRecords, type Visibility } from '../instances/visible-records.ts'
import { readTask, type Task } from '../rows/task-row.ts'
import { isCandidate } from './task-rights.ts'

/**
 * Reads a task. Throws NotFound unless the caller is its assignee, owner or candidate, completed it, or may read its record.
 */
export async function requireTask(
  services: { readonly store: Pick<Store, 'get'> } & Visibility,
  caller: Caller,
  id: number,
): Promise<Task> {
  const item = await services.store.get(caller.tenant, taskKey(caller.tenant, id))
  const task = item && readTask(item)
  if (!task || !(await maySee(services, caller, task))) throw new NotFound('task', { id })
  return task
}

async function maySee(visibility: Visibility, caller: Caller, task: Task): Promise<boolean> {
  const { assignee, completedBy, owner } = task
  if ([assignee, completedBy, owner].includes(caller.userId) || isCandidate(caller, task)) return true
  return (await visibleRecords(visibility, caller, task.model, [task.recordId])).has(task.recordId)
}
