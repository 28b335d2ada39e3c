import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { emailKey } from '../../../platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../../platform/store/store.ts'
import { commit, StaleRead, type Step } from '../../../platform/store/writes/commit.ts'
import { atVersion } from '../../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { findPerson, membershipIn, type Person, putChangedPerson } from '../person.ts'

/**
 * The steps that take a tenant out of a person; a person without another tenant is removed, and the address is free
 * again. Refused with StaleRead.
 */
export function takeOutTenant(person: Person, tenant: TenantRef): Step[] {
  const memberships = person.memberships.filter(({ tenantId }) => tenantId !== tenant.id)
  const [next] = memberships
  if (!next) {
    return [
      {
        write: { remove: emailKey(person.email), if: atVersion(person.version) },
        refused: () => new StaleRead('the person has changed'),
      },
    ]
  }
  const lastTenantId = person.lastTenantId === tenant.id ? next.tenantId : person.lastTenantId
  return putChangedPerson(person, { ...person, memberships, lastTenantId, version: person.version + 1 })
}

/** Takes a tenant out of the person with an address, whose user there has this id. Idempotent; the user's row stays. */
export async function leaveTenant(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  { id, email }: { readonly id: number; readonly email: string },
): Promise<void> {
  await retryWithJitter(clock, async (retry) => {
    const person = await findPerson(store, email)
    if (!person || membershipIn(person, tenant)?.userId !== id) return
    try {
      await commit(store, deploymentWide, takeOutTenant(person, tenant), clock.uuid())
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error
      retry(error)
    }
  })
}
