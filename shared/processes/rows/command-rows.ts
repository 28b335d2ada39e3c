import { isoTime } from '../../kernel/clock.ts'
import type { PrincipalRef } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { readJson } from '../../store/json-attribute.ts'
import { type Key, keyOfItem } from '../../store/keys/key.ts'
import { processCommandKey, processDueKey, processTimerKey } from '../../store/keys/processes.ts'
import type { Item } from '../../store/marshal.ts'
import { dueEntry } from '../../store/slots.ts'
import type { Write } from '../../store/table.ts'
import type { LastTask } from './instance-row.ts'

/*
 * What an instance still has to do stands in rows beside it: commands, which anybody may add without looking at the
 * instance, and timers. The step that carries one out removes its row in the transaction that writes the instance, so none
 * is lost and none done twice. Each row is due: the sweeper brings an instance back that nobody worked on.
 */

/** Something that is to happen to an instance. */
export type ProcessCommand =
  /** `hops`: steps of processes that led to it since somebody, or the time, did anything. */
  | { readonly kind: 'start'; readonly hops: number; readonly variables: Readonly<Record<string, unknown>> }
  | CompleteCommand
  /** New tasks wait for the record: whether it has what they wait for already, or got it meanwhile. */
  | { readonly kind: 'look'; readonly taskIds: readonly number[] }
  | { readonly kind: 'retry' }
  | { readonly kind: 'cancel' }
  /** What a step had to write and its transaction had no room for. */
  | { readonly kind: 'rows'; readonly rows: readonly StepRow[] }

/** A write of a step; one that goes with a task is made only while that task is pending, should it come later than its step. */
export type StepRow = Write | { readonly row: Write; readonly whilePending: Key }

/** A task is done: its row says so already. */
export interface CompleteCommand {
  readonly kind: 'complete'
  readonly executionId: string
  readonly task: LastTask
  readonly outcome: string | null
  readonly variables: Readonly<Record<string, unknown>>
  readonly hops: number
  /** Fields of the record as they were before the change that completed it. */
  readonly old?: Readonly<Record<string, unknown>>
}

export interface CommandRow {
  readonly key: Key
  readonly command: ProcessCommand
  readonly by: PrincipalRef
  readonly at: string
  /** A step that failed as a whole leaves its command for a retry. */
  readonly isSuspended: boolean
  /** Somebody took it up again: what led to it does not count any more. */
  readonly isRetried: boolean
}

export interface TimerRow {
  readonly key: Key
  readonly elementId: string
  readonly executionId: string
  readonly dueAt: string
  readonly isSuspended: boolean
}

/** When the sweeper looks after a command whose writer meant to carry it out itself. */
const commandDueAfterMs = 60_000

/** Where a row is due again. */
export const commandDueKey = (tenant: TenantRef, instanceId: number, nowMs: number): Key =>
  processDueKey(isoTime(nowMs + commandDueAfterMs), tenant, instanceId)

/** `brings`: the change feed brings the instance to the runner; without, its writer does, and the sweeper should that fail. */
export function commandItem(
  tenant: TenantRef,
  instanceId: number,
  command: ProcessCommand,
  { userId, impersonatorId }: PrincipalRef,
  {
    nowMs,
    uuid,
    wakesRunner = false,
    dueMs = nowMs,
  }: { readonly nowMs: number; readonly uuid: string; readonly wakesRunner?: boolean; readonly dueMs?: number },
): Item & Key {
  return {
    ...processCommandKey(tenant, instanceId, nowMs, uuid),
    kind: 'process_command',
    v: 1,
    command: JSON.stringify(command),
    by: JSON.stringify({ userId, impersonatorId }),
    at: isoTime(nowMs),
    ...(wakesRunner && { feed: 'process', tenant_id: tenant.id, instance_id: instanceId }),
    ...dueEntry(commandDueKey(tenant, instanceId, dueMs)),
  }
}

export const timerItem = (
  tenant: TenantRef,
  instanceId: number,
  { elementId, executionId, dueAt }: Omit<TimerRow, 'key' | 'isSuspended'>,
): Item & Key => ({
  ...processTimerKey(tenant, instanceId, executionId),
  kind: 'process_timer',
  v: 1,
  element_id: elementId,
  execution_id: executionId,
  due_at: dueAt,
  ...dueEntry(processDueKey(dueAt, tenant, instanceId)),
})

/** Everything an instance still has to do, in the order in which it is to be worked off. */
export interface CommandRows {
  readonly commands: readonly CommandRow[]
  readonly timers: readonly TimerRow[]
}

export function readCommandRows(items: readonly Item[]): CommandRows {
  return {
    commands: items
      .filter(({ kind }) => kind === 'process_command')
      .map((item) => ({
        key: keyOfItem(item),
        command: readJson<ProcessCommand>(item, 'command'),
        by: readJson<PrincipalRef>(item, 'by'),
        at: String(item.at),
        isSuspended: item.parked === true,
        isRetried: item.retried === true,
      })),
    timers: items
      .filter(({ kind }) => kind === 'process_timer')
      .map((item) => ({
        key: keyOfItem(item),
        elementId: String(item.element_id),
        executionId: String(item.execution_id),
        dueAt: String(item.due_at),
        isSuspended: item.parked === true,
      }))
      .toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1)),
  }
}
