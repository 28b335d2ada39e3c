import { Conflict } from '../../../../kernel/failures/faults.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import { withEvent } from '../../rows/task-row.ts'
import type { TaskAnswer } from '../../schema.ts'
import { taskEvent } from '../completion-writes.ts'
import { isOffered } from '../task-rights.ts'
import { changeTask, type TaskDependencies } from './change-task.ts'
import { requireDirecting } from './require-directing.ts'

/**
 * Gives a task back to its candidates. Throws Forbidden for people who neither have it nor administer the company,
 * Conflict when nobody has it, or it has no candidates.
 */
export const unclaimTask = (services: TaskDependencies, caller: Caller, id: number): Promise<TaskAnswer> =>
  changeTask(services, caller, id, async (task) => {
    if (task.assignee === null) throw new Conflict('task_unassigned', 'The task is assigned to nobody.')
    await requireDirecting(services, caller, task)
    if (!isOffered(task))
      throw new Conflict(
        'task_without_candidates',
        'The task has no candidates to whom it could return: reassign it to somebody.',
      )
    const event = taskEvent('unclaimed', caller, services.clock.now())
    return { task: withEvent({ ...task, assignee: null, owner: null, delegation: null, substitutedFor: null }, event) }
  })
