import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { clientOptions } from '../kernel/client-options.ts'

const batchSize = 10

/** Where a message stands in a FIFO queue: in order within its group, and once within five minutes by its id. */
export interface MessageOrder {
  readonly group: string
  readonly id: string
}

export interface SendOptions {
  /** At most 900. */
  readonly delaySeconds?: number
  /** For FIFO queues, body by body. */
  readonly order?: readonly MessageOrder[]
}

/** Sends bodies to a queue, ten a call; answers the places of those that the queue did not take. */
export type Send = (
  queueUrl: string,
  bodies: readonly object[],
  options?: SendOptions,
) => Promise<readonly { index: number; reason: string }[]>

export function createSender(
  client: Pick<SQSClient, 'send'> = new SQSClient({ useQueueUrlAsEndpoint: false, ...clientOptions('sqs') }),
): Send {
  return async (queueUrl, bodies, { delaySeconds, order } = {}) => {
    const refused: { index: number; reason: string }[] = []
    for (let start = 0; start < bodies.length; start += batchSize) {
      const Entries = bodies.slice(start, start + batchSize).map((body, offset) => ({
        Id: String(start + offset),
        MessageBody: messageText(body),
        ...(delaySeconds && { DelaySeconds: delaySeconds }),
        ...orderMembers(order?.[start + offset]),
      }))
      const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }))
      for (const { Id, Code, Message } of Failed)
        refused.push({ index: Number(Id), reason: `${Code}: ${Message ?? ''}` })
    }
    return refused
  }
}

/** Queue ids take 128 of these characters, which is all that ours hold. */
const orderMembers = (order: MessageOrder | undefined) =>
  order && { MessageGroupId: order.group, MessageDeduplicationId: order.id }

/** A message may hold only characters that XML allows: everything beyond ASCII is escaped as JSON can. */
const messageText = (body: object): string =>
  JSON.stringify(body).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
