import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  endState,
  findState,
  keepCode,
  keepState,
  takeCode,
} from '../../../../../../shared/accounts/sign-in/providers/oauth/sign-in-rows.ts'
import { RefusedSignIn } from '../../../../../../shared/accounts/sign-in/providers/refused-sign-in.ts'
import { useTokenOnce } from '../../../../../../shared/accounts/sign-in/providers/sso/use-token-once.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const clock = frozenClock()
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
const services = () => ({ store: single.store, clock })

describe('a token of an identity provider', () => {
  const use = (issuer: string, jti?: string) => useTokenOnce(services(), issuer, { jti, exp: 1_800_000_000 } as never)

  it('signs in once, by its id at its issuer', async () => {
    await use('https://one.test', 'a')
    await expect(use('https://one.test', 'a')).rejects.toThrow(RefusedSignIn)
    await use('https://two.test', 'a')
    await use('https://one.test', 'b')
  })

  it('without an id signs in until it expires', async () => {
    await use('https://one.test')
    await expect(use('https://one.test')).resolves.toBeUndefined()
  })
})

describe('a sign-in at a provider', () => {
  const state = {
    provider: 'company',
    tenantId: 1,
    browserHash: 'b',
    nonce: 'n',
    verifier: 'v',
    redirect: null,
  }
  const finished = { tenantId: 1, userId: 7, kind: 'provider_session', credentialVersion: 1 } as const

  it('ends once', async () => {
    await keepState(services(), 'once', state)
    expect(await findState(services(), 'once')).toEqual(state)
    expect([await endState(services(), 'once'), await endState(services(), 'once')]).toEqual([true, false])
  })

  it('may take ten minutes, to the millisecond', async () => {
    await keepState(services(), 'slow', state)
    clock.advance(10 * 60_000 - 1)
    expect(await findState(services(), 'slow')).toBeDefined()
    clock.advance(1)
    expect(await findState(services(), 'slow')).toBeUndefined()
  })

  it('gives a code that works once, of two requests at the same time', async () => {
    await keepCode(services(), 'code', finished)
    const taken: unknown[] = []
    const store = interruptedStore(single, 'DeleteItem', async () => taken.push(await takeCode(services(), 'code')))
    expect(await takeCode({ store, clock }, 'code')).toBeUndefined()
    expect([...taken, await takeCode(services(), 'code')]).toEqual([finished, undefined])
  })

  it('gives a code that works for a minute', async () => {
    await keepCode(services(), 'late', finished)
    clock.advance(60_000)
    expect(await takeCode(services(), 'late')).toBeUndefined()
  })
})
