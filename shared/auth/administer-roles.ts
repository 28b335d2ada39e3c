import type * as z from 'zod'
import { isoTime } from '../clock.ts'
import { Conflict, Invalid, NotFound } from '../faults.ts'
import { pageOf } from '../http/envelope.ts'
import type { WholeListQuery } from '../http/paging.ts'
import type { Caller, TenantRef } from '../tenancy.ts'
import { retryWithJitter } from '../store/backoff.ts'
import { putConfigRow, removeConfigRow } from '../store/config.ts'
import { roleUseKey } from '../store/keys.ts'
import { TransactionRefused } from '../store/refusals.ts'
import { moveLiveCount, takeIds } from '../store/sequence.ts'
import type { Accounts } from './accounts.ts'
import { administratorRole } from './role-names.ts'
import { defaultRole, roleOf, roleRow, roleSequence, type Role } from './role.ts'

export const describeRole = ({ id, name, permissions, version }: Role) => ({ id, name, permissions: [...permissions], version })

/** Roles, newest first. A tenant has few, so they are read whole and all of them answered unless a page is asked for. */
export async function listRoles({ config }: Pick<Accounts, 'config'>, tenant: TenantRef, query: z.output<typeof WholeListQuery>) {
  const roles = (await config.listFresh(tenant, 'ROLE')).map(roleOf).sort((a, b) => b.id - a.id)
  return pageOf(roles.map(describeRole), query)
}

export async function findRole({ config }: Pick<Accounts, 'config'>, tenant: TenantRef, id: number): Promise<Role> {
  const role = (await config.listFresh(tenant, 'ROLE')).map(roleOf).find((one) => one.id === id)
  if (!role) throw new NotFound('role', { id })
  return role
}

/** Throws Conflict when the name is taken. */
export async function createRole({ store, config, clock }: Accounts, { tenant, userId }: Caller, given: { readonly name: string; readonly permissions?: readonly string[] }): Promise<Role> {
  if (await config.getFresh(tenant, 'ROLE', given.name)) throw nameTaken()
  const id = await takeIds(store, tenant, roleSequence)
  const role: Role = { id, name: given.name, permissions: inOrder(given.permissions ?? []), version: 1 }
  try {
    await config.change(tenant, [putConfigRow(tenant, 'ROLE', roleRow(role), null, { userId, at: isoTime(clock.now()) })])
  } catch (error) {
    throw error instanceof TransactionRefused ? nameTaken() : error
  }
  return role
}

/**
 * Gives a role other permissions. Its name stays: users, invitations and state transitions refer to it.
 * `admin` cannot be changed (Conflict): it passes every check anyway.
 */
export async function changeRole(
  accounts: Accounts,
  { tenant, userId }: Caller,
  id: number,
  given: { readonly name?: string; readonly permissions?: readonly string[] },
): Promise<Role> {
  const { config, clock } = accounts
  return retryWithJitter(clock, async (again) => {
    const before = await findRole(accounts, tenant, id)
    if (before.name === administratorRole) throw adminStays()
    if (given.name !== undefined && given.name !== before.name) throw new Invalid({ name: ['The name of a role cannot be changed.'] })
    const after: Role = { ...before, permissions: inOrder(given.permissions ?? before.permissions), version: before.version + 1 }
    if (after.permissions.join() === before.permissions.join()) return before
    try {
      await config.change(tenant, [putConfigRow(tenant, 'ROLE', roleRow(after), before.version, { userId, at: isoTime(clock.now()) })])
    } catch (error) {
      if (error instanceof TransactionRefused) again(error)
      throw error
    }
    return after
  })
}

/** Deletes a role that nobody holds and that new users do not get; otherwise throws Conflict. */
export async function deleteRole(accounts: Accounts, { tenant }: Caller, id: number): Promise<void> {
  const { config, clock } = accounts
  await retryWithJitter(clock, async (again) => {
    const role = await findRole(accounts, tenant, id)
    if (role.name === administratorRole) throw adminStays()
    if (role.name === (await defaultRole(config, tenant))) throw new Conflict('New users get this role: name another DEFAULT_ROLE first.')
    const unused = { expression: 'attribute_not_exists(pk) OR #users = :none', names: { '#users': 'users' }, values: { ':none': 0 } }
    try {
      await config.change(tenant, [
        { remove: roleUseKey(tenant, role.name), if: unused },
        removeConfigRow(tenant, 'ROLE', role.name, role.version),
        moveLiveCount(tenant, roleSequence, -1),
      ])
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error
      if (error.reasons[0]?.failed) throw new Conflict('The role is in use: take it from its users first.')
      again(error)
    }
  })
}

const inOrder = (permissions: readonly string[]): string[] => [...new Set(permissions)].sort()

const nameTaken = (): Conflict => new Conflict('The name has already been taken.')
const adminStays = (): Conflict => new Conflict(`The role ${administratorRole} cannot be changed or deleted.`)
