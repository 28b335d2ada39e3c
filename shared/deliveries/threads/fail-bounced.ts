import type { Clock } from '../../kernel/clock.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { deliveryKey } from '../../store/keys/deliveries.ts'
import { retryWithJitter } from '../../store/retry-with-jitter.ts'
import type { Store } from '../../store/store.ts'
import { saveDelivery } from '../attempt/save-delivery.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import { bounce } from '../state/transitions.ts'
import { findDelivery } from './find-delivery.ts'

/** What came back. */
interface Bounced {
  /** The message id of the delivery. */
  readonly id: string
  /** To whom the bounce says that the mail went, in lower case; null when it does not say. */
  readonly recipient: string | null
  readonly reason: string
}

/**
 * Fails the delivered mail that a bounce returned, with its reason. Idempotent. Answers whether there is such a mail: one
 * that went to somebody else is not, because everybody can write a bounce.
 */
export async function failBounced(
  { store, clock }: { readonly store: Pick<Store, 'get' | 'transact' | 'write'>; readonly clock: Clock },
  tenant: TenantRef,
  { id, recipient, reason }: Bounced,
): Promise<boolean> {
  const found = await findDelivery(store, tenant, id)
  if (found?.channelType !== 'email') return false
  if (recipient !== null && recipient !== found.recipient.toLowerCase()) return false
  let current = found
  return retryWithJitter(clock, async (again) => {
    const after = bounce(current, reason)
    if (!after || (await saveDelivery({ store, clock }, tenant, current, after))) return true
    const item = await store.get(tenant, deliveryKey(tenant, found.id))
    if (!item) return true
    current = readDelivery(item)
    return again(new Error('the delivery was changed meanwhile'))
  })
}
