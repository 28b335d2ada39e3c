import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Page } from '../../../../../shared/platform/http/routing/envelope.ts'
import { listRows } from '../../../../../shared/platform/listing/list-rows.ts'
import { type IdSource, scanIds } from '../../../../../shared/platform/listing/scan-ids.ts'
import type { KeyRange } from '../../../../../shared/platform/store/client/key-range.ts'
import { idText } from '../../../../../shared/platform/store/keys/key.ts'
import { runs } from '../../../../make/depth.ts'

const tenant = { id: 1 }
type Sources = Readonly<Record<string, readonly number[]>>

/** Partitions of ids, read like a table: in pages that may end anywhere. */
const storeOf = (partitions: Sources) => ({
  get: async () => undefined,
  async query(_: unknown, { pk, from = '', to = idText(100_000), limit = 1000, after, reverse }: KeyRange) {
    const isBehind = (sk: string, last: string): boolean => (reverse ? sk < last : sk > last)
    const sorted = (partitions[pk] ?? [])
      .map((id) => idText(id))
      .filter((sk) => sk >= from && sk <= to && (after === undefined || isBehind(sk, String(after.sk))))
      .sort((a, b) => (isBehind(b, a) ? -1 : 1))
    const items = sorted.slice(0, limit).map((sk) => ({ pk, sk }))
    return { items, ...(sorted.length > limit && { last: { pk, sk: String(items.at(-1)?.sk) } }) }
  },
  getMany: async (_: unknown, keys: readonly { readonly sk: string }[]) => keys.map(({ sk }) => ({ pk: 'row', sk })),
})

const asTheyAre = <T>(rows: readonly T[]) => rows
/** As a list does whose rows may be too large for all to be described together. */
const firstOnly =
  (most: number) =>
  <T>(rows: readonly T[]) =>
    rows.slice(0, most)
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 30 })
const sourcesOf = (partitions: Sources): IdSource[] => Object.keys(partitions).map((pk) => ({ pk }))
const newestFirst = (partitions: Sources): number[] =>
  [...new Set(Object.values(partitions).flat())].sort((a, b) => b - a)

const inOrder = (newest: readonly number[], oldestFirst: boolean): readonly number[] =>
  oldestFirst ? newest.toReversed() : newest

it('scanIds merges several sources: each id once, newest or oldest first, whatever the size of their pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), ids),
      fc.integer({ min: 1, max: 7 }),
      fc.option(fc.integer({ min: 1, max: 61 }), { nil: undefined }),
      fc.boolean(),
      async (partitions, wanted, after, oldestFirst) => {
        const byCursor: number[] = []
        const range = { after, wanted, oldestFirst }
        for await (const some of scanIds(storeOf(partitions), tenant, sourcesOf(partitions), range))
          byCursor.push(...some)
        expect(byCursor).toEqual(
          inOrder(newestFirst(partitions), oldestFirst).filter(
            (id) => after === undefined || (oldestFirst ? id > after : id < after),
          ),
        )
      },
    ),
    { seed: 8, numRuns: runs(200) },
  )
})

it('pages by number and by cursor are the same list, whether rows are filtered or keys counted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom('a', 'b'), ids),
      ids.map((some) => some.filter((id) => id % 2 === 0)),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      fc.constantFrom(1, 2, Infinity),
      fc.constantFrom('-id', 'id', undefined),
      fc.constantFrom(undefined, ['row', '4']),
      async (uncertain, exact, per_page, isCountable, atOnce, sort, search) => {
        const partitions: Sources = { ...uncertain, exact }
        const described = firstOnly(atOnce)
        const keep = (rows: readonly { readonly id: number }[]) => rows.filter(({ id }) => isCountable || id % 2 === 0)
        const list = {
          name: 'rows',
          sources: sourcesOf(partitions).map((source) => ({ ...source, isExact: source.pk === 'exact' })),
          textsOf: ({ id }: { readonly id: number }) => [`Row ${id}`, null],
          keyOf: (id: number) => ({ pk: 'row', sk: idText(id) }),
          read: ({ sk }: Readonly<Record<string, unknown>>) => ({ id: Number(sk) }),
          keep,
          isCountable,
        }
        const expected = inOrder(newestFirst(partitions), sort === 'id').filter(
          (id) => (isCountable || id % 2 === 0) && (search === undefined || String(id).includes('4')),
        )
        const numbered: number[] = []
        for (let page = 1; page <= Math.ceil(expected.length / per_page) + 1; page += 1) {
          const answer = await listRows(storeOf(partitions), tenant, list, described, {
            page,
            per_page,
            cursor: undefined,
            sort,
            search,
          })
          numbered.push(...answer.items.map(({ id }) => id))
          expect(answer.total).toBe(expected.length)
        }
        const byCursor: number[] = []
        let cursor: string | null = null
        do {
          const answer: Page<{ readonly id: number }> = await listRows(storeOf(partitions), tenant, list, described, {
            page: 1,
            per_page,
            cursor,
            sort,
            search,
          })
          expect([answer.offset, answer.total]).toEqual([byCursor.length, expected.length])
          byCursor.push(...answer.items.map(({ id }) => id))
          cursor = answer.nextCursor
        } while (cursor !== null)
        expect([numbered, byCursor]).toEqual([expected, expected])
      },
    ),
    { seed: 8, numRuns: runs(100) },
  )
})

it('counts the rows of an exact source without reading them, and reads those of the page and of other sources', async () => {
  const partitions = { exact: Array.from({ length: 900 }, (_, index) => index + 1), other: [7, 901, 902] }
  const read: number[] = []
  const list = {
    name: 'rows',
    sources: sourcesOf(partitions).map((source) => ({ ...source, isExact: source.pk === 'exact' })),
    textsOf: () => [],
    keyOf: (id: number) => (read.push(id), { pk: 'row', sk: idText(id) }),
    read: ({ sk }: Readonly<Record<string, unknown>>) => ({ id: Number(sk) }),
    keep: (rows: readonly { readonly id: number }[]) => rows.filter(({ id }) => id !== 901),
    isCountable: false,
  }
  const { items, total } = await listRows(storeOf(partitions), tenant, list, asTheyAre, {
    page: 1,
    per_page: 3,
    cursor: undefined,
  })
  expect(items.map(({ id }) => id)).toEqual([902, 900, 899])
  expect(total).toBe(901)
  expect(read.toSorted((a, b) => a - b)).toEqual([899, 900, 901, 902])
})

it('a list that reaches its read limit marks its total as inexact, and its cursor continues after that', async () => {
  const partitions = { a: Array.from({ length: 5000 }, (_, index) => index + 1) }
  const list = {
    name: 'rows',
    sources: sourcesOf(partitions),
    textsOf: () => [],
    keyOf: (id: number) => ({ pk: 'row', sk: idText(id) }),
    read: ({ sk }: Readonly<Record<string, unknown>>) => ({ id: Number(sk) }),
    isCountable: false,
  }
  const rare = { ...list, keep: (rows: readonly { readonly id: number }[]) => rows.filter(({ id }) => id === 100) }
  const first = await listRows(storeOf(partitions), tenant, rare, asTheyAre, {
    page: 1,
    per_page: 5,
    cursor: undefined,
  })
  expect(first).toMatchObject({ items: [], total: 0, meta: { total_exact: false } })
  let answer = first
  while (answer.items.length === 0)
    answer = await listRows(storeOf(partitions), tenant, rare, asTheyAre, {
      page: 1,
      per_page: 5,
      cursor: answer.nextCursor,
    })
  expect(answer).toMatchObject({ items: [{ id: 100 }], meta: { total_exact: false } })
})

it('rows that no index has yet are listed and counted, and ids without a row are not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 60 }),
      fc.uniqueArray(fc.integer({ min: 41, max: 80 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
      fc.constantFrom('id', undefined),
      async (indexed, fresh, per_page, isCountable, sort) => {
        const existing = new Set([...indexed, ...fresh])
        const store = {
          ...storeOf({ a: indexed.filter((id) => id % 2 === 0), b: indexed.filter((id) => id % 2 === 1) }),
          get: async () => ({ pk: 'T#1#SEQ#rows', sk: 'rows', next: 85 }),
          getMany: async (_: unknown, keys: readonly { readonly sk: string }[]) =>
            keys.map(({ sk }) => (existing.has(Number(sk)) ? { pk: 'row', sk } : undefined)),
        }
        const list = {
          name: 'rows',
          sources: [{ pk: 'a' }, { pk: 'b' }],
          sequence: 'rows',
          textsOf: () => [],
          keyOf: (id: number) => ({ pk: 'row', sk: idText(id) }),
          read: ({ sk }: Readonly<Record<string, unknown>>) => ({ id: Number(sk) }),
          keep: (rows: readonly { readonly id: number }[]) => rows,
          isCountable,
        }
        const expected = inOrder(
          [...existing].sort((a, b) => b - a),
          sort === 'id',
        )
        const listed: number[] = []
        for (let page = 1; page <= Math.ceil(expected.length / per_page) + 1; page += 1) {
          const answer = await listRows(store, tenant, list, asTheyAre, { page, per_page, cursor: undefined, sort })
          expect([answer.total, answer.nextCursor !== null]).toEqual([
            expected.length,
            page * per_page < expected.length,
          ])
          listed.push(...answer.items.map(({ id }) => id))
        }
        expect(listed).toEqual(expected)
        // By cursor too, on whichever page they are: an index may have later rows than those it lacks.
        const byCursor: number[] = []
        let cursor: string | null = null
        do {
          const answer: Page<{ readonly id: number }> = await listRows(store, tenant, list, asTheyAre, {
            page: 1,
            per_page,
            cursor,
            sort,
          })
          byCursor.push(...answer.items.map(({ id }) => id))
          cursor = answer.nextCursor
        } while (cursor !== null)
        expect(byCursor).toEqual(expected)
      },
    ),
    { seed: 3, numRuns: runs(100) },
  )
})

describe.each([true, false])('a list of large rows (keys counted: %s)', (isCountable) => {
  const all = Array.from({ length: 300 }, (_, index) => index + 1)
  const read: string[] = []
  const partitions = storeOf({ a: all })
  const store = {
    ...partitions,
    getMany: async (_: unknown, keys: readonly { readonly sk: string }[]) => {
      read.push(...keys.map(({ sk }) => sk))
      return keys.map(({ sk }) => ({ pk: 'row', sk }))
    },
  }
  const list = {
    name: 'rows',
    sources: [{ pk: 'a' }],
    textsOf: () => [],
    keyOf: (id: number) => ({ pk: 'row', sk: idText(id) }),
    read: ({ sk }: Readonly<Record<string, unknown>>) => ({ id: Number(sk), text: 'x'.repeat(300_000) }),
    keep: asTheyAre<{ readonly id: number; readonly text: string }>,
    isCountable,
  }
  const ask = (query: { page?: number; per_page: number; cursor?: string | null }) =>
    listRows(store, tenant, list, asTheyAre, { page: 1, cursor: undefined, ...query })

  it('refuses a numbered page over 4 MB, and says how much fits', async () => {
    await expect(ask({ per_page: 14 })).rejects.toMatchObject({
      code: 'page_too_large',
      errors: { per_page: [expect.stringContaining('13 fit')] },
    })
    expect((await ask({ per_page: 13 })).items).toHaveLength(13)
  })

  it('ends a page by cursor early, reads little more, and the pages are the whole list', async () => {
    const { items, nextCursor, total } = await ask({ per_page: 1 })
    expect(total).toBe(300)
    const listed = items.map(({ id }) => id)
    for (let cursor = nextCursor; cursor !== null;) {
      read.length = 0
      const page = await ask({ per_page: 1000, cursor })
      expect(page.items.length).toBeLessThanOrEqual(13)
      expect(read.length).toBeLessThan(isCountable ? 150 : 500)
      listed.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(listed).toEqual(all.toReversed())
  })
})

it('a numbered page behind the rows that one request reads is refused', async () => {
  const partitions = { a: Array.from({ length: 20_500 }, (_, index) => index + 1) }
  const list = {
    name: 'rows',
    sources: sourcesOf(partitions),
    textsOf: () => [],
    keyOf: (id: number) => ({ pk: 'row', sk: idText(id) }),
    read: ({ sk }: Readonly<Record<string, unknown>>) => ({ id: Number(sk) }),
    keep: asTheyAre<{ readonly id: number }>,
    isCountable: true,
  }
  const ask = (page: number) =>
    listRows(storeOf(partitions), tenant, list, asTheyAre, { page, per_page: 1000, cursor: undefined })
  expect(await ask(20)).toMatchObject({ items: { length: 1000 }, nextCursor: expect.any(String) })
  await expect(ask(21)).rejects.toMatchObject({ code: 'query_too_expensive' })
})
