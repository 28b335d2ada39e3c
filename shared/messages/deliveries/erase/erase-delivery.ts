import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { mask } from '../../../platform/secrets/mask.ts'
import { attemptsPartition, deliveryKey } from '../../../platform/store/keys/messages/deliveries.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { saveDelivery } from '../attempt/save-delivery.ts'
import { attemptItem, readAttempt } from '../rows/attempt-row.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import type { Delivery } from '../state/delivery.ts'
import { erase } from '../state/erase.ts'

export interface EraseDeliveryDependencies {
  readonly store: Store
  readonly clock: Clock
}

/**
 * Takes out of a delivery to an erased person where it went and what was said, also by the receiver; one that waits is
 * cancelled. Idempotent. Answers false while it is being sent.
 */
export async function eraseDelivery(
  services: EraseDeliveryDependencies,
  tenant: TenantRef,
  id: number,
  intent: string,
  recipient: string,
): Promise<boolean> {
  const { store, clock } = services
  return retryWithJitter(clock, async (again) => {
    const item = await store.get(tenant, deliveryKey(tenant, id))
    const before = item && readDelivery(item)
    if (before?.intent !== intent) return true
    const after = erase(before, recipient, clock.now())
    if (!after) return false
    if (after === before) return true
    // The attempts first: the delivery shows that all is done.
    await eraseAttempts(store, tenant, before)
    if (!(await saveDelivery(services, tenant, before, after))) again(new Error('the delivery was changed meanwhile'))
    return true
  })
}

async function eraseAttempts(store: Store, tenant: TenantRef, delivery: Delivery): Promise<void> {
  const masked = (text: string | null): string | null => text && mask
  for await (const { items } of readPages(store, tenant, { pk: attemptsPartition(tenant, delivery.id) }))
    await store.putMany(
      tenant,
      items.map(readAttempt).map((attempt) =>
        attemptItem(tenant, delivery, {
          ...attempt,
          error: masked(attempt.error),
          excerpt: masked(attempt.excerpt),
        }),
      ),
    )
}
