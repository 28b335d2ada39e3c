import { isoTime } from '../../../kernel/time/clock.ts'
import { offsetsOf } from '../../../kernel/time/zone-offsets.ts'

export const bucketUnits = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type BucketUnit = (typeof bucketUnits)[number]

/** How moments or days are gathered: all in one hour, day, ... of a time zone. */
export interface Bucket {
  readonly unit: BucketUnit
  /** The number of the bucket that a key of the field is in; keys are milliseconds for datetimes, days for dates. */
  numberOf(key: number): number
  /** How answers show it: the first day of it, or of hours the moment at which it begins. */
  shown(bucket: number): string
}

const hourMs = 3_600_000
const dayMs = 86_400_000

/** The buckets of a field in a time zone. Days of dates are those that they say. */
export function bucketsOf(unit: BucketUnit, kind: 'date' | 'datetime', timeZone: string): Bucket {
  const offsetAt = offsetsOf(timeZone)
  if (unit === 'hour')
    return {
      unit,
      // Of an hour that clocks show twice, each is one of its own.
      numberOf(moment) {
        const offset = offsetAt(moment)
        return Math.floor((moment + offset) / hourMs) * hourMs - offset
      },
      shown: isoTime,
    }
  const dayOf =
    kind === 'date' ? (day: number) => day : (moment: number) => Math.floor((moment + offsetAt(moment)) / dayMs)
  const { ofDay, firstDay } = calendar[unit]
  return {
    unit,
    numberOf: (key) => ofDay(dayOf(key)),
    shown: (bucket) => isoTime(firstDay(bucket) * dayMs).slice(0, 10),
  }
}

/** The bucket of a day since 1970, and the first day of a bucket. */
interface Calendar {
  ofDay(day: number): number
  firstDay(bucket: number): number
}

/** Buckets of so many months. */
const months = (length: number): Calendar => ({
  ofDay: (day) => Math.floor(monthOf(day) / length),
  firstDay: (bucket) => firstOfMonth(bucket * length),
})

const calendar: Readonly<Record<Exclude<BucketUnit, 'hour'>, Calendar>> = {
  day: { ofDay: (day) => day, firstDay: (day) => day },
  // From Monday, as in ISO 8601; the first day of 1970 was a Thursday.
  week: { ofDay: (day) => Math.floor((day + 3) / 7), firstDay: (week) => week * 7 - 3 },
  month: months(1),
  quarter: months(3),
  year: months(12),
}

/** The month of a day, counted from the beginning of year 0. Of each day that was asked for it is kept. */
const knownMonths = new Map<number, number>()
const maxKnownMonths = 20_000

function monthOf(day: number): number {
  const known = knownMonths.get(day)
  if (known !== undefined) return known
  const date = new Date(day * dayMs)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth()
  if (knownMonths.size >= maxKnownMonths) knownMonths.clear()
  knownMonths.set(day, month)
  return month
}

function firstOfMonth(month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(month / 12), month % 12, 1)
  return date.getTime() / dayMs
}
