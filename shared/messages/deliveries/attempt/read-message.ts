import { say } from '../../../kernel/failures/sentence.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { mailId, type MailThread, mailThread } from '../../../platform/mail/record-thread.ts'
import type { Config } from '../../../platform/store/config.ts'
import { deliveriesOfRecordPartition, intentKey } from '../../../platform/store/keys/messages/deliveries.ts'
import { newestRows } from '../../../platform/store/ranges/newest-rows.ts'
import { deliverySlots, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import { renderContent, type RenderDependencies } from '../render-content.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import { type ContentObjects, readContent } from '../rows/intent-content.ts'
import { readIntentRow } from '../rows/intent-row.ts'
import type { OutgoingMessage } from '../sender.ts'
import { type Delivery, messageId } from '../state/delivery.ts'
import type { Outcome } from '../state/outcome.ts'
import { recordOfSource } from '../threads/find-delivery.ts'

/** The outcome of an attempt that the service itself broke off. */
export const serviceFailed: Outcome = {
  kind: 'failed',
  by: 'service',
  error: say('delivery_failed_here', {}).message,
}

/** What a delivery says, and to whom; or the outcome of its attempt when that cannot be told. Never throws. */
export async function readMessage(
  services: RenderDependencies & {
    readonly store: Pick<Store, 'get' | 'getMany' | 'query'>
    readonly config: Pick<Config, 'get'>
    readonly objects: ContentObjects
  },
  tenant: Tenant,
  delivery: Delivery,
): Promise<OutgoingMessage | Outcome> {
  try {
    const item = await services.store.get(tenant, intentKey(tenant, delivery.intent))
    if (!item) return { kind: 'refused', by: 'service', error: say('delivery_not_kept', {}).message }
    const { createdAtMs } = readIntentRow(item)
    const content = await readContent(services.objects, item)
    const {
      missing: _,
      files,
      quotes,
      forwards,
      ...said
    } = await renderContent(services, tenant, delivery.source, content, delivery.locale)
    return {
      ...said,
      ...((files || forwards || quotes !== undefined) &&
        (await (
          await import('./complete-mail.ts')
        ).completeMail(services, tenant, delivery, { ...said, files, quotes, forwards }))),
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

/** So many deliveries about a record, the newest, are looked through. */
const lookedThrough = 10

/**
 * The newest version of a record that its subscription delivered already, when it is newer than the one this delivery tells.
 * Asked only of a delivery that had to wait: a first attempt, right after its change, is hardly ever overtaken, and the
 * receiver has the version to compare.
 */
export async function newerVersionDelivered(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  { source: { model, record_id: recordId, record_version: version, subscription_id: subscription }, rev }: Delivery,
): Promise<number | undefined> {
  if (version === undefined || model === null || recordId === null || rev === 1) return undefined
  const partition = {
    pk: deliveriesOfRecordPartition(tenant, model, recordId),
    index: slotName(deliverySlots.ofRecord),
  }
  const { rows } = await newestRows(store, tenant, partition, undefined, lookedThrough)
  const delivered = rows
    .map(({ item }) => readDelivery(item))
    .filter(({ status, source }) => status === 'delivered' && source.subscription_id === subscription)
    .map(({ source }) => source.record_version ?? 0)
  const newest = Math.max(0, ...delivered)
  return newest > version ? newest : undefined
}
