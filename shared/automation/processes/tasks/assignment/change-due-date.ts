import { requireCurrentVersion, type VersionMatch } from '../../../../kernel/failures/concurrent-change.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import { withEvent } from '../../rows/task-row.ts'
import type { TaskAnswer, TaskChangeBody } from '../../schema.ts'
import { taskEvent } from '../completion-writes.ts'
import { changeTask, type TaskDependencies } from './change-task.ts'
import { requireDirecting } from './require-directing.ts'

/**
 * Changes when a task is due; null: at no time. Throws Forbidden, PreconditionFailed for another version, Conflict for a
 * task that has ended.
 */
export const changeDueDate = (
  services: TaskDependencies,
  caller: Caller,
  id: number,
  { due_at: dueAt, version }: TaskChangeBody,
  ifMatch?: VersionMatch,
): Promise<TaskAnswer> =>
  changeTask(services, caller, id, async (task) => {
    await requireDirecting(services, caller, task)
    requireCurrentVersion('task', task, { version, ifMatch })
    if (dueAt === undefined || dueAt === task.dueAt) return undefined
    return { task: withEvent({ ...task, dueAt }, taskEvent('due_changed', caller, services.clock.now(), { dueAt })) }
  })
