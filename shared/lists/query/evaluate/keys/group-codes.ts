import { chunkIds } from '../../../columns/chunk.ts'
import type { ColumnView } from '../../../columns/reader/view.ts'
import type { Scalar } from '../../../columns/scalar.ts'
import { CodesVector } from '../../../columns/vector/codes.ts'
import { runLoop } from '../../../columns/vector/number-kernels.ts'
import { valueOfNumber } from '../../../columns/vector/number-test.ts'
import { NumbersVector } from '../../../columns/vector/numbers.ts'
import type { QueryField } from '../../grammar/expression.ts'
import type { Bucket } from '../../kinds/buckets.ts'
import { keptArrays } from '../kept-arrays.ts'
import { afterwards, type Awaitable } from '../read-values.ts'
import { CodeValues } from './code-values.ts'
import { type KeySource, scalarReader } from './key-source.ts'

/** Numbers the values of one field, so that records are grouped by small numbers. */
export interface GroupCodes {
  /** Writes the code of each position of a chunk; answers a promise when it has to wait. */
  read(chunk: number, positions: Uint16Array, out: Uint32Array): Awaitable<void>
  readonly values: CodeValues
  /** Lets others have the memory. Nothing must be read afterwards. */
  release(): void
}

/** Small whole numbers find their code in a list instead of a map. */
const maxDirect = 2 ** 20

/** Tables of codes, all 0. */
const tables = keptArrays((length) => new Uint32Array(length), 2, 2 ** 18)

const noTable = new Uint32Array(0)

/** Memory of one chunk at a time: nothing waits while a chunk is read. */
const numbersOfChunk = new Float64Array(chunkIds)
const unknown = new Uint16Array(chunkIds + 1)
const unknownCount = new Uint16Array(1)

/** Codes for values in the order in which they occur. */
function createCodes() {
  const values = new CodeValues()
  const texts = new Map<Scalar, number>()
  const numbers = createNumberCodes()
  const add = (value: Scalar | undefined): number => values.add(value)

  function codeOf(value: Scalar | undefined): number {
    if (value === undefined) return 0
    if (typeof value === 'number') return numbers.codeOf(value, add)
    const known = texts.get(value)
    if (known !== undefined) return known
    const code = values.add(value)
    texts.set(value, code)
    return code
  }

  return {
    values,
    codeOf,
    /** Writes the codes of a vector of numbers that are values themselves. */
    readNumbers: (vector: NumbersVector, positions: Uint16Array, out: Uint32Array) =>
      numbers.readVector(vector, positions, out, add),
    release() {
      numbers.release()
      values.release()
    },
  }
}

type CodeOfNew = (number: number, index: number) => number

/**
 * Codes for numbers, of which 0 means that there is no number. `codeOfNew` answers that of a number at its first use; it
 * is also told the index of the number in an array that is read.
 */
function createNumberCodes() {
  const others = new Map<number, number>()
  /** The code of a number at the number plus 1. */
  let direct = noTable

  function makeRoom(length: number): void {
    if (length <= direct.length) return
    const larger = tables.take(Math.max(2 * direct.length, length, 1024))
    larger.set(direct)
    tables.give(direct.fill(0))
    direct = larger
  }

  function codeOf(number: number, codeOfNew: CodeOfNew, index = 0): number {
    if (!(number >= 0 && number < maxDirect && Number.isInteger(number))) {
      const known = others.get(number)
      if (known !== undefined) return known
      const code = codeOfNew(number, index)
      others.set(number, code)
      return code
    }
    makeRoom(number + 2)
    return (direct[number + 1] ||= codeOfNew(number, index))
  }

  /** Writes the codes of so many numbers, 0 for NaN. */
  function read(numbers: Float64Array, count: number, out: Uint32Array, codeOfNew: CodeOfNew): void {
    runLoop(readDirect, numbers, count, direct, out, unknown, unknownCount)
    for (let at = 0; at < (unknownCount[0] as number); at += 1) {
      const index = unknown[at] as number
      const number = numbers[index] as number
      out[index] = Number.isNaN(number) ? 0 : codeOf(number, codeOfNew, index)
    }
  }

  return {
    codeOf,
    read,
    /** Writes the codes of a vector's numbers. */
    readVector(vector: NumbersVector, positions: Uint16Array, out: Uint32Array, codeOfNew: CodeOfNew): void {
      const length = vector.groupTableLength
      if (length === undefined || length > maxDirect) {
        vector.gather(positions, numbersOfChunk, 0)
        read(numbersOfChunk, positions.length, out, codeOfNew)
        return
      }
      makeRoom(length)
      const count = vector.gatherGroups(positions, direct, out, unknown)
      for (let at = 0; at < count; at += 1) {
        const index = unknown[at] as number
        out[index] = codeOf(vector.numberAt(positions[index] as number), codeOfNew, index)
      }
    },
    release(): void {
      tables.give(direct.fill(0))
      direct = noTable
      others.clear()
    },
  }
}

/** Reads the codes of numbers that are places in the list; the indexes of all others are listed. */
function readDirect(
  numbers: Float64Array,
  count: number,
  direct: Uint32Array,
  out: Uint32Array,
  others: Uint16Array,
  told: Uint16Array,
): void {
  let other = 0
  for (let i = 0; i < count; i += 1) {
    const place = numbers[i]! >>> 0
    const code = place === numbers[i] && place + 1 < direct.length ? direct[place + 1]! : 0
    out[i] = code
    others[other] = i
    other += +(code === 0)
  }
  told[0] = other
}

/** The codes of a field of the view's own table. */
export function ownCodes(view: ColumnView, field: QueryField): GroupCodes {
  const { name } = field
  const scalarOf = scalarReader(field)
  const { values, codeOf, readNumbers, release } = createCodes()
  const moments = { time: createNumberCodes(), date: createNumberCodes() }
  return {
    values,
    release() {
      for (const one of [release, moments.time.release, moments.date.release]) one()
    },
    read(chunk, positions, out) {
      const vector = view.vector(name, chunk)
      if (!vector) out.fill(0, 0, positions.length)
      else if (vector instanceof CodesVector) {
        const table = Uint32Array.from(vector.dict, (value) => codeOf(scalarOf(value)))
        vector.gatherGroups(positions, table, out)
      } else if (vector instanceof NumbersVector) {
        const { kind } = vector
        if (kind === 'number') readNumbers(vector, positions, out)
        else moments[kind].readVector(vector, positions, out, (number) => codeOf(valueOfNumber(kind, number)))
      } else {
        for (let i = 0; i < positions.length; i += 1) out[i] = codeOf(scalarOf(vector.get(positions[i] as number)))
      }
    },
  }
}

/** The codes of a field that no own column holds: by its keys, or by its values where keys are not exact. */
export const codesByKey = (keys: KeySource): GroupCodes => (keys.isExact ? codesOfNumbers(keys) : codesOfValues(keys))

function codesOfNumbers(keys: KeySource): GroupCodes {
  const values = new CodeValues()
  const codes = createNumberCodes()
  return {
    values,
    release() {
      codes.release()
      values.release()
    },
    read(chunk, positions, out) {
      const numbers = new Float64Array(positions.length)
      keys.read(chunk, positions, numbers, 0)
      const [firsts, theirCodes]: [number[], number[]] = [[], []]
      codes.read(numbers, positions.length, out, (_, index) => {
        const code = values.add(undefined)
        firsts.push(chunk * chunkIds + (positions[index] as number))
        theirCodes.push(code)
        return code
      })
      return afterwards(keys.valuesOf(firsts), (found) => {
        for (const [index, code] of theirCodes.entries()) values.set(code, found[index])
      })
    },
  }
}

function codesOfValues(keys: KeySource): GroupCodes {
  const { values, codeOf, release } = createCodes()
  return {
    values,
    release,
    read(chunk, positions, out) {
      const numbers = new Float64Array(positions.length)
      keys.read(chunk, positions, numbers, 0)
      const ids = Uint32Array.from(positions, (position) => chunk * chunkIds + position)
      return afterwards(keys.valuesOf(ids), (found) => {
        for (let i = 0; i < ids.length; i += 1) out[i] = Number.isNaN(numbers[i]) ? 0 : codeOf(found[i])
      })
    },
  }
}

/** Joins the codes of two fields into one: pairs are numbered in the order in which they occur. */
export function createPairs() {
  const pairs = new Map<number, number>()
  const parts: (readonly [number, number])[] = []
  return {
    parts,
    /** Replaces the codes in `first` by those of the pairs. */
    join(first: Uint32Array, second: Uint32Array, count: number): void {
      for (let i = 0; i < count; i += 1) {
        const [a, b] = [first[i] as number, second[i] as number]
        const pair = a * 2 ** 21 + b
        let code = pairs.get(pair)
        if (code === undefined) {
          code = parts.push([a, b]) - 1
          pairs.set(pair, code)
        }
        first[i] = code
      }
    },
  }
}

/** The codes of the hours, days, ... that the values of a field are in. Their values are those that answers show. */
export function codesOfBuckets(keys: KeySource, { numberOf, shown }: Bucket): GroupCodes {
  const values = new CodeValues()
  const codes = createNumberCodes()
  return {
    values,
    release() {
      codes.release()
      values.release()
    },
    read(chunk, positions, out) {
      const numbers = new Float64Array(positions.length)
      keys.read(chunk, positions, numbers, 0)
      let [key, bucket] = [Number.NaN, Number.NaN]
      for (let i = 0; i < numbers.length; i += 1) {
        const next = numbers[i] as number
        if (next !== key) {
          key = next
          bucket = Number.isNaN(next) ? next : numberOf(next)
        }
        numbers[i] = bucket
      }
      codes.read(numbers, positions.length, out, (number) => values.add(shown(number)))
    },
  }
}
