import { cronProblem, looksLikeCron } from '../../../kernel/time/cron.ts'
import { parseMoment } from './timing.ts'

const durationShape =
  /^P(?=.)(?:\d{1,6}Y)?(?:\d{1,6}M)?(?:\d{1,6}W)?(?:\d{1,6}D)?(?:T(?=.)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,9}(?:\.\d{1,9})?S)?)?$/

/** An ISO 8601 duration: `PT4H`, `P1DT12H`, `P2W`; fractions of seconds only. */
export const isDuration = (text: string): boolean => durationShape.test(text)

/** A date, or a datetime with or without offset and zone. */
export const isMoment = (text: string): boolean => parseMoment(text) !== undefined

/**
 * A cron schedule, or a repetition: `R3/PT10M`, `R3/2026-11-20T09:00:00Z/PT10M`; without a number it has no end. Its duration is not zero.
 */
export function isCycle(text: string): boolean {
  if (looksLikeCron(text)) return cronProblem(text) === undefined
  const [, start, duration] = /^R(?:[1-9]\d{0,5})?\/(?:(.*)\/)?([^/]+)$/.exec(text) ?? []
  return (
    duration !== undefined && isDuration(duration) && /[1-9]/.test(duration) && (start === undefined || isMoment(start))
  )
}
