import { parseArgs } from 'node:util'
/**
 * `npm run redrive -- --queue search`: puts the messages of a dead-letter queue back into the queue they failed in. Consumers
 * bear hearing a thing twice. Works on the local service while it runs (`DATA_DIR`), or on a deployed one (`--stage name`).
 */
import {
  DeleteMessageCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import { errorMessage } from './error-message.ts'
import { openService, type RunningService } from './open-service.ts'

const usage = `Usage: npm run redrive -- --queue <cleanup|search|jobs|evaluations|processes> [--stage <name>]`
/** Long enough to put ten messages back; what is not by then comes again. */
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
    console.log(moved === 0 ? `Nothing failed in ${name}.` : `${moved} messages went back to ${name}.`)
  } finally {
    service.close()
  }
}

/** CloudFormation names a queue after its stack and the logical id, which begins with the queue's name and its part. */
async function findQueue(
  { sqs, prefix }: RunningService,
  name: string,
  part: 'DeadLetters' | 'Queue',
): Promise<string> {
  const start = `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}${part}`
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: start }))
  if (QueueUrls.length === 1) return QueueUrls[0] as string
  throw new Error(`${QueueUrls.length === 0 ? 'No queue' : 'More than one queue'} is called ${start}.`)
}

/** Up to ten messages: each leaves the one queue when it stands in the other. */
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
    // A queue that keeps order would take the message it knows for the same one, and drop it.
    const isFifo = to.endsWith('.fifo') && { MessageDeduplicationId: `redrive-${MessageId}` }
    await sqs.send(new SendMessageCommand({ QueueUrl: to, MessageBody: Body, MessageAttributes, ...group, ...isFifo }))
    await sqs.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle }))
  }
  return Messages.length
}
