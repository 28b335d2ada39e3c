import { type Clock, isoTime } from '../../kernel/clock.ts'
import { NotFound } from '../../kernel/faults.ts'
import type { PrincipalRef } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { StaleRead, type Step, commit } from '../../store/commit.ts'
import { atVersion } from '../../store/conditions.ts'
import { emailKey } from '../../store/keys/auth.ts'
import { retryWithJitter } from '../../store/retry-with-jitter.ts'
import { type Store, deploymentWide } from '../../store/store.ts'
import { moveMembership } from '../roles/role-membership.ts'
import { checkOrgReferences } from './check-org-references.ts'
import { claimEmail, refuseOwnName } from './create-user.ts'
import { hashPassword } from './password.ts'
import { userEvent } from './user-event.ts'
import { type User, findUser, userItem } from './user.ts'

/** Members that are left out keep their values. */
export interface UserChanges {
  readonly name?: string
  /** In lower case. */
  readonly email?: string
  readonly password?: string
  readonly roles?: readonly string[]
  readonly isActive?: boolean
  readonly companyId?: number | null
  readonly orgUnitIds?: readonly number[]
  readonly locale?: string | null
}

/**
 * Changes a user in one transaction and answers the changed user. `changesOf` receives the current user on every
 * attempt and may throw; `also` joins the transaction; `by` defaults to the user. A new password and disabling revoke
 * all tokens. Throws NotFound, Invalid naming `email`, `roles.<n>` or `password`, and Conflict for the last
 * administrator.
 */
export async function changeUser(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  id: number,
  changesOf: (user: User) => UserChanges,
  { also = [], by = { userId: id } }: { readonly also?: readonly Step[]; readonly by?: PrincipalRef } = {},
): Promise<User> {
  let passwordHash: string | undefined
  return retryWithJitter(clock, async (retry) => {
    const before = await findUser(store, tenant, id)
    if (!before) throw new NotFound('user', { id })
    const changes = changesOf(before)
    await checkOrgReferences(store, tenant, changes)
    if (changes.password !== undefined) {
      refuseOwnName(changes.password, { name: changes.name ?? before.name, email: changes.email ?? before.email })
      passwordHash ??= await hashPassword(clock, changes.password)
    }
    const after = applyChanges(before, changes, passwordHash, isoTime(clock.now()))
    if (also.length === 0 && isSame(before, after)) return before
    try {
      await commit(
        store,
        deploymentWide,
        [...putChangedUser(tenant, before, after), ...also, { write: userEvent(clock, tenant, by, before, after) }],
        clock.uuid(),
      )
    } catch (error) {
      return error instanceof StaleRead ? retry(error) : Promise.reject(error as Error)
    }
    return after
  })
}

function applyChanges(before: User, changes: UserChanges, passwordHash: string | undefined, at: string): User {
  const isActive = changes.isActive ?? before.isActive
  const endsTokens = passwordHash !== undefined || (before.isActive && !isActive)
  return {
    ...before,
    name: changes.name ?? before.name,
    email: changes.email ?? before.email,
    passwordHash: passwordHash ?? before.passwordHash,
    roles: changes.roles ? [...new Set(changes.roles)] : before.roles,
    isActive,
    credentialVersion: before.credentialVersion + (endsTokens ? 1 : 0),
    companyId: changes.companyId === undefined ? before.companyId : changes.companyId,
    orgUnitIds: changes.orgUnitIds ? [...new Set(changes.orgUnitIds)] : before.orgUnitIds,
    locale: changes.locale === undefined ? before.locale : changes.locale,
    updatedAt: at,
    version: before.version + 1,
  }
}

/** Whether the change changes nothing, so that nothing is written. */
const isSame = (before: User, after: User): boolean =>
  JSON.stringify({ ...before, updatedAt: '', version: 0 }) === JSON.stringify({ ...after, updatedAt: '', version: 0 })

function putChangedUser(tenant: TenantRef, before: User, after: User): Step[] {
  const put: Step = {
    write: {
      put: userItem(tenant, after),
      if: atVersion(before.version),
    },
    refused: () => new StaleRead('the user has changed'),
  }
  const moveEmail =
    after.email === before.email ? [] : [claimEmail(tenant, after), { write: { remove: emailKey(before.email) } }]
  return [put, ...moveMembership(tenant, before, after), ...moveEmail]
}
