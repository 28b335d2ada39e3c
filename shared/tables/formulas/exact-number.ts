import { formatDecimal, parseDecimal } from '../../kernel/text/decimal.ts'

/** A number without rounding: a fraction of whole numbers, the lower one positive. */
export interface Exact {
  readonly over: bigint
  readonly under: bigint
}

/** Thrown where an operation has no number, or one that is too long. The formula then has no value. */
class NoNumber extends Error {}

/** So many bits a number of a formula may have: some 6,000 digits. The longest that a field holds has a hundredth. */
const maxExactBits = 20_000n
const tooLong = 1n << maxExactBits

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

function exact(over: bigint, under: bigint): Exact {
  if (under === 0n || absolute(over) >= tooLong || absolute(under) >= tooLong) throw new NoNumber()
  return under < 0n ? { over: -over, under: -under } : { over, under }
}

export const whole = (value: number): Exact => ({ over: BigInt(value), under: 1n })

/** The number of a text such as `12.50` or `1e3`; undefined for any other text. */
export function exactOf(text: string): Exact | undefined {
  const read = parseDecimal(text)
  return read && { over: read.unscaled, under: 10n ** BigInt(read.scale) }
}

export const plus = (a: Exact, b: Exact): Exact =>
  a.under === b.under ? exact(a.over + b.over, a.under) : exact(a.over * b.under + b.over * a.under, a.under * b.under)
export const negated = ({ over, under }: Exact): Exact => ({ over: -over, under })
export const minus = (a: Exact, b: Exact): Exact => plus(a, negated(b))
export const times = (a: Exact, b: Exact): Exact => exact(a.over * b.over, a.under * b.under)
export const by = (a: Exact, b: Exact): Exact => exact(a.over * b.under, a.under * b.over)
/** Below zero, zero or above it, as `a` is less than, equal to or greater than `b`. */
export function compareExact(a: Exact, b: Exact): number {
  const [left, right] = [a.over * b.under, b.over * a.under]
  return left === right ? 0 : left < right ? -1 : 1
}

/** Whether the magnitude grows by one. `twice`: of what is left over, compared with a whole one. */
type Rounding = (of: { readonly isOdd: boolean; readonly isNegative: boolean; readonly twice: -1 | 0 | 1 }) => boolean

export const roundings = {
  'half even': ({ isOdd, twice }) => twice > 0 || (twice === 0 && isOdd),
  'half up': ({ twice }) => twice >= 0,
  'half down': ({ twice }) => twice > 0,
  up: () => true,
  down: () => false,
  floor: ({ isNegative }) => isNegative,
  ceiling: ({ isNegative }) => !isNegative,
} as const satisfies Readonly<Record<string, Rounding>>

/** The number with at most so many digits after the point. */
export function rounded({ over, under }: Exact, places: number, rounding: keyof typeof roundings): Exact {
  const power = 10n ** BigInt(places)
  const scaled = over * power
  const [cut, rest] = [scaled / under, absolute(scaled % under)]
  if (rest === 0n) return exact(cut, power)
  const isNegative = scaled < 0n
  const twice = rest * 2n === under ? 0 : rest * 2n > under ? 1 : -1
  const grows = roundings[rounding]({ isOdd: cut % 2n !== 0n, isNegative, twice })
  return exact(grows ? cut + (isNegative ? -1n : 1n) : cut, power)
}

/** The number as text, rounded half to even, as averages are. */
export function textOfExact(value: Exact, places: number): string {
  const { over } = rounded(value, places, 'half even')
  return formatDecimal({ unscaled: over, scale: places })
}
