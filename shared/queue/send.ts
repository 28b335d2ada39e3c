import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { clientOptions } from '../kernel/client-options.ts'

const batchSize = 10

/**
 * Order and deduplication of a message in a FIFO queue: in order within its group, delivered once per id within five
 * minutes.
 */
export interface MessageOrder {
  readonly group: string
  readonly id: string
}

export interface SendOptions {
  /** At most 900. */
  readonly delaySeconds?: number
  /** For FIFO queues: one entry per body. */
  readonly order?: readonly MessageOrder[]
  /** For standard queues: messages of one group do not delay those of others (fair queues of SQS). */
  readonly fairGroup?: string
}

/** Sends messages to a queue, ten per call. Answers the index and the reason of each that the queue refused. */
export type Send = (
  queueUrl: string,
  bodies: readonly object[],
  options?: SendOptions,
) => Promise<readonly { index: number; reason: string }[]>

/** Creates a sender with an SQS client of its own. */
export function createSender(
  client: Pick<SQSClient, 'send'> = new SQSClient({ useQueueUrlAsEndpoint: false, ...clientOptions('sqs') }),
): Send {
  return async (queueUrl, bodies, { delaySeconds, order, fairGroup } = {}) => {
    const refused: { index: number; reason: string }[] = []
    for (let start = 0; start < bodies.length; start += batchSize) {
      const Entries = bodies.slice(start, start + batchSize).map((body, offset) => ({
        Id: String(start + offset),
        MessageBody: messageText(body),
        ...(delaySeconds && { DelaySeconds: delaySeconds }),
        ...(fairGroup !== undefined && { MessageGroupId: fairGroup }),
        ...orderMembers(order?.[start + offset]),
      }))
      const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }))
      for (const { Id, Code, Message } of Failed)
        refused.push({ index: Number(Id), reason: `${Code}: ${Message ?? ''}` })
    }
    return refused
  }
}

/** SQS allows 128 letters, digits and punctuation characters in these ids, which ours never exceed. */
const orderMembers = (order: MessageOrder | undefined) =>
  order && { MessageGroupId: order.group, MessageDeduplicationId: order.id }

/** SQS refuses characters that XML does not allow, so every character outside ASCII is escaped in the JSON. */
const messageText = (body: object): string =>
  JSON.stringify(body).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
