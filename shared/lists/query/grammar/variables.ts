import { own } from '../../../kernel/collections/own-members.ts'
import { isoTime } from '../../../kernel/time/clock.ts'

/** The values of a query's variables in this request. */
export interface Variables {
  readonly nowMs: number
  /** IANA name of the tenant's time zone, in which its days begin. */
  readonly timeZone: string
  /** undefined in a job of the service itself, which has no user. */
  readonly userId?: number
  /** The units of the user with all units below them. */
  readonly orgUnitIds: readonly number[]
}

const momentShape = /^\$(NOW|TODAY)(?:\(\s*([+-]?\s?\d{1,6})\s*(second|minute|hour|day|week|month|year)s?\s*\))?$/
const unitMs: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
}

/** The years of four digits, less a day for time zones. */
const [firstMoment, lastMoment] = [Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z')]

/** Whether a text contains a variable relative to now; only those need the time zone. */
export const namesMoment = (text: string): boolean => text.includes('$NOW') || text.includes('$TODAY')

/** Whether a value is meant as a variable. */
export const isVariable = (given: unknown): given is string => typeof given === 'string' && given.startsWith('$')

/** The variable for the id of the user. */
export const userVariable = '$CURRENT_USER'

/** The variable for the user's organisational units and all units below them. */
export const orgUnitsVariable = '$CURRENT_ORG_UNITS'

/** Whether a text is a variable, well formed. */
export const isKnownVariable = (text: string): boolean =>
  text === userVariable || text === orgUnitsVariable || momentShape.test(text)

/** Whether a text contains the variable for org units; only those need the tree of units. */
export const namesOrgUnits = (text: string): boolean => text.includes(orgUnitsVariable)

/** `$NOW`, `$NOW(-7 days)`, `$TODAY`, `$TODAY(+1 month)` as a date or datetime; undefined for any other text. */
export function readMoment(
  text: string,
  kind: 'date' | 'datetime',
  { nowMs, timeZone }: Variables,
): string | undefined {
  const match = momentShape.exec(text)
  if (!match) return undefined
  const amount = Number((match[2] ?? '0').replace(/\s/g, ''))
  const unit = match[3] ?? 'day'
  const isNow = match[1] === 'NOW'
  // Days are added on the calendar in UTC, where no day has 23 or 25 hours.
  const moment = shift(isNow ? nowMs : Date.parse(`${dayIn(nowMs, timeZone)}T00:00:00.000Z`), amount, unit)
  if (!(moment >= firstMoment && moment <= lastMoment)) return undefined
  if (isNow) return kind === 'datetime' ? isoTime(moment) : dayIn(moment, timeZone)
  const day = isoTime(moment).slice(0, 10)
  return kind === 'date' ? day : isoTime(startOfDay(day, timeZone))
}

function shift(moment: number, amount: number, unit: string): number {
  const ms = own(unitMs, unit)
  if (ms !== undefined) return moment + amount * ms
  const date = new Date(moment)
  const wanted = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + amount * (unit === 'year' ? 12 : 1))
  // In a shorter month the 31st becomes its last day.
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(wanted, lastDay))
  return date.getTime()
}

/** What clocks in a time zone show at a moment given in UTC: `2026-11-20T10:30:00.000`. */
export const shownIn = (moment: string, timeZone: string): string =>
  isoTime(Date.parse(moment) + offsetMs(Date.parse(moment), timeZone)).slice(0, -1)

/** The calendar day of a moment in a time zone. */
export function dayIn(moment: number, timeZone: string): string {
  return isoTime(moment + offsetMs(moment, timeZone)).slice(0, 10)
}

/** When a calendar day begins in a time zone. */
const startOfDay = (day: string, timeZone: string): number => momentIn(`${day}T00:00:00.000`, timeZone)

/** The moment at which clocks in a time zone show `2026-11-20T10:30:00.000`. */
export function momentIn(shown: string, timeZone: string): number {
  const asUtc = Date.parse(`${shown}Z`)
  const guess = asUtc - offsetMs(asUtc, timeZone)
  // The offset may change between the guess and the real moment.
  return asUtc - offsetMs(guess, timeZone)
}

function offsetMs(moment: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  return (
    Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) -
    Math.floor(moment / 1000) * 1000
  )
}
