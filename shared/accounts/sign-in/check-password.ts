import { mayFail } from '../../kernel/runtime/log.ts'
import type { AccountDependencies } from '../dependencies.ts'
import type { Person } from '../people/person.ts'
import { countAttempt } from './login-throttle.ts'
import { verifyPassword } from './passwords/password.ts'

/** Checks a person's password, throttled like a login. Throws what `wrong` makes, and TooManyRequests. */
export async function checkPassword(
  accounts: Pick<AccountDependencies, 'store' | 'clock'>,
  { email, passwordHash }: Pick<Person, 'email' | 'passwordHash'>,
  password: string,
  sourceIp: string,
  wrong: () => Error,
): Promise<void> {
  const attempt = await countAttempt(accounts, email, sourceIp)
  if (!(await verifyPassword(password, passwordHash))) {
    await mayFail('store the failed attempt', attempt.failed)
    throw wrong()
  }
  await mayFail('reset the failed attempts', attempt.succeeded)
}
