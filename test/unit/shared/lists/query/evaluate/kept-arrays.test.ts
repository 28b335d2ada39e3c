import { expect, it } from 'vitest'
import { keptArrays } from '../../../../../../shared/lists/query/evaluate/kept-arrays.ts'

it('an array that was given is taken again when it is long enough, the longest first', () => {
  const kept = keptArrays((length) => new Float64Array(length), 2, 100)
  const [short, long] = [kept.take(10), kept.take(50)]
  kept.give(long)
  kept.give(short)
  expect(kept.take(20)).toBe(long)
  expect(kept.take(20)).toHaveLength(20)
  expect(kept.take(5)).toBe(short)
})

it('keeps the longest ones, and none that are too long', () => {
  const kept = keptArrays((length) => new Uint32Array(length), 2, 100)
  const arrays = [10, 101, 30, 20].map((length) => kept.take(length))
  for (const array of arrays) kept.give(array)
  expect([kept.take(1), kept.take(1)]).toEqual([arrays[2], arrays[3]])
  expect(arrays).not.toContain(kept.take(1))
})
