import type { Caller } from '../../../../kernel/principal.ts'
import type { Write } from '../../../../platform/store/store.ts'
import { ConditionFailed, isRefusal } from '../../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../../platform/store/writes/retry-with-jitter.ts'
import type { AdvanceDependencies } from '../../dependencies.ts'
import type { Visibility } from '../../instances/visible-records.ts'
import { isUnchangedPending, type Task, taskItem } from '../../rows/task-row.ts'
import type { TaskAnswer } from '../../schema.ts'
import { requireTask } from '../require-task.ts'
import { describeTaskTo } from '../shown-tasks.ts'
import { taskConflict } from '../task-conflict.ts'

/** What changes of tasks need. */
export type TaskDependencies = Pick<AdvanceDependencies, 'store' | 'clock' | 'config' | 'records'> & Visibility

/** A pending task as it is to be, and what is written with it. */
interface TaskChange {
  readonly task: Task
  readonly also?: readonly Write[]
}

/**
 * Changes a pending task of which the caller may know, and answers it. `change` gets the task as it is now, again after
 * somebody else has changed it meanwhile, and answers undefined when there is nothing to change. Throws NotFound, and
 * Conflict for a task that has ended.
 */
export async function changeTask(
  services: TaskDependencies,
  caller: Caller,
  id: number,
  change: (task: Task) => Promise<TaskChange | undefined>,
): Promise<TaskAnswer> {
  const { store, clock } = services
  const { tenant } = caller
  const changed = await retryWithJitter(clock, async (again) => {
    const before = await requireTask(services, caller, id)
    if (before.status !== 'pending') throw await taskConflict(store, tenant, before)
    const wanted = await change(before)
    if (wanted === undefined) return before
    const { also = [] } = wanted
    const after: Task = { ...wanted.task, version: before.version + 1 }
    const writeId = clock.uuid()
    const put = { put: { ...taskItem(tenant, after), write_id: writeId }, if: isUnchangedPending(before) }
    try {
      if (also.length === 0) await store.write(tenant, put)
      else await store.transact(tenant, [put, ...also], writeId)
    } catch (error) {
      // A repeat of the request finds what its first try has written.
      const isWritten = error instanceof ConditionFailed && error.existing?.write_id === writeId
      if (!isWritten) return isRefusal(error) ? again(error) : Promise.reject(error as Error)
    }
    return after
  })
  return describeTaskTo(services, caller, changed)
}
