import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeSecret } from '../../../../../shared/accounts/credentials/token.ts'
import { acceptInvitation } from '../../../../../shared/accounts/invitations/accept-invitation.ts'
import {
  createInvitation,
  invitationLifeMs,
  renewInvitation,
} from '../../../../../shared/accounts/invitations/create-invitation.ts'
import { needsAccount, openInvitation } from '../../../../../shared/accounts/invitations/open-invitation.ts'
import { changeUser } from '../../../../../shared/accounts/people/change-user.ts'
import { createTenant } from '../../../../../shared/accounts/people/create-tenant.ts'
import { createUser } from '../../../../../shared/accounts/people/create-user.ts'
import { findPerson } from '../../../../../shared/accounts/people/person.ts'
import type { User } from '../../../../../shared/accounts/people/user.ts'
import type { Tenant } from '../../../../../shared/kernel/tenancy.ts'
import { invitationKey, tenantKey, userKey } from '../../../../../shared/platform/store/keys/auth.ts'
import { deploymentWide } from '../../../../../shared/platform/store/store.ts'
import { type AccountWorld, openAccountWorld } from '../../../../make/services/worlds/account-world.ts'

let world: AccountWorld
let made = 0
let email: string
beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world?.single.close())
beforeEach(() => {
  email = `guest${(made += 1)}@acme.test`
})

const makeUser = (roles: string[], address = email, tenant: Tenant = world.tenant): Promise<User> =>
  createUser(world.accounts, tenant, { name: 'Grace', email: address, roles })
const change = (user: User, changes: { isActive?: boolean; roles?: string[] }) =>
  changeUser(world.accounts, world.tenant, user.id, () => changes)
/** `by`: left out for the operator. */
const invite = (by?: User) =>
  createInvitation(world.accounts, world.tenant, { email, roles: ['user'], ...(by && { by: { userId: by.id } }) })
const makeInviter = () => makeUser(['admin'], `boss${made}@acme.test`)
const open = (token: string) => openInvitation(world.accounts, token)
const refused = (token: string) => expect(open(token)).rejects.toMatchObject({ code: 'invitation_not_found' })

describe('the secret of an invitation', () => {
  it('opens it, until a week is over', async () => {
    const { token, invitation } = await invite(await makeInviter())
    world.accounts.clock.advance(invitationLifeMs - 1)
    expect((await open(token)).invitation).toEqual(invitation)
    world.accounts.clock.advance(1)
    await refused(token)
  })

  it('is kept for its own week when the invitation is renewed', async () => {
    const inviter = await makeInviter()
    const { token, invitation } = await invite(inviter)
    world.accounts.clock.advance(1)
    const renewed = await renewInvitation(world.accounts, world.tenant, invitation, { userId: inviter.id })
    world.accounts.clock.advance(invitationLifeMs - 1)
    await refused(token)
    expect((await open(renewed.token)).invitation.id).toBe(invitation.id)
  })

  it.each(['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`])('is not %j', async (secret) => {
    await refused(secret)
  })

  it('is none that was not issued', async () => {
    await refused(makeSecret(world.accounts.clock))
  })

  it('opens nothing once the invitation is used or revoked', async () => {
    const { token, invitation } = await invite()
    await world.accounts.store.write(world.tenant, { remove: invitationKey(world.tenant, invitation.id) })
    await refused(token)
  })
})

describe('an invitation of an administrator', () => {
  it.each<[string, (inviter: User) => unknown]>([
    ['is disabled', (inviter) => change(inviter, { isActive: false })],
    ['is no administrator any more', (inviter) => change(inviter, { roles: ['user'] })],
    ['is gone', (inviter) => world.accounts.store.write(world.tenant, { remove: userKey(world.tenant, inviter.id) })],
  ])('ends when its inviter %s', async (_, meanwhile) => {
    const inviter = await makeInviter()
    const { token } = await invite(inviter)
    await meanwhile(inviter)
    await refused(token)
  })

  it('ends when the address gets a user of the tenant by another way', async () => {
    const { token } = await invite(await makeInviter())
    await makeUser(['user'])
    await refused(token)
  })

  it('to a disabled user ends when the user was enabled and disabled since', async () => {
    const user = await makeUser(['user'])
    await change(user, { isActive: false })
    const { token } = await invite(await makeInviter())
    expect((await open(token)).user?.id).toBe(user.id)
    await change(user, { isActive: true })
    await change(user, { isActive: false })
    await refused(token)
  })

  it('asks an existing account for its password, wherever it is a member', async () => {
    const { tenant } = await createTenant(world.accounts, { slug: `elsewhere${made}`, name: 'Elsewhere' })
    await makeUser(['user'], email, tenant)
    expect(needsAccount(await open((await invite(await makeInviter())).token))).toBe(true)
  })
})

describe('an invitation of the operator', () => {
  it('depends on no administrator, and lets a user of the tenant back in without the old password', async () => {
    await makeUser(['user'])
    const opened = await open((await invite()).token)
    expect([opened.inviter, needsAccount(opened)]).toEqual([undefined, false])
  })

  it('asks for the password of an account that is no user of the tenant', async () => {
    const { tenant } = await createTenant(world.accounts, { slug: `elsewhere${made}`, name: 'Elsewhere' })
    await makeUser(['user'], email, tenant)
    expect(needsAccount(await open((await invite()).token))).toBe(true)
  })

  it('needs no account of an address without one', async () => {
    expect(needsAccount(await open((await invite()).token))).toBe(false)
  })
})

describe('an invitation to a tenant', () => {
  const body = { name: 'Grace', password: 'a compiler of 1952', password_confirmation: 'a compiler of 1952' }
  const inviteTo = async () => {
    const { tenant } = await createTenant(world.accounts, { slug: `works${made}`, name: 'Works' })
    const { token } = await createInvitation(world.accounts, tenant, { email, roles: ['admin'] })
    return { tenant, token }
  }
  const accept = (token: string) => acceptInvitation(world.accounts, token, { body, sourceIp: '192.0.2.1' } as never)

  it('that is deleted is refused with the date of its removal, and makes no account', async () => {
    const { tenant, token } = await inviteTo()
    await world.accounts.store.write(deploymentWide, {
      update: tenantKey(tenant),
      change: { expression: 'SET delete_at = :at', values: { ':at': '2099-12-20T08:00:00.000Z' } },
    })
    await expect(accept(token)).rejects.toMatchObject({ code: 'tenant_deleted' })
    expect(await findPerson(world.accounts.store, email)).toBeUndefined()
  })

  it('that is gone is not found', async () => {
    const { tenant, token } = await inviteTo()
    await world.accounts.store.write(deploymentWide, { remove: tenantKey(tenant) })
    await expect(accept(token)).rejects.toMatchObject({ code: 'invitation_not_found' })
  })
})
