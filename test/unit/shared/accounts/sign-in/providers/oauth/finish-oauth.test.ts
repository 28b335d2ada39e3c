import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeUser } from '../../../../../../../shared/accounts/people/change-user.ts'
import { createUser } from '../../../../../../../shared/accounts/people/create-user.ts'
import type { User } from '../../../../../../../shared/accounts/people/user.ts'
import type { OauthDependencies } from '../../../../../../../shared/accounts/sign-in/providers/oauth/begin-oauth.ts'
import { exchangeCode, finishOauth } from '../../../../../../../shared/accounts/sign-in/providers/oauth/finish-oauth.ts'
import {
  endState,
  findState,
  hashOf,
  keepCode,
  keepState,
  type SignInState,
} from '../../../../../../../shared/accounts/sign-in/providers/oauth/sign-in-rows.ts'
import { Unauthenticated } from '../../../../../../../shared/kernel/failures/faults.ts'
import { userKey } from '../../../../../../../shared/platform/store/keys/auth.ts'
import { interruptedStore } from '../../../../../../make/services/stores/interrupted-store.ts'
import { type AccountWorld, openAccountWorld } from '../../../../../../make/services/worlds/account-world.ts'

let world: AccountWorld
let made = 0
let secret: string
beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world?.single.close())
beforeEach(() => {
  secret = `state${(made += 1)}`
})

/** The tenant has no provider (any more): who gets past the state is refused for that, in the app. */
const refusedInApp = { location: 'http://app.test/base/requests?error=sign_in_refused' }
const oauth = (more: Partial<OauthDependencies> = {}): OauthDependencies => ({
  ...world.accounts,
  settings: { APP_MODE: 'single' },
  secrets: () => Promise.reject(new Error('nothing is sealed')),
  clientAt: () => Promise.reject(new Error('no provider is asked')),
  publicUrl: 'http://api.test',
  appUrl: 'http://app.test/base/',
  ...more,
})
const begin = (more: Partial<SignInState> = {}) =>
  keepState(world.accounts, secret, {
    provider: 'google',
    tenantId: world.tenant.id,
    browserHash: hashOf('cookie'),
    nonce: 'n',
    verifier: 'v',
    redirect: '/requests',
    ...more,
  })
const finish = (more: Partial<OauthDependencies> = {}, browserSecret: string | undefined = 'cookie') =>
  finishOauth(oauth(more), 'google', { parameters: { state: secret }, browserSecret, userAgent: undefined })

describe('a sign-in that comes back from a provider', () => {
  it.each([
    ['is no longer set up', {}],
    ['is that of a tenant which is gone', { tenantId: 404 }],
  ])('is refused when the provider %s', async (_, more) => {
    await begin(more)
    expect(await finish()).toEqual(refusedInApp)
    expect(await findState(world.accounts, secret)).toBeUndefined()
  })

  it.each([
    ['began outside of the app', { redirect: null }, {}],
    ['comes back when there is no app any more', {}, { appUrl: undefined }],
  ])('is refused with an error when it %s', async (_, state, more) => {
    await begin(state)
    await expect(finish(more)).rejects.toThrow(Unauthenticated)
  })

  it('is refused in another browser, which does not end it for the one that began it', async () => {
    await begin()
    await expect(finish({}, 'another')).rejects.toThrow(Unauthenticated)
    await expect(
      finishOauth(oauth(), 'google', { parameters: { state: secret }, browserSecret: undefined, userAgent: undefined }),
    ).rejects.toThrow(Unauthenticated)
    expect(await finish()).toEqual(refusedInApp)
  })

  it('is refused at another provider', async () => {
    await begin({ provider: 'microsoft' })
    await expect(finish()).rejects.toThrow(Unauthenticated)
  })

  it('goes on once, of two that arrive at the same time', async () => {
    await begin()
    const store = interruptedStore(world.single, 'DeleteItem', () => endState(world.accounts, secret))
    await expect(finish({ store })).rejects.toThrow(Unauthenticated)
  })

  it('fails, and is not refused, when the service itself has a fault', async () => {
    await begin()
    const config = { ...world.accounts.config, list: () => Promise.reject(new Error('a fault of ours')) }
    await expect(finish({ config })).rejects.toThrow('a fault of ours')
  })
})

describe('the code of a finished sign-in', () => {
  let user: User
  beforeEach(async () => {
    const given = { name: 'Eve', email: `eve${made}@acme.test`, roles: ['user'] }
    user = await createUser(world.accounts, world.tenant, given)
  })
  const keep = (more: object = {}) =>
    keepCode(world.accounts, secret, {
      tenantId: world.tenant.id,
      userId: user.id,
      kind: 'provider_session',
      credentialVersion: user.credentialVersion,
      ...more,
    })
  const exchange = () => exchangeCode(oauth(), { code: secret, userAgent: undefined })

  it('signs in', async () => {
    await keep()
    expect((await exchange()).user.id).toBe(user.id)
  })

  it.each([{ tenantId: 404 }, { userId: 404 }])('signs in nobody with %j, who is gone', async (more) => {
    await keep(more)
    await expect(exchange()).rejects.toThrow(Unauthenticated)
  })

  it('ends with what ends the sessions of the user', async () => {
    await keep({ credentialVersion: user.credentialVersion - 1 })
    await expect(exchange()).rejects.toThrow(Unauthenticated)
  })

  it('does not let a disabled user in', async () => {
    const disabled = await changeUser(world.accounts, world.tenant, user.id, () => ({ isActive: false }))
    await keep({ credentialVersion: disabled.credentialVersion })
    await expect(exchange()).rejects.toThrow(Unauthenticated)
  })

  it('signs in nobody whose user was removed meanwhile', async () => {
    await keep()
    await world.accounts.store.write(world.tenant, { remove: userKey(world.tenant, user.id) })
    await expect(exchange()).rejects.toThrow(Unauthenticated)
  })
})
