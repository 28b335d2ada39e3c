import { chunkIds, CodesVector, type ColumnView, NumbersVector, type Scalar } from '../../columns/service.ts'
import type { QueryField } from '../grammar/expression-types.ts'
import { firstOf, type KeySource } from './key-source.ts'

/** Numbers the values of one field, so that records are grouped by small numbers. */
export interface GroupCodes {
  /** Writes the code of each position of a chunk. */
  read(chunk: number, positions: Uint16Array, out: Uint32Array): void
  /** The values by code; undefined where records have none. */
  readonly values: readonly (Scalar | undefined)[]
}

/** Small whole numbers find their code in a list instead of a map. */
const maxDirect = 2 ** 20

/** Codes for values in the order in which they occur. */
function createCodes() {
  const values: (Scalar | undefined)[] = [undefined]
  const codes = new Map<Scalar, number>()
  const others = new Map<number, number>()
  let direct = new Uint32Array(1024)

  function codeOf(value: Scalar | undefined): number {
    if (value === undefined) return 0
    const known = codes.get(value)
    if (known !== undefined) return known
    codes.set(value, values.length)
    return values.push(value) - 1
  }

  /** The same for a number, of which `valueOf` makes the value when it is new. */
  function codeOfNumber(number: number, valueOf: () => Scalar | undefined): number {
    if (!(number >= 0 && number < maxDirect && Number.isInteger(number))) {
      const known = others.get(number)
      if (known !== undefined) return known
      const code = codeOf(valueOf())
      others.set(number, code)
      return code
    }
    if (number >= direct.length) {
      const larger = new Uint32Array(Math.max(2 * direct.length, number + 1))
      larger.set(direct)
      direct = larger
    }
    return (direct[number] ||= codeOf(valueOf()))
  }

  return { values, codeOf, codeOfNumber }
}

/** The codes of a field of the view's own table. */
export function ownCodes(view: ColumnView, { name }: QueryField): GroupCodes {
  const { values, codeOf, codeOfNumber } = createCodes()
  const numbers = new Float64Array(chunkIds)
  return {
    values,
    read(chunk, positions, out) {
      const vector = view.vector(name, chunk)
      if (!vector) out.fill(0, 0, positions.length)
      else if (vector instanceof CodesVector) {
        const table = Uint32Array.from(vector.dict, (value) => codeOf(firstOf(value)))
        for (let i = 0; i < positions.length; i += 1)
          out[i] = table[vector.codes[positions[i] as number] ?? 0] as number
      } else if (vector instanceof NumbersVector) {
        vector.gather(positions, numbers, 0)
        for (let i = 0; i < positions.length; i += 1) {
          const number = numbers[i] as number
          const valueOf = (): Scalar | undefined => firstOf(vector.get(positions[i] as number))
          out[i] = Number.isNaN(number) ? 0 : codeOfNumber(number, valueOf)
        }
      } else {
        for (let i = 0; i < positions.length; i += 1) out[i] = codeOf(firstOf(vector.get(positions[i] as number)))
      }
    },
  }
}

/** The codes of a field that no own column holds: by its keys, or by its values where keys are not exact. */
export function codesByKey(keys: KeySource): GroupCodes {
  const { values, codeOf, codeOfNumber } = createCodes()
  const numbers = new Float64Array(chunkIds)
  return {
    values,
    read(chunk, positions, out) {
      keys.read(chunk, positions, numbers, 0)
      for (let i = 0; i < positions.length; i += 1) {
        const number = numbers[i] as number
        const valueOf = (): Scalar | undefined => keys.valueOf(chunk * chunkIds + (positions[i] as number))
        if (Number.isNaN(number)) out[i] = 0
        else out[i] = keys.isExact ? codeOfNumber(number, valueOf) : codeOf(valueOf())
      }
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
