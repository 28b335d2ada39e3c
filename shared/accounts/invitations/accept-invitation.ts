import type * as z from 'zod'
import { Forbidden, Invalid } from '../../kernel/failures/faults.ts'
import { type Problem, say } from '../../kernel/failures/sentence.ts'
import { type Caller, isWholePerson } from '../../kernel/principal.ts'
import { parseInput } from '../../platform/http/routing/input/parse-input.ts'
import { invitationKey } from '../../platform/store/keys/auth.ts'
import { configKey } from '../../platform/store/keys/configuration.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Step } from '../../platform/store/writes/commit.ts'
import { exists } from '../../platform/store/writes/conditions.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { changeUser, type UserChanges } from '../people/change-user.ts'
import { createUser } from '../people/create-user.ts'
import { joinTenant } from '../people/membership/change-membership.ts'
import { findPerson, membershipIn, type Person } from '../people/person.ts'
import type { User } from '../people/user.ts'
import { checkPassword, type LoginResult, signIn } from '../sign-in/login.ts'
import { challengeUser, type MfaChallenge } from '../sign-in/second-factor/challenge.ts'
import { secretKeyOf } from './invitation-row.ts'
import { type JoinBody, NewAccountBody } from './invitation-schema.ts'
import { needsAccount, openInvitation, type OpenInvitation, unknownInvitation } from './open-invitation.ts'

/** What the invited person sees before accepting. Throws NotFound as `openInvitation` does. */
export async function describeInvitation(accounts: Pick<AccountDependencies, 'store' | 'clock'>, secret: string) {
  const opened = await openInvitation(accounts, secret)
  const { invitation, tenant, inviter } = opened
  return {
    email: invitation.email,
    roles: [...invitation.roles],
    tenant: { slug: tenant.slug, name: tenant.name },
    invited_by: inviter?.name ?? null,
    has_account: needsAccount(opened),
  }
}

/** A request to accept an invitation. */
export interface Acceptance {
  readonly body: z.output<typeof JoinBody>
  /** Who the bearer token belongs to, if one was sent. */
  readonly caller?: Caller
  readonly sourceIp: string
  readonly userAgent?: string
}

/**
 * Accepts an invitation, which is used up by it, and signs in; with a challenge in place of a token where a password login
 * would ask for a code. Creates an account for the address; an existing one joins
 * with its password or the token of a session. Throws NotFound as `openInvitation` does, Invalid naming `password` or
 * what a new account lacks, Forbidden for the token of somebody else, and TooManyRequests.
 */
export async function acceptInvitation(
  accounts: AccountDependencies,
  secret: string,
  given: Acceptance,
): Promise<LoginResult | MfaChallenge> {
  const opened = await openInvitation(accounts, secret)
  const { invitation, tenant } = opened
  const roles = await existingRoles(accounts.store, opened)
  const use: Step[] = [
    { write: { remove: invitationKey(tenant, invitation.id), if: exists }, refused: unknownInvitation },
    { write: { remove: secretKeyOf(secret) } },
  ]
  const user = needsAccount(opened)
    ? await joinWithAccount(accounts, opened, given, roles, use)
    : await joinWithNewPassword(accounts, opened, given, roles, use)
  // A session has passed the second factor already; the password alone has not.
  if (user.mfaEnabled && !given.caller) return challengeUser(accounts, { tenant, user })
  return signIn(accounts, tenant, user, { userAgent: given.userAgent })
}

/**
 * Creates the account; or, when the operator invited, gives the user of the tenant a new name and password, and removes the
 * second factor: this is the last way back in.
 */
async function joinWithNewPassword(
  accounts: AccountDependencies,
  { invitation: { email }, tenant, user }: OpenInvitation,
  { body, caller }: Acceptance,
  roles: readonly string[],
  use: readonly Step[],
): Promise<User> {
  if (caller) throw ofAnotherAddress()
  const { name, password } = parseInput(NewAccountBody, { ...body })
  if (user)
    return changeInvited(
      accounts,
      { tenant, user },
      { name, password, mfa: { before: 'any', after: null } },
      roles,
      use,
    )
  return createUser(accounts, tenant, { name, password, email, roles }, { also: use, emailIsFree: true })
}

async function joinWithAccount(
  accounts: AccountDependencies,
  opened: OpenInvitation,
  given: Acceptance,
  roles: readonly string[],
  use: readonly Step[],
): Promise<User> {
  const { tenant, user } = opened
  const person = opened.person as Person
  await proveIdentity(accounts, person, given)
  if (user) return changeInvited(accounts, { tenant, user }, {}, roles, use)
  try {
    return await joinTenant(accounts, tenant, person, { roles }, { also: use })
  } catch (error) {
    // A second acceptance finds the membership that the first one made: its invitation is used, and it gets a 404.
    const isMember = membershipIn(await findPerson(accounts.store, person.email), tenant) !== undefined
    throw isMember ? unknownInvitation() : error
  }
}

/** Enables a user of the tenant and adds the roles, unless the user's credentials changed since the invitation was read. */
async function changeInvited(
  accounts: AccountDependencies,
  { tenant, user: { id, credentialVersion, email } }: { tenant: OpenInvitation['tenant']; user: User },
  changes: UserChanges,
  roles: readonly string[],
  also: readonly Step[],
): Promise<User> {
  const changesOf = (user: User): UserChanges => {
    if (user.credentialVersion !== credentialVersion || user.email !== email) throw unknownInvitation()
    return { ...changes, roles: [...user.roles, ...roles], isActive: true }
  }
  return changeUser(accounts, tenant, id, changesOf, { also })
}

/** Throws unless the request comes from the person: by a session of the whole person, or by the password. */
async function proveIdentity(
  accounts: AccountDependencies,
  { email, passwordHash }: Person,
  { body: { password }, caller, sourceIp }: Acceptance,
): Promise<void> {
  if (caller) {
    if (caller.email !== email) throw ofAnotherAddress()
    if (!isWholePerson(caller.tokenKind))
      throw new Forbidden('person_required', 'Only the person may accept an invitation: sign in with your password.')
    return
  }
  const refuse = (problem: Problem) => new Invalid({ password: [problem] })
  if (password === undefined) throw refuse(say('has_account', {}))
  await checkPassword(accounts, { email, passwordHash }, password, sourceIp, () =>
    refuse(say('account_password_wrong', {})),
  )
}

const ofAnotherAddress = (): Forbidden =>
  new Forbidden('forbidden', 'The invitation is for another e-mail address than the account of this token.')

/** The roles of the invitation that still exist. */
async function existingRoles(store: Store, { tenant, invitation: { roles } }: OpenInvitation): Promise<string[]> {
  const rows = await store.getMany(
    tenant,
    roles.map((role) => configKey(tenant, 'ROLE', role)),
  )
  return roles.filter((_, index) => rows[index] !== undefined)
}
