import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxProcessHops } from '../../../kernel/limits/processes.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { taskKey } from '../../../platform/store/keys/processes.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import type { ActivityEvent, Command } from '../../bpmn/schema.ts'
import type { CompiledProcess } from '../../bpmn/shapes/compiled-process.ts'
import { mayBeAnything, mergeReads, type Read } from '../../bpmn/shapes/reads.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { commandItem, type CommandRow, type ProcessCommand, type StepRow, type TimerRow } from '../rows/command-rows.ts'
import { hasIncident, type Instance, type OpenWait, readInstance } from '../rows/instance-row.ts'
import { readTask, taskItem } from '../rows/task-row.ts'
import { tasksOf } from '../rows/tasks-of-waits.ts'
import { calledRows, cancelledCalls } from './calls/call-rows.ts'
import { commitStep, type InstanceWork } from './commit-step.ts'
import { endInstance } from './end-instance.ts'
import { leaseKeeper } from './lease.ts'
import { runStep } from './run-step.ts'
import { RecordGone, StepFailed, type StepInput } from './step-context.ts'
import { eventCommands, eventRows } from './step-events.ts'
import { activityWrites, closedRows, openedRows, removeSuspended, resolveIncident } from './step-writes.ts'
import { suspendStep } from './suspend-step.ts'

/** Timers that are due sooner get a wake-up of their own; the sweeper finds the others. */
const wakeWithinMs = 15 * 60_000

/**
 * Carries out a command or timer: runs one step of the engine and stores its results in one transaction. A step that
 * fails becomes an incident; the instance ends when its record is gone. Throws transient errors.
 */
export async function stepInstance(
  work: InstanceWork,
  row: CommandRow | TimerRow,
  commands: readonly Command[] | undefined,
): Promise<void> {
  const { services, tenant, item } = work
  const { store, clock, objects } = services
  const before = await readInstance(item, objects.fetchObject)
  const command = 'command' in row ? row.command : undefined
  const by = 'command' in row ? row.by : { userId: 0 }
  const compiled = await services.openProcess(tenant, before.templateId, before.templateVersion)
  const completed = command?.kind === 'complete' ? command : undefined
  const lastTask = completed ? completed.task : before.lastTask
  const started = command?.kind === 'start' ? variablesAtStart(compiled, before, command.variables) : {}
  const instance: Instance = { ...before, lastTask, variables: { ...before.variables, ...started } }
  const hops = 'command' in row && !row.isRetried && command !== undefined && 'hops' in command ? command.hops : 0
  const old = command !== undefined && 'old' in command ? command.old : undefined
  const input: StepInput = {
    instance,
    compiled,
    commands,
    by,
    tryId: row.tryId,
    ...(command?.kind === 'start' && command.at !== undefined && { startAt: command.at }),
    hops,
    ...(completed && { completed: { ...completed, elementId: completed.task.element_id } }),
    ...(old && { old }),
    // Renewed before every piece of work: together they may take longer than a lease lasts.
    acquireLease: leaseKeeper(work, before),
  }
  let events: readonly ActivityEvent[] = []
  try {
    if (hops > maxProcessHops)
      throw new StepFailed(
        `Processes have triggered each other ${maxProcessHops} times without a user or a timer. Find and break the loop, then retry.`,
      )
    const result = await runStep(services, tenant, input)
    events = result.advance.events
    const { decisions } = result
    const now = clock.now()
    const hasFinished = result.advance.status === 'completed'
    const stepIncidents = command?.kind === 'retry' ? [] : before.stepIncidents
    const after: Instance = {
      ...instance,
      // An error that its caller catches has ended it.
      status: hasFinished
        ? result.advance.escaped
          ? 'cancelled'
          : 'completed'
        : hasIncident({ stepIncidents, waits: result.waits })
          ? 'incident'
          : 'running',
      rev: before.rev + 1,
      steps: before.steps + (events.length + decisions.length > 0 ? 1 : 0),
      state: hasFinished ? undefined : result.advance.state,
      variables: result.advance.variables,
      waits: command?.kind === 'called_escalation' ? countEscalation(result.waits, command) : result.waits,
      endedAt: hasFinished ? isoTime(now) : null,
      stepIncidents: hasFinished ? [] : stepIncidents,
      hops,
      ...readsAfter(before, command, result.decided),
    }
    // The row of the timer that fired is removed as the row that was carried out.
    const closedWaits = result.closedWaits.filter(
      ({ executionId }) => 'command' in row || executionId !== row.executionId,
    )
    const tasks = await tasksOf(store, tenant, closedWaits)
    // The called instance whose end the step carries out need not be cancelled.
    const ended = command?.kind === 'called' ? command.executionId : undefined
    const unawaited = closedWaits.filter(({ executionId }) => executionId !== ended)
    const conditions = result.newEvents.filter(({ on }) => on === 'conditional').map(({ executionId }) => executionId)
    const watching = result.newTasks.filter(({ watchesRecord }) => watchesRecord).map(({ task }) => task.id)
    // The last of many rows follow in commands of their own, so what must not wait comes first.
    const rows: StepRow[] = [
      ...(result.advance.isUnfinished
        ? [
            {
              put: commandItem(tenant, before.id, { kind: 'continue', hops, ...(old && { old }) }, by, {
                nowMs: now,
                uuid: clock.uuid(),
              }),
            },
          ]
        : []),
      ...activityWrites(tenant, before, compiled, events, { at: isoTime(now), status: after.status, decisions }),
      ...(watching.length + conditions.length > 0
        ? [
            {
              put: commandItem(
                tenant,
                before.id,
                { kind: 'look', taskIds: watching, ...(conditions.length > 0 && { conditions }) },
                by,
                {
                  nowMs: now,
                  uuid: clock.uuid(),
                },
              ),
            },
          ]
        : []),
      ...eventRows(tenant, instance, compiled, result.newEvents, result.recordVersion, now),
      ...eventCommands(
        tenant,
        before,
        { newEvents: result.newEvents, thrown: result.advance.thrown },
        command?.kind === 'event' && result.advance.ignored.length > 0 ? command : undefined,
        { by, hops, clock, rowId: row.key.sk },
      ),
      ...cancelledCalls(clock, tenant, unawaited, by),
      ...calledRows(clock, tenant, before, result.newCalls, { by, hops }),
      ...(result.notifications?.writes ?? []),
      ...(completed && result.advance.ignored.length > 0 ? await surplusTask(work, completed.task.id) : []),
      ...closedRows(tenant, before, closedWaits, tasks, now),
      ...openedRows(tenant, before, compiled, result, isoTime(now)),
      ...(hasFinished
        ? [
            ...before.stepIncidents.map((id) => resolveIncident(tenant, id, isoTime(now))),
            ...removeSuspended(work.open),
          ]
        : []),
    ]
    const { escaped: error, escalated } = result.advance
    const hasSent = result.advance.thrown.length > 0
    await commitStep(work, before, after, row, rows, { ...(error && { error }), escalated, hasSent })
    await wakeForTimers(
      services,
      tenant,
      before.id,
      result.newTimers.map(({ dueAt }) => dueAt),
    )
  } catch (error) {
    if (error instanceof RecordGone) return endInstance(work, row)
    const failure = isTooLarge(error)
      ? new StepFailed('The results of the step are too large to be stored at once.', { events })
      : error
    if (!(failure instanceof StepFailed)) throw error
    await suspendStep(work, before, compiled, row, failure)
  }
}

/** What is known of the values that a message, a signal or a decision has brought. */
function readsAfter(
  { reads }: Instance,
  command: ProcessCommand | undefined,
  decided: ReadonlyMap<string, readonly Read[]>,
): Pick<Instance, 'reads'> {
  const isInternal = command?.kind === 'event' && command.isInternal === true
  if (!isInternal && decided.size === 0) return {}
  const texts = Object.fromEntries([...decided].map(([elementId, of]) => [elementId, { decided: of }]))
  const given = mayBeAnything(isInternal ? command.variables : {})
  return { reads: mergeReads(reads, { ...given, texts }) }
}

/** The waits with one more escalation carried out that the called instance told of. */
const countEscalation = (
  waits: readonly OpenWait[],
  { executionId, instanceId, n }: Extract<ProcessCommand, { kind: 'called_escalation' }>,
): readonly OpenWait[] =>
  n === undefined
    ? waits
    : waits.map((wait) =>
        wait.kind === 'call' && wait.executionId === executionId && wait.instanceId === instanceId
          ? { ...wait, escalations: n }
          : wait,
      )

/** A task whose completion came after its activity had ended is cancelled, as those that nobody completed are. */
async function surplusTask({ services: { store }, tenant }: InstanceWork, id: number): Promise<StepRow[]> {
  const item = await store.get(tenant, taskKey(tenant, id))
  return item ? [{ put: taskItem(tenant, { ...readTask(item), status: 'cancelled' }), if: exists }] : []
}

/**
 * The store refuses a transaction that is too large, DynamoDB a row, or what the store took for smaller. A repeat would be
 * refused again and block the commands after it.
 */
const isTooLarge = (error: unknown): boolean =>
  (error instanceof Invalid && error.code === 'record_too_large') ||
  (error instanceof Error && error.name === 'ValidationException')

/** Sends wake-ups for timers that are due soon. The sweeper makes up for a lost one. */
async function wakeForTimers(
  { clock, wakeLater }: ProcessDependencies,
  tenant: TenantRef,
  instanceId: number,
  dueTimes: readonly string[],
): Promise<void> {
  const delays = new Set(
    dueTimes
      .map((dueAt) => Math.max(0, Math.ceil((Date.parse(dueAt) - clock.now()) / 1000)))
      .filter((seconds) => seconds * 1000 <= wakeWithinMs),
  )
  for (const seconds of delays)
    await mayFail('wake a process for its timer', () => wakeLater(tenant, instanceId, seconds))
}

/** What an instance begins with. Nobody else can say who has started it. */
function variablesAtStart(
  { startVariables }: Pick<CompiledProcess, 'startVariables'>,
  { startedBy }: Pick<Instance, 'startedBy'>,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (startVariables === undefined) return given
  const { initiators, values } = startVariables
  const starter = startedBy === 0 ? null : startedBy
  return { ...values, ...given, ...Object.fromEntries(initiators.map((name) => [name, starter])) }
}
