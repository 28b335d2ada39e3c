import type { NumberArray } from '../number-kernels.ts'
import { newWhole } from '../numbers.ts'

/** Numbers as a vector stores them: codes from a base when all are whole and near each other, else as they are. */
export function frameNumbers(numbers: Float64Array): { readonly data: NumberArray; readonly base: number } {
  let [least, most] = [Infinity, -Infinity]
  for (let i = 0; i < numbers.length; i += 1) {
    const number = numbers[i]!
    if (Number.isNaN(number)) continue
    if (!Number.isSafeInteger(number)) return { data: numbers, base: 0 }
    if (number < least) least = number
    if (number > most) most = number
  }
  if (least > most) return { data: new Uint8Array(numbers.length), base: 0 }
  if (most - least >= 0xffff_ffff) return { data: numbers, base: 0 }
  const data = newWhole(most - least + 1, numbers.length)
  for (let i = 0; i < numbers.length; i += 1) {
    if (!Number.isNaN(numbers[i]!)) data[i] = numbers[i]! - least + 1
  }
  return { data, base: least + 0 }
}
