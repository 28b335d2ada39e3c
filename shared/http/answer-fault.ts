import { Fault, Invalid, type FaultCode } from '../faults.ts'

/** The one map from what went wrong to the HTTP status that says so (contract §1). */
const statusOf: Record<FaultCode, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  invalid: 422,
  too_many_requests: 429,
}

export interface FaultAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: { success: false; message: string; errors?: Record<string, string[]>; data?: unknown }
}

/** Turns what was thrown into the failure envelope; a defect answers 500 and says nothing of the inside. */
export function answerFault(error: unknown): FaultAnswer {
  if (!(error instanceof Fault)) {
    return { status: 500, headers: {}, body: { success: false, message: 'Server error' } }
  }
  const headers: Record<string, string> = {}
  if (error.code === 'too_many_requests') headers['retry-after'] = String(error.data.retryAfterSeconds)
  if (error.code === 'unauthenticated') headers['www-authenticate'] = 'Bearer'
  const body: FaultAnswer['body'] = { success: false, message: error.message }
  if (error instanceof Invalid && Object.keys(error.errors).length > 0) body.errors = error.errors
  if (error.code === 'precondition_failed') {
    headers.etag = `"${error.data.current}"`
    body.data = { version: error.data.current }
  }
  return { status: statusOf[error.code], headers, body }
}
