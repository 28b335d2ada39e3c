import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { deliveryKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store } from '../../../platform/store/store.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { attemptItem } from '../rows/attempt-row.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import type { Delivery } from '../state/delivery.ts'
import { type Attempt, closeAttempt, type Outcome } from '../state/outcome.ts'
import { record } from '../state/transitions.ts'
import { saveDelivery } from './save-delivery.ts'

/**
 * Records the outcome of an attempt with its delivery in one transaction, and answers the delivery after it. When
 * another attempt took the lease over, what it left stays, except that an accepted message is delivered.
 */
export async function recordAttempt(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  tenant: TenantRef,
  claimed: Delivery,
  attempt: Attempt,
  outcome: Outcome,
  schedule: readonly number[],
): Promise<Delivery> {
  const nowMs = clock.now()
  const closed = closeAttempt(attempt, outcome, nowMs)
  let current = claimed
  return retryWithJitter(clock, async (again) => {
    const after = record(current, attempt.n, outcome, { schedule, nowMs, random: clock.random })
    if (after === current) {
      await store.write(tenant, { put: attemptItem(tenant, current, closed) })
      return current
    }
    if (await saveDelivery({ store, clock }, tenant, current, after, [closed])) return after
    const item = await store.get(tenant, deliveryKey(tenant, claimed.id))
    if (!item) return after
    current = readDelivery(item)
    return again(new Error('the delivery was changed meanwhile'))
  })
}
