import { own } from '../../../kernel/collections/own-members.ts'
import { Conflict, Fault } from '../../../kernel/failures/faults.ts'
import { unrestricted } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { Throttled } from '../../../kernel/throttling/throttled.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import type { Actor } from '../../../records/records/actor.ts'
import type { NotificationPort } from '../../../scripts/api/notification-port.ts'
import { advanceProcess, startProcess } from '../../bpmn/process.ts'
import { type Advance, BpmnError, type EngineHost, type Wait } from '../../bpmn/schema.ts'
import type { AdvanceDependencies, ProcessDependencies } from '../dependencies.ts'
import { stepExpressions } from '../evaluate/step-expressions.ts'
import { stepScope } from '../evaluate/step-scope.ts'
import type { DecisionOutcome } from '../rows/decision-outcome.ts'
import type { EventWait } from '../rows/event-rows.ts'
import { incidentSequence } from '../rows/incident-row.ts'
import { instanceSequence, noRecord, type OpenWait } from '../rows/instance-row.ts'
import type { NewCall } from './calls/call-rows.ts'
import { isCaughtByCaller } from './calls/called-commands.ts'
import { findCalled } from './calls/find-called.ts'
import { compareWaits } from './compare-waits.ts'
import { keptDecisions } from './keep-decision.ts'
import {
  cancelledWaits,
  keepingEvents,
  RecordGone,
  type StepContext,
  StepFailed,
  type StepInput,
} from './step-context.ts'
import { type NewTask, openTasks, runCompletionActions } from './step-tasks.ts'
import { stepWork } from './step-work.ts'

/** After this time the next step continues with what is left, so that no worker holds an instance for long. */
const maxStepMs = 1000

/** The result of a step. Nothing of it is stored yet, except the records that its work wrote. */
export interface StepResult {
  readonly advance: Advance
  readonly newTasks: readonly NewTask[]
  readonly newTimers: readonly Extract<Wait, { kind: 'timer' }>[]
  readonly newEvents: readonly EventWait[]
  readonly newIncidents: readonly NewIncident[]
  readonly newCalls: readonly NewCall[]
  readonly closedWaits: readonly OpenWait[]
  /** Everything that the instance waits for after the step. */
  readonly waits: readonly OpenWait[]
  readonly decisions: readonly DecisionOutcome[]
  /** What went into the inputs of its decisions, by their elements. */
  readonly decided: StepContext['decided']
  readonly notifications: NotificationPort | undefined
  /** The version of the record that the step found. */
  readonly recordVersion: number
}

interface NewIncident {
  readonly id: number
  readonly elementId: string
  readonly executionId: string
  readonly message: string
}

/**
 * Runs the engine for one step and works out what the instance waits for afterwards. Throws RecordGone, StepFailed and
 * transient errors.
 */
export async function runStep(processes: AdvanceDependencies, tenant: Tenant, input: StepInput): Promise<StepResult> {
  const { instance, compiled, by, hops } = input
  const scope = stepScope(processes, tenant, instance, by, input.old)
  const actor: Actor = {
    ...unrestricted,
    tenant,
    userId: by.userId || instance.startedBy,
    source: 'process',
    hops,
    ...(by.impersonatorId !== undefined && { impersonatorId: by.impersonatorId }),
  }
  let port: NotificationPort | undefined
  const context: StepContext = {
    services: processes,
    actor,
    instance,
    tryId: input.tryId,
    scope,
    evaluate: stepExpressions(processes.openScripts, tenant, instance, scope, compiled.defines),
    decisions: keptDecisions(),
    decided: new Map(),
    notifications: async () => (port ??= (await processes.openScripts()).runtime.notifications()),
  }
  const work = stepWork(context)
  const record = await scope.record()
  if (!record && instance.recordId !== noRecord) throw new RecordGone()

  // The engine treats whatever its host throws as a fault of the template. A transient error must end the step instead.
  let transientError: unknown
  const catchTransient = async <T>(act: () => Promise<T>): Promise<T> => {
    // This step is not stored any more: its remaining work must not run.
    if (transientError !== undefined) throw transientError
    try {
      return await act()
    } catch (error) {
      if (isTransient(error)) transientError ??= error
      else if (!(error instanceof Fault || error instanceof BpmnError))
        log.error('a process met an unexpected error', error, { instance_id: instance.id })
      throw error
    }
  }
  const startedAt = processes.clock.now()
  const host: EngineHost = {
    now: () => processes.clock.now(),
    timeZone: () => processes.timeZone(tenant),
    isOverdue: () => processes.clock.now() - startedAt > maxStepMs,
    evaluate: (expression, at) => catchTransient(() => context.evaluate(expression, at)),
    async perform(one, isActive) {
      const definition = own(compiled.work, one.elementId)
      if (definition === undefined || definition.kind === 'none') return undefined
      return catchTransient(async () => {
        await input.acquireLease(cancelledWaits(input, isActive))
        return work.perform(definition, one)
      })
    },
    call: (one, variables) =>
      catchTransient(() => {
        const call = own(compiled.calls, one.elementId)
        if (call === undefined) throw new Error(`there is no call ${one.elementId}`)
        return findCalled(processes, tenant, instance, call, { evaluate: context.evaluate, at: one, variables })
      }),
    isCaughtByCaller: (code) => catchTransient(() => isCaughtByCaller(processes, tenant, instance, code)),
  }

  await runCompletionActions(input, context, work)
  const advance =
    input.commands === undefined
      ? await startProcess(compiled, host, instance.variables, input.startAt)
      : await advanceProcess(compiled, host, instance.state, input.commands)
  if (transientError !== undefined) throw transientError
  if (advance.status === 'failed') {
    const { elementId, message } = advance.failure ?? { message: 'The engine could not continue.' }
    throw new StepFailed(message, { ...(elementId !== undefined && { elementId }), events: advance.events })
  }

  const { opened, closed, stored } = compareWaits(instance.waits, advance.waits, input.commands)
  const newTasks = await keepingEvents(advance.events, () => openTasks(input, context, work, opened, advance))
  const newIncidents = await openIncidents(processes, tenant, opened)
  const newCalls = await openCalls(processes, tenant, opened, advance)
  const rowIds = new Map<string, number>([
    ...newCalls.map(({ executionId, id }) => [executionId, id] as const),
    ...newTasks.map(({ task }) => [task.executionId, task.id] as const),
    ...newIncidents.map(({ executionId, id }) => [executionId, id] as const),
  ])
  return {
    advance,
    newTasks,
    newTimers: opened.filter((wait) => wait.kind === 'timer'),
    newEvents: opened.filter((wait) => wait.kind === 'event'),
    newIncidents,
    newCalls,
    closedWaits: closed,
    waits: stored(rowIds),
    decisions: context.decisions.outcomes,
    decided: context.decided,
    notifications: port,
    recordVersion: record ? Number(record.version) : 0,
  }
}

/** Whether a repeat may succeed: another worker was faster, or a service could not be reached. */
const isTransient = (error: unknown): boolean =>
  isRefusal(error) ||
  error instanceof Conflict ||
  error instanceof Throttled ||
  (error instanceof Error &&
    ('$metadata' in error ||
      '$retryable' in error ||
      'syscall' in error ||
      error.name === 'TimeoutError' ||
      error.name === 'FunctionCrashed'))

async function openIncidents(
  { store }: ProcessDependencies,
  tenant: Tenant,
  opened: readonly Wait[],
): Promise<readonly NewIncident[]> {
  const failed = opened.filter((wait) => wait.kind === 'failed')
  if (failed.length === 0) return []
  const firstId = await reserveIds(store, tenant, incidentSequence, failed.length)
  return failed.map(({ elementId, executionId, message }, index) => ({
    id: firstId + index,
    elementId,
    executionId,
    message,
  }))
}

/** The instances that a step calls and waits for. */
async function openCalls(
  { store }: ProcessDependencies,
  tenant: Tenant,
  opened: readonly Wait[],
  { calls }: Advance,
): Promise<readonly NewCall[]> {
  const waits = opened.filter((wait) => wait.kind === 'call')
  if (waits.length === 0) return []
  const firstId = await reserveIds(store, tenant, instanceSequence, waits.length)
  return waits.map(({ executionId, isPass }, index) => {
    const call = calls.find((one) => one.executionId === executionId)
    if (call === undefined) throw new Error(`the step waits for ${executionId}, which it has not called`)
    return { ...call, id: firstId + index, ...(isPass && { isPass }) }
  })
}
