import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountDependencies } from '../../../../../shared/accounts/dependencies.ts'
import { acceptInvitation } from '../../../../../shared/accounts/invitations/accept-invitation.ts'
import { administerInvitations } from '../../../../../shared/accounts/invitations/administer-invitations.ts'
import { createInvitation } from '../../../../../shared/accounts/invitations/create-invitation.ts'
import { changeUser, type UserChanges } from '../../../../../shared/accounts/people/change-user.ts'
import { createUser } from '../../../../../shared/accounts/people/create-user.ts'
import { findPerson } from '../../../../../shared/accounts/people/person.ts'
import { findUser } from '../../../../../shared/accounts/people/user.ts'
import { NotFound } from '../../../../../shared/kernel/failures/faults.ts'
import { type AccountWorld, openAccountWorld } from '../../../../make/services/worlds/account-world.ts'

let world: AccountWorld
let invited = 0
const password = 'a compiler of 1952'
beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world?.single.close())

const administer = (accounts: AccountDependencies) =>
  administerInvitations(accounts, { publicUrl: 'https://api.acme.test' })
const invite = async () => {
  const email = `guest${(invited += 1)}@acme.test`
  return administer(world.accounts).invite(world.caller, { email, roles: ['user'] })
}
const accept = (accounts: AccountDependencies, token: string) =>
  acceptInvitation(accounts, token, {
    body: { name: 'Grace', password, password_confirmation: password },
    sourceIp: '192.0.2.1',
  } as never)
const revoke = (id: number) => administer(world.accounts).revoke(world.caller, id)

describe('an invitation', () => {
  it('lets nobody in who accepts it while it is revoked', async () => {
    const { id, token, email } = await invite()
    await expect(
      accept(
        world.overtaken(() => revoke(id)),
        token,
      ),
    ).rejects.toThrow(NotFound)
    expect(await findPerson(world.accounts.store, email)).toBeUndefined()
  })

  it.each(['resend', 'revoke'] as const)('that was accepted meanwhile is not there any more for %s', async (what) => {
    const { id, token } = await invite()
    const overtaken = world.overtaken(() => accept(world.accounts, token))
    await expect(administer(overtaken)[what](world.caller, id)).rejects.toThrow(NotFound)
    await expect(accept(world.accounts, token)).rejects.toThrow(NotFound)
    await expect(revoke(id)).rejects.toThrow(NotFound)
  })

  it.each<[string, UserChanges]>([
    ['disabled', { isActive: false }],
    ['given another address', { email: 'moved@acme.test' }],
  ])('of the operator does not let a user in who is %s while it is accepted', async (_, changes) => {
    const { accounts, tenant } = world
    const email = `guest${(invited += 1)}@acme.test`
    const { id } = await createUser(accounts, tenant, { name: 'Grace', email, password, roles: ['user'] })
    const { token } = await createInvitation(accounts, tenant, { email, roles: ['admin'] })
    const overtaken = world.overtaken(() => changeUser(accounts, tenant, id, () => changes))
    await expect(accept(overtaken, token)).rejects.toThrow(NotFound)
    expect(await findUser(accounts.store, tenant, id)).toMatchObject({ roles: ['user'] })
  })

  it('is accepted once', async () => {
    const { token } = await invite()
    await accept(world.accounts, token)
    await expect(accept(world.accounts, token)).rejects.toThrow(NotFound)
  })
})
