import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPerson } from '../../../../../shared/auth/accounts/person.ts'
import type { AccountDependencies } from '../../../../../shared/auth/dependencies.ts'
import { acceptInvitation } from '../../../../../shared/auth/invitations/accept-invitation.ts'
import { administerInvitations } from '../../../../../shared/auth/invitations/administer-invitations.ts'
import { NotFound } from '../../../../../shared/kernel/faults.ts'
import { type AccountWorld, openAccountWorld } from '../../../../make/services/account-world.ts'

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

  it('is accepted once', async () => {
    const { token } = await invite()
    await accept(world.accounts, token)
    await expect(accept(world.accounts, token)).rejects.toThrow(NotFound)
  })
})
