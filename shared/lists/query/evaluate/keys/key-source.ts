import { lowerBound } from '../../../../kernel/collections/lower-bound.ts'
import { chunkIds, positionOf } from '../../../columns/chunk.ts'
import type { ColumnView } from '../../../columns/reader/view.ts'
import { type Compare, compareScalars, type Scalar, type Value } from '../../../columns/scalar.ts'
import { CodesVector } from '../../../columns/vector/codes.ts'
import { valueOfNumber } from '../../../columns/vector/number-test.ts'
import { NumbersVector } from '../../../columns/vector/numbers.ts'
import { prefixAfter } from '../../../columns/vector/prefix.ts'
import { TextsVector } from '../../../columns/vector/texts.ts'
import type { Vector } from '../../../columns/vector/vector.ts'
import type { QueryField } from '../../grammar/expression.ts'
import { scaleOf } from '../../kinds/decimal.ts'
import type { Kind } from '../../kinds/kind.ts'
import { kinds } from '../../kinds/kinds.ts'
import { valuesByChunk, type ValuesOf } from '../read-values.ts'

/** The values of one field as numbers in the same order. */
export interface KeySource {
  /** Loads what a chunk's keys are read from; undefined when there is nothing to wait for. */
  ready(chunk: number): Promise<void> | undefined
  /** Writes the key of each position of a chunk that is ready from `at` on; NaN where there is no value. */
  read(chunk: number, positions: Uint16Array, out: Float64Array, at: number): void
  /** Equal keys mean equal values. */
  readonly isExact: boolean
  /** How values with equal keys compare; without it as texts do. */
  readonly compare?: Compare
  /** For decimals, whose texts are no keys: what of a value its key leaves out, and what `step` such keys leave out. */
  readonly residueOf?: (value: Scalar, step: number) => number
  /** For decimals: how many digits their texts have after the point. */
  readonly scale?: number
  /** The values of records; of several files the first. Rising ids are the quickest. */
  readonly valuesOf: ValuesOf
  /** The same as `read` for texts of which only what follows a beginning matters (`prefixAfter`). */
  readAfter?(beginning: string, chunk: number, positions: Uint16Array, out: Float64Array, at: number): void
  /** For keys that tell the values of some chunks: the value of a key that is read from such a chunk. */
  readonly inverse?: { holdsIn(chunk: number): boolean; valueOf(key: number): Scalar }
  /** The key that a value would have; for an exact source that has no such value, one between its neighbours. */
  keyOf(value: Scalar): number
}

/** For what no column has to be loaded. */
export const alwaysReady = (): undefined => undefined

/** The value that sorts and groups a record: of several files the first. */
export const firstOf = (value: Value): Scalar | undefined =>
  value === null ? undefined : typeof value === 'object' ? value[0] : value

/** The same for a field whose values sort and group as a whole. */
export function scalarReader({ kind }: QueryField): (value: Value) => Scalar | undefined {
  const { whole } = kinds[kind]
  if (!whole) return firstOf
  return (value) => (typeof value === 'object' ? whole.join(value ?? []) : value)
}

/** The keys of a field of the view's own table. */
export function ownKeys(view: ColumnView, field: QueryField, tenantId: number): KeySource {
  switch (field.name) {
    case 'id':
      return idKeys
    case 'version':
      return versionKeys(view)
    case 'tenant_id':
      return constantKeys(tenantId)
  }
  const { numbers, whole } = kinds[field.kind]
  if (field.kind === 'decimal') return decimalKeys(view, field)
  if (whole) return wholeKeys(view, field)
  return numbers ? numericKeys(view, field.name, numbers) : (rankKeys(view, field.name) ?? textKeys(view, field.name))
}

const idKeys: KeySource = {
  ready: alwaysReady,
  isExact: true,
  read(chunk, positions, out, at) {
    for (let i = 0; i < positions.length; i += 1) out[at + i] = chunk * chunkIds + (positions[i] as number)
  },
  valuesOf: (ids) => Array.from(ids),
  inverse: { holdsIn: () => true, valueOf: Number },
  keyOf: Number,
}

const constantKeys = (value: number): KeySource => ({
  ready: alwaysReady,
  isExact: true,
  read(_chunk, positions, out, at) {
    out.fill(value, at, at + positions.length)
  },
  valuesOf: (ids) => Array.from(ids, () => value),
  keyOf: Number,
})

const versionKeys = (view: ColumnView): KeySource => ({
  ready: (chunk) => view.ready(chunk),
  isExact: true,
  read(chunk, positions, out, at) {
    const stamps = view.stamps(chunk)
    for (let i = 0; i < positions.length; i += 1) out[at + i] = (stamps?.[positions[i] as number] ?? 0) >>> 1
  },
  valuesOf: (ids) =>
    valuesByChunk(
      (chunk) => view.ready(chunk),
      ids,
      (chunk, id) => (view.stamps(chunk)?.[positionOf(id)] ?? 0) >>> 1,
    ),
  keyOf: Number,
})

/** What all keys of a column have in common. */
const ofColumn = (view: ColumnView, column: string, scalarOf = firstOf): Pick<KeySource, 'ready' | 'valuesOf'> => {
  const ready: KeySource['ready'] = (chunk) => view.ready(chunk)
  return {
    ready,
    valuesOf: (ids) =>
      valuesByChunk(ready, ids, (chunk, id) => scalarOf(view.vector(column, chunk)?.get(positionOf(id)) ?? null)),
  }
}

function numericKeys(view: ColumnView, name: string, { vector: usual, of }: NonNullable<Kind['numbers']>): KeySource {
  const isUsual = (vector: Vector | undefined): vector is NumbersVector =>
    vector instanceof NumbersVector && vector.kind === usual
  return {
    ...ofColumn(view, name),
    isExact: true,
    keyOf: of,
    inverse: {
      holdsIn: (chunk) => isUsual(view.vector(name, chunk)),
      valueOf: (key) => valueOfNumber(usual, key),
    },
    read(chunk, positions, out, at) {
      const vector = view.vector(name, chunk)
      if (isUsual(vector)) vector.gather(positions, out, at)
      else readEach(vector, positions, out, at, of)
    },
  }
}

/** Reads values that are not in the form which their field usually has. */
function readEach(
  vector: Vector | undefined,
  positions: Uint16Array,
  out: Float64Array,
  at: number,
  keyOf: (value: Scalar) => number,
  scalarOf = firstOf,
): void {
  for (let i = 0; i < positions.length; i += 1) {
    const value = vector ? scalarOf(vector.get(positions[i] as number)) : undefined
    out[at + i] = value === undefined ? Number.NaN : keyOf(value)
  }
}

/** With more values than this, ranking them costs more than it saves. */
const maxRanked = 2000

/** Keys of a column whose chunks all have few different values: their ranks. */
function rankKeys(view: ColumnView, column: string): KeySource | undefined {
  if (!view.isWhole) return undefined
  const values = new Set<Scalar>()
  for (let chunk = 0; chunk < view.chunks; chunk += 1) {
    const vector = view.vector(column, chunk)
    if (!vector) continue
    if (!(vector instanceof CodesVector)) return undefined
    for (const value of vector.dict) if (value !== null) values.add(firstOf(value) ?? '')
    if (values.size > maxRanked) return undefined
  }
  const sorted = [...values].sort(compareScalars)
  const ranks = new Map(sorted.map((value, rank) => [value, rank]))
  const rankOf = (value: Scalar): number => ranks.get(value) ?? placeOf(sorted, value)
  return {
    ...ofColumn(view, column),
    isExact: true,
    keyOf: rankOf,
    read(chunk, positions, out, at) {
      const vector = view.vector(column, chunk)
      if (vector instanceof CodesVector) vector.gather(positions, tableOf(vector, rankOf), out, at)
      else readEach(vector, positions, out, at, rankOf)
    },
  }
}

/** The rank of a value that is not among the sorted ones: half a rank below the next. */
const placeOf = (sorted: readonly Scalar[], value: Scalar): number =>
  lowerBound(0, sorted.length, (index) => compareScalars(sorted[index] as Scalar, value) < 0) - 0.5

/** For each code of a vector the key of its value. */
function tableOf({ dict }: CodesVector, keyOf: (value: Scalar) => number, scalarOf = firstOf): Float64Array {
  return Float64Array.from(dict, (value) => {
    const first = scalarOf(value)
    return first === undefined ? Number.NaN : keyOf(first)
  })
}

/** Keys of a column of texts: their first characters. */
function textKeys(view: ColumnView, column: string): KeySource {
  const readAfter = (beginning: string, chunk: number, positions: Uint16Array, out: Float64Array, at: number): void => {
    const vector = view.vector(column, chunk)
    if (vector instanceof TextsVector) vector.gather(positions, out, at, beginning)
    else if (vector instanceof CodesVector) vector.gatherPrefixes(positions, out, at, beginning)
    else readEach(vector, positions, out, at, (value) => prefixAfter(beginning, String(value)))
  }
  return {
    ...ofColumn(view, column),
    isExact: false,
    keyOf: (value) => prefixAfter('', String(value)),
    read: (chunk, positions, out, at) => readAfter('', chunk, positions, out, at),
    readAfter,
  }
}

/** Keys of decimals: the nearest doubles of their digits, which are exact for up to 15. */
function decimalKeys(view: ColumnView, { name, kind, definition }: QueryField): KeySource {
  const keyOf = (value: Scalar): number => Number(digitsOf(value))
  return {
    ...keysOfEach(view, name, keyOf),
    isExact: false,
    keyOf,
    compare: kinds[kind].compare as Compare,
    scale: scaleOf(definition),
    residueOf(value, step) {
      let left = BigInt(digitsOf(value))
      for (let taken = 0; taken < step; taken += 1) left -= BigInt(Number(left))
      return Number(left)
    },
  }
}

const digitsOf = (value: Scalar): string => String(value).replace('.', '')

/** Keys of values that are several, by the text that they are as a whole. */
function wholeKeys(view: ColumnView, field: QueryField): KeySource {
  const scalarOf = scalarReader(field)
  const keyOf = (value: Scalar): number => prefixAfter('', String(value))
  return { ...keysOfEach(view, field.name, keyOf, scalarOf), isExact: false, keyOf }
}

/** Keys that are made of each value, or of each distinct one. */
function keysOfEach(
  view: ColumnView,
  column: string,
  keyOf: (value: Scalar) => number,
  scalarOf = firstOf,
): Pick<KeySource, 'ready' | 'valuesOf' | 'read'> {
  return {
    ...ofColumn(view, column, scalarOf),
    read(chunk, positions, out, at) {
      const vector = view.vector(column, chunk)
      if (vector instanceof CodesVector) vector.gather(positions, tableOf(vector, keyOf, scalarOf), out, at)
      else readEach(vector, positions, out, at, keyOf, scalarOf)
    },
  }
}
