import { namesOf } from '../../../../accounts/people/user.ts'
import { Conflict, Forbidden } from '../../../../kernel/failures/faults.ts'
import { say } from '../../../../kernel/failures/sentence.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import { mayFail } from '../../../../kernel/runtime/log.ts'
import { taskKey } from '../../../../platform/store/keys/processes.ts'
import type { Write } from '../../../../platform/store/store.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import { TransactionRefused } from '../../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../../platform/store/writes/retry-with-jitter.ts'
import type { AdvanceDependencies } from '../../dependencies.ts'
import { requireNotSuspended } from '../../operations/instance-conflicts.ts'
import { requireFourEyes } from '../../people/four-eyes.ts'
import { peopleOfCompletion } from '../../people/people-of-completion.ts'
import { mayComplete, needsOwnRight } from '../../people/task-rights.ts'
import { isUnchangedPending, readTask, type Task } from '../../rows/task-row.ts'
import { advanceInstance, maxRequestMs } from '../../runtime/advance-instance.ts'
import type { CompleteBody, TaskAnswer } from '../../schema.ts'
import type { Visibility } from '../../sight/visible-records.ts'
import { completionWrites } from '../../steps/completion-writes.ts'
import { actingOn } from '../acting.ts'
import { requireTask, taskConflict } from '../require-task.ts'
import { describeTaskTo } from '../shown-tasks.ts'
import { type CheckedCompletion, checkCompletion } from './check-completion.ts'
import { resolveTask } from './resolve-task.ts'
import { writeFields } from './write-fields.ts'

export type CompleteDependencies = AdvanceDependencies & Visibility

/**
 * Completes a pending task and advances its process; one that was delegated returns to its owner. Values that the form
 * binds to fields are written to the record in the same transaction and in the caller's name; the others become variables.
 * A task without an assignee becomes the caller's (docs/decisions/0031). Throws Forbidden, Conflict with the name of the
 * user who was faster, Invalid with paths as `data.<name>`.
 */
export async function completeTask(
  services: CompleteDependencies,
  caller: Caller,
  id: number,
  body: CompleteBody,
): Promise<TaskAnswer> {
  const { store, clock } = services
  const { tenant } = caller
  const done = await retryWithJitter(clock, async (again) => {
    const { task, actsFor } = await requireCompletable(services, caller, id)
    try {
      return isOfDelegate(task) && [caller.userId, actsFor].includes(task.assignee)
        ? await resolveTask(services, caller, task, body, actsFor)
        : await storeCompletion(services, caller, task, body, actsFor)
    } catch (error) {
      const existing =
        error instanceof TransactionRefused
          ? error.reasons.find((reason) => reason.failed && reason.existing?.kind === 'process_task')?.existing
          : undefined
      if (existing === undefined) throw error
      const { status, assignee } = readTask(existing)
      // Somebody has changed when it is due, or the like.
      if (status === 'pending' && assignee === task.assignee) return again(error as Error)
      throw await taskConflict(store, tenant, readTask(existing))
    }
  })
  if (done.status === 'pending') return describeTaskTo(services, caller, done)
  await mayFail('advance a process', () => advanceInstance(services, tenant, done.instanceId, maxRequestMs))
  const after = await store.get(tenant, taskKey(tenant, id))
  if (after && readTask(after).status === 'cancelled')
    throw new Conflict(
      'task_ended',
      'Your completion does not count: others had completed their tasks before it, and the step was decided.',
    )
  return describeTaskTo(services, caller, done)
}

/**
 * A task that the caller may complete now, and for whom; null: in their own right. Throws NotFound, Forbidden, and Conflict for
 * one that has ended or whose process is suspended.
 */
export async function requireCompletable(
  services: CompleteDependencies,
  caller: Caller,
  id: number,
): Promise<{ readonly task: Task; readonly actsFor: number | null }> {
  const { store } = services
  const { tenant } = caller
  const task = await requireTask(services, caller, id)
  if (task.status !== 'pending') throw await taskConflict(store, tenant, task)
  await requireNotSuspended(store, tenant, task.instanceId)
  const actsFor = await requireCompleting(services, caller, task)
  await requireFourEyes(store, tenant, task, peopleOfCompletion(task, caller, actsFor))
  return { task, actsFor }
}

/** For whom the caller completes the task; null: in their own right. Throws Forbidden unless they may. */
async function requireCompleting(services: CompleteDependencies, caller: Caller, task: Task): Promise<number | null> {
  const acting = await actingOn(services, caller, task, mayComplete)
  if (acting !== undefined) return acting.actsFor
  if (isOfDelegate(task) && task.owner === caller.userId && task.assignee !== null) {
    const name = (await namesOf(services.store, caller.tenant, [task.assignee])).get(task.assignee) ?? 'Unknown user'
    throw new Forbidden('task_not_yours', say('task_with_delegate', { name }))
  }
  throw new Forbidden(
    'task_not_yours',
    task.assignee === null ? 'This task is not offered to you.' : 'This task is assigned to another user.',
  )
}

const isOfDelegate = (task: Task): task is Task & { readonly owner: number } =>
  task.delegation === 'pending' && task.owner !== null

/** Writes the completion of a task, with what a delegate has entered where the caller enters nothing else. */
async function storeCompletion(
  services: CompleteDependencies,
  caller: Caller,
  task: Task,
  given: CompleteBody,
  actsFor: number | null,
): Promise<Task> {
  const { store, clock } = services
  const { tenant } = caller
  const { body, outcome, fields, variables } = await checkWhole(store, tenant, task, given)
  const writeId = clock.uuid()
  const assigned: Task =
    actsFor === null
      ? { ...task, assignee: task.assignee ?? caller.userId, isTaken: needsOwnRight(task) }
      : { ...task, assignee: caller.userId, isTaken: needsOwnRight(task), substitutedFor: actsFor }
  const { done, writes } = completionWrites(services, tenant, assigned, caller, {
    outcome,
    variables,
    data: body?.data ?? {},
    hops: 0,
    actsFor,
  })
  const guarded = writes.map((one): Write =>
    isTaskWrite(one) ? { put: { ...one.put, write_id: writeId }, if: isUnchangedPending(task) } : one,
  )
  const isWritten = await writeFields(services, caller, task, fields, guarded, writeId)
  if (!isWritten) await store.transact(tenant, guarded, writeId)
  return done
}

/** Checks what completes a task: what is given, and where nothing is, what a delegate has entered. Throws Invalid. */
async function checkWhole(
  store: Pick<CompleteDependencies['store'], 'getMany'>,
  tenant: Caller['tenant'],
  task: Task,
  given: CompleteBody,
): Promise<CheckedCompletion & { readonly body: CompleteBody }> {
  const { proposal } = task
  const body = proposal
    ? { outcome: given?.outcome ?? proposal.outcome, data: { ...proposal.data, ...given?.data } }
    : given
  const form = task.form.map((field) =>
    proposal?.written.includes(field.name) && body?.data?.[field.name] === undefined
      ? { ...field, isRequired: false }
      : field,
  )
  return { body, ...(await checkCompletion(store, tenant, { ...task, form }, body, { isComplete: true })) }
}

/** Throws what `completeTask` would throw of a body before it writes anything. */
export async function requireCompletion(
  services: CompleteDependencies,
  caller: Caller,
  id: number,
  body: CompleteBody,
): Promise<void> {
  const { task } = await requireCompletable(services, caller, id)
  if (isOfDelegate(task)) await checkCompletion(services.store, caller.tenant, task, body, { isComplete: false })
  else await checkWhole(services.store, caller.tenant, task, body)
}

const isTaskWrite = (one: Write): one is Extract<Write, { put: Item }> =>
  'put' in one && one.put.kind === 'process_task'
