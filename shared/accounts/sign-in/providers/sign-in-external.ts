import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxIdentities } from '../../../kernel/limits/accounts.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { deploymentWide } from '../../../platform/store/store.ts'
import { commit, StaleRead } from '../../../platform/store/writes/commit.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { AccountDependencies } from '../../dependencies.ts'
import { createUser } from '../../people/create-user.ts'
import type { ActiveMembership } from '../../people/membership/active-membership.ts'
import { joinTenant } from '../../people/membership/change-membership.ts'
import { findPerson, membershipIn, type Person, putChangedPerson } from '../../people/person.ts'
import { findUser, type User } from '../../people/user.ts'
import { administratorRole, defaultRole, ordinaryRole } from '../../roles/role.ts'
import { enterTenant, type LoginResult } from '../login.ts'
import { applyGroups } from './groups/group-grants.ts'
import { type DomainSettings, type ExternalIdentity, ownsDomain } from './identity-claims.ts'
import { RefusedSignIn } from './refused-sign-in.ts'

export interface ExternalDependencies extends AccountDependencies {
  readonly settings: DomainSettings
}

/**
 * Who vouches for the address. The provider of a tenant, which its administrators choose, signs in only addresses of
 * the tenant's verified domains. The provider of the deployment and a public one (Google) also sign in members of the
 * tenant with any address.
 */
export type Authority = 'tenant' | 'deployment' | 'public'

/** What a session is good for when a provider with this authority vouches for the person. */
export type VouchedKind = 'provider_session' | 'tenant_session'
const kindOfAuthority: Readonly<Record<Authority, VouchedKind>> = {
  tenant: 'tenant_session',
  deployment: 'provider_session',
  public: 'provider_session',
}

/** Somebody who may sign in to a tenant. */
export interface Admission extends ActiveMembership {
  readonly person: Person
  readonly kind: VouchedKind
}

/** Signs in who an identity provider has identified. Throws RefusedSignIn. */
export async function signInExternal(
  accounts: ExternalDependencies,
  tenant: Tenant,
  identity: ExternalIdentity,
  { authority, userAgent }: { readonly authority: Authority; readonly userAgent: string | undefined },
): Promise<LoginResult> {
  const admission = await admitExternal(accounts, tenant, identity, authority)
  return enterTenant(accounts, admission.person, admission, { kind: admission.kind, userAgent })
}

/**
 * Finds the account of who an identity provider has identified. The first time it is created, or the one with the
 * address is linked; the groups are applied every time. Throws RefusedSignIn.
 */
export async function admitExternal(
  accounts: ExternalDependencies,
  tenant: Tenant,
  identity: ExternalIdentity,
  authority: Authority,
): Promise<Admission> {
  const { store, settings } = accounts
  const { email, emailVerified, groups } = identity
  if (emailVerified === false) throw new RefusedSignIn('the provider has not verified the address')
  const isOwn = await ownsDomain(store, settings, tenant, email)
  const { person, user } = await retryWithJitter(accounts.clock, async (retry) => {
    try {
      return await findOrCreate(accounts, tenant, identity, { isOwn, authority })
    } catch (error) {
      // Another request has created or changed the account.
      return error instanceof StaleRead || error instanceof Invalid ? retry(error) : Promise.reject(error as Error)
    }
  })
  if (!user.isActive) throw new RefusedSignIn('the user is disabled')
  const current = groups === undefined ? user : await applyGroups(accounts, tenant, user.id, groups)
  return { person, tenant, user: current, kind: kindOfAuthority[authority] }
}

async function findOrCreate(
  accounts: ExternalDependencies,
  tenant: Tenant,
  identity: ExternalIdentity,
  { isOwn, authority }: { readonly isOwn: boolean; readonly authority: Authority },
): Promise<{ person: Person; user: User }> {
  const { store } = accounts
  const { name, email } = identity
  const person = await findPerson(store, email)
  const membership = membershipIn(person, tenant)
  if (!isOwn && (authority === 'tenant' || !membership))
    throw new RefusedSignIn('the address is in no verified domain of the tenant')
  if (!membership && tenant.deleteAt !== undefined) throw new RefusedSignIn('the tenant is deleted')
  if (!person) {
    const user = await createUser(accounts, tenant, {
      name,
      email,
      roles: await rolesOfNewUsers(accounts, tenant),
      emailVerified: true,
      identities: [identityOf(identity)],
    })
    return { person: (await findPerson(store, email)) as Person, user }
  }
  refuseTakeover(person, identity)
  // Somebody may have registered with an address of somebody else. Whoever knows that password must not get in here.
  if (!membership && !person.emailVerified) throw new RefusedSignIn('the address of the account is not verified')
  const linked = await link(accounts, person, identity)
  const user = membership
    ? await findUser(store, tenant, membership.userId)
    : await joinTenant(accounts, tenant, linked, { roles: await rolesOfNewUsers(accounts, tenant) })
  if (!user) throw new RefusedSignIn('the user is gone')
  return { person: linked, user }
}

/** Throws RefusedSignIn when the address now belongs to another account of the provider, unless that one proved it. */
function refuseTakeover({ identities }: Person, { issuer, subject, emailVerified }: ExternalIdentity): void {
  const known = identities.filter((one) => one.issuer === issuer)
  if (known.length > 0 && !known.some((one) => one.subject === subject) && emailVerified !== true)
    throw new RefusedSignIn('the address belongs to another account of the provider')
}

/** Notes the account at the provider with the person. Throws StaleRead. */
async function link(accounts: AccountDependencies, person: Person, identity: ExternalIdentity): Promise<Person> {
  const { issuer, subject } = identity
  if (person.identities.some((one) => one.issuer === issuer && one.subject === subject)) return person
  const linked: Person = {
    ...person,
    emailVerified: person.emailVerified || identity.emailVerified === true,
    identities: [...person.identities, identityOf(identity)].slice(-maxIdentities),
    version: person.version + 1,
  }
  await commit(accounts.store, deploymentWide, putChangedPerson(person, linked), accounts.clock.uuid())
  return linked
}

const identityOf = ({ issuer, subject }: ExternalIdentity) => ({ issuer, subject })

/** Like a registration, a first sign-in never makes an administrator, whatever DEFAULT_ROLE says. */
async function rolesOfNewUsers({ config }: AccountDependencies, tenant: Tenant): Promise<string[]> {
  const role = await defaultRole(config, tenant)
  return [role === administratorRole ? ordinaryRole : role]
}
