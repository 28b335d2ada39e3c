/**
 * Options for an AWS SDK client. In Lambda only the logger is set (the SDK's default logger walks every answer by schema and
 * throws it away: 280 µs a query of 25). The local cloud publishes in-process providers on `globalThis` before it imports a bundle.
 */
export function clientOptions(service: 'dynamodb' | 'sqs' | 's3'): Record<string, unknown> {
  const local = (globalThis as Record<symbol, { clientOptions(service: string): Record<string, unknown> } | undefined>)[Symbol.for('local-cloud')]
  return { logger: {}, ...local?.clientOptions(service) }
}
