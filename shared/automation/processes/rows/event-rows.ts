import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import {
  conditionOfRecordKey,
  messageHeadKey,
  messageIdKey,
  messageWaitKey,
  signalWaitKey,
} from '../../../platform/store/keys/processes.ts'
import type { Condition, Write } from '../../../platform/store/store.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { below, isNew, or } from '../../../platform/store/writes/conditions.ts'
import { type Instance, noRecord, type OpenWait } from './instance-row.ts'

export type EventWait = Extract<OpenWait, { kind: 'event' }>
type Subject = Pick<Instance, 'id' | 'model' | 'recordId'>

/** The key of a message that an instance waits for; by default the id of its record, or the empty one without any. */
export const correlationKeyOfWait = ({ recordId }: Pick<Instance, 'recordId'>, { key }: EventWait): string =>
  key ?? (recordId === noRecord ? '' : String(recordId))

/** The row by which an event is found that an instance waits for. */
export function eventWaitKey(tenant: TenantRef, instance: Subject, wait: EventWait): Key {
  const { name = '', executionId } = wait
  if (wait.on === 'message')
    return messageWaitKey(tenant, name, correlationKeyOfWait(instance, wait), instance.id, executionId)
  return wait.on === 'signal'
    ? signalWaitKey(tenant, name, instance.id, executionId)
    : conditionOfRecordKey(tenant, instance.model, instance.recordId, instance.id, executionId)
}

/** `condition`, `seenVersion`: of one that waits for a condition. */
export const eventWaitItem = (
  tenant: TenantRef,
  instance: Subject,
  wait: EventWait,
  more: { readonly condition?: string; readonly seenVersion?: number } = {},
): Item & Key => ({
  ...eventWaitKey(tenant, instance, wait),
  kind: `process_${wait.on}_wait`,
  v: 1,
  instance_id: instance.id,
  execution_id: wait.executionId,
  element_id: wait.elementId,
  ...(wait.on === 'message' && { name: wait.name ?? '', correlation_key: correlationKeyOfWait(instance, wait) }),
  ...(more.condition !== undefined && {
    condition: more.condition,
    is_met: wait.isMet === true,
    seen_version: more.seenVersion ?? 0,
  }),
})

export interface WaitingExecution {
  readonly key: Key
  readonly instanceId: number
  readonly executionId: string
  readonly elementId: string
}

export const readEventWait = (item: Item): WaitingExecution => ({
  key: keyOfItem(item),
  instanceId: Number(item.instance_id),
  executionId: String(item.execution_id),
  elementId: String(item.element_id),
})

/** An event that waits for a condition on its record. */
export interface ConditionWait extends WaitingExecution {
  readonly condition: string
  readonly isMet: boolean
  /** The version of the record that its step found. */
  readonly seenVersion: number
}

export const isConditionWait = ({ kind }: Item): boolean => kind === 'process_conditional_wait'

export const readConditionWait = (item: Item): ConditionWait => ({
  ...readEventWait(item),
  condition: String(item.condition),
  isMet: item.is_met === true,
  seenVersion: Number(item.seen_version),
})

/** A counter of waits is needed while one may begin or a message be kept, and a little longer. */
const headKeptSeconds = 14 * 86_400

/** Notes that a wait begins, so that no message is kept whose sender has not seen it. */
export const noteWait = (tenant: TenantRef, name: string, key: string, nowMs: number): Write => ({
  update: messageHeadKey(tenant, name, key),
  change: {
    expression: 'SET kind = :kind, v = :v, expires_at = :expires ADD rev :one',
    values: {
      ':kind': 'process_message_head',
      ':v': 1,
      ':one': 1,
      ':expires': Math.floor(nowMs / 1000) + headKeptSeconds,
    },
  },
})

/** A message that nothing waited for. */
export interface KeptMessage {
  readonly key: Key
  readonly variables: Readonly<Record<string, unknown>>
  readonly isInternal?: true
  readonly by: PrincipalRef
  readonly hops: number
  readonly expiresAtMs: number
}

export const keptMessageItem = (
  key: Key,
  { variables, isInternal, by, hops, expiresAtMs }: Omit<KeptMessage, 'key'>,
): Item & Key => ({
  ...key,
  kind: 'process_message',
  v: 1,
  variables: JSON.stringify(variables),
  ...(isInternal && { is_internal: true }),
  by: JSON.stringify({ userId: by.userId, impersonatorId: by.impersonatorId }),
  hops,
  expires_at_ms: expiresAtMs,
  expires_at: Math.ceil(expiresAtMs / 1000),
})

export const readKeptMessage = (item: Item): KeptMessage => ({
  key: keyOfItem(item),
  variables: readJson<Record<string, unknown>>(item, 'variables'),
  ...(item.is_internal === true && { isInternal: true as const }),
  by: readJson<PrincipalRef>(item, 'by'),
  hops: Number(item.hops),
  expiresAtMs: Number(item.expires_at_ms),
})

/** What became of a message. */
export interface MessageOutcome {
  /** The ids of the instances that received it. */
  readonly delivered: readonly number[]
  /** Whether it waits for an instance that begins to wait for it. */
  readonly kept: boolean
}

const messageIdKeptSeconds = 86_400

/** Takes the id of a message for a day. */
export const takeMessageId = (
  tenant: TenantRef,
  messageId: string,
  { delivered, kept }: MessageOutcome,
  nowMs: number,
): Write => ({
  put: {
    ...messageIdKey(tenant, messageId),
    kind: 'process_message_id',
    v: 1,
    delivered: JSON.stringify(delivered),
    kept,
    expires_at: Math.floor(nowMs / 1000) + messageIdKeptSeconds,
  },
  if: isFree(nowMs),
})

const isFree = (nowMs: number): Condition => or(isNew, below('expires_at', Math.floor(nowMs / 1000)))

/** What became of the message that took the id; undefined when none did. */
export const readMessageOutcome = (item: Item | undefined, nowMs: number): MessageOutcome | undefined =>
  item === undefined || Number(item.expires_at) < Math.floor(nowMs / 1000)
    ? undefined
    : { delivered: readJson<number[]>(item, 'delivered'), kept: item.kept === true }
