import { isDeepStrictEqual } from 'node:util'
import { parseDatetime } from '../../../kernel/time/parse-date.ts'

/** Whether a field is empty: null, undefined, '' or an empty list. `false` and 0 are values. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Whether two values of a field are the same; all empty values are. */
export const isSame = (value: unknown, before: unknown): boolean =>
  (isEmpty(value) && isEmpty(before)) || isDeepStrictEqual(value, before)

/**
 * Compares a value with a text in the type of the value: the number 3 equals `3` and `3.0`, a datetime equals itself in
 * another offset, `true` equals `1`. A list with one path equals that path. An empty value equals ''.
 */
export function equalsText(value: unknown, text: string): boolean {
  if (isEmpty(value)) return text === ''
  if (Array.isArray(value)) return value.length === 1 && equalsText(value[0], text)
  if (typeof value === 'boolean') return asBoolean(text) === value
  if (typeof value === 'string' && value === text) return true
  return compareToText(value, text) === 0
}

/**
 * Orders a value and a text in the type of the value: numbers by size, dates and datetimes by time, other strings by
 * code unit. -1: the value is less. Undefined: they cannot be compared.
 */
export function compareToText(value: unknown, text: string): -1 | 0 | 1 | undefined {
  if (typeof value === 'number') {
    const number = asNumber(text)
    return number === undefined ? undefined : order(value, number)
  }
  if (typeof value !== 'string' || value === '' || text === '') return undefined
  const [moment, other] = [parseDatetime(value), parseDatetime(text)]
  // Both are in UTC with milliseconds now, so their texts sort by time.
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
