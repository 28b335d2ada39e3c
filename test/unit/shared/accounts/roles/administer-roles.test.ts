import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RoleAdministration, roleObjects } from '../../../../../shared/accounts/roles/administer-roles.ts'
import { findOwnRoles, roleOf } from '../../../../../shared/accounts/roles/role.ts'
import { type FieldErrors, Invalid, NotFound } from '../../../../../shared/kernel/failures/faults.ts'
import { type AccountWorld, openAccountWorld, uncheckedRoles } from '../../../../make/services/worlds/account-world.ts'

let world: AccountWorld
let roles: RoleAdministration
let made = 0
beforeAll(async () => {
  world = await openAccountWorld()
  // One name is unknown; the real check is that of row rules.
  const checkLimits: RoleAdministration['checkLimits'] = async (_, { permissions = [] }): Promise<FieldErrors> =>
    permissions.includes('ghosts.read') ? { 'permissions.0': ['There is no table ghosts.'] } : {}
  roles = { ...uncheckedRoles(world.accounts), checkLimits }
})
afterAll(() => world?.single.close())

const make = (more: object = {}) => roleObjects.create(roles, world.caller, { name: `role${(made += 1)}`, ...more })
const change = (id: number, more: object) => roleObjects.change(roles, world.caller, id, more)
const idOf = async (name: string) =>
  (await world.accounts.config.listFresh(world.tenant, 'ROLE')).map(roleOf).find((role) => role.name === name)
    ?.id as number

describe('the role of administrators', () => {
  it('is built in: it is not deleted, and what it may do does not change', async () => {
    const id = await idOf('admin')
    const before = await roleObjects.require(roles, world.tenant, id)
    await expect(roleObjects.remove(roles, world.caller, id)).rejects.toMatchObject({ code: 'built_in' })
    for (const given of [{ permissions: [] }, { rules: [] }])
      await expect(change(id, given)).rejects.toMatchObject({ code: 'built_in' })
    expect(await roleObjects.require(roles, world.tenant, id)).toEqual(before)
  })

  it('may be made to need a second factor', async () => {
    expect(await change(await idOf('admin'), { mfa_required: true })).toMatchObject({ mfa_required: true })
  })
})

describe('a change of a role', () => {
  it('that is based on a former version is refused', async () => {
    const { id } = await make()
    expect((await change(id, { permissions: ['*.read'], version: 1 })).version).toBe(2)
    await expect(change(id, { permissions: [], version: 1 })).rejects.toMatchObject({ kind: 'precondition_failed' })
    expect(await roleObjects.require(roles, world.tenant, id)).toMatchObject({ permissions: ['*.read'], version: 2 })
  })

  it('that changes nothing leaves the version', async () => {
    const { id } = await make({ permissions: ['*.read'] })
    expect((await change(id, { permissions: ['*.read'], name: `role${made}` })).version).toBe(1)
  })

  it('that another one overtakes is made again on what that one left', async () => {
    const { id } = await make()
    const overtaken = world.overtaken(() => change(id, { permissions: ['*.read'] }))
    const after = await roleObjects.change({ ...roles, ...overtaken }, world.caller, id, { mfa_required: true })
    expect(after).toMatchObject({ permissions: ['*.read'], mfa_required: true, version: 3 })
  })

  it('of the name is refused', async () => {
    const { id } = await make()
    await expect(change(id, { name: 'other' })).rejects.toMatchObject({
      errors: { name: ['The name of a role cannot be changed.'] },
    })
  })

  it('that names what does not exist is refused, and stores nothing', async () => {
    const { id } = await make()
    await expect(change(id, { permissions: ['ghosts.read'] })).rejects.toThrow(Invalid)
    await expect(make({ permissions: ['ghosts.read'] })).rejects.toThrow(Invalid)
    expect(await roleObjects.require(roles, world.tenant, id)).toMatchObject({ permissions: [], version: 1 })
    expect(await idOf(`role${made}`)).toBeUndefined()
  })
})

it('a deleted role is gone', async () => {
  const { id } = await make()
  await roleObjects.remove(roles, world.caller, id)
  await expect(roleObjects.require(roles, world.tenant, id)).rejects.toThrow(NotFound)
})

it('somebody with a role that is gone keeps the others', async () => {
  const { name } = await make()
  const found = await findOwnRoles(world.accounts.config, world.tenant, [name, 'gone', 'user'], [])
  expect(found.map((role) => role.name)).toEqual([name, 'user'])
})

it('field rules are answered as they were given, without the lists that were left out', async () => {
  const fields = { notes: { read: ['title'] }, tasks: { write: [] }, people: { read: [], write: ['name'] } }
  expect((await make({ fields })).fields).toEqual(fields)
})
