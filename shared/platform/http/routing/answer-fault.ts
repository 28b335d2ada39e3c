import {
  kindOfCode,
  type FailureCode,
  type FaultKind,
  type UnthrownCode,
} from '../../../kernel/failures/failure-codes.ts'
import {
  Fault,
  Invalid,
  MethodNotAllowed,
  PreconditionFailed,
  TooManyRequests,
  Unauthenticated,
  type FieldErrors,
} from '../../../kernel/failures/faults.ts'
import { Unhealthy } from '../../../kernel/failures/unhealthy.ts'
import { maxMessageCharacters, maxNamedPaths, maxPathCharacters } from '../../../kernel/limits/requests.ts'
import { Throttled } from '../../../kernel/throttling/throttled.ts'
import { TableRenamed } from '../table-names/former-name.ts'

/** The HTTP status of each kind of fault (contract §1). */
const statusOfKind: Record<FaultKind, number> = {
  moved: 308,
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  too_many_requests: 429,
}
const statusOfUnthrown: Record<UnthrownCode, number> = {
  malformed_request: 400,
  request_timeout: 408,
  headers_too_large: 431,
  internal_error: 500,
  throttled: 503,
  unhealthy: 503,
}

const isUnthrown = (code: FailureCode): code is UnthrownCode => Object.hasOwn(statusOfUnthrown, code)

/** The HTTP status of a failure code. */
export const statusOfCode = (code: FailureCode): number =>
  isUnthrown(code) ? statusOfUnthrown[code] : statusOfKind[kindOfCode[code]]

interface FailureBody {
  readonly success: false
  /** Of a check of health only, for what watches it. */
  readonly status?: 'unavailable'
  readonly code: FailureCode
  readonly message: string
  readonly errors?: FieldErrors
  readonly data?: unknown
}

/** The answer to a request that failed. */
export interface FaultAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: FailureBody
}

const defect: FailureBody = { success: false, code: 'internal_error', message: 'Server error' }

/**
 * Turns a thrown error into the failure envelope: a Throttled and an Unhealthy answer 503. Anything else but a Fault is a defect: it
 * answers 500 without details. `named` gives messages the names that tables have.
 */
export function answerFault(error: unknown, named: (text: string) => string = (text) => text): FaultAnswer {
  if (error instanceof Throttled) return answerThrottled(error)
  if (error instanceof Unhealthy) return answerUnhealthy(error)
  if (!(error instanceof Fault)) return { status: statusOfCode('internal_error'), headers: {}, body: defect }
  const { code, message, details } = error
  return {
    status: statusOfCode(code),
    headers: headersOf(error),
    body: {
      success: false,
      code,
      message: named(message),
      ...(error instanceof Invalid && Object.keys(error.errors).length > 0 && { errors: bounded(error.errors, named) }),
      ...(details && { data: details }),
    },
  }
}

const answerThrottled = ({ message, retryAfterSeconds }: Throttled): FaultAnswer => ({
  status: statusOfCode('throttled'),
  headers: { 'retry-after': String(retryAfterSeconds) },
  body: { success: false, code: 'throttled', message },
})

const answerUnhealthy = ({ message, status, retryAfterSeconds }: Unhealthy): FaultAnswer => ({
  status: statusOfCode('unhealthy'),
  headers: { 'retry-after': String(retryAfterSeconds) },
  body: { success: false, status: 'unavailable', code: 'unhealthy', message, data: { status } },
})

function headersOf(fault: Fault): Record<string, string> {
  if (fault instanceof TableRenamed) return { location: fault.location }
  if (fault instanceof Unauthenticated) return { 'www-authenticate': 'Bearer' }
  if (fault instanceof PreconditionFailed) return { etag: `"${fault.currentVersion}"` }
  if (fault instanceof MethodNotAllowed) return { allow: fault.allowed.join(', ') }
  if (fault instanceof TooManyRequests) return { 'retry-after': String(fault.retryAfterSeconds) }
  return {}
}

/** Paths and messages may repeat parts of the body, so they are limited: Lambda refuses an answer over 6 MB. */
function bounded(errors: FieldErrors, shown: (text: string) => string): FieldErrors {
  const named = Object.entries(errors).slice(0, maxNamedPaths)
  return Object.fromEntries(
    named.map(([path, messages]) => [
      cut(path, maxPathCharacters),
      messages.map((message) => cut(shown(message), maxMessageCharacters)),
    ]),
  )
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text
