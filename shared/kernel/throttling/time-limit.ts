import { AsyncLocalStorage } from 'node:async_hooks'

/** The longest that one throttled call is retried, so that a busy provider does not hold every caller to its end. */
const maxRetryMs = 5000
/** What an invocation keeps to answer after its last retry. */
const reserveMs = 1000

const limits = new AsyncLocalStorage<() => number>()

/** Runs the work of one invocation. Throttled calls in it are retried only while `remainingMs` lasts. */
export const inTimeLimit = <T>(remainingMs: () => number, run: () => T): T => limits.run(remainingMs, run)

/** For how many milliseconds a throttled call may be retried from now on; 0 when its invocation is about to end. */
export function retryTimeMs(): number {
  const remainingMs = limits.getStore()
  return remainingMs ? Math.max(0, Math.min(maxRetryMs, remainingMs() - reserveMs)) : maxRetryMs
}
