import { Conflict } from '../../../kernel/failures/faults.ts'
import { maxConflictMs } from '../../../kernel/limits/requests.ts'
import { Throttled, throttlePauseMs } from '../../../kernel/throttling/throttled.ts'
import { retryTimeMs } from '../../../kernel/throttling/time-limit.ts'
import type { Clock } from '../../../kernel/time/clock.ts'

/** For how long a write is retried before it fails with a Conflict (contract: 409 only after retries). */
const firstPauseMs = 5
const maxPauseMs = 200

/**
 * Runs `attempt` until it returns without calling `again`, with exponential back-off and full jitter. `again` throws,
 * so it ends the attempt. Throws Conflict after `forMs`: the cause when that is one. When the cause is a Throttled, the pauses are longer, it may take
 * as long as the invocation has time, and the Throttled is thrown at the end.
 */
export async function retryWithJitter<T>(
  clock: Clock,
  attempt: (again: (cause: Error) => never) => Promise<T>,
  forMs = maxConflictMs,
): Promise<T> {
  const startedAt = clock.now()
  const conflictEnd = startedAt + forMs
  const throttleEnd = startedAt + retryTimeMs()
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt((cause) => {
        throw new TryAgain(cause)
      })
    } catch (error) {
      if (!(error instanceof TryAgain)) throw error
      const throttled = error.cause instanceof Throttled ? error.cause : undefined
      const pause = throttled
        ? throttlePauseMs(tries, clock.random())
        : clock.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** tries)
      if (clock.now() + pause > (throttled ? throttleEnd : conflictEnd)) {
        if (throttled) throw throttled
        if (error.cause instanceof Conflict) throw error.cause
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
