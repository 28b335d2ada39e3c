import { isDeepStrictEqual } from 'node:util'
import { Conflict, type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { userKey } from '../../platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { StaleRead, type Step } from '../../platform/store/writes/commit.ts'
import { atVersion } from '../../platform/store/writes/conditions.ts'
import type { SecondFactor } from '../credentials/second-factor.ts'
import { findPerson, membershipIn, type Person, putChangedPerson } from './person.ts'
import { userEvent } from './user-event.ts'
import { readUser, type User, userItem } from './user.ts'

/** Changes of what belongs to a person. Members that are left out keep their values. */
export interface PersonChanges {
  readonly name?: string
  /** In lower case. */
  readonly email?: string
  readonly password?: string
  readonly locale?: string | null
  /** Together with a password: the link that set it was mailed to the address. */
  readonly emailVerified?: true
  /** The second factor `before` is replaced; `any` replaces whatever there is. */
  readonly mfa?: { readonly before: SecondFactor | null | 'any'; readonly after: SecondFactor | null }
}

/** What an administrator may change of a person. */
type PersonMember = Exclude<keyof PersonChanges, 'emailVerified'>

/** A person with the users that the person is in other tenants. */
interface PersonWithUsers {
  readonly person: Person
  readonly others: readonly { readonly tenant: TenantRef; readonly user: User }[]
}

/** Which of the given members would change the person. */
export const changedMembers = (user: User, changes: PersonChanges): PersonMember[] =>
  (['name', 'email', 'password', 'locale', 'mfa'] as const).filter(
    (name) => changes[name] !== undefined && (name === 'password' || name === 'mfa' || changes[name] !== user[name]),
  )

/**
 * Reads the person of a user. `soleOnly` throws Invalid naming each of `members` when the person belongs to other
 * tenants too. Throws StaleRead when the person no longer has the user's address.
 */
export async function readPersonOf(
  store: Pick<Store, 'get' | 'getMany'>,
  tenant: TenantRef,
  user: User,
  { members, soleOnly }: { readonly members: readonly PersonMember[]; readonly soleOnly: boolean },
): Promise<PersonWithUsers> {
  const person = user.email === null ? undefined : await findPerson(store, user.email)
  if (membershipIn(person, tenant)?.userId !== user.id || !person) throw new StaleRead('the person has changed')
  const refs = person.memberships.filter(({ tenantId }) => tenantId !== tenant.id)
  if (soleOnly && refs.length > 0) throw new Invalid(errorsOf(members, belongsToOthers))
  const items = await store.getMany(
    deploymentWide,
    refs.map(({ tenantId, userId }) => userKey({ id: tenantId }, userId)),
  )
  const others = refs.flatMap(({ tenantId }, index) => {
    const item = items[index]
    return item ? [{ tenant: { id: tenantId }, user: readUser(item) }] : []
  })
  return { person, others }
}

/** Throws Invalid when a service user, which belongs to no person, would get an address, a password or a locale. */
export function refuseForService(members: readonly PersonMember[]): undefined {
  const refused = members.filter((name) => name !== 'name')
  if (refused.length > 0) throw new Invalid(errorsOf(refused, 'A service user has only a name.'))
}

const belongsToOthers = 'This person also belongs to other companies; only they can change it.'
const errorsOf = (members: readonly string[], message: string): FieldErrors =>
  Object.fromEntries(members.map((name) => [name, [message]]))

/** What a user gets from the person: the copies, and a higher credential version with a new password. */
export const copyPerson = (user: User, person: Person, passwordSet: boolean): User => ({
  ...user,
  name: person.name,
  email: person.email,
  locale: person.locale,
  mfaEnabled: person.secondFactor?.isConfirmed === true,
  credentialVersion: user.credentialVersion + (passwordSet ? 1 : 0),
})

/** The person after the changes. A new address is not verified. */
export const applyPersonChanges = (
  before: Person,
  changes: PersonChanges,
  passwordHash: string | undefined,
): Person => ({
  ...before,
  name: changes.name ?? before.name,
  email: changes.email ?? before.email,
  emailVerified: changes.emailVerified ?? (before.emailVerified && (changes.email ?? before.email) === before.email),
  locale: changes.locale === undefined ? before.locale : changes.locale,
  passwordHash: passwordHash ?? before.passwordHash,
  secondFactor: changes.mfa ? replaced(before.secondFactor, changes.mfa) : before.secondFactor,
  version: before.version + 1,
})

function replaced(
  current: SecondFactor | null,
  { before, after }: NonNullable<PersonChanges['mfa']>,
): SecondFactor | null {
  if (before !== 'any' && !isDeepStrictEqual(current, before)) throw changedMeanwhile()
  return after
}

export const changedMeanwhile = (): Conflict =>
  new Conflict('write_conflict', 'The account was changed at the same time: try again.')

/** The steps that store a changed person and its users in other tenants. Refused with StaleRead. */
export function moveOthers(
  clock: Clock,
  { person, others }: PersonWithUsers,
  after: Person,
  { passwordSet, at }: { readonly passwordSet: boolean; readonly at: string },
): Step[] {
  const moved = others.flatMap(({ tenant, user }): Step[] => {
    const changed = { ...copyPerson(user, after, passwordSet), updatedAt: at, version: user.version + 1 }
    return [
      {
        write: { put: userItem(tenant, changed), if: atVersion(user.version) },
        refused: () => new StaleRead('the user has changed'),
      },
      { write: userEvent(clock, tenant, { userId: user.id }, user, changed, { passwordSet }) },
    ]
  })
  return [...putChangedPerson(person, after), ...moved]
}
