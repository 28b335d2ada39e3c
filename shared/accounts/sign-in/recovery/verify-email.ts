import type { Caller } from '../../../kernel/principal.ts'
import { deploymentWide } from '../../../platform/store/store.ts'
import { commit, StaleRead } from '../../../platform/store/writes/commit.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { readAccountLink, unusableLink } from '../../account-mail/account-link.ts'
import { type AccountMailQueue, queueAccountMail } from '../../account-mail/account-mail.ts'
import { countRequest } from '../../attempts/login-throttle.ts'
import type { AccountDependencies } from '../../dependencies.ts'
import { findPerson, putChangedPerson } from '../../people/person.ts'

/**
 * Notes that the person receives mail at the address, which uses the link up. Throws Invalid naming `token` when the link
 * cannot be used (any more).
 */
export async function verifyEmail(
  { store, clock }: Pick<AccountDependencies, 'store' | 'clock'>,
  token: string,
): Promise<void> {
  const { email, use } = await readAccountLink({ store, clock }, 'email_verification', token)
  await retryWithJitter(clock, async (retry) => {
    const before = await findPerson(store, email)
    if (!before) throw unusableLink()
    const after = { ...before, emailVerified: true, version: before.version + 1 }
    try {
      await commit(store, deploymentWide, [...putChangedPerson(before, after), use], clock.uuid())
    } catch (error) {
      return error instanceof StaleRead ? retry(error) : Promise.reject(error as Error)
    }
  })
}

/**
 * Asks for another mail with a link that verifies the caller's address. A verified address gets none. Throws
 * TooManyRequests after five in 15 minutes.
 */
export async function askForVerification(
  { store, clock, mails }: Pick<AccountDependencies, 'store' | 'clock'> & { readonly mails: AccountMailQueue },
  { email, userId }: Pick<Caller, 'email' | 'userId'>,
  sourceIp: string,
): Promise<void> {
  if (email === null) return
  await countRequest({ store, clock }, `verify ${userId} ${email}`, sourceIp)
  await queueAccountMail(mails, { kind: 'email_verification', email })
}
