import type { Item } from './items/attribute-value.ts'

export interface CancellationReason {
  Code: string
  Message?: string
  Item?: Item
}

export interface ErrorBody {
  __type: string
  message: string
  Item?: Item
  CancellationReasons?: CancellationReason[]
  [member: string]: unknown
}

/** An error on the wire: an HTTP status and the JSON body. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly statusCode: number
  readonly body: ErrorBody

  constructor(statusCode: number, body: ErrorBody, options?: ErrorOptions) {
    super(body.message, options)
    this.statusCode = statusCode
    this.body = body
  }

  /** The error's name without its namespace, e.g. `ConditionalCheckFailedException`. */
  get code(): string {
    return this.body.__type.slice(this.body.__type.indexOf('#') + 1)
  }
}

/** A ValidationException: the request is at fault. */
export function invalid(message: string): ServiceError {
  return new ServiceError(400, { __type: 'com.amazon.coral.validate#ValidationException', message })
}

/** One of DynamoDB's modelled exceptions. */
export function refused(code: string, message: string, members: Partial<ErrorBody> = {}): ServiceError {
  return new ServiceError(400, { __type: `com.amazonaws.dynamodb.v20120810#${code}`, message, ...members })
}

export function notFound(what?: string): ServiceError {
  return refused('ResourceNotFoundException', `Requested resource not found${what ? `: ${what} not found` : ''}`)
}

export function unknownOperation(): ServiceError {
  return new ServiceError(400, { __type: 'com.amazon.coral.service#UnknownOperationException', message: '' })
}

/** Converts anything thrown to a ServiceError. An unexpected failure is a 500 with its cause. */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (isServiceAnswer(error)) {
    const { message, Message, ...body } = error.body
    return new ServiceError(error.statusCode, {
      ...body,
      __type: body.__type,
      message: String(message ?? Message ?? ''),
    })
  }
  const message = error instanceof Error ? error.message : String(error)
  return new ServiceError(
    500,
    { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message },
    { cause: error },
  )
}

function isServiceAnswer(error: unknown): error is { statusCode: number; body: ErrorBody } {
  return error instanceof Error && 'statusCode' in error && 'body' in error
}
