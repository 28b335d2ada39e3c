/** SNS: Publish of a text message to a phone number. There are no topics. */
import { randomUUID } from 'node:crypto'
import type { JsonProvider } from '../../sdk/providers.ts'
import type { Outbox } from '../outbox.ts'
import { ProviderError } from './provider-error.ts'

/** The limit on a text message, which SNS splits into parts (developer guide, "Publishing to a mobile phone"). */
const maxCharacters = 1600

interface PublishInput {
  readonly PhoneNumber?: string
  readonly TopicArn?: string
  readonly TargetArn?: string
  readonly Message?: string
  readonly MessageAttributes?: Readonly<Record<string, { readonly DataType?: string; readonly StringValue?: string }>>
}

export function openSns(outbox: Pick<Outbox, 'add'>): JsonProvider {
  return async (operation, input: PublishInput) => {
    if (operation !== 'Publish') throw new ProviderError('InvalidAction', `The local SNS does not answer ${operation}.`)
    const { PhoneNumber, Message, MessageAttributes = {} } = input
    if (input.TopicArn !== undefined || input.TargetArn !== undefined)
      throw new ProviderError('NotFound', 'Topic does not exist', 404)
    if (PhoneNumber === undefined)
      throw invalid('TopicArn or TargetArn or PhoneNumber', 'no value for required parameter')
    // Not quoted: SNS does not repeat the number either.
    if (!/^\+[1-9]\d{1,14}$/.test(PhoneNumber)) throw invalid('PhoneNumber', 'is not valid to publish to')
    if (!Message) throw invalid('Message', 'Empty message')
    if (Message.length > maxCharacters) throw invalid('Message', 'Message too long')
    for (const [name, { DataType, StringValue }] of Object.entries(MessageAttributes))
      if (!DataType || !StringValue)
        throw new ProviderError(
          'ParameterValueInvalid',
          `The message attribute '${name}' must contain non-empty message attribute value and type.`,
        )
    const sender = MessageAttributes['AWS.SNS.SMS.SenderID']?.StringValue
    if (sender !== undefined && !/^(?=.*[A-Za-z])[A-Za-z0-9-]{1,11}$/.test(sender))
      throw invalid('SenderID', 'has 1 to 11 letters, digits and dashes, with one letter at least')
    const MessageId = randomUUID()
    outbox.add({
      type: 'sms',
      provider: 'sns',
      ...(sender !== undefined && { from: sender }),
      to: [PhoneNumber],
      text: Message,
      source: JSON.stringify(input, null, 2),
      meta: { message_id: MessageId, characters: Message.length },
    })
    return { MessageId }
  }
}

const invalid = (member: string, reason: string): ProviderError =>
  new ProviderError('InvalidParameter', `Invalid parameter: ${member} Reason: ${reason}`)
