import type { Caller } from '../../../../kernel/principal.ts'
import { withEvent } from '../../rows/task-row.ts'
import type { ReassignBody, TaskAnswer } from '../../schema.ts'
import { taskEvent } from '../completion-writes.ts'
import { needsOwnRight } from '../task-rights.ts'
import { changeTask, type TaskDependencies } from './change-task.ts'
import { requireAssignable } from './require-assignable.ts'
import { requireDirecting } from './require-directing.ts'
import { tellPerson } from './tell-person.ts'

/**
 * Assigns a task to another user for good, which ends a delegation, and notifies them. Throws Forbidden, Invalid for an
 * assignee who cannot have it, Conflict for a task that has ended.
 */
export const reassignTask = (
  services: TaskDependencies,
  caller: Caller,
  id: number,
  { assignee }: ReassignBody,
): Promise<TaskAnswer> =>
  changeTask(services, caller, id, async (task) => {
    await requireDirecting(services, caller, task)
    await requireAssignable(services, caller.tenant, task, 'assignee', assignee)
    const isTaken = needsOwnRight(task) && !caller.isAdministrator
    if (task.assignee === assignee && task.owner === null && task.isTaken === isTaken) return undefined
    const event = taskEvent('reassigned', caller, services.clock.now(), { to: assignee })
    const after = withEvent({ ...task, assignee, isTaken, owner: null, delegation: null, substitutedFor: null }, event)
    return { task: after, also: await tellPerson(services, caller, after, assignee, 'assigned a task to you') }
  })
