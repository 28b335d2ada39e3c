import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareText } from '../../../../../../../shared/lists/columns/scalar.ts'
import { prefixOf } from '../../../../../../../shared/lists/columns/vector/prefix.ts'
import type { KeySource } from '../../../../../../../shared/lists/query/evaluate/keys/key-source.ts'
import { orderRange } from '../../../../../../../shared/lists/query/evaluate/order/order-range.ts'
import type { SortLevel } from '../../../../../../../shared/lists/query/evaluate/order/sort-few.ts'
import { sortLevel } from '../../../../../../../shared/lists/query/evaluate/order/sort-levels.ts'
import { runs } from '../../../../../../make/depth.ts'

const numbers = (values: readonly number[]): SortLevel => {
  const keys = Float64Array.from(values)
  return { keysOf: (some) => (some ? Float64Array.from(some, (index) => keys[index] as number) : keys) }
}
const texts = (values: readonly string[]): SortLevel => {
  // A key that says almost nothing, so that the finer ones are needed.
  const keys = Float64Array.from(values, (text) => (text.length > 0 ? 1 : 0))
  const source: KeySource = {
    ready: () => undefined,
    isExact: false,
    read: () => undefined,
    keyOf: prefixOf as KeySource['keyOf'],
    valuesOf: (ids) => Array.from(ids, (id) => values[id]),
  }
  return sortLevel(
    { keys: source, descending: false },
    (some) => (some ? Float64Array.from(some, (index) => keys[index] as number) : keys),
    (indexes) => indexes,
  )
}

const rowsOf = fc.array(
  fc.record({
    number: fc.constantFrom(1, 2, 3, Infinity, -4.5),
    text: fc.string({ unit: fc.constantFrom('a', 'b', 'é', '灯', '😀', '\uff01'), maxLength: 7 }),
  }),
  { maxLength: 400 },
)

it('answers the same range as sorting everything', async () => {
  await fc.assert(
    fc.asyncProperty(
      rowsOf,
      fc.nat(450),
      fc.nat(60),
      fc.boolean(),
      fc.boolean(),
      async (rows, from, length, textFirst, withIndexes) => {
        const byNumber = numbers(rows.map(({ number }) => number))
        const byText = texts(rows.map(({ text }) => text))
        const byId: SortLevel = { ...numbers(rows.map((_, index) => -index)), along: 'falling' }
        const levels = textFirst ? [byText, byNumber, byId] : [byNumber, byText, byId]
        const compared = (a: number, b: number): number => {
          const [left, right] = [rows[a], rows[b]] as [(typeof rows)[number], (typeof rows)[number]]
          const ofText = compareText(left.text, right.text)
          const ofNumber = left.number === right.number ? 0 : left.number < right.number ? -1 : 1
          return (textFirst ? ofText || ofNumber : ofNumber || ofText) || b - a
        }
        const sorted = rows.map((_, index) => index).sort(compared)
        const indexes = withIndexes ? Uint32Array.from(rows, (_, index) => index) : undefined
        const count = indexes ? rows.length + 9 : rows.length
        const found = await orderRange({ indexes, count, levels }, from, from + length)
        expect([...found]).toEqual(sorted.slice(from, from + length))
      },
    ),
    { numRuns: runs(300) },
  )
})

it('orders texts that are equal for long as their last characters say', async () => {
  const values = Array.from(
    { length: 500 },
    (_, index) => `${'x'.repeat(1000)}${String((index * 7) % 500).padStart(3, '0')}`,
  )
  const levels: SortLevel[] = [texts(values), { ...numbers(values.map((_, index) => index)), along: 'rising' }]
  const found = await orderRange({ count: values.length, levels }, 100, 110)
  expect([...found].map((index) => Number((values[index] as string).slice(-3)))).toEqual(
    Array.from({ length: 10 }, (_, at) => 100 + at),
  )
})
