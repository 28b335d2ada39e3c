import {
  type BatchResultErrorEntry,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { clientOptions } from '../../kernel/runtime/client-options.ts'
import { causeMember } from '../../kernel/runtime/log.ts'
import { reportThrottles } from '../../kernel/throttling/retry-strategy.ts'
import { throttlePauseMs } from '../../kernel/throttling/throttled.ts'
import { retryTimeMs } from '../../kernel/throttling/time-limit.ts'
import { clock as systemClock, type Clock } from '../../kernel/time/clock.ts'

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
  /** For standard queues: messages of one group do not delay those of others (fair queues of SQS). One for all bodies, or one per body. */
  readonly fairGroup?: string | readonly string[]
}

/**
 * Sends messages to a queue, ten per call. Answers the index and the reason of each that the queue refused, or could not
 * take within the time for retries. Throws Throttled.
 */
export type Send = (
  queueUrl: string,
  bodies: readonly object[],
  options?: SendOptions,
) => Promise<readonly { index: number; reason: string }[]>

/** Creates a sender with an SQS client of its own. */
export function createSender(
  client: Pick<SQSClient, 'send'> = reportThrottles(
    new SQSClient({ useQueueUrlAsEndpoint: false, ...clientOptions('sqs') }),
    'sqs',
  ),
  clock: Pick<Clock, 'now' | 'sleep' | 'random'> = systemClock,
): Send {
  return async (queueUrl, bodies, { delaySeconds, order, fairGroup } = {}) => {
    const refused: { index: number; reason: string }[] = []
    for (let start = 0; start < bodies.length; start += batchSize) {
      const entries = bodies.slice(start, start + batchSize).map((body, offset) => ({
        Id: String(start + offset),
        // A message of the change feed has the id of the request that wrote the row.
        MessageBody: messageText({ ...causeMember(), ...body }),
        ...(delaySeconds && { DelaySeconds: delaySeconds }),
        ...(fairGroup !== undefined && {
          MessageGroupId: typeof fairGroup === 'string' ? fairGroup : fairGroup[start + offset],
        }),
        ...orderMembers(order?.[start + offset]),
      }))
      for (const { Id, Code, Message } of await sendBatch(queueUrl, entries))
        refused.push({ index: Number(Id), reason: `${Code}: ${Message ?? ''}` })
    }
    return refused
  }

  /** Sends up to ten entries, and those again that the queue could not take now. Answers the entries it refused. */
  async function sendBatch(
    QueueUrl: string,
    entries: readonly SendMessageBatchRequestEntry[],
  ): Promise<readonly BatchResultErrorEntry[]> {
    const endsAt = clock.now() + retryTimeMs()
    const refused: BatchResultErrorEntry[] = []
    let left = entries
    for (let tries = 0; ; tries += 1) {
      const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries: [...left] }))
      refused.push(...Failed.filter(({ SenderFault }) => SenderFault))
      const busy = new Map(Failed.flatMap((one) => (one.SenderFault ? [] : [[one.Id, one]])))
      if (busy.size === 0) return refused
      const pauseMs = throttlePauseMs(tries, clock.random())
      if (clock.now() + pauseMs > endsAt) return [...refused, ...busy.values()]
      await clock.sleep(pauseMs)
      left = left.filter(({ Id }) => busy.has(Id))
    }
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
