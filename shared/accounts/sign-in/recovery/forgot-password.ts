import { TooManyRequests } from '../../../kernel/failures/faults.ts'
import { log, mayFail } from '../../../kernel/runtime/log.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type AccountMailQueue, queueAccountMail } from '../../account-mail/account-mail.ts'
import { recoveries, settle, spend } from '../budget.ts'
import { countRequest } from '../login-throttle.ts'

/**
 * Asks for a mail with a link to set a new password. Whether the address has an account is found out in the background,
 * so answer and time tell nothing. What is asked for too often is dropped, which the answer does not tell either.
 */
export async function forgotPassword(
  { store, clock, mails }: { readonly store: Store; readonly clock: Clock; readonly mails: AccountMailQueue },
  { email, sourceIp }: { readonly email: string; readonly sourceIp: string },
): Promise<void> {
  try {
    await countRequest({ store, clock }, `forgot password ${email}`, sourceIp)
    await spend({ store, clock }, recoveries, sourceIp, clock.now())
    await mayFail('settle a counted request', () => settle({ store }, recoveries, sourceIp, {}))
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error
    return log.warn('a request for a new password was dropped: too many')
  }
  await queueAccountMail(mails, { kind: 'password_reset', email })
}
