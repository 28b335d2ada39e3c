import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccountLink } from '../../../../../../shared/accounts/account-mail/account-link.ts'
import { verifyPassword } from '../../../../../../shared/accounts/credentials/password.ts'
import { changeUser, type UserChanges } from '../../../../../../shared/accounts/people/change-user.ts'
import { createUser } from '../../../../../../shared/accounts/people/create-user.ts'
import { findPerson, type Person } from '../../../../../../shared/accounts/people/person.ts'
import { findUser, type User } from '../../../../../../shared/accounts/people/user.ts'
import { resetPassword } from '../../../../../../shared/accounts/sign-in/recovery/reset-password.ts'
import { verifyEmail } from '../../../../../../shared/accounts/sign-in/recovery/verify-email.ts'
import { type AccountWorld, openAccountWorld } from '../../../../../make/services/worlds/account-world.ts'

const password = 'another compiler of 1959'
let world: AccountWorld
let made = 0
let email: string
let user: User
beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world?.single.close())
beforeEach(async () => {
  email = `grace${(made += 1)}@acme.test`
  const given = { name: 'Grace', email, password: 'a compiler of 1952', roles: ['user'] }
  user = await createUser(world.accounts, world.tenant, given)
})

const person = async () => (await findPerson(world.accounts.store, email)) as Person
const change = (changes: UserChanges) => changeUser(world.accounts, world.tenant, user.id, () => changes)
const link = async (purpose: 'password_reset' | 'email_verification') =>
  createAccountLink(world.accounts, purpose, await person())
const unusable = { code: 'invalid_token', errors: { token: [expect.any(String)] } }

describe('a link for a new password', () => {
  const reset = (token: string, accounts = world.accounts) => resetPassword(accounts, { token, password })
  const isReset = async () => verifyPassword(password, (await person())?.passwordHash)

  it('sets it, proves the address and ends the sessions', async () => {
    await reset(await link('password_reset'))
    expect([await isReset(), (await person()).emailVerified]).toEqual([true, true])
    const after = await findUser(world.accounts.store, world.tenant, user.id)
    expect(after?.credentialVersion).toBe(user.credentialVersion + 1)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['the password has changed', () => change({ password: 'a third compiler of 1960' })],
    ['the user is disabled', () => change({ isActive: false })],
    ['the person has another address', () => change({ email: `not-${email}` })],
  ])('is not good any more when %s', async (_, meanwhile) => {
    const token = await link('password_reset')
    await meanwhile()
    await expect(reset(token)).rejects.toMatchObject(unusable)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['sets another password', () => change({ password: 'a third compiler of 1960' })],
    ['moves to another address', () => change({ email: `not-${email}` })],
  ])('is not good any more when the person %s while it is used', async (_, meanwhile) => {
    const token = await link('password_reset')
    let wasFaster = false
    const store = world.single.storeThrough(async (operation, call) => {
      const answer = await call()
      if (operation === 'BatchGetItem' && !wasFaster) {
        wasFaster = true
        await meanwhile()
      }
      return answer
    })
    await expect(reset(token, { ...world.accounts, store })).rejects.toMatchObject(unusable)
    expect(wasFaster).toBe(true)
  })

  it('is not good for verifying an address, nor the other way round', async () => {
    await expect(verifyEmail(world.accounts, await link('password_reset'))).rejects.toMatchObject(unusable)
    await expect(reset(await link('email_verification'))).rejects.toMatchObject(unusable)
    expect([await isReset(), (await person()).emailVerified]).toEqual([false, false])
  })
})

describe('a link that verifies an address', () => {
  it('verifies it once, also when the person is changed meanwhile', async () => {
    const token = await link('email_verification')
    await verifyEmail(
      world.overtaken(() => change({ name: 'Grace Hopper' })),
      token,
    )
    expect(await person()).toMatchObject({ name: 'Grace Hopper', emailVerified: true })
    await expect(verifyEmail(world.accounts, token)).rejects.toMatchObject(unusable)
  })

  it('verifies nothing once the person has another address', async () => {
    const token = await link('email_verification')
    await change({ email: `not-${email}` })
    await expect(verifyEmail(world.accounts, token)).rejects.toMatchObject(unusable)
    expect((await findPerson(world.accounts.store, `not-${email}`))?.emailVerified).toBe(false)
  })
})
