import { Conflict, Fault } from '../../../kernel/faults.ts'
import { log } from '../../../kernel/log.ts'
import { unrestricted, type PrincipalRef } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Actor } from '../../../records/service.ts'
import type { NotificationPort } from '../../../scripts/service.ts'
import { isRefusal } from '../../../store/refusals.ts'
import { reserveIds } from '../../../store/sequence.ts'
import type { CompiledProcess } from '../../definition/compiled-process.ts'
import type { ProcessDependencies } from '../../dependencies.ts'
import { advanceProcess, startProcess } from '../../engine/process.ts'
import { BpmnError, type Advance, type Command, type EngineHost, type Wait } from '../../engine/schema.ts'
import { incidentSequence } from '../../rows/incident-row.ts'
import type { Instance, OpenWait } from '../../rows/instance-row.ts'
import { taskSequence, type Task } from '../../rows/task-row.ts'
import { newTask } from '../../tasks/new-task.ts'
import { announceTask, sendNotification } from './notify.ts'
import { stepExpressions } from './step-expressions.ts'
import type { StepParts } from './step-parts.ts'
import { stepScope } from './step-scope.ts'
import { stepWork } from './step-work.ts'

/** What a step is about to do. */
export interface StepInput {
  readonly instance: Instance
  readonly compiled: CompiledProcess
  /** What the engine is told; undefined: start. */
  readonly commands: readonly Command[] | undefined
  readonly by: PrincipalRef
  readonly hops: number
  /** Fields of the record as they were before the change that led to the step. */
  readonly old?: Readonly<Record<string, unknown>>
  /** The task that was just completed. */
  readonly completed?: { readonly elementId: string; readonly executionId: string }
  /** Makes sure that nobody else works on the instance, or completes the tasks that the step takes away: called before anything is done that others can see. */
  readonly lease: (overtaken: readonly OpenWait[]) => Promise<void>
}

/** What a step came to; nothing of it is stored yet, but for what its work did to records. */
export interface StepResult {
  readonly advance: Advance
  readonly newTasks: readonly { readonly task: Task; readonly watchesRecord: boolean }[]
  readonly newTimers: readonly Extract<Wait, { kind: 'timer' }>[]
  readonly newIncidents: readonly {
    readonly id: number
    readonly elementId: string
    readonly executionId: string
    readonly message: string
  }[]
  readonly gone: readonly OpenWait[]
  readonly waits: readonly OpenWait[]
  readonly notifications: NotificationPort | undefined
  /** The version of the record that the step found. */
  readonly recordVersion: number
}

/** Lets the engine take one step and works out what it now waits for. Throws Fault when something the template asks for cannot be done. */
export async function takeStep(deps: ProcessDependencies, tenant: Tenant, input: StepInput): Promise<StepResult> {
  const { instance, compiled, by, hops } = input
  const scope = stepScope(deps, tenant, instance, by, input.old)
  const actor: Actor = {
    ...unrestricted,
    tenant,
    userId: by.userId || instance.startedBy,
    source: 'process',
    hops,
    ...(by.impersonatorId !== undefined && { impersonatorId: by.impersonatorId }),
  }
  let port: NotificationPort | undefined
  const parts: StepParts = {
    deps,
    actor,
    instance,
    scope,
    evaluate: stepExpressions(deps.openScripts, tenant, instance, scope),
    notifications: async () => (port ??= (await deps.openScripts()).room.notifications()),
  }
  const work = stepWork(parts)
  const record = await scope.record()
  if (!record) throw new RecordGone()

  // The engine takes whatever its host throws for a fault of the template. What is none must end the step, to be taken again.
  let disturbance: unknown
  const undisturbed = async <T>(act: () => Promise<T>): Promise<T> => {
    // Whatever the engine goes on with after that is of a step that nobody stores.
    if (disturbance !== undefined) throw disturbance
    try {
      return await act()
    } catch (error) {
      if (isPassing(error)) disturbance ??= error
      else if (!(error instanceof Fault || error instanceof BpmnError))
        log.error('a process met an unexpected error', error, { instance_id: instance.id })
      throw error
    }
  }
  const host: EngineHost = {
    now: () => deps.clock.now(),
    evaluate: (expression, at) => undisturbed(() => parts.evaluate(expression, at)),
    async perform(one, stands) {
      const definition = compiled.work[one.elementId]
      if (definition === undefined || definition.kind === 'none') return undefined
      return undisturbed(async () => {
        await input.lease(overtakenBy(input, stands))
        return work.perform(definition, one)
      })
    },
  }

  await onComplete(input, parts, work)
  const advance =
    input.commands === undefined
      ? await startProcess(compiled, host, instance.variables)
      : await advanceProcess(compiled, host, instance.state, input.commands)
  if (disturbance !== undefined) throw disturbance
  if (advance.status === 'failed') {
    const { elementId, message } = advance.failure ?? { message: 'The engine could not go on.' }
    throw new StepFailed(message, elementId)
  }

  const openWaits = new Map(instance.waits.map((wait) => [wait.executionId, wait]))
  const current = new Map(advance.waits.map((wait) => [wait.executionId, wait]))
  // Work that was done again and failed again is a new incident: it has a new text.
  const repeated = new Set(input.commands?.flatMap((one) => (one.kind === 'retry' ? [one.executionId] : [])))
  const isSame = (wait: Wait, before: OpenWait | undefined): before is OpenWait =>
    before?.kind === wait.kind && !repeated.has(wait.executionId)
  const fresh = advance.waits.filter((wait) => !isSame(wait, openWaits.get(wait.executionId)))
  const newTasks = await openTasks(input, parts, work, fresh, advance)
  const newIncidents = await openIncidents(deps, tenant, instance, fresh)
  const ids = new Map<string, number>([
    ...newTasks.map(({ task }) => [task.executionId, task.id] as const),
    ...newIncidents.map(({ executionId, id }) => [executionId, id] as const),
  ])
  const waits = advance.waits.map((wait): OpenWait => {
    const before = openWaits.get(wait.executionId)
    if (isSame(wait, before)) return before
    const { elementId, executionId } = wait
    if (wait.kind === 'timer') return { kind: 'timer', elementId, executionId, dueAt: wait.dueAt }
    const id = ids.get(executionId) as number
    return wait.kind === 'task'
      ? { kind: 'task', elementId, executionId, taskId: id }
      : { kind: 'failed', elementId, executionId, incidentId: id }
  })
  return {
    advance,
    newTasks,
    newTimers: fresh.filter((wait) => wait.kind === 'timer'),
    newIncidents,
    gone: instance.waits.filter((before) => {
      const wait = current.get(before.executionId)
      return wait === undefined || !isSame(wait, before)
    }),
    waits,
    notifications: port,
    recordVersion: Number(record.version),
  }
}

/** Whether a repeat may go better: somebody else was faster, or a service was not to be reached. */
const isPassing = (error: unknown): boolean =>
  isRefusal(error) ||
  error instanceof Conflict ||
  (error instanceof Error &&
    ('$metadata' in error ||
      '$retryable' in error ||
      'syscall' in error ||
      error.name === 'TimeoutError' ||
      error.name === 'FunctionCrashed'))

/** The record that the process is about does not exist any more. */
export class RecordGone extends Error {}

/** The engine could not go on, or something that the template asks for cannot be done: an incident of the whole step. */
export class StepFailed extends Error {
  readonly elementId: string | undefined

  constructor(message: string, elementId?: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StepFailed'
    this.elementId = elementId
  }
}

/** What the instance waited for before the step, but for the task whose completion it carries out, and waits for no longer. */
const overtakenBy = ({ instance, completed }: StepInput, stands: (executionId: string) => boolean): OpenWait[] =>
  instance.waits.filter(({ executionId }) => executionId !== completed?.executionId && !stands(executionId))

type WorkOfStep = ReturnType<typeof stepWork>

async function onComplete(input: StepInput, parts: StepParts, work: WorkOfStep): Promise<void> {
  if (!input.completed) return
  const { elementId, executionId } = input.completed
  const definition = input.compiled.tasks[elementId]
  if (!definition) return
  const at = { variables: input.instance.variables }
  await inTask(elementId, async () => {
    const sets = definition.setFields.filter(({ on }) => on === 'complete').flatMap((one) => one.sets)
    if (sets.length > 0) {
      await input.lease([])
      await work.setFields(`${executionId}#complete`, sets, at)
    }
    for (const one of definition.notifications.filter(({ on }) => on === 'complete'))
      await sendNotification(parts, await parts.notifications(), one, at)
  })
}

async function openTasks(
  input: StepInput,
  parts: StepParts,
  work: WorkOfStep,
  fresh: readonly Wait[],
  advance: Advance,
) {
  const { compiled, instance } = input
  const { deps, actor, evaluate } = parts
  const { variables } = advance
  const stands = (executionId: string) => advance.waits.some((wait) => wait.executionId === executionId)
  const waits = fresh.filter((wait) => wait.kind === 'task')
  if (waits.length === 0) return []
  const firstId = await reserveIds(deps.store, actor.tenant, taskSequence, waits.length)
  const opened: { task: Task; watchesRecord: boolean }[] = []
  for (const [index, wait] of waits.entries()) {
    const definition = compiled.tasks[wait.elementId]
    const element = compiled.elements[wait.elementId]
    if (!definition || !element) throw new StepFailed('The process has no such task.', wait.elementId)
    await inTask(wait.elementId, async () => {
      const at = { variables, loop: wait.loop }
      const sets = definition.setFields.filter(({ on }) => on === 'create').flatMap((one) => one.sets)
      if (sets.length > 0) {
        await input.lease(overtakenBy(input, stands))
        await work.setFields(`${wait.executionId}#open`, sets, at)
      }
      const task = await newTask(firstId + index, instance, wait, element, definition, {
        evaluate,
        variables,
        nowMs: deps.clock.now(),
      })
      opened.push({ task, watchesRecord: definition.completeOn.length > 0 })
      await announceTask(parts, await parts.notifications(), task)
      for (const one of definition.notifications.filter(({ on }) => on === 'create'))
        await sendNotification(parts, await parts.notifications(), one, at)
    })
  }
  return opened
}

async function openIncidents(
  { store }: ProcessDependencies,
  tenant: Tenant,
  _instance: Instance,
  fresh: readonly Wait[],
) {
  const failed = fresh.filter((wait) => wait.kind === 'failed')
  if (failed.length === 0) return []
  const firstId = await reserveIds(store, tenant, incidentSequence, failed.length)
  return failed.map(({ elementId, executionId, message }, index) => ({
    id: firstId + index,
    elementId,
    executionId,
    message,
  }))
}

/** What a task's own definition makes impossible is an incident that names the task. */
async function inTask(elementId: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (error instanceof Fault) throw new StepFailed(error.message, elementId, { cause: error })
    throw error
  }
}
