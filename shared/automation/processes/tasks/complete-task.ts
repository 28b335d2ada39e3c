import { Conflict, type FieldErrors, Forbidden, Invalid } from '../../../kernel/failures/faults.ts'
import { maxVariableBytes } from '../../../kernel/limits/processes.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import { userKey } from '../../../platform/store/keys/auth.ts'
import { taskKey } from '../../../platform/store/keys/processes.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { changeRecord } from '../../../records/records/service.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import type { Visibility } from '../instances/visible-records.ts'
import { requireNotSuspended } from '../operations/instance-conflicts.ts'
import { readTask, type Task } from '../rows/task-row.ts'
import { advanceInstance, maxRequestMs } from '../runtime/advance-instance.ts'
import { type CompleteBody, type TaskAnswer } from '../schema.ts'
import { checkForm } from './check-form.ts'
import { completionWrites } from './completion-writes.ts'
import { describeTask } from './describe-task.ts'
import { requireTask } from './require-task.ts'
import { taskConflict, hasSameAssignee } from './task-conflict.ts'
import { isUnrestricted, mayComplete } from './task-rights.ts'

type TaskDependencies = AdvanceDependencies & Visibility

/**
 * Completes a pending task and advances its process. Values that the form binds to fields are written to the record in
 * the same transaction and in the caller's name; the others become variables. A task without an assignee becomes the
 * caller's (docs/decisions/0031). Throws Forbidden, Conflict with the name of the user who was faster, Invalid with
 * paths as `data.<name>`.
 */
export async function completeTask(
  tasks: TaskDependencies,
  caller: Caller,
  id: number,
  body: CompleteBody,
): Promise<TaskAnswer> {
  const { store, clock } = tasks
  const { tenant } = caller
  const task = await requireTask(tasks, caller, id)
  if (task.status !== 'pending') throw await taskConflict(store, tenant, task)
  await requireNotSuspended(store, tenant, task.instanceId)
  if (!mayComplete(caller, task))
    throw new Forbidden(
      'task_not_yours',
      task.assignee === null ? 'This task is not offered to you.' : 'This task is assigned to another user.',
    )
  const { outcome, fields, variables } = await checkCompletion(tasks, caller, task, body)
  const assigned: Task = { ...task, assignee: task.assignee ?? caller.userId }
  const writeId = clock.uuid()
  const { done, writes } = completionWrites(tasks, tenant, assigned, caller, {
    outcome,
    variables,
    data: body?.data ?? {},
    hops: 0,
  })
  const guarded = writes.map((one): Write =>
    isTaskWrite(one) ? { put: { ...one.put, write_id: writeId }, if: hasSameAssignee(task, one.if) } : one,
  )
  try {
    const isWritten =
      Object.keys(fields).length > 0 && (await writeFields(tasks, caller, task, fields, guarded, writeId))
    if (!isWritten) await store.transact(tenant, guarded, writeId)
  } catch (error) {
    const existing =
      error instanceof TransactionRefused
        ? error.reasons.find((reason) => reason.failed && reason.existing?.kind === 'process_task')?.existing
        : undefined
    throw existing ? await taskConflict(store, tenant, readTask(existing)) : error
  }
  await mayFail('advance a process', () => advanceInstance(tasks, tenant, task.instanceId, maxRequestMs))
  const after = await store.get(tenant, taskKey(tenant, id))
  if (after && readTask(after).status === 'cancelled')
    throw new Conflict(
      'task_ended',
      'Your completion does not count: others had completed their tasks before it, and the step was decided.',
    )
  return describeTask(store, tenant, done)
}

const isTaskWrite = (one: Write): one is Extract<Write, { put: Item }> =>
  'put' in one && one.put.kind === 'process_task'

/** The body of a completion, checked. */
interface CheckedCompletion {
  readonly outcome: string | null
  readonly fields: Readonly<Record<string, unknown>>
  readonly variables: Readonly<Record<string, unknown>>
}

/** Checks outcome and form data. Throws Invalid with all errors. */
async function checkCompletion(
  { store }: Pick<TaskDependencies, 'store'>,
  { tenant }: Caller,
  { form, outcomes }: Task,
  body: CompleteBody,
): Promise<CheckedCompletion> {
  const outcome = body?.outcome ?? null
  const { fields, variables, errors: formErrors } = checkForm(form, body?.data ?? {})
  const errors: FieldErrors = { ...formErrors }
  if (outcomes.length > 0 && outcome === null) errors.outcome = ['The outcome field is required.']
  else if (outcomes.length > 0 && !outcomes.includes(outcome as string))
    errors.outcome = [`The selected outcome is invalid: it must be one of ${outcomes.join(', ')}.`]
  if (Buffer.byteLength(JSON.stringify(variables)) > maxVariableBytes)
    errors.data = ['The data may not be larger than 64 KB.']
  // Users in fields of the record are checked with the record.
  const users = form.flatMap(({ name, type }) =>
    type === 'user' && typeof variables[name] === 'number' ? [{ name, id: variables[name] }] : [],
  )
  const found =
    users.length === 0
      ? []
      : await store.getMany(
          tenant,
          users.map(({ id }) => userKey(tenant, id)),
          ['pk', 'sk'],
        )
  for (const [index, { name }] of users.entries())
    if (!found[index]) errors[`data.${name}`] = [`The selected ${name} is invalid.`]
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return { outcome, fields, variables }
}

/** Writes the record with the completion. Writes nothing and returns false when the record has these values already. */
async function writeFields(
  tasks: TaskDependencies,
  caller: Caller,
  task: Task,
  fields: CheckedCompletion['fields'],
  completion: readonly Write[],
  writeId: string,
): Promise<boolean> {
  const { store, tables, records } = tasks
  const { tenant } = caller
  const { id, model, recordId, form } = task
  const table = await tables.require(tenant, model)
  // The template gives its assignee and candidates the right to write bound fields. Other callers need their own right.
  const permit = isUnrestricted(task)
    ? { permit: (item: Item | null | undefined) => records.access.require(caller, model, recordId, 'update', item) }
    : { withoutFieldRules: true }
  try {
    await changeRecord(records, { ...caller, source: 'process' }, table, recordId, fields, {
      extraWrites: completion,
      ...permit,
    })
  } catch (error) {
    if (!(error instanceof Invalid) || Object.keys(error.errors).length === 0) throw error
    const pathByField = new Map(
      form.flatMap(({ name, bind }) => (bind === undefined ? [] : [[bind, `data.${name}`] as const])),
    )
    throw error.withErrors(
      Object.fromEntries(
        Object.entries(error.errors).map(([path, messages]) => [pathByField.get(path) ?? path, messages]),
      ),
    )
  }
  return (await store.get(tenant, taskKey(tenant, id)))?.write_id === writeId
}
