import type { Activated } from '../../platform/configured-objects/active-since.ts'
import type { RowTimes } from '../../platform/store/config.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import type { SubscribedEvent } from './schema.ts'

/** What changes of a table are notified to whom. */
export interface Subscription extends RowTimes, Activated {
  readonly id: number
  readonly name: string
  readonly events: readonly SubscribedEvent[]
  readonly filter: Readonly<Record<string, unknown>> | null
  readonly fields: readonly string[] | null
  /** Set when a channel is notified, null when users are. */
  readonly channelId: number | null
  readonly users: readonly number[] | null
  readonly roles: readonly string[] | null
  /** Code of the notification template by which users are notified in a mail. */
  readonly template: string | null
  readonly version: number
}

/** Reads the configuration row of a subscription. */
export const subscriptionOf = readObject<Subscription>
