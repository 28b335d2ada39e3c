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
