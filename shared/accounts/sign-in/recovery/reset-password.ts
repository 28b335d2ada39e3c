import { TooManyRequests } from '../../../kernel/failures/faults.ts'
import { log, mayFail } from '../../../kernel/runtime/log.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Store } from '../../../platform/store/store.ts'
import { credentialOf, readAccountLink, unusableLink } from '../../account-mail/account-link.ts'
import { type AccountMailQueue, queueAccountMail } from '../../account-mail/account-mail.ts'
import { recoveries, settle, spend } from '../../attempts/budget.ts'
import { countRequest } from '../../attempts/login-throttle.ts'
import type { AccountDependencies } from '../../dependencies.ts'
import { changeUser } from '../../people/change-user.ts'
import { activeMemberships, byLastUse } from '../../people/membership/active-membership.ts'
import { findPerson } from '../../people/person.ts'

/**
 * Sets the password of the person to whom the link was mailed, which uses the link up, ends all sessions of the person
 * and proves the address. Throws Invalid naming `token` when the link cannot be used (any more), or `password`.
 */
export async function resetPassword(
  accounts: Pick<AccountDependencies, 'store' | 'clock'>,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  const { store } = accounts
  const { email, forCredential, use } = await readAccountLink(accounts, 'password_reset', token)
  const person = await findPerson(store, email)
  const [membership] = person ? await activeMemberships(store, byLastUse(person)) : []
  // Read after the user, so that a password set since then has raised the credential version of the user.
  const current = membership && (await findPerson(store, email))
  if (!membership || !current || credentialOf(current) !== forCredential) throw unusableLink()
  const { tenant, user } = membership
  await changeUser(
    accounts,
    tenant,
    user.id,
    ({ credentialVersion }) => {
      if (credentialVersion !== user.credentialVersion) throw unusableLink()
      return { password, emailVerified: true }
    },
    { also: [use] },
  )
}

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
