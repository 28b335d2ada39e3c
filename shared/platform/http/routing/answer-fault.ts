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
} from '../../../kernel/failures/faults.ts'
import {
  type FieldErrors,
  type FieldMessages,
  type Sentence,
  messagesOf,
  sentenceOf,
} from '../../../kernel/failures/sentence.ts'
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
  /** Of a refusal with values, or with several sentences: which of them `message` is, and its values. */
  readonly reason?: string
  readonly params?: Sentence['params']
  readonly errors?: FieldMessages
  /** What `errors` says, by code and values, in the same order. */
  readonly field_errors?: Record<string, Sentence[]>
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
  const { code, message, details, sentence } = error
  return {
    status: statusOfCode(code),
    headers: headersOf(error),
    body: {
      success: false,
      code,
      message: named(message),
      ...(sentence && reasonOf(boundedSentence(sentence, named))),
      ...(error instanceof Invalid && Object.keys(error.problems).length > 0 && errorsOf(error.problems, named)),
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
function errorsOf(
  problems: FieldErrors,
  shown: (text: string) => string,
): Pick<Required<FailureBody>, 'errors' | 'field_errors'> {
  const said = Object.fromEntries(
    Object.entries(problems)
      .slice(0, maxNamedPaths)
      .map(([path, ofPath]) => [
        cut(path, maxPathCharacters),
        ofPath.map((problem) => boundedSentence(sentenceOf(problem), shown)),
      ]),
  )
  return { errors: messagesOf(said), field_errors: said }
}

function boundedSentence({ code, params, message }: Sentence, shown: (text: string) => string): Sentence {
  const textOf = (text: string): string => cut(shown(text), maxParamCharacters)
  const values = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string'
      ? textOf(value)
      : typeof value === 'number'
        ? value
        : value.slice(0, maxListedValues).map(textOf),
  ])
  return {
    code,
    params: Object.fromEntries(values) as Sentence['params'],
    message: cut(shown(message), maxMessageCharacters),
  }
}

/** What a value of a sentence shows of a text, and of a list: its message has no more of them either. */
const maxParamCharacters = 100
const maxListedValues = 30

const reasonOf = ({ code: reason, params }: Sentence) => ({ reason, params })

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text
