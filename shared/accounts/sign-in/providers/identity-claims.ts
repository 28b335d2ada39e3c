import * as z from 'zod'
import { maxIdentityGroups, maxIdentityTextCharacters } from '../../../kernel/limits/accounts.ts'
import { EmailAddress } from '../../account-fields.ts'

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
