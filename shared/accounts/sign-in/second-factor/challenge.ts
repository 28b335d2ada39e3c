import { Unauthenticated } from '../../../kernel/failures/faults.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { mfaChallengeKey, ownedPartition } from '../../../platform/store/keys/auth.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { personEntry } from '../../../platform/store/slots.ts'
import { deploymentWide, type Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Step } from '../../../platform/store/writes/commit.ts'
import { below, exists, isNew } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { hashSecret, makeSecret } from '../../credentials/token.ts'
import type { ActiveMembership } from '../../people/membership/active-membership.ts'

const lifeMs = 5 * 60_000
/** Of one challenge; the codes of an account are throttled as well. */
const allowedCodes = 5

/** A sign-in whose password was right, and which waits for a code. */
export interface Challenge {
  readonly email: string
  readonly tenantId: number
  readonly userId: number
  /** Of the user when the password was right: a later one ends the sign-in. */
  readonly credentialVersion: number
}

/** What a sign-in answers in place of a token when the person has a second factor. */
export interface MfaChallenge {
  readonly mfa_required: true
  readonly mfa_token: string
}

/** Starts the second step of a sign-in. Only the answer has the secret; the row has its hash. */
export async function challengeUser(
  { store, clock }: { readonly store: Pick<Store, 'write'>; readonly clock: Clock },
  { tenant, user }: ActiveMembership,
): Promise<MfaChallenge> {
  const secret = makeSecret(clock)
  const endsAtMs = clock.now() + lifeMs
  const key = keyOf(secret)
  const put = {
    ...key,
    kind: 'mfa_challenge',
    v: 1,
    email: user.email,
    tenant_id: tenant.id,
    user_id: user.id,
    credential_version: user.credentialVersion,
    codes: 0,
    ends_at_ms: endsAtMs,
    expires_at: Math.ceil(endsAtMs / 1000),
    ...personEntry(ownedPartition(tenant, user.id), key),
  }
  await store.write(deploymentWide, { put, if: isNew })
  return { mfa_required: true, mfa_token: secret }
}

/**
 * Counts a code for a challenge before it is checked, so that concurrent requests cannot try more than five. Answers the
 * challenge and the step that uses it up. Throws Unauthenticated when it is unknown, used or expired, or got five codes.
 */
export async function openChallenge(
  { store, clock }: { readonly store: Pick<Store, 'get' | 'write'>; readonly clock: Pick<Clock, 'now'> },
  secret: string,
): Promise<{ readonly challenge: Challenge; readonly use: Step }> {
  const key = keyOf(secret)
  const item = await store.get(deploymentWide, key)
  if (!item || clock.now() >= Number(item.ends_at_ms)) throw endedChallenge()
  const count = {
    update: key,
    change: { expression: 'ADD codes :one', values: { ':one': 1 } },
    // A challenge that was used has no row, and no codes either.
    if: below('codes', allowedCodes),
  }
  if (!(await wasApplied(store.write(deploymentWide, count)))) throw endedChallenge()
  return { challenge: readChallenge(item), use: { write: { remove: key, if: exists }, refused: endedChallenge } }
}

export const endedChallenge = (): Unauthenticated =>
  new Unauthenticated('unauthenticated', 'This sign-in has expired or was used: start again with your password.')

const keyOf = (secret: string): Key => mfaChallengeKey(hashSecret(secret).toString('base64url'))

const readChallenge = (item: Item): Challenge => ({
  email: String(item.email),
  tenantId: Number(item.tenant_id),
  userId: Number(item.user_id),
  credentialVersion: Number(item.credential_version),
})
