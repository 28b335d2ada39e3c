import type { Clock } from '../../kernel/clock.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { atRevision } from '../../store/conditions.ts'
import { wasApplied } from '../../store/refusals.ts'
import type { Store } from '../../store/store.ts'
import { attemptItem } from '../rows/attempt-row.ts'
import { deliveryItem } from '../rows/delivery-row.ts'
import type { Delivery } from '../state/delivery.ts'
import type { Attempt } from '../state/outcome.ts'

/**
 * Stores a delivery with attempts of it, on condition that its row is as `before`. Answers false when it is not:
 * somebody else changed it.
 */
export function saveDelivery(
  { store, clock }: { readonly store: Pick<Store, 'transact'>; readonly clock: Pick<Clock, 'now' | 'uuid'> },
  tenant: TenantRef,
  before: Delivery,
  after: Delivery,
  attempts: readonly (Attempt | undefined)[] = [],
): Promise<boolean> {
  const writes = [
    { put: deliveryItem(tenant, after, clock.now()), if: atRevision(before.rev) },
    ...attempts.flatMap((attempt) => (attempt ? [{ put: attemptItem(tenant, after, attempt) }] : [])),
  ]
  return wasApplied(store.transact(tenant, writes, clock.uuid()))
}
