import { maxSsoAudiences } from '../../../../kernel/limits/accounts.ts'
import type { Tenant } from '../../../../kernel/tenancy.ts'
import type { SecretBox } from '../../../../platform/secrets/secret-box.ts'
import { readSettings } from '../../../../platform/settings/read-settings.ts'
import { findTenant } from '../../../tenants/find-tenant.ts'
import type { ExternalDependencies } from '../sign-in-external.ts'
import { findProviderTenant } from './provider-claim.ts'

/** An identity provider whose tokens sign in. */
export interface SsoProvider {
  readonly issuer: string
  readonly audience: string
  /** Found by discovery when undefined. */
  readonly jwksUrl: string | undefined
  readonly groupsClaim: string
  /** The tenant whose provider it is; undefined for the provider of the deployment. */
  readonly tenant: Tenant | undefined
}

/** The operator's settings of the provider of the deployment. */
export interface SsoSettings {
  readonly SSO_ISSUER?: string
  readonly SSO_AUDIENCE?: string
  readonly SSO_JWKS_URL?: string
  readonly SSO_GROUPS_CLAIM?: string
}

/** The claim with the groups, unless a setting names another. */
export const usualGroupsClaim = 'groups'

const names = ['SSO_ISSUER', 'SSO_AUDIENCE', 'SSO_JWKS_URL', 'SSO_GROUPS_CLAIM'] as const

/**
 * The provider that a token names in `iss` and `aud`, which nothing has verified yet: they only choose whose keys the
 * token is verified with. Undefined when no provider is configured for them.
 */
export async function findSsoProvider(
  { store, config, settings }: ExternalDependencies & { readonly settings: SsoSettings },
  { iss, aud }: Readonly<Record<string, unknown>>,
): Promise<SsoProvider | undefined> {
  const audiences = (Array.isArray(aud) ? aud : [aud])
    .filter((one) => typeof one === 'string')
    .slice(0, maxSsoAudiences)
  if (typeof iss !== 'string' || audiences.length === 0) return undefined
  if (iss === settings.SSO_ISSUER && settings.SSO_AUDIENCE !== undefined && audiences.includes(settings.SSO_AUDIENCE))
    return {
      issuer: iss,
      audience: settings.SSO_AUDIENCE,
      jwksUrl: settings.SSO_JWKS_URL,
      groupsClaim: settings.SSO_GROUPS_CLAIM ?? usualGroupsClaim,
      tenant: undefined,
    }
  const owner = await findProviderTenant(store, iss, audiences)
  const tenant = owner && (await findTenant(store, owner.id))
  if (!tenant) return undefined
  const own = await readSettings({ config, secrets: noSecrets }, tenant, names)
  if (own.SSO_ISSUER !== iss || !audiences.includes(String(own.SSO_AUDIENCE))) return undefined
  return {
    issuer: iss,
    audience: String(own.SSO_AUDIENCE),
    jwksUrl: own.SSO_JWKS_URL === undefined ? undefined : String(own.SSO_JWKS_URL),
    groupsClaim: String(own.SSO_GROUPS_CLAIM ?? usualGroupsClaim),
    tenant,
  }
}

const noSecrets = (): Promise<SecretBox> => Promise.reject(new Error('these settings are no secrets'))
