import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { idText, type Key } from '../../../platform/store/keys/key.ts'
import {
  deliveriesOfRecordPartition,
  deliveryDueKey,
  deliveryKey,
  deliveryPartitionOf,
} from '../../../platform/store/keys/messages/deliveries.ts'
import { deliverySlots, dueEntry, slotEntry } from '../../../platform/store/slots.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { ChannelType } from '../../channels/channel-types.ts'
import type { Delivery, DeliverySource, DeliveryStatus } from '../state/delivery.ts'

export const deliverySequence = 'sys_deliveries'
export const keptSeconds = 90 * 24 * 60 * 60

/** The longest delay of a message of a queue. A later attempt is found by the sweeper. */
export const maxWakeDelayMs = 900_000
/** How much later than its wake-up the sweeper looks at a delivery: the wake-up was lost then. */
const wakeGraceMs = 60_000

/** The row of a delivery as it is at `nowMs`. */
export function deliveryItem(tenant: TenantRef, delivery: Delivery, nowMs: number): Item & Key {
  const { id, status, channelId, channelType, source } = delivery
  const dueMs = dueAtMs(delivery, nowMs)
  const sort = idText(id)
  return {
    ...deliveryKey(tenant, id),
    kind: 'delivery',
    v: 1,
    id,
    intent: delivery.intent,
    n: delivery.n,
    channel_id: channelId,
    channel_type: channelType,
    recipient: delivery.recipient,
    ...(delivery.from !== undefined && { from: delivery.from }),
    ...(delivery.cc && { cc: [...delivery.cc] }),
    locale: delivery.locale,
    subject: delivery.subject,
    excerpt: delivery.excerpt,
    ...(delivery.missing && delivery.missing.length > 0 && { missing: [...delivery.missing] }),
    status,
    attempt_count: delivery.attemptCount,
    attempts_before: delivery.attemptsBefore,
    ...(delivery.partsAccepted > 0 && { parts_accepted: delivery.partsAccepted }),
    created_at_ms: delivery.createdAtMs,
    next_attempt_at_ms: delivery.nextAttemptAtMs,
    ...(delivery.isHeld && { is_held: true }),
    lease_until_ms: delivery.leaseUntilMs,
    attempted_at_ms: delivery.attemptedAtMs,
    delivered_at_ms: delivery.deliveredAtMs,
    last_error: delivery.lastError,
    ...(delivery.supersededBy !== undefined && { superseded_by: delivery.supersededBy }),
    source: JSON.stringify(source),
    ...(delivery.requestId !== undefined && { request_id: delivery.requestId }),
    rev: delivery.rev,
    expires_at: Math.floor(delivery.createdAtMs / 1000) + keptSeconds,
    ...slotEntry(deliverySlots.byStatus, deliveryPartitionOf(tenant, { status }, id), sort),
    ...slotEntry(deliverySlots.ofChannel, deliveryPartitionOf(tenant, { channelId }, id), sort),
    ...(source.model !== null &&
      source.record_id !== null &&
      slotEntry(deliverySlots.ofRecord, deliveriesOfRecordPartition(tenant, source.model, source.record_id), sort)),
    ...(dueMs !== null && dueEntry(deliveryDueKey(isoTime(dueMs), tenant, { id: channelId, type: channelType }, id))),
  }
}

/** When the sweeper looks at the delivery; null when it has ended. */
function dueAtMs({ leaseUntilMs, nextAttemptAtMs, isHeld }: Delivery, nowMs: number): number | null {
  // Its intent is due instead.
  if (isHeld) return null
  if (leaseUntilMs !== null) return leaseUntilMs
  if (nextAttemptAtMs === null) return null
  return nextAttemptAtMs - nowMs <= maxWakeDelayMs ? nextAttemptAtMs + wakeGraceMs : nextAttemptAtMs
}

const numberOrNull = (value: Item[string]): number | null => (typeof value === 'number' ? value : null)
const textOrNull = (value: Item[string]): string | null => (typeof value === 'string' ? value : null)

/** Reads the row of a delivery. */
export const readDelivery = (item: Item): Delivery => ({
  id: Number(item.id),
  intent: String(item.intent),
  n: Number(item.n),
  channelId: Number(item.channel_id),
  channelType: item.channel_type as ChannelType,
  recipient: String(item.recipient),
  ...(item.from !== undefined && { from: String(item.from) }),
  ...(Array.isArray(item.cc) && { cc: item.cc.map(String) }),
  locale: textOrNull(item.locale),
  subject: textOrNull(item.subject),
  excerpt: String(item.excerpt),
  ...(Array.isArray(item.missing) && { missing: item.missing.map(String) }),
  status: item.status as DeliveryStatus,
  attemptCount: Number(item.attempt_count),
  attemptsBefore: Number(item.attempts_before),
  partsAccepted: Number(item.parts_accepted ?? 0),
  createdAtMs: Number(item.created_at_ms),
  nextAttemptAtMs: numberOrNull(item.next_attempt_at_ms),
  ...(item.is_held === true && { isHeld: true as const }),
  leaseUntilMs: numberOrNull(item.lease_until_ms),
  attemptedAtMs: numberOrNull(item.attempted_at_ms),
  deliveredAtMs: numberOrNull(item.delivered_at_ms),
  lastError: textOrNull(item.last_error),
  ...(item.superseded_by !== undefined && { supersededBy: Number(item.superseded_by) }),
  source: readJson<DeliverySource>(item, 'source'),
  ...(item.request_id !== undefined && { requestId: String(item.request_id) }),
  rev: Number(item.rev),
})
