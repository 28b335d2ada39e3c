import type { Scalar } from '../../../columns/scalar.ts'
import { keptDoubles } from '../kept-arrays.ts'

/**
 * Values by code: 0 is none, all others are in the order in which they were added. Numbers are kept as doubles: lists of
 * tens of thousands in each request would keep the garbage collector busy.
 */
export class CodeValues {
  #numbers = keptDoubles.take(1024)
  #others: (Scalar | undefined)[] | undefined
  #count = 1

  constructor() {
    this.#numbers[0] = Number.NaN
  }

  /** How many codes there are. */
  get count(): number {
    return this.#count
  }

  /** Whether none is anything else than a number. */
  get isNumeric(): boolean {
    return this.#others === undefined
  }

  /** Answers the code. */
  add(value: Scalar | undefined): number {
    const code = this.#count
    if (code === this.#numbers.length) {
      const larger = keptDoubles.take(2 * code)
      larger.set(this.#numbers)
      keptDoubles.give(this.#numbers)
      this.#numbers = larger
    }
    this.set(code, value)
    this.#count += 1
    return code
  }

  set(code: number, value: Scalar | undefined): void {
    const isNumber = typeof value === 'number'
    this.#numbers[code] = isNumber ? value : Number.NaN
    if (!isNumber && value !== undefined) (this.#others ??= [])[code] = value
  }

  of(code: number): Scalar | undefined {
    const number = this.#numbers[code] as number
    return Number.isNaN(number) ? this.#others?.[code] : number
  }

  /** Lets others have the memory. Nothing must be asked afterwards. */
  release(): void {
    keptDoubles.give(this.#numbers)
    this.#numbers = new Float64Array(0)
  }
}
