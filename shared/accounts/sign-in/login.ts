import { Unauthenticated } from '../../kernel/failures/faults.ts'
import { addToLogScope, mayFail } from '../../kernel/runtime/log.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { failedAccounts, knownFailedAccounts, settle, spend } from '../attempts/budget.ts'
import { countAttempt } from '../attempts/login-throttle.ts'
import { verifyPassword } from '../credentials/password.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { type ActiveMembership, activeMemberships, byLastUse } from '../people/membership/active-membership.ts'
import { findPerson, membershipIn, type Person, rememberTenant } from '../people/person.ts'
import type { User } from '../people/user.ts'
import { issueToken, type SessionStart } from '../sessions/issue-token.ts'
import { findTenantId } from '../tenants/find-tenant.ts'
import { maySignIn, refuseSignIn } from '../tenants/refuse-sign-in.ts'
import { challengeUser, type MfaChallenge } from './second-factor/challenge.ts'

/** The answer to every kind of sign-in (contract §4). */
export interface LoginResult {
  readonly token: string
  readonly user: { readonly id: number; readonly name: string; readonly email: string | null; readonly roles: string[] }
  readonly tenant: { readonly slug: string; readonly name: string }
}

/**
 * Signs in with e-mail and password: to the tenant with the slug `tenant`, else to the one last used where the user is
 * active. An unknown address, a wrong password, a disabled user and a tenant without the person take the same steps and
 * throw the same Unauthenticated. A person with a second factor gets a challenge in place of a token. Throws
 * TooManyRequests after too many failures, and `tenant_deleted`.
 */
export async function logIn(
  accounts: AccountDependencies,
  given: { email: string; password: string; tenant?: string; sourceIp: string; userAgent?: string },
): Promise<LoginResult | MfaChallenge> {
  const { store } = accounts
  const [attempt, person, tenantId] = await Promise.all([
    countLogin(accounts, given.email, given.sourceIp),
    findPerson(store, given.email),
    given.tenant === undefined ? undefined : findTenantId(store, given.tenant),
  ])
  const named = given.tenant === undefined ? undefined : membershipIn(person, { id: tenantId ?? 0 })
  const refs = given.tenant === undefined ? (person ? byLastUse(person) : []) : named ? [named] : []
  const [matches, memberships] = await Promise.all([
    verifyPassword(given.password, person?.passwordHash),
    activeMemberships(store, refs),
  ])
  const membership = entered(accounts.clock, memberships)
  if (!matches || !membership || !person) {
    await mayFail('store the failed attempt', attempt.failed)
    throw new Unauthenticated('wrong_credentials', 'The e-mail address or the password is wrong.')
  }
  const [result] = await Promise.all([
    person.secondFactor?.isConfirmed
      ? challengeUser(accounts, membership)
      : enterTenant(accounts, person, membership, given),
    mayFail('reset the failed attempts', attempt.succeeded),
  ])
  return result
}

/** The first tenant that is not deleted, else one that the person may restore, else the first. */
const entered = (clock: Pick<Clock, 'now'>, memberships: readonly ActiveMembership[]): ActiveMembership | undefined =>
  memberships.find(({ tenant }) => tenant.deleteAt === undefined) ??
  memberships.find(({ tenant, user }) => maySignIn(clock, tenant, user)) ??
  memberships[0]

/** Signs a person in to one of its tenants, which the next login without a tenant enters too. */
export async function enterTenant(
  accounts: Pick<AccountDependencies, 'store' | 'clock'>,
  person: Person,
  { tenant, user }: ActiveMembership,
  { kind, userAgent }: Pick<SessionStart, 'kind' | 'userAgent'>,
): Promise<LoginResult> {
  const [result] = await Promise.all([
    signIn(accounts, tenant, user, { kind, userAgent }),
    person.lastTenantId === tenant.id ||
      mayFail('remember the tenant', () => accounts.store.write(deploymentWide, rememberTenant(person, tenant))),
  ])
  return result
}

/**
 * Issues a token to a user whose identity is proved. A provider that belongs to the tenant proves it for this tenant only:
 * `tenant_session`. To a deleted tenant only administrators sign in, who can restore it:
 * throws `tenant_deleted` for everybody else.
 */
export async function signIn(
  accounts: Pick<AccountDependencies, 'store' | 'clock'>,
  tenant: Tenant,
  user: User,
  start: SessionStart,
): Promise<LoginResult> {
  addToLogScope({ tenant_id: tenant.id, tenant: tenant.slug })
  refuseSignIn(accounts.clock, tenant, user)
  const token = await issueToken(accounts, { tenant, user }, start)
  return {
    token,
    user: { id: user.id, name: user.name, email: user.email, roles: [...user.roles] },
    tenant: { slug: tenant.slug, name: tenant.name },
  }
}

/** For how long an account that signed in is known on its network. */
const knownForMs = 30 * 24 * 3_600_000

/** A login that was counted. Call one of its functions with the outcome. */
interface CountedLogin {
  succeeded(): Promise<void>
  failed(): Promise<void>
}

/**
 * Counts a login against its account and against its network, so that nobody tries a password on many accounts. The
 * network counts an account once in 15 minutes, and not when the login succeeds after all. An account that signed in from
 * the network in the last 30 days is counted apart from those that did not. Throws TooManyRequests.
 */
export async function countLogin(
  dependencies: { store: Pick<Store, 'get' | 'update' | 'write'>; clock: Clock },
  email: string,
  sourceIp: string,
): Promise<CountedLogin> {
  const attempt = await countAttempt(dependencies, email, sourceIp)
  const { firstAtMs, isFirst, isKnown } = attempt
  const budget = isKnown ? knownFailedAccounts : failedAccounts
  if (isFirst) {
    try {
      await spend(dependencies, budget, sourceIp, firstAtMs)
    } catch (error) {
      await mayFail('forget a login that was not tried', () => attempt.succeeded())
      throw error
    }
  }
  const settleWith = (given: { readonly giveBackAtMs?: number }): Promise<void> =>
    settle(dependencies, budget, sourceIp, { ...given, isSettled: !isFirst })
  return {
    async succeeded() {
      const wasReset = await attempt.succeeded(knownForMs)
      await settleWith(wasReset ? { giveBackAtMs: firstAtMs } : {})
    },
    async failed() {
      await Promise.all([attempt.failed(), settleWith({})])
    },
  }
}

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
