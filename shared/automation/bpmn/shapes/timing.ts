import { cronProblem, looksLikeCron, nextOfCron } from '../../../kernel/time/cron.ts'
import type { TimerKind } from './graph.ts'

/** When a timer is due, and how it repeats. */
export interface Timing {
  /** ISO 8601 in UTC. */
  readonly due: string
  /** How often the timer fires after `due`; -1 means without end. */
  readonly left?: number
  /** The ISO 8601 duration between two firings, or a cron schedule. */
  readonly every?: string
  /** The time zone of a cron schedule. */
  readonly zone?: string
}

const amount = (name: string, letter: string, digits = String.raw`\d+(?:\.\d+)?`): string =>
  `(?:(?<${name}>${digits})${letter})?`
const durationPattern = new RegExp(
  `^P${amount('years', 'Y', '\\d+')}${amount('months', 'M', '\\d+')}${amount('weeks', 'W')}${amount('days', 'D')}(?:T${amount('hours', 'H')}${amount('minutes', 'M')}${amount('seconds', 'S')})?$`,
)
const datePattern =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:T(?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?)?$/
const cyclePattern = /^R(?<times>\d*)\/(?:(?<start>\d[^/]*)\/)?(?<every>P[^/]+)$/

const partsMs = { weeks: 604_800_000, days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1_000 }

/** What a timer of each kind takes, as messages name it. */
export const timerNames: Readonly<Record<TimerKind, string>> = {
  timeDuration: 'duration (PT4H)',
  timeDate: 'date (2026-05-01T08:00:00Z)',
  timeCycle: 'repeating interval (R3/PT1H) or cron schedule (0 9 * * 1-5)',
}

/**
 * Adds an ISO 8601 duration to a moment (ms since the epoch); months and years follow the calendar in UTC.
 * Undefined when the text is not a duration.
 */
export function addDuration(fromMs: number, duration: string): number | undefined {
  const parts = durationPattern.exec(duration)?.groups
  if (parts === undefined || !/\d/.test(duration) || duration.endsWith('T')) return undefined
  const months = Number(parts.years ?? 0) * 12 + Number(parts.months ?? 0)
  const ms = Object.entries(partsMs).reduce(
    (sum, [part, length]) => sum + Number(parts[part] ?? 0) * length,
    addMonths(fromMs, months),
  )
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

/** Parses an ISO 8601 date or datetime, in UTC when it has no offset. Milliseconds since the epoch. */
export function parseMoment(text: string): number | undefined {
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
  const first = timing(cycle.start === undefined ? addDuration(nowMs, cycle.every) : parseMoment(cycle.start))
  return first && { ...first, left: cycle.times === '' ? -1 : Number(cycle.times) - 1, every: cycle.every }
}

const timing = (ms: number | undefined): Timing | undefined =>
  ms === undefined ? undefined : { due: new Date(ms).toISOString() }

/** The next firing of a cycle, counted from when it was due, not from when it fired. Undefined after the last one. */
export function nextTiming({ due, left = 0, every, zone }: Timing): Timing | undefined {
  if (left === 0 || every === undefined) return undefined
  const dueMs = Date.parse(due)
  const next = timing(zone === undefined ? addDuration(dueMs, every) : nextOfCron(every, dueMs, zone))
  return next && { ...next, left: left === -1 ? -1 : left - 1, every, ...(zone !== undefined && { zone }) }
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
  if (first?.every !== undefined && first.zone === undefined && !/^P[^T]*[YM]/.test(first.every))
    return skipEqual(first, addDuration(0, first.every) ?? 0, untilMs)
  let next = first
  let skipped = 0
  for (; next !== undefined && Date.parse(next.due) <= untilMs; skipped++) {
    if (skipped === maxCountedMisses && next.zone !== undefined && next.every !== undefined) {
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
