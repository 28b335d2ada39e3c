import { averageOf, formatDecimal } from '../../../kernel/text/decimal.ts'
import { chunkIds } from '../../columns/chunk.ts'
import { compareScalars, type Scalar } from '../../columns/scalar.ts'
import { runLoop } from '../../columns/vector/number-kernels.ts'
import type { Measure } from '../grammar/parse-aggregate.ts'
import { keptDoubles } from './kept-arrays.ts'
import type { KeySource } from './keys/key-source.ts'
import { afterwards, type Awaitable } from './read-values.ts'

/** Takes all that is measured of one field, of many groups at once. */
export interface Measuring {
  /** `keys`: those of the records of a chunk at these positions; `groups`: their groups, each below `groupCount`. */
  add(
    chunk: number,
    positions: Uint16Array,
    keys: Float64Array,
    groups: Uint32Array,
    groupCount: number,
  ): Awaitable<void>
  /** What one of the measures is for some groups; null when none of a group's records has a value. */
  resultsOf(measure: Measure, groups: readonly number[]): Awaitable<readonly (Scalar | null)[]>
  /** The same for all of some groups together. */
  mergedOf(measure: Measure, groups: readonly number[]): Awaitable<Scalar | null>
  /** Lets others have the memory. Nothing must be asked afterwards. */
  release(): void
}

/** Takes these measures of the field that `source` has the keys of. */
export function measuring(measures: readonly Measure[], source: KeySource): Measuring {
  const [takesLeast, takesMost] = [measures.includes('min'), measures.includes('max')]
  const hasExtremes = takesLeast || takesMost
  const hasTotals = measures.includes('sum') || measures.includes('avg')
  const { scale } = source
  const exact = hasTotals && scale !== undefined ? exactTotals(source, scale) : undefined
  const numbers = perGroup(4, [0, 0, Infinity, -Infinity])
  const least = takesLeast ? heldValues(source, (group) => numbers.of(group, 2), 1) : undefined
  const most = takesMost ? heldValues(source, (group) => numbers.of(group, 3), -1) : undefined
  const first = measures.includes('first') ? outermost(source, false) : undefined
  const last = measures.includes('last') ? outermost(source, true) : undefined

  return {
    add(chunk, positions, keys, groups, groupCount) {
      first?.add(chunk, positions, groups, groupCount)
      last?.add(chunk, positions, groups, groupCount)
      if (!hasExtremes && !hasTotals) return
      runLoop(hasExtremes ? addAll : addTotals, keys, groups, numbers.upTo(groupCount))
      return afterwards(exact?.add(chunk, positions, groups, groupCount), () =>
        afterwards(least?.add(chunk, positions, keys, groups), () => most?.add(chunk, positions, keys, groups)),
      )
    },
    resultsOf(measure, groups) {
      if (exact && (measure === 'sum' || measure === 'avg')) return groups.map((group) => exact[measure]([group]))
      switch (measure) {
        case 'sum':
          return groups.map((group) => numbers.of(group, 0))
        case 'avg':
          return groups.map((group) => quotientOf(numbers.of(group, 0), numbers.of(group, 1)))
        default:
          return { min: least, max: most, first, last }[measure]?.resultsOf(groups) ?? []
      }
    },
    mergedOf(measure, groups) {
      const total = (which: number): number => groups.reduce((sum, group) => sum + numbers.of(group, which), 0)
      switch (measure) {
        case 'sum':
          return exact ? exact.sum(groups) : total(0)
        case 'avg':
          return exact ? exact.avg(groups) : quotientOf(total(0), total(1))
        case 'first':
        case 'last':
          return { first, last }[measure]?.mergedOf(groups) ?? null
        default: {
          const sign = measure === 'min' ? 1 : -1
          return afterwards({ min: least, max: most }[measure]?.resultsOf(groups) ?? [], (values) =>
            values.reduce(
              (best, value) =>
                value === null || (best !== null && sign * compareValues(source, value, best) >= 0) ? best : value,
              null,
            ),
          )
        }
      }
    },
    release() {
      for (const one of [numbers, exact, first, last]) one?.release()
    },
  }
}

const compareValues = ({ compare = compareScalars }: KeySource, a: Scalar, b: Scalar): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compare(a, b)

const quotientOf = (total: number, count: number): number | null => (count === 0 ? null : total / count)

/**
 * So many numbers of each group, side by side, that grow with the groups. `initial`: those of a new group. Before those of
 * the first group is room for what is not to be kept: loops write there instead of having a branch, which would be
 * guessed wrong where there are many groups.
 */
function perGroup(width: number, initial: readonly number[]) {
  let values = keptDoubles.take(width * 1024)
  let known = 0
  return {
    /** The numbers of all groups, of which there are `count`: those of group n begin at (n + 1) × width. */
    upTo(count: number): Float64Array {
      if (count <= known) return values
      const length = (count + 1) * width
      if (length > values.length) {
        const larger = keptDoubles.take(Math.max(2 * values.length, length))
        larger.set(values.subarray(0, (known + 1) * width))
        keptDoubles.give(values)
        values = larger
      }
      for (const [which, number] of initial.entries())
        runLoop(fillEach, values.subarray((known + 1) * width + which, length), width, number)
      known = count
      return values
    },
    of: (group: number, which = 0): number =>
      (group < known ? values[(group + 1) * width + which] : initial[which]) as number,
    /** Lets others have the memory. */
    release(): void {
      keptDoubles.give(values)
      values = new Float64Array(0)
      known = 0
    },
  }
}

function fillEach(values: Float64Array, step: number, number: number): void {
  for (let at = 0; at < values.length; at += step) values[at] = number
}

/** How many records each group has. */
export function groupCounts() {
  const counts = perGroup(1, [0])
  return {
    add: (groups: Uint32Array, groupCount: number): void => runLoop(addOnes, groups, counts.upTo(groupCount)),
    of: (group: number): number => counts.of(group),
    release: counts.release,
  }
}

function addOnes(groups: Uint32Array, counts: Float64Array): void {
  for (let i = 0; i < groups.length; i += 1) counts[groups[i]! + 1]! += 1
}

/** The sum of the keys of each group, and how many there are, in the first two of its four numbers. */
function addTotals(keys: Float64Array, groups: Uint32Array, numbers: Float64Array): void {
  for (let i = 0; i < groups.length; i += 1) {
    const key = keys[i]!
    const at = 4 * groups[i]! + 4
    // 0 for a missing value, whose key is not a number.
    const isKey = +(key < Infinity)
    numbers[Math.imul(at, isKey)]! += key
    numbers[at + 1]! += isKey
  }
}

/** The same, and the least and the greatest key, which takes little longer. */
function addAll(keys: Float64Array, groups: Uint32Array, numbers: Float64Array): void {
  for (let i = 0; i < groups.length; i += 1) {
    const key = keys[i]!
    const at = 4 * groups[i]! + 4
    const isKey = +(key < Infinity)
    numbers[Math.imul(at, isKey)]! += key
    numbers[at + 1]! += isKey
    numbers[Math.imul(at + 2, +(key < numbers[at + 2]!))] = key
    numbers[Math.imul(at + 3, +(key > numbers[at + 3]!))] = key
  }
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

/** A record with the best key of its group; its value too where equal keys may stand for different ones. */
interface Held {
  readonly key: number
  readonly id: number
  readonly value: Scalar | undefined
}

/**
 * The best value of each group in the field's own form, by its best key. Where the key does not tell it, the record that
 * has it does. `sign` is -1 when the greatest is the best.
 */
function heldValues(source: KeySource, bestOf: (group: number) => number, sign: 1 | -1) {
  const held: Held[] = []
  const heldOf = (group: number): Held | undefined => (held[group]?.key === bestOf(group) ? held[group] : undefined)

  function valueOf(group: number): Scalar | null {
    const known = heldOf(group)
    if (known) return known.value ?? null
    return Number.isFinite(bestOf(group)) ? (source.inverse?.valueOf(bestOf(group)) ?? null) : null
  }

  return {
    /** Notes which records of a chunk have the best keys, unless the keys tell the values. */
    add(chunk: number, positions: Uint16Array, keys: Float64Array, groups: Uint32Array): Awaitable<void> {
      if (source.inverse?.holdsIn(chunk)) return
      const [ids, theirGroups]: [number[], number[]] = [[], []]
      for (let i = 0; i < positions.length; i += 1) {
        const [key, group] = [keys[i] as number, groups[i] as number]
        if (key !== bestOf(group) || (source.isExact && heldOf(group))) continue
        const id = chunk * chunkIds + (positions[i] as number)
        if (source.isExact) held[group] = { key, id, value: undefined }
        ids.push(id)
        theirGroups.push(group)
      }
      if (source.isExact) return
      // Among the records with the best key the best value counts.
      return afterwards(source.valuesOf(ids), (values) => {
        for (const [index, value] of values.entries()) {
          const group = theirGroups[index] as number
          const before = heldOf(group)
          if (!before || sign * (source.compare ?? compareScalars)(value ?? '', before.value ?? '') < 0)
            held[group] = { key: bestOf(group), id: ids[index] as number, value }
        }
      })
    },
    resultsOf(groups: readonly number[]): Awaitable<readonly (Scalar | null)[]> {
      if (!source.isExact) return groups.map(valueOf)
      const holders = valuesOfHolders(source, groups, (group) => heldOf(group)?.id)
      return afterwards(holders, (values) =>
        groups.map((group, index) => (heldOf(group) ? (values[index] as Scalar | null) : valueOf(group))),
      )
    },
  }
}

/** The value of the record with the least or greatest id. Chunks come in no particular order. */
function outermost(source: KeySource, isLast: boolean) {
  const sign = isLast ? -1 : 1
  const least = perGroup(1, [Infinity])
  const holderOf = (group: number): number | undefined => {
    const id = least.of(group)
    return id === Infinity ? undefined : sign * id
  }
  return {
    add(chunk: number, positions: Uint16Array, groups: Uint32Array, groupCount: number): void {
      const ids = least.upTo(groupCount)
      for (let i = 0; i < positions.length; i += 1) {
        const group = groups[i]!
        ids[group + 1] = Math.min(ids[group + 1]!, sign * (chunk * chunkIds + positions[i]!))
      }
    },
    resultsOf: (groups: readonly number[]) => valuesOfHolders(source, groups, holderOf),
    mergedOf(groups: readonly number[]): Awaitable<Scalar | null> {
      const [first] = groups.toSorted((a, b) => least.of(a) - least.of(b))
      return afterwards(
        valuesOfHolders(source, groups.slice(0, 1), () => (first === undefined ? undefined : holderOf(first))),
        ([value]) => value ?? null,
      )
    },
    release: least.release,
  }
}

/** An average of decimals has so many digits more than its values. */
const averagePlaces = 6
/** Nine digits a part: sums of nine million such parts are exact in a double. */
const partDigits = 9
const decimalParts = 4

/** The exact sums of decimals: each part of their digits is summed by itself, and how many there are. */
function exactTotals(source: KeySource, scale: number) {
  const width = decimalParts + 1
  const sums = perGroup(
    width,
    Array.from({ length: width }, () => 0),
  )
  const countOf = (groups: readonly number[]): number =>
    groups.reduce((count, group) => count + sums.of(group, decimalParts), 0)
  const totalOf = (groups: readonly number[]): bigint => groups.reduce((total, group) => total + ofGroup(group), 0n)
  function ofGroup(group: number): bigint {
    let total = 0n
    for (let part = decimalParts - 1; part >= 0; part -= 1)
      total = total * 10n ** BigInt(partDigits) + BigInt(sums.of(group, part))
    return total
  }
  return {
    add(chunk: number, positions: Uint16Array, groups: Uint32Array, groupCount: number): Awaitable<void> {
      const ids = Uint32Array.from(positions, (position) => chunk * chunkIds + position)
      return afterwards(source.valuesOf(ids), (values) => {
        const numbers = sums.upTo(groupCount)
        for (let i = 0; i < values.length; i += 1) {
          const value = values[i]
          if (value !== undefined) addParts(String(value), numbers, width * (groups[i] as number) + width)
        }
      })
    },
    sum: (groups: readonly number[]): string => formatDecimal({ unscaled: totalOf(groups), scale }),
    avg: (groups: readonly number[]): string | null =>
      countOf(groups) === 0
        ? null
        : averageOf({ unscaled: totalOf(groups), scale }, countOf(groups), scale + averagePlaces, scale),
    release: sums.release,
  }
}

/** Adds the digits of a decimal, without its point, to the parts of a group from `at` on, the last digits first. */
function addParts(text: string, sums: Float64Array, at: number): void {
  const start = text.charCodeAt(0) === 45 ? 1 : 0
  const sign = start === 1 ? -1 : 1
  let [part, value, weight, digits] = [0, 0, 1, 0]
  for (let i = text.length - 1; i >= start; i -= 1) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0) continue
    value += digit * weight
    weight *= 10
    digits += 1
    if (digits === partDigits) {
      sums[at + part]! += sign * value
      part += 1
      value = 0
      weight = 1
      digits = 0
    }
  }
  if (value !== 0) sums[at + part]! += sign * value
  sums[at + decimalParts]! += 1
}
