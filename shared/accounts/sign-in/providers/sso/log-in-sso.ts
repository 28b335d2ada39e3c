import type { Tenant } from '../../../../kernel/tenancy.ts'
import { activeMemberships, byLastUse } from '../../../people/membership/active-membership.ts'
import { findPerson } from '../../../people/person.ts'
import { findFirstTenant, findTenantBySlug } from '../../../tenants/find-tenant.ts'
import type { LoginResult } from '../../login.ts'
import { domainOwner, readIdentity } from '../identity-claims.ts'
import { refuseAlike, RefusedSignIn } from '../refused-sign-in.ts'
import { type ExternalDependencies, signInExternal } from '../sign-in-external.ts'
import { readCompactToken } from './compact-token.ts'
import { findSsoProvider, type SsoSettings } from './sso-provider.ts'
import { useTokenOnce } from './use-token-once.ts'
import { type VerificationDependencies, verifyToken } from './verify-token.ts'

export type SsoDependencies = ExternalDependencies & VerificationDependencies & { readonly settings: SsoSettings }

/**
 * Signs in with a JWT of the identity provider of a tenant or of the deployment. Throws Unauthenticated, the same for
 * everything that may be wrong.
 */
export const logInSso = (
  services: SsoDependencies,
  { token, userAgent }: { readonly token: string; readonly userAgent: string | undefined },
): Promise<LoginResult> =>
  refuseAlike('sso', async () => {
    const unverified = readCompactToken(token)
    if (!unverified) throw new RefusedSignIn('it is no signed token in compact form')
    const provider = await findSsoProvider(services, unverified.claims)
    if (!provider) throw new RefusedSignIn('no provider is configured for its issuer and audience')
    const claims = await verifyToken(services, provider, token)
    const identity = readIdentity(provider.issuer, claims, provider.groupsClaim)
    if (!identity) throw new RefusedSignIn('it has no valid e-mail address')
    const tenant = provider.tenant ?? (await tenantOf(services, identity.email))
    if (!tenant) throw new RefusedSignIn('the address belongs to no tenant')
    await useTokenOnce(services, provider.issuer, claims)
    return signInExternal(services, tenant, identity, {
      authority: provider.tenant ? 'tenant' : 'deployment',
      userAgent,
    })
  })

/**
 * The tenant that the provider of the deployment signs an address in to: the only one in single mode, else the one that
 * the person last used, else the one with the domain.
 */
async function tenantOf({ store, settings }: SsoDependencies, email: string): Promise<Tenant | undefined> {
  if (settings.APP_MODE === 'single') return findFirstTenant(store)
  const person = await findPerson(store, email)
  const [membership] = person ? await activeMemberships(store, byLastUse(person)) : []
  if (membership) return membership.tenant
  const slug = domainOwner(settings, email)
  return slug === undefined ? undefined : findTenantBySlug(store, slug)
}
