import type { Value } from '../scalar.ts'
import { emptyFor } from './vector-of.ts'
import { isMissing, type Vector } from './vector.ts'

/** Sets one value; answers the vector to use from now on. Undefined stands for one without any value. */
export function setValue(vector: Vector | undefined, position: number, value: Value): Vector | undefined {
  if (vector) return vector.set(position, value)
  return isMissing(value) ? undefined : emptyFor(value).set(position, value)
}
