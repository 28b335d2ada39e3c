import type { Scalar } from '../../columns/service.ts'
import { orderRange, type SortLevel } from './order-range.ts'

/**
 * Orders groups by values that are numbers, those without a value last: a page of many groups is found without sorting
 * all. Answers the groups at some ranks (`to` excluded); undefined when a value is not a number.
 */
export function orderByNumbers(
  groups: readonly number[],
  values: readonly (Scalar | undefined)[],
): ((from: number, to: number) => number[]) | undefined {
  const keys = new Float64Array(groups.length)
  for (let index = 0; index < groups.length; index += 1) {
    const value = values[groups[index] as number]
    if (value !== undefined && typeof value !== 'number') return undefined
    keys[index] = value ?? Infinity
  }
  const keysOf: SortLevel['keysOf'] = (some) =>
    some ? Float64Array.from(some, (index) => keys[index] as number) : keys
  const byIndex: SortLevel = { keysOf: (some) => Float64Array.from(some ?? groups.keys()), along: 'rising' }
  return (from, to) =>
    Array.from(orderRange(undefined, keys.length, [{ keysOf }, byIndex], from, to), (index) => groups[index] as number)
}
