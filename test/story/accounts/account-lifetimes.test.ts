import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acceptInvitation, describeInvitation } from '../../../shared/accounts/invitations/accept-invitation.ts'
import { createInvitation } from '../../../shared/accounts/invitations/create-invitation.ts'
import { createAuthentication } from '../../../shared/accounts/sessions/authentication.ts'
import { logIn, type LoginResult } from '../../../shared/accounts/sign-in/login.ts'
import { NotFound, TooManyRequests, Unauthenticated } from '../../../shared/kernel/failures/faults.ts'
import { clock as systemClock } from '../../../shared/kernel/time/clock.ts'
import { openClient } from '../../../shared/platform/store/client/open-client.ts'
import { createConfig } from '../../../shared/platform/store/config.ts'
import { tokenKey } from '../../../shared/platform/store/keys/auth.ts'
import { createStore, deploymentWide } from '../../../shared/platform/store/store.ts'
import { frozenClock, type FrozenClock } from '../../make/builders/frozen-clock.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'

/** Expiry over days, on the table of a running service and with a clock that the test advances. */
let service: TestService
let clock: FrozenClock

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service.stop())
beforeEach(() => {
  // From now on, in whole seconds: the TTL of the table compares with the real time.
  clock = frozenClock(new Date(Math.ceil(Date.now() / 1000) * 1000).toISOString())
})

const minutes = 60_000
const hours = 60 * minutes
const days = 24 * hours

const accounts = () => ({ store: service.store, config: createConfig(service.store, clock), clock })
const signIn = (password = service.admin.password, sourceIp = '198.51.100.7') =>
  logIn(accounts(), { email: service.admin.email, password, sourceIp }) as Promise<LoginResult>

describe('an access token', () => {
  const use = async (token: string) => {
    const { caller } = await createAuthentication(accounts())(`Bearer ${token}`, () => [])
    return caller.email
  }

  it('expires 30 days after the login, however often it is used', async () => {
    const { token } = await signIn()
    for (let day = 6; day < 30; day += 6) {
      clock.advance(6 * days)
      expect(await use(token)).toBe(service.admin.email)
    }
    clock.advance(6 * days - 1)
    await use(token)
    clock.advance(1)
    await expect(use(token)).rejects.toThrow(Unauthenticated)
  })

  it('expires after 7 days without use', async () => {
    const { token } = await signIn()
    clock.advance(7 * days - 1)
    await use(token)
    clock.advance(7 * days)
    await expect(use(token)).rejects.toThrow(Unauthenticated)
  })

  it('stores only the hash of its secret, and updates its last use at most once an hour', async () => {
    const { token } = await signIn()
    const [number, secret] = token.split('|') as [string, string]
    const row = () => service.store.get(deploymentWide, tokenKey(Number(number)))
    const made = await row()
    expect(JSON.stringify(made)).not.toContain(secret)
    clock.advance(hours - 1)
    await use(token)
    expect(await row()).toEqual(made)
    clock.advance(1)
    await use(token)
    expect(await row()).toMatchObject({ last_used_at_ms: clock.now(), expires_at: (clock.now() + 7 * days) / 1000 })
  })

  it('stays valid when its last use cannot be stored', async () => {
    const { token } = await signIn()
    clock.advance(2 * hours)
    const store = { ...service.store, write: () => Promise.reject(new Error('the table is busy')) }
    const { caller } = await createAuthentication({ ...accounts(), store })(`Bearer ${token}`, () => [])
    expect(caller.email).toBe(service.admin.email)
  })

  it('is not stored again by a request that runs during its logout', async () => {
    const { token } = await signIn()
    const number = Number(token.split('|')[0])
    clock.advance(2 * hours)
    const store = {
      ...service.store,
      write: async (...given: Parameters<typeof service.store.write>) => {
        await service.store.write(deploymentWide, { remove: tokenKey(number) })
        return service.store.write(...given)
      },
    }
    await createAuthentication({ ...accounts(), store })(`Bearer ${token}`, () => [])
    expect(await service.store.get(deploymentWide, tokenKey(number))).toBeUndefined()
  })
})

describe('failed logins', () => {
  const fail = (sourceIp: string) => signIn('wrong guess', sourceIp).catch((error: unknown) => error)

  it('block further attempts for 30 s, 60 s, 120 s and so on, for 15 minutes at most', async () => {
    const waits: number[] = []
    for (let failure = 0; failure < 4; failure += 1) expect(await fail('203.0.113.1')).toBeInstanceOf(Unauthenticated)
    for (let failure = 0; failure < 8; failure += 1) {
      expect(await fail('203.0.113.1')).toBeInstanceOf(Unauthenticated)
      const refused = (await fail('203.0.113.1')) as TooManyRequests
      expect(refused).toBeInstanceOf(TooManyRequests)
      waits.push(refused.retryAfterSeconds)
      clock.advance(Number(waits.at(-1)) * 1000)
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900])
  })

  it('do not block other addresses, so nobody can lock an account', async () => {
    for (let failure = 0; failure < 5; failure += 1) await fail('203.0.113.2')
    expect(await fail('203.0.113.2')).toBeInstanceOf(TooManyRequests)
    expect((await signIn(undefined, '203.0.113.3')).user.email).toBe(service.admin.email)
  })

  it('do not block other accounts from the same address', async () => {
    for (let failure = 0; failure < 5; failure += 1) await fail('203.0.113.6')
    const other = { email: 'somebody-else@account-lifetimes.test', password: 'wrong guess', sourceIp: '203.0.113.6' }
    await expect(logIn(accounts(), other)).rejects.toThrow(Unauthenticated)
  })

  it('are counted together by all instances of the function, also when they arrive at once', async () => {
    // Each call has a store, a configuration and a client of its own, as each instance has.
    const instance = () => {
      const store = createStore(
        service.cloud.tables[0] as string,
        openClient(service.cloud.clientOptions('dynamodb')),
        systemClock,
      )
      return { store, config: createConfig(store, systemClock), clock: systemClock }
    }
    const given = { email: service.admin.email, password: 'wrong guess', sourceIp: '203.0.113.7' }
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => logIn(instance(), given).catch((error: unknown) => error)),
    )
    expect(answers.filter((one) => one instanceof Unauthenticated)).toHaveLength(5)
    expect(answers.filter((one) => one instanceof TooManyRequests)).toHaveLength(7)
    await expect(logIn(instance(), { ...given, password: service.admin.password })).rejects.toThrow(TooManyRequests)
  })

  it('do not block the right password once the pause is over', async () => {
    for (let failure = 0; failure < 5; failure += 1) await fail('203.0.113.4')
    clock.advance(30_000)
    await signIn(undefined, '203.0.113.4')
    for (let failure = 0; failure < 4; failure += 1) expect(await fail('203.0.113.4')).toBeInstanceOf(Unauthenticated)
    await signIn(undefined, '203.0.113.4')
  })

  it('are no longer counted after 15 minutes', async () => {
    for (let failure = 0; failure < 12; failure += 1) {
      expect(await fail('203.0.113.5')).toBeInstanceOf(Unauthenticated)
      clock.advance(4 * minutes)
    }
  })

  it('from one IPv6 network are counted together', async () => {
    for (let host = 1; host <= 5; host += 1) await fail(`2001:db8:1:2::${host}`)
    expect(await fail('2001:db8:1:2:ffff::1')).toBeInstanceOf(TooManyRequests)
    expect(await fail('2001:db8:1:3::1')).toBeInstanceOf(Unauthenticated)
  })
})

describe('an invitation', () => {
  it('expires after 7 days', async () => {
    const invitedAt = clock.now()
    const { token, invitation } = await createInvitation(accounts(), service.tenant, {
      email: 'late@account-lifetimes.test',
      roles: ['user'],
    })
    expect(invitation.expiresAtMs).toBe(invitedAt + 7 * days)
    clock.advance(7 * days - 1)
    expect((await describeInvitation(accounts(), token)).email).toBe('late@account-lifetimes.test')
    clock.advance(1)
    await expect(describeInvitation(accounts(), token)).rejects.toThrow(NotFound)
    const password = 'brass gears 1843'
    const given = { body: { name: 'Late', password, password_confirmation: password }, sourceIp: '198.51.100.7' }
    await expect(acceptInvitation(accounts(), token, given)).rejects.toThrow(NotFound)
  })
})
