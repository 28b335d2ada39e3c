import { ForbiddenHost } from '../../../kernel/addresses/public-address.ts'
import type { Outcome } from '../../deliveries/state/outcome.ts'

/** The outcome of a request that got no answer, in words that do not depend on the platform. */
export function requestFailure(cause: unknown, timeoutMs: number): Outcome {
  if (cause instanceof ForbiddenHost) return { kind: 'refused', by: 'service', error: cause.message }
  return { kind: 'failed', error: networkError(cause, timeoutMs) }
}

function networkError(cause: unknown, timeoutMs: number): string {
  const { name, code, message } = cause as { name?: string; code?: string; message?: string }
  if (name === 'TimeoutError') return `The receiver did not answer within ${timeoutMs / 1000} s.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The name of the receiver could not be resolved.'
  return `The receiver could not be reached: ${code ?? message ?? 'unknown error'}.`
}

/**
 * How long a `Retry-After` header asks to wait, in milliseconds from `nowMs`: seconds or an HTTP date; undefined when it
 * says nothing.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
