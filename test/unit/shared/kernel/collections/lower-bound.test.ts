import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lowerBound } from '../../../../../shared/kernel/collections/lower-bound.ts'

const sorted = fc.array(fc.integer({ min: -20, max: 20 })).map((numbers) => numbers.toSorted((a, b) => a - b))

it('is the index of the first element that is not before the one looked for', () => {
  fc.assert(
    fc.property(sorted, fc.integer({ min: -25, max: 25 }), (numbers, wanted) => {
      const first = numbers.findIndex((number) => number >= wanted)
      expect(lowerBound(0, numbers.length, (index) => (numbers[index] as number) < wanted)).toBe(
        first === -1 ? numbers.length : first,
      )
    }),
  )
})

it('looks at no index outside of its range, and finds bounds beyond 32 bits', () => {
  expect(lowerBound(3, 3, () => expect.unreachable())).toBe(3)
  expect(lowerBound(-(2 ** 40), 2 ** 40, (index) => index < 2 ** 35 + 7)).toBe(2 ** 35 + 7)
})
