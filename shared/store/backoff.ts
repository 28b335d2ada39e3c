import type { Clock } from '../kernel/clock.ts'
import { Conflict } from '../kernel/faults.ts'

/** How long a write fights for its item before the caller is told (contract: 409 only after retries). */
export const patienceMs = 3000
const firstPauseMs = 5
const longestPauseMs = 200

/**
 * Runs `attempt` until it no longer calls `again`, with full jitter between the tries; after three seconds throws Conflict.
 * `again` never returns: it ends the attempt.
 */
export async function retryWithJitter<T>(
  clock: Clock,
  attempt: (again: (cause: Error) => never) => Promise<T>,
  patience = patienceMs,
): Promise<T> {
  const deadline = clock.now() + patience
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt((cause) => {
        throw new TryAgain(cause)
      })
    } catch (error) {
      if (!(error instanceof TryAgain)) throw error
      const pause = clock.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** tries)
      if (clock.now() + pause > deadline) {
        throw new Conflict('write_conflict', 'Somebody else is changing this at the same time. Try again.', {
          cause: error.cause,
        })
      }
      await clock.sleep(pause)
    }
  }
}

class TryAgain extends Error {
  constructor(cause: Error) {
    super('try again', { cause })
  }
}
