import { type Caller, isWholePerson } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { tenantKey, userKey } from '../../../platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../../platform/store/store.ts'
import { readTenant } from '../../tenants/tenant-row.ts'
import { findPerson, type MembershipRef, type Person } from '../person.ts'
import { readUser, type User } from '../user.ts'

/** An active user of a tenant. */
export interface ActiveMembership {
  readonly tenant: Tenant
  readonly user: User
}

/** No tenant and no user has the id 0. Reading them takes an unknown person as long as a known one. */
const nobody: MembershipRef = { tenantId: 0, userId: 0 }

/** The memberships whose user is active, in the given order, in one read. */
export async function activeMemberships(
  store: Pick<Store, 'getMany'>,
  refs: readonly MembershipRef[],
): Promise<ActiveMembership[]> {
  const wanted = refs.length === 0 ? [nobody] : refs
  const items = await store.getMany(
    deploymentWide,
    wanted.flatMap(({ tenantId, userId }) => [userKey({ id: tenantId }, userId), tenantKey({ id: tenantId })]),
  )
  return wanted.flatMap((_, index) => {
    const [userItem, tenantItem] = [items[2 * index], items[2 * index + 1]]
    const user = userItem && readUser(userItem)
    return user?.isActive && tenantItem ? [{ user, tenant: readTenant(tenantItem) }] : []
  })
}

/** The memberships of a person, the one last used first. */
export const byLastUse = ({ memberships, lastTenantId }: Person): MembershipRef[] =>
  memberships.toSorted((a, b) => Number(b.tenantId === lastTenantId) - Number(a.tenantId === lastTenantId))

/**
 * The active memberships that the session of a caller may enter: all of the person's, but only the current one when
 * something vouches for this tenant alone.
 */
export async function membershipsOf(
  store: Pick<Store, 'get' | 'getMany'>,
  caller: Caller,
): Promise<ActiveMembership[]> {
  const { tenant, userId, email } = caller
  const person = isWholePerson(caller.tokenKind) && email !== null ? await findPerson(store, email) : undefined
  return activeMemberships(store, person?.memberships ?? [{ tenantId: tenant.id, userId }])
}
