import { isoTime } from '../../kernel/clock.ts'
import { Conflict } from '../../kernel/faults.ts'
import { log, mayFail } from '../../kernel/log.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { instanceKey, instanceRowsPartition, commandRowsPrefix } from '../../store/keys/processes.ts'
import { readAll } from '../../store/read-all.ts'
import { isRefusal } from '../../store/refusals.ts'
import { retryWithJitter } from '../../store/retry-with-jitter.ts'
import type { KeyRange } from '../../store/table.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { endInstance } from '../instances/end-instance.ts'
import { readCommandRows, type CommandRow, type TimerRow } from '../rows/command-rows.ts'
import { hasEnded, readInstanceHead } from '../rows/instance-row.ts'
import { matchWaitingTasks } from '../tasks/match-waiting-tasks.ts'
import { releaseLease } from './lease.ts'
import { retryInstance } from './retry-instance.ts'
import { removeRow, writeRows, type Work } from './step/commit-step.ts'
import { stepInstance } from './step/step-instance.ts'

/** A request waits for its process no longer, nor does a consumer's invocation; the runner goes on. */
const longestMs = 12_000

/**
 * Works off everything an instance has to do: commands in the order in which they were given, then timers that are due, one
 * step and one transaction each. Answers when nothing is left, or when somebody else is at it, who will find what is left;
 * should that one have died, the instance comes back once its lease is over.
 */
export async function advanceInstance(deps: AdvanceDependencies, tenant: Tenant, instanceId: number): Promise<void> {
  const endsAt = deps.clock.now() + longestMs
  const comeBack = (seconds: number) =>
    mayFail('come back to a process', () => deps.wakeLater(tenant, instanceId, seconds))
  try {
    let goesOn = true
    while (goesOn && deps.clock.now() < endsAt)
      goesOn = await retryWithJitter(deps.clock, (again) => workOff(deps, tenant, instanceId, again))
    if (goesOn) await comeBack(0)
  } catch (error) {
    if (!(error instanceof Conflict)) throw error
    log.info('somebody else works on the process', { tenant_id: tenant.id, instance_id: instanceId })
    await comeBack(Math.ceil((deps.leaseMs + 200) / 1000))
  }
}

/** One step; false when there is none to be taken. */
async function workOff(
  deps: AdvanceDependencies,
  tenant: Tenant,
  instanceId: number,
  again: (cause: Error) => never,
): Promise<boolean> {
  const { store, clock } = deps
  // One after the other: whoever takes a step meanwhile raises the instance's revision, so what is found here and carried out
  // by then is refused. Read the other way round, or side by side, it would be carried out again on what came of it.
  const item = await store.get(tenant, instanceKey(tenant, instanceId))
  if (!item) return false
  const open = readCommandRows(await readAll(store, tenant, rowsOf(tenant, instanceId)))
  const { commands, timers } = open
  const next =
    commands.find(({ isParked }) => !isParked) ??
    timers.find((timer) => !timer.isParked && timer.dueAt <= isoTime(clock.now()))
  if (!next) return false
  const head = readInstanceHead(item)
  if (head.lease && head.lease.untilMs > clock.now()) return again(new Error('the instance is being worked on'))
  const holder = clock.uuid()
  try {
    await carryOut({ deps, tenant, item, open, holder }, next)
    return true
  } catch (error) {
    // Whoever comes next, this one included, need not wait for the lease to end.
    await mayFail('give back the lease of a process', () => releaseLease(store, tenant, instanceId, holder))
    if (isRefusal(error)) return again(error)
    throw error
  }
}

const rowsOf = (tenant: Tenant, instanceId: number): KeyRange => ({
  pk: instanceRowsPartition(tenant, instanceId),
  prefix: commandRowsPrefix,
})

async function carryOut(work: Work, next: CommandRow | TimerRow): Promise<void> {
  const { deps, tenant, item } = work
  const { store } = deps
  const head = readInstanceHead(item)
  if (!('command' in next))
    return hasEnded(head)
      ? removeRow(store, tenant, next)
      : stepInstance(work, next, [{ kind: 'timer', executionId: next.executionId }])
  const { command } = next
  if (command.kind === 'rows') return writeRows(deps, tenant, next, command.rows)
  if (hasEnded(head)) return removeRow(store, tenant, next)
  switch (command.kind) {
    case 'look':
      await matchWaitingTasks(deps, tenant, head, command.taskIds, next.by)
      return removeRow(store, tenant, next)
    case 'cancel':
      return endInstance(work, next)
    case 'retry':
      return retryInstance(work, next)
    case 'start':
      return stepInstance(work, next, undefined)
    case 'complete':
      return stepInstance(work, next, [
        {
          kind: 'complete',
          executionId: command.executionId,
          ...(command.outcome !== null && { outcome: command.outcome }),
          variables: command.variables,
        },
      ])
  }
}
