import type { ColumnTest } from '../predicate.ts'
import type { Value } from '../scalar.ts'
import { gatherDoubles, gatherGroups, gatherWhole } from './gather-kernels.ts'
import {
  keepDoubleMembers,
  keepEqual,
  keepMembers,
  keepRange,
  keepTable,
  runLoop,
  type NumberArray,
  type WholeArray,
} from './number-kernels.ts'
import { numberOf, numberTest, valueOfNumber } from './number-test.ts'
import type { NumberKind } from './time-text.ts'
import { grownLength, isMissing, narrowEach, valuesWith, type Refit, type Vector } from './vector.ts'

const mostCode = { 1: 0xff, 2: 0xffff, 4: 0xffff_ffff } as const

/** So few numbers are looked for one after the other. */
const fewWanted = 16

/** One byte for each code there may be, all 0 between two uses. */
const scratchTable = new Uint8Array(0x1_0000)

/** Numbers, times and dates. Whole numbers are codes: their distance from `base` plus 1, and 0 for none. */
export class NumbersVector implements Vector {
  readonly form = 'numbers'
  readonly kind: NumberKind
  #refit: Refit
  #data: NumberArray
  #base: number

  /** `data` holds codes, or as a Float64Array the numbers themselves and NaN for none. It becomes the vector's own. */
  constructor(refit: Refit, kind: NumberKind, data: NumberArray = new Uint8Array(0), base = 0) {
    this.#refit = refit
    this.kind = kind
    this.#data = data
    this.#base = base
  }

  get length(): number {
    return this.#data.length
  }

  get bytes(): number {
    return this.#data.byteLength + 200
  }

  /** What is stored, for the encoder: as the constructor takes it. Not to be written. */
  get stored(): { readonly data: NumberArray; readonly base: number } {
    return { data: this.#data, base: this.#base }
  }

  /** The number of a position (ms of a time, days of a date); NaN when missing. */
  numberAt(position: number): number {
    if (position >= this.#data.length) return Number.NaN
    const stored = this.#data[position]!
    if (this.#data instanceof Float64Array) return stored
    return stored === 0 ? Number.NaN : stored - 1 + this.#base
  }

  get(position: number): Value {
    const number = this.numberAt(position)
    return Number.isNaN(number) ? null : valueOfNumber(this.kind, number)
  }

  set(position: number, value: Value): Vector {
    if (isMissing(value)) {
      if (position < this.#data.length) this.#data[position] = this.#data instanceof Float64Array ? Number.NaN : 0
      return this
    }
    const number = numberOf(this.kind, value)
    if (Number.isNaN(number)) return this.#refit(valuesWith(this, position, value))
    this.#hold(position, number)
    this.#data[position] = this.#data instanceof Float64Array ? number + 0 : number - this.#base + 1
    return this
  }

  narrow(mask: Uint8Array, test: ColumnTest): void {
    const own = numberTest(this.kind, test)
    if (!own) return narrowEach(mask, this, test)
    const held = mask.subarray(0, this.#data.length)
    if ('least' in own) this.#keepRange(held, own.least, own.most)
    else this.#keepWanted(held, own.wanted)
    mask.fill(0, held.length)
  }

  /** Keeps the positions whose number has 1 in `table`; missing numbers, and those with no place in it, fail. */
  narrowBy(mask: Uint8Array, table: Uint8Array): void {
    const held = mask.subarray(0, this.#data.length)
    if (this.#data instanceof Float64Array) runLoop(keepDoubleMembers, held, this.#data, table)
    else runLoop(keepMembers, held, this.#data, this.#base - 1, table)
    mask.fill(0, held.length)
  }

  /** Copies the numbers of some positions, which rise, to `out` from `at` on; NaN when missing. */
  gather(positions: Uint16Array, out: Float64Array, at: number): void {
    if (this.#data instanceof Float64Array) gatherDoubles(this.#data, positions, out, at)
    else gatherWhole(this.#data, this.#base - 1, positions, out, at)
  }

  /** How long a table for `gatherGroups` must be; undefined where there cannot be one. */
  get groupTableLength(): number | undefined {
    const data = this.#data
    const isShort = data instanceof Uint8Array || data instanceof Uint16Array
    return isShort && this.#base >= 0 ? this.#base + mostCodeOf(data) + 1 : undefined
  }

  /** Writes what a table has for the numbers of some positions, and lists those for which it has 0 (`gatherGroups`). */
  gatherGroups(positions: Uint16Array, table: Uint32Array, out: Uint32Array, others: Uint16Array): number {
    return gatherGroups(this.#data as Uint8Array | Uint16Array, this.#base, positions, table, out, others)
  }

  #keepRange(mask: Uint8Array, least: number, most: number): void {
    const data = this.#data
    if (data instanceof Float64Array) return keepRange(mask, data, least, most)
    const first = Math.max(1, Math.ceil(least) - this.#base + 1)
    const last = Math.min(mostCodeOf(data), Math.floor(most) - this.#base + 1)
    if (first <= last) keepRange(mask, data, first, last)
    else mask.fill(0)
  }

  #keepWanted(mask: Uint8Array, wanted: ReadonlySet<number>): void {
    const data = this.#data
    if (data instanceof Float64Array) {
      if (wanted.size <= fewWanted) keepEqual(mask, data, [...wanted])
      else for (let i = 0; i < mask.length; i += 1) mask[i] = +(mask[i] === 1 && wanted.has(data[i]!))
      return
    }
    const held = [...wanted].filter((number) => isHeld(number, this.#base, data))
    const codes = held.map((number) => number - this.#base + 1)
    if (!(data instanceof Uint32Array)) keepCodes(mask, data, codes)
    else if (codes.length <= fewWanted) keepEqual(mask, data, codes)
    else for (let i = 0; i < mask.length; i += 1) mask[i] = +(mask[i] === 1 && wanted.has(data[i]! - 1 + this.#base))
  }

  /** Makes the array long and wide enough for a number at a position. */
  #hold(position: number, number: number): void {
    const data = this.#data
    const length = position < data.length ? data.length : grownLength(data.length, position)
    if (!(data instanceof Float64Array) && !isHeld(number, this.#base, data)) {
      this.#widen(data, length, number)
    } else if (length > data.length) {
      if (data instanceof Float64Array) this.#data = new Float64Array(length).fill(Number.NaN, data.length)
      else this.#data = newWhole(mostCodeOf(data), length)
      this.#data.set(data)
    }
  }

  /** Finds the frame that holds one number more, or turns codes into doubles when there is none. */
  #widen(data: WholeArray, length: number, number: number): void {
    let [least, most] = [number, number]
    for (let i = 0; i < data.length; i += 1) {
      if (data[i] === 0) continue
      const held = data[i]! - 1 + this.#base
      if (held < least) least = held
      if (held > most) most = held
    }
    const span = most - least + 1
    if (!Number.isSafeInteger(number) || span > mostCode[4]) return this.#toDoubles(data, length)
    const room = span <= mostCode[1] ? mostCode[1] : span <= mostCode[2] ? mostCode[2] : mostCode[4]
    // Falling numbers seldom come alone: half of the room that is left goes below them.
    const below = number < this.#base ? Math.floor((room - span) / 2) : 0
    const base = Math.max(least - below, Number.MIN_SAFE_INTEGER)
    const shift = this.#base - base
    this.#data = newWhole(room, length)
    for (let i = 0; i < data.length; i += 1) if (data[i] !== 0) this.#data[i] = data[i]! + shift
    this.#base = base
  }

  #toDoubles(data: WholeArray, length: number): void {
    const doubles = new Float64Array(length).fill(Number.NaN)
    for (let i = 0; i < data.length; i += 1) if (data[i] !== 0) doubles[i] = data[i]! - 1 + this.#base
    this.#data = doubles
  }
}

function keepCodes(mask: Uint8Array, data: Uint8Array | Uint16Array, codes: readonly number[]): void {
  for (const code of codes) scratchTable[code] = 1
  keepTable(mask, data, scratchTable)
  for (const code of codes) scratchTable[code] = 0
}

/** Whether an array of codes has one for the number. */
const isHeld = (number: number, base: number, data: WholeArray): boolean =>
  Number.isSafeInteger(number) && number >= base && number - base < mostCodeOf(data)

function mostCodeOf(data: WholeArray): number {
  return data instanceof Uint8Array ? mostCode[1] : data instanceof Uint16Array ? mostCode[2] : mostCode[4]
}

/** An array of zeros whose codes go up to `most` at least. */
export function newWhole(most: number, length: number): WholeArray {
  if (most <= mostCode[1]) return new Uint8Array(length)
  return most <= mostCode[2] ? new Uint16Array(length) : new Uint32Array(length)
}
