/**
 * What can go wrong in the domain, as types with a stable code and data instead of prose.
 * One map (`http/answer-fault.ts`) gives each its HTTP status; anything that is no Fault is a defect and answers 500.
 */
export type FaultCode =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'too_large'
  | 'invalid'
  | 'too_many_requests'

/** Field path to messages, as the specification shapes the answer of a 422. */
export type FieldErrors = Record<string, string[]>

export class Fault extends Error {
  readonly code: FaultCode
  readonly data: Record<string, unknown>

  constructor(code: FaultCode, message: string, data: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
    this.data = data
  }
}

/** The request itself cannot be read: broken JSON, a broken query string. */
export class Malformed extends Fault {
  constructor(message: string, options?: ErrorOptions) {
    super('malformed', message, {}, options)
  }
}

/** No token, or one that is not valid (any more). */
export class Unauthenticated extends Fault {
  constructor(message = 'Not authorized.') {
    super('unauthenticated', message)
  }
}

/** A known caller without the permission that the route needs. */
export class Forbidden extends Fault {
  constructor(message = 'You do not have access to this.', data: Record<string, unknown> = {}) {
    super('forbidden', message, data)
  }
}

/** Does not exist for this caller: unknown, of another tenant, or hidden. */
export class NotFound extends Fault {
  constructor(what: string, data: Record<string, unknown> = {}) {
    super('not_found', `The ${what} was not found.`, data)
  }
}

/** Somebody else was faster and retries could not settle it, or a unique name is taken. */
export class Conflict extends Fault {
  constructor(message: string, data: Record<string, unknown> = {}) {
    super('conflict', message, data)
  }
}

/** `If-Match` named a version that is not the current one; `current` is. */
export class PreconditionFailed extends Fault {
  constructor(current: number) {
    super('precondition_failed', `The record has changed: its version is ${current}.`, { current })
  }
}

export class TooLarge extends Fault {
  constructor(message: string) {
    super('too_large', message)
  }
}

/** One or more fields are wrong; `errors` names every one of them. */
export class Invalid extends Fault {
  readonly errors: FieldErrors

  constructor(errors: FieldErrors, message = 'Validation error') {
    super('invalid', message, { errors })
    this.errors = errors
  }
}

/** Slow down; `retryAfterSeconds` says for how long. */
export class TooManyRequests extends Fault {
  constructor(retryAfterSeconds: number) {
    super('too_many_requests', `Too many attempts. Try again in ${retryAfterSeconds} seconds.`, { retryAfterSeconds })
  }
}
