import type { Clock } from './clock.ts'

/**
 * Makes ids from the time: rising positive integers without a counter in the table. Two Lambda instances may make the
 * same id within a millisecond, so the key of a row needs more than this id.
 */
export function timeIds(clock: Pick<Clock, 'now' | 'random'>): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, clock.now() * 1000 + Math.floor(clock.random() * 1000))
    return last
  }
}
