import { kindOfCode, type FaultCode, type FaultKind } from './failure-codes.ts'
import {
  type FieldErrors,
  type FieldMessages,
  messageOf,
  messagesOf,
  type Problem,
  say,
  type Sentence,
} from './sentence.ts'

export type { FieldErrors } from './sentence.ts'

interface FaultOptions extends ErrorOptions {
  /** Facts for the client, such as the current version. They become `data` of the answer, so they hold no secrets. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * An expected failure, with a stable code. `shared/platform/http/routing/answer-fault.ts` turns it into an answer; any other
 * error is a defect and answers 500.
 */
export class Fault<Code extends FaultCode = FaultCode> extends Error {
  readonly code: Code
  readonly kind: FaultKind
  readonly details: Readonly<Record<string, unknown>> | undefined
  /** The message with its code and values, where it is one of the sentences of the service. */
  readonly sentence: Sentence | undefined

  constructor(code: Code, message: Problem, { details, ...options }: FaultOptions = {}) {
    super(messageOf(message), options)
    this.name = new.target.name
    this.code = code
    this.sentence = typeof message === 'string' ? undefined : message
    this.kind = kindOfCode[code]
    this.details = details
  }
}

/** The request cannot be parsed: its body or its filter is not JSON. */
export class Malformed extends Fault<FaultCode<'malformed'>> {}

/** The request has no token, or one that is not valid. */
export class Unauthenticated extends Fault<FaultCode<'unauthenticated'>> {}

/** The caller is signed in, but may not do this. */
export class Forbidden extends Fault<FaultCode<'forbidden'>> {}

type NameIn<Code extends string> = Code extends `${infer Name}_not_found` ? Name : never
/** What can be missing: the part of its code before `_not_found`. */
type Findable = NameIn<FaultCode<'not_found'>>

/**
 * Does not exist, belongs to another tenant, or is hidden from the caller. `subject` names what was requested; it is
 * not answered.
 */
export class NotFound extends Fault<FaultCode<'not_found'>> {
  readonly subject: Readonly<Record<string, unknown>>

  constructor(
    what: Findable,
    subject: Readonly<Record<string, unknown>> = {},
    message = `The ${what.replaceAll('_', ' ')} was not found.`,
  ) {
    super(`${what}_not_found`, message)
    this.subject = subject
  }
}

/** The address exists, but not with this method. */
export class MethodNotAllowed extends Fault {
  readonly allowed: readonly string[]

  constructor(method: string, allowed: readonly string[]) {
    super('method_not_allowed', `This address does not know ${method}. Allowed: ${allowed.join(', ')}.`)
    this.allowed = allowed
  }
}

/** The request is valid, but the current state does not allow it: a name is taken, or another request was faster. */
export class Conflict extends Fault<FaultCode<'conflict'>> {}

/** `If-Match`, or the `version` of the body, names a version that is not the current one. */
export class PreconditionFailed extends Fault {
  readonly currentVersion: number

  /** `what`: the name of the object for people. */
  constructor(currentVersion: number, what = 'record') {
    super('version_mismatch', say('version_is', { what, version: currentVersion }), {
      details: { version: currentVersion },
    })
    this.currentVersion = currentVersion
  }
}

export class TooLarge extends Fault {
  constructor(message: string) {
    super('body_too_large', message)
  }
}

interface InvalidOptions extends FaultOptions {
  readonly code?: FaultCode<'invalid'>
  readonly message?: Problem
}

/**
 * Values are invalid. `problems` says what is wrong by field path, `errors` the same in English; when they are empty, the
 * message alone says it.
 */
export class Invalid extends Fault<FaultCode<'invalid'>> {
  readonly problems: FieldErrors
  readonly errors: FieldMessages

  constructor(
    errors: FieldErrors,
    { code = 'validation_failed', message = 'Validation error', ...options }: InvalidOptions = {},
  ) {
    super(code, message, options)
    this.problems = errors
    this.errors = messagesOf(errors)
  }

  /** A copy of this fault with other `problems`, for example under other paths. */
  withErrors(errors: FieldErrors): Invalid {
    const { code, sentence, details } = this
    const message = sentence ?? this.message
    return new Invalid(errors, { code, message, details, cause: this })
  }
}

/** The object cannot go while something uses it. `message` says what does. */
export const inUse = (message: string): Invalid => new Invalid({}, { code: 'in_use', message })

/** Too many attempts; the client may try again after `retryAfterSeconds`. */
export class TooManyRequests extends Fault {
  readonly retryAfterSeconds: number

  /** `what` there are too many of. */
  constructor(
    retryAfterSeconds: number,
    what = 'attempts',
    code: FaultCode<'too_many_requests'> = 'too_many_attempts',
  ) {
    super(
      code,
      code === 'rate_limited'
        ? say('too_many_of_company', { seconds: retryAfterSeconds })
        : say('too_many', { what, seconds: retryAfterSeconds }),
    )
    this.retryAfterSeconds = retryAfterSeconds
  }
}
