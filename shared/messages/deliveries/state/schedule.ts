/** Seconds before each attempt (contract §6): at once, then over about 27 hours. */
export const defaultSchedule: readonly number[] = [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000]

/** How far a delay may differ from the schedule, so that deliveries that failed together do not return together. */
const jitter = 0.2

/** What a receiver may ask to wait in any case, and otherwise: so often the delay of the schedule. */
const askedMs = 60_000
const askedTimes = 4

/**
 * The milliseconds until the next attempt after `made` attempts, ±20 %; undefined when there is none. A receiver may ask
 * for a later one (`retryAfterMs`), but not later than four times the delay of the schedule, or a minute.
 */
export function delayBefore(
  schedule: readonly number[],
  made: number,
  random: () => number,
  retryAfterMs?: number,
): number | undefined {
  const seconds = schedule[made]
  if (seconds === undefined) return undefined
  const base = seconds * 1000
  if (retryAfterMs !== undefined)
    return Math.round(Math.min(Math.max(askedTimes * base, askedMs), Math.max(base, retryAfterMs)))
  return Math.round(base * (1 - jitter + 2 * jitter * random()))
}
