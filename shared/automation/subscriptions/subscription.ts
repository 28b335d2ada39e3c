import type { ConfigRow } from '../../platform/store/config.ts'
import { idText } from '../../platform/store/keys/key.ts'
import type { SubscribedEvent, SubscriptionAnswer } from './schema.ts'

export const subscriptionSequence = 'sys_subscriptions'

/** What changes of a table are told to whom. */
export interface Subscription {
  readonly id: number
  readonly name: string
  readonly table: string
  readonly events: readonly SubscribedEvent[]
  readonly filter: Readonly<Record<string, unknown>> | null
  readonly fields: readonly string[] | null
  /** Set when a channel is told, null when users are. */
  readonly channelId: number | null
  readonly users: readonly number[] | null
  readonly roles: readonly string[] | null
  /** Code of the notification template by which users are told in a mail. */
  readonly template: string | null
  readonly isActive: boolean
  readonly version: number
}

/** Reads the configuration row of a subscription. */
export const subscriptionOf = ({ doc, version }: ConfigRow): Subscription => ({
  ...(doc as Omit<Subscription, 'version'>),
  version,
})
/** The configuration row of a subscription. */
export const subscriptionRow = ({ version, ...doc }: Subscription): ConfigRow => ({
  name: subscriptionRowName(doc.id),
  version,
  doc,
})
/** Rows are named by id, so that a rename changes no key. */
export const subscriptionRowName = idText

/** A subscription in an answer. `problem`: see `problemOf`. */
export const describeSubscription = (one: Subscription, problem: string | null): SubscriptionAnswer => ({
  id: one.id,
  name: one.name,
  table: one.table,
  events: [...one.events],
  filter: one.filter && { ...one.filter },
  fields: one.fields && [...one.fields],
  channel_id: one.channelId,
  users: one.users && [...one.users],
  roles: one.roles && [...one.roles],
  template: one.template,
  is_active: one.isActive,
  problem,
  version: one.version,
})
