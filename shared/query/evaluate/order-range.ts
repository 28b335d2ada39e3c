import { runLoop } from '../../columns/service.ts'
import { nearKeys } from './near-keys.ts'
import { rankBounds } from './rank-bounds.ts'

/** One sort key of the records in question, which are numbered from 0. */
export interface SortLevel {
  /** The keys of some records, whose numbers rise, or of all: lower ones come first. Not to be written. */
  keysOf(indexes: Uint32Array | undefined): Float64Array
  /** Equal keys may stand for different values: then this compares the values of two records. */
  compare?(a: number, b: number): number
  /** For records with equal keys: further keys, each finer than the one before. `one` is any of these records. */
  finer?(one: number): (depth: number, index: number) => number
  /** The keys rise, or fall, with the numbers of the records, and no two are equal. */
  readonly along?: 'rising' | 'falling'
}

/** Up to so many are sorted by comparing; more are divided by their keys first. */
const fewToSort = 64

/**
 * The records that stand from `from` up to `to` (excluded) when some (their numbers, rising), or all `count`, are
 * ordered by these levels. Only these are sorted; the others are passed over in linear time. The last level tells all of
 * them apart.
 */
export function orderRange(
  indexes: Uint32Array | undefined,
  count: number,
  levels: readonly SortLevel[],
  from: number,
  to: number,
): Uint32Array<ArrayBuffer> {
  const wanted = new Uint32Array(Math.max(0, Math.min(to, indexes?.length ?? count) - from))
  if (wanted.length > 0) fill({ levels, out: wanted, count }, indexes, 0, from, from + wanted.length, 0)
  return wanted
}

interface Ordering {
  readonly levels: readonly SortLevel[]
  readonly out: Uint32Array
  /** How many records there are when no indexes name some. */
  readonly count: number
}

/** Writes the records from rank `from` to `to` of these into `out` from `at` on, by the levels from `level` on. */
function fill(
  ordering: Ordering,
  indexes: Uint32Array | undefined,
  level: number,
  from: number,
  to: number,
  at: number,
): void {
  if (from >= to) return
  const { levels, out } = ordering
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
    out.set(
      sorted(ordering, indexes ?? Uint32Array.from({ length: count }, (_, index) => index), level).subarray(from, to),
      at,
    )
    return
  }
  const keys = own.keysOf(indexes)
  divide(ordering, { indexes, keys, level, from, to, at }, (equal, start, end, place) => {
    if (own.finer && own.compare) fillFiner(ordering, equal, level, 0, own.finer(equal[0] as number), start, end, place)
    else fill(ordering, equal, level + 1, start, end, place)
  })
}

/** The same for records whose keys of this level are equal, though their values may differ. */
function fillFiner(
  ordering: Ordering,
  indexes: Uint32Array,
  level: number,
  depth: number,
  finer: (depth: number, index: number) => number,
  from: number,
  to: number,
  at: number,
): void {
  if (from >= to) return
  const own = ordering.levels[level] as SortLevel
  const [first] = indexes
  if (indexes.length <= fewToSort) {
    ordering.out.set(sorted(ordering, indexes, level).subarray(from, to), at)
    return
  }
  if (indexes.every((index) => own.compare?.(first as number, index) === 0)) {
    fill(ordering, indexes, level + 1, from, to, at)
    return
  }
  const keys = new Float64Array(indexes.length)
  for (let i = 0; i < keys.length; i += 1) keys[i] = finer(depth, indexes[i] as number)
  divide(ordering, { indexes, keys, level, from, to, at }, (equal, start, end, place) =>
    fillFiner(ordering, equal, level, depth + 1, finer, start, end, place),
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
type FillEqual = (equal: Uint32Array, from: number, to: number, at: number) => void

/** Divides the records whose keys are near the range; all others are passed over. */
function divide(ordering: Ordering, division: Division, fillEqual: FillEqual): void {
  const { indexes, keys, from, to, at } = division
  const near = nearKeys(indexes, keys, from, to)
  if (!near) divideBands(ordering, division, fillEqual)
  else if (near.areEqual) fillEqual(near.indexes.slice(), from - near.before, to - near.before, at)
  else divideBands(ordering, { ...division, ...near, from: from - near.before, to: to - near.before }, fillEqual)
}

/** Sorts what lies between the keys at both ends of the range; what equals these ends is divided further. */
function divideBands(ordering: Ordering, { indexes, keys, level, from, to, at }: Division, fillEqual: FillEqual): void {
  const [least, most] = rankBounds(keys, from, to - 1)
  const [before, low, middle, high] = countBands(keys, least, most)
  const equalLeast = new Uint32Array(low)
  const between = new Uint32Array(middle)
  const equalMost = new Uint32Array(high)
  if (indexes) runLoop(takeBands, indexes, keys, least, most, equalLeast, between, equalMost)
  else runLoop(takeBandsOfAll, keys, least, most, equalLeast, between, equalMost)
  const first = Math.min(to, before + equalLeast.length)
  fillEqual(equalLeast, from - before, first - before, at)
  if (least === most) return
  const written = at + first - from
  ordering.out.set(sorted(ordering, between, level), written)
  fillEqual(equalMost, 0, to - first - between.length, written + between.length)
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

/** A few records in order, by the levels from `from` on. */
function sorted({ levels }: Ordering, indexes: Uint32Array, from: number): Uint32Array {
  const known: Float64Array[] = []
  const keysAt = (level: number): Float64Array => (known[level] ??= (levels[level] as SortLevel).keysOf(indexes))
  const places = Uint32Array.from(indexes, (_, place) => place).sort((a, b) => {
    for (let level = from; level < levels.length; level += 1) {
      const keys = keysAt(level)
      const [left, right] = [keys[a] as number, keys[b] as number]
      if (left !== right) return left < right ? -1 : 1
      const compared = levels[level]?.compare?.(indexes[a] as number, indexes[b] as number) ?? 0
      if (compared !== 0) return compared
    }
    return 0
  })
  return places.map((place) => indexes[place] as number)
}
