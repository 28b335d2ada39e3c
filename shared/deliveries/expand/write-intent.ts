import type { Channel } from '../../channels/service.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Write } from '../../store/store.ts'
import { intentItem, type IntentContent } from '../rows/intent-row.ts'
import type { DeliverySource } from '../state/delivery.ts'

/** After this time the sweeper expands an intent that the change feed did not bring to its expansion. */
const dueAfterMs = 60_000

/** What to send to whom, and what asked for it. */
export interface Send {
  readonly channel: Pick<Channel, 'id' | 'type'>
  readonly recipients: readonly string[]
  readonly content: IntentContent
  readonly source: DeliverySource
}

/** The write of an intent: part of the transaction of what asked for it, so that both happen or neither. */
export function intentWrite(
  clock: Pick<Clock, 'now' | 'uuid'>,
  tenant: TenantRef,
  { channel, recipients, content, source }: Send,
): Write {
  const now = clock.now()
  const intent = {
    uuid: clock.uuid(),
    channelId: channel.id,
    channelType: channel.type,
    recipients,
    content,
    source,
    createdAtMs: now,
  }
  return { put: intentItem(tenant, intent, now + dueAfterMs) }
}
