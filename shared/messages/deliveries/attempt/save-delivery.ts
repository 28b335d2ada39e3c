import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Store } from '../../../platform/store/store.ts'
import { atRevision } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { attemptItem } from '../rows/attempt-row.ts'
import { deliveryItem } from '../rows/delivery-row.ts'
import type { Delivery } from '../state/delivery.ts'
import type { Attempt } from '../state/outcome.ts'

/**
 * Stores a delivery with attempts of it that ended, on condition that its row is as `before`. Answers false when it is not:
 * somebody else changed it.
 */
export function saveDelivery(
  { store, clock }: { readonly store: Pick<Store, 'transact' | 'write'>; readonly clock: Pick<Clock, 'now' | 'uuid'> },
  tenant: TenantRef,
  before: Delivery,
  after: Delivery,
  attempts: readonly (Attempt | undefined)[] = [],
): Promise<boolean> {
  const row = deliveryItem(tenant, after, clock.now())
  const closed = attempts.filter((attempt) => attempt !== undefined)
  const unchanged = { if: atRevision(before.rev) }
  // A single write costs half of a transaction. Its id tells a retry whose answer was lost from somebody else's change.
  return wasApplied(
    closed.length === 0
      ? store.write(tenant, { put: { ...row, write_id: clock.uuid() }, ...unchanged })
      : store.transact(
          tenant,
          [{ put: row, ...unchanged }, ...closed.map((attempt) => ({ put: attemptItem(tenant, after, attempt) }))],
          clock.uuid(),
        ),
  )
}
