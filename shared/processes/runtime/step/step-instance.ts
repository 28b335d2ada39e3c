import { isoTime } from '../../../kernel/clock.ts'
import { mayFail } from '../../../kernel/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { ProcessDependencies } from '../../dependencies.ts'
import type { Command } from '../../engine/schema.ts'
import { endInstance } from '../../instances/end-instance.ts'
import { commandItem, type CommandRow, type StepRow, type TimerRow } from '../../rows/command-rows.ts'
import { readInstance, type Instance } from '../../rows/instance-row.ts'
import { tasksOf } from '../../tasks/tasks-of.ts'
import { takeLease } from '../lease.ts'
import { commitStep, type Work } from './commit-step.ts'
import { addedRows, closedRows, forgetSuspended, resolveIncident, activityEvents } from './step-writes.ts'
import { suspendStep } from './suspend-step.ts'
import { RecordGone, StepFailed, takeStep, type StepInput } from './take-step.ts'

/** Steps of processes that may lead to each other before somebody has to look. */
const maxHops = 50
/** Timers that are due sooner than that get a wake-up of their own; the sweeper finds the others. */
const wakeWithinMs = 15 * 60_000

/** One step of the engine with everything that follows from it, in one transaction; or the incident that it came to. */
export async function stepInstance(
  work: Work,
  row: CommandRow | TimerRow,
  commands: readonly Command[] | undefined,
): Promise<void> {
  const { deps, tenant, item } = work
  const { store, clock, objects } = deps
  const before = await readInstance(item, objects.fetchObject)
  const given = 'command' in row ? row.command : undefined
  const by = 'command' in row ? row.by : { userId: 0 }
  const compiled = await deps.openProcess(tenant, before.templateId, before.templateVersion)
  const completed = given?.kind === 'complete' ? given : undefined
  const lastTask = completed ? completed.task : before.lastTask
  const brought = given?.kind === 'complete' || given?.kind === 'start' ? given.variables : {}
  const instance: Instance = { ...before, lastTask, variables: { ...before.variables, ...brought } }
  const hops =
    'command' in row && !row.isRetried && (given?.kind === 'complete' || given?.kind === 'start') ? given.hops : 0
  const input: StepInput = {
    instance,
    compiled,
    commands,
    by,
    hops,
    ...(completed && { completed: { elementId: completed.task.element_id, executionId: completed.executionId } }),
    ...(completed?.old && { old: completed.old }),
    // Taken anew before every piece of work: each may last, and together they may last longer than a lease.
    lease: (overtaken) => takeLease(work, before, overtaken),
  }
  try {
    if (hops > maxHops)
      throw new StepFailed(
        `Processes have led to each other ${maxHops} times without anybody doing anything. Look for a circle, then retry.`,
      )
    const result = await takeStep(deps, tenant, input)
    const now = clock.now()
    const hasFinished = result.advance.status === 'completed'
    const resolved = given?.kind === 'retry' ? [] : before.stepIncidents
    const hasIncident = resolved.length > 0 || result.waits.some(({ kind }) => kind === 'failed')
    const after: Instance = {
      ...instance,
      status: hasFinished ? 'completed' : hasIncident ? 'incident' : 'running',
      rev: before.rev + 1,
      steps: before.steps + (result.advance.events.length > 0 ? 1 : 0),
      state: hasFinished ? undefined : result.advance.state,
      variables: result.advance.variables,
      waits: result.waits,
      endedAt: hasFinished ? isoTime(now) : null,
      stepIncidents: hasFinished ? [] : resolved,
      hops,
    }
    // The row of the timer that fired goes with the step, as that of a command does.
    const gone = result.gone.filter(({ executionId }) => 'command' in row || executionId !== row.executionId)
    const tasks = await tasksOf(store, tenant, gone)
    const watching = result.newTasks.filter(({ watchesRecord }) => watchesRecord).map(({ task }) => task.id)
    // What must not wait comes first: the rest may follow in a command of its own.
    const rows: StepRow[] = [
      ...activityEvents(tenant, before, compiled, result),
      ...(watching.length > 0
        ? [
            {
              put: commandItem(tenant, before.id, { kind: 'look', taskIds: watching }, by, {
                nowMs: now,
                uuid: clock.uuid(),
              }),
            },
          ]
        : []),
      ...(result.notifications?.writes ?? []),
      ...closedRows(tenant, before, gone, tasks, now),
      ...addedRows(tenant, before, compiled, result, isoTime(now)),
      ...(hasFinished
        ? [
            ...before.stepIncidents.map((id) => resolveIncident(tenant, id, isoTime(now))),
            ...forgetSuspended(work.open),
          ]
        : []),
    ]
    await commitStep(work, before, after, row, rows)
    await wakeForTimers(
      deps,
      tenant,
      before.id,
      result.newTimers.map(({ dueAt }) => dueAt),
    )
  } catch (error) {
    if (error instanceof RecordGone) return endInstance(work, row)
    const failure = isTooLarge(error)
      ? new StepFailed('What the step leads to is too large to be stored at once.')
      : error
    if (!(failure instanceof StepFailed)) throw error
    await suspendStep(work, before, row, failure)
  }
}

/** A repeat would be refused again, and keep whatever comes after it from the instance. */
const isTooLarge = (error: unknown): boolean => error instanceof Error && error.name === 'ValidationException'

/** A lost wake-up is made up for by the sweeper. */
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
