import { own } from '../../../kernel/collections/own-members.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { parseDate } from '../../../kernel/time/parse-date.ts'
import { dayIn, momentIn } from '../grammar/variables.ts'

/** The present, and the time zone in which days begin. */
export interface Calendar {
  readonly nowMs: number
  readonly timeZone: string
}

/** The first and the last value that belong to it, in the form of the field: days, or moments in UTC. */
export interface DateRange {
  readonly first: string
  readonly last: string
}

/** Days of the calendar, both included. */
type Days = readonly [first: Date, last: Date]

const shape = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?(Z|[+-]\d{2}:\d{2})?$/

/**
 * What a date of the grid stands for: `2026-11-20`, or with midnight after it, is a whole day, unless `isTime`; another
 * time is that second. Times without an offset are of the calendar's time zone. Undefined when it is no date.
 */
export function readGridDate(
  text: unknown,
  kind: 'date' | 'datetime',
  { timeZone }: Calendar,
  isTime: boolean,
): DateRange | undefined {
  const match = typeof text === 'string' ? shape.exec(text) : null
  if (!match) return undefined
  const [, day = '', hours = '00', minutes = '00', seconds = '00', fraction, offset] = match
  if (parseDate(day) === undefined) return undefined
  if (kind === 'date') return { first: day, last: day }
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const isMidnight = hours === '00' && minutes === '00' && seconds === '00' && offset === undefined
  if (isMidnight && !isTime) return daysAsRange([utc(day), utc(day)], kind, timeZone)
  const shown = `${day}T${hours}:${minutes}:${seconds}.${(fraction ?? '').padEnd(3, '0')}`
  const first = offset === undefined ? momentIn(shown, timeZone) : Date.parse(`${shown}${offset}`)
  return { first: isoTime(first), last: isoTime(first + (fraction === undefined ? 999 : 0)) }
}

const utc = (day: string): Date => new Date(`${day}T00:00:00.000Z`)

/** Days are added on the calendar in UTC, where none has 23 or 25 hours. */
const addDays = (day: Date, days: number): Date => {
  const moved = new Date(day)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved
}
/** As the grid does: the 31st of a month less one is in the same month when that one is shorter. */
const addMonths = (day: Date, months: number): Date => {
  const moved = new Date(day)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  return moved
}
const day = (today: Date, days: number): Days => [addDays(today, days), addDays(today, days)]
/** Weeks begin on Monday, as in ISO 8601: the server does not know the locale of the browser. */
const week = (today: Date, weeks: number): Days => {
  const monday = addDays(today, 7 * weeks - ((today.getUTCDay() + 6) % 7))
  return [monday, addDays(monday, 6)]
}
/** A period of whole months that begins with a month of the year that `length` divides. */
const months = (today: Date, length: number, periods: number): Days => {
  const begins = today.getUTCMonth() - (today.getUTCMonth() % length) + periods * length
  const first = (month: number) => new Date(Date.UTC(today.getUTCFullYear(), month, 1))
  return [first(begins), addDays(first(begins + length), -1)]
}

/** The grid's presets, relative to today. `last7Days` holds today and the seven days before, as in the grid. */
const presets: Readonly<Record<string, (today: Date) => Days>> = {
  today: (today) => day(today, 0),
  yesterday: (today) => day(today, -1),
  tomorrow: (today) => day(today, 1),
  thisWeek: (today) => week(today, 0),
  lastWeek: (today) => week(today, -1),
  nextWeek: (today) => week(today, 1),
  thisMonth: (today) => months(today, 1, 0),
  lastMonth: (today) => months(today, 1, -1),
  nextMonth: (today) => months(today, 1, 1),
  thisQuarter: (today) => months(today, 3, 0),
  lastQuarter: (today) => months(today, 3, -1),
  nextQuarter: (today) => months(today, 3, 1),
  thisYear: (today) => months(today, 12, 0),
  lastYear: (today) => months(today, 12, -1),
  nextYear: (today) => months(today, 12, 1),
  yearToDate: (today) => [months(today, 12, 0)[0], today],
  last7Days: (today) => [addDays(today, -7), today],
  last30Days: (today) => [addDays(today, -30), today],
  last90Days: (today) => [addDays(today, -90), today],
  last6Months: (today) => [addMonths(today, -6), today],
  last12Months: (today) => [addMonths(today, -12), today],
  last24Months: (today) => [addMonths(today, -24), today],
}

export const presetNames: readonly string[] = Object.keys(presets)

/** The days of a preset such as `thisQuarter`; undefined for any other name. */
export function readPreset(
  name: string,
  kind: 'date' | 'datetime',
  { nowMs, timeZone }: Calendar,
): DateRange | undefined {
  const days = own(presets, name)?.(utc(dayIn(nowMs, timeZone)))
  return days && daysAsRange(days, kind, timeZone)
}

function daysAsRange([first, last]: Days, kind: 'date' | 'datetime', timeZone: string): DateRange {
  const text = (one: Date) => isoTime(one.getTime()).slice(0, 10)
  if (kind === 'date') return { first: text(first), last: text(last) }
  const begins = (one: Date) => momentIn(`${text(one)}T00:00:00.000`, timeZone)
  return { first: isoTime(begins(first)), last: isoTime(begins(addDays(last, 1)) - 1) }
}
