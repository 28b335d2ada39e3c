import fc from 'fast-check'
import { columnTest, type ColumnTest, type Predicate } from '../../../../../../shared/lists/columns/predicate.ts'
import { compareText, type Scalar, type Value } from '../../../../../../shared/lists/columns/scalar.ts'
import type { Vector } from '../../../../../../shared/lists/columns/vector/vector.ts'

/** Texts that are near each other, empty, beyond Latin-1 and beyond the BMP, torn, or fold in odd ways. */
const oddTexts = [
  '',
  'a',
  'b',
  'ab',
  'Ab',
  'aB\0',
  'İstanbul',
  'ΑΣ',
  'Σ',
  'ας',
  'é',
  'ÿ',
  '你好',
  '!!',
  '😀',
  'a😀',
  '\ud83d',
  '\ude00',
]
const nearTimes = [
  '2024-02-29T00:00:00.000Z',
  '2024-02-29T00:00:00.001Z',
  '1969-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00.000Z',
]
const nearDates = ['2024-02-29', '2024-03-01', '1969-12-31', '0000-01-01', '9999-12-31']
const noDates = ['2023-02-29', '2024-02-29T00:00:00Z', '2024-13-01', '2024-1-01']

const text = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const time = fc.oneof(
  fc.constantFrom(...nearTimes),
  fc
    .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
)
const date = fc.oneof(
  fc.constantFrom(...nearDates),
  time.map((one) => one.slice(0, 10)),
)
const number = fc.oneof(
  fc.integer({ min: -3, max: 300 }),
  fc.integer({ min: -70_000, max: 70_000 }),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 0.1, 0.25, -1.5, 1e-20, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 2 ** 48, 2 ** 32, 1e300, 5e-324),
  fc.integer({ min: -100_000, max: 100_000 }).map((cents) => cents / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const scalar: fc.Arbitrary<Scalar> = fc.oneof(text, number, fc.boolean(), time, fc.constantFrom(...noDates))
const array = fc.array(fc.oneof(text, fc.integer({ min: 0, max: 3 }), fc.boolean()), { maxLength: 3 })

/** Kinds of values that a column holds, most of which have a form of their own. */
export const kinds: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  bytes: fc.integer({ min: 0, max: 200 }),
  shorts: fc.integer({ min: -20_000, max: 20_000 }),
  words: fc.integer({ min: 3_000_000_000, max: 4_000_000_000 }),
  decimals: fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100),
  numbers: number,
  times: time,
  dates: date,
  booleans: fc.boolean(),
  'few texts': fc.constantFrom(...oddTexts),
  texts: text,
  arrays: array,
  anything: fc.oneof(scalar, array),
}

/** Values by position, some of them missing. */
export const valuesOfKind = (kind: string, maxLength = 60): fc.Arbitrary<Value[]> =>
  fc.array(fc.option(kinds[kind]!, { freq: 5 }), { maxLength })

/** Operands: of the kind, or of any. */
const operand = (kind: string): fc.Arbitrary<Scalar> =>
  fc.oneof(
    kinds[kind]!.map((value) => (typeof value === 'object' ? (value?.[0] ?? '') : value)),
    scalar,
  )

export const predicateFor = (kind: string): fc.Arbitrary<Predicate> => {
  const value = operand(kind)
  return fc.oneof(
    fc.record({ op: fc.constant('equals' as const), value }),
    fc.record({ op: fc.constant('among' as const), values: fc.array(value, { maxLength: 5 }) }),
    fc.record({ op: fc.constantFrom('less', 'at_most', 'greater', 'at_least'), value }),
    fc.record({ op: fc.constant('between' as const), from: value, to: value }),
    fc.constantFrom<Predicate>({ op: 'present' }, { op: 'filled' }),
    fc.record({
      op: fc.constantFrom('contains', 'starts', 'ends'),
      text: fc.oneof(
        text,
        value.map((one) => String(one).slice(0, 3)),
      ),
      folded: fc.boolean(),
    }),
  )
}

/** What a vector must answer: -0 is 0, and what is not finite is missing. */
export function normal(value: Value | undefined): Value {
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return null
  return typeof value === 'number' ? value + 0 : value
}

/** The values of a vector, as many as asked for. */
export const valuesIn = (vector: Vector | undefined, length: number): Value[] =>
  Array.from({ length }, (_, position) => normal(vector?.get(position)))

const passes = (value: Value, test: ColumnTest): boolean =>
  value !== null && (typeof value === 'object' ? value.some(test.passes) : test.passes(value))

/** The mask that a test leaves of another one, value by value. */
export const narrowed = (values: readonly Value[], mask: Uint8Array, predicate: Predicate): number[] =>
  Array.from(mask, (byte, position) => (byte === 1 && passes(values[position] ?? null, columnTest(predicate)) ? 1 : 0))

/** The sign of the order of two texts. */
export const orderOf = (a: string, b: string): number => Math.sign(compareText(a, b))

/** So many values, by their position. */
export const all = (count: number, value: (position: number) => Value): Value[] =>
  Array.from({ length: count }, (_, position) => value(position))
