/** How long a client waits before it repeats a throttled request: provider throttles pass within seconds. */
const retryAfterSeconds = 2
const firstPauseMs = 25
const maxPauseMs = 1000

/**
 * A provider still throttled a call when its time for retries was over. No Fault: a repeat succeeds, so neither an
 * import nor a job nor a process may take it for a refusal. Answers 503 with `Retry-After`; a message returns to its
 * queue.
 */
export class Throttled extends Error {
  override readonly name = 'Throttled'
  readonly retryAfterSeconds = retryAfterSeconds

  constructor(options?: ErrorOptions) {
    super('The service is busy. Try again in a few seconds.', options)
  }
}

/** No thread for a script became free in time. The script has not begun, so a repeat runs it. */
export class NoThreadFree extends Throttled {}

/** Error names of DynamoDB, SQS, S3 and KMS for a call that they refuse because of its rate. */
const throttleNames = new Set([
  'LimitExceededException',
  'OverLimit',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'ServiceUnavailable',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
])

/** Whether an error of a provider asks to send more slowly. S3 does so with any 503. */
export function isThrottle(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return throttleNames.has(name ?? '') || $metadata?.httpStatusCode === 503
}

/** Reasons of a cancelled transaction, and codes of refused batch entries, that mean a throttle. */
export const isThrottleCode = (code: string | undefined): boolean =>
  code === 'ThrottlingError' ||
  code === 'ProvisionedThroughputExceeded' ||
  throttleNames.has((code ?? '').replace(/^.*\./, ''))

/** The pause before retry `tries` (from 0) of a throttled call: exponential, with full jitter. */
export const throttlePauseMs = (tries: number, random: number): number =>
  random * Math.min(maxPauseMs, firstPauseMs * 2 ** tries)
