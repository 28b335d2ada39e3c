import { Invalid } from '../../kernel/failures/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { activeMemberships } from '../people/membership/active-membership.ts'
import { findPerson, membershipIn } from '../people/person.ts'
import { findTenantId } from '../tenants/find-tenant.ts'
import { enterTenant, type LoginResult } from './login.ts'

/**
 * Signs the person behind a session in to another tenant of that person. The token in use stays valid. Throws Invalid
 * naming `tenant`, the same for a tenant that does not exist, without the person, or where the user is disabled.
 */
export async function switchTenant(
  accounts: AccountDependencies,
  caller: Caller,
  slug: string,
  userAgent: string | undefined,
): Promise<LoginResult> {
  const { store } = accounts
  const [person, tenantId] = await Promise.all([
    caller.email === null ? undefined : findPerson(store, caller.email),
    findTenantId(store, slug),
  ])
  const ref = membershipIn(person, { id: tenantId ?? 0 })
  const [membership] = await activeMemberships(store, ref ? [ref] : [])
  if (!person || !membership) throw new Invalid({ tenant: ['You do not belong to a company with this slug.'] })
  return enterTenant(accounts, person, membership, { userAgent, kind: sessionKindOf(caller) })
}

/** Who vouched for the person here does so there too. */
const sessionKindOf = ({ tokenKind }: Caller): 'session' | 'provider_session' =>
  tokenKind === 'provider_session' ? tokenKind : 'session'
