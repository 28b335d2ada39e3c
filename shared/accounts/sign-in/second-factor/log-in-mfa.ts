import { Unauthenticated } from '../../../kernel/failures/faults.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import { countAttempt } from '../../attempts/login-throttle.ts'
import { activeMemberships } from '../../people/membership/active-membership.ts'
import { findPerson } from '../../people/person.ts'
import { enterTenant, type LoginResult } from '../login.ts'
import { endedChallenge, openChallenge } from './challenge.ts'
import { type CodeDependencies, useCode } from './use-code.ts'

/** What the codes of an account are throttled by, apart from its passwords. */
export const throttledCodes = (email: string): string => `codes of ${email}`

/**
 * The second step of a sign-in: a code of the authenticator app, or a recovery code. Throws Unauthenticated for a wrong
 * or used code, and when the sign-in has expired, was used, got five codes, or the credentials changed since; and
 * TooManyRequests.
 */
export async function logInMfa(
  dependencies: CodeDependencies,
  given: {
    readonly mfa_token: string
    readonly code: string
    readonly sourceIp: string
    readonly userAgent: string | undefined
  },
): Promise<LoginResult> {
  const { store } = dependencies
  const { challenge, use } = await openChallenge(dependencies, given.mfa_token)
  const { email, tenantId, userId, credentialVersion } = challenge
  const [membership] = await activeMemberships(store, [{ tenantId, userId }])
  if (membership?.user.credentialVersion !== credentialVersion) throw endedChallenge()
  const attempt = await countAttempt(dependencies, throttledCodes(email), given.sourceIp)
  if (!(await useCode(dependencies, email, given.code, [use]))) {
    await mayFail('store the failed attempt', attempt.failed)
    throw new Unauthenticated('wrong_code', 'The code is wrong or was used before.')
  }
  const person = await findPerson(store, email)
  if (!person) throw endedChallenge()
  const [result] = await Promise.all([
    enterTenant(dependencies, person, membership, { userAgent: given.userAgent }),
    mayFail('reset the failed attempts', attempt.succeeded),
  ])
  return result
}
