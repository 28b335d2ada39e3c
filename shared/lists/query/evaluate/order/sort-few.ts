import type { Scalar } from '../../../columns/scalar.ts'
import type { Awaitable } from '../read-values.ts'

/** One sort key of the records in question, which are numbered from 0. */
export interface SortLevel {
  /** The keys of some records, whose numbers rise, or of all: lower ones come first. Not to be written. */
  keysOf(indexes: Uint32Array | undefined): Awaitable<Float64Array>
  /** Equal keys may stand for different values: then these are compared. */
  readonly values?: {
    of(indexes: Uint32Array): Awaitable<readonly (Scalar | undefined)[]>
    compare(a: Scalar | undefined, b: Scalar | undefined): number
  }
  /** For many records with equal keys, whose texts begin with so many equal units; undefined when all are equal. */
  finer?(indexes: Uint32Array, units: number): Promise<FinerKeys | undefined>
  /** The keys rise, or fall, with the numbers of the records, and no two are equal. */
  readonly along?: 'rising' | 'falling'
}

/** Keys of what follows the first `units` of texts: they differ where the next units do. */
export interface FinerKeys {
  readonly units: number
  readonly keys: Float64Array
}

/**
 * A few records in order, by the levels from `level` on. What is equal at one level is looked up for the next one in one
 * go, since not all columns may be in memory.
 */
export async function sortFew(levels: readonly SortLevel[], indexes: Uint32Array, level: number): Promise<Uint32Array> {
  const ordered = indexes.slice()
  let runs: readonly Run[] = [[0, ordered.length]]
  for (let at = level; (runs = runs.filter(([from, to]) => to - from > 1)).length > 0; at += 1) {
    const own = levels[at] as SortLevel
    if (own.along) {
      for (const [from, to] of runs) {
        const run = ordered.subarray(from, to).sort()
        if (own.along === 'falling') run.reverse()
      }
      return ordered
    }
    const compare = await comparing(own, ordered, runs)
    runs = runs.flatMap((run) => sortRun(ordered, run, compare))
  }
  return ordered
}

/** Equal records so far: from one place up to another (excluded). */
type Run = readonly [from: number, to: number]

/** Compares records of some runs by one level. */
async function comparing(
  { keysOf, values: ownValues }: SortLevel,
  ordered: Uint32Array,
  runs: readonly Run[],
): Promise<(a: number, b: number) => number> {
  const some = Uint32Array.from(runs.flatMap(([from, to]) => [...ordered.subarray(from, to)])).sort()
  const keys = await keysOf(some)
  const values = ownValues && new Set(keys).size < keys.length ? await ownValues.of(some) : undefined
  const places = new Map(Array.from(some, (index, place) => [index, place]))
  return (a, b) => {
    const [first, second] = [places.get(a) as number, places.get(b) as number]
    const [left, right] = [keys[first] as number, keys[second] as number]
    if (left !== right) return left < right ? -1 : 1
    return values && ownValues ? ownValues.compare(values[first], values[second]) : 0
  }
}

/** Sorts a run, and answers the runs of equal records in it. */
function sortRun(ordered: Uint32Array, [from, to]: Run, compare: (a: number, b: number) => number): Run[] {
  const run = ordered.subarray(from, to).sort(compare)
  const equal: Run[] = []
  for (let start = 0; start < run.length;) {
    let end = start + 1
    while (end < run.length && compare(run[start] as number, run[end] as number) === 0) end += 1
    equal.push([from + start, from + end])
    start = end
  }
  return equal
}
