/**
 * `npm run redrive`: moves the messages of a dead-letter queue back to its queue. Consumers are idempotent. Works on
 * the running local service (`DATA_DIR`) or on a deployed one (`--stage`).
 */

import { parseArgs } from 'node:util'
import {
  DeleteMessageCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import { queueNames } from '../catalogue/queues.ts'
import { pascalCase } from '../pascal-case.ts'
import { errorMessage } from './error-message.ts'
import { openService, type RunningService } from './open-service.ts'

const usage = `Usage: npm run redrive -- --queue <${queueNames.join('|')}>
         [--stage <name>]  a deployed service (default: the local one in DATA_DIR)`
/** Visibility timeout: long enough to move ten messages. What is not moved by then is received again. */
const holdSeconds = 60

try {
  const { values } = parseArgs({
    options: { queue: { type: 'string' }, stage: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help || values.queue === undefined) {
    console.log(usage)
    process.exitCode = values.help ? 0 : 1
  } else await redrive(values.queue, values)
} catch (error) {
  console.error(errorMessage(error, usage))
  process.exitCode = 1
}

async function redrive(name: string, target: { stage?: string }): Promise<void> {
  const service = await openService(target)
  try {
    const [from, to] = [await findQueue(service, name, 'DeadLetters'), await findQueue(service, name, 'Queue')]
    let moved = 0
    for (let taken = await moveBatch(service.sqs, from, to); taken > 0; taken = await moveBatch(service.sqs, from, to))
      moved += taken
    console.log(moved === 0 ? `The dead-letter queue of ${name} is empty.` : `${moved} messages went back to ${name}.`)
  } finally {
    service.close()
  }
}

/** CloudFormation names a queue after the stack and the logical id, e.g. `EntityWorkflow-prod-SearchDeadLetters...`. */
async function findQueue(
  { sqs, prefix }: RunningService,
  name: string,
  part: 'DeadLetters' | 'Queue',
): Promise<string> {
  const start = `${prefix}${pascalCase(name)}${part}`
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: start }))
  if (QueueUrls.length === 1) return QueueUrls[0] as string
  throw new Error(`${QueueUrls.length === 0 ? 'No queue' : 'More than one queue'} is called ${start}.`)
}

/** Moves up to ten messages. A message is deleted only after it is in the other queue. */
async function moveBatch(sqs: SQSClient, from: string, to: string): Promise<number> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: from,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: holdSeconds,
      WaitTimeSeconds: 1,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    }),
  )
  for (const { Body, ReceiptHandle, MessageAttributes, Attributes = {}, MessageId } of Messages) {
    const group = Attributes.MessageGroupId && { MessageGroupId: Attributes.MessageGroupId }
    // A new deduplication id: a FIFO queue would drop the message as a duplicate.
    const isFifo = to.endsWith('.fifo') && { MessageDeduplicationId: `redrive-${MessageId}` }
    await sqs.send(new SendMessageCommand({ QueueUrl: to, MessageBody: Body, MessageAttributes, ...group, ...isFifo }))
    await sqs.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle }))
  }
  return Messages.length
}
