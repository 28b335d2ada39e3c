import { findUser, namesOf } from '../../../../accounts/people/user.ts'
import { requireCurrentVersion, type VersionMatch } from '../../../../kernel/failures/concurrent-change.ts'
import { Forbidden, Invalid } from '../../../../kernel/failures/faults.ts'
import { say } from '../../../../kernel/failures/sentence.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import type { Tenant } from '../../../../kernel/tenancy.ts'
import type { Write } from '../../../../platform/store/store.ts'
import { ConditionFailed, isRefusal } from '../../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../../platform/store/writes/retry-with-jitter.ts'
import type { AdvanceDependencies } from '../../dependencies.ts'
import { fourEyesProblem } from '../../people/four-eyes.ts'
import { mayDirect } from '../../people/task-rights.ts'
import { isUnchangedPending, type Task, taskItem, withEvent } from '../../rows/task-row.ts'
import type { TaskAnswer, TaskChangeBody } from '../../schema.ts'
import type { Visibility } from '../../sight/visible-records.ts'
import { taskEvent } from '../../steps/completion-writes.ts'
import { actingOn } from '../acting.ts'
import { requireTask, taskConflict } from '../require-task.ts'
import { describeTaskTo } from '../shown-tasks.ts'

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

/**
 * Throws Invalid naming the field unless its value is the id of an active user who may do the task. `others`: those for
 * whom they would do it.
 */
export async function requireAssignable(
  { store }: Pick<TaskDependencies, 'store'>,
  tenant: Tenant,
  task: Task,
  field: 'assignee' | 'to',
  id: number,
  others: readonly number[] = [],
): Promise<void> {
  const user = await findUser(store, tenant, id)
  const problem = user?.isActive ? await fourEyesProblem(store, tenant, task, [id, ...others]) : undefined
  if (problem !== undefined) throw new Invalid({ [field]: [problem] })
  if (user?.isActive) return
  throw new Invalid({
    [field]: [
      user === undefined ? say('no_such_user', { field, id }) : say('user_inactive', { field, name: user.name }),
    ],
  })
}

/**
 * Throws Forbidden unless the caller decides who does a task and by when: its assignee, while it is delegated its owner,
 * and administrators.
 */
export async function requireDirecting(services: TaskDependencies, caller: Caller, task: Task): Promise<void> {
  if (await actingOn(services, caller, task, mayDirect)) return
  const decides = task.delegation === 'pending' ? task.owner : task.assignee
  if (decides === null) throw new Forbidden('task_not_yours', say('task_of_nobody', {}))
  const name = (await namesOf(services.store, caller.tenant, [decides])).get(decides) ?? 'Unknown user'
  throw new Forbidden('task_not_yours', say(task.delegation === 'pending' ? 'task_delegated_by' : 'task_of', { name }))
}

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
