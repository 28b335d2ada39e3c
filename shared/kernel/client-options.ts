/**
 * What the SDK's default logger is replaced by: that one has `info` and `error`, and for them the SDK walks every answer by
 * its schema only to throw the text away (280 µs a query of 25). The credential chain calls `debug` without looking.
 */
const quietLogger = { trace() {}, debug() {}, warn() {} }

/** Options for every AWS SDK client. The local cloud publishes its in-process providers on `globalThis` before it imports a bundle. */
export function clientOptions(service: 'dynamodb' | 'sqs' | 's3'): Record<string, unknown> {
  const local = (globalThis as Record<symbol, { clientOptions(service: string): Record<string, unknown> } | undefined>)[
    Symbol.for('local-cloud')
  ]
  return { logger: quietLogger, ...local?.clientOptions(service) }
}
