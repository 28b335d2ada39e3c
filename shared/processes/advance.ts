import { isoTime } from '../clock.ts'
import { Conflict } from '../faults.ts'
import { log, mayFail } from '../log.ts'
import { retryWithJitter } from '../store/backoff.ts'
import { instanceKey, instanceRowsPartition, openWorkPrefix, taskKey } from '../store/keys.ts'
import type { Item } from '../store/marshal.ts'
import { ConditionFailed, TransactionRefused } from '../store/refusals.ts'
import { reserveIds } from '../store/sequence.ts'
import type { Condition, Store, Write } from '../store/table.ts'
import type { Tenant, TenantRef } from '../tenancy.ts'
import type { CompiledProcess } from './definition/compiled-process.ts'
import type { ProcessDependencies } from './deps.ts'
import type { Command } from './engine/schema.ts'
import { incidentItem, incidentSequence } from './incident-row.ts'
import { hasEnded, instanceRow, readInstance, readInstanceHead, type Instance } from './instance-row.ts'
import { lookAtRecord } from './look-at-record.ts'
import { commandItem, dueAgain, readOpenWork, type CommandRow, type TimerRow } from './open-work.ts'
import { RecordGone, StepFailed, takeStep, type StepInput } from './step.ts'
import { addedRows, closedRows, openIncident, resolveIncident, toldActivities } from './step-writes.ts'
import { readTask, type Task } from './task-row.ts'

/** Steps of processes that may lead to each other before somebody has to look. */
const maxHops = 50
/** A transaction holds a hundred; what is more follows in a command of its own. */
const maxWrites = 90
/** Timers that are due sooner than that get a wake-up of their own; the sweeper finds the others. */
const wakeWithinMs = 15 * 60_000

export type OpenProcess = (tenant: TenantRef, templateId: number, version: number) => Promise<CompiledProcess>

export interface AdvanceDependencies extends ProcessDependencies {
  readonly openProcess: OpenProcess
  /** How long nobody else works on an instance after a piece of work in it began: longer than any takes. */
  readonly leaseMs: number
}

/**
 * Works off everything an instance has to do: commands in the order in which they were given, then timers that are due, one
 * step and one transaction each. Answers when nothing is left, or when somebody else is at it, who will find what is left;
 * should that one have died, the instance comes back once its lease is over.
 */
export async function advanceInstance(deps: AdvanceDependencies, tenant: Tenant, instanceId: number): Promise<void> {
  try {
    let goesOn = true
    while (goesOn) goesOn = await retryWithJitter(deps.clock, (again) => workOff(deps, tenant, instanceId, again))
  } catch (error) {
    if (!(error instanceof Conflict)) throw error
    log.info('somebody else works on the process', { tenant_id: tenant.id, instance_id: instanceId })
    await mayFail('come back to a process', () => deps.wakeLater(tenant, instanceId, Math.ceil(deps.leaseMs / 1000) + 1))
  }
}

/** One step; false when there is none to be taken. */
async function workOff(deps: AdvanceDependencies, tenant: Tenant, instanceId: number, again: (cause: Error) => never): Promise<boolean> {
  const { store, clock } = deps
  const [item, items] = await Promise.all([store.get(tenant, instanceKey(tenant, instanceId)), readAll(store, tenant, instanceId)])
  if (!item) return false
  const { commands, timers } = readOpenWork(items)
  const next = commands.find(({ isParked }) => !isParked) ?? timers.find((timer) => !timer.isParked && timer.dueAt <= isoTime(clock.now()))
  if (!next) return false
  const head = readInstanceHead(item)
  if (head.lease && head.lease.untilMs > clock.now()) return again(new Error('the instance is being worked on'))
  const holder = clock.uuid()
  try {
    await carryOut(deps, tenant, item, next, { commands, timers }, holder)
    return true
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof TransactionRefused) return again(error)
    // Whoever comes next need not wait for the lease to end.
    await mayFail('give back the lease of a process', () => releaseLease(store, tenant, instanceId, holder))
    throw error
  }
}

type OpenWork = ReturnType<typeof readOpenWork>

async function carryOut(deps: AdvanceDependencies, tenant: Tenant, item: Item, next: CommandRow | TimerRow, open: OpenWork, holder: string): Promise<void> {
  const { store } = deps
  const head = readInstanceHead(item)
  if (!('command' in next)) return hasEnded(head) ? removeRow(store, tenant, next) : step(deps, tenant, item, next, { kind: 'timer', executionId: next.executionId }, holder)
  const { command } = next
  if (command.kind === 'rows') return writeRows(deps, tenant, next, command.writes)
  if (hasEnded(head)) return removeRow(store, tenant, next)
  switch (command.kind) {
    case 'look':
      await lookAtRecord(deps, tenant, head, command.taskIds, next.by)
      return removeRow(store, tenant, next)
    case 'cancel':
      return endInstance(deps, tenant, item, next, open, holder)
    case 'retry':
      return retry(deps, tenant, item, next, open, holder)
    case 'start':
      return step(deps, tenant, item, next, undefined, holder)
    case 'complete':
      return step(deps, tenant, item, next, { kind: 'complete', executionId: command.executionId, ...(command.outcome !== null && { outcome: command.outcome }), variables: command.variables }, holder)
  }
}

/** One step of the engine with everything that follows from it, in one transaction; or the incident that it came to. */
async function step(deps: AdvanceDependencies, tenant: Tenant, item: Item, row: CommandRow | TimerRow, command: Command | readonly Command[] | undefined, holder: string): Promise<void> {
  const { store, clock, objects } = deps
  const before = await readInstance(item, objects.fetchObject)
  const given = 'command' in row ? row.command : undefined
  const by = 'command' in row ? row.by : { userId: 0 }
  const compiled = await deps.openProcess(tenant, before.templateId, before.templateVersion)
  const completed = given?.kind === 'complete' ? given : undefined
  const lastTask = completed ? completed.task : before.lastTask
  const brought = given?.kind === 'complete' || given?.kind === 'start' ? given.variables : {}
  const instance: Instance = { ...before, lastTask, variables: { ...before.variables, ...brought } }
  const hops = given?.kind === 'complete' || given?.kind === 'start' ? given.hops : 0
  const input: StepInput = {
    instance,
    compiled,
    commands: command === undefined ? undefined : [command].flat(),
    by,
    hops,
    ...(completed && { completed: { elementId: completed.task.element_id, executionId: completed.executionId } }),
    ...(completed?.old && { old: completed.old }),
    // Taken anew before every piece of work: each may last, and together they may last longer than a lease.
    lease: () => takeLease(store, tenant, before, holder, clock.now(), deps.leaseMs),
  }
  try {
    if (hops > maxHops) throw new StepFailed(`Processes have led to each other ${maxHops} times without anybody doing anything. Look for a circle, then retry.`)
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
    const writes: Write[] = [
      ...toldActivities(tenant, before, compiled, result),
      ...(watching.length > 0 ? [{ put: commandItem(tenant, before.id, { kind: 'look', taskIds: watching }, by, { nowMs: now, uuid: clock.uuid() }) }] : []),
      ...(result.notifications?.writes ?? []),
      ...closedRows(tenant, before, gone, tasks, now),
      ...addedRows(tenant, before, compiled, result, isoTime(now)),
      ...(hasFinished ? before.stepIncidents.map((id) => resolveIncident(tenant, id, isoTime(now))) : []),
    ]
    await commit(deps, tenant, before, after, row, writes, holder)
    await wakeForTimers(deps, tenant, before.id, result.newTimers.map(({ dueAt }) => dueAt))
  } catch (error) {
    if (error instanceof RecordGone) return endInstance(deps, tenant, item, row, { commands: [], timers: [] }, holder)
    if (!(error instanceof StepFailed)) throw error
    await park(deps, tenant, before, row, error, holder)
  }
}

/** Keeps the last good state, and the command or timer for a retry. */
async function park(deps: AdvanceDependencies, tenant: Tenant, before: Instance, row: CommandRow | TimerRow, failure: StepFailed, holder: string): Promise<void> {
  const { store, clock } = deps
  const id = await reserveIds(store, tenant, incidentSequence, 1)
  const at = isoTime(clock.now())
  log.info('a step of a process failed', { tenant_id: tenant.id, instance_id: before.id, element_id: failure.elementId, reason: failure.message })
  const after: Instance = { ...before, status: 'incident', rev: before.rev + 1, stepIncidents: [...before.stepIncidents, id] }
  const parked: Write = {
    update: row.key,
    change: { expression: 'SET parked = :yes REMOVE p20, s20', values: { ':yes': true } },
    if: { expression: 'attribute_exists(pk)' },
  }
  await commit(deps, tenant, before, after, undefined, [parked, { put: incidentItem(tenant, openIncident(before, { id, elementId: failure.elementId ?? null, message: failure.message }, at)) }], holder)
}

/** Takes up what was parked, and lets work that failed be done again. */
async function retry(deps: AdvanceDependencies, tenant: Tenant, item: Item, row: CommandRow, open: OpenWork, holder: string): Promise<void> {
  const { clock, objects } = deps
  const head = readInstanceHead(item)
  const failed = head.waits.filter(({ kind }) => kind === 'failed')
  const parked = [...open.commands, ...open.timers].filter(({ isParked }) => isParked)
  if (head.stepIncidents.length > 0 || parked.length > 0) {
    const before = await readInstance(item, objects.fetchObject)
    const now = clock.now()
    const after: Instance = { ...before, rev: before.rev + 1, status: failed.length > 0 ? 'incident' : 'running', stepIncidents: [], hops: 0 }
    const taken = parked.map((one): Write => ({
      update: one.key,
      change: { expression: 'REMOVE parked SET p20 = :p, s20 = :s', values: dueAgain(tenant, before.id, now) },
      if: { expression: 'attribute_exists(pk)' },
    }))
    const resolved = head.stepIncidents.map((id) => resolveIncident(tenant, id, isoTime(now)))
    // With failed work as well the command stays, and finds nothing parked when it is carried out again.
    return commit(deps, tenant, before, after, failed.length > 0 ? undefined : row, [...taken, ...resolved], holder)
  }
  if (failed.length === 0) return removeRow(deps.store, tenant, row)
  return step(deps, tenant, item, row, failed.map(({ executionId }): Command => ({ kind: 'retry', executionId })), holder)
}

/** Ends an instance that is cancelled, or whose record is gone, with everything it waited for. */
async function endInstance(deps: AdvanceDependencies, tenant: Tenant, item: Item, row: CommandRow | TimerRow, open: OpenWork, holder: string): Promise<void> {
  const { store, clock } = deps
  const before = readInstanceHead(item)
  const now = clock.now()
  const after: Instance = { ...before, status: 'cancelled', rev: before.rev + 1, state: undefined, variables: {}, waits: [], endedAt: isoTime(now), stepIncidents: [] }
  const left = before.waits.filter(({ executionId }) => 'command' in row || executionId !== row.executionId)
  const writes: Write[] = [
    ...closedRows(tenant, before, left, await tasksOf(store, tenant, left), now),
    ...before.stepIncidents.map((id) => resolveIncident(tenant, id, isoTime(now))),
    ...open.commands.filter(({ isParked }) => isParked).map(({ key }) => ({ remove: key })),
  ]
  await commit(deps, tenant, before, after, row, writes, holder)
}

/** Writes the instance on condition that nobody else did, its row of open work gone with it. What a transaction does not hold follows as a command. */
async function commit(deps: AdvanceDependencies, tenant: Tenant, before: Instance, after: Instance, done: CommandRow | TimerRow | undefined, writes: readonly Write[], holder: string): Promise<void> {
  const { store, clock, objects } = deps
  const writeId = clock.uuid()
  const { item, object } = instanceRow(tenant, after, writeId)
  if (object) await objects.putObject(object.key, object.body)
  const own: Write[] = [{ put: item, if: standsAtRev(before.rev, holder, clock.now()) }, ...(done ? [{ remove: done.key }] : [])]
  const [now, later] = writes.length + own.length <= maxWrites ? [writes, []] : [writes.slice(0, maxWrites - 3), writes.slice(maxWrites - 3)]
  const rest: Write[] = chunked(later).map((part, index) => ({
    // Before everything that anybody may ask of the instance.
    put: commandItem(tenant, before.id, { kind: 'rows', writes: part }, { userId: 0 }, { nowMs: index, uuid: clock.uuid(), dueMs: clock.now() }),
  }))
  await store.transact(tenant, [...own, ...now, ...rest], writeId)
}

const rowsPerCommand = 100
function chunked(writes: readonly Write[]): Write[][] {
  const parts: Write[][] = []
  for (let start = 0; start < writes.length; start += rowsPerCommand) parts.push(writes.slice(start, start + rowsPerCommand))
  return parts
}

const standsAtRev = (rev: number, holder: string, nowMs: number): Condition => ({
  expression: 'rev = :rev AND (attribute_not_exists(lease_until) OR lease_holder = :holder OR lease_until < :now)',
  values: { ':rev': rev, ':holder': holder, ':now': nowMs },
})

/** Throws ConditionFailed when somebody else has it, or was faster. */
async function takeLease(store: Store, tenant: TenantRef, { id, rev }: Instance, holder: string, nowMs: number, leaseMs: number): Promise<void> {
  await store.update(tenant, {
    update: instanceKey(tenant, id),
    change: { expression: 'SET lease_holder = :holder, lease_until = :until', values: { ':until': nowMs + leaseMs } },
    if: standsAtRev(rev, holder, nowMs),
  })
}

async function releaseLease(store: Store, tenant: TenantRef, id: number, holder: string): Promise<void> {
  try {
    await store.update(tenant, {
      update: instanceKey(tenant, id),
      change: { expression: 'REMOVE lease_holder, lease_until' },
      if: { expression: 'lease_holder = :holder', values: { ':holder': holder } },
    })
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
}

/** What a step had no room for. A row that meanwhile moved on stays as it is. */
async function writeRows({ store }: AdvanceDependencies, tenant: Tenant, row: CommandRow, writes: readonly Write[]): Promise<void> {
  for (let start = 0; start < writes.length; start += 10) {
    await Promise.all(
      writes.slice(start, start + 10).map(async (one) => {
        try {
          await store.write(tenant, one)
        } catch (error) {
          if (!(error instanceof ConditionFailed)) throw error
        }
      }),
    )
  }
  await removeRow(store, tenant, row)
}

const removeRow = (store: Pick<Store, 'write'>, tenant: TenantRef, { key }: CommandRow | TimerRow): Promise<void> => store.write(tenant, { remove: key })

async function tasksOf(store: Store, tenant: TenantRef, waits: Instance['waits']): Promise<ReadonlyMap<number, Task>> {
  const ids = waits.flatMap((wait) => (wait.kind === 'task' ? [wait.taskId] : []))
  if (ids.length === 0) return new Map()
  const items = await store.getMany(
    tenant,
    ids.map((id) => taskKey(tenant, id)),
  )
  return new Map(items.filter((item) => item !== undefined).map((item) => [Number(item.sk), readTask(item)]))
}

async function readAll(store: Store, tenant: TenantRef, instanceId: number): Promise<Item[]> {
  const items: Item[] = []
  let after: Readonly<Record<string, string>> | undefined
  do {
    const page = await store.query(tenant, { pk: instanceRowsPartition(tenant, instanceId), prefix: openWorkPrefix, after })
    items.push(...page.items)
    after = page.last
  } while (after)
  return items
}

/** A lost wake-up is made up for by the sweeper. */
async function wakeForTimers({ clock, wakeLater }: ProcessDependencies, tenant: TenantRef, instanceId: number, dueTimes: readonly string[]): Promise<void> {
  const delays = new Set(dueTimes.map((dueAt) => Math.max(0, Math.ceil((Date.parse(dueAt) - clock.now()) / 1000))).filter((seconds) => seconds * 1000 <= wakeWithinMs))
  for (const seconds of delays) await mayFail('wake a process for its timer', () => wakeLater(tenant, instanceId, seconds))
}
