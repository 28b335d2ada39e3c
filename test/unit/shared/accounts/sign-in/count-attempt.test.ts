import { afterAll, beforeAll, expect, it } from 'vitest'
import { countAttempt } from '../../../../../shared/accounts/attempts/login-throttle.ts'
import { TooManyRequests } from '../../../../../shared/kernel/failures/faults.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const clock = frozenClock()
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
const count = (email: string) => countAttempt({ store: single.store, clock }, email, '192.0.2.1')

it('an attempt that fails after another has succeeded leaves nothing behind', async () => {
  const [right, wrong] = [await count('ada@acme.test'), await count('ada@acme.test')]
  expect(await right.succeeded()).toBe(true)
  await wrong.failed()
  expect(await single.itemsOf('THROTTLE')).toEqual([])
  expect((await count('ada@acme.test')).isFirst).toBe(true)
})

it('a success resets the count of its own 15 minutes only', async () => {
  const late = await count('eve@acme.test')
  await late.failed()
  clock.advance(15 * 60_000)
  for (let n = 0; n < 5; n += 1) await (await count('eve@acme.test')).failed()
  expect(await late.succeeded()).toBe(false)
  await expect(count('eve@acme.test')).rejects.toThrow(TooManyRequests)
})

it('five failures start a pause, and attempts at once are counted one by one', async () => {
  const attempts = await Promise.all(Array.from({ length: 5 }, () => count('grace@acme.test')))
  await Promise.all(attempts.map((attempt) => attempt.failed()))
  await expect(count('grace@acme.test')).rejects.toThrow(TooManyRequests)
  clock.advance(30_000)
  await (await count('grace@acme.test')).failed()
  clock.advance(59_999)
  await expect(count('grace@acme.test')).rejects.toThrow(TooManyRequests)
})
