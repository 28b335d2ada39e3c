import { date, dateAndTime, duration, FeelDate, FeelDateTime, FeelDuration, FeelTime, time } from 'feelin'

/** The types of FEEL that a column of a decision may have. */
export const feelTypes = [
  'any',
  'string',
  'number',
  'boolean',
  'date',
  'time',
  'date and time',
  'days and time duration',
  'years and months duration',
] as const
export type FeelType = (typeof feelTypes)[number]

/** Numbers as FEEL, which calculates in decimals, would have them: 0.1 + 0.2 is 0.3. */
const rounded = (value: number): number | undefined =>
  Number.isFinite(value) ? Number(value.toPrecision(15)) : undefined

const number = (value: unknown): unknown => {
  if (typeof value === 'number') return rounded(value)
  // Decimals of records are texts.
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? rounded(Number(value)) : undefined
}

/** A value that is of the class, or that the function reads from a text. */
const temporal =
  <T>(isOf: (value: unknown) => value is T, read: (text: string) => unknown) =>
  (value: unknown): unknown => {
    const made = typeof value === 'string' ? read(value) : value
    return isOf(made) ? made : undefined
  }

const readers: Readonly<Record<FeelType, (value: unknown) => unknown>> = {
  any: (value) => (typeof value === 'number' ? rounded(value) : value),
  string: (value) => (typeof value === 'string' ? value : undefined),
  number,
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: temporal((value): value is FeelDate => value instanceof FeelDate, date),
  time: temporal((value): value is FeelTime => value instanceof FeelTime, time),
  'date and time': temporal((value): value is FeelDateTime => value instanceof FeelDateTime, dateAndTime),
  'days and time duration': temporal(
    (value): value is FeelDuration => value instanceof FeelDuration && !value.yearsMonths,
    duration,
  ),
  'years and months duration': temporal(
    (value): value is FeelDuration => value instanceof FeelDuration && value.yearsMonths,
    duration,
  ),
}

/** A value of JSON or of FEEL as one of this type; null stays null, and undefined means that it is none. */
export function typedValue(type: FeelType, value: unknown): unknown {
  if (value === null || value === undefined) return null
  try {
    return readers[type](value)
  } catch {
    return undefined
  }
}
