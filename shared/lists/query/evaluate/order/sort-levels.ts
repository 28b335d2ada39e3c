import { chunkIds, positionOf } from '../../../columns/chunk.ts'
import { type Compare, compareScalars, type Scalar } from '../../../columns/scalar.ts'
import { runLoop } from '../../../columns/vector/number-kernels.ts'
import { differentPrefix, prefixAfter, prefixOf } from '../../../columns/vector/prefix.ts'
import type { KeySource } from '../keys/key-source.ts'
import { type Awaitable, byChunk, eachPiece } from '../read-values.ts'
import type { FinerKeys, SortLevel } from './sort-few.ts'

/** A sort key and where its values come from. */
export interface SortSource {
  readonly keys: KeySource
  readonly descending: boolean
}

/** The key in the order of the list: rising, and last in both directions where there is no value. */
export const inOrder = (key: number, descending: boolean): number =>
  Number.isNaN(key) ? Infinity : descending ? -key : key

/** Turns keys into those of the order of the list: rising, and last in both directions where there is no value. */
export function putInOrder(keys: Float64Array, descending: boolean): void {
  if (keys.length === 0) return
  const first = inOrder(keys[0] as number, descending)
  runLoop(descending ? putFalling : putRising, keys)
  keys[0] = first
}

// Where a value is missing, and only there, Infinity goes to its own place and not to the first one: without a branch,
// which would be guessed wrong where many are missing.
function putRising(keys: Float64Array): void {
  for (let i = 0; i < keys.length; i += 1) keys[Math.imul(i, +!(keys[i]! < Infinity))] = Infinity
}
function putFalling(keys: Float64Array): void {
  for (let i = 0; i < keys.length; i += 1) {
    const key = -keys[i]!
    keys[i] = key
    keys[Math.imul(i, +!(key < Infinity))] = Infinity
  }
}

/**
 * The level of one sort key for records that are numbered from 0: `idsOf` tells the ids of some, and `keysOf` the keys of
 * some, or all, in the order of the list.
 */
export function sortLevel(
  { keys: source, descending }: SortSource,
  keysOf: SortLevel['keysOf'],
  idsOf: (indexes: Uint32Array) => Uint32Array,
): SortLevel {
  if (source.isExact) return { keysOf }
  return {
    keysOf,
    values: {
      of: (indexes) => source.valuesOf(idsOf(indexes)),
      compare: (a, b) => compareInOrder(a, b, descending, source.compare),
    },
    finer: (indexes, from) => (source.residueOf ? residueKeys : finerKeys)(source, idsOf(indexes), from, descending),
  }
}

/** A few texts tell how all of them probably begin. */
const sampled = 64

/** So few texts are copied; for more, columns keep the keys of all their texts. */
const fewTexts = 4096

/**
 * Keys of what follows the beginning that all these texts share; undefined when all are equal. They are longer with each
 * call for fewer texts, or for the same ones when these differ further behind.
 */
async function finerKeys(
  source: KeySource,
  ids: Uint32Array,
  units: number,
  descending: boolean,
): Promise<FinerKeys | undefined> {
  const step = Math.ceil(ids.length / sampled)
  const some = await source.valuesOf(ids.filter((_, index) => index % step === 0))
  // Equal keys are those of texts, or of nothing.
  if (some[0] === undefined) return undefined
  let beginning = some.reduce(sharedBeginning, String(some[0]))
  let keys = await keysAfter(source, ids, beginning)
  if (keys.includes(differentPrefix)) {
    await eachPiece(source.valuesOf, ids, (values) => {
      beginning = values.reduce(sharedBeginning, beginning)
    })
    keys = await keysAfter(source, ids, beginning)
  }
  const [first] = keys
  const isEnd = first === prefixOf('') || beginning.length <= units
  if (isEnd && keys.every((key) => key === first)) return undefined
  putInOrder(keys, descending)
  return { keys, units: beginning.length }
}

/** So many keys one after the other tell the longest decimals apart. */
const maxResidues = 3

/** The keys of what earlier keys leave out of decimals; undefined when they leave nothing. */
async function residueKeys(
  source: KeySource,
  ids: Uint32Array,
  step: number,
  descending: boolean,
): Promise<FinerKeys | undefined> {
  const { residueOf } = source
  if (!residueOf || step >= maxResidues) return undefined
  const keys = new Float64Array(ids.length)
  await eachPiece(source.valuesOf, ids, (values, from) => {
    for (const [index, value] of values.entries())
      keys[from + index] = value === undefined ? Number.NaN : residueOf(value, step + 1)
  })
  const [first] = keys
  if (keys.every((key) => key === first || Number.isNaN(key))) return undefined
  putInOrder(keys, descending)
  return { keys, units: step + 1 }
}

function sharedBeginning(beginning: string, value: Scalar | undefined): string {
  const text = String(value ?? '')
  if (text.startsWith(beginning)) return beginning
  let units = 0
  while (units < text.length && text.charCodeAt(units) === beginning.charCodeAt(units)) units += 1
  return beginning.slice(0, units)
}

function keysAfter(source: KeySource, ids: Uint32Array, beginning: string): Awaitable<Float64Array> {
  const { readAfter } = source
  if (readAfter && ids.length > fewTexts)
    return readKeys(source.ready, ids, (chunk, positions, keys, at) => readAfter(beginning, chunk, positions, keys, at))
  const keys = new Float64Array(ids.length)
  return eachPiece(source.valuesOf, ids, (values, from) => {
    for (const [index, value] of values.entries())
      keys[from + index] = value === undefined ? Number.NaN : prefixAfter(beginning, String(value))
  }).then(() => keys)
}

/** Reads a key of each of these records, chunk by chunk. */
export function readKeys(
  ready: KeySource['ready'],
  ids: Uint32Array,
  read: KeySource['read'],
): Awaitable<Float64Array> {
  const keys = new Float64Array(ids.length)
  const positions = new Uint16Array(Math.min(ids.length, chunkIds))
  const waiting = byChunk(ready, ids, (chunk, from, to) => {
    for (let at = from; at < to; at += 1) positions[at - from] = positionOf(ids[at] as number)
    read(chunk, positions.subarray(0, to - from), keys, from)
  })
  return waiting ? waiting.then(() => keys) : keys
}

/** Compares two values of one field in the order of a list; a missing one comes last. */
export function compareInOrder(
  a: Scalar | undefined,
  b: Scalar | undefined,
  descending: boolean,
  compare: Compare = compareScalars,
): number {
  if (a === b) return 0
  if (a === undefined) return 1
  if (b === undefined) return -1
  return descending ? compare(b, a) : compare(a, b)
}
