import { idText } from '../../store/keys/key.ts'
import { separator, valueOfSlotKey } from '../../store/slots.ts'
import { intersect, missingKeys, presentKeys, type Bounds } from './key-bounds.ts'
import type { Candidate, KeySpace } from './key-space.ts'
import { afterKey, beforeKey, beyond, type Reader } from './reader.ts'
import { certainBytes } from './slot-range.ts'

/** Ranges of a key space in scan order, each with its direction. */
export interface IndexScan {
  readonly space: KeySpace
  readonly ranges: readonly { readonly bounds: Bounds; readonly reverse: boolean }[]
}

const keysAtOnce = 1000

/** A scan by value, then by id, in one direction; records without a value come last. */
export function scanByValue(space: KeySpace, bounds: readonly Bounds[], descending: boolean): IndexScan {
  const present = intersect(bounds, presentKeys).map((one) => ({ bounds: one, reverse: descending }))
  const missing = intersect(bounds, [missingKeys]).map((one) => ({ bounds: one, reverse: descending }))
  return { space, ranges: [...(descending ? present.toReversed() : present), ...missing] }
}

/** A scan of keys that are ordered by id: the table's own, or those of one value. */
export const scanById = (space: KeySpace, bounds: Bounds, descending: boolean): IndexScan => ({
  space,
  ranges: [{ bounds, reverse: descending }],
})

/** The same scan from its end. */
export const backwards = ({ space, ranges }: IndexScan): IndexScan => ({
  space,
  ranges: ranges.toReversed().map(({ bounds, reverse }) => ({ bounds, reverse: !reverse })),
})

/**
 * The rest of a scan from the keys in `at`: forward ranges from their start, reverse ones up to their end. The keys
 * need not exist any more, and `$NOW` may have moved the ranges meanwhile.
 */
export function scanFrom(scan: IndexScan, at: Bounds): IndexScan {
  const isMissing = lacksValue(at.to)
  const ranges = scan.ranges.flatMap(({ bounds, reverse }) => {
    // Records without a value come last in both directions.
    if (isMissing !== lacksValue(bounds.to)) return isMissing ? [] : [{ bounds, reverse }]
    const [left] = intersect([bounds], [reverse ? { from: '', to: at.to } : { from: at.from, to: theEnd }])
    return left ? [{ bounds: left, reverse }] : []
  })
  return { ...scan, ranges }
}

/** The rest of a scan after a key. */
export const continueScan = (scan: IndexScan, key: string): IndexScan =>
  scanFrom(scan, { from: afterKey(key), to: beforeKey(key) })

const lacksValue = (key: string): boolean => key.startsWith(missingKeys.from + separator)
const theEnd = '\u{10FFFF}\u{10FFFF}'

/** The candidates of a scan in order; `first` is how many the caller expects to need. */
export async function* candidatesOf(
  reader: Reader,
  scan: IndexScan,
  first: number,
): AsyncGenerator<readonly Candidate[]> {
  let limit = first
  for (const { bounds, reverse } of scan.ranges) {
    for (let left: Bounds | undefined = bounds; left;) {
      const { found, last } = await reader.page(scan.space, left, { reverse, limit: Math.min(limit, keysAtOnce) })
      if (found.length > 0) yield found
      // A caller that needs more than expected probably needs many more.
      limit = Math.max(2 * limit, 100)
      left = last === undefined ? undefined : beyond(left, last, reverse)
    }
  }
}

/** The scan without its first `count` keys, which are counted, not read. */
export async function skip(reader: Reader, scan: IndexScan, count: number): Promise<IndexScan> {
  let left = count
  for (const [index, { bounds, reverse }] of scan.ranges.entries()) {
    if (left === 0) return { ...scan, ranges: scan.ranges.slice(index) }
    const counted = await reader.count(scan.space, bounds, left, reverse)
    left -= counted.count
    if (counted.last !== undefined) {
      return {
        ...scan,
        ranges: [{ bounds: beyond(bounds, counted.last, reverse), reverse }, ...scan.ranges.slice(index + 1)],
      }
    }
  }
  return { ...scan, ranges: [] }
}

/** The part of a key's value that the index has for certain: keys that share it may differ only in truncated text. */
export function likenessOf(key: string): string {
  const value = valueOfSlotKey(key)
  if (value.length * 3 < certainBytes) return value
  const bytes = Buffer.from(value)
  return bytes.length < certainBytes ? value : bytes.subarray(0, certainBytes).toString('latin1')
}

/** Whether the key has its value untruncated. */
export const isWhole = (key: string): boolean => {
  const value = valueOfSlotKey(key)
  return value.length * 3 < certainBytes || Buffer.byteLength(value) < certainBytes
}

/** The key of a record with this ordered value. */
export const keyAt = (ordered: string, id: number): string => `${ordered}${separator}${idText(id)}`
