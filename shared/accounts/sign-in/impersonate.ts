import { Fault } from '../../kernel/failures/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { findUser, mayImpersonate, type User } from '../people/user.ts'
import { type LoginResult, signIn } from './login.ts'

/**
 * Issues an administrator a token that acts as another user of the tenant, for one hour at most. It ends earlier when
 * one of the two is disabled, gets a new password, or when the administrator is none any more. Throws the fault
 * `impersonation_refused`, for an id without a user too: it may be one of another tenant.
 */
export async function impersonate(
  accounts: AccountDependencies,
  caller: Caller,
  userId: number,
  userAgent: string | undefined,
): Promise<LoginResult & { readonly impersonator: { readonly id: number; readonly name: string } }> {
  const { store } = accounts
  const { tenant } = caller
  const [administrator, user] = await Promise.all([
    findUser(store, tenant, caller.userId),
    findUser(store, tenant, userId),
  ])
  if (!user || !administrator || !mayImpersonate(administrator, user))
    throw new Fault('impersonation_refused', `You may not act as ${refusedAs(user, caller)}.`)
  const { id, name, credentialVersion } = administrator
  const start = { kind: 'impersonation', userAgent, impersonator: { id, credentialVersion } } as const
  return { ...(await signIn(accounts, tenant, user, start)), impersonator: { id, name } }
}

function refusedAs(user: User | undefined, caller: Caller): string {
  if (!user) return 'somebody who is no user of your company'
  if (user.id === caller.userId) return 'yourself'
  if (user.kindOf === 'service') return 'a service user'
  return user.isActive ? 'another administrator' : 'a disabled user'
}
