import { Forbidden } from '../../kernel/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import { findPerson } from '../accounts/person.ts'
import type { AccountDependencies } from '../dependencies.ts'

/** Throws Forbidden unless the caller is a person whose e-mail address is verified. */
export async function requireVerifiedEmail(
  { store }: Pick<AccountDependencies, 'store'>,
  { email }: Pick<Caller, 'email'>,
): Promise<void> {
  const person = email === null ? undefined : await findPerson(store, email)
  if (!person?.emailVerified)
    throw new Forbidden('email_unverified', 'Verify your e-mail address first: follow the link in the mail to it.')
}
