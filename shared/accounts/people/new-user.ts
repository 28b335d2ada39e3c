import { Invalid } from '../../kernel/failures/faults.ts'
import { say } from '../../kernel/failures/sentence.ts'
import { mayFail } from '../../kernel/runtime/log.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { allocateIds, moveLiveCount } from '../../platform/store/sequence/sequence.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { commit, type Step } from '../../platform/store/writes/commit.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'
import { moveMembership } from '../roles/role-membership.ts'
import { type User, userItem, userSequence } from './user.ts'

/** What a tenant decides about a new user. */
export interface NewMembership {
  readonly roles: readonly string[]
  readonly isActive?: boolean
  readonly companyId?: number | null
  readonly orgUnitIds?: readonly number[]
}

/** The first version of a user row. Without an e-mail address it is a service user. */
export const newUser = (
  id: number,
  owner: {
    readonly name: string
    readonly email: string | null
    readonly locale?: string | null
    readonly mfaEnabled?: boolean
  },
  given: NewMembership,
  createdAt: string,
): User => ({
  id,
  kindOf: owner.email === null ? 'service' : 'person',
  name: owner.name,
  email: owner.email,
  roles: [...new Set(given.roles)],
  isActive: given.isActive ?? true,
  credentialVersion: 1,
  companyId: given.companyId ?? null,
  orgUnitIds: [...new Set(given.orgUnitIds)],
  locale: owner.locale ?? null,
  mfaEnabled: owner.mfaEnabled ?? false,
  messengerChat: null,
  substitution: null,
  createdAt,
  updatedAt: createdAt,
  version: 1,
})

/** The steps that store a new user and count its roles. `rolesAreNew`: the same transaction creates the roles. */
export function putNewUser(tenant: TenantRef, user: User, options: { rolesAreNew?: boolean } = {}): Step[] {
  const membership = moveMembership(tenant, undefined, user)
  return [
    { write: { put: userItem(tenant, user), if: isNew } },
    ...(options.rolesAreNew ? membership.filter(({ write }) => !('check' in write)) : membership),
  ]
}

/**
 * Allocates an id, and stores the user that `make` builds with it together with the steps `also`. A refused transaction
 * takes the user out of the count again.
 */
export async function storeNewUser(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  make: (id: number) => { readonly user: User; readonly also: readonly Step[] },
): Promise<User> {
  const { user, also } = make(await allocateIds(store, tenant, userSequence))
  try {
    await commit(store, deploymentWide, [...putNewUser(tenant, user), ...also], clock.uuid())
  } catch (error) {
    await mayFail('undo the count of a refused user', () =>
      store.write(tenant, moveLiveCount(tenant, userSequence, -1)),
    )
    throw error
  }
  return user
}

/** The fault for an e-mail address that another person has. */
export const emailTaken = (): Invalid => new Invalid({ email: [say('taken', { field: 'email' })] })
