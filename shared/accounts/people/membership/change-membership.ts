import { Invalid } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import { maxMemberships } from '../../../kernel/limits/accounts.ts'
import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { emailKey } from '../../../platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../../platform/store/store.ts'
import { commit, StaleRead, type Step } from '../../../platform/store/writes/commit.ts'
import { atVersion } from '../../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { checkOrgReferences } from '../check-org-references.ts'
import { type NewMembership, newUser, storeNewUser } from '../new-user.ts'
import { findPerson, membershipIn, type Person, putChangedPerson } from '../person.ts'
import { userEvent } from '../user-event.ts'
import type { User } from '../user.ts'

/**
 * Adds a user of a tenant to an existing person, whose next login enters this tenant. `also` joins the transaction; `by`
 * defaults to the new user. Throws Invalid naming `email` when the person is a member already or gave up the address,
 * and `roles.<n>` when a role does not exist.
 */
export async function joinTenant(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  person: Person,
  given: NewMembership,
  { also = [], by }: { readonly also?: readonly Step[]; readonly by?: PrincipalRef } = {},
): Promise<User> {
  await checkOrgReferences(store, tenant, given)
  let current: Person | undefined = person
  return retryWithJitter(clock, async (retry) => {
    const before = (current ??= await findPerson(store, person.email))
    if (!before) throw new Invalid({ email: ['The email has changed.'] })
    if (membershipIn(before, tenant)) throw new Invalid({ email: [say('already_belongs', {})] })
    if (before.memberships.length >= maxMemberships)
      throw new Invalid({ email: [`This person already belongs to ${maxMemberships} companies.`] })
    try {
      return await storeNewUser({ store, clock }, tenant, (id) => {
        const user = newUser(
          id,
          { ...before, mfaEnabled: before.secondFactor?.isConfirmed === true },
          given,
          isoTime(clock.now()),
        )
        const after: Person = {
          ...before,
          memberships: [...before.memberships, { tenantId: tenant.id, userId: id }],
          lastTenantId: tenant.id,
          version: before.version + 1,
        }
        return {
          user,
          also: [
            ...putChangedPerson(before, after),
            ...also,
            { write: userEvent(clock, tenant, by ?? { userId: id }, undefined, user) },
          ],
        }
      })
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error
      current = undefined
      return retry(error)
    }
  })
}

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
