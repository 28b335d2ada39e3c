import { compareScalars, type Scalar } from '../../columns/service.ts'
import type { KeySource } from './key-source.ts'
import type { SortLevel } from './order-range.ts'
import { prefixUnits, textWindow } from './text-window.ts'

/** A sort key and where its values come from. */
export interface SortSource {
  readonly keys: KeySource
  readonly descending: boolean
}

/** The key in the order of the list: rising, and last in both directions where there is no value. */
export const inOrder = (key: number, descending: boolean): number =>
  Number.isNaN(key) ? Infinity : descending ? -key : key

/**
 * The level of one sort key for records that are numbered from 0: `idOf` tells their ids, and `keysOf` the keys of some,
 * or all, in the order of the list.
 */
export function sortLevel(
  { keys: source, descending }: SortSource,
  keysOf: SortLevel['keysOf'],
  idOf: (index: number) => number,
): SortLevel {
  if (source.isExact) return { keysOf }
  const valueAt = (index: number): Scalar | undefined => source.valueOf(idOf(index))
  return {
    keysOf,
    compare(a, b) {
      const [left, right] = [valueAt(a), valueAt(b)]
      if (left === right) return 0
      if (left === undefined) return 1
      if (right === undefined) return -1
      return descending ? compareScalars(right, left) : compareScalars(left, right)
    },
    finer(one) {
      // Texts with equal keys agree in the units that the key tells.
      const start = prefixUnits(String(valueAt(one) ?? ''))
      return (depth, index) => {
        const value = valueAt(index)
        return inOrder(value === undefined ? Number.NaN : textWindow(String(value), start, depth), descending)
      }
    },
  }
}
