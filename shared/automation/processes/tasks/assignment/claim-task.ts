import { Forbidden } from '../../../../kernel/failures/faults.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import { withEvent } from '../../rows/task-row.ts'
import type { TaskAnswer } from '../../schema.ts'
import { actingOn } from '../acting.ts'
import { taskEvent } from '../completion-writes.ts'
import { requireFourEyes } from '../four-eyes/four-eyes.ts'
import { peopleOfCompletion } from '../four-eyes/people-of-completion.ts'
import { taskConflict } from '../task-conflict.ts'
import { mayClaim, needsOwnRight } from '../task-rights.ts'
import { changeTask, type TaskDependencies } from './change-task.ts'

/**
 * Assigns a pending task without an assignee to the caller; a task that is theirs already stays as it is. Throws
 * Forbidden when the task is not offered to the caller, Conflict with the name of its assignee.
 */
export const claimTask = (services: TaskDependencies, caller: Caller, id: number): Promise<TaskAnswer> =>
  changeTask(services, caller, id, async (task) => {
    const { tenant, userId } = caller
    if (task.assignee === userId) return undefined
    const acting = await actingOn(services, caller, task, mayClaim)
    if (acting === undefined) throw new Forbidden('task_not_yours', 'This task is not offered to you.')
    if (task.assignee !== null) throw await taskConflict(services.store, tenant, task)
    const { actsFor } = acting
    await requireFourEyes(services.store, tenant, task, peopleOfCompletion(task, caller, actsFor))
    const event = taskEvent('claimed', caller, services.clock.now(), actsFor === null ? {} : { for: actsFor })
    return {
      task: withEvent({ ...task, assignee: userId, isTaken: needsOwnRight(task), substitutedFor: actsFor }, event),
    }
  })
