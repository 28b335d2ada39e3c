import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { normalAddress } from '../../../platform/mail/normal-address.ts'
import { deliveryKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store } from '../../../platform/store/store.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { saveDelivery } from '../attempt/save-delivery.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import { bounce } from '../state/transitions.ts'
import { findDelivery } from './find-delivery.ts'

/** A recipient that a bounce reports as failed. */
export interface BounceFailure {
  /** The names that the report has for this recipient, as `normalAddress` makes them. */
  readonly recipients: readonly string[]
  /** RFC 3463, such as `5.1.1`. */
  readonly status: string | null
  /** What the server that refused the mail answered, such as `550`. */
  readonly code: string | null
}

/**
 * Fails the delivered mail that a bounce returned. `id`: its message id, from a signed id: everybody can write a bounce, and
 * guess the others. Idempotent. Answers whether there is such a mail to one of the failed recipients; nothing else of the
 * report is stored with it.
 */
export async function failBounced(
  { store, clock }: { readonly store: Pick<Store, 'get' | 'transact' | 'write'>; readonly clock: Clock },
  tenant: TenantRef,
  id: string,
  failures: readonly BounceFailure[],
): Promise<boolean> {
  const found = await findDelivery(store, tenant, id)
  if (found?.channelType !== 'email') return false
  const recipient = normalAddress(found.recipient)
  const failure = failures.find(({ recipients }) => recipient !== null && recipients.includes(recipient))
  if (!failure) return false
  const reason = reasonOf(failure)
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

/** The service's own words: the texts of a report are its writer's. */
function reasonOf({ status, code }: BounceFailure): string {
  const said = [...(status === null ? [] : [`status ${status}`]), ...(code === null ? [] : [`code ${code}`])]
  return `The mail came back${said.length === 0 ? '' : `: ${said.join(', ')}`}.`
}
