import { createHash } from 'node:crypto'
import { Invalid } from '../../kernel/failures/faults.ts'
import { say } from '../../kernel/failures/sentence.ts'
import { isoTime, type Clock } from '../../kernel/time/clock.ts'
import { accountLinkKey, addressedPartition } from '../../platform/store/keys/auth.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { personEntry } from '../../platform/store/slots.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { Step } from '../../platform/store/writes/commit.ts'
import { exists, isNew } from '../../platform/store/writes/conditions.ts'
import { hashSecret, makeSecret } from '../credentials/token.ts'
import type { Person } from '../people/person.ts'

/** What the secret of a mailed link allows, once. */
export type LinkPurpose = 'password_reset' | 'email_verification'

const hourMs = 3_600_000
const lifeMs: Readonly<Record<LinkPurpose, number>> = { password_reset: hourMs, email_verification: 7 * 24 * hourMs }

interface AccountLink {
  readonly purpose: LinkPurpose
  readonly email: string
  /** `credentialOf` the person when the link was made. A later password ends the link. */
  readonly forCredential: string
  readonly expiresAtMs: number
}

/** Makes a link for a person. Answers its secret, of which only the hash is stored. */
export async function createAccountLink(
  { store, clock }: { readonly store: Pick<Store, 'write'>; readonly clock: Clock },
  purpose: LinkPurpose,
  person: Person,
): Promise<string> {
  const secret = makeSecret(clock)
  const now = clock.now()
  const link = { purpose, email: person.email, forCredential: credentialOf(person), expiresAtMs: now + lifeMs[purpose] }
  await store.write(deploymentWide, { put: linkItem(keyOf(secret), link, now), if: isNew })
  return secret
}

/**
 * The address that a link was mailed to, and the step that uses the link up. Throws Invalid naming `token` when the link
 * is unknown, used, expired or for something else.
 */
export async function readAccountLink(
  { store, clock }: { readonly store: Pick<Store, 'get'>; readonly clock: Pick<Clock, 'now'> },
  purpose: LinkPurpose,
  secret: string,
): Promise<{ readonly email: string; readonly forCredential: string; readonly use: Step }> {
  const key = keyOf(secret)
  const item = await store.get(deploymentWide, key)
  const link = item && readLink(item)
  if (link?.purpose !== purpose || clock.now() >= link.expiresAtMs) throw unusableLink()
  const { email, forCredential } = link
  return { email, forCredential, use: { write: { remove: key, if: exists }, refused: unusableLink } }
}

/** A digest of the stored password, which changes with every new one, also with the same password again. */
export const credentialOf = ({ passwordHash }: Pick<Person, 'passwordHash'>): string =>
  createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')

export const unusableLink = (): Invalid =>
  new Invalid(
    { token: [say('token_used', {})] },
    { code: 'invalid_token', message: 'The link was used or has expired: ask for a new one.' },
  )

const keyOf = (secret: string): Key => accountLinkKey(hashSecret(secret).toString('base64url'))

const linkItem = (key: Key, link: AccountLink, nowMs: number): Item & Key => ({
  ...key,
  kind: 'account_link',
  v: 1,
  purpose: link.purpose,
  email: link.email,
  for_credential: link.forCredential,
  created_at: isoTime(nowMs),
  expires_at_ms: link.expiresAtMs,
  expires_at: Math.ceil(link.expiresAtMs / 1000),
  ...personEntry(addressedPartition(link.email), key),
})

const readLink = (item: Item): AccountLink => ({
  purpose: String(item.purpose) as LinkPurpose,
  email: String(item.email),
  forCredential: String(item.for_credential),
  expiresAtMs: Number(item.expires_at_ms),
})
