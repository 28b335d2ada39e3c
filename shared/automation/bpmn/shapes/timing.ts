import { cronProblem, looksLikeCron, nextOfCron } from '../../../kernel/time/cron.ts'
import { isTimeZone } from '../../../kernel/time/time-zone.ts'
import { momentInZone, offsetsOf } from '../../../kernel/time/zone-offsets.ts'
import type { TimerKind } from './graph.ts'

/** When a timer is due, and how it repeats. */
export interface Timing {
  /** ISO 8601 in UTC. */
  readonly due: string
  /** How often the timer fires after `due`; -1 means without end. */
  readonly left?: number
  /** The ISO 8601 duration between two firings, or a cron schedule. */
  readonly every?: string
  /** The time zone of a cron schedule, or of a repetition by the calendar. */
  readonly zone?: string
  /** Where a repetition by the calendar counts from: what begins on the 31st is due on the last day of shorter months alone. */
  readonly anchor?: string
  /** So many durations after the anchor `due` is. */
  readonly turn?: number
}

const amount = (name: string, letter: string, digits = String.raw`\d+(?:\.\d+)?`): string =>
  `(?:(?<${name}>${digits})${letter})?`
const durationPattern = new RegExp(
  `^P${amount('years', 'Y', '\\d+')}${amount('months', 'M', '\\d+')}${amount('weeks', 'W')}${amount('days', 'D')}(?:T${amount('hours', 'H')}${amount('minutes', 'M')}${amount('seconds', 'S')})?$`,
)
const datePattern =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:T(?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?)?$/
const cyclePattern = /^R(?<times>\d*)\/(?:(?<start>\d.*)\/)?(?<every>P[^/]+)$/
/** A moment may name the zone whose clocks it is by: `2026-05-01T08:00:00[Europe/Vienna]`, or with `@`. */
const zonePattern = /^(?<moment>[^@[]+)(?:\[(?<named>[^\]]+)\]|@(?<at>.+))$/

const partsMs = { weeks: 604_800_000, days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1_000 }

/** What a timer of each kind takes, as messages name it. */
export const timerNames: Readonly<Record<TimerKind, string>> = {
  timeDuration: 'duration (PT4H)',
  timeDate: 'date (2026-05-01T08:00:00Z)',
  timeCycle: 'repeating interval (R3/PT1H) or cron schedule (0 9 * * 1-5)',
}

/**
 * Adds an ISO 8601 duration, so many times, to a moment (ms since the epoch); months and years follow the calendar, and they
 * and days the clocks of the zone. Undefined when the text is not a duration.
 */
export function addDuration(fromMs: number, duration: string, times = 1, zone = 'UTC'): number | undefined {
  const parts = durationPattern.exec(duration)?.groups
  if (parts === undefined || !/\d/.test(duration) || duration.endsWith('T')) return undefined
  const months = Number(parts.years ?? 0) * 12 + Number(parts.months ?? 0)
  const lengthOf = (names: readonly (keyof typeof partsMs)[]): number =>
    names.reduce((sum, part) => sum + Number(parts[part] ?? 0) * partsMs[part], 0) * times
  const days = lengthOf(['weeks', 'days'])
  const isByCalendar = months !== 0 || days !== 0
  const localMs = isByCalendar ? addMonths(fromMs + offsetsOf(zone)(fromMs), months * times) + days : fromMs
  if (!isMoment(localMs)) return undefined
  const ms = (isByCalendar ? momentInZone(localMs, zone) : fromMs) + lengthOf(['hours', 'minutes', 'seconds'])
  return isMoment(ms) ? Math.round(ms) : undefined
}

/** January 31 plus a month is the last day of February. */
function addMonths(fromMs: number, months: number): number {
  if (months === 0) return fromMs
  const date = new Date(fromMs)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

const isMoment = (ms: number): boolean => !Number.isNaN(new Date(ms).getTime())

/** A moment, and the zone that it names. Without an offset it is by the clocks of that zone. */
function parseZoned(text: string): { readonly ms: number; readonly zone?: string } | undefined {
  const { moment = text, named, at } = zonePattern.exec(text)?.groups ?? {}
  const zone = named ?? at
  const ms = zone === undefined || isTimeZone(zone) ? parseDay(moment) : undefined
  if (ms === undefined || zone === undefined) return ms === undefined ? undefined : { ms }
  return { ms: datePattern.exec(moment)?.groups?.offset === undefined ? momentInZone(ms, zone) : ms, zone }
}

/** Parses an ISO 8601 date or datetime, in UTC when it has neither an offset nor a zone. Milliseconds since the epoch. */
export const parseMoment = (text: string): number | undefined => parseZoned(text)?.ms

function parseDay(text: string): number | undefined {
  const { date, time, offset = 'Z' } = datePattern.exec(text)?.groups ?? {}
  // JavaScript reads February 30 as March 2.
  if (date === undefined || !isMoment(Date.parse(date)) || !new Date(date).toISOString().startsWith(date))
    return undefined
  const ms = Date.parse(`${date}T${time ?? '00:00'}${/^[+-]\d{2}$/.test(offset) ? `${offset}:00` : offset}`)
  return isMoment(ms) ? ms : undefined
}

/**
 * When a timer started at `nowMs` is due. Undefined when the text does not fit the kind of timer.
 * The cycle `R3/PT1H` fires three times, `R/PT1H` without end, and so does a cron schedule, by the clocks of `zone`.
 */
export function timingOf(kind: TimerKind, text: string, nowMs: number, zone = 'UTC'): Timing | undefined {
  if (kind === 'timeDuration') return timing(addDuration(nowMs, text))
  if (kind === 'timeDate') return timing(parseMoment(text))
  if (looksLikeCron(text)) {
    const next = cronProblem(text) === undefined ? timing(nextOfCron(text, nowMs, zone)) : undefined
    return next && { ...next, left: -1, every: text, zone }
  }
  const cycle = cyclePattern.exec(text)?.groups
  if (cycle?.every === undefined || cycle.times === '0' || !(addDuration(0, cycle.every) ?? 0)) return undefined
  const start = cycle.start === undefined ? undefined : parseZoned(cycle.start)
  const first = timing(cycle.start === undefined ? addDuration(nowMs, cycle.every) : start?.ms)
  if (!first) return undefined
  const isByCalendar = byMonths.test(cycle.every) || (start?.zone !== undefined && byDays.test(cycle.every))
  return {
    ...first,
    left: cycle.times === '' ? -1 : Number(cycle.times) - 1,
    every: cycle.every,
    ...(isByCalendar && { anchor: start ? first.due : new Date(nowMs).toISOString(), turn: start ? 0 : 1 }),
    ...(isByCalendar && start?.zone !== undefined && { zone: start.zone }),
  }
}

const byMonths = /^P[^T]*[YM]/
const byDays = /^P[^T]*[YMWD]/

const timing = (ms: number | undefined): Timing | undefined =>
  ms === undefined ? undefined : { due: new Date(ms).toISOString() }

/** The next firing of a cycle, counted from when it was due, not from when it fired. Undefined after the last one. */
export function nextTiming({ due, left = 0, every, zone, anchor, turn = 0 }: Timing): Timing | undefined {
  if (left === 0 || every === undefined) return undefined
  const dueMs = Date.parse(due)
  const nextMs = looksLikeCron(every)
    ? nextOfCron(every, dueMs, zone ?? 'UTC')
    : anchor === undefined
      ? addDuration(dueMs, every)
      : addDuration(Date.parse(anchor), every, turn + 1, zone)
  const next = timing(nextMs)
  return (
    next && {
      ...next,
      left: left === -1 ? -1 : left - 1,
      every,
      ...(zone !== undefined && { zone }),
      ...(anchor !== undefined && { anchor, turn: turn + 1 }),
    }
  )
}

/** Firings that are counted one by one when they were missed. */
const maxCountedMisses = 1_000

/**
 * Leaves out every firing up to a moment, and counts them: exactly up to a thousand, and any number where the time
 * between two is always the same.
 */
export function skipUntil(
  first: Timing | undefined,
  untilMs: number,
): { readonly next: Timing | undefined; readonly skipped: number } {
  if (first?.every !== undefined && (first.zone ?? first.anchor) === undefined && !byMonths.test(first.every))
    return skipEqual(first, addDuration(0, first.every) ?? 0, untilMs)
  let next = first
  let skipped = 0
  for (; next !== undefined && Date.parse(next.due) <= untilMs; skipped++) {
    if (
      skipped === maxCountedMisses &&
      next.zone !== undefined &&
      next.every !== undefined &&
      looksLikeCron(next.every)
    ) {
      const due = timing(nextOfCron(next.every, untilMs, next.zone))
      return { next: due && { ...next, ...due }, skipped }
    }
    next = nextTiming(next)
  }
  return { next, skipped }
}

function skipEqual(first: Timing, everyMs: number, untilMs: number): ReturnType<typeof skipUntil> {
  const { left = 0 } = first
  const dueMs = Date.parse(first.due)
  const passed = dueMs > untilMs ? 0 : Math.floor((untilMs - dueMs) / everyMs) + 1
  if (left !== -1 && passed > left) return { next: undefined, skipped: left + 1 }
  const due = timing(dueMs + passed * everyMs)
  return { next: due && { ...first, ...due, left: left === -1 ? -1 : left - passed }, skipped: passed }
}

/** Whether a text is ISO 8601 or a cron schedule rather than an expression that returns it. */
export const isFixedTime = (text: string): boolean => /^(?:P[T\d]|R\d*\/|\d{4}-)/.test(text) || looksLikeCron(text)
