import { type ColumnTest, passesValue } from '../predicate.ts'
import type { Value } from '../scalar.ts'

/**
 * The values of one column for one chunk of ids, in memory. Instead of a vector there may be undefined: then every
 * value is missing.
 */
export interface Vector {
  readonly form: 'numbers' | 'codes' | 'texts'
  /** Positions from here on have no value. */
  readonly length: number
  /** The memory that it takes. */
  readonly bytes: number
  get(position: number): Value
  /**
   * Sets one value. Answers the vector to use from now on: another one when the value does not fit this one's form.
   * A number that is not finite counts as missing, since JSON has none.
   */
  set(position: number, value: Value): Vector
  /** Clears the bytes of `mask` (0 or 1 for each position) whose value fails the test. Missing values fail. */
  narrow(mask: Uint8Array, test: ColumnTest): void
}

/** Makes the best vector for values of which one at least is not missing: what a vector becomes that one did not fit. */
export type Refit = (values: readonly Value[]) => Vector

/** All values of a vector in an array that may be changed. */
export function valuesOf(vector: Vector): Value[] {
  const values: Value[] = []
  for (let position = 0; position < vector.length; position += 1) values.push(vector.get(position))
  return values
}

/** The same with one value more. */
export function valuesWith(vector: Vector, position: number, value: Value): Value[] {
  const values = valuesOf(vector)
  while (values.length <= position) values.push(null)
  values[position] = value
  return values
}

/** Whether a value is stored at all. */
export const isMissing = (value: Value): value is null =>
  value === null || (typeof value === 'number' && !Number.isFinite(value))

/** Clears what the test fails one by one: for what no kernel is there. */
export function narrowEach(mask: Uint8Array, vector: Vector, test: ColumnTest): void {
  const length = Math.min(mask.length, vector.length)
  for (let position = 0; position < length; position += 1) {
    if (mask[position] === 1) mask[position] = passesValue(vector.get(position), test) ? 1 : 0
  }
  mask.fill(0, length)
}

/** How long an array becomes that must hold `position`. */
export function grownLength(length: number, position: number): number {
  let grown = Math.max(256, length)
  while (grown <= position) grown *= 2
  return grown
}
