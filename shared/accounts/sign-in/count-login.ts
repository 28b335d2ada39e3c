import { mayFail } from '../../kernel/runtime/log.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Store } from '../../platform/store/store.ts'
import { failedAccounts, knownFailedAccounts, settle, spend } from './budget.ts'
import { countAttempt } from './login-throttle.ts'

/** For how long an account that signed in is known on its network. */
const knownForMs = 30 * 24 * 3_600_000

/** A login that was counted. Call one of its functions with the outcome. */
interface CountedLogin {
  succeeded(): Promise<void>
  failed(): Promise<void>
}

/**
 * Counts a login against its account and against its network, so that nobody tries a password on many accounts. The
 * network counts an account once in 15 minutes, and not when the login succeeds after all. An account that signed in from
 * the network in the last 30 days is counted apart from those that did not. Throws TooManyRequests.
 */
export async function countLogin(
  dependencies: { store: Pick<Store, 'get' | 'update' | 'write'>; clock: Clock },
  email: string,
  sourceIp: string,
): Promise<CountedLogin> {
  const attempt = await countAttempt(dependencies, email, sourceIp)
  const { firstAtMs, isFirst, isKnown } = attempt
  const budget = isKnown ? knownFailedAccounts : failedAccounts
  if (isFirst) {
    try {
      await spend(dependencies, budget, sourceIp, firstAtMs)
    } catch (error) {
      await mayFail('forget a login that was not tried', () => attempt.succeeded())
      throw error
    }
  }
  const settleWith = (given: { readonly giveBackAtMs?: number }): Promise<void> =>
    settle(dependencies, budget, sourceIp, { ...given, isSettled: !isFirst })
  return {
    async succeeded() {
      const wasReset = await attempt.succeeded(knownForMs)
      await settleWith(wasReset ? { giveBackAtMs: firstAtMs } : {})
    },
    async failed() {
      await Promise.all([attempt.failed(), settleWith({})])
    },
  }
}
