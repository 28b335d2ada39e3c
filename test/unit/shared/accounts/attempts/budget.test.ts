import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { registrations, settle, spend } from '../../../../../shared/accounts/attempts/budget.ts'
import { countLogin } from '../../../../../shared/accounts/sign-in/login.ts'
import type { TooManyRequests } from '../../../../../shared/kernel/failures/faults.ts'
import { clock as runningClock } from '../../../../../shared/kernel/time/clock.ts'
import { type FrozenClock, frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let table: SingleTable
let clock: FrozenClock
let network = 0
let address: string
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table.close())
beforeEach(() => {
  clock = frozenClock()
  address = `198.51.100.${(network += 1)}`
})

const logIn = async (email: string, outcome: 'succeeded' | 'failed', from = address): Promise<boolean> => {
  try {
    await (await countLogin({ store: table.store, clock }, email, from))[outcome]()
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'too_many_attempts' })
    return false
  }
}
const failOn = async (accounts: number, from = address): Promise<number> => {
  let tried = 0
  for (let n = 0; n < accounts; n += 1) tried += Number(await logIn(`spray-${n}@${from}`, 'failed', from))
  return tried
}

describe('one address that tries a password on many accounts', () => {
  it('tries ten, then waits, also with a right password; other addresses go on', async () => {
    expect(await failOn(12)).toBe(10)
    expect(await logIn('right@example.com', 'succeeded')).toBe(false)
    expect(await logIn('right@example.com', 'succeeded', '203.0.113.7')).toBe(true)
  })

  it('tries no more than the budget when it tries all at once', async () => {
    const tried = await Promise.all(Array.from({ length: 30 }, (_, n) => logIn(`burst-${n}@example.com`, 'failed')))
    expect(tried.filter(Boolean)).toHaveLength(10)
  })

  it('tries ten again after twenty minutes, and a hundred in a day', async () => {
    const tried: number[] = []
    for (let round = 0; round < 12; round += 1) {
      let n = 0
      while (n < 12 && (await logIn(`${round}-${n}@example.com`, 'failed'))) n += 1
      tried.push(n)
      clock.advance(20 * 60_000)
    }
    expect(tried).toEqual([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 0, 0])
    clock.advance(24 * 3_600_000)
    expect(await logIn('tomorrow@example.com', 'failed')).toBe(true)
  })

  it('is told for how long to wait, and may go on then', async () => {
    await failOn(10)
    const refused = await countLogin({ store: table.store, clock }, 'next@example.com', address).catch(
      (error: unknown) => error,
    )
    const seconds = (refused as TooManyRequests).retryAfterSeconds
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(20 * 60)
    clock.advance(seconds * 1000)
    expect(await logIn('next@example.com', 'failed')).toBe(true)
  })

  it('is one network with all addresses of its /64', async () => {
    for (let n = 0; n < 10; n += 1) await logIn(`v6-${n}@example.com`, 'failed', `2001:db8:1:2::${n.toString(16)}`)
    expect(await logIn('v6@example.com', 'failed', '2001:db8:1:2:ffff::1')).toBe(false)
    expect(await logIn('v6@example.com', 'failed', '2001:db8:1:3::1')).toBe(true)
  })
})

describe('a company behind one address', () => {
  it('signs in at nine o clock, two hundred people at once', async () => {
    // A frozen clock would jump over the time in which the others are verified; a busy machine takes many times as long.
    const began = runningClock.now()
    clock = { ...runningClock, now: () => began + Math.floor((runningClock.now() - began) / 30), advance() {} }
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => logIn(`nine-${n}@corp.test`, 'succeeded')))
    expect(answers).not.toContain(false)
  })

  it('may mistype: whoever succeeds afterwards does not count', async () => {
    for (let n = 0; n < 200; n += 1) {
      expect(await logIn(`typo-${n}@corp.test`, 'failed')).toBe(true)
      expect(await logIn(`typo-${n}@corp.test`, 'succeeded')).toBe(true)
    }
  })

  it('has one account counted once, however often its owner mistypes', async () => {
    for (let n = 0; n < 5; n += 1) await logIn('forgetful@corp.test', 'failed')
    expect(await failOn(12)).toBe(9)
  })

  it('keeps its people signing in while somebody there tries many accounts', async () => {
    expect(await logIn('known@corp.test', 'succeeded')).toBe(true)
    clock.advance(29 * 24 * 3_600_000)
    expect(await failOn(12)).toBe(10)
    expect(await logIn('known@corp.test', 'failed')).toBe(true)
    expect(await logIn('known@corp.test', 'succeeded')).toBe(true)
    // Known on this network only, and for thirty days.
    const elsewhere = '203.0.113.9'
    await failOn(10, elsewhere)
    expect(await logIn('known@corp.test', 'succeeded', elsewhere)).toBe(false)
    clock.advance(31 * 24 * 3_600_000)
    await failOn(10)
    expect(await logIn('known@corp.test', 'succeeded')).toBe(false)
  })

  it('has a budget for its own accounts too: thirty fail in fifteen minutes, and none is forgotten', async () => {
    const own = (n: number) => `own-${n}@corp.test`
    for (let n = 0; n < 40; n += 1) expect(await logIn(own(n), 'succeeded')).toBe(true)
    let tried = 0
    for (let n = 0; n < 40; n += 1) tried += Number(await logIn(own(n), 'failed'))
    expect(tried).toBe(30)
    // Who was refused is still known: the strangers' budget does not hold it back later.
    clock.advance(20 * 60_000)
    await failOn(10)
    expect(await logIn(own(39), 'succeeded')).toBe(true)
  })

  it('gains nothing by many successes at once', async () => {
    await failOn(9)
    await Promise.all(Array.from({ length: 20 }, () => logIn('mine@corp.test', 'succeeded')))
    expect(await logIn('one@example.com', 'failed')).toBe(true)
    expect(await logIn('two@example.com', 'failed')).toBe(false)
  })
})

it('keeps the row of a network that never rests small', async () => {
  for (let n = 0; n < 120; n += 1) {
    await spend({ store: table.store, clock }, registrations, address, clock.now())
    await settle({ store: table.store }, registrations, address, {})
    clock.advance(10 * 60_000)
  }
  const rows = await table.itemsOf('BUDGET#')
  expect(Math.max(...rows.map((row) => Object.keys(row).length))).toBeLessThan(50)
})
