import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyPassword } from '../../../../../shared/accounts/credentials/password.ts'
import type { SecondFactor } from '../../../../../shared/accounts/credentials/second-factor.ts'
import type { AccountDependencies } from '../../../../../shared/accounts/dependencies.ts'
import { acceptInvitation } from '../../../../../shared/accounts/invitations/accept-invitation.ts'
import { createInvitation } from '../../../../../shared/accounts/invitations/create-invitation.ts'
import { changeUser } from '../../../../../shared/accounts/people/change-user.ts'
import { createTenant } from '../../../../../shared/accounts/people/create-tenant.ts'
import { createUser } from '../../../../../shared/accounts/people/create-user.ts'
import { findPerson } from '../../../../../shared/accounts/people/person.ts'
import { findUser, type User } from '../../../../../shared/accounts/people/user.ts'
import type { Caller, TokenKind } from '../../../../../shared/kernel/principal.ts'
import type { Tenant } from '../../../../../shared/kernel/tenancy.ts'
import { type AccountWorld, openAccountWorld } from '../../../../make/services/worlds/account-world.ts'

const password = 'a compiler of 1952'
const secondFactor: SecondFactor = { sealedSecret: 'sealed', recoveryHashes: [], lastStep: 0, isConfirmed: true }
let world: AccountWorld
let elsewhere: Tenant
let made = 0
let email: string
beforeAll(async () => {
  world = await openAccountWorld()
  elsewhere = (await createTenant(world.accounts, { slug: 'elsewhere', name: 'Elsewhere' })).tenant
})
afterAll(() => world?.single.close())
beforeEach(() => {
  email = `guest${(made += 1)}@acme.test`
})

type Inviter = 'administrator' | 'operator'
const invite = async (by: Inviter): Promise<string> => {
  const given = { email, roles: ['user'], ...(by === 'administrator' && { by: { userId: world.administrator.id } }) }
  return (await createInvitation(world.accounts, world.tenant, given)).token
}
const accept = (
  token: string,
  body: object,
  caller?: Partial<Caller>,
  accounts: AccountDependencies = world.accounts,
) => acceptInvitation(accounts, token, { body, sourceIp: `192.0.2.${made}`, ...(caller && { caller }) } as never)
const makeUser = (tenant: Tenant): Promise<User> =>
  createUser(world.accounts, tenant, { name: 'Grace', email, password, roles: [] })
const change = (user: User, tenant: Tenant, changes: Parameters<typeof changeUser>[3]) =>
  changeUser(world.accounts, tenant, user.id, changes)
const sessionOf = (address: string, tokenKind: TokenKind = 'session') => ({ email: address, tokenKind, userId: 1 })
const isMember = async () =>
  (await findPerson(world.accounts.store, email))?.memberships.some(({ tenantId }) => tenantId === world.tenant.id) ??
  false
const anew = (wanted: string) => ({ name: 'Grace Hopper', password: wanted, password_confirmation: wanted })

describe.each<Inviter>(['administrator', 'operator'])('an account of elsewhere that the %s invites', (by) => {
  it.each<[string, object, Partial<Caller> | undefined]>([
    ['its password', { password }, undefined],
    ['a session of the person', {}, { tokenKind: 'session' }],
    ['a session of a provider that the operator trusts', {}, { tokenKind: 'provider_session' }],
  ])('joins with %s, and keeps name and password', async (_, body, caller) => {
    await makeUser(elsewhere)
    const entered = await accept(await invite(by), body, caller && { ...sessionOf(email), ...caller })
    expect(entered).toMatchObject({ token: expect.any(String), tenant: { slug: 'acme' }, user: { roles: ['user'] } })
    const person = await findPerson(world.accounts.store, email)
    expect([person?.name, await verifyPassword(password, person?.passwordHash), await isMember()]).toEqual([
      'Grace',
      true,
      true,
    ])
  })

  it.each<[string, object, Partial<Caller> | undefined, object]>([
    ['no password', {}, undefined, { errors: { password: [expect.any(String)] } }],
    ['a new password', anew('a second compiler'), undefined, { errors: { password: [expect.any(String)] } }],
    ['the session of another', { password }, { email: 'other@acme.test' }, { code: 'forbidden' }],
    ['a session of another tenant alone', {}, { tokenKind: 'tenant_session' }, { code: 'person_required' }],
    ['an administrator who acts as the person', {}, { tokenKind: 'impersonation' }, { code: 'person_required' }],
    ['an API key', {}, { tokenKind: 'api_key' }, { code: 'person_required' }],
  ])('does not join with %s, and the invitation stays', async (_, body, caller, refusal) => {
    await makeUser(elsewhere)
    const token = await invite(by)
    await expect(accept(token, body, caller && { ...sessionOf(email), ...caller })).rejects.toMatchObject(refusal)
    expect(await isMember()).toBe(false)
    await expect(accept(token, { password })).resolves.toMatchObject({ token: expect.any(String) })
  })

  it('is asked for the code of its second factor after the password, and not after a session', async () => {
    const user = await makeUser(elsewhere)
    await change(user, elsewhere, () => ({ mfa: { before: 'any', after: secondFactor } }))
    expect(await accept(await invite(by), { password })).toEqual({ mfa_required: true, mfa_token: expect.any(String) })
    await change((await memberOf()) as User, world.tenant, () => ({ isActive: false }))
    expect(await accept(await invite('administrator'), {}, sessionOf(email))).toHaveProperty('token')
  })
})

async function memberOf(): Promise<User | undefined> {
  const person = await findPerson(world.accounts.store, email)
  const membership = person?.memberships.find(({ tenantId }) => tenantId === world.tenant.id)
  return membership && findUser(world.accounts.store, world.tenant, membership.userId)
}

describe('a new account', () => {
  it('is made with name and password, for who sends no token', async () => {
    const token = await invite('administrator')
    await expect(accept(token, anew(password), sessionOf('other@acme.test'))).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(accept(token, { password })).rejects.toMatchObject({ errors: { name: [expect.any(String)] } })
    expect(await isMember()).toBe(false)
    expect(await accept(token, anew(password))).toMatchObject({ user: { name: 'Grace Hopper', roles: ['user'] } })
  })
})

describe('a user of the tenant', () => {
  it('who is disabled is enabled by the invitation of an administrator, with the password', async () => {
    const user = await makeUser(world.tenant)
    await change(user, world.tenant, () => ({ isActive: false }))
    const token = await invite('administrator')
    await expect(accept(token, anew('a second compiler'))).rejects.toMatchObject({
      errors: { password: [expect.any(String)] },
    })
    expect((await memberOf())?.isActive).toBe(false)
    await accept(token, { password })
    expect(await memberOf()).toMatchObject({ id: user.id, isActive: true, roles: ['user'] })
  })

  it('gets a new password by an invitation of the operator, without the second factor and the old sessions', async () => {
    const user = await makeUser(world.tenant)
    await change(user, world.tenant, () => ({ mfa: { before: 'any', after: secondFactor } }))
    const token = await invite('operator')
    await expect(accept(token, anew('a second compiler'), sessionOf(email))).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await accept(token, anew('a second compiler'))).toHaveProperty('token')
    const person = await findPerson(world.accounts.store, email)
    expect([person?.secondFactor, await verifyPassword('a second compiler', person?.passwordHash)]).toEqual([
      null,
      true,
    ])
    expect((await memberOf())?.credentialVersion).toBeGreaterThan(user.credentialVersion)
  })
})

it('of two who accept with an account at the same time, the second finds no invitation', async () => {
  await makeUser(elsewhere)
  const token = await invite('administrator')
  const overtaken = world.overtaken(() => accept(token, { password }))
  const second = accept(token, { password }, undefined, overtaken)
  await expect(second).rejects.toMatchObject({ code: 'invitation_not_found' })
})

it('an account whose address is given up meanwhile does not join', async () => {
  const user = await makeUser(elsewhere)
  const token = await invite('administrator')
  const moved = `moved${made}@acme.test`
  const overtaken = world.overtaken(() => change(user, elsewhere, () => ({ email: moved })))
  const late = accept(token, { password }, undefined, overtaken)
  await expect(late).rejects.toMatchObject({ errors: { email: ['The email has changed.'] } })
  expect((await findPerson(world.accounts.store, moved))?.memberships).toHaveLength(1)
})
