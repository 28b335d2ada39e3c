import type { CodeValues } from '../keys/code-values.ts'
import { orderRange } from './order-range.ts'
import type { SortLevel } from './sort-few.ts'

/**
 * Orders groups by values that are numbers, those without a value last: a page of many groups is found without sorting
 * all. Answers the groups at some ranks (`to` excluded); `room` has memory for a key of each.
 */
export function orderByNumbers(
  groups: Uint32Array,
  values: CodeValues,
  room: Float64Array,
): (from: number, to: number) => Promise<number[]> {
  const keys = room.subarray(0, groups.length)
  for (let index = 0; index < groups.length; index += 1) {
    const value = values.of(groups[index] as number)
    keys[index] = typeof value === 'number' ? value : Infinity
  }
  const keysOf: SortLevel['keysOf'] = (some) =>
    some ? Float64Array.from(some, (index) => keys[index] as number) : keys
  const byIndex: SortLevel = { keysOf: (some) => Float64Array.from(some ?? groups.keys()), along: 'rising' }
  const ordered = { count: keys.length, levels: [{ keysOf }, byIndex] }
  return async (from, to) => Array.from(await orderRange(ordered, from, to), (index) => groups[index] as number)
}
