import {
  chunkIds,
  chunkOf,
  CodesVector,
  type ColumnView,
  compareScalars,
  NumbersVector,
  positionOf,
  prefixOf,
  type Scalar,
  TextsVector,
  type Value,
  type Vector,
} from '../../columns/service.ts'
import type { QueryField } from '../grammar/expression-types.ts'
import type { ValueKind } from '../grammar/value-kind.ts'

/** The values of one field as numbers in the same order. */
export interface KeySource {
  /** Writes the key of each position of a chunk from `at` on; NaN where there is no value. */
  read(chunk: number, positions: Uint16Array, out: Float64Array, at: number): void
  /** Equal keys mean equal values. */
  readonly isExact: boolean
  /** The value of a record; of several files the first. */
  valueOf(id: number): Scalar | undefined
  /** The key that a value would have; for an exact source that has no such value, one between its neighbours. */
  keyOf(value: Scalar): number
}

const dayMs = 86_400_000

/** The value that sorts and groups a record: of several files the first. */
export const firstOf = (value: Value): Scalar | undefined =>
  value === null ? undefined : typeof value === 'object' ? value[0] : value

/** The number in the place of a value of this kind. */
export function numberOf(kind: ValueKind, value: Scalar): number {
  if (kind === 'datetime') return Date.parse(String(value))
  if (kind === 'date') return Date.parse(String(value)) / dayMs
  return Number(value)
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
  const isNumeric = field.kind === 'number' || field.kind === 'date' || field.kind === 'datetime'
  return isNumeric ? numericKeys(view, field) : (rankKeys(view, field.name) ?? textKeys(view, field.name))
}

const idKeys: KeySource = {
  isExact: true,
  read(chunk, positions, out, at) {
    for (let i = 0; i < positions.length; i += 1) out[at + i] = chunk * chunkIds + (positions[i] as number)
  },
  valueOf: (id) => id,
  keyOf: Number,
}

const constantKeys = (value: number): KeySource => ({
  isExact: true,
  read(_chunk, positions, out, at) {
    out.fill(value, at, at + positions.length)
  },
  valueOf: () => value,
  keyOf: Number,
})

const versionKeys = (view: ColumnView): KeySource => ({
  isExact: true,
  read(chunk, positions, out, at) {
    const stamps = view.stamps(chunk)
    for (let i = 0; i < positions.length; i += 1) out[at + i] = (stamps?.[positions[i] as number] ?? 0) >>> 1
  },
  valueOf: (id) => (view.stamps(chunkOf(id))?.[positionOf(id)] ?? 0) >>> 1,
  keyOf: Number,
})

const ownValue =
  (view: ColumnView, column: string) =>
  (id: number): Scalar | undefined =>
    firstOf(view.vector(column, chunkOf(id))?.get(positionOf(id)) ?? null)

const kindOfVector: Partial<Record<ValueKind, NumbersVector['kind']>> = {
  number: 'number',
  date: 'date',
  datetime: 'time',
}

function numericKeys(view: ColumnView, { name, kind }: QueryField): KeySource {
  return {
    isExact: true,
    valueOf: ownValue(view, name),
    keyOf: (value) => numberOf(kind, value),
    read(chunk, positions, out, at) {
      const vector = view.vector(name, chunk)
      if (vector instanceof NumbersVector && vector.kind === kindOfVector[kind]) vector.gather(positions, out, at)
      else readEach(vector, positions, out, at, (value) => numberOf(kind, value))
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
): void {
  for (let i = 0; i < positions.length; i += 1) {
    const value = vector ? firstOf(vector.get(positions[i] as number)) : undefined
    out[at + i] = value === undefined ? Number.NaN : keyOf(value)
  }
}

/** With more values than this, ranking them costs more than it saves. */
const maxRanked = 2000

/** Keys of a column whose chunks all have few different values: their ranks. */
function rankKeys(view: ColumnView, column: string): KeySource | undefined {
  const values = new Set<Scalar>()
  for (let chunk = 0; chunk < view.chunks; chunk += 1) {
    const waiting = view.ready(chunk)
    if (waiting) {
      // Not all of the column fits in memory. A failure is thrown where the chunk is waited for.
      waiting.catch(() => undefined)
      return undefined
    }
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
    isExact: true,
    valueOf: ownValue(view, column),
    keyOf: rankOf,
    read(chunk, positions, out, at) {
      const vector = view.vector(column, chunk)
      if (vector instanceof CodesVector) vector.gather(positions, tableOf(vector, rankOf), out, at)
      else readEach(vector, positions, out, at, rankOf)
    },
  }
}

/** The rank of a value that is not among the sorted ones: half a rank below the next. */
function placeOf(sorted: readonly Scalar[], value: Scalar): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareScalars(sorted[middle] as Scalar, value) < 0) low = middle + 1
    else high = middle
  }
  return low - 0.5
}

/** For each code of a vector the key of its value. */
function tableOf({ dict }: CodesVector, keyOf: (value: Scalar) => number): Float64Array {
  return Float64Array.from(dict, (value) => {
    const first = firstOf(value)
    return first === undefined ? Number.NaN : keyOf(first)
  })
}

/** Keys of a column of texts: their first characters. */
function textKeys(view: ColumnView, column: string): KeySource {
  const keyOf = (value: Scalar): number => prefixOf(String(value))
  return {
    isExact: false,
    valueOf: ownValue(view, column),
    keyOf,
    read(chunk, positions, out, at) {
      const vector = view.vector(column, chunk)
      if (vector instanceof TextsVector) vector.gather(positions, out, at)
      else if (vector instanceof CodesVector) vector.gather(positions, tableOf(vector, keyOf), out, at)
      else readEach(vector, positions, out, at, keyOf)
    },
  }
}

/**
 * The keys of a field of referenced records. `keys` has the key of each referenced record by its id, NaN for those that
 * the viewer may not see; `inner` are the keys of the field in its own table.
 */
export const referenceKeys = (
  view: ColumnView,
  reference: string,
  keys: Float64Array,
  inner: Pick<KeySource, 'isExact' | 'valueOf' | 'keyOf'>,
): KeySource => ({
  isExact: inner.isExact,
  keyOf: (value) => inner.keyOf(value),
  valueOf(id) {
    const target = view.vector(reference, chunkOf(id))?.get(positionOf(id))
    if (typeof target !== 'number' || Number.isNaN(keys[target] ?? Number.NaN)) return undefined
    return inner.valueOf(target)
  },
  read(chunk, positions, out, at) {
    const vector = view.vector(reference, chunk)
    if (!(vector instanceof NumbersVector)) {
      out.fill(Number.NaN, at, at + positions.length)
      return
    }
    vector.gather(positions, out, at)
    for (let i = at; i < at + positions.length; i += 1) out[i] = keys[out[i] as number] ?? Number.NaN
  },
})
