import type { Clock } from '../kernel/clock.ts'

/**
 * Makes ids from the time: positive integers that rise with creation, without a counter in the table to go through. Two
 * instances may give the same within one millisecond, so the key of a row holds more than this.
 */
export function timeIds(clock: Pick<Clock, 'now' | 'random'>): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, clock.now() * 1000 + Math.floor(clock.random() * 1000))
    return last
  }
}
