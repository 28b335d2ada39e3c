import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { mailId, type MailThread, mailThread } from '../../../platform/mail/record-thread.ts'
import { intentKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type RenderDependencies, renderContent } from '../render-content.ts'
import { type ContentObjects, readContent } from '../rows/intent-content.ts'
import { readIntentRow } from '../rows/intent-row.ts'
import type { OutgoingMessage } from '../sender.ts'
import { type Delivery, messageId } from '../state/delivery.ts'
import type { Outcome } from '../state/outcome.ts'
import { recordOfSource } from '../threads/record-of-source.ts'

/** The outcome of an attempt that the service itself broke off. */
export const serviceFailed: Outcome = {
  kind: 'failed',
  by: 'service',
  error: 'The service failed to send the message; its log has the reason.',
}

/** What a delivery says, and to whom; or the outcome of its attempt when that cannot be told. Never throws. */
export async function readMessage(
  services: RenderDependencies & { readonly store: Pick<Store, 'get'>; readonly objects: ContentObjects },
  tenant: Tenant,
  delivery: Delivery,
): Promise<OutgoingMessage | Outcome> {
  try {
    const item = await services.store.get(tenant, intentKey(tenant, delivery.intent))
    if (!item) return { kind: 'refused', by: 'service', error: 'The content of the message is not kept any more.' }
    const { createdAtMs } = readIntentRow(item)
    const content = await readContent(services.objects, item)
    const { missing: _, ...said } = await renderContent(services, tenant, delivery.source, content, delivery.locale)
    return {
      ...said,
      id: messageId(delivery),
      ...(delivery.supersededBy !== undefined && { supersededBy: delivery.supersededBy }),
      ...(delivery.channelType === 'email' && (await threadOf(services, tenant, delivery))),
      tenant,
      recipient: delivery.recipient,
      createdAt: isoTime(createdAtMs),
    }
  } catch (cause) {
    log.error('could not read a message', cause, { delivery_id: delivery.id })
    return serviceFailed
  }
}

async function threadOf(
  { threadKey }: Pick<RenderDependencies, 'threadKey'>,
  tenant: Tenant,
  delivery: Delivery,
): Promise<{ readonly thread: MailThread }> {
  const key = await threadKey(tenant)
  const record = recordOfSource(delivery.source)
  const id = messageId(delivery)
  return { thread: record ? mailThread(key, tenant.id, record, id) : mailId(key, tenant.id, id) }
}
