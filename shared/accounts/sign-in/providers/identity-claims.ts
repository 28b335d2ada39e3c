import * as z from 'zod'
import { maxIdentityGroups, maxIdentityTextCharacters } from '../../../kernel/limits/accounts.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Store } from '../../../platform/store/store.ts'
import { EmailAddress } from '../../account-fields.ts'
import { findFirstTenant } from '../../tenants/find-tenant.ts'
import { RefusedSignIn } from './refused-sign-in.ts'

/** Who signs in, as an identity provider says. */
export interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
  /** In lower case. */
  readonly email: string
  /** undefined when the provider does not say. */
  readonly emailVerified: boolean | undefined
  readonly name: string
  /** undefined when the provider knows no groups. */
  readonly groups?: readonly string[]
}

/** Some providers send booleans as texts or numbers; whatever is not clearly true is false. */
const Verified = z.unknown().transform((value) => [true, 'true', 1, '1'].includes(value as string))
const Text = z.string().trim().min(1).max(maxIdentityTextCharacters)

const IdentityClaims = z.object({
  sub: z.string().min(1).max(maxIdentityTextCharacters),
  email: EmailAddress,
  email_verified: Verified.optional(),
  /** Microsoft: the directory has verified that it owns the domain of the address. */
  xms_edov: Verified.optional(),
  name: Text.optional().catch(undefined),
  given_name: Text.optional().catch(undefined),
  family_name: Text.optional().catch(undefined),
})

const Groups = z.union([z.array(z.string()), z.string().transform((one) => [one])]).catch([])

/** The identity in the claims of a verified token; undefined without a subject or a valid e-mail address. */
export function readIdentity(
  issuer: string,
  claims: Readonly<Record<string, unknown>>,
  groupsClaim?: string,
): ExternalIdentity | undefined {
  const parsed = IdentityClaims.safeParse(claims)
  if (!parsed.success) return undefined
  const { sub, email, name, given_name, family_name } = parsed.data
  const said = [claims.email_verified, claims.xms_edov].some((claim) => claim !== undefined)
  const isVerified = parsed.data.email_verified === true || parsed.data.xms_edov === true
  const denied = claims.email_verified !== undefined && parsed.data.email_verified === false
  return {
    issuer,
    subject: sub,
    email,
    emailVerified: said ? isVerified && !denied : undefined,
    name: name ?? ([given_name, family_name].filter(Boolean).join(' ') || (email.split('@', 1)[0] as string)),
    ...(groupsClaim !== undefined && { groups: Groups.parse(claims[groupsClaim] ?? []).slice(0, maxIdentityGroups) }),
  }
}

/** How far the clocks of provider and service may differ. */
export const clockSkewSeconds = 60

/** Claims of a token whose signature, issuer and audience were verified. */
interface Claims {
  readonly aud?: unknown
  readonly azp?: unknown
  readonly iat?: number
}

/**
 * Checks that a token was issued to `clientId` and not in the future (OpenID Connect Core §3.1.3.7): for several audiences
 * it names its authorized party, and whenever it does, that is us. Throws RefusedSignIn.
 */
export function checkClaims({ aud, azp, iat }: Claims, clientId: string, nowMs: number): void {
  if (azp === undefined && Array.isArray(aud) && aud.length > 1)
    throw new RefusedSignIn('it has several audiences, and names no authorized party (azp)')
  if (azp !== undefined && azp !== clientId) throw new RefusedSignIn('its authorized party (azp) is another client')
  if (iat !== undefined && iat > nowMs / 1000 + clockSkewSeconds) throw new RefusedSignIn('it was issued in the future')
}

/** The operator's settings that decide which addresses belong to which tenant (docs/decisions/0050). */
export interface DomainSettings {
  readonly APP_MODE: 'single' | 'saas'
  /** Slugs of tenants by domain. */
  readonly SSO_DOMAINS?: ReadonlyMap<string, string>
}

/** The slug of the tenant that the domain of an address belongs to. */
export const domainOwner = ({ SSO_DOMAINS }: DomainSettings, email: string): string | undefined =>
  SSO_DOMAINS?.get(email.slice(email.lastIndexOf('@') + 1))

/**
 * Whether the address is in a verified domain of the tenant. The only tenant of a deployment in single mode has every
 * domain, unless the operator named some.
 */
export async function ownsDomain(
  store: Pick<Store, 'get'>,
  settings: DomainSettings,
  tenant: Tenant,
  email: string,
): Promise<boolean> {
  if (settings.SSO_DOMAINS || settings.APP_MODE === 'saas') return domainOwner(settings, email) === tenant.slug
  return (await findFirstTenant(store))?.id === tenant.id
}
