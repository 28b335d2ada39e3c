import { type ColumnTest, passesValue } from '../predicate.ts'
import type { Scalar, Value } from '../scalar.ts'
import { gatherGroupTable, gatherTable } from './gather-kernels.ts'
import { keepTable } from './number-kernels.ts'
import { maxBeginnings, prefixAfter } from './prefix.ts'
import { grownLength, isMissing, valuesWith, type Refit, type Vector } from './vector.ts'

/** More distinct texts than this are kept as texts. */
export const maxDistinctTexts = 4096
const maxCodes = 0xffff

/** Values of any kind, few of them distinct: a code for each position, and the value of each code. */
export class CodesVector implements Vector {
  readonly form = 'codes'
  #refit: Refit
  #codes: Uint8Array | Uint16Array
  #dict: Value[]
  /** The code of each value, arrays by their JSON; made at the first change. */
  #codeOf: { readonly scalars: Map<Scalar, number>; readonly arrays: Map<string, number> } | undefined
  #dictBytes: number
  #prefixes = new Map<string, Float64Array>()
  /** With so many values it looks for a better form: some of them may be in no position any more. */
  #maxDict: number

  /** `dict` begins with null, the value of code 0, and has no value twice. Both become the vector's own. */
  constructor(refit: Refit, codes: Uint8Array | Uint16Array = new Uint8Array(0), dict: Value[] = [null]) {
    this.#refit = refit
    this.#codes = codes
    this.#dict = dict
    this.#dictBytes = dict.reduce<number>((sum, value) => sum + bytesOf(value), 0)
    const most = dict.every((value) => value === null || typeof value === 'string') ? maxDistinctTexts : maxCodes
    this.#maxDict = Math.min(maxCodes, Math.max(most, dict.length + 1024))
  }

  /** The code of each position, 0 for missing. Not to be written. */
  get codes(): Uint8Array | Uint16Array {
    return this.#codes
  }

  /** The value of each code; some may be in no position. */
  get dict(): readonly Value[] {
    return this.#dict
  }

  get length(): number {
    return this.#codes.length
  }

  get bytes(): number {
    const ofPrefixes = this.#prefixes.size * 8 * this.#dict.length
    return this.#codes.byteLength + this.#dictBytes * (this.#codeOf ? 2 : 1) + ofPrefixes + 200
  }

  get(position: number): Value {
    return position < this.#codes.length ? this.#dict[this.#codes[position]!]! : null
  }

  set(position: number, value: Value): Vector {
    if (isMissing(value)) {
      if (position < this.#codes.length) this.#codes[position] = 0
      return this
    }
    const code = this.#codeFor(value)
    if (code === undefined) return this.#refit(valuesWith(this, position, value))
    this.#hold(position, code)
    this.#codes[position] = code
    return this
  }

  narrow(mask: Uint8Array, test: ColumnTest): void {
    const held = mask.subarray(0, this.#codes.length)
    const table = new Uint8Array(this.#dict.length)
    for (let code = 1; code < table.length; code += 1) table[code] = +passesValue(this.#dict[code]!, test)
    keepTable(held, this.#codes, table)
    mask.fill(0, held.length)
  }

  /** Copies `table`'s number for the code of some positions, which rise, to `out` from `at` on. */
  gather(positions: Uint16Array, table: Float64Array, out: Float64Array, at: number): void {
    gatherTable(this.#codes, positions, table, out, at)
  }

  /**
   * Copies the prefixes (`prefixAfter`) of some positions, which rise, to `out` from `at` on, NaN when missing; of a value
   * that is an array, that of the first.
   */
  gatherPrefixes(positions: Uint16Array, out: Float64Array, at: number, beginning: string): void {
    gatherTable(this.#codes, positions, this.#prefixesAfter(beginning), out, at)
  }

  /** The prefix of each value; values are only ever added. */
  #prefixesAfter(beginning: string): Float64Array {
    const known = this.#prefixes.get(beginning)
    if (known?.length === this.#dict.length) return known
    const prefixes = Float64Array.from(this.#dict, (value) => {
      const first = typeof value === 'object' ? value?.[0] : value
      return first === undefined ? Number.NaN : prefixAfter(beginning, String(first))
    })
    this.#prefixes.delete(beginning)
    for (const oldest of this.#prefixes.keys()) {
      if (this.#prefixes.size < maxBeginnings) break
      this.#prefixes.delete(oldest)
    }
    this.#prefixes.set(beginning, prefixes)
    return prefixes
  }

  /** The same for the groups that a table has. */
  gatherGroups(positions: Uint16Array, table: Uint32Array, out: Uint32Array): void {
    gatherGroupTable(this.#codes, positions, table, out)
  }

  /** The code of a value, a new one if need be; undefined when there are too many. */
  #codeFor(value: Exclude<Value, null>): number | undefined {
    const { scalars, arrays } = (this.#codeOf ??= codesOf(this.#dict))
    const isArray = typeof value === 'object'
    const known = isArray ? arrays.get(JSON.stringify(value)) : scalars.get(value)
    if (known !== undefined) return known
    const code = this.#dict.length
    if (code > this.#maxDict) return undefined
    if (typeof value !== 'string') this.#maxDict = maxCodes
    if (isArray) arrays.set(JSON.stringify(value), code)
    else scalars.set(value, code)
    this.#dict.push(value)
    this.#dictBytes += bytesOf(value)
    return code
  }

  #hold(position: number, code: number): void {
    const codes = this.#codes
    const length = position < codes.length ? codes.length : grownLength(codes.length, position)
    const isWide = code > 0xff && codes instanceof Uint8Array
    if (length === codes.length && !isWide) return
    this.#codes = isWide || codes instanceof Uint16Array ? new Uint16Array(length) : new Uint8Array(length)
    this.#codes.set(codes)
  }
}

function codesOf(dict: readonly Value[]): { scalars: Map<Scalar, number>; arrays: Map<string, number> } {
  const scalars = new Map<Scalar, number>()
  const arrays = new Map<string, number>()
  for (const [code, value] of dict.entries()) {
    if (value === null) continue
    if (typeof value === 'object') arrays.set(JSON.stringify(value), code)
    else scalars.set(value, code)
  }
  return { scalars, arrays }
}

/** About what a value takes in memory, with its place in the dictionary. */
function bytesOf(value: Value): number {
  if (typeof value === 'string') return 24 + value.length
  return typeof value === 'object' && value !== null ? value.reduce<number>((sum, one) => sum + bytesOf(one), 40) : 16
}
