import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountDependencies } from '../../../../../shared/accounts/dependencies.ts'
import { changeUser } from '../../../../../shared/accounts/people/change-user.ts'
import { newUser, storeNewUser } from '../../../../../shared/accounts/people/new-user.ts'
import { findUser, type User } from '../../../../../shared/accounts/people/user.ts'
import { roleObjects } from '../../../../../shared/accounts/roles/administer-roles.ts'
import { Conflict, Invalid } from '../../../../../shared/kernel/failures/faults.ts'
import { type AccountWorld, openAccountWorld, uncheckedRoles } from '../../../../make/services/worlds/account-world.ts'

let world: AccountWorld
beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world?.single.close())

const makeUser = (roles: readonly string[], { isActive = true, email = 'eve@acme.test' as string | null } = {}) =>
  storeNewUser(world.accounts, world.tenant, (id) => ({
    user: newUser(id, { name: 'Eve', email }, { roles, isActive }, '2026-11-20T08:00:00.000Z'),
    also: [],
  }))
const setRoles = (accounts: AccountDependencies, { id }: User, roles: readonly string[], isActive = true) =>
  changeUser(accounts, world.tenant, id, () => ({ roles, isActive }))
const rolesOf = async ({ id }: User) => (await findUser(world.accounts.store, world.tenant, id))?.roles
const makeRole = (name: string) => roleObjects.create(uncheckedRoles(world.accounts), world.caller, { name })

describe('the last administrator', () => {
  it.each([
    ['loses the role', [], true],
    ['is disabled', ['admin'], false],
  ])('stays when another one %s at the same time', async (_what, roles, isActive) => {
    const other = await makeUser(['admin'])
    const overtaken = world.overtaken(() => setRoles(world.accounts, other, roles, isActive))
    await expect(setRoles(overtaken, world.administrator, [])).rejects.toThrow(Conflict)
    expect(await rolesOf(world.administrator)).toEqual(['admin'])
  })

  it.each([
    ['a disabled one', { isActive: false }],
    ['a program', { email: null }],
  ])('is the last, also when there is %s', async (_what, given) => {
    await makeUser(['admin'], given)
    await expect(setRoles(world.accounts, world.administrator, [])).rejects.toThrow(Conflict)
    await expect(setRoles(world.accounts, world.administrator, ['admin'], false)).rejects.toThrow(Conflict)
    expect(await rolesOf(world.administrator)).toEqual(['admin'])
  })

  it('may go when there is another', async () => {
    const other = await makeUser(['admin'])
    await setRoles(world.accounts, other, ['admin'], false)
    await expect(setRoles(world.accounts, world.administrator, [])).rejects.toThrow(Conflict)
    await setRoles(world.accounts, other, ['admin'], true)
    await setRoles(world.accounts, world.administrator, [])
    await setRoles(world.accounts, world.administrator, ['admin'])
    await setRoles(world.accounts, other, [])
  })
})

describe('a role', () => {
  it('is not deleted while somebody has it, also when that begins at the same time', async () => {
    const { id } = await makeRole('keeper')
    const user = await makeUser([])
    await expect(
      roleObjects.remove(
        uncheckedRoles(world.overtaken(() => setRoles(world.accounts, user, ['keeper']))),
        world.caller,
        id,
      ),
    ).rejects.toThrow(Invalid)
    expect(await rolesOf(user)).toEqual(['keeper'])
    await setRoles(world.accounts, user, [])
    await roleObjects.remove(uncheckedRoles(world.accounts), world.caller, id)
  })

  it('is not given to anybody once it is deleted, also at the same time', async () => {
    const { id } = await makeRole('guard')
    const user = await makeUser([])
    const overtaken = world.overtaken(() => roleObjects.remove(uncheckedRoles(world.accounts), world.caller, id))
    const refused = setRoles(overtaken, user, ['user', 'guard'])
    await expect(refused).rejects.toThrow(Invalid)
    await expect(refused).rejects.toMatchObject({ errors: { 'roles.1': expect.anything() } })
    expect(await rolesOf(user)).toEqual([])
  })
})
