import { Conflict } from '../../../kernel/failures/faults.ts'
import { log, mayFail } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { NoThreadFree } from '../../../kernel/throttling/throttled.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import {
  instanceKey,
  instanceRowsPartition,
  commandRowsPrefix,
  tenantWorkId,
} from '../../../platform/store/keys/processes.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import type { KeyRange } from '../../../platform/store/store.ts'
import { gunzipJson } from '../../../platform/store/values/pack-json.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { sendAgain, sendQueued } from '../events/send-queued.ts'
import { broadcastSignal } from '../events/send-signal.ts'
import { takeMessages } from '../events/take-messages.ts'
import { doTenantWork } from '../events/tenant-work.ts'
import { carryOutOperation } from '../operations/carry-out-operation.ts'
import { runsWhileSuspended } from '../operations/suspend-instance.ts'
import { readCommandRows, type CommandRow, type StepRow, type TimerRow } from '../rows/command-rows.ts'
import { hasEnded, type Instance, readInstanceHead } from '../rows/instance-row.ts'
import {
  commandOfEnd,
  isInTurn,
  noteIncidentOfCalled,
  reportEnd,
  waitForCalled,
} from '../steps/calls/called-commands.ts'
import { removeCommandRow, removeUnneeded, type InstanceWork } from '../steps/commit-step.ts'
import { endInstance } from '../steps/end-instance.ts'
import { acquireLease, releaseLease } from '../steps/lease.ts'
import { matchWaitingTasks } from '../steps/match-waiting-tasks.ts'
import { retryFailedWork } from '../steps/retry-failed-work.ts'
import { stepInstance } from '../steps/step-instance.ts'
import { writeDeferredRows } from '../steps/write-deferred-rows.ts'

/** How long an invocation of the runner advances one instance; another one continues after that. */
const maxAdvanceMs = 12_000
/** How long a request waits for its process; the runner continues after that. */
export const maxRequestMs = 2000

/**
 * Advances an instance, and then those to which its steps have given a command, as long as time is left: what it calls
 * takes its first steps at once, and so does its caller when it has ended. The change feed wakes the runner for all of
 * them, so nothing depends on it (docs/decisions/0096). `forMs`: after that the runner continues.
 */
export const advanceInstance = (
  services: AdvanceDependencies,
  tenant: Tenant,
  instanceId: number,
  forMs = maxAdvanceMs,
): Promise<void> => advanceReached(services, tenant, instanceId, forMs, true)

/**
 * The same for the runner. It does not wait for another worker that is faster, but leaves the rest to it: many called
 * instances that end at once wake as many runners for one caller (docs/decisions/0116).
 */
export const continueInstance = (services: AdvanceDependencies, tenant: Tenant, instanceId: number): Promise<void> =>
  advanceReached(services, tenant, instanceId, maxAdvanceMs, false)

async function advanceReached(
  services: AdvanceDependencies,
  tenant: Tenant,
  instanceId: number,
  forMs: number,
  waitsForOthers: boolean,
): Promise<void> {
  const { clock } = services
  const run: Run = { endsAt: clock.now() + forMs, reached: new Set(), waitsForOthers }
  await advanceOne(services, tenant, instanceId, run)
  for (const id of run.reached) {
    if (clock.now() >= run.endsAt) return
    // It may be reached again by what it has called.
    run.reached.delete(id)
    await mayFail('advance a process that another one has reached', async () => {
      try {
        await advanceOne(services, tenant, id, run)
      } catch (error) {
        // Its other workers may have left it to this one.
        await services.wakeLater(tenant, id, retryAfterSeconds)
        throw error
      }
    })
  }
}

/** `reached`: takes the instances to which steps have given a command. */
type Run = Pick<InstanceWork, 'endsAt' | 'reached'> & { readonly waitsForOthers: boolean }

/** When the runner repeats what failed in an instance that was reached. */
const retryAfterSeconds = 2

/** How long at most a process waits when no thread for its script was free. */
const maxBusySeconds = 6

/**
 * Carries out all commands of an instance in their order, then its due timers, with one step and one transaction each.
 * Returns when none is left, at `endsAt` (the runner continues), or when another worker holds the lease: that worker finds the rest. In case it crashed, and
 * when a step could not write its record, a wake-up is sent for the time when the lease has expired. See docs/decisions/0023.
 */
async function advanceOne(services: AdvanceDependencies, tenant: Tenant, instanceId: number, run: Run): Promise<void> {
  const { endsAt } = run
  const wakeAfter = (seconds: number) =>
    mayFail('wake a process later', () => services.wakeLater(tenant, instanceId, seconds))
  try {
    if (instanceId === tenantWorkId) {
      if (!(await doTenantWork(services, tenant, endsAt))) await wakeAfter(0)
      return
    }
    let hasMore = true
    while (hasMore && services.clock.now() < endsAt)
      hasMore = await retryWithJitter(services.clock, (again) => carryOutNext(services, tenant, instanceId, run, again))
    if (hasMore) await wakeAfter(0)
  } catch (error) {
    if (error instanceof NoThreadFree) {
      // Everybody who waits for a thread would come back at the same time.
      const seconds = Math.ceil(services.clock.random() * maxBusySeconds)
      log.info('a process waits for a thread', { tenant_id: tenant.id, instance_id: instanceId, seconds })
      return wakeAfter(seconds)
    }
    if (!(error instanceof Conflict)) throw error
    // Another worker holds the lease, or writes of the record were faster for too long.
    log.info('a process continues later', { tenant_id: tenant.id, instance_id: instanceId, reason: error.message })
    await wakeAfter(Math.ceil((services.leaseMs + 200) / 1000))
  }
}

/**
 * Carries out the next command or due timer; false when there is none. When another worker was faster it calls `again`, or
 * throws Conflict to leave the rest to that one: it reads the commands once more after its step, which are these and later
 * ones.
 */
async function carryOutNext(
  services: AdvanceDependencies,
  tenant: Tenant,
  instanceId: number,
  { waitsForOthers, ...run }: Run,
  again: (cause: Error) => never,
): Promise<boolean> {
  const { store, clock } = services
  // The instance is read before its rows: a step of another worker in between raises its revision, so a row that this
  // step carried out is refused here instead of being carried out twice (docs/decisions/0023).
  const item = await store.get(tenant, instanceKey(tenant, instanceId))
  if (!item) return false
  const open = readCommandRows(await readAll(store, tenant, commandRange(tenant, instanceId)))
  const { commands, timers } = open
  const head = readInstanceHead(item)
  const isPaused = head.status === 'suspended'
  const due = commands.filter(
    ({ isSuspended, command }) => !isSuspended && (!isPaused || runsWhileSuspended(command)) && isInTurn(head, command),
  )
  const next =
    // What a called instance has sent comes before its end.
    due.find(({ command: { kind } }) => kind !== 'called' && kind !== 'report_end') ??
    due[0] ??
    timers.find((timer) => !timer.isSuspended && !isPaused && timer.dueAt <= isoTime(clock.now()))
  if (!next) return false
  const wait = waitsForOthers ? again : leave
  if (head.lease && head.lease.untilMs > clock.now()) return wait(new Error('another worker holds the lease'))
  const holder = clock.uuid()
  try {
    await carryOut({ services, tenant, item, open, holder, ...run }, next)
    return true
  } catch (error) {
    // The next attempt need not wait until the lease expires.
    await mayFail('release the lease of a process', () => releaseLease(store, tenant, instanceId, holder))
    if (!isRefusal(error)) throw error
    return (await isAdvancedByOther(services, tenant, head)) ? wait(error) : again(error)
  }
}

const leave = (cause: Error): never => {
  throw new Conflict('write_conflict', 'Another worker advances this process.', { cause })
}

/** Whether another worker has stored a step of an instance since it was read, or holds its lease. */
async function isAdvancedByOther(
  { store, clock }: AdvanceDependencies,
  tenant: Tenant,
  { id, rev }: Instance,
): Promise<boolean> {
  const item = await store.get(tenant, instanceKey(tenant, id))
  if (!item) return false
  const now = readInstanceHead(item)
  return now.rev !== rev || (now.lease !== undefined && now.lease.untilMs > clock.now())
}

const commandRange = (tenant: Tenant, instanceId: number): KeyRange => ({
  pk: instanceRowsPartition(tenant, instanceId),
  prefix: commandRowsPrefix,
})

/** Writes rows with a lease: every worker that is woken meanwhile would write them all again. */
async function writeRowsAlone(work: InstanceWork, next: CommandRow, rows: readonly StepRow[]): Promise<void> {
  const { services, tenant, item, holder } = work
  const head = readInstanceHead(item)
  await acquireLease(work, head, [])
  await writeDeferredRows(services, tenant, next, rows)
  await releaseLease(services.store, tenant, head.id, holder)
}

/** Sends a signal that a called instance has thrown, before it reports its end. */
async function broadcastOwn({ services, tenant, endsAt }: InstanceWork, { key }: CommandRow): Promise<void> {
  const item = await services.store.get(tenant, key)
  if (item) await broadcastSignal(services, tenant, item, endsAt)
}

async function carryOut(work: InstanceWork, next: CommandRow | TimerRow): Promise<void> {
  const { services, tenant, item } = work
  const { store } = services
  const head = readInstanceHead(item)
  if (!('command' in next))
    return hasEnded(head)
      ? removeCommandRow(store, tenant, next)
      : stepInstance(work, next, [{ kind: 'timer', executionId: next.executionId }])
  const { command } = next
  if (command.kind === 'rows') return writeRowsAlone(work, next, command.rows)
  if (command.kind === 'stored_rows') {
    const rows = gunzipJson<readonly StepRow[]>(await services.objects.fetchObject(command.object))
    return writeRowsAlone(work, next, rows)
  }
  if (command.kind === 'send') return sendQueued(work, next, command.message, command.hops)
  if (command.kind === 'broadcast') return broadcastOwn(work, next)
  if (command.kind === 'report_end') return reportEnd(work, next, command)
  if (command.kind === 'operate') return carryOutOperation(work, next, command)
  if (hasEnded(head))
    return command.kind === 'event' ? sendAgain(work, next, command) : removeCommandRow(store, tenant, next)
  switch (command.kind) {
    case 'look':
      await matchWaitingTasks(services, tenant, head, command.taskIds, next.by, command.conditions)
      return removeUnneeded(work, next)
    case 'cancel':
      return endInstance(work, next)
    case 'retry':
      return retryFailedWork(work, next)
    case 'start':
      return stepInstance(work, next, undefined)
    case 'complete':
      return stepInstance(work, next, [
        {
          kind: 'complete',
          executionId: command.executionId,
          variables: command.variables,
          task: command.task,
          data: command.data ?? command.variables,
        },
      ])
    case 'called':
      return waitForCalled(head, command) === undefined
        ? removeUnneeded(work, next)
        : stepInstance(work, next, [await commandOfEnd(services, tenant, command)])
    case 'called_escalation': {
      if (waitForCalled(head, command) === undefined) return removeUnneeded(work, next)
      const { executionId, code } = command
      return stepInstance(work, next, [{ kind: 'escalation', executionId, ...(code !== undefined && { code }) }])
    }
    case 'called_incident':
      return noteIncidentOfCalled(work, next, command)
    case 'begin': {
      const { executionId, elementId } = command
      return stepInstance(work, next, [{ kind: 'begin', executionId, elementId }])
    }
    case 'continue':
      return stepInstance(work, next, [])
    case 'event':
      return stepInstance(work, next, [
        {
          kind: 'event',
          executionId: command.executionId,
          variables: command.variables,
          ...(command.isMet === false && { isMet: false }),
        },
      ])
    case 'take':
      await takeMessages(services, tenant, head, command.executionIds)
      return removeUnneeded(work, next)
    case 'wake':
      return removeCommandRow(store, tenant, next)
  }
}
