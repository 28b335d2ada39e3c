import { expect, it } from 'vitest'
import type { KeyRange } from '../../../../../../shared/platform/store/client/key-range.ts'
import { readAll, readPages } from '../../../../../../shared/platform/store/ranges/read-all.ts'

const tenant = { id: 1 }

/** A partition of seven items in pages of three at most, and the requests it received. */
function partition() {
  const asked: (readonly [string | undefined, number | undefined])[] = []
  const query = async (_scope: unknown, { after, limit }: KeyRange) => {
    asked.push([after?.sk, limit])
    const start = Number(after?.sk ?? 0)
    const end = Math.min(7, start + Math.min(3, limit ?? 3))
    const items = Array.from({ length: end - start }, (_, index) => ({ sk: String(start + index + 1) }))
    return { items, ...(end < 7 && { last: { sk: String(end) } }) }
  }
  return { store: { query }, asked }
}

it('reads every page of a range', async () => {
  const { store, asked } = partition()
  const items = await readAll(store, tenant, { pk: 'p' })
  expect(items.map(({ sk }) => Number(sk))).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(asked).toEqual([
    [undefined, undefined],
    ['3', undefined],
    ['6', undefined],
  ])
})

it('reads at most the given number of items, from the start key of the range', async () => {
  const { store, asked } = partition()
  const items = await readAll(store, tenant, { pk: 'p', limit: 3, after: { sk: '1' } }, 4)
  expect(items.map(({ sk }) => Number(sk))).toEqual([2, 3, 4, 5])
  expect(asked).toEqual([
    ['1', 3],
    ['4', 1],
  ])
})

it('stops reading when the caller leaves the loop', async () => {
  const { store, asked } = partition()
  for await (const { last } of readPages(store, tenant, { pk: 'p' })) if (last) break
  expect(asked).toHaveLength(1)
})
