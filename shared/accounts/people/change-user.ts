import { Conflict, NotFound } from '../../kernel/failures/faults.ts'
import type { PrincipalRef } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { type Store, deploymentWide } from '../../platform/store/store.ts'
import { StaleRead, type Step, commit } from '../../platform/store/writes/commit.ts'
import { atVersion } from '../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../platform/store/writes/retry-with-jitter.ts'
import { hashPassword } from '../credentials/password.ts'
import { moveMembership } from '../roles/role-membership.ts'
import {
  applyPersonChanges,
  changedMembers,
  copyPerson,
  moveOthers,
  type PersonChanges,
  readPersonOf,
  refuseForService,
} from './change-person.ts'
import { changedSubstitution, type SubstitutionChanges } from './change-substitution.ts'
import { checkOrgReferences } from './check-org-references.ts'
import { refuseOwnName } from './create-user.ts'
import type { Person } from './person.ts'
import { moveSubstitution } from './substitution.ts'
import { userEvent } from './user-event.ts'
import { type User, findUser, isErased, userItem } from './user.ts'

/** Members that are left out keep their values. */
export interface UserChanges extends PersonChanges {
  readonly roles?: readonly string[]
  readonly isActive?: boolean
  readonly companyId?: number | null
  readonly orgUnitIds?: readonly number[]
  readonly substitution?: SubstitutionChanges
  /** Who made the API key of a service user. */
  readonly madeBy?: number
}

interface ChangeOptions {
  /** Joins the transaction. */
  readonly also?: readonly Step[]
  /** The user itself, unless given. */
  readonly by?: PrincipalRef
  /** Refuses changes of the person when the person belongs to other tenants too. */
  readonly soleOnly?: boolean
}

/**
 * Changes a user in one transaction and answers the changed user. Name, address, password and locale change the person,
 * with all its users in other tenants. `changesOf` receives the current user on every attempt and may throw. A new
 * password revokes all tokens of the person, disabling those of this user. Throws NotFound, Invalid naming `email`,
 * `roles.<n>`, `password`, `substitute_id`, `from`, `to` or what `soleOnly` refuses, and Conflict for the last administrator.
 */
export async function changeUser(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  id: number,
  changesOf: (user: User) => UserChanges,
  { also = [], by = { userId: id }, soleOnly = false }: ChangeOptions = {},
): Promise<User> {
  let passwordHash: string | undefined

  /** The changed person with the steps that store it; undefined when nothing of the person changes. */
  async function changePerson(
    before: User,
    changes: UserChanges,
    at: string,
  ): Promise<{ after: Person; steps: Step[] } | undefined> {
    const members = changedMembers(before, changes)
    if (members.length === 0) return undefined
    if (before.kindOf === 'service') return refuseForService(members)
    const found = await readPersonOf(store, tenant, before, { members, soleOnly })
    if (changes.password !== undefined) {
      const { name, email } = found.person
      refuseOwnName(changes.password, { name: changes.name ?? name, email: changes.email ?? email })
      passwordHash ??= await hashPassword(clock, changes.password)
    }
    const after = applyPersonChanges(found.person, changes, passwordHash)
    return { after, steps: moveOthers(clock, found, after, { passwordSet: changes.password !== undefined, at }) }
  }

  return retryWithJitter(clock, async (retry) => {
    const before = await findUser(store, tenant, id)
    if (!before) throw new NotFound('user', { id })
    if (isErased(before)) throw new Conflict('user_erased', 'This user was erased and cannot be changed.')
    const changes = changesOf(before)
    await checkOrgReferences(store, tenant, changes)
    const at = isoTime(clock.now())
    try {
      const person = await changePerson(before, changes, at)
      const passwordSet = changes.password !== undefined
      const substitution = await changedSubstitution(store, tenant, before, changes.substitution ?? {}, clock.now())
      const changed = { ...applyChanges(before, changes), substitution }
      const after = person ? copyPerson(changed, person.after, passwordSet) : changed
      if (also.length === 0 && !person && isSame(before, after)) return before
      const stored = { ...after, updatedAt: at, version: before.version + 1 }
      const event = userEvent(clock, tenant, by, before, stored, { passwordSet })
      await commit(
        store,
        deploymentWide,
        [...putChangedUser(tenant, before, stored), ...(person?.steps ?? []), ...also, { write: event }],
        clock.uuid(),
      )
      return stored
    } catch (error) {
      return error instanceof StaleRead ? retry(error) : Promise.reject(error as Error)
    }
  })
}

/** The user after the changes of what belongs to the tenant, and of a service user's name. */
function applyChanges(before: User, changes: UserChanges): User {
  const isActive = changes.isActive ?? before.isActive
  return {
    ...before,
    name: changes.name ?? before.name,
    roles: changes.roles ? [...new Set(changes.roles)] : before.roles,
    isActive,
    credentialVersion: before.credentialVersion + (before.isActive && !isActive ? 1 : 0),
    companyId: changes.companyId === undefined ? before.companyId : changes.companyId,
    orgUnitIds: changes.orgUnitIds ? [...new Set(changes.orgUnitIds)] : before.orgUnitIds,
    ...(changes.madeBy !== undefined && { madeBy: changes.madeBy }),
  }
}

/** Whether the change changes nothing, so that nothing is written. */
const isSame = (before: User, after: User): boolean => JSON.stringify(before) === JSON.stringify(after)

/** The steps that store a changed user and count its roles. Refused with StaleRead. */
export function putChangedUser(tenant: TenantRef, before: User, after: User): Step[] {
  const put: Step = {
    write: { put: userItem(tenant, after), if: atVersion(before.version) },
    refused: () => new StaleRead('the user has changed'),
  }
  return [put, ...moveMembership(tenant, before, after), ...moveSubstitution(tenant, before, after)]
}
