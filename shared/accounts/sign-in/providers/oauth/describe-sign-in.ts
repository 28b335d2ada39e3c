import { findFirstTenant, findTenantBySlug } from '../../../tenants/find-tenant.ts'
import type { OauthDependencies } from './begin-oauth.ts'
import { findOauthProvider, type OauthProviderName, oauthProviderNames } from './oauth-provider.ts'

/** The providers that a tenant has set up: the one with the slug, in single mode the only one. */
export async function describeSignIn(oauth: OauthDependencies, slug: string | undefined): Promise<OauthProviderName[]> {
  const { store, settings } = oauth
  if (slug === undefined && settings.APP_MODE === 'saas') return []
  const tenant = await (slug === undefined ? findFirstTenant(store) : findTenantBySlug(store, slug))
  if (!tenant) return []
  const found = await Promise.all(
    oauthProviderNames.map(async (name) => ((await findOauthProvider(oauth, tenant, name)) ? [name] : [])),
  )
  return found.flat()
}
