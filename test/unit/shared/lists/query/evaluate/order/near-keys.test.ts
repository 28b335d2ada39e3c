import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearKeys } from '../../../../../../../shared/lists/query/evaluate/order/near-keys.ts'
import { orderRange } from '../../../../../../../shared/lists/query/evaluate/order/order-range.ts'
import type { SortLevel } from '../../../../../../../shared/lists/query/evaluate/order/sort-few.ts'
import { runs } from '../../../../../../make/depth.ts'

const count = 12_000
/** Keys in orders that samples may find hard: many equal, sorted already, in waves, one outlier. */
const shapes: Record<string, (i: number, salt: number) => number> = {
  mixed: (i, salt) => (Math.imul(i + salt, 0x9e3779b1) >>> 0) / 7,
  few: (i, salt) => Math.imul(i + salt, 0x9e3779b1) >>> 30,
  rising: (i) => i,
  falling: (i) => -i,
  waves: (i, salt) => i % (salt + 2),
  mostlyMissing: (i, salt) => (i % 10 === salt % 10 ? i : Infinity),
  outlier: (i, salt) => (i === salt ? -1 : 0),
}
const shapeOf = fc.constantFrom(...Object.keys(shapes))

it('a range of many records is the same as with everything sorted', async () => {
  const ranges = fc.asyncProperty(
    ...([shapeOf, fc.nat(100), fc.nat(count), fc.nat(300), fc.boolean()] as const),
    async (shape, salt, from, length, some) => {
      const keys = Float64Array.from({ length: count }, (_, i) => shapes[shape]!(i, salt))
      const indexes = some ? Uint32Array.from({ length: count - 5 }, (_, i) => i + 5) : undefined
      const levels: SortLevel[] = [
        { keysOf: (wanted) => (wanted ? Float64Array.from(wanted, (index) => keys[index] as number) : keys) },
        { keysOf: (wanted) => Float64Array.from(wanted ?? keys.keys(), (index) => -index), along: 'falling' },
      ]
      const sorted = [...(indexes ?? keys.keys())].sort((a, b) =>
        keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : b - a,
      )
      const found = await orderRange({ indexes, count, levels }, from, from + length)
      expect([...found]).toEqual(sorted.slice(from, from + length))
    },
  )
  await fc.assert(ranges, { numRuns: runs(120) })
})

it('few records are near when their keys differ', () => {
  const keys = Float64Array.from({ length: 100_000 }, (_, i) => shapes['mixed']!(i, 1))
  const near = nearKeys(undefined, keys, 40_000, 40_025)
  expect(near?.keys.length).toBeLessThan(12_000)
  expect(near?.before).toBeLessThanOrEqual(40_000)
})

it('says when all keys near the range are equal', () => {
  const keys = Float64Array.from({ length: 100_000 }, (_, i) => i % 5)
  expect(nearKeys(undefined, keys, 50_000, 50_025)).toMatchObject({ areEqual: true, before: 40_000 })
})
