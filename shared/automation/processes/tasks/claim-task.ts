import { Forbidden } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { ConditionFailed } from '../../../platform/store/writes/refusals.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import type { Visibility } from '../instances/visible-records.ts'
import { readTask, taskItem, type Task } from '../rows/task-row.ts'
import type { TaskAnswer } from '../schema.ts'
import { describeTask } from './describe-task.ts'
import { requireTask } from './require-task.ts'
import { hasSameAssignee, taskConflict } from './task-conflict.ts'
import { mayClaim } from './task-rights.ts'

/**
 * Assigns a pending task without an assignee to the caller; a task that is theirs already stays as it is. Throws
 * Forbidden when the task is not offered to the caller, Conflict with the name of its assignee.
 */
export async function claimTask(
  services: Pick<AdvanceDependencies, 'store' | 'clock'> & Visibility,
  caller: Caller,
  id: number,
): Promise<TaskAnswer> {
  const { store, clock } = services
  const { tenant, userId } = caller
  const task = await requireTask(services, caller, id)
  if (task.status !== 'pending') throw await taskConflict(store, tenant, task)
  if (task.assignee === userId) return describeTask(store, tenant, task)
  if (!mayClaim(caller, task)) throw new Forbidden('task_not_yours', 'This task is not offered to you.')
  if (task.assignee !== null) throw await taskConflict(store, tenant, task)
  const claimed: Task = { ...task, assignee: userId }
  try {
    await store.write(tenant, {
      put: { ...taskItem(tenant, claimed), write_id: clock.uuid() },
      if: hasSameAssignee(task),
    })
  } catch (error) {
    if (!(error instanceof ConditionFailed) || !error.existing) throw error
    const existing = readTask(error.existing)
    if (existing.status !== 'pending' || existing.assignee !== userId) throw await taskConflict(store, tenant, existing)
  }
  return describeTask(store, tenant, claimed)
}
