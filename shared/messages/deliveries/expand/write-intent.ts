import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Channel } from '../../channels/channel.ts'
import { type ContentObject, type IntentContent, packContent } from '../rows/intent-content.ts'
import { type Intent, intentItem } from '../rows/intent-row.ts'
import type { DeliverySource } from '../state/delivery.ts'

/** After this time the sweeper expands an intent that the change feed did not bring to its expansion. */
const dueAfterMs = 60_000

/** For what is not sent through a channel: people are notified where they want it. */
export const bellChannel = { id: 0, type: 'bell' } as const

/** What to send to whom, and what asked for it. */
export interface Send {
  readonly channel: Pick<Channel, 'id' | 'type'> | typeof bellChannel
  /** Addresses, or `user:` and the id of a user. */
  readonly recipients: readonly string[]
  readonly content: IntentContent
  readonly source: DeliverySource
  /** See `Intent`. */
  readonly answers?: Intent['answers']
  /** Names the send where a repeat must not send again; random when left out. */
  readonly uuid?: string
}

/** The write of an intent, and the object that has to be stored before it when its content is too large for a row. */
export interface PreparedIntent {
  readonly write: Write & { readonly put: ReturnType<typeof intentItem> }
  readonly object?: ContentObject
}

/** Prepares an intent: part of the transaction of what asked for it, so that both happen or neither. */
export function prepareIntent(
  clock: Pick<Clock, 'now' | 'uuid'>,
  tenant: TenantRef,
  { channel, recipients, content, source, answers, uuid = clock.uuid() }: Send,
): PreparedIntent {
  const now = clock.now()
  const { attributes, object } = packContent(tenant, uuid, content)
  const intent = {
    uuid,
    channelId: channel.id,
    channelType: channel.type,
    recipients,
    source,
    ...(answers !== undefined && { answers }),
    createdAtMs: now,
  }
  return { write: { put: intentItem(tenant, intent, attributes, now + dueAfterMs) }, ...(object && { object }) }
}
