import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isoTime } from '../../../../../shared/kernel/time/clock.ts'
import { trailSort } from '../../../../../shared/platform/store/keys/history.ts'
import { slotAttributes } from '../../../../../shared/platform/store/slots.ts'
import type { Store } from '../../../../../shared/platform/store/store.ts'
import { trailActions, trailEvent } from '../../../../../shared/platform/trail/trail-event.ts'
import { readTrail } from '../../../../../shared/records/history/read-trail.ts'
import { TrailQuery } from '../../../../../shared/records/history/schema.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const tables = { find: async () => undefined }

let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table.close())

const models = ['notes', 'tasks']
const minute = (at: number): string => `2026-11-20T08:0${at}:00.000Z`

/** Few times, so that many entries of several shards have the same. */
const event = fc.record({
  at: fc.integer({ min: 0, max: 3 }),
  id: fc.integer({ min: 1, max: 9 }),
  model: fc.constantFrom(...models),
  userId: fc.integer({ min: 1, max: 2 }),
  action: fc.constantFrom(...trailActions.slice(0, 3)),
})
type Event = typeof event extends fc.Arbitrary<infer Made> ? Made : never

const query = fc.record(
  {
    user_id: fc.integer({ min: 1, max: 2 }).map(String),
    model: fc.constantFrom(...models),
    action: fc.constantFrom(...trailActions.slice(0, 3)),
    from: fc.integer({ min: 0, max: 3 }).map(minute),
    to: fc.integer({ min: 0, max: 3 }).map(minute),
  },
  { requiredKeys: [] },
)

let tenants = 0
/** Stores the events for a tenant of their own; answers the uuids of those that the query selects, newest first. */
async function stored(events: readonly Event[], asked: Record<string, string | undefined>) {
  const tenant = { id: ++tenants }
  const rows = events.map(({ at, id, model, userId, action }, index) => {
    const uuid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    const clock = { now: () => Date.parse(minute(at)), uuid: () => uuid }
    const { put } = trailEvent(clock, tenant, { userId }, { action, model, id }) as Extract<
      ReturnType<typeof trailEvent>,
      { put: object }
    >
    return { put, uuid, event: { at: minute(at), model, action, user_id: String(userId) } }
  })
  await table.store.putMany(
    tenant,
    rows.map(({ put }) => put),
  )
  const expected = rows
    .filter(
      ({ event: of }) =>
        (asked.from === undefined || of.at >= asked.from) &&
        (asked.to === undefined || of.at <= asked.to) &&
        (['model', 'action', 'user_id'] as const).every(
          (name) => asked[name] === undefined || of[name] === asked[name],
        ),
    )
    .toSorted((a, b) => (String(a.put.s15) < String(b.put.s15) ? 1 : -1))
  return { tenant, expected: expected.map(({ uuid }) => uuid) }
}

it('pages by number and by cursor hold every entry once, newest first, however many have the same time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 60, size: 'max' }),
      query,
      fc.integer({ min: 1, max: 12 }),
      async (events, asked, per_page) => {
        const { tenant, expected } = await stored(events, asked)
        const services = { store: table.store, tables, fetchObject: async () => new Uint8Array() }
        const read = (more: object) =>
          readTrail(services, tenant as never, TrailQuery.parse({ ...asked, per_page: String(per_page), ...more }))
        const uuidsOf = ({ items }: Awaited<ReturnType<typeof read>>) => items.map(({ id }) => id.split('.')[2])

        const numbered: unknown[] = []
        for (let page = 1; page <= Math.ceil(expected.length / per_page) + 1; page += 1) {
          const answer = await read({ page: String(page) })
          numbered.push(...uuidsOf(answer))
          expect([answer.total, answer.meta]).toEqual([expected.length, undefined])
        }
        const byCursor: unknown[] = []
        for (let cursor: string | null | undefined; cursor !== null;) {
          const answer = await read({ cursor })
          byCursor.push(...uuidsOf(answer))
          cursor = answer.nextCursor
        }
        expect([numbered, byCursor]).toEqual([expected, expected])
      },
    ),
    { seed: 11, numRuns: 25 },
  )
})

describe('a trail with more entries than one request looks at', () => {
  const tenant = { id: 1 }
  const newest = Date.parse('2026-11-20T08:00:00.000Z')
  const sorts = Array.from({ length: 22_500 }, (_, n) =>
    trailSort({ at: isoTime(newest - n * 1000), action: 'create', model: 'notes', recordId: n + 1, version: 1 }),
  )
  /** One shard has all entries; reads end at 1,000 keys, as DynamoDB's do at 1 MB. */
  const store: Pick<Store, 'query' | 'getMany'> = {
    async query(_tenant, { pk, index = '', to = '\u{10FFFF}', from = '', limit = 1000, after }) {
      const { sort } = slotAttributes(index)
      const found = pk.endsWith('0')
        ? sorts.filter((one) => one >= from && one <= to && (after === undefined || one < String(after.sk)))
        : []
      const items = found.slice(0, Math.min(limit, 1000)).map((one) => ({ pk: 'row', sk: one, [sort]: one }))
      return { items, last: found.length > items.length ? { pk, sk: String(items.at(-1)?.sk) } : undefined }
    },
    getMany: async (_tenant, keys) => keys.map(() => undefined),
  }
  const services = { store, tables, fetchObject: async () => new Uint8Array() }
  const ask = (asked: object) => readTrail(services, tenant as never, TrailQuery.parse(asked))

  it('refuses a numbered page behind them, and goes on by cursor from the last one before', async () => {
    const last = await ask({ page: '20', per_page: '1000' })
    expect(last).toMatchObject({ total: 20_000, nextCursor: expect.any(String), meta: { total_exact: false } })
    await expect(ask({ page: '21', per_page: '1000' })).rejects.toMatchObject({ code: 'query_too_expensive' })
    expect((await ask({ per_page: '1000', cursor: last.nextCursor })).nextCursor).not.toBeNull()
  })

  it('goes on by cursor when no entry that was looked at matches', async () => {
    const first = await ask({ action: 'delete' })
    expect(first).toMatchObject({ total: 0, nextCursor: expect.any(String), meta: { total_exact: false } })
    expect((await ask({ action: 'delete', cursor: first.nextCursor })).nextCursor).toBeNull()
  })
})
