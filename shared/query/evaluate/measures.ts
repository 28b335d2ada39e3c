import { chunkIds, compareScalars, runLoop, type Scalar } from '../../columns/service.ts'
import type { Measure } from '../grammar/parse-aggregate.ts'
import type { KeySource } from './key-source.ts'

/** Takes one measure of many groups at once. */
export interface Measuring {
  /** `keys`: those of the records of a chunk at these positions; `groups`: their groups, each below `groupCount`. */
  add(chunk: number, positions: Uint16Array, keys: Float64Array, groups: Uint32Array, groupCount: number): void
  /** The result of a group; null when none of its records has a value. */
  resultOf(group: number): Scalar | null
}

export function measuring(measure: Measure, source: KeySource): Measuring {
  switch (measure) {
    case 'sum':
    case 'avg':
      return totals(measure === 'avg')
    case 'min':
    case 'max':
      return extremes(source, measure === 'max')
    case 'first':
    case 'last':
      return outermost(source, measure === 'last')
  }
}

/** Numbers per group that grow with the groups. */
function perGroup(initial: number) {
  let values = new Float64Array(64).fill(initial)
  return {
    /** The numbers of all groups, with room for `count`. */
    upTo(count: number): Float64Array {
      if (count > values.length) {
        const larger = new Float64Array(Math.max(2 * values.length, count)).fill(initial)
        larger.set(values)
        values = larger
      }
      return values
    },
    of: (group: number): number => values[group] ?? initial,
  }
}

/** How many records each group has. */
export function groupCounts() {
  const counts = perGroup(0)
  return {
    add: (groups: Uint32Array, groupCount: number): void => runLoop(addOnes, groups, counts.upTo(groupCount)),
    of: counts.of,
  }
}

function addOnes(groups: Uint32Array, counts: Float64Array): void {
  for (let i = 0; i < groups.length; i += 1) counts[groups[i]!]! += 1
}

function totals(isAverage: boolean): Measuring {
  const [sums, known] = [perGroup(0), perGroup(0)]
  return {
    add(_chunk, _positions, keys, groups, groupCount) {
      runLoop(addKeys, keys, groups, sums.upTo(groupCount))
      if (isAverage) runLoop(addKnown, keys, groups, known.upTo(groupCount))
    },
    resultOf(group) {
      const count = known.of(group)
      if (!isAverage) return sums.of(group)
      return count === 0 ? null : sums.of(group) / count
    },
  }
}

function addKeys(keys: Float64Array, groups: Uint32Array, sums: Float64Array): void {
  for (let i = 0; i < groups.length; i += 1) {
    const key = keys[i]!
    sums[groups[i]!]! += Number.isNaN(key) ? 0 : key
  }
}

function addKnown(keys: Float64Array, groups: Uint32Array, known: Float64Array): void {
  for (let i = 0; i < groups.length; i += 1) known[groups[i]!]! += +!Number.isNaN(keys[i]!)
}

/** The record with the least or greatest value tells the result in the field's own form. */
function extremes(source: KeySource, isGreatest: boolean): Measuring {
  const sign = isGreatest ? -1 : 1
  const [best, holders] = [perGroup(Infinity), perGroup(0)]
  return {
    add(chunk, positions, keys, groups, groupCount) {
      const [bests, ids] = [best.upTo(groupCount), holders.upTo(groupCount)]
      runLoop(takeBest, keys, groups, positions, chunk * chunkIds, sign, bests, ids)
      if (!source.isExact) settleTies(chunk, positions, keys, groups)
    },
    resultOf: (group) => (best.of(group) === Infinity ? null : (source.valueOf(holders.of(group)) ?? null)),
  }

  /** Equal keys may stand for different values: among the holders of the best key the best value counts. */
  function settleTies(chunk: number, positions: Uint16Array, keys: Float64Array, groups: Uint32Array): void {
    const [bests, ids] = [best.upTo(0), holders.upTo(0)]
    for (let i = 0; i < positions.length; i += 1) {
      const group = groups[i] as number
      if (sign * (keys[i] as number) !== bests[group]) continue
      const id = chunk * chunkIds + (positions[i] as number)
      const compared = compareScalars(source.valueOf(id) ?? '', source.valueOf(ids[group] as number) ?? '')
      if (sign * compared < 0) ids[group] = id
    }
  }
}

function takeBest(
  keys: Float64Array,
  groups: Uint32Array,
  positions: Uint16Array,
  firstId: number,
  sign: number,
  bests: Float64Array,
  ids: Float64Array,
): void {
  for (let i = 0; i < groups.length; i += 1) {
    const key = sign * keys[i]!
    const group = groups[i]!
    // Never true for a missing value, whose key is not a number.
    if (key < bests[group]!) {
      bests[group] = key
      ids[group] = firstId + positions[i]!
    }
  }
}

/** The value of the record with the least or greatest id. Chunks come in no particular order. */
function outermost(source: KeySource, isLast: boolean): Measuring {
  const sign = isLast ? -1 : 1
  const least = perGroup(Infinity)
  return {
    add(chunk, positions, _keys, groups, groupCount) {
      const ids = least.upTo(groupCount)
      for (let i = 0; i < positions.length; i += 1) {
        const group = groups[i]!
        ids[group] = Math.min(ids[group]!, sign * (chunk * chunkIds + positions[i]!))
      }
    },
    resultOf: (group) => (least.of(group) === Infinity ? null : (source.valueOf(sign * least.of(group)) ?? null)),
  }
}
