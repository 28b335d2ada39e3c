import { beforeEach, expect, it } from 'vitest'
import { limitRequests } from '../../../../../shared/accounts/sessions/limit-requests.ts'
import { TooManyRequests } from '../../../../../shared/kernel/failures/faults.ts'
import type { Authenticate } from '../../../../../shared/platform/http/routing/endpoint-group.ts'
import { type FrozenClock, frozenClock } from '../../../../make/builders/frozen-clock.ts'

/** The counter that instances share, and how often it was written. */
let table: { counts: Map<string, number>; writes: number; fails: boolean }
let clock: FrozenClock
beforeEach(() => {
  table = { counts: new Map(), writes: 0, fails: false }
  clock = frozenClock('2026-11-20T08:00:00.000Z')
})

const store = {
  async update(_scope: unknown, { update, change }: { update: { pk: string }; change: { values: object } }) {
    if (table.fails) throw new Error('no writes')
    table.writes += 1
    const requests = (table.counts.get(update.pk) ?? 0) + (change.values as { ':more': number })[':more']
    table.counts.set(update.pk, requests)
    return { requests }
  },
}
const authenticate = ((tenantId: string) =>
  Promise.resolve({ caller: { tenant: { id: Number(tenantId) } }, preloaded: {} })) as unknown as Authenticate
const instance = (perSecond: number) => limitRequests({ store: store as never, clock }, authenticate, perSecond)

/** How many of so many requests of a tenant are let through, by the instances in turn; the others are told to wait. */
async function passed(instances: readonly Authenticate[], requests: number, tenant = '1'): Promise<number> {
  const refusals: unknown[] = []
  for (let n = 0; n < requests; n += 1)
    await (instances[n % instances.length] as Authenticate)(tenant, () => []).catch((error) => refusals.push(error))
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(TooManyRequests)
    expect(refusal).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 10 })
  }
  return requests - refusals.length
}

it('lets through what a tenant may send in ten seconds, and the same again in the next', async () => {
  const instances = [instance(20)]
  expect(await passed(instances, 300)).toBe(200)
  expect(await passed(instances, 50, '2')).toBe(50)
  clock.advance(10_000)
  expect(await passed(instances, 300)).toBe(200)
})

it('counts over all instances, exactly but for what each has not told', async () => {
  const instances = Array.from({ length: 5 }, () => instance(100))
  const count = await passed(instances, 3_000)
  expect(count).toBeGreaterThanOrEqual(1_000)
  expect(count).toBeLessThanOrEqual(1_000 + 5 * 20)
})

it('costs no call while a tenant sends little, and counts for itself when the others cannot be told', async () => {
  const instances = [instance(100)]
  await passed(instances, 19)
  expect(table.writes).toBe(0)
  table.fails = true
  expect(await passed(instances, 1_200)).toBe(981)
})

it('is off without a number', () => {
  for (const none of [0, Number.NaN])
    expect(limitRequests({ store: store as never, clock }, authenticate, none)).toBe(authenticate)
})
