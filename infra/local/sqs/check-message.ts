import { invalidValue, missing, QueueError } from './queue-error.ts'

// Allowed: tab, line feed, carriage return, and U+0020 on, except surrogates and the two non-characters.
const refusedCharacter = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u

export interface MessageInput {
  readonly Id?: string
  readonly MessageBody?: string
  readonly DelaySeconds?: number
  readonly MessageGroupId?: string
  readonly MessageDeduplicationId?: string
  readonly MessageAttributes?: Record<string, { DataType: string; StringValue?: string; BinaryValue?: string }>
}

interface Rules {
  readonly fifo: boolean
  readonly contentBasedDeduplication: boolean
  readonly maxMessageBytes: number
}

/** Throws QueueError when a message is not valid. */
export function checkMessage(rules: Rules, message: MessageInput): void {
  const body = message.MessageBody
  if (typeof body !== 'string') throw missing('MessageBody')
  if (body === '') throw new QueueError('MissingParameter', 'The request must contain the parameter MessageBody.')
  const refused = refusedCharacter.exec(body)
  if (refused) {
    const text =
      'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF'
    throw new QueueError('InvalidMessageContents', text)
  }
  if (messageBytes(message) > rules.maxMessageBytes) {
    throw new QueueError(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${rules.maxMessageBytes} bytes.`,
    )
  }
  const delay = message.DelaySeconds
  if (delay !== undefined && !(Number.isInteger(delay) && delay >= 0 && delay <= 900)) {
    throw invalidValue('DelaySeconds', delay, 'DelaySeconds must be >= 0 and <= 900.')
  }
  if (!rules.fifo) return
  if (delay)
    throw invalidValue('DelaySeconds', delay, 'The request include parameter that is not valid for this queue type.')
  if (!message.MessageGroupId) throw missing('MessageGroupId')
  if (message.MessageDeduplicationId === undefined && !rules.contentBasedDeduplication) {
    throw new QueueError(
      'InvalidParameterValue',
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    )
  }
}

/** The size as SQS counts it: body, and names, types and values of the attributes. */
export function messageBytes({ MessageBody = '', MessageAttributes = {} }: MessageInput): number {
  let bytes = Buffer.byteLength(MessageBody)
  for (const [name, { DataType, StringValue = '', BinaryValue = '' }] of Object.entries(MessageAttributes)) {
    bytes +=
      Buffer.byteLength(name) +
      Buffer.byteLength(DataType) +
      Buffer.byteLength(StringValue) +
      Buffer.byteLength(BinaryValue, 'base64')
  }
  return bytes
}

/** Throws QueueError when the entries of a batch are not valid as a whole. */
export function checkBatch(
  entries: readonly { Id?: string }[] | undefined,
): asserts entries is readonly { Id: string }[] {
  if (!entries || entries.length === 0) {
    throw new QueueError(
      'EmptyBatchRequest',
      'There should be at least one entry in the request.',
      'AWS.SimpleQueueService.EmptyBatchRequest',
    )
  }
  if (entries.length > 10) {
    const text = `Maximum number of entries per request are 10. You have sent ${entries.length}.`
    throw new QueueError('TooManyEntriesInBatchRequest', text, 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest')
  }
  if (entries.some(({ Id }) => !/^[\w-]{1,80}$/.test(Id ?? ''))) {
    const text =
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.'
    throw new QueueError('InvalidBatchEntryId', text, 'AWS.SimpleQueueService.InvalidBatchEntryId')
  }
  if (new Set(entries.map(({ Id }) => Id)).size !== entries.length) {
    throw new QueueError(
      'BatchEntryIdsNotDistinct',
      'Two or more batch entries in the request have the same Id.',
      'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
    )
  }
}
