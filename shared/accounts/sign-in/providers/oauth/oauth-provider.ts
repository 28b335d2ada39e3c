import { NotFound } from '../../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../../kernel/tenancy.ts'
import type { SecretBox } from '../../../../platform/secrets/secret-box.ts'
import { readSettings } from '../../../../platform/settings/read-settings.ts'
import type { Config } from '../../../../platform/store/config.ts'
import type { Authority } from '../sign-in-external.ts'
import { usualGroupsClaim } from '../sso/sso-provider.ts'

/** What a tenant has set up at a provider. */
export interface OauthProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly authority: Authority
  /** The claim with the groups of a person; left out where groups give nothing. */
  readonly groupsClaim?: string
}

/** Google proves addresses of everybody, and no administrator of a tenant can make it say something else. */
const publicIssuer = 'https://accounts.google.com'

const namesOf = {
  google: ['OAUTH_GOOGLE_ISSUER', 'OAUTH_GOOGLE_CLIENT_ID', 'OAUTH_GOOGLE_CLIENT_SECRET'],
  microsoft: ['OAUTH_MICROSOFT_ISSUER', 'OAUTH_MICROSOFT_CLIENT_ID', 'OAUTH_MICROSOFT_CLIENT_SECRET'],
  // The audience of an ID token is the client (OpenID Connect Core §2). Without a secret only its tokens sign in.
  sso: ['SSO_ISSUER', 'SSO_AUDIENCE', 'SSO_CLIENT_SECRET', 'SSO_GROUPS_CLAIM'],
} as const
/** A directory at Microsoft has an issuer of its own. */
const usualIssuer = { google: publicIssuer, microsoft: undefined, sso: undefined }

/** The provider as a tenant has set it up; undefined when something is missing. */
export async function findOauthProvider(
  services: { readonly config: Pick<Config, 'list'>; readonly secrets: () => Promise<SecretBox> },
  tenant: Tenant,
  name: OauthProviderName,
): Promise<OauthProvider | undefined> {
  const values = await readSettings(services, tenant, namesOf[name])
  const [issuer, clientId, clientSecret, groupsClaim] = namesOf[name].map((one) => values[one]?.toString())
  const used = issuer ?? usualIssuer[name]
  if (used === undefined || clientId === undefined || clientSecret === undefined) return undefined
  return {
    issuer: used,
    clientId,
    clientSecret,
    authority: name !== 'sso' && used === publicIssuer ? 'public' : 'tenant',
    ...(name === 'sso' && { groupsClaim: groupsClaim ?? usualGroupsClaim }),
  }
}

/** The providers that people sign in at with their browser. `sso`: the identity provider of the company itself. */
export const oauthProviderNames = ['google', 'microsoft', 'sso'] as const
export type OauthProviderName = (typeof oauthProviderNames)[number]

/** Throws NotFound for any other name. */
export function requireOauthProvider(name: string): OauthProviderName {
  const known = oauthProviderNames.find((one) => one === name)
  if (!known) throw new NotFound('provider', { name })
  return known
}
