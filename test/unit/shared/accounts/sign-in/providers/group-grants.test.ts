import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AccountDependencies } from '../../../../../../shared/accounts/dependencies.ts'
import { changeUser, type UserChanges } from '../../../../../../shared/accounts/people/change-user.ts'
import { createTenant } from '../../../../../../shared/accounts/people/create-tenant.ts'
import { createUser } from '../../../../../../shared/accounts/people/create-user.ts'
import { findUser, type User } from '../../../../../../shared/accounts/people/user.ts'
import { roleObjects } from '../../../../../../shared/accounts/roles/administer-roles.ts'
import { authMappings } from '../../../../../../shared/accounts/sign-in/providers/groups/administer-auth-mappings.ts'
import { applyGroups } from '../../../../../../shared/accounts/sign-in/providers/groups/group-grants.ts'
import { RefusedSignIn } from '../../../../../../shared/accounts/sign-in/providers/refused-sign-in.ts'
import { admitExternal } from '../../../../../../shared/accounts/sign-in/providers/sign-in-external.ts'
import { findTenant } from '../../../../../../shared/accounts/tenants/find-tenant.ts'
import type { Caller } from '../../../../../../shared/kernel/principal.ts'
import type { Tenant } from '../../../../../../shared/kernel/tenancy.ts'
import { removeConfigRow } from '../../../../../../shared/platform/store/config.ts'
import { recordKey } from '../../../../../../shared/platform/store/keys/records.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import {
  type AccountWorld,
  openAccountWorld,
  uncheckedRoles,
} from '../../../../../make/services/worlds/account-world.ts'

const [support, sales] = [1, 2]
let world: AccountWorld
let made = 0
let email: string
let user: User
beforeAll(async () => {
  world = await openAccountWorld()
  const { accounts, tenant, caller } = world
  for (const unit of [support, sales])
    await accounts.store.write(tenant, { put: { ...recordKey(tenant, 'sys_org_units', unit) } })
  for (const name of ['agent', 'seller']) await roleObjects.create(uncheckedRoles(accounts), caller, { name })
  await authMappings.create(accounts, caller, { group: 'support', org_unit_id: support, roles: ['agent'] })
  await authMappings.create(accounts, caller, { group: 'sales', org_unit_id: sales, roles: ['seller'] })
})
afterAll(() => world?.single.close())
beforeEach(async () => {
  email = `carl${(made += 1)}@acme.test`
  user = await createUser(world.accounts, world.tenant, { name: 'Carl', email, roles: ['user'] })
})

const tenantNow = async (id = world.tenant.id) => (await findTenant(world.accounts.store, id)) as Tenant
/** Signs in with the groups that the provider names; undefined: it knows none. */
const signIn = async (groups: string[] | undefined, accounts: AccountDependencies = world.accounts) => {
  const identity = { issuer: 'https://login.test', subject: email, email, name: 'Carl', emailVerified: true }
  const given = { ...accounts, settings: { APP_MODE: 'single' as const } }
  const admission = await admitExternal(given, await tenantNow(), { ...identity, ...(groups && { groups }) }, 'tenant')
  return admission.user
}
const change = (changes: UserChanges) => changeUser(world.accounts, world.tenant, user.id, () => changes)
const stored = async () => {
  const { roles, orgUnitIds } = (await findUser(world.accounts.store, world.tenant, user.id)) as User
  return [roles, orgUnitIds]
}

describe('the groups of a sign-in', () => {
  it('give roles and units, which the next sign-in without them takes back', async () => {
    const entered = await signIn(['support', 'others'])
    expect([entered.roles, entered.orgUnitIds]).toEqual([['user', 'agent'], [support]])
    expect(await stored()).toEqual([['user', 'agent'], [support]])
    await signIn(['sales'])
    expect(await stored()).toEqual([['user', 'seller'], [sales]])
    await signIn([])
    expect(await stored()).toEqual([['user'], []])
  })

  it('are names as they are: no other spelling, and no part of one', async () => {
    await signIn(['Support', 'supp', 'support ', ''])
    expect(await stored()).toEqual([['user'], []])
  })

  it('take nothing back when the provider knows no groups', async () => {
    await signIn(['support'])
    await signIn(undefined)
    expect(await stored()).toEqual([['user', 'agent'], [support]])
  })

  it('take back nothing that was given by hand, before or after a group gave it', async () => {
    await change({ roles: ['user', 'agent'], orgUnitIds: [sales] })
    await signIn(['support', 'sales'])
    expect(await stored()).toEqual([
      ['user', 'agent', 'seller'],
      [sales, support],
    ])
    await signIn([])
    expect(await stored()).toEqual([['user', 'agent'], [sales]])
  })

  it('give again what an administrator took away', async () => {
    await signIn(['support'])
    await change({ roles: ['user'], orgUnitIds: [] })
    await signIn(['support'])
    expect(await stored()).toEqual([['user', 'agent'], [support]])
    await signIn([])
    expect(await stored()).toEqual([['user'], []])
  })

  it('change nothing when they are those of the last sign-in', async () => {
    const { version } = await signIn(['support'])
    expect((await signIn(['support'])).version).toBe(version)
  })

  it('count on the user as it is: of a change by hand meanwhile, nothing is lost', async () => {
    await signIn(['support'])
    const overtaken = world.overtaken(() => change({ roles: ['user', 'agent', 'seller'] }))
    await signIn([], overtaken)
    expect(await stored()).toEqual([['user', 'seller'], []])
  })

  it('make nobody an administrator because others keep changing the user', async () => {
    const { store } = world.accounts
    const busy = {
      ...store,
      transact: (async (scope, writes, token) => {
        if (JSON.stringify(writes).includes('"admin"')) return store.transact(scope, writes, token)
        throw new TransactionRefused([{ failed: true, existing: undefined }])
      }) as Store['transact'],
    }
    const changed = applyGroups({ ...world.accounts, store: busy }, await tenantNow(), user.id, ['support'])
    await expect(changed).rejects.toMatchObject({ code: 'write_conflict' })
    expect(await stored()).toEqual([['user'], []])
  })

  it('sign in nobody whose user is gone meanwhile', async () => {
    await expect(applyGroups(world.accounts, world.tenant, 999_999, ['support'])).rejects.toThrow(RefusedSignIn)
  })
})

describe('a mapping', () => {
  const removed = async () => {
    const { accounts, caller } = world
    const gone = await roleObjects.create(
      uncheckedRoles(accounts),
      { ...caller, tenant: await tenantNow() },
      {
        name: `gone${made}`,
      },
    )
    await accounts.store.write(world.tenant, { put: { ...recordKey(world.tenant, 'sys_org_units', 100 + made) } })
    await authMappings.create(accounts, caller, {
      group: `gone${made}`,
      org_unit_id: 100 + made,
      roles: [gone.name],
    })
    return gone
  }

  it('to a role that is gone gives none', async () => {
    const { name, version } = await removed()
    await world.accounts.config.change(world.tenant, [removeConfigRow(world.tenant, 'ROLE', name, version)], () => {
      throw new Error('the role has changed')
    })
    await signIn([`gone${made}`])
    expect(await stored()).toEqual([['user'], [100 + made]])
    const { accounts, caller } = world
    const mapping = (await authMappings.allFresh(accounts, world.tenant)).find(({ group }) => group === `gone${made}`)
    const rename = (roles: string[]) => authMappings.change(accounts, caller, mapping?.id as number, { roles })
    await expect(rename([name, 'nobody'])).rejects.toMatchObject({
      errors: { 'roles.0': expect.anything(), 'roles.1': expect.anything() },
    })
    // What it names already may stay.
    expect((await rename([name, 'agent'])).roles).toEqual([name, 'agent'])
  })

  it('to a unit that is gone gives none, and one that is gone later is left out', async () => {
    const group = (await removed()).name
    await signIn([group])
    expect((await stored())[1]).toEqual([100 + made])
    await world.accounts.store.write(world.tenant, { remove: recordKey(world.tenant, 'sys_org_units', 100 + made) })
    await signIn([group, 'support'])
    expect(await stored()).toEqual([['user', 'agent', group], [support]])
  })
})

it('the last administrator keeps the role that a group gave, until there is another', async () => {
  const { accounts } = world
  const { tenant } = await createTenant(accounts, { slug: 'works', name: 'Works' })
  await accounts.store.write(tenant, { put: { ...recordKey(tenant, 'sys_org_units', 1) } })
  const caller = { tenant, userId: 0 } as Caller
  await authMappings.create(accounts, caller, { group: 'root', org_unit_id: 1, roles: ['admin'] })
  const settings = { APP_MODE: 'saas' as const, SSO_DOMAINS: new Map([['works.test', 'works']]) }
  const enter = async (name: string, groups: string[]) => {
    const identity = { issuer: 'https://login.test', subject: name, email: `${name}@works.test`, name, groups }
    const now = await tenantNow(tenant.id)
    return (await admitExternal({ ...accounts, settings }, now, { ...identity, emailVerified: true }, 'tenant')).user
  }
  expect((await enter('ada', ['root'])).roles).toEqual(['user', 'admin'])
  const kept = await enter('ada', [])
  expect([kept.roles, kept.orgUnitIds]).toEqual([['user', 'admin'], []])
  await enter('bob', ['root'])
  expect((await enter('ada', [])).roles).toEqual(['user'])
})
