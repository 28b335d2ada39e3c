import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { MailRecord } from '../../../platform/mail/record-thread.ts'
import { deliveryKey, intentKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import { readIntentRow } from '../rows/intent-row.ts'
import type { Delivery, DeliverySource } from '../state/delivery.ts'

/** The delivery with a message id, as `messageId` makes it, in any case; undefined when there is none. */
export async function findDelivery(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  id: string,
): Promise<Delivery | undefined> {
  const [, hex = '', n] = /^msg_([0-9a-f]{32})_(\d{1,6})$/.exec(id.toLowerCase()) ?? []
  if (n === undefined) return undefined
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const intent = await store.get(tenant, intentKey(tenant, uuid))
  const firstId = intent && readIntentRow(intent).firstId
  if (firstId === null || firstId === undefined) return undefined
  const item = await store.get(tenant, deliveryKey(tenant, firstId + Number(n)))
  const delivery = item && readDelivery(item)
  return delivery?.intent === uuid && delivery.n === Number(n) ? delivery : undefined
}

/**
 * The record of a tenant's table to which answers to a message lead, of a merged one that whose customer it answers;
 * undefined when there is none. An answer to what tells
 * of an internal comment leads nowhere: it quotes the comment, and would stand on the record for everybody.
 */
export function recordOfSource({
  model,
  record_id,
  conversation_id,
  is_internal,
}: DeliverySource): MailRecord | undefined {
  const id = conversation_id ?? record_id
  return model === null || id === null || model.startsWith('sys_') || is_internal ? undefined : { model, id }
}
