import { retryStrategy } from '../throttling/retry-strategy.ts'
import { processHost } from './process-host.ts'

/**
 * Replaces the SDK's default logger. A logger with `info` or `error` makes the SDK format every response, which costs
 * 280 µs per query of 25 items. `debug` has to exist: the credential chain calls it.
 */
const quietLogger = { trace() {}, debug() {}, warn() {} }

/** Services whose throttled calls are retried here; senders of messages retry by the plan of their deliveries. */
const ownStores: ReadonlySet<string> = new Set(['dynamodb', 'sqs', 's3', 'kms'])

/**
 * How long a connection and a whole call may take. Without limits a call that never answers takes all the time of its
 * function. Objects and messages to providers may be large or slow.
 */
const shortCalls = { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true }
const longCalls = { connectionTimeout: 2_000, requestTimeout: 30_000, throwOnRequestTimeout: true }
const quickServices: ReadonlySet<string> = new Set(['dynamodb', 'sqs', 'kms', 'secretsmanager'])

/** The options of every AWS SDK client; the host of the process may have others, such as providers of its own. */
export function clientOptions(
  service: 'dynamodb' | 'sqs' | 's3' | 'kms' | 'ses' | 'sns' | 'kinesis' | 'events' | 'secretsmanager',
): Record<string, unknown> {
  const retries = ownStores.has(service) && { retryStrategy }
  const requestHandler = quickServices.has(service) ? shortCalls : longCalls
  return { logger: quietLogger, requestHandler, ...retries, ...processHost()?.clientOptions(service) }
}
