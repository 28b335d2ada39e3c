import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Page } from '../../../../shared/http/routing/envelope.ts'
import { listRows } from '../../../../shared/listing/list-rows.ts'
import { type IdSource, scanIds } from '../../../../shared/listing/scan-ids.ts'
import type { KeyRange } from '../../../../shared/store/client/key-range.ts'
import { idText } from '../../../../shared/store/keys/key.ts'

const tenant = { id: 1 }
type Sources = Readonly<Record<string, readonly number[]>>

/** Partitions of ids, read like a table: in pages that may end anywhere. */
const storeOf = (partitions: Sources) => ({
  get: async () => undefined,
  async query(_: unknown, { pk, from = '', to = idText(10_000), limit = 1000, after }: KeyRange) {
    const sorted = (partitions[pk] ?? [])
      .map((id) => idText(id))
      .filter((sk) => sk >= from && sk <= to && (after === undefined || sk < String(after.sk)))
      .sort((a, b) => (a < b ? 1 : -1))
    const items = sorted.slice(0, limit).map((sk) => ({ pk, sk }))
    return { items, ...(sorted.length > limit && { last: { pk, sk: String(items.at(-1)?.sk) } }) }
  },
  getMany: async (_: unknown, keys: readonly { readonly sk: string }[]) => keys.map(({ sk }) => ({ pk: 'row', sk })),
})

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 30 })
const sourcesOf = (partitions: Sources): IdSource[] => Object.keys(partitions).map((pk) => ({ pk }))
const newestFirst = (partitions: Sources): number[] =>
  [...new Set(Object.values(partitions).flat())].sort((a, b) => b - a)

it('scanIds merges several sources: each id once, newest first, whatever the size of their pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), ids),
      fc.integer({ min: 1, max: 7 }),
      fc.option(fc.integer({ min: 1, max: 61 }), { nil: undefined }),
      async (partitions, wanted, before) => {
        const byCursor: number[] = []
        for await (const some of scanIds(storeOf(partitions), tenant, sourcesOf(partitions), { before, wanted }))
          byCursor.push(...some)
        expect(byCursor).toEqual(newestFirst(partitions).filter((id) => before === undefined || id < before))
      },
    ),
    { seed: 8, numRuns: 200 },
  )
})

it('pages by number and by cursor are the same list, whether rows are filtered or keys counted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom('a', 'b'), ids),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (partitions, per_page, isCountable) => {
        const keep = (rows: readonly { readonly id: number }[]) => rows.filter(({ id }) => isCountable || id % 2 === 0)
        const list = {
          name: 'rows',
          sources: sourcesOf(partitions),
          keyOf: (id: number) => ({ pk: 'row', sk: idText(id) }),
          read: ({ sk }: Readonly<Record<string, unknown>>) => ({ id: Number(sk) }),
          keep,
          isCountable,
        }
        const expected = newestFirst(partitions).filter((id) => isCountable || id % 2 === 0)
        const numbered: number[] = []
        for (let page = 1; page <= Math.ceil(expected.length / per_page) + 1; page += 1) {
          const answer = await listRows(storeOf(partitions), tenant, list, { page, per_page, cursor: undefined })
          numbered.push(...answer.items.map(({ id }) => id))
          expect(answer.total).toBe(expected.length)
        }
        const byCursor: number[] = []
        let cursor: string | null = null
        do {
          const answer: Page<{ readonly id: number }> = await listRows(storeOf(partitions), tenant, list, {
            page: 1,
            per_page,
            cursor,
          })
          expect([answer.offset, answer.total]).toEqual([byCursor.length, expected.length])
          byCursor.push(...answer.items.map(({ id }) => id))
          cursor = answer.nextCursor
        } while (cursor !== null)
        expect([numbered, byCursor]).toEqual([expected, expected])
      },
    ),
    { seed: 8, numRuns: 100 },
  )
})

it('a list that reaches its read limit marks its total as inexact, and its cursor continues after that', async () => {
  const partitions = { a: Array.from({ length: 5000 }, (_, index) => index + 1) }
  const list = {
    name: 'rows',
    sources: sourcesOf(partitions),
    keyOf: (id: number) => ({ pk: 'row', sk: idText(id) }),
    read: ({ sk }: Readonly<Record<string, unknown>>) => ({ id: Number(sk) }),
    isCountable: false,
  }
  const rare = { ...list, keep: (rows: readonly { readonly id: number }[]) => rows.filter(({ id }) => id === 100) }
  const first = await listRows(storeOf(partitions), tenant, rare, { page: 1, per_page: 5, cursor: undefined })
  expect(first).toMatchObject({ items: [], total: 0, meta: { total_exact: false } })
  let answer = first
  while (answer.items.length === 0)
    answer = await listRows(storeOf(partitions), tenant, rare, { page: 1, per_page: 5, cursor: answer.nextCursor })
  expect(answer).toMatchObject({ items: [{ id: 100 }], meta: { total_exact: false } })
})

it('rows that no index has yet are listed and counted, and ids without a row are not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 60 }),
      fc.uniqueArray(fc.integer({ min: 41, max: 80 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
      async (indexed, fresh, per_page, isCountable) => {
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
          keyOf: (id: number) => ({ pk: 'row', sk: idText(id) }),
          read: ({ sk }: Readonly<Record<string, unknown>>) => ({ id: Number(sk) }),
          keep: (rows: readonly { readonly id: number }[]) => rows,
          isCountable,
        }
        const expected = [...existing].sort((a, b) => b - a)
        const listed: number[] = []
        for (let page = 1; page <= Math.ceil(expected.length / per_page) + 1; page += 1) {
          const answer = await listRows(store, tenant, list, { page, per_page, cursor: undefined })
          expect([answer.total, answer.nextCursor !== null]).toEqual([
            expected.length,
            page * per_page < expected.length,
          ])
          listed.push(...answer.items.map(({ id }) => id))
        }
        expect(listed).toEqual(expected)
      },
    ),
    { seed: 3, numRuns: 100 },
  )
})
