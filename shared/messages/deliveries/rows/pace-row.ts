import type { Key } from '../../../platform/store/keys/key.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { nothingSent, type SentToRecipient } from '../state/pace.ts'

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
