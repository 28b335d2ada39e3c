import { type Clock, isoTime } from '../../kernel/clock.ts'
import { Invalid } from '../../kernel/faults.ts'
import { mayFail } from '../../kernel/log.ts'
import type { PrincipalRef } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { commit, type Step } from '../../store/commit.ts'
import { isNew } from '../../store/conditions.ts'
import { moveLiveCount, takeIds } from '../../store/sequence.ts'
import { type Store, deploymentWide } from '../../store/table.ts'
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
 * Makes a user; `also` joins the same transaction, `emailIsFree` says that the caller has looked, `by` who makes it when it
 * is not the user. Throws Invalid naming `email` when the address is taken anywhere in
 * the deployment, `roles.<n>` when a role does not exist, `password` when it is the user's own name.
 */
export async function createUser(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  given: NewUser,
  { also = [], emailIsFree = false, by }: { also?: readonly Step[]; emailIsFree?: boolean; by?: PrincipalRef } = {},
): Promise<User> {
  refuseOwnName(given.password, given)
  await checkOrgReferences(store, tenant, given)
  // Before the hash, which is dear, and the id, which is not given back: the guard in the transaction still decides.
  if (!emailIsFree && (await findEmailOwner(store, given.email))) throw emailTaken()
  const passwordHash = await hashPassword(clock, given.password)
  const at = isoTime(clock.now())
  const user: User = {
    id: await takeIds(store, tenant, userSequence),
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
    await mayFail('count a refused user out again', () => store.write(tenant, moveLiveCount(tenant, userSequence, -1)))
    throw error
  }
  return user
}

/** A user's first writes: the row, its e-mail address, its roles (which stand before it unless they are made along). */
export function putNewUser(tenant: TenantRef, user: User, options: { rolesAreNew?: boolean } = {}): Step[] {
  const membership = moveMembership(tenant, undefined, user)
  return [
    { write: { put: userItem(tenant, user), if: isNew } },
    claimEmail(tenant, user),
    ...(options.rolesAreNew ? membership.filter(({ write }) => !('check' in write)) : membership),
  ]
}

export const claimEmail = (tenant: TenantRef, { id, email }: Pick<User, 'id' | 'email'>): Step => ({
  write: {
    put: emailItem(email, { tenantId: tenant.id, userId: id }),
    if: isNew,
  },
  refused: emailTaken,
})

export const emailTaken = (): Invalid => new Invalid({ email: ['The email has already been taken.'] })

/** The one password rule that needs to know whose it is. */
export function refuseOwnName(password: string, owner: { readonly email?: string; readonly name?: string }): void {
  if (isOwnName(password, owner)) throw new Invalid({ password: [ownNameProblem] })
}
