import { Invalid } from '../../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../../kernel/tenancy.ts'
import type { SecretBox } from '../../../../platform/secrets/secret-box.ts'
import { makeSecret } from '../../../credentials/token.ts'
import { findFirstTenant, findTenantBySlug } from '../../../tenants/find-tenant.ts'
import { refuseAlike } from '../refused-sign-in.ts'
import type { ExternalDependencies } from '../sign-in-external.ts'
import type { OauthClients } from './oauth-client.ts'
import { findOauthProvider, type OauthProviderName } from './oauth-provider.ts'
import { hashOf, keepState } from './sign-in-rows.ts'

export interface OauthDependencies extends ExternalDependencies {
  readonly secrets: () => Promise<SecretBox>
  readonly clientAt: OauthClients
  /** The base address of the API. */
  readonly publicUrl: string
  /** The base address of the web app. */
  readonly appUrl: string | undefined
}

/** Where the browser goes, and the secret that it has to bring back in a cookie. */
interface Departure {
  readonly location: string
  readonly browserSecret: string
}

/** The address that a provider sends the browser back to. One for all tenants, as it is registered at the provider. */
export const callbackUrl = (publicUrl: string, provider: OauthProviderName): string =>
  `${publicUrl}/api/auth/${provider}/callback`

/**
 * Begins a sign-in at a provider. `tenant` is a slug; in single mode the only tenant when left out. Throws Invalid when
 * the tenant has not set the provider up, and Unauthenticated when the provider does not answer.
 */
export async function beginOauth(
  oauth: OauthDependencies,
  name: OauthProviderName,
  { tenant: slug, redirect }: { readonly tenant?: string; readonly redirect?: string },
): Promise<Departure> {
  const { clock } = oauth
  const tenant = await tenantOf(oauth, slug)
  const provider = tenant && (await findOauthProvider(oauth, tenant, name))
  // An unknown tenant answers the same, so that nobody learns which tenants exist.
  if (!tenant || !provider) throw notConfigured(name)
  const client = await refuseAlike(name, () => oauth.clientAt(provider))
  const openid = await import('openid-client')
  const [state, browserSecret, nonce] = [makeSecret(clock), makeSecret(clock), makeSecret(clock)]
  const verifier = openid.randomPKCECodeVerifier()
  await keepState(oauth, state, {
    provider: name,
    tenantId: tenant.id,
    browserHash: hashOf(browserSecret),
    nonce,
    verifier,
    redirect: redirect ?? null,
  })
  const location = openid.buildAuthorizationUrl(client, {
    redirect_uri: callbackUrl(oauth.publicUrl, name),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return { location: location.href, browserSecret }
}

async function tenantOf({ store, settings }: OauthDependencies, slug: string | undefined): Promise<Tenant | undefined> {
  if (slug !== undefined) return findTenantBySlug(store, slug)
  if (settings.APP_MODE === 'saas') throw new Invalid({ tenant: ['Name the company to sign in to: ?tenant=<slug>.'] })
  return findFirstTenant(store)
}

const notConfigured = (name: OauthProviderName): Invalid =>
  new Invalid({}, { code: 'provider_not_configured', message: `Sign-in with ${name} is not set up.` })
