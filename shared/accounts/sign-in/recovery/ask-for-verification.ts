import type { Caller } from '../../../kernel/principal.ts'
import { type AccountMailQueue, queueAccountMail } from '../../account-mail/account-mail.ts'
import type { AccountDependencies } from '../../dependencies.ts'
import { countRequest } from '../login-throttle.ts'

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
