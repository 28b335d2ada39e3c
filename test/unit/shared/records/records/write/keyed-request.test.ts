import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { keyedRequest } from '../../../../../../shared/records/records/write/keyed-request.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const dayMs = 24 * 60 * 60 * 1000
const tenant = { id: 1, slug: 'acme', name: 'Acme Ltd', configVersion: 1 }
let single: SingleTable
let nowMs = Date.parse('2026-11-23T08:00:00Z')
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

const request = (key: string, body: unknown = 'body', { userId = 1, route = 'POST /api/e/plans' } = {}) =>
  keyedRequest<string>({ store: single.store, clock: { now: () => nowMs } }, { tenant, userId }, route, key, body, {
    write: (answer) => ({ answer }),
    read: ({ answer }) => String(answer),
  })
let tokens = 0
const claim = (key: string, answer: string): Promise<void> =>
  single.store.transact(tenant, [request(key).claim(answer)], `claim ${(tokens += 1)}`)

describe('the claim of an Idempotency-Key', () => {
  it('is refused while the key is claimed, and leaves the first answer', async () => {
    await claim('a', 'first')
    await expect(claim('a', 'second')).rejects.toThrow(TransactionRefused)
    expect(await request('a').earlier()).toBe('first')
  })

  it('holds for 24 hours, to the second, and then makes room for the next', async () => {
    await claim('b', 'first')
    nowMs += dayMs
    await expect(claim('b', 'second')).rejects.toThrow(TransactionRefused)
    expect(await request('b').earlier()).toBe('first')
    nowMs += 1000
    expect(await request('b').earlier()).toBeUndefined()
    await claim('b', 'second')
    expect(await request('b').earlier()).toBe('second')
  })

  it('is one of the user, the route and the body', async () => {
    await claim('c', 'first')
    expect(await request('c', 'body', { userId: 2 }).earlier()).toBeUndefined()
    expect(await request('c', 'body', { route: 'POST /api/e/others' }).earlier()).toBeUndefined()
    await expect(request('c', 'another body').earlier()).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  })
})
