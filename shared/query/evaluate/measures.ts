import { chunkIds, compareScalars, runLoop, type Scalar } from '../../columns/service.ts'
import type { Measure } from '../grammar/parse-aggregate.ts'
import type { KeySource } from './key-source.ts'
import { afterwards, type Awaitable } from './read-values.ts'

/** Takes one measure of many groups at once. */
export interface Measuring {
  /** `keys`: those of the records of a chunk at these positions; `groups`: their groups, each below `groupCount`. */
  add(
    chunk: number,
    positions: Uint16Array,
    keys: Float64Array,
    groups: Uint32Array,
    groupCount: number,
  ): Awaitable<void>
  /** The results of some groups; null when none of a group's records has a value. */
  resultsOf(groups: readonly number[]): Awaitable<readonly (Scalar | null)[]>
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
    resultsOf: (groups) =>
      groups.map((group) => {
        const count = known.of(group)
        if (!isAverage) return sums.of(group)
        return count === 0 ? null : sums.of(group) / count
      }),
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

/** The values of one record of each group, null for a group without one. */
function valuesOfHolders(
  source: KeySource,
  groups: readonly number[],
  idOf: (group: number) => number | undefined,
): Awaitable<(Scalar | null)[]> {
  const ids = Float64Array.from(new Set(groups.flatMap((group) => idOf(group) ?? []))).sort()
  return afterwards(source.valuesOf(ids), (values) => {
    const known = new Map(values.map((value, index) => [ids[index] as number, value]))
    return groups.map((group) => known.get(idOf(group) ?? -1) ?? null)
  })
}

/** The record with the least or greatest value tells the result in the field's own form. */
function extremes(source: KeySource, isGreatest: boolean): Measuring {
  const sign = isGreatest ? -1 : 1
  const [best, holders] = [perGroup(Infinity), perGroup(0)]
  const idOf = (group: number): number | undefined => (best.of(group) === Infinity ? undefined : holders.of(group))
  /** Of a source whose equal keys may stand for different values: the best value, and its key. */
  const held: { readonly key: number; readonly value: Scalar | undefined }[] = []
  return {
    add(chunk, positions, keys, groups, groupCount) {
      const [bests, ids] = [best.upTo(groupCount), holders.upTo(groupCount)]
      runLoop(takeBest, keys, groups, positions, chunk * chunkIds, sign, bests, ids)
      if (!source.isExact) return settleTies(chunk, positions, keys, groups)
    },
    resultsOf: (groups) =>
      source.isExact
        ? valuesOfHolders(source, groups, idOf)
        : groups.map((group) => (idOf(group) === undefined ? null : (held[group]?.value ?? null))),
  }

  /** Among the records with the best key of their group the best value counts. */
  function settleTies(chunk: number, positions: Uint16Array, keys: Float64Array, groups: Uint32Array): Awaitable<void> {
    const bests = best.upTo(0)
    const [ids, theirGroups]: [number[], number[]] = [[], []]
    for (let i = 0; i < positions.length; i += 1) {
      const group = groups[i] as number
      if (sign * (keys[i] as number) !== bests[group]) continue
      ids.push(chunk * chunkIds + (positions[i] as number))
      theirGroups.push(group)
    }
    return afterwards(source.valuesOf(ids), (values) => {
      for (const [index, value] of values.entries()) {
        const group = theirGroups[index] as number
        const key = best.of(group)
        const before = held[group]
        if (before?.key !== key || sign * compareScalars(value ?? '', before.value ?? '') < 0)
          held[group] = { key, value }
      }
    })
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
    resultsOf: (groups) =>
      valuesOfHolders(source, groups, (group) => {
        const id = least.of(group)
        return id === Infinity ? undefined : sign * id
      }),
  }
}
