import { type Clock, isoTime } from '../../kernel/clock.ts'
import { Invalid } from '../../kernel/faults.ts'
import { mayFail } from '../../kernel/log.ts'
import type { PrincipalRef } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { commit, type Step } from '../../store/commit.ts'
import { isNew } from '../../store/conditions.ts'
import { moveLiveCount, allocateIds } from '../../store/sequence.ts'
import { type Store, deploymentWide } from '../../store/store.ts'
import { moveMembership } from '../roles/role-membership.ts'
import { checkOrgReferences } from './check-org-references.ts'
import { isOwnName, ownNameProblem } from './password-rules.ts'
import { hashPassword } from './password.ts'
import { userEvent } from './user-event.ts'
import { emailItem, findEmailOwner, type User, userItem, userSequence } from './user.ts'

export interface NewUser {
  readonly name: string
  /** In lower case. */
  readonly email: string
  readonly password: string
  readonly roles: readonly string[]
  readonly isActive?: boolean
  readonly companyId?: number | null
  readonly orgUnitIds?: readonly number[]
  readonly locale?: string | null
}

/**
 * Creates a user. `also` joins the transaction; `emailIsFree` skips the early check of the address; `by` defaults to
 * the new user. Throws Invalid naming `email` when it is taken in the deployment, `roles.<n>` when a role does not
 * exist, and `password` when it is the user's own name or address.
 */
export async function createUser(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  given: NewUser,
  { also = [], emailIsFree = false, by }: { also?: readonly Step[]; emailIsFree?: boolean; by?: PrincipalRef } = {},
): Promise<User> {
  refuseOwnName(given.password, given)
  await checkOrgReferences(store, tenant, given)
  // An early check saves the expensive hash and the id, which is never reused. The condition in the transaction
  // decides.
  if (!emailIsFree && (await findEmailOwner(store, given.email))) throw emailTaken()
  const passwordHash = await hashPassword(clock, given.password)
  const at = isoTime(clock.now())
  const user: User = {
    id: await allocateIds(store, tenant, userSequence),
    name: given.name,
    email: given.email,
    passwordHash,
    roles: [...new Set(given.roles)],
    isActive: given.isActive ?? true,
    credentialVersion: 1,
    companyId: given.companyId ?? null,
    orgUnitIds: [...new Set(given.orgUnitIds)],
    locale: given.locale ?? null,
    createdAt: at,
    updatedAt: at,
    version: 1,
  }
  try {
    await commit(
      store,
      deploymentWide,
      [
        ...putNewUser(tenant, user),
        ...also,
        { write: userEvent(clock, tenant, by ?? { userId: user.id }, undefined, user) },
      ],
      clock.uuid(),
    )
  } catch (error) {
    await mayFail('undo the count of a refused user', () =>
      store.write(tenant, moveLiveCount(tenant, userSequence, -1)),
    )
    throw error
  }
  return user
}

/** The writes of a new user: row, e-mail address and roles. `rolesAreNew`: the same transaction creates the roles. */
export function putNewUser(tenant: TenantRef, user: User, options: { rolesAreNew?: boolean } = {}): Step[] {
  const membership = moveMembership(tenant, undefined, user)
  return [
    { write: { put: userItem(tenant, user), if: isNew } },
    claimEmail(tenant, user),
    ...(options.rolesAreNew ? membership.filter(({ write }) => !('check' in write)) : membership),
  ]
}

/** Reserves an e-mail address, which must not be taken in the deployment. */
export const claimEmail = (tenant: TenantRef, { id, email }: Pick<User, 'id' | 'email'>): Step => ({
  write: {
    put: emailItem(email, { tenantId: tenant.id, userId: id }),
    if: isNew,
  },
  refused: emailTaken,
})

export const emailTaken = (): Invalid => new Invalid({ email: ['The email has already been taken.'] })

/** Throws Invalid naming `password` when it is the owner's name or e-mail address. */
export function refuseOwnName(password: string, owner: { readonly email?: string; readonly name?: string }): void {
  if (isOwnName(password, owner)) throw new Invalid({ password: [ownNameProblem] })
}
