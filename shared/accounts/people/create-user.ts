import { byName } from '../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import type { PrincipalRef } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Step } from '../../platform/store/writes/commit.ts'
import { isOwnName, ownNameProblem } from '../credentials/password-rules.ts'
import { hashPassword } from '../credentials/password.ts'
import { checkOrgReferences } from './check-org-references.ts'
import { emailTaken, type NewMembership, newUser, storeNewUser } from './new-user.ts'
import { findPerson, type Identity, type Person, putNewPerson } from './person.ts'
import { userEvent } from './user-event.ts'
import type { User } from './user.ts'

export interface NewUser extends NewMembership {
  readonly name: string
  /** In lower case. */
  readonly email: string
  /** Left out for a person who signs in with an identity provider. */
  readonly password?: string
  readonly emailVerified?: boolean
  readonly identities?: readonly Identity[]
  readonly locale?: string | null
}

/**
 * Creates a person and the person's user in a tenant. `also` joins the transaction; `emailIsFree` skips the early check
 * of the address; `by` defaults to the new user. Throws Invalid naming `email` when it is taken in the deployment,
 * `roles.<n>` when a role does not exist, and `password` when it is the user's own name or address.
 */
export async function createUser(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  given: NewUser,
  { also = [], emailIsFree = false, by }: { also?: readonly Step[]; emailIsFree?: boolean; by?: PrincipalRef } = {},
): Promise<User> {
  const { password } = given
  await checkAll([
    async () => (password === undefined ? undefined : refuseOwnName(password, given)),
    () => checkOrgReferences(store, tenant, given),
    // An early check saves the expensive hash and the id, which is never reused. The condition in the transaction
    // decides.
    async () => {
      if (!emailIsFree && (await findPerson(store, given.email))) throw emailTaken()
    },
  ])
  const passwordHash = password === undefined ? null : await hashPassword(clock, password)
  return storeNewUser({ store, clock }, tenant, (id) => {
    const at = isoTime(clock.now())
    const user = newUser(id, given, given, at)
    const passwordSet = passwordHash !== null
    return {
      user,
      also: [
        putNewPerson(newPerson(tenant, id, given, passwordHash, at)),
        ...also,
        { write: userEvent(clock, tenant, by ?? { userId: id }, undefined, user, { passwordSet }) },
      ],
    }
  })
}

/** Runs every check, and throws one Invalid with the errors of all. */
async function checkAll(checks: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: FieldErrors = byName()
  for (const check of checks) {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      Object.assign(errors, error.problems)
    }
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

/** A person whose first membership is a user of `tenant`. */
export const newPerson = (
  tenant: TenantRef,
  userId: number,
  given: Pick<NewUser, 'name' | 'email' | 'emailVerified' | 'identities' | 'locale'>,
  passwordHash: string | null,
  createdAt: string,
): Person => ({
  email: given.email,
  emailVerified: given.emailVerified ?? false,
  name: given.name,
  locale: given.locale ?? null,
  passwordHash,
  secondFactor: null,
  identities: given.identities ?? [],
  memberships: [{ tenantId: tenant.id, userId }],
  lastTenantId: tenant.id,
  createdAt,
  version: 1,
})

/** Throws Invalid naming `password` when it is the owner's name or e-mail address. */
export function refuseOwnName(password: string, owner: { readonly email?: string; readonly name?: string }): void {
  if (isOwnName(password, owner)) throw new Invalid({ password: [ownNameProblem] })
}
