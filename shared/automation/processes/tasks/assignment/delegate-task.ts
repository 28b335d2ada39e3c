import { namesOf } from '../../../../accounts/people/user.ts'
import { Forbidden, Invalid } from '../../../../kernel/failures/faults.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import { withEvent } from '../../rows/task-row.ts'
import type { DelegateBody, TaskAnswer } from '../../schema.ts'
import { actingOn } from '../acting.ts'
import { taskEvent } from '../completion-writes.ts'
import { mayComplete, needsOwnRight } from '../task-rights.ts'
import { changeTask, type TaskDependencies } from './change-task.ts'
import { requireAssignable } from './require-assignable.ts'
import { tellPerson } from './tell-person.ts'

/**
 * Has another user work on a task, which then returns to its owner to be completed: its assignee, or who delegates a task
 * that is offered to them. A delegate may pass it on; the owner stays the same. Throws Forbidden, Invalid for a delegate
 * who cannot have it, Conflict for a task that has ended.
 */
export const delegateTask = (
  services: TaskDependencies,
  caller: Caller,
  id: number,
  { to }: DelegateBody,
): Promise<TaskAnswer> =>
  changeTask(services, caller, id, async (task) => {
    const { tenant, userId } = caller
    const isOwner = task.owner === userId
    const acting = await actingOn(services, caller, task, (...who) => isOwner || mayComplete(...who))
    if (acting === undefined)
      throw new Forbidden(
        'task_not_yours',
        task.assignee === null ? 'This task is not offered to you.' : 'This task is assigned to another user.',
      )
    const owner = task.owner ?? task.assignee ?? acting.actsFor ?? userId
    await requireAssignable(services, tenant, task, 'to', to, [owner])
    if (task.delegation === 'pending' && task.assignee === to) return undefined
    if (to === owner) {
      const name = (await namesOf(services.store, tenant, [owner])).get(owner) ?? 'Unknown user'
      throw new Invalid({
        to: [
          owner === userId && !isOwner
            ? 'The selected to is invalid: you cannot delegate a task to yourself.'
            : `The selected to is invalid: the task is that of ${name}, to whom it returns.`,
        ],
      })
    }
    const event = taskEvent('delegated', caller, services.clock.now(), { to })
    // To an administrator it returns as well, who needs no right; others would get theirs by having asked for help.
    const isTaken = needsOwnRight(task) && !(caller.isAdministrator && owner === userId)
    const after = withEvent(
      { ...task, assignee: to, isTaken, owner, delegation: 'pending', substitutedFor: null },
      event,
    )
    return { task: after, also: await tellPerson(services, caller, after, to, 'delegated a task to you') }
  })
