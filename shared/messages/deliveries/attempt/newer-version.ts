import type { TenantRef } from '../../../kernel/tenancy.ts'
import { deliveriesOfRecordPartition } from '../../../platform/store/keys/messages/deliveries.ts'
import { newestRows } from '../../../platform/store/ranges/newest-rows.ts'
import { deliverySlots, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import type { Delivery } from '../state/delivery.ts'

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
