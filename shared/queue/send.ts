import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { clientOptions } from '../client-options.ts'

const batchSize = 10

/** Sends bodies to a queue, ten a call; answers the places of those that the queue did not take. `delaySeconds`: at most 900. */
export type Send = (
  queueUrl: string,
  bodies: readonly object[],
  options?: { readonly delaySeconds?: number },
) => Promise<readonly { index: number; reason: string }[]>

export function createSender(client: Pick<SQSClient, 'send'> = new SQSClient({ useQueueUrlAsEndpoint: false, ...clientOptions('sqs') })): Send {
  return async (queueUrl, bodies, { delaySeconds } = {}) => {
    const refused: { index: number; reason: string }[] = []
    for (let start = 0; start < bodies.length; start += batchSize) {
      const Entries = bodies
        .slice(start, start + batchSize)
        .map((body, offset) => ({ Id: String(start + offset), MessageBody: messageText(body), ...(delaySeconds && { DelaySeconds: delaySeconds }) }))
      const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }))
      for (const { Id, Code, Message } of Failed) refused.push({ index: Number(Id), reason: `${Code}: ${Message ?? ''}` })
    }
    return refused
  }
}

/** A message may hold only characters that XML allows: everything beyond ASCII is escaped as JSON can. */
const messageText = (body: object): string =>
  JSON.stringify(body).replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
