import { idText } from '../../store/keys/key.ts'
import { separator, valueOfSlotKey } from '../../store/slots.ts'
import { intersect, missingKeys, presentKeys, type Bounds } from './key-bounds.ts'
import type { Candidate, KeySpace } from './key-space.ts'
import { afterKey, beforeKey, beyond, type Reader } from './reader.ts'
import { certainBytes } from './slot-range.ts'

/** Stretches of a key space, in the order in which they are walked, each in its own direction. */
export interface IndexScan {
  readonly space: KeySpace
  readonly stretches: readonly { readonly bounds: Bounds; readonly reverse: boolean }[]
}

const keysAtOnce = 1000

/** A walk by value and then by id, both in one direction; records without a value come last. */
export function scanByValue(space: KeySpace, bounds: readonly Bounds[], descending: boolean): IndexScan {
  const present = intersect(bounds, presentKeys).map((one) => ({ bounds: one, reverse: descending }))
  const missing = intersect(bounds, [missingKeys]).map((one) => ({ bounds: one, reverse: descending }))
  return { space, stretches: [...(descending ? present.toReversed() : present), ...missing] }
}

/** A walk over keys that stand in the order of their ids: the table's own, or those of one value. */
export const scanById = (space: KeySpace, bounds: Bounds, descending: boolean): IndexScan => ({
  space,
  stretches: [{ bounds, reverse: descending }],
})

/** The same stretches from their far end. */
export const backwards = ({ space, stretches }: IndexScan): IndexScan => ({
  space,
  stretches: stretches.toReversed().map(({ bounds, reverse }) => ({ bounds, reverse: !reverse })),
})

/**
 * What is left of a walk that stands at `at`: forward stretches from its beginning, others up to its end. Nothing need be
 * there any more, and `$NOW` may have moved the stretches since.
 */
export function scanFrom(walk: IndexScan, at: Bounds): IndexScan {
  const isMissing = lacksValue(at.to)
  const stretches = walk.stretches.flatMap(({ bounds, reverse }) => {
    // Records without a value come last in both directions.
    if (isMissing !== lacksValue(bounds.to)) return isMissing ? [] : [{ bounds, reverse }]
    const [left] = intersect([bounds], [reverse ? { from: '', to: at.to } : { from: at.from, to: theEnd }])
    return left ? [{ bounds: left, reverse }] : []
  })
  return { ...walk, stretches }
}

/** What is left of a walk after a key. */
export const continueScan = (walk: IndexScan, key: string): IndexScan =>
  scanFrom(walk, { from: afterKey(key), to: beforeKey(key) })

const lacksValue = (key: string): boolean => key.startsWith(missingKeys.from + separator)
const theEnd = '\u{10FFFF}\u{10FFFF}'

/** Candidates in the order of a walk; `first` is how many the caller expects to need. */
export async function* candidatesOf(
  reader: Reader,
  walk: IndexScan,
  first: number,
): AsyncGenerator<readonly Candidate[]> {
  let limit = first
  for (const { bounds, reverse } of walk.stretches) {
    for (let left: Bounds | undefined = bounds; left;) {
      const { found, last } = await reader.page(walk.space, left, { reverse, limit: Math.min(limit, keysAtOnce) })
      if (found.length > 0) yield found
      // Whoever goes on looking will go on for long.
      limit = Math.max(2 * limit, 100)
      left = last === undefined ? undefined : beyond(left, last, reverse)
    }
  }
}

/** Leaves out the first `count` keys of a walk without reading them. */
export async function skip(reader: Reader, walk: IndexScan, count: number): Promise<IndexScan> {
  let left = count
  for (const [index, { bounds, reverse }] of walk.stretches.entries()) {
    if (left === 0) return { ...walk, stretches: walk.stretches.slice(index) }
    const counted = await reader.count(walk.space, bounds, left, reverse)
    left -= counted.count
    if (counted.last !== undefined) {
      return {
        ...walk,
        stretches: [{ bounds: beyond(bounds, counted.last, reverse), reverse }, ...walk.stretches.slice(index + 1)],
      }
    }
  }
  return { ...walk, stretches: [] }
}

/** Keys with one of these in common may differ in what an index does not hold of long text. */
export function likenessOf(key: string): string {
  const value = valueOfSlotKey(key)
  if (value.length * 3 < certainBytes) return value
  const bytes = Buffer.from(value)
  return bytes.length < certainBytes ? value : bytes.subarray(0, certainBytes).toString('latin1')
}

/** Whether the values of such keys are known whole. */
export const isWhole = (key: string): boolean => {
  const value = valueOfSlotKey(key)
  return value.length * 3 < certainBytes || Buffer.byteLength(value) < certainBytes
}

/** The key a record with this ordered value has. */
export const keyAt = (ordered: string, id: number): string => `${ordered}${separator}${idText(id)}`
