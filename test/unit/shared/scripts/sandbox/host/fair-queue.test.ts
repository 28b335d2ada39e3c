import { expect, it } from 'vitest'
import { createFairQueue } from '../../../../../../shared/scripts/sandbox/host/fair-queue.ts'

const lineOf = (...waiting: readonly [string, number][]) => {
  const line = createFairQueue<string, number>()
  for (const [party, one] of waiting) line.add(party, one)
  return line
}
const takeAll = (line: ReturnType<typeof lineOf>): number[] => {
  const one = line.next()
  return one === undefined ? [] : [one, ...takeAll(line)]
}

it('serves the parties in turn, and each party in order of arrival', () => {
  expect(takeAll(lineOf(['a', 1], ['a', 2], ['a', 3], ['b', 4], ['c', 5], ['b', 6]))).toEqual([1, 4, 5, 2, 6, 3])
})

it('puts a party that returns after those that wait', () => {
  const line = lineOf(['a', 1], ['b', 2])
  expect(line.next()).toBe(1)
  line.add('a', 3)
  expect(takeAll(line)).toEqual([2, 3])
})

it('removes entries that no longer wait', () => {
  const line = lineOf(['a', 1], ['a', 2], ['b', 3])
  line.remove('a', 1)
  line.remove('b', 3)
  line.remove('b', 4)
  expect([line.count('a'), line.count('b')]).toEqual([1, 0])
  expect(takeAll(line)).toEqual([2])
})

it('answers all entries when it is cleared', () => {
  const line = lineOf(['a', 1], ['b', 2], ['a', 3])
  expect(line.clear().toSorted()).toEqual([1, 2, 3])
  expect(line.next()).toBeUndefined()
})
