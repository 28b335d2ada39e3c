import { Invalid } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import { listRows, type RowList } from '../../../platform/listing/list-rows.ts'
import {
  deliveriesOfRecordPartition,
  deliveryKey,
  deliveryPartitions,
} from '../../../platform/store/keys/messages/deliveries.ts'
import { deliverySlots, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import { deliverySequence, readDelivery } from '../rows/delivery-row.ts'
import type { DeliveryHead, DeliveryQuery } from '../schema.ts'
import { type Delivery, deliveryStatuses } from '../state/delivery.ts'
import { describeDelivery } from './describe-delivery.ts'

/** Lists the deliveries of a tenant, newest first. */
export async function listDeliveries(
  { store }: { readonly store: Pick<Store, 'get' | 'query' | 'getMany'> },
  tenant: TenantRef,
  query: DeliveryQuery,
): Promise<Page<DeliveryHead>> {
  const { channel_id, status, model, record_id } = query
  if (record_id !== undefined && model === undefined)
    throw new Invalid({ model: ['The model field is required when record_id is given.'] })
  const filters = [channel_id, status, model].filter((one) => one !== undefined).length
  return listRows<Delivery, DeliveryHead>(
    store,
    tenant,
    {
      name: 'deliveries',
      ...sourcesOf(tenant, query),
      keyOf: (id) => deliveryKey(tenant, id),
      read: readDelivery,
      textsOf: ({ recipient, subject, excerpt, lastError }) => [recipient, subject, excerpt, lastError],
      keep: (rows) => rows.filter((delivery) => matches(query, delivery)),
      // No index answers a filter on the table alone, or more than one filter.
      isCountable: filters === 0 || (filters === 1 && (model === undefined || record_id !== undefined)),
    },
    (rows) => rows.map(describeDelivery),
    query,
  )
}

/** What deliveries are filtered by. */
type DeliveryFilter = Pick<DeliveryQuery, 'channel_id' | 'status' | 'model' | 'record_id'>

export const matches = (
  { channel_id, status, model, record_id }: DeliveryFilter,
  { channelId, status: is, source }: Delivery,
): boolean =>
  (channel_id === undefined || channelId === channel_id) &&
  (status === undefined || is === status) &&
  (model === undefined || source.model === model) &&
  (record_id === undefined || source.record_id === record_id)

/** The keys to read: of the filter that leaves the fewest deliveries. */
export function sourcesOf(
  tenant: TenantRef,
  { channel_id, status, model, record_id }: DeliveryFilter,
): Pick<RowList<Delivery>, 'sources' | 'sequence'> {
  if (model !== undefined && record_id !== undefined) {
    const index = slotName(deliverySlots.ofRecord)
    return { sources: [{ pk: deliveriesOfRecordPartition(tenant, model, record_id), index }] }
  }
  if (channel_id !== undefined) {
    const index = slotName(deliverySlots.ofChannel)
    return { sources: deliveryPartitions(tenant, { channelId: channel_id }).map((pk) => ({ pk, index })) }
  }
  const statuses = status === undefined ? deliveryStatuses : [status]
  const index = slotName(deliverySlots.byStatus)
  return {
    sources: statuses.flatMap((one) => deliveryPartitions(tenant, { status: one })).map((pk) => ({ pk, index })),
    sequence: status === undefined ? deliverySequence : undefined,
  }
}
