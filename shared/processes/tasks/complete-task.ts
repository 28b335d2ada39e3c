import { type FieldErrors, Forbidden, Invalid } from '../../kernel/faults.ts'
import { mayFail } from '../../kernel/log.ts'
import type { Caller } from '../../kernel/principal.ts'
import { changeRecord } from '../../records/service.ts'
import { and, equals } from '../../store/conditions.ts'
import { userKey } from '../../store/keys/auth.ts'
import { taskKey } from '../../store/keys/processes.ts'
import type { Item } from '../../store/marshal.ts'
import { ConditionFailed, TransactionRefused } from '../../store/refusals.ts'
import type { Condition, Write } from '../../store/table.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import type { Visibility } from '../instances/visible-records.ts'
import { type Task, isPending, readTask, taskItem } from '../rows/task-row.ts'
import { advanceInstance } from '../runtime/advance-instance.ts'
import { type CompleteBody, type TaskAnswer, maxVariableBytes } from '../schema.ts'
import { checkForm } from './check-form.ts'
import { completionWrites } from './completion-writes.ts'
import { describeTask } from './describe-task.ts'
import { requireTask, taskTaken } from './find-task.ts'
import { isForEverybody, mayClaim, mayComplete } from './task-rights.ts'

type TaskDependencies = AdvanceDependencies & Visibility

/**
 * Completes a pending task with what its form asks for. What the form binds to fields is written to the record in the same
 * transaction, in the caller's name; everything else becomes variables of the process, which then goes on. Whoever completes
 * a task that was nobody's has taken it. Throws Conflict naming who was faster, Invalid naming fields as `data.<name>`.
 */
export async function completeTask(
  deps: TaskDependencies,
  caller: Caller,
  id: number,
  body: CompleteBody,
): Promise<TaskAnswer> {
  const { store, clock } = deps
  const { tenant } = caller
  const task = await requireTask(deps, caller, id)
  if (task.status !== 'pending') throw await taskTaken(store, tenant, task)
  if (!mayComplete(caller, task))
    throw new Forbidden(
      'task_not_yours',
      task.assignee === null ? 'This task is not offered to you.' : 'This task is assigned to somebody else.',
    )
  const { outcome, fields, variables } = await readCompletion(deps, caller, task, body)
  const mine: Task = { ...task, assignee: task.assignee ?? caller.userId }
  const writeId = clock.uuid()
  const { done, writes } = completionWrites(deps, tenant, mine, caller, { outcome, variables, hops: 0 })
  const guarded = writes.map((one): Write =>
    isTask(one) ? { put: { ...one.put, write_id: writeId }, if: andUntaken(one.if, task) } : one,
  )
  try {
    const isWritten =
      Object.keys(fields).length > 0 && (await writeFields(deps, caller, task, fields, guarded, writeId))
    if (!isWritten) await store.transact(tenant, guarded, writeId)
  } catch (error) {
    const existing =
      error instanceof TransactionRefused
        ? error.reasons.find((reason) => reason.failed && reason.existing?.kind === 'process_task')?.existing
        : undefined
    throw existing ? await taskTaken(store, tenant, readTask(existing)) : error
  }
  await mayFail('advance a process', () => advanceInstance(deps, tenant, task.instanceId))
  return describeTask(store, tenant, done)
}

/** Makes a pending task that is nobody's the caller's; theirs it may be already. Throws Conflict naming who has it. */
export async function claimTask(deps: TaskDependencies, caller: Caller, id: number): Promise<TaskAnswer> {
  const { store, clock } = deps
  const { tenant, userId } = caller
  const task = await requireTask(deps, caller, id)
  if (task.status !== 'pending') throw await taskTaken(store, tenant, task)
  if (task.assignee === userId) return describeTask(store, tenant, task)
  if (!mayClaim(caller, task)) throw new Forbidden('task_not_yours', 'This task is not offered to you.')
  if (task.assignee !== null) throw await taskTaken(store, tenant, task)
  const claimed: Task = { ...task, assignee: userId }
  try {
    await store.write(tenant, {
      put: { ...taskItem(tenant, claimed), write_id: clock.uuid() },
      if: andUntaken(isPending, task),
    })
  } catch (error) {
    if (!(error instanceof ConditionFailed) || !error.existing) throw error
    const existing = readTask(error.existing)
    if (existing.status !== 'pending' || existing.assignee !== userId) throw await taskTaken(store, tenant, existing)
  }
  return describeTask(store, tenant, claimed)
}

/** Nobody took the task, or took it over, since it was read. */
const andUntaken = (condition: Condition = isPending, { assignee }: Task): Condition =>
  and(condition, equals('assignee', assignee))

const isTask = (one: Write): one is Extract<Write, { put: Item }> => 'put' in one && one.put.kind === 'process_task'

interface Given {
  readonly outcome: string | null
  readonly fields: Readonly<Record<string, unknown>>
  readonly variables: Readonly<Record<string, unknown>>
}

async function readCompletion(
  { store }: Pick<TaskDependencies, 'store'>,
  { tenant }: Caller,
  { form, outcomes }: Task,
  body: CompleteBody,
): Promise<Given> {
  const outcome = body?.outcome ?? null
  const { fields, variables, errors: wrong } = checkForm(form, body?.data ?? {})
  const errors: FieldErrors = { ...wrong }
  if (outcomes.length > 0 && outcome === null) errors.outcome = ['The outcome field is required.']
  else if (outcomes.length > 0 && !outcomes.includes(outcome as string))
    errors.outcome = [`The selected outcome is invalid: it must be one of ${outcomes.join(', ')}.`]
  if (Buffer.byteLength(JSON.stringify(variables)) > maxVariableBytes)
    errors.data = ['The data may not be larger than 64 KB.']
  // What is bound to the record is looked up with it.
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

/** Writes the record and the completion together; false when the record has these values already, and nothing was written. */
async function writeFields(
  deps: TaskDependencies,
  caller: Caller,
  task: Task,
  fields: Given['fields'],
  beside: readonly Write[],
  writeId: string,
): Promise<boolean> {
  const { store, tables, records } = deps
  const { tenant } = caller
  const { id, model, recordId, form } = task
  const table = await tables.require(tenant, model)
  // Whom the template names may write what its form binds; on a task for everybody only who may write the record anyway.
  const permit = isForEverybody(task)
    ? { permit: (item: Item | null | undefined) => records.access.require(caller, model, recordId, 'update', item) }
    : {}
  try {
    await changeRecord(records, { ...caller, source: 'process' }, table, recordId, fields, {
      beside,
      ...permit,
    })
  } catch (error) {
    if (!(error instanceof Invalid) || Object.keys(error.errors).length === 0) throw error
    const sent = new Map(
      form.flatMap(({ name, bind }) => (bind === undefined ? [] : [[bind, `data.${name}`] as const])),
    )
    throw error.withErrors(
      Object.fromEntries(Object.entries(error.errors).map(([path, messages]) => [sent.get(path) ?? path, messages])),
    )
  }
  return (await store.get(tenant, taskKey(tenant, id)))?.write_id === writeId
}
