import { lowerBound } from '../../../kernel/collections/lower-bound.ts'
import type { ColumnTest, Predicate } from '../predicate.ts'
import { compareScalars, type Scalar } from '../scalar.ts'
import { dateBounds, formatDate, formatTime, parseDate, parseTime, timeBounds, type NumberKind } from './time-text.ts'

/** A test as it is for numbers: a range with both its ends, or a set; undefined when only `passes` can tell. */
export type NumberTest =
  | { readonly least: number; readonly most: number }
  | { readonly wanted: ReadonlySet<number> }
  | undefined

const compiled = { number: new WeakMap(), time: new WeakMap(), date: new WeakMap() } satisfies Record<
  NumberKind,
  WeakMap<ColumnTest, { readonly test: NumberTest }>
>

/** A test compiled for numbers of a kind, once for all chunks. */
export function numberTest(kind: NumberKind, test: ColumnTest): NumberTest {
  const tests: WeakMap<ColumnTest, { readonly test: NumberTest }> = compiled[kind]
  let known = tests.get(test)
  if (!known) tests.set(test, (known = { test: compile(kind, test.predicate) }))
  return known.test
}

/** The number of a value, or NaN when it has none of this kind. */
export function numberOf(kind: NumberKind, value: unknown): number {
  if (kind === 'number') return typeof value === 'number' ? value : Number.NaN
  if (typeof value !== 'string') return Number.NaN
  return kind === 'time' ? parseTime(value) : parseDate(value)
}

/** The value of a number, which must not be NaN. */
export function valueOfNumber(kind: NumberKind, number: number): Scalar {
  if (kind === 'number') return number
  return kind === 'time' ? formatTime(number) : formatDate(number)
}

function compile(kind: NumberKind, predicate: Predicate): NumberTest {
  // Texts with an order of their own may look like days.
  if ('compare' in predicate) return undefined
  switch (predicate.op) {
    case 'present':
    case 'filled':
      return { least: -Infinity, most: Infinity }
    case 'equals': {
      const number = numberOf(kind, predicate.value)
      return { least: number, most: number }
    }
    case 'among':
      return { wanted: new Set(predicate.values.map((value) => numberOf(kind, value)).filter((n) => n === n)) }
    case 'less':
      return range(kind, undefined, { value: predicate.value, isStrict: true })
    case 'at_most':
      return range(kind, undefined, { value: predicate.value })
    case 'greater':
      return range(kind, { value: predicate.value, isStrict: true }, undefined)
    case 'at_least':
      return range(kind, { value: predicate.value }, undefined)
    case 'between':
      return range(kind, { value: predicate.from }, { value: predicate.to })
    default:
      return undefined
  }
}

interface Bound {
  readonly value: Scalar
  readonly isStrict?: boolean
}

function range(kind: NumberKind, from: Bound | undefined, to: Bound | undefined): NumberTest {
  if (kind === 'number') {
    // What a number is against a text is for `passes` to say.
    if ([from, to].some((bound) => bound && Number.isNaN(numberOf(kind, bound.value)))) return undefined
    return { least: from ? leastOf(from) : -Infinity, most: to ? mostOf(to) : Infinity }
  }
  // Texts of the form order as their numbers do, so every text has a place among them, whatever its own form.
  return {
    least: from ? firstNumber(kind, from.value, from.isStrict === true) : -Infinity,
    most: to ? firstNumber(kind, to.value, to.isStrict !== true) - 1 : Infinity,
  }
}

const leastOf = ({ value, isStrict }: Bound): number => (isStrict ? neighbour(Number(value), 1n) : Number(value))
const mostOf = ({ value, isStrict }: Bound): number => (isStrict ? neighbour(Number(value), -1n) : Number(value))

/** The least number whose text does not come before `operand`, or comes after it. */
function firstNumber(kind: 'time' | 'date', operand: Scalar, isAfter: boolean): number {
  const [least, most] = kind === 'time' ? timeBounds : dateBounds
  return lowerBound(least, most + 1, (number) => {
    const order = compareScalars(valueOfNumber(kind, number), operand)
    return order < 0 || (order === 0 && isAfter)
  })
}

const doubles = new Float64Array(1)
const bits = new BigInt64Array(doubles.buffer)

/** The next double above (1n) or below (-1n). No number of a column lies beyond the infinities. */
function neighbour(number: number, direction: 1n | -1n): number {
  if (!Number.isFinite(number)) return number
  if (number === 0) return direction === 1n ? Number.MIN_VALUE : -Number.MIN_VALUE
  doubles[0] = number
  bits[0] = bits[0]! + (number > 0 ? direction : -direction)
  return doubles[0]!
}
