import { runLoop } from '../../../columns/vector/number-kernels.ts'
import { selectRanks } from './rank-bounds.ts'

/** Keys that are not far from some ranks, and the records that they belong to. They last until the next are looked for. */
export interface NearKeys {
  readonly indexes: Uint32Array
  readonly keys: Float64Array
  /** How many keys come before all of these. */
  readonly before: number
  readonly areEqual: boolean
}

/** Fewer keys are not worth a sample. */
const leastKeys = 8192
/** A larger sample takes longer to sort than it saves. */
const [smallestSample, largestSample] = [512, 4096]
/** How many standard deviations the ranks of a sample may be off. */
const deviations = 4
/** Where more keys are near, because many are equal, all keys are looked at closely instead. */
const nearPart = 1 / 4

/** So many keys are looked at before the next test whether too many are near. */
const atOnce = 4096

/** Fresh memory costs more than what is written into it. */
let room = { indexes: new Uint32Array(0), keys: new Float64Array(0) }
const counts = new Uint32Array(2)

/**
 * The keys around the ranks from `from` up to `to` (excluded), found in one pass over all keys: a sample tells about
 * where they are. `indexes`: the records of the keys; all from 0 on when undefined. Answers undefined for few keys, and
 * when the sample does not help.
 */
export function nearKeys(
  indexes: Uint32Array | undefined,
  keys: Float64Array,
  from: number,
  to: number,
): NearKeys | undefined {
  if (keys.length < leastKeys) return undefined
  const [least, most] = bracket(keys, from, to)
  const capacity = Math.ceil(keys.length * nearPart)
  if (capacity + atOnce > room.keys.length) {
    const length = 2 ** Math.ceil(Math.log2(capacity + atOnce))
    room = { indexes: new Uint32Array(length), keys: new Float64Array(length) }
  }
  counts.fill(0)
  for (let start = 0; start < keys.length; start += atOnce) {
    const some = keys.subarray(start, start + atOnce)
    if (indexes)
      runLoop(takeNear, indexes.subarray(start, start + atOnce), some, least, most, room.indexes, room.keys, counts)
    else runLoop(takeNearOfAll, start, some, least, most, room.indexes, room.keys, counts)
    if ((counts[1] as number) > capacity) return undefined
  }
  const [before, count] = counts as unknown as [number, number]
  if (from < before || to > before + count) return undefined
  return {
    indexes: room.indexes.subarray(0, count),
    keys: room.keys.subarray(0, count),
    before,
    areEqual: least === most,
  }
}

/** Keys that the ones at these ranks are almost certainly between. */
function bracket(keys: Float64Array, from: number, to: number): readonly [least: number, most: number] {
  const sample = new Float64Array(Math.max(smallestSample, Math.min(largestSample, keys.length >> 5)))
  const step = keys.length / sample.length
  for (let i = 0; i < sample.length; i += 1) sample[i] = keys[Math.floor(i * step)] as number
  const margin = (deviations * Math.sqrt(sample.length)) / 2
  const first = Math.floor(from / step - margin)
  const last = Math.ceil((to - 1) / step + margin)
  const end = sample.length - 1
  const [least, most] = selectRanks(sample, Math.max(0, first), Math.min(last, end))
  return [first < 0 ? -Infinity : least, last > end ? Infinity : most]
}

/**
 * Adds the keys from `least` to `most` with their records to those that are near; counts the keys below, and those near.
 * Without a branch, since the processor cannot guess which key is where: there must be room for all.
 */
function takeNear(
  indexes: Uint32Array,
  keys: Float64Array,
  least: number,
  most: number,
  nearIndexes: Uint32Array,
  nearValues: Float64Array,
  told: Uint32Array,
): void {
  let [below, count] = [told[0]!, told[1]!]
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i]!
    nearIndexes[count] = indexes[i]!
    nearValues[count] = key
    const isBelow = +(key < least)
    below += isBelow
    count += (isBelow ^ 1) & +(key <= most)
  }
  told[0] = below
  told[1] = count
}

/** The same for all records from `start` on, whose indexes then need not be made. */
function takeNearOfAll(
  start: number,
  keys: Float64Array,
  least: number,
  most: number,
  nearIndexes: Uint32Array,
  nearValues: Float64Array,
  told: Uint32Array,
): void {
  let [below, count] = [told[0]!, told[1]!]
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i]!
    nearIndexes[count] = start + i
    nearValues[count] = key
    const isBelow = +(key < least)
    below += isBelow
    count += (isBelow ^ 1) & +(key <= most)
  }
  told[0] = below
  told[1] = count
}
