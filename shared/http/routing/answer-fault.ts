import { Fault, Invalid, type FaultCode, type FieldErrors } from '../../kernel/faults.ts'

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
  if (error instanceof Invalid && Object.keys(error.errors).length > 0) body.errors = bounded(error.errors)
  if (error.code === 'precondition_failed') {
    headers.etag = `"${error.data.current}"`
    body.data = { version: error.data.current }
  }
  // Where in a script it stands (contract §5).
  if (error.data.line !== undefined) body.data = { line: error.data.line, column: error.data.column }
  // Everything that keeps a process template from running (contract §8).
  if (error.data.findings !== undefined) body.data = { findings: error.data.findings }
  return { status: statusOf[error.code], headers, body }
}

const maxNamedFields = 500
const maxPathCharacters = 200
const maxMessageCharacters = 2000

/** Paths and messages repeat what was sent: without a bound a body of 4 MB could ask for an answer that Lambda refuses to carry. */
function bounded(errors: FieldErrors): FieldErrors {
  const named = Object.entries(errors).slice(0, maxNamedFields)
  return Object.fromEntries(
    named.map(([path, messages]) => [
      cut(path, maxPathCharacters),
      messages.map((message) => cut(message, maxMessageCharacters)),
    ]),
  )
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text
