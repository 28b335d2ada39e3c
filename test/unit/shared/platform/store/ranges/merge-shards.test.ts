import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type MergedRange,
  readMerged,
  type Shard,
} from '../../../../../../shared/platform/store/ranges/merge-shards.ts'
import { slotEntry, slotName, slotSort } from '../../../../../../shared/platform/store/slots.ts'
import type { KeyRange } from '../../../../../../shared/platform/store/store.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { runs as cases } from '../../../../../make/depth.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table.close())

const tenant = { id: 1 }
const slot = 16

interface Entry {
  readonly shard: number
  readonly sort: string
  readonly id: number
}

/** Few sort keys, so that many entries of several shards have the same. */
const entries = fc
  .uniqueArray(
    fc.record({
      shard: fc.integer({ min: 0, max: 3 }),
      sort: fc.integer({ min: 10, max: 15 }).map(String),
      id: fc.integer({ min: 100, max: 400 }),
    }),
    { maxLength: 60, size: 'max', selector: ({ id }) => id },
  )
  .map((all): readonly Entry[] => all)
const bound = fc.option(
  fc.integer({ min: 8, max: 17 }).map((at) => String(at).padStart(2, '0')),
  { nil: undefined },
)
const pageSize = fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined })

let runs = 0
/** Stores the entries in four shards of a slot index, each behind the prefix of its shard. */
async function stored(all: readonly Entry[], prefixes: readonly string[]): Promise<readonly Shard[]> {
  const name = `T#1#RUN${runs++}`
  const partition = (shard: number) => `${name}#${shard}`
  await table.store.putMany(
    tenant,
    all.map(({ shard, sort, id }) => ({
      pk: name,
      sk: String(id),
      ...slotEntry(slot, partition(shard), (prefixes[shard] as string) + sort),
    })),
  )
  return prefixes.map((prefix, shard) => ({ pk: partition(shard), index: slotName(slot), prefix }))
}

const idsOf = (items: readonly Item[]): number[] => items.map(({ sk }) => Number(sk))

async function readWhole(shards: readonly Shard[], range: MergedRange): Promise<number[]> {
  const ids: number[] = []
  for await (const { items } of readMerged(table.store, tenant, shards, range)) ids.push(...idsOf(items))
  return ids
}

/** Reads page by page, each from the last sort key of the one before. */
async function readByPages(shards: readonly Shard[], range: MergedRange, prefixes: readonly string[]) {
  const ids: number[] = []
  let after: string | undefined
  do {
    let last: Item | undefined
    let isWhole = true
    for await (const { items, hasMore } of readMerged(table.store, tenant, shards, { ...range, after })) {
      ids.push(...idsOf(items))
      last = items.at(-1) ?? last
      isWhole = !hasMore
    }
    after = isWhole || !last ? undefined : withoutPrefix(last, prefixes)
  } while (after !== undefined)
  return ids
}

function withoutPrefix(item: Item, prefixes: readonly string[]): string {
  const shard = Number(String(item.p16).at(-1))
  return slotSort(item, slot).slice((prefixes[shard] as string).length)
}

it('shards read as one are a sorted array, in both directions, whatever is read at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      entries,
      fc.boolean(),
      bound,
      bound,
      pageSize,
      pageSize,
      fc.constantFrom(['', '', '', ''], ['a#', 'bb#', 'a#', 'ccc#']),
      async (all, reverse, from, to, limit, wanted, prefixes) => {
        const shards = await stored(all, prefixes)
        const inside = all.filter(
          ({ sort }) => (from === undefined || sort >= from) && (to === undefined || sort <= to),
        )
        const sorted = inside.toSorted((a, b) => (a.sort < b.sort ? -1 : a.sort > b.sort ? 1 : a.id - b.id))
        const expected = (reverse ? sorted.reverse() : sorted).map(({ id }) => id)
        const range = { reverse, from, to, wanted }
        expect(await readWhole(shards, range)).toEqual(expected)
        expect(await readByPages(shards, { ...range, limit }, prefixes)).toEqual(expected)
      },
    ),
    { seed: 5, numRuns: cases(60) },
  )
})

it('a page ends at its limit, or behind the entries that have the sort key of its last one', async () => {
  const sorts = ['11', '12', '12', '12', '13', '14']
  const shards = await stored(
    sorts.map((sort, index) => ({ shard: index % 4, sort, id: 101 + index })),
    ['', '', '', ''],
  )
  const first = (limit: number) => readWhole(shards, { limit })
  expect([await first(1), await first(2), await first(5)]).toEqual([
    [101],
    [101, 102, 103, 104],
    [101, 102, 103, 104, 105],
  ])
})

/** How many keys each shard holds, and the sizes of the reads, round by round. */
async function readsOf(counts: readonly number[], range: MergedRange) {
  const rounds: number[][] = []
  let inFlight = 0
  const store = {
    async query(_: unknown, { pk, limit = 0, after }: KeyRange) {
      if (inFlight++ === 0) rounds.push([])
      rounds.at(-1)?.push(limit)
      await new Promise((resolve) => setImmediate(resolve))
      inFlight -= 1
      const [start, count] = [Number(after?.sk ?? 0), counts[Number(pk)] as number]
      const items = Array.from({ length: Math.min(limit, count - start) }, (_value, index) => ({
        pk,
        sk: String((start + index) * 4 + Number(pk)).padStart(8, '0'),
      }))
      return { items, ...(start + limit < count && { last: { sk: String(start + limit) } }) }
    },
  }
  let taken = 0
  for await (const { items } of readMerged(
    store,
    tenant,
    [0, 1, 2, 3].map((shard) => ({ pk: String(shard) })),
    range,
  ))
    taken += items.length
  return { taken, rounds }
}

it.each([
  ['a short page', [900, 900, 900, 900], 26, [[27, 27, 27, 27]]],
  ['a short page that is all in one shard', [3600, 0, 0, 0], 26, [[27, 27, 27, 27]]],
  ['a page of 100 that is all in one shard', [3600, 0, 0, 0], 101, [[102, 102, 102, 102]]],
  ['a long page', [900, 900, 900, 900], 1001, [[314, 314, 314, 314]]],
  ['a long page that is all in one shard', [3600, 0, 0, 0], 1001, [[314, 314, 314, 314], [689]]],
])('%s costs few reads', async (_name, counts, limit, rounds) =>
  expect(await readsOf(counts, { limit })).toEqual({ taken: limit, rounds }),
)

it('a count of everything reads all shards side by side', async () => {
  const { taken, rounds } = await readsOf([5000, 5000, 5000, 5000], { limit: 20_000 })
  expect([taken, rounds.length]).toEqual([20_000, 5])
  expect(rounds.flat().every((size) => size === 1000)).toBe(true)
})

it('bounds in the wrong order hold nothing', async () => {
  const shards = await stored([{ shard: 0, sort: '20', id: 101 }], ['', '', '', ''])
  expect(await readWhole(shards, { from: '21', to: '19' })).toEqual([])
})
