import { namesOf } from '../../../../accounts/people/user.ts'
import { Conflict, Forbidden, Invalid } from '../../../../kernel/failures/faults.ts'
import { say } from '../../../../kernel/failures/sentence.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import { requireFourEyes } from '../../people/four-eyes.ts'
import { peopleOfCompletion } from '../../people/people-of-completion.ts'
import { isOffered, mayClaim, mayComplete, needsOwnRight } from '../../people/task-rights.ts'
import { withEvent } from '../../rows/task-row.ts'
import type { DelegateBody, ReassignBody, TaskAnswer } from '../../schema.ts'
import { taskEvent } from '../../steps/completion-writes.ts'
import { actingOn } from '../acting.ts'
import { taskConflict } from '../require-task.ts'
import { changeTask, requireAssignable, requireDirecting, type TaskDependencies } from './change-task.ts'
import { tellPerson } from './tell-person.ts'

/**
 * Assigns a pending task without an assignee to the caller; a task that is theirs already stays as it is. Throws
 * Forbidden when the task is not offered to the caller, Conflict with the name of its assignee.
 */
export const claimTask = (services: TaskDependencies, caller: Caller, id: number): Promise<TaskAnswer> =>
  changeTask(services, caller, id, async (task) => {
    const { tenant, userId } = caller
    if (task.assignee === userId) return undefined
    const acting = await actingOn(services, caller, task, mayClaim)
    if (acting === undefined) throw new Forbidden('task_not_yours', say('task_not_offered', {}))
    if (task.assignee !== null) throw await taskConflict(services.store, tenant, task)
    const { actsFor } = acting
    await requireFourEyes(services.store, tenant, task, peopleOfCompletion(task, caller, actsFor))
    const event = taskEvent('claimed', caller, services.clock.now(), actsFor === null ? {} : { for: actsFor })
    return {
      task: withEvent({ ...task, assignee: userId, isTaken: needsOwnRight(task), substitutedFor: actsFor }, event),
    }
  })

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
      throw new Forbidden('task_not_yours', say(task.assignee === null ? 'task_not_offered' : 'task_of_another', {}))
    const owner = task.owner ?? task.assignee ?? acting.actsFor ?? userId
    await requireAssignable(services, tenant, task, 'to', to, [owner])
    if (task.delegation === 'pending' && task.assignee === to) return undefined
    if (to === owner) {
      const name = (await namesOf(services.store, tenant, [owner])).get(owner) ?? 'Unknown user'
      throw new Invalid({
        to: [
          owner === userId && !isOwner
            ? say('delegated_to_self', { field: 'to' })
            : say('delegated_to_owner', { field: 'to', name }),
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
