import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import {
  processCommandKey,
  processDueKey,
  processTimerKey,
  tenantWorkId,
} from '../../../platform/store/keys/processes.ts'
import { dueEntry } from '../../../platform/store/slots.ts'
import type { Write } from '../../../platform/store/store.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { LastTask } from './instance-row.ts'
import type { Operation } from './operation-row.ts'

/**
 * What is to happen to an instance. Stored as a row of the instance, which a writer need not read
 * (docs/decisions/0023).
 */
export type ProcessCommand =
  /** `hops`: steps of processes that led to it since the last action of a user or a timer. */
  | {
      readonly kind: 'start'
      readonly hops: number
      readonly variables: Readonly<Record<string, unknown>>
      /** The start event that has occurred. */
      readonly at?: string
    }
  | CompleteCommand
  /** Matches new tasks and conditions against the versions of the record that they may have missed. */
  | { readonly kind: 'look'; readonly taskIds: readonly number[]; readonly conditions?: readonly string[] }
  | EventCommand
  /** Takes the messages that these new waits may have missed. */
  | { readonly kind: 'take'; readonly executionIds: readonly string[] }
  /** Sends a message that the instance has thrown, or that came too late for its receiver. */
  | { readonly kind: 'send'; readonly message: QueuedMessage; readonly hops: number }
  /** Sends a signal. `targets`: the waits that it reaches, once they are known. */
  | {
      readonly kind: 'broadcast'
      readonly signal: {
        readonly id: string
        readonly name: string
        readonly variables: Readonly<Record<string, unknown>>
        readonly isInternal?: true
        /** The instance that threw it, and the events of it that were reached then: they are not reached again. */
        readonly reached?: { readonly instanceId: number; readonly elementIds: readonly string[] }
      }
      readonly hops: number
    }
  /** Has the runner woken when new start timers of the tenant are due. */
  | { readonly kind: 'wake'; readonly dueTimes: readonly string[] }
  | CalledCommand
  /** A called instance has an incident, or has none any more. `rev`: its revision then. */
  | {
      readonly kind: 'called_incident'
      readonly executionId: string
      readonly instanceId: number
      readonly rev: number
      readonly hasIncident: boolean
    }
  /** A called instance escalates. `n`: counts its escalations, from 1. They are carried out in this order. */
  | {
      readonly kind: 'called_escalation'
      readonly executionId: string
      readonly instanceId: number
      readonly n?: number
      readonly code?: string
      readonly hops: number
    }
  /** Tells the caller that the instance has ended, once its messages and signals are on their way. */
  | { readonly kind: 'report_end'; readonly callerId: number; readonly report: CalledCommand }
  | { readonly kind: 'retry' }
  /** Begins an activity of the ad-hoc sub-process that is the execution. */
  | { readonly kind: 'begin'; readonly executionId: string; readonly elementId: string; readonly hops: number }
  /** Continues a step that was stopped in time. */
  | { readonly kind: 'continue'; readonly hops: number; readonly old?: Readonly<Record<string, unknown>> }
  | { readonly kind: 'cancel' }
  /** An operator changes the instance itself. `id`: of the row that says what became of it. */
  | { readonly kind: 'operate'; readonly id: string; readonly operation: Operation }
  /** Rows of a step that did not fit into its transaction. */
  | { readonly kind: 'rows'; readonly rows: readonly StepRow[] }
  /** The same, when they are too many for commands: `object` names the object that has them. */
  | { readonly kind: 'stored_rows'; readonly object: string }

/** A write of a step. When it is deferred, a row that goes with a task is written only while the task is pending. */
export type StepRow = Write | { readonly row: Write; readonly whilePending: Key }

/** What an event waits for has occurred; its wait is removed in the same transaction. */
export interface EventCommand {
  readonly kind: 'event'
  readonly executionId: string
  readonly variables: Readonly<Record<string, unknown>>
  /** They come from a process or a script: fields of records may have gone into them. */
  readonly isInternal?: true
  readonly hops: number
  /** Of a condition that does not hold any more. */
  readonly isMet?: false
  /** Of a message: it is sent again when its receiver does not wait any more. */
  readonly message?: { readonly name: string; readonly key?: string; readonly expiresAtMs: number }
}

/** A called instance has ended; the command is written with its end. */
export interface CalledCommand {
  readonly kind: 'called'
  readonly executionId: string
  readonly instanceId: number
  readonly end: 'completed' | 'cancelled'
  /** How many escalations came before the end. They are carried out first. */
  readonly escalations?: number
  /** The error that ended it. */
  readonly error?: { readonly code: string; readonly message: string }
  readonly hops: number
}

/** `id`: it is taken once. */
export interface QueuedMessage {
  readonly id: string
  readonly name: string
  readonly key?: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly isInternal?: true
  readonly ttlSeconds?: number
  /** What has thrown it. */
  readonly elementId?: string
}

/** Continues after a task, whose row is completed in the same transaction. */
export interface CompleteCommand {
  readonly kind: 'complete'
  readonly executionId: string
  readonly task: LastTask
  readonly variables: Readonly<Record<string, unknown>>
  /** What was entered into its form, for `tasks.<element id>.data`. */
  readonly data?: Readonly<Record<string, unknown>>
  readonly hops: number
  /** Fields of the record as they were before the change that completed it. */
  readonly old?: Readonly<Record<string, unknown>>
}

/** A command of an instance. */
export interface CommandRow {
  readonly key: Key
  readonly command: ProcessCommand
  readonly by: PrincipalRef
  readonly at: string
  /** Its step failed as a whole: it waits for a retry. */
  readonly isSuspended: boolean
  /** A user retried it, so its `hops` no longer count. */
  readonly isRetried: boolean
  /** Identifies this try of carrying it out: a retry by a user is another one, a repeat after a crash is not. */
  readonly tryId: string
  /** The version of the record when its step failed. */
  readonly failedVersion: number | undefined
}

/** A timer event of an instance that is due at a time. */
export interface TimerRow {
  readonly key: Key
  readonly elementId: string
  readonly executionId: string
  readonly dueAt: string
  readonly isSuspended: boolean
  /** As those of a command. */
  readonly tryId: string
  readonly failedVersion: number | undefined
}

/** After this time the sweeper wakes the runner for a command that its writer has not carried out. */
const commandDueAfterMs = 60_000

/** The entry in the due index from which the sweeper finds a command. */
export const commandDueKey = (tenant: TenantRef, instanceId: number, nowMs: number): Key =>
  processDueKey(isoTime(nowMs + commandDueAfterMs), tenant, instanceId)

/**
 * The item of a command. With `wakesRunner` the change feed wakes the runner; otherwise the writer advances the
 * instance.
 */
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
    kind: isReport(instanceId, command) ? 'process_report' : 'process_command',
    v: 1,
    command: JSON.stringify(command),
    by: JSON.stringify({ userId, impersonatorId }),
    at: isoTime(nowMs),
    ...(wakesRunner && { feed: 'process', tenant_id: tenant.id, instance_id: instanceId }),
    ...dueEntry(commandDueKey(tenant, instanceId, dueMs)),
  }
}

/** Of a kind of its own: a former version that still runs beside this one would remove the row and not carry it out. */
const isReport = (instanceId: number, { kind }: ProcessCommand): boolean =>
  kind === 'report_end' || (kind === 'broadcast' && instanceId !== tenantWorkId)

/** The item of a timer, with its entry in the due index. */
export const timerItem = (
  tenant: TenantRef,
  instanceId: number,
  { elementId, executionId, dueAt }: Pick<TimerRow, 'elementId' | 'executionId' | 'dueAt'>,
): Item & Key => ({
  ...processTimerKey(tenant, instanceId, executionId),
  kind: 'process_timer',
  v: 1,
  element_id: elementId,
  execution_id: executionId,
  due_at: dueAt,
  ...dueEntry(processDueKey(dueAt, tenant, instanceId)),
})

/** Everything that an instance still has to do, in the order in which it is carried out. */
export interface CommandRows {
  readonly commands: readonly CommandRow[]
  readonly timers: readonly TimerRow[]
}

/** Reads the rows of an instance. */
export function readCommandRows(items: readonly Item[]): CommandRows {
  return {
    commands: items
      .filter(({ kind }) => kind === 'process_command' || kind === 'process_report')
      .map((item) => ({
        key: keyOfItem(item),
        command: readJson<ProcessCommand>(item, 'command'),
        by: readJson<PrincipalRef>(item, 'by'),
        at: String(item.at),
        isSuspended: item.parked === true,
        isRetried: item.retried === true,
        tryId: tryIdOf(item),
        failedVersion: item.failed_version as number | undefined,
      })),
    timers: items
      .filter(({ kind }) => kind === 'process_timer')
      .map((item) => ({
        key: keyOfItem(item),
        elementId: String(item.element_id),
        executionId: String(item.execution_id),
        dueAt: String(item.due_at),
        isSuspended: item.parked === true,
        tryId: tryIdOf(item),
        failedVersion: item.failed_version as number | undefined,
      }))
      .toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1)),
  }
}

const tryIdOf = ({ sk, try_id }: Item): string => String(try_id ?? sk)
