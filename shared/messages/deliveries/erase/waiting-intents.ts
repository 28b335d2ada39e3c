import type { TenantRef } from '../../../kernel/tenancy.ts'
import { scanIds } from '../../../platform/listing/scan-ids.ts'
import { deliveryKey, deliveryPartitions } from '../../../platform/store/keys/messages/deliveries.ts'
import { deliverySlots, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import { type ErasedPerson, isPerson } from './is-person.ts'

const idsPerPage = 200
const waiting = ['queued', 'retrying', 'sending'] as const

/**
 * The intents of a page of the tenant's deliveries that have not ended and go to the person; `next`: where the next page
 * begins. An attempt must not wait until the rest is found.
 */
export async function waitingIntentsTo(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  person: ErasedPerson,
  before: number | undefined,
): Promise<{ readonly uuids: readonly string[]; readonly next?: number }> {
  const index = slotName(deliverySlots.byStatus)
  const sources = waiting.flatMap((status) => deliveryPartitions(tenant, { status })).map((pk) => ({ pk, index }))
  const page = await scanIds(store, tenant, sources, { after: before, wanted: idsPerPage }).next()
  const ids = page.done ? [] : page.value
  const items = await store.getMany(
    tenant,
    ids.map((id) => deliveryKey(tenant, id)),
  )
  const to = items
    .flatMap((item) => (item ? [readDelivery(item)] : []))
    .filter(({ recipient, channelType }) => isPerson(person, recipient, channelType))
  return { uuids: [...new Set(to.map(({ intent }) => intent))], ...(ids.length > 0 && { next: ids.at(-1) }) }
}
