import { kindOfCode, type FaultCode, type FaultKind } from './failure-codes.ts'

/** Field path to messages, as the specification shapes the answer of a 422. */
export type FieldErrors = Record<string, string[]>

interface FaultOptions extends ErrorOptions {
  /** What a client can act on beyond the message; becomes `data` of the answer, so nothing secret belongs here. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * What can go wrong in the domain, as a type with a stable code and data instead of prose. One map
 * (`http/routing/answer-fault.ts`) gives each kind its HTTP status; anything that is no Fault is a defect and answers 500.
 */
export class Fault<Code extends FaultCode = FaultCode> extends Error {
  readonly code: Code
  readonly kind: FaultKind
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(code: Code, message: string, { details, ...options }: FaultOptions = {}) {
    super(message, options)
    this.name = new.target.name
    this.code = code
    this.kind = kindOfCode[code]
    this.details = details
  }
}

/** The request itself cannot be read: broken JSON, a broken query string. */
export class Malformed extends Fault<FaultCode<'malformed'>> {}

/** No token, or one that is not valid (any more). */
export class Unauthenticated extends Fault<FaultCode<'unauthenticated'>> {
  constructor(code: FaultCode<'unauthenticated'> = 'unauthenticated', message = 'Not authorized.') {
    super(code, message)
  }
}

/** A known caller who may not do this. */
export class Forbidden extends Fault<FaultCode<'forbidden'>> {
  constructor(code: FaultCode<'forbidden'> = 'forbidden', message = 'You do not have access to this.') {
    super(code, message)
  }
}

type NameIn<Code extends string> = Code extends `${infer Name}_not_found` ? Name : never
/** What can be missing, by the name that its code begins with. */
type Findable = NameIn<FaultCode<'not_found'>>

/** Does not exist for this caller: unknown, of another tenant, or hidden. `subject` says which one, and is not answered. */
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

/** The request is sound, but what it meets does not allow it now: a name is taken, or somebody else was faster. */
export class Conflict extends Fault<FaultCode<'conflict'>> {}

/** `If-Match` named a version that is not the current one. */
export class PreconditionFailed extends Fault {
  readonly currentVersion: number

  constructor(currentVersion: number) {
    super('version_mismatch', `The record has changed: its version is ${currentVersion}.`, {
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
  readonly message?: string
}

/** One or more fields are wrong, and `errors` names every one of them; or, without `errors`, the message says what is. */
export class Invalid extends Fault<FaultCode<'invalid'>> {
  readonly errors: FieldErrors

  constructor(
    errors: FieldErrors,
    { code = 'validation_failed', message = 'Validation error', ...options }: InvalidOptions = {},
  ) {
    super(code, message, options)
    this.errors = errors
  }

  /** The same refusal with its fields under other paths. */
  withErrors(errors: FieldErrors): Invalid {
    const { code, message, details } = this
    return new Invalid(errors, { code, message, details, cause: this })
  }
}

/** Slow down; `retryAfterSeconds` says for how long. */
export class TooManyRequests extends Fault {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('too_many_attempts', `Too many attempts. Try again in ${retryAfterSeconds} seconds.`)
    this.retryAfterSeconds = retryAfterSeconds
  }
}
