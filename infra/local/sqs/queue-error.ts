/** An error of SQS, worded as SQS words it. */
export class QueueError extends Error {
  override readonly name = 'QueueError'
  readonly statusCode = 400
  readonly body: { readonly __type: string; readonly message: string }
  readonly headers: Record<string, string>

  constructor(code: string, message: string, queryCode = code) {
    super(message)
    this.body = { __type: `com.amazonaws.sqs#${code}`, message }
    this.headers = { 'x-amzn-query-error': `${queryCode};Sender` }
  }
}

export const noSuchQueue = (): QueueError =>
  new QueueError('QueueDoesNotExist', 'The specified queue does not exist.', 'AWS.SimpleQueueService.NonExistentQueue')
export const missing = (parameter: string): QueueError =>
  new QueueError('MissingParameter', `The request must contain the parameter ${parameter}.`)
export const invalidValue = (parameter: string, value: unknown, reason: string): QueueError =>
  new QueueError(
    'InvalidParameterValue',
    `Value ${String(value)} for parameter ${parameter} is invalid. Reason: ${reason}`,
  )
