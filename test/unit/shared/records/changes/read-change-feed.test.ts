import { beforeEach, describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../shared/kernel/failures/faults.ts'
import { unrestricted, type Viewer } from '../../../../../shared/kernel/principal.ts'
import { isoTime } from '../../../../../shared/kernel/time/clock.ts'
import { changePartitionOf, changeSort } from '../../../../../shared/platform/store/keys/columns.ts'
import { readChangeFeed } from '../../../../../shared/records/changes/read-change-feed.ts'
import { type ChangesAnswer, ChangesQuery } from '../../../../../shared/records/changes/schema.ts'

const tenant = { id: 7, slug: 'demo', name: 'Demo', configVersion: 1 }
const viewer = { ...unrestricted, tenant, userId: 1 } as unknown as Viewer
const tables = [
  { id: 3, name: 'requests' },
  { id: 4, name: 'clients' },
] as never[]

let nowMs: number
/** The change slot: the latest change of each record, by table and id. */
let slot: Map<string, { p02: string; s02: string; pk: string; sk: string }>
let queries: number

/** A write that becomes visible now; `at` may be earlier. */
function write(model: string, id: number, version: number, { at = nowMs, isGone = false } = {}): void {
  slot.set(`${model}/${id}`, {
    p02: changePartitionOf(tenant, model, id),
    s02: changeSort({ at: isoTime(at), id, version, isGone }),
    pk: `${model}/${id}`,
    sk: String(id),
  })
}

const store = {
  async query(_: unknown, { pk, from = '', to = '\u{10FFFF}', limit = Infinity, after }: any) {
    queries += 1
    const found = [...slot.values()]
      .filter((one) => one.p02 === pk && one.s02 >= from && one.s02 <= to && (!after || one.s02 > after.s02))
      .toSorted((a, b) => (a.s02 < b.s02 ? -1 : 1))
    const items = found.slice(0, limit)
    return { items, last: found.length > items.length ? items.at(-1) : undefined }
  },
  getMany: async () => [],
} as never

const read = (query: Record<string, unknown> = {}): Promise<ChangesAnswer> =>
  readChangeFeed(
    {
      store,
      tables: { all: async () => tables } as never,
      clock: { now: () => nowMs } as never,
      fetchObject: () => Promise.reject(new Error('no large history')),
      access: { isLimited: () => false, permitted: async () => [] },
    },
    viewer,
    ChangesQuery.parse(query),
  )
const named = ({ changes }: ChangesAnswer) => changes.map(({ table, id, version }) => `${table}/${id}@${version}`)

beforeEach(() => {
  nowMs = Date.parse('2026-11-20T08:00:00.000Z')
  slot = new Map()
  queries = 0
})

describe('the feed of changes', () => {
  it('answers each change once, at once, however often it is asked', async () => {
    write('requests', 1, 1)
    write('clients', 1, 1)
    const first = await read()
    expect([named(first).sort(), first.has_more]).toEqual([['clients/1@1', 'requests/1@1'], false])
    let since = first.next_since
    for (let n = 0; n < 15; n += 1) {
      nowMs += 1_000
      const next = await read({ since })
      expect(named(next)).toEqual([])
      since = next.next_since
    }
    write('requests', 1, 2)
    expect(named(await read({ since }))).toEqual(['requests/1@2'])
  })

  it('answers writes that become visible late and in another order', async () => {
    write('requests', 2, 1)
    const first = await read()
    const startedMs = nowMs
    nowMs += 9_000
    write('requests', 1, 1, { at: startedMs - 500 })
    const second = await read({ since: first.next_since })
    expect([named(first), named(second)]).toEqual([['requests/2@1'], ['requests/1@1']])
    nowMs += 60_000
    expect(named(await read({ since: second.next_since }))).toEqual([])
  })

  it('answers a record that never rests at each of its states that a call finds', async () => {
    let { next_since: since } = await read()
    for (let version = 1; version <= 20; version += 1) {
      nowMs += 3_000
      write('requests', 1, version)
      const next = await read({ since })
      expect(named(next)).toEqual([`requests/1@${version}`])
      since = next.next_since
    }
  })

  it('pages through what is older, and gives all of a burst within its lag', async () => {
    for (let id = 1; id <= 300; id += 1) write('requests', id, 1, { at: nowMs - 60_000 + id })
    for (let id = 301; id <= 600; id += 1) write('requests', id, 1)
    const seen: string[] = []
    let since: string | undefined
    let calls = 0
    for (let isMore = true; isMore; calls += 1) {
      const page = await read({ limit: '100', ...(since !== undefined && { since }) })
      expect(page.changes.length).toBeLessThanOrEqual(100)
      seen.push(...named(page))
      since = page.next_since
      expect(since.length).toBeLessThanOrEqual(2000)
      isMore = page.has_more
    }
    expect(seen.length).toBeGreaterThanOrEqual(300)
    nowMs += 10_001
    for (let isMore = true; isMore;) {
      const page = await read({ limit: '100', since })
      seen.push(...named(page))
      since = page.next_since
      isMore = page.has_more
    }
    expect(new Set(seen).size).toBe(600)
    expect(seen).toHaveLength(600)
  })

  it('reads four parts a table, whatever the tenant holds', async () => {
    for (let id = 1; id <= 5_000; id += 1) write('requests', id, 1, { at: nowMs - 3_600_000 + id })
    await read({ tables: 'requests', limit: '50' })
    expect(queries).toBeLessThanOrEqual(8)
  })

  it('begins at a time or now, and keeps its tables', async () => {
    write('requests', 1, 1, { at: nowMs - 60_000 })
    write('requests', 2, 1, { at: nowMs - 30_000 })
    expect(named(await read({ since: isoTime(nowMs - 40_000) }))).toEqual(['requests/2@1'])
    const fromNow = await read({ since: 'now', tables: 'requests' })
    expect([named(fromNow), fromNow.tables]).toEqual([[], ['requests']])
    write('clients', 1, 1)
    write('requests', 3, 1)
    expect(named(await read({ since: fromNow.next_since }))).toEqual(['requests/3@1'])
  })

  it('says that a record is deleted', async () => {
    write('requests', 1, 2, { isGone: true })
    expect((await read()).changes).toMatchObject([{ table: 'requests', id: 1, version: 2, deleted: true }])
  })

  it.each([
    ['yesterday', 'invalid_cursor'],
    ['bm9uZQ', 'invalid_cursor'],
  ])('refuses since=%s', async (since, code) => {
    const fault = await read({ since }).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Invalid)
    expect((fault as Invalid).code).toBe(code)
  })

  it('is not continued with other tables', async () => {
    const { next_since } = await read({ tables: 'requests' })
    await expect(read({ since: next_since, tables: 'clients' })).rejects.toMatchObject({ code: 'invalid_cursor' })
    expect((await read({ since: next_since, tables: 'requests' })).tables).toEqual(['requests'])
  })
})
