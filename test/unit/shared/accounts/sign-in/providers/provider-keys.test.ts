import { beforeEach, expect, it } from 'vitest'
import { createProviderKeys } from '../../../../../../shared/accounts/sign-in/providers/sso/provider-keys.ts'
import { type FrozenClock, frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { makeKey, type ProviderKey } from '../../../../../make/services/servers/identity-provider.ts'

const source = { issuer: 'https://login.acme.test', jwksUrl: 'https://login.acme.test/keys' }
const minuteMs = 60_000
let clock: FrozenClock
let served: readonly ProviderKey[]
let fetches: number
let status: number
let keysOf: ReturnType<typeof createProviderKeys>
const [first, second] = [await makeKey('first'), await makeKey('second')]

beforeEach(() => {
  clock = frozenClock()
  served = [first]
  fetches = 0
  status = 200
  const fetchPublic = async (): Promise<Response> => {
    fetches += 1
    return Response.json({ keys: served.map(({ jwk }) => jwk) }, { status })
  }
  keysOf = createProviderKeys({ fetchPublic, clock })
})

/** Whether the key of a token is found. */
async function finds({ kid, alg }: { readonly kid: string; readonly alg: string }): Promise<boolean> {
  try {
    const find = await keysOf(source)
    await find({ kid, alg }, { payload: '', signature: '' })
    return true
  } catch {
    return false
  }
}

it('are fetched once for many tokens, also for those at the same time', async () => {
  await Promise.all([finds(first), finds(first), finds(first)])
  expect([await finds(first), fetches]).toEqual([true, 1])
})

it('are fetched again for an unknown key, but only once in half a minute', async () => {
  await finds(first)
  clock.advance(31_000)
  served = [second]
  expect([await finds(second), fetches]).toEqual([true, 2])
  for (let attempt = 0; attempt < 10; attempt += 1) await finds({ kid: `guess-${attempt}`, alg: 'ES256' })
  expect(fetches).toBe(2)
  expect(await finds(first)).toBe(false)
})

it('are fetched again after ten minutes, so that a withdrawn key ends', async () => {
  await finds(first)
  served = [second]
  clock.advance(10 * minuteMs)
  expect([await finds(first), fetches]).toEqual([false, 2])
})

it('stay in use for an hour while the provider fails, which is asked once in half a minute', async () => {
  await finds(first)
  status = 500
  clock.advance(10 * minuteMs)
  expect([await finds(first), await finds(first), fetches]).toEqual([true, true, 2])
  clock.advance(50 * minuteMs)
  expect([await finds(first), await finds(first), fetches]).toEqual([false, false, 3])
  status = 200
  clock.advance(minuteMs)
  expect(await finds(first)).toBe(true)
})

it('are not guessed when the provider never answered', async () => {
  status = 404
  for (let attempt = 0; attempt < 5; attempt += 1) expect(await finds(first)).toBe(false)
  expect(fetches).toBe(1)
})
