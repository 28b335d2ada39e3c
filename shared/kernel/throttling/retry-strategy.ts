import { log } from '../runtime/log.ts'
import { clock } from '../time/clock.ts'
import { isThrottle, Throttled, throttlePauseMs } from './throttled.ts'
import { retryTimeMs } from './time-limit.ts'

/** How often a call whose connection or server failed is repeated. */
const maxFailures = 2

/** The state of one call, in the form that the SDK's retry middleware keeps. */
interface RetryToken {
  readonly endsAt: number
  getRetryCount(): number
  getRetryCost(): number
  getRetryDelay(): number
}

const token = (endsAt: number, retries: number, pauseMs: number): RetryToken => ({
  endsAt,
  getRetryCount: () => retries,
  getRetryCost: () => 1,
  getRetryDelay: () => pauseMs,
})

/**
 * How clients retry: throttled calls with jitter while their request has time, and failed connections and servers
 * twice. It is the only retry of a throttled call: callers see a Throttled, which nothing below the request repeats.
 */
export const retryStrategy = {
  acquireInitialRetryToken: async (): Promise<RetryToken> => token(clock.now() + retryTimeMs(), 0, 0),

  async refreshRetryTokenForRetry(
    before: RetryToken,
    { error, errorType }: { readonly error?: unknown; readonly errorType: string },
  ): Promise<RetryToken> {
    const retries = before.getRetryCount()
    const pauseMs = throttlePauseMs(retries, clock.random())
    const again =
      isThrottle(error) || errorType === 'THROTTLING'
        ? clock.now() + pauseMs <= before.endsAt
        : errorType !== 'CLIENT_ERROR' && retries < maxFailures
    if (!again) throw new Error('no retry is left')
    return token(before.endsAt, retries + 1, pauseMs)
  },

  recordSuccess(): void {},
}

type Handler = (args: object) => Promise<object>
interface Stack {
  add(middleware: (next: Handler) => Handler, options: { step: 'initialize'; name: string }): void
}

/**
 * The client, whose throttled calls fail with a Throttled after their last retry. How often each was retried is logged.
 */
export function reportThrottles<Client extends object>(client: Client, service: string): Client {
  const report = (next: Handler) => async (args: object) => {
    try {
      return await next(args)
    } catch (cause) {
      if (!isThrottle(cause)) throw cause
      const { attempts } = (cause as { $metadata?: { attempts?: number } }).$metadata ?? {}
      log.warn('throttled', { provider: service, attempts })
      throw new Throttled({ cause })
    }
  }
  const { middlewareStack } = client as unknown as { readonly middlewareStack: Stack }
  middlewareStack.add(report, { step: 'initialize', name: 'reportThrottles' })
  return client
}
