import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeUser } from '../../../../../../shared/accounts/people/change-user.ts'
import { createTenant } from '../../../../../../shared/accounts/people/create-tenant.ts'
import { createUser } from '../../../../../../shared/accounts/people/create-user.ts'
import { joinTenant } from '../../../../../../shared/accounts/people/membership/change-membership.ts'
import { findPerson } from '../../../../../../shared/accounts/people/person.ts'
import type { User } from '../../../../../../shared/accounts/people/user.ts'
import { createAuthentication } from '../../../../../../shared/accounts/sessions/authentication.ts'
import { challengeUser } from '../../../../../../shared/accounts/sign-in/second-factor/challenge.ts'
import { logInMfa } from '../../../../../../shared/accounts/sign-in/second-factor/log-in-mfa.ts'
import {
  confirmSecondFactor,
  removeSecondFactor,
  setUpSecondFactor,
} from '../../../../../../shared/accounts/sign-in/second-factor/own-second-factor.ts'
import { resetSecondFactor } from '../../../../../../shared/accounts/sign-in/second-factor/reset-second-factor.ts'
import { useCode } from '../../../../../../shared/accounts/sign-in/second-factor/use-code.ts'
import type { Caller } from '../../../../../../shared/kernel/principal.ts'
import { testSecretBox } from '../../../../../make/services/stores/local-kms.ts'
import { type AccountWorld, openAccountWorld } from '../../../../../make/services/worlds/account-world.ts'

const password = 'a compiler of 1952'
const sourceIp = '192.0.2.1'
const stepMs = 30_000
const box = testSecretBox()
let world: AccountWorld
let made = 0
let email: string
let user: User
beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world?.single.close())
beforeEach(async () => {
  email = `ada${(made += 1)}@acme.test`
  user = await createUser(world.accounts, world.tenant, { name: 'Grace', email, password, roles: ['user'] })
})

const dependencies = () => ({ ...world.accounts, secrets: async () => box })
const caller = (one = user): Caller => ({ tenant: world.tenant, userId: one.id, email: one.email }) as Caller
const setUp = () => setUpSecondFactor(dependencies(), caller(), { password, sourceIp })
/** The code that an app shows now, or some steps later or earlier. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(secret) }).generate({
    timestamp: world.accounts.clock.now() + steps * stepMs,
  })
const confirm = (code: string) => confirmSecondFactor(dependencies(), caller(), { code, sourceIp })
/** Sets a factor up and confirms it; the next code is one of the next step. */
async function enable() {
  const shown = await setUp()
  await confirm(codeOf(shown.secret))
  world.accounts.clock.advance(stepMs)
  return shown
}
const use = (code: string) => useCode(dependencies(), email, code, [])
const factor = async () => (await findPerson(world.accounts.store, email))?.secondFactor
const current = async () => (await changeUser(world.accounts, world.tenant, user.id, () => ({}))) as User
const challenge = async () =>
  (await challengeUser(world.accounts, { tenant: world.tenant, user: await current() })).mfa_token
const logIn = async (code: string, token?: string) =>
  logInMfa(dependencies(), { mfa_token: token ?? (await challenge()), code, sourceIp, userAgent: undefined })

describe('a code of the app', () => {
  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('%d steps off is accepted: %s', async (steps, accepted) => {
    const { secret } = await enable()
    world.accounts.clock.advance(2 * stepMs)
    expect(await use(codeOf(secret, steps))).toBe(accepted)
  })

  it('is accepted once, and none of a step before it afterwards', async () => {
    const { secret } = await enable()
    const [earlier, code] = [codeOf(secret), codeOf(secret, 1)]
    expect([await use(code), await use(code), await use(earlier)]).toEqual([true, false, false])
  })

  it('is used once, by two who send it at the same time', async () => {
    const { secret } = await enable()
    const code = codeOf(secret)
    expect((await Promise.all([use(code), use(code)])).toSorted()).toEqual([false, true])
  })

  it('may have spaces in it', async () => {
    const { secret } = await enable()
    expect(await use(` ${codeOf(secret).replace(/^.../, '$& ')} `)).toBe(true)
  })

  it('is not accepted before the factor is confirmed, nor of somebody without one', async () => {
    const { secret, recovery_codes } = await setUp()
    expect([await use(codeOf(secret)), await use(recovery_codes[0] as string)]).toEqual([false, false])
    expect(await useCode(dependencies(), 'nobody@acme.test', '123456', [])).toBe(false)
  })
})

it('each recovery code is accepted once, and the others stay', async () => {
  const [first, second] = (await enable()).recovery_codes as [string, string]
  expect([await use(first), await use(first), await use('aaaa-aaaa-aaaa-aaaa'), await use(second)]).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect((await factor())?.recoveryHashes).toHaveLength(8)
})

describe('a sign-in that waits for a code', () => {
  it('ends with a session of the person, and with its token used up', async () => {
    const { secret } = await enable()
    const waiting = await challenge()
    const { token } = await logIn(codeOf(secret), waiting)
    const { caller: signedIn } = await createAuthentication(world.accounts)(`Bearer ${token}`, () => [])
    expect(signedIn).toMatchObject({ userId: user.id, tokenKind: 'session' })
    world.accounts.clock.advance(stepMs)
    await expect(logIn(codeOf(secret), waiting)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it('refuses a wrong code, and keeps waiting', async () => {
    const { secret } = await enable()
    const waiting = await challenge()
    await expect(logIn(codeOf(secret, 5), waiting)).rejects.toMatchObject({ code: 'wrong_code' })
    await expect(logIn(codeOf(secret), waiting)).resolves.toMatchObject({ user: { id: user.id } })
  })

  it.each([
    ['is disabled', { isActive: false }],
    ['gets a new password', { password: 'another compiler of 1959' }],
  ])('ends when the user %s, and the code is not used', async (_, changes) => {
    const { secret } = await enable()
    const waiting = await challenge()
    await changeUser(world.accounts, world.tenant, user.id, () => changes)
    await expect(logIn(codeOf(secret), waiting)).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await use(codeOf(secret))).toBe(true)
  })

  it('takes a few codes for an account, however often it is started anew, and then refuses at once', async () => {
    const { secret } = await enable()
    const startedAt = world.accounts.clock.now()
    const refusals = new Set<string>()
    for (let guess = 0; guess < 12; guess += 1)
      await logIn(codeOf(secret, 9)).catch(({ code }: { code: string }) => refusals.add(code))
    expect([...refusals]).toEqual(['wrong_code', 'too_many_attempts'])
    await expect(logIn(codeOf(secret))).rejects.toMatchObject({ code: 'too_many_attempts' })
    expect(world.accounts.clock.now()).toBe(startedAt)
  })

  it('ends when the address is given up after the code was used', async () => {
    const { secret } = await enable()
    const waiting = await challenge()
    let wasUsed = false
    const store = world.single.storeThrough(async (operation, call) => {
      const answer = await call()
      if (operation !== 'TransactWriteItems' || wasUsed) return answer
      wasUsed = true
      await changeUser(world.accounts, world.tenant, user.id, () => ({ email: `not-${email}` }))
      return answer
    })
    const given = { mfa_token: waiting, code: codeOf(secret), sourceIp, userAgent: undefined }
    await expect(logInMfa({ ...dependencies(), store }, given)).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})

describe("one's own second factor", () => {
  it('is set up with the password, and not with another', async () => {
    const wrong = setUpSecondFactor(dependencies(), caller(), { password: 'not the password', sourceIp })
    await expect(wrong).rejects.toMatchObject({ errors: { password: [expect.any(String)] } })
    expect(await factor()).toBeNull()
  })

  it('is not replaced while there is one', async () => {
    await enable()
    const before = await factor()
    await expect(setUp()).rejects.toMatchObject({ code: 'mfa_enabled' })
    expect(await factor()).toEqual(before)
  })

  it('is replaced before it was confirmed: only the last secret counts', async () => {
    const first = await setUp()
    const second = await setUp()
    await expect(confirm(codeOf(first.secret))).rejects.toMatchObject({ errors: { code: [expect.any(String)] } })
    await confirm(codeOf(second.secret))
    expect((await factor())?.isConfirmed).toBe(true)
  })

  it('is confirmed by a code of the app only, once', async () => {
    const { secret, recovery_codes } = await setUp()
    await expect(confirm(recovery_codes[0] as string)).rejects.toMatchObject({ errors: { code: [expect.any(String)] } })
    await confirm(codeOf(secret))
    await expect(confirm(codeOf(secret, 1))).rejects.toMatchObject({ code: 'mfa_enabled' })
    await expect(use(codeOf(secret))).resolves.toBe(false)
  })

  it('is removed with a code, and not with a wrong one', async () => {
    const { secret } = await enable()
    const remove = (code: string) => removeSecondFactor(dependencies(), caller(), { code, sourceIp })
    await expect(remove(codeOf(secret, 5))).rejects.toMatchObject({ errors: { code: [expect.any(String)] } })
    expect(await factor()).not.toBeNull()
    await remove(codeOf(secret))
    expect([await factor(), (await current()).mfaEnabled]).toEqual([null, false])
    await expect(remove(codeOf(secret, 1))).rejects.toMatchObject({ code: 'mfa_not_set_up' })
  })

  it('cannot be confirmed or removed where none was set up, nor removed before it is confirmed', async () => {
    await expect(confirm('123456')).rejects.toMatchObject({ code: 'mfa_not_set_up' })
    const { secret } = await setUp()
    const removed = removeSecondFactor(dependencies(), caller(), { code: codeOf(secret), sourceIp })
    await expect(removed).rejects.toMatchObject({ code: 'mfa_not_set_up' })
  })
})

describe('an administrator', () => {
  const reset = (id: number) => resetSecondFactor(world.accounts, world.caller, id)

  it('removes the second factor of another person of this company', async () => {
    await enable()
    await reset(user.id)
    expect(await factor()).toBeNull()
  })

  it('does not remove the own, nor that of a person of other companies too', async () => {
    await expect(reset(world.administrator.id)).rejects.toMatchObject({ code: 'forbidden' })
    await enable()
    const { tenant } = await createTenant(world.accounts, { slug: `works${made}`, name: 'Works' })
    const person = await findPerson(world.accounts.store, email)
    await joinTenant(world.accounts, tenant, person as never, { roles: ['user'] })
    await expect(reset(user.id)).rejects.toMatchObject({ errors: { mfa: [expect.any(String)] } })
    expect(await factor()).not.toBeNull()
  })
})
