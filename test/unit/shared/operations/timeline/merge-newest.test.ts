import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Head,
  mergeNewest,
  type MergePosition,
  type NewestFirst,
  positionAfter,
} from '../../../../../shared/operations/timeline/merge-newest.ts'
import { runs } from '../../../../make/depth.ts'

/** A log of one kind, oldest first: its ids are its positions. */
interface Log {
  readonly name: string
  readonly entries: { readonly id: number; readonly at: string }[]
}

const time = (at: number): string => new Date(at * 1000).toISOString()

/** Reads a log newest first, in reads of at most `perRead` entries. */
const source = ({ name, entries }: Log, perRead: number, reads = { count: 0 }): NewestFirst<string> => ({
  name,
  async read(from, limit) {
    reads.count += 1
    const known = entries.toReversed().filter(({ id }) => from === undefined || id <= Number(from))
    const shown = known.slice(0, Math.min(limit, perRead))
    const next = known[shown.length]
    return {
      heads: shown.map(({ id, at }): Head<string> => ({ at, position: String(id), row: `${name}${id}` })),
      ...(next && { next: String(next.id) }),
    }
  },
})

const rows = (taken: readonly { readonly row: unknown }[]) => taken.map(({ row }) => row as string)

/** All pages, each of `perPage` entries of which `shown` are kept; `between` runs after every page. */
async function walk(
  sources: readonly NewestFirst<string>[],
  perPage: number,
  shown = perPage,
  between: () => void = () => {},
): Promise<string[]> {
  const all: string[] = []
  for (let position: MergePosition | undefined, page = 0; page < 1000; page += 1) {
    const merged = await mergeNewest(sources, position, perPage)
    all.push(...rows(merged.taken.slice(0, shown)))
    position = positionAfter(merged, Math.min(shown, merged.taken.length))
    if (!position) return all
    between()
  }
  throw new Error('the pages have no end')
}

const logs = fc
  .array(fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 30 }), { minLength: 1, maxLength: 5 })
  .map((kinds): Log[] =>
    kinds.map((times, index) => ({
      name: 'abcde'[index] as string,
      entries: times.toSorted((a, b) => a - b).map((at, place) => ({ id: place + 1, at: time(at) })),
    })),
  )

/** Newest first; of one time, the earlier kinds first, and in a kind the higher id. */
const sorted = (all: readonly Log[]): string[] =>
  all
    .flatMap(({ name, entries }, rank) => entries.map(({ id, at }) => ({ name, id, at, rank })))
    .toSorted((a, b) => (a.at === b.at ? a.rank - b.rank || b.id - a.id : a.at < b.at ? 1 : -1))
    .map(({ name, id }) => `${name}${id}`)

describe('merging sources newest first', () => {
  it('answers the sorted whole, for every interleaving, size of reads and size of pages', () =>
    fc.assert(
      fc.asyncProperty(
        logs,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 40 }),
        async (all, reads, page) => {
          expect(
            await walk(
              all.map((one) => source(one, reads)),
              page,
            ),
          ).toEqual(sorted(all))
        },
      ),
      { numRuns: runs(300) },
    ))

  it('goes on behind the entries that fitted, when a page ends early', () =>
    fc.assert(
      fc.asyncProperty(
        logs,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 9 }),
        async (all, reads, shown) => {
          expect(
            await walk(
              all.map((one) => source(one, reads)),
              9,
              shown,
            ),
          ).toEqual(sorted(all))
        },
      ),
      { numRuns: runs(200) },
    ))

  it('neither skips nor doubles an entry when others arrive between pages, and shows none of those', () =>
    fc.assert(
      fc.asyncProperty(
        logs,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 10 }),
        fc.infiniteStream(fc.nat({ max: 4 })),
        async (all, reads, page, arrivals) => {
          const before = sorted(all)
          const seen = await walk(
            all.map((one) => source(one, reads)),
            page,
            page,
            () => {
              const { entries } = all[(arrivals.next().value as number) % all.length] as Log
              entries.push({ id: (entries.at(-1)?.id ?? 0) + 1, at: time(100 + entries.length) })
            },
          )
          expect(seen).toEqual(before)
        },
      ),
      { numRuns: runs(200) },
    ))

  it('keeps the order of a source whose clocks differ, whatever the size of the pages', () =>
    fc.assert(
      fc.asyncProperty(
        logs,
        fc.integer({ min: 1, max: 10 }),
        fc.infiniteStream(fc.integer({ min: -2, max: 2 })),
        async (all, page, skew) => {
          const skewed = all.map(({ name, entries }) => ({
            name,
            entries: entries.map(({ id, at }) => ({
              id,
              at: new Date(Date.parse(at) + (skew.next().value as number) * 1000).toISOString(),
            })),
          }))
          const whole = await walk(
            skewed.map((one) => source(one, 50)),
            1000,
          )
          expect(
            await walk(
              skewed.map((one) => source(one, 3)),
              page,
            ),
          ).toEqual(whole)
          for (const { name, entries } of all)
            expect(whole.filter((row) => row.startsWith(name))).toEqual(
              entries.toReversed().map(({ id }) => `${name}${id}`),
            )
        },
      ),
      { numRuns: runs(200) },
    ))

  it('reads each source a bounded number of times for a page, however deep it is', async () => {
    const reads = { count: 0 }
    const all = ['a', 'b', 'c'].map((name): Log => ({
      name,
      entries: Array.from({ length: 2000 }, (_, index) => ({ id: index + 1, at: time(index) })),
    }))
    const sources = all.map((one) => source(one, 1000, reads))
    const costs: number[] = []
    for (let position: MergePosition | undefined, page = 0; page < 200; page += 1) {
      reads.count = 0
      position = positionAfter(await mergeNewest(sources, position, 25), 25)
      costs.push(reads.count)
    }
    expect(Math.max(...costs)).toBeLessThanOrEqual(6)
  })
})
