import { namesOf } from '../../../../accounts/people/user.ts'
import { Forbidden } from '../../../../kernel/failures/faults.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import type { Task } from '../../rows/task-row.ts'
import { actingOn } from '../acting.ts'
import { mayDirect } from '../task-rights.ts'
import type { TaskDependencies } from './change-task.ts'

/**
 * Throws Forbidden unless the caller decides who does a task and by when: its assignee, while it is delegated its owner,
 * and administrators.
 */
export async function requireDirecting(services: TaskDependencies, caller: Caller, task: Task): Promise<void> {
  if (await actingOn(services, caller, task, mayDirect)) return
  const decides = task.delegation === 'pending' ? task.owner : task.assignee
  if (decides === null)
    throw new Forbidden('task_not_yours', 'This task is assigned to nobody: claim it first, or ask an administrator.')
  const name = (await namesOf(services.store, caller.tenant, [decides])).get(decides) ?? 'Unknown user'
  throw new Forbidden(
    'task_not_yours',
    task.delegation === 'pending'
      ? `${name} has delegated this task: only ${name} and administrators decide who does it.`
      : `This task is assigned to ${name}: only ${name} and administrators decide who does it.`,
  )
}
