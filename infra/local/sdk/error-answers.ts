/** How services that speak AWS JSON word the errors of a call. */
import { Throttled, TransactionConflict } from './faults/fault-point.ts'

/** A call that the role of its function does not allow. */
export class AccessDenied extends Error {
  override readonly name = 'AccessDenied'
}

interface ErrorAnswer {
  readonly statusCode: number
  readonly body: unknown
  readonly headers?: Record<string, string>
}

/** The answer to a call that failed; undefined when the failure is not one of its service. */
export function errorAnswer(
  service: string,
  operation: string,
  input: { readonly TransactItems?: readonly object[] },
  error: unknown,
): ErrorAnswer | undefined {
  if (error instanceof Throttled)
    return {
      statusCode: 400,
      body: { __type: throttlingError[service] ?? 'ThrottlingException', message: error.message },
    }
  if (error instanceof TransactionConflict)
    return { statusCode: 400, body: conflictAnswer(operation, input, error.message) }
  if (error instanceof AccessDenied) {
    const { message } = error
    const __type = 'com.amazon.coral.service#AccessDeniedException'
    return { statusCode: 400, body: { __type, Message: message, message } }
  }
  return isServiceError(error) ? error : undefined
}

const throttlingError: Readonly<Record<string, string>> = {
  dynamodb: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
  sqs: 'com.amazonaws.sqs#RequestThrottled',
  ses: 'TooManyRequestsException',
  sns: 'Throttled',
  kinesis: 'ProvisionedThroughputExceededException',
}

/** DynamoDB's error for a single write, or for a transaction, with the conflict on its first item. */
function conflictAnswer(operation: string, input: { TransactItems?: readonly object[] }, message: string): object {
  if (operation !== 'TransactWriteItems')
    return { __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException', message }
  const CancellationReasons = (input.TransactItems ?? []).map((_, index) =>
    index === 0 ? { Code: 'TransactionConflict', Message: message } : { Code: 'None' },
  )
  return {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    message: 'Transaction cancelled',
    CancellationReasons,
  }
}

const isServiceError = (error: unknown): error is ErrorAnswer =>
  typeof error === 'object' && error !== null && 'statusCode' in error && 'body' in error
