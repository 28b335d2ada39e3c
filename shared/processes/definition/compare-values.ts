import { isDeepStrictEqual } from 'node:util'
import { parseDatetime } from '../../kernel/parse-date.ts'

/** Whether a field holds nothing: null, undefined, a string without characters, no files. `false` and 0 are values. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Whether a field held the same before; everything empty is the same. */
export const isSame = (value: unknown, before: unknown): boolean =>
  (isEmpty(value) && isEmpty(before)) || isDeepStrictEqual(value, before)

/**
 * Whether a value of a record is what a text says, in the type of the value: `3` equals the number 3 as `3.0` does, a moment
 * equals itself in another offset, `1` is `true`. A list of files equals its only path. A blank text equals what is empty.
 */
export function equalsText(value: unknown, text: string): boolean {
  if (isEmpty(value)) return text === ''
  if (Array.isArray(value)) return value.length === 1 && equalsText(value[0], text)
  if (typeof value === 'boolean') return asBoolean(text) === value
  if (typeof value === 'string' && value === text) return true
  return compareToText(value, text) === 0
}

/**
 * How a value stands to a text: below (-1), equal (0), above (1), in the type of the value: numbers by size, dates and moments
 * by time, other strings by their characters. undefined: they cannot be compared.
 */
export function compareToText(value: unknown, text: string): -1 | 0 | 1 | undefined {
  if (typeof value === 'number') {
    const number = asNumber(text)
    return number === undefined ? undefined : order(value, number)
  }
  if (typeof value !== 'string' || value === '' || text === '') return undefined
  const [moment, other] = [parseDatetime(value), parseDatetime(text)]
  // Brought to UTC with milliseconds, moments stand in the order of their characters.
  return moment !== undefined && other !== undefined ? order(moment, other) : order(value, text)
}

const order = <Value extends string | number>(value: Value, other: Value): -1 | 0 | 1 =>
  value < other ? -1 : value > other ? 1 : 0

function asNumber(text: string): number | undefined {
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : undefined
}

function asBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'true' || word === '1') return true
  return word === 'false' || word === '0' ? false : undefined
}
