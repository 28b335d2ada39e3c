import { Unauthenticated } from '../../kernel/faults.ts'
import { mayFail } from '../../kernel/log.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { tenantKey, userKey } from '../../store/keys/auth.ts'
import { deploymentWide } from '../../store/store.ts'
import { verifyPassword } from '../accounts/password.ts'
import { findEmailOwner, readUser, type User } from '../accounts/user.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { readTenant } from '../tenants/tenant.ts'
import { countAttempt } from './login-throttle.ts'
import { issueToken } from './token.ts'

/** The answer to every kind of sign-in (contract §4). */
export interface LoginResult {
  readonly token: string
  readonly user: { readonly id: number; readonly name: string; readonly email: string; readonly roles: string[] }
  readonly tenant: { readonly slug: string; readonly name: string }
}

/**
 * Signs in with e-mail and password. An unknown address, a wrong password and a disabled user take the same steps and
 * throw the same Unauthenticated. Throws TooManyRequests after too many failures.
 */
export async function logIn(
  accounts: AccountDependencies,
  given: { email: string; password: string; sourceIp: string },
): Promise<LoginResult> {
  const { store } = accounts
  const [attempt, owner] = await Promise.all([
    countAttempt(accounts, given.email, given.sourceIp),
    findEmailOwner(store, given.email),
  ])
  const { tenantId, userId } = owner ?? nobody
  const [userItem, tenantItem] = await store.getMany(deploymentWide, [
    userKey({ id: tenantId }, userId),
    tenantKey({ id: tenantId }),
  ])
  const user = userItem && readUser(userItem)
  const matches = await verifyPassword(given.password, user?.passwordHash)
  if (!matches || !user?.isActive || !tenantItem) {
    await mayFail('store the failed attempt', attempt.failed)
    throw new Unauthenticated('wrong_credentials', 'The e-mail address or the password is wrong.')
  }
  const [result] = await Promise.all([
    signIn(accounts, readTenant(tenantItem), user),
    mayFail('reset the failed attempts', attempt.succeeded),
  ])
  return result
}

/** No tenant and no user has the id 0. Reading them takes an unknown address as long as a known one. */
const nobody = { tenantId: 0, userId: 0 }

/** Issues a token to a user whose identity is proved. */
export async function signIn(
  accounts: Pick<AccountDependencies, 'store' | 'clock'>,
  tenant: Tenant,
  user: User,
): Promise<LoginResult> {
  const token = await issueToken(accounts, { tenant, user })
  return {
    token,
    user: { id: user.id, name: user.name, email: user.email, roles: [...user.roles] },
    tenant: { slug: tenant.slug, name: tenant.name },
  }
}
