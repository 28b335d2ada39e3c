import type { ColumnTest } from '../predicate.ts'
import type { Value } from '../scalar.ts'

/**
 * The values of one column for one chunk of ids, in memory. Instead of a vector there may be undefined: then every
 * value is missing.
 */
export interface Vector {
  readonly form: 'numbers' | 'codes' | 'texts'
  /** The memory that it takes. */
  readonly bytes: number
  get(position: number): Value
  /**
   * Sets one value. Answers the vector to use from now on: another one when the value does not fit this one's form.
   */
  set(position: number, value: Value): Vector
  /** Clears the bytes of `mask` (0 or 1 for each position) whose value fails the test. Missing values fail. */
  narrow(mask: Uint8Array, test: ColumnTest): void
}
