import { credentialOf, readAccountLink, unusableLink } from '../../account-mail/account-link.ts'
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
