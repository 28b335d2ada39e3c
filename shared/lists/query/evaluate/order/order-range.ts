import { runLoop } from '../../../columns/vector/number-kernels.ts'
import { nearKeys } from './near-keys.ts'
import { rankBounds } from './rank-bounds.ts'
import { sortFew, type SortLevel } from './sort-few.ts'

/** What is ordered: the records of these numbers, rising, or all `count` of them. */
export interface Ordered {
  readonly indexes?: Uint32Array
  readonly count: number
  /** The last level tells all records apart. */
  readonly levels: readonly SortLevel[]
  /** When to give way to others. */
  readonly turn?: () => Promise<void> | undefined
}

/** Up to so many are sorted by comparing; more are divided by their keys first. */
const fewToSort = 64

/**
 * The records that stand from `from` up to `to` (excluded) when some, or all, are ordered by their levels. Only these are
 * sorted; the others are passed over in linear time.
 */
export async function orderRange(ordered: Ordered, from: number, to: number): Promise<Uint32Array<ArrayBuffer>> {
  const { indexes, count } = ordered
  const wanted = new Uint32Array(Math.max(0, Math.min(to, indexes?.length ?? count) - from))
  if (wanted.length > 0) await fill({ ...ordered, out: wanted }, indexes, 0, from, from + wanted.length, 0)
  return wanted
}

interface Ordering extends Ordered {
  readonly out: Uint32Array
}

/** Writes the records from rank `from` to `to` of these into `out` from `at` on, by the levels from `level` on. */
async function fill(
  ordering: Ordering,
  indexes: Uint32Array | undefined,
  level: number,
  from: number,
  to: number,
  at: number,
): Promise<void> {
  if (from >= to) return
  const { levels, out, turn } = ordering
  const own = levels[level] as SortLevel
  const count = indexes?.length ?? ordering.count
  if (own.along) {
    for (let rank = from; rank < to; rank += 1) {
      const place = own.along === 'rising' ? rank : count - 1 - rank
      out[at + rank - from] = indexes ? (indexes[place] as number) : place
    }
    return
  }
  if (count <= fewToSort) {
    const all = indexes ?? Uint32Array.from({ length: count }, (_, index) => index)
    out.set((await sortFew(ordering.levels, all, level)).subarray(from, to), at)
    return
  }
  const later = turn?.()
  if (later) await later
  const keys = await own.keysOf(indexes)
  await divide(ordering, { indexes, keys, level, from, to, at }, (equal, start, end, place) =>
    own.finer
      ? fillFiner(ordering, equal, level, 0, start, end, place)
      : fill(ordering, equal, level + 1, start, end, place),
  )
}

/** The same for records whose keys of this level are equal, and whose texts begin with so many equal units. */
async function fillFiner(
  ordering: Ordering,
  indexes: Uint32Array,
  level: number,
  units: number,
  from: number,
  to: number,
  at: number,
): Promise<void> {
  if (from >= to) return
  if (indexes.length <= fewToSort) {
    ordering.out.set((await sortFew(ordering.levels, indexes, level)).subarray(from, to), at)
    return
  }
  const later = ordering.turn?.()
  if (later) await later
  const found = await ordering.levels[level]?.finer?.(indexes, units)
  if (!found) return fill(ordering, indexes, level + 1, from, to, at)
  await divide(ordering, { indexes, keys: found.keys, level, from, to, at }, (equal, start, end, place) =>
    fillFiner(ordering, equal, level, found.units, start, end, place),
  )
}

interface Division {
  readonly indexes: Uint32Array | undefined
  /** The key of each of `indexes`. */
  readonly keys: Float64Array
  readonly level: number
  readonly from: number
  readonly to: number
  readonly at: number
}

/** Records with equal keys, and which ranks of them are wanted where. */
type FillEqual = (equal: Uint32Array, from: number, to: number, at: number) => Promise<void>

/** Divides the records whose keys are near the range; all others are passed over. */
function divide(ordering: Ordering, division: Division, fillEqual: FillEqual): Promise<void> {
  const { indexes, keys, from, to, at } = division
  const near = nearKeys(indexes, keys, from, to)
  if (!near) return divideBands(ordering, division, fillEqual)
  if (near.areEqual) return fillEqual(near.indexes.slice(), from - near.before, to - near.before, at)
  return divideBands(ordering, { ...division, ...near, from: from - near.before, to: to - near.before }, fillEqual)
}

/** Sorts what lies between the keys at both ends of the range; what equals these ends is divided further. */
async function divideBands(
  ordering: Ordering,
  { indexes, keys, level, from, to, at }: Division,
  fillEqual: FillEqual,
): Promise<void> {
  const [least, most] = rankBounds(keys, from, to - 1)
  const [before, low, middle, high] = countBands(keys, least, most)
  const equalLeast = new Uint32Array(low)
  const between = new Uint32Array(middle)
  const equalMost = new Uint32Array(high)
  if (indexes) runLoop(takeBands, indexes, keys, least, most, equalLeast, between, equalMost)
  else runLoop(takeBandsOfAll, keys, least, most, equalLeast, between, equalMost)
  const first = Math.min(to, before + equalLeast.length)
  // What `nearKeys` answered is not used from here on.
  await fillEqual(equalLeast, from - before, first - before, at)
  if (least === most) return
  const written = at + first - from
  ordering.out.set(await sortFew(ordering.levels, between, level), written)
  await fillEqual(equalMost, 0, to - first - between.length, written + between.length)
}

const bands = new Uint32Array(4)

/** How many keys are below `least`, equal to it, between it and `most`, and equal to `most`. */
function countBands(keys: Float64Array, least: number, most: number): [number, number, number, number] {
  bands.fill(0)
  runLoop(addBands, keys, least, most, bands)
  const [atMost = 0, below = 0, equalLeast = 0, equalMost = 0] = bands
  if (least === most) return [below, equalLeast, 0, 0]
  return [below, equalLeast, atMost - below - equalLeast - equalMost, equalMost]
}

function addBands(keys: Float64Array, least: number, most: number, counts: Uint32Array): void {
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i]!
    if (key > most) continue
    counts[0]! += 1
    if (key < least) counts[1]! += 1
    else if (key === least) counts[2]! += 1
    else if (key === most) counts[3]! += 1
  }
}

function takeBands(
  indexes: Uint32Array,
  keys: Float64Array,
  least: number,
  most: number,
  equalLeast: Uint32Array,
  between: Uint32Array,
  equalMost: Uint32Array,
): void {
  let [low, middle, high] = [0, 0, 0]
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i]!
    if (key > most || key < least) continue
    if (key === least) equalLeast[low++] = indexes[i]!
    else if (key === most) equalMost[high++] = indexes[i]!
    else between[middle++] = indexes[i]!
  }
}

/** The same when all records are divided, whose indexes then need not be made: a loop of its own, without a branch. */
function takeBandsOfAll(
  keys: Float64Array,
  least: number,
  most: number,
  equalLeast: Uint32Array,
  between: Uint32Array,
  equalMost: Uint32Array,
): void {
  let [low, middle, high] = [0, 0, 0]
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i]!
    if (key > most || key < least) continue
    if (key === least) equalLeast[low++] = i
    else if (key === most) equalMost[high++] = i
    else between[middle++] = i
  }
}
