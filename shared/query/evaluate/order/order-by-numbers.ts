import type { Scalar } from '../../../columns/service.ts'
import { orderRange } from './order-range.ts'
import type { SortLevel } from './sort-few.ts'

/**
 * Orders groups by values that are numbers, those without a value last: a page of many groups is found without sorting
 * all. Answers the groups at some ranks (`to` excluded); undefined when a value is not a number.
 */
export function orderByNumbers(
  groups: readonly number[],
  values: readonly (Scalar | undefined)[],
): ((from: number, to: number) => Promise<number[]>) | undefined {
  const keys = new Float64Array(groups.length)
  for (let index = 0; index < groups.length; index += 1) {
    const value = values[groups[index] as number]
    if (value !== undefined && typeof value !== 'number') return undefined
    keys[index] = value ?? Infinity
  }
  const keysOf: SortLevel['keysOf'] = (some) =>
    some ? Float64Array.from(some, (index) => keys[index] as number) : keys
  const byIndex: SortLevel = { keysOf: (some) => Float64Array.from(some ?? groups.keys()), along: 'rising' }
  const ordered = { count: keys.length, levels: [{ keysOf }, byIndex] }
  return async (from, to) => Array.from(await orderRange(ordered, from, to), (index) => groups[index] as number)
}
