import { ChangeMessageVisibilityBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { clientOptions } from '../../kernel/runtime/client-options.ts'
import { mayFail } from '../../kernel/runtime/log.ts'
import { reportThrottles } from '../../kernel/throttling/retry-strategy.ts'

/** A message as Lambda passes it on. */
export interface QueueRecord {
  readonly messageId: string
  readonly body: string
  readonly receiptHandle?: string
  readonly eventSourceARN?: string
  readonly attributes?: { readonly ApproximateReceiveCount?: string }
}

/**
 * After how many seconds a failed message comes back, by how often it was received. Without this it would come back
 * after the visibility timeout of its queue, which is six times what its function may take.
 */
const secondsBetween = [5, 30, 120, 600, 900]
/** In a FIFO queue the rest of its group waits with it. */
const secondsBetweenInOrder = [2, 10, 30, 60, 180, 300]
const batchSize = 10

let client: Pick<SQSClient, 'send'> | undefined

/**
 * Makes messages whose handling failed visible again when it is their time. If this fails, a message comes back after the
 * visibility timeout.
 */
export async function returnMessages(
  failed: readonly QueueRecord[],
  sqs: Pick<SQSClient, 'send'> = (client ??= reportThrottles(
    new SQSClient({ useQueueUrlAsEndpoint: false, ...clientOptions('sqs') }),
    'sqs',
  )),
): Promise<void> {
  const queue = failed[0]?.eventSourceARN
  if (!queue) return
  const entries = failed.flatMap(({ receiptHandle, attributes }, index) => {
    const VisibilityTimeout = secondsUntilRetry(queue, Number(attributes?.ApproximateReceiveCount ?? 1))
    return receiptHandle ? [{ Id: String(index), ReceiptHandle: receiptHandle, VisibilityTimeout }] : []
  })
  for (let start = 0; start < entries.length; start += batchSize) {
    const Entries = entries.slice(start, start + batchSize)
    await mayFail('say when messages come back', () =>
      sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: urlOf(queue), Entries })),
    )
  }
}

function secondsUntilRetry(queue: string, receives: number): number {
  const seconds = queue.endsWith('.fifo') ? secondsBetweenInOrder : secondsBetween
  return seconds[Math.min(receives, seconds.length) - 1] ?? 0
}

/** Its host means nothing: the client knows where SQS is. */
function urlOf(arn: string): string {
  const [, , , region, account, name] = arn.split(':')
  return `https://sqs.${region}.amazonaws.com/${account}/${name}`
}
