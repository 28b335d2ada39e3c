import type { Scalar } from '../../columns/service.ts'
import { keptArrays } from './kept-arrays.ts'

/** Values by code: 0 is none, all others are in the order in which they were added. */
export interface CodeValues {
  /** How many codes there are. */
  readonly count: number
  /** Whether none is anything else than a number. */
  readonly isNumeric: boolean
  /** Answers the code. */
  add(value: Scalar | undefined): number
  set(code: number, value: Scalar | undefined): void
  of(code: number): Scalar | undefined
  /** Lets others have the memory. Nothing must be asked afterwards. */
  release(): void
}

const kept = keptArrays((length) => new Float64Array(length), 4, 2 ** 17)

/** Numbers are kept as doubles: lists of tens of thousands in each request would keep the garbage collector busy. */
export function createCodeValues(): CodeValues {
  let numbers = kept.take(1024)
  let others: (Scalar | undefined)[] | undefined
  let count = 1
  numbers[0] = Number.NaN

  function set(code: number, value: Scalar | undefined): void {
    const isNumber = typeof value === 'number'
    numbers[code] = isNumber ? value : Number.NaN
    if (!isNumber && value !== undefined) (others ??= [])[code] = value
  }

  return {
    get count() {
      return count
    },
    get isNumeric() {
      return others === undefined
    },
    add(value) {
      if (count === numbers.length) {
        const larger = kept.take(2 * count)
        larger.set(numbers)
        kept.give(numbers)
        numbers = larger
      }
      set(count, value)
      return count++
    },
    set,
    of(code) {
      const number = numbers[code] as number
      return Number.isNaN(number) ? others?.[code] : number
    },
    release() {
      kept.give(numbers)
      numbers = new Float64Array(0)
    },
  }
}
