import { Conflict } from '../../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../../kernel/tenancy.ts'
import { groupGrantsKey } from '../../../../platform/store/keys/auth.ts'
import { recordKey } from '../../../../platform/store/keys/records.ts'
import { isLiving } from '../../../../platform/store/rows/record-row.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import { StaleRead } from '../../../../platform/store/writes/commit.ts'
import { retryWithJitter } from '../../../../platform/store/writes/retry-with-jitter.ts'
import type { AccountDependencies } from '../../../dependencies.ts'
import { changeUser } from '../../../people/change-user.ts'
import { findUser, type User } from '../../../people/user.ts'
import { administratorRole, roleOf } from '../../../roles/role.ts'
import { RefusedSignIn } from '../refused-sign-in.ts'
import { authMappingOf } from './auth-mapping.ts'

/** What a user has by the groups of the provider, beside what administrators gave by hand. */
interface Grants {
  readonly roles: readonly string[]
  readonly orgUnitIds: readonly number[]
}

const readGrants = (item: Item): Grants => ({
  roles: item.roles as readonly string[],
  orgUnitIds: (item.org_unit_ids as readonly string[]).map(Number),
})

const grantsItem = (tenant: Tenant, userId: number, { roles, orgUnitIds }: Grants) => ({
  ...groupGrantsKey(tenant, userId),
  kind: 'group_grants',
  v: 1,
  roles,
  org_unit_ids: orgUnitIds.map(String),
})

/**
 * Gives a user what the groups map to now, and takes back what earlier groups gave. What was given by hand stays, also
 * when a group gives it too. The last administrator stays one. Answers the changed user.
 */
export async function applyGroups(
  accounts: AccountDependencies,
  tenant: Tenant,
  userId: number,
  groups: readonly string[],
): Promise<User> {
  const { store, clock } = accounts
  const wanted = await grantsOf(accounts, tenant, groups)
  return retryWithJitter(clock, async (retry) => {
    const [user, item] = await Promise.all([
      findUser(store, tenant, userId),
      store.get(tenant, groupGrantsKey(tenant, userId)),
    ])
    if (!user) throw new RefusedSignIn('the user is gone')
    const had: Grants = item ? readGrants(item) : { roles: [], orgUnitIds: [] }
    try {
      return await moveGrants(accounts, tenant, user, had, wanted).catch((error: unknown) => {
        if (!(error instanceof Conflict) || error.code !== 'last_administrator') throw error
        return moveGrants(accounts, tenant, user, had, { ...wanted, roles: [...wanted.roles, administratorRole] })
      })
    } catch (error) {
      return error instanceof StaleRead ? retry(error) : Promise.reject(error as Error)
    }
  })
}

async function moveGrants(
  accounts: AccountDependencies,
  tenant: Tenant,
  user: User,
  had: Grants,
  wanted: Grants,
): Promise<User> {
  const roles = moveList(user.roles, had.roles, wanted.roles)
  const orgUnitIds = moveList(user.orgUnitIds, had.orgUnitIds, wanted.orgUnitIds)
  const granted: Grants = { roles: roles.granted, orgUnitIds: orgUnitIds.granted }
  const isSame =
    sameItems(granted.roles, had.roles) &&
    sameItems(granted.orgUnitIds, had.orgUnitIds) &&
    sameItems(roles.all, user.roles) &&
    sameItems(orgUnitIds.all, user.orgUnitIds)
  if (isSame) return user
  // A deleted unit stays in the user's row until the next change, which would be refused with it.
  const living = await livingUnits(accounts.store, tenant, orgUnitIds.all)
  return changeUser(
    accounts,
    tenant,
    user.id,
    (current) => {
      if (current.version !== user.version) throw new StaleRead('the user has changed')
      return { roles: roles.all, orgUnitIds: living }
    },
    { also: [{ write: { put: grantsItem(tenant, user.id, granted) } }] },
  )
}

/** `granted`: those that are there because of a group only. */
function moveList<T>(current: readonly T[], had: readonly T[], wanted: readonly T[]): { all: T[]; granted: T[] } {
  const byHand = current.filter((one) => !had.includes(one))
  const granted = wanted.filter((one) => !byHand.includes(one))
  return { all: [...byHand, ...granted], granted }
}

const sameItems = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((item) => other.includes(item))

/** What the groups map to; roles and organisational units that are gone are left out. */
async function grantsOf(
  { store, config }: AccountDependencies,
  tenant: Tenant,
  groups: readonly string[],
): Promise<Grants> {
  const mappings = await config.list(tenant, 'AUTH_MAPPING', authMappingOf)
  const mapped = mappings.filter(({ group }) => groups.includes(group))
  if (mapped.length === 0) return { roles: [], orgUnitIds: [] }
  const existing = new Set((await config.list(tenant, 'ROLE', roleOf)).map(({ name }) => name))
  return {
    roles: [...new Set(mapped.flatMap(({ roles }) => roles))].filter((role) => existing.has(role)),
    orgUnitIds: await livingUnits(store, tenant, [...new Set(mapped.map(({ org_unit_id }) => org_unit_id))]),
  }
}

async function livingUnits(store: Pick<Store, 'getMany'>, tenant: Tenant, ids: readonly number[]): Promise<number[]> {
  const rows = await store.getMany(
    tenant,
    ids.map((id) => recordKey(tenant, 'sys_org_units', id)),
  )
  return ids.filter((_, index) => isLiving(rows[index]))
}
