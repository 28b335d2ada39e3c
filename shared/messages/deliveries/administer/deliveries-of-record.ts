import { maxTimelineAttempts } from '../../../kernel/limits/lists.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { attemptKey, deliveriesOfRecordPartition } from '../../../platform/store/keys/messages/deliveries.ts'
import { newestRows } from '../../../platform/store/ranges/newest-rows.ts'
import { deliverySlots, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readAttempt } from '../rows/attempt-row.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import type { DeliveryAnswer, DeliveryHead } from '../schema.ts'
import { describeAttempt, describeDelivery } from './describe-delivery.ts'

type Reads = Pick<Store, 'query' | 'getMany'>

/** The deliveries about one record, newest first, each with its sort key, from that of `from` on. */
export async function deliveriesOfRecord(
  store: Reads,
  tenant: TenantRef,
  { model, id }: { readonly model: string; readonly id: number },
  from: string | undefined,
  limit: number,
): Promise<{ readonly deliveries: readonly { sort: string; delivery: DeliveryHead }[]; readonly next?: string }> {
  const partition = { pk: deliveriesOfRecordPartition(tenant, model, id), index: slotName(deliverySlots.ofRecord) }
  const { rows, ...rest } = await newestRows(store, tenant, partition, from, limit)
  return {
    deliveries: rows.map(({ sort, item }) => ({ sort, delivery: describeDelivery(readDelivery(item)) })),
    ...rest,
  }
}

/** The deliveries with their newest 20 attempts that have ended, oldest first. Reads those of all deliveries at once. */
export async function withAttempts(
  store: Reads,
  tenant: TenantRef,
  deliveries: readonly DeliveryHead[],
): Promise<DeliveryAnswer[]> {
  const keys = deliveries.map(({ id, attempt_count: count }) =>
    Array.from({ length: Math.min(count, maxTimelineAttempts) }, (_, index) =>
      attemptKey(tenant, id, count - index),
    ).reverse(),
  )
  const items = keys.flat().length === 0 ? [] : await store.getMany(tenant, keys.flat())
  let read = 0
  return deliveries.map((delivery, index) => {
    const own = items.slice(read, (read += (keys[index] as unknown[]).length))
    return {
      ...delivery,
      attempts: own.filter((item) => item !== undefined).map((item) => describeAttempt(readAttempt(item))),
    }
  })
}
