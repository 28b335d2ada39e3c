import { clock, type Clock } from '../../../shared/kernel/time/clock.ts'

/**
 * A clock that does not move until a test advances it; `sleep` advances it and returns at once. Randomness stays real.
 */
export interface FrozenClock extends Clock {
  advance(ms: number): void
}

export function frozenClock(start = '2026-11-20T08:00:00.000Z'): FrozenClock {
  let nowMs = Date.parse(start)
  const advance = (ms: number): void => {
    nowMs += ms
  }
  return { ...clock, now: () => nowMs, sleep: async (ms) => advance(Math.ceil(ms)), advance }
}

/** The same clock, which fails where a loop that ends by its time would draw ids for ever. */
export function endingClock(frozen: FrozenClock): FrozenClock {
  let left = 500
  const uuid = (): string => {
    if ((left -= 1) < 0) throw new Error('it does not end')
    return frozen.uuid()
  }
  return { ...frozen, uuid }
}
