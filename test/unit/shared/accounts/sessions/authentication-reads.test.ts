import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeUser } from '../../../../../shared/accounts/people/change-user.ts'
import { createUser } from '../../../../../shared/accounts/people/create-user.ts'
import type { User } from '../../../../../shared/accounts/people/user.ts'
import { roleObjects } from '../../../../../shared/accounts/roles/administer-roles.ts'
import { createAuthentication } from '../../../../../shared/accounts/sessions/authentication.ts'
import { issueToken } from '../../../../../shared/accounts/sessions/issue-token.ts'
import { type NamesTables, storedTable } from '../../../../../shared/kernel/table-names.ts'
import { createConfig } from '../../../../../shared/platform/store/config.ts'
import { tenantKey, userKey } from '../../../../../shared/platform/store/keys/auth.ts'
import { recordKey } from '../../../../../shared/platform/store/keys/records.ts'
import { type AccountWorld, openAccountWorld, uncheckedRoles } from '../../../../make/services/worlds/account-world.ts'

let world: AccountWorld
let made = 0
beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world?.single.close())

const makeRole = (name: string, permissions: string[]) =>
  roleObjects.create(uncheckedRoles(world.accounts), world.caller, { name, permissions })
const makeUser = async (roles: string[] = ['user']): Promise<User> =>
  createUser(world.accounts, world.tenant, { name: 'Grace', email: `grace${(made += 1)}@acme.test`, roles })
const issue = async (user: User) => issueToken(world.accounts, { tenant: world.tenant, user })

describe('a request', () => {
  it('gets the rows that it asks for, and those that are not there as null', async () => {
    const user = await makeUser()
    const token = await issue(user)
    const one = createAuthentication(world.accounts)
    const [own, none] = [userKey(world.tenant, user.id), userKey(world.tenant, 999_999)]
    for (const round of ['first', 'again']) {
      const { preloaded } = await one(`Bearer ${token}`, () => [own, none])
      expect([round, preloaded.get(own)?.id, preloaded.get(none), preloaded.get(tenantKey(world.tenant))]).toEqual([
        round,
        user.id,
        null,
        undefined,
      ])
    }
  })

  it('with a token that the process knows takes one call to the database, and with a new one two', async () => {
    const calls: string[] = []
    const store = world.single.storeThrough((operation, call) => {
      calls.push(operation)
      return call()
    })
    const one = createAuthentication({ ...world.accounts, store })
    const user = await makeUser()
    const [first, second] = [await issue(user), await issue(user)]
    const callsFor = async (token: string) => {
      calls.length = 0
      await one(`Bearer ${token}`, () => [])
      return calls.length
    }
    expect([await callsFor(first), await callsFor(second), await callsFor(first), await callsFor(second)]).toEqual([
      2, 2, 1, 1,
    ])
  })

  it('of a tenant with a renamed table reads its rows by the stored name, in one call more', async () => {
    const calls: string[] = []
    const store = world.single.storeThrough((operation, call) => {
      calls.push(operation)
      return call()
    })
    const one = createAuthentication({ ...world.accounts, store })
    const token = await issue(await makeUser())
    const keysOf = (_: unknown, __: number, named: NamesTables = {}) => [
      recordKey(world.tenant, storedTable(named, 'cars'), 1),
    ]
    await one(`Bearer ${token}`, keysOf)
    calls.length = 0
    await one(`Bearer ${token}`, keysOf)
    expect(calls).toHaveLength(1)
    const setNames = (names: string | undefined) =>
      world.accounts.store.write(world.tenant, {
        update: tenantKey(world.tenant),
        change: names
          ? { expression: 'SET renamed_tables = :names', values: { ':names': names } }
          : { expression: 'REMOVE renamed_tables' },
      })
    await setNames(JSON.stringify({ names: { autos: 'cars' }, former: {} }))
    calls.length = 0
    const { caller, preloaded } = await one(`Bearer ${token}`, keysOf)
    expect([calls.length, caller.tenant.renamedTables?.names]).toEqual([2, { autos: 'cars' }])
    expect(preloaded.get(recordKey(world.tenant, 'autos', 1))).toBeNull()
    await setNames(undefined)
  })

  it('of a new token reads roles and table with the user, unless the configuration changed a moment ago', async () => {
    const read: string[][] = []
    const authenticateIn = async (token: string) => {
      const store: typeof world.accounts.store = {
        ...world.accounts.store,
        get: (scope, key) => (read.push([key.sk]), world.accounts.store.get(scope, key)),
        getMany: (scope, keys, ...more) => {
          read.push(keys.map(({ sk }) => sk).filter((sk) => /^(ROLE|TABLE)#/.test(sk)))
          return world.accounts.store.getMany(scope, keys, ...more)
        },
      }
      const config = createConfig(store, world.accounts.clock)
      read.length = 0
      const one = createAuthentication({ ...world.accounts, store, config })
      return (await one(`Bearer ${token}`, () => [], 'cars')).caller
    }
    await makeRole('driver', ['cars.read'])
    await makeRole('late', ['cars.create'])
    const user = await makeUser(['user', 'driver'])
    const token = await issue(user)
    const wanted = ['ROLE#user', 'ROLE#driver', 'TABLE#cars']
    expect((await authenticateIn(token)).permissions).toContain('cars.read')
    expect(read.slice(1).map((keys) => keys.toSorted())).toEqual([wanted.toSorted(), wanted.toSorted()])
    world.accounts.clock.advance(60_000)
    expect((await authenticateIn(token)).permissions).toContain('cars.read')
    expect(read.slice(1)).toEqual([wanted])
    await changeUser(world.accounts, world.tenant, user.id, () => ({ roles: ['late'] }))
    expect((await authenticateIn(token)).permissions).toEqual(['cars.create'])
    expect(read.slice(1)).toEqual([wanted, ['ROLE#late']])
  })

  it('never gets rows of another tenant', async () => {
    const token = await issue(await makeUser())
    const foreign = userKey({ id: world.tenant.id + 1 }, 1)
    await expect(createAuthentication(world.accounts)(`Bearer ${token}`, () => [foreign])).rejects.toThrow(
      'is not of tenant',
    )
  })
})
