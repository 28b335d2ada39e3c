import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { channelGateKey } from '../../../platform/store/keys/messages/deliveries.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { type Breaker, closedBreaker } from '../state/breaker.ts'
import { type Lane, narrowLane } from '../state/lane.ts'
import { nothingSent, type SentToRecipient } from '../state/pace.ts'
import type { ChannelRef } from '../wake.ts'

/** What decides whether a channel may send now. `rev` is 0 when it has no row yet. */
export interface StoredGate {
  /** The version of the channel that breaker and pause are about; undefined in rows from before it was kept. */
  readonly channelVersion: number | undefined
  readonly breaker: Breaker
  readonly lane: Lane
  /** Until then the receiver asked to be left alone (Unix milliseconds). */
  readonly pausedUntilMs: number
  readonly rev: number
}

/** The row of a channel's gate. */
export const gateItem = (tenant: TenantRef, channel: ChannelRef, gate: StoredGate): Item & Key => ({
  ...channelGateKey(tenant, channel),
  kind: 'channel_gate',
  v: 1,
  rev: gate.rev,
  ...(gate.channelVersion !== undefined && { channel_version: gate.channelVersion }),
  breaker: JSON.stringify(gate.breaker),
  lane: JSON.stringify(gate.lane),
  paused_until_ms: gate.pausedUntilMs,
})

/** Reads the row of a gate. A channel without one has sent nothing yet. */
export const readGate = (item: Item | undefined): StoredGate =>
  item
    ? {
        channelVersion: item.channel_version === undefined ? undefined : Number(item.channel_version),
        breaker: readJson<Breaker>(item, 'breaker'),
        lane: readJson<Lane>(item, 'lane'),
        pausedUntilMs: Number(item.paused_until_ms ?? 0),
        rev: Number(item.rev),
      }
    : { channelVersion: undefined, breaker: closedBreaker, lane: narrowLane, pausedUntilMs: 0, rev: 0 }

/** Longer than any limit looks back, and than a delivery waits. */
const keptSeconds = 3600

interface StoredPace {
  readonly sent: SentToRecipient
  /** 0 when there is no row yet. */
  readonly rev: number
}

/** The row of what a channel, or a recipient of it, was sent lately, as it is at `nowMs`. */
export const paceItem = (key: Key, { sent, rev }: StoredPace, nowMs: number): Item & Key => ({
  ...key,
  kind: 'channel_pace',
  v: 1,
  rev,
  sent: JSON.stringify(sent),
  expires_at: Math.ceil(nowMs / 1000) + keptSeconds,
})

/** Reads the row of a pace. */
export const readPace = (item: Item | undefined): StoredPace =>
  item ? { sent: readJson<SentToRecipient>(item, 'sent'), rev: Number(item.rev) } : { sent: nothingSent, rev: 0 }
