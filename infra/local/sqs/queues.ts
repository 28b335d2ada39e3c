/** The SQS API on our own durable queues, with the JSON shapes of the wire. */
import { hash } from 'node:crypto'
import { lineageAttribute } from '../lambda/lineage.ts'
import type { Storage } from '../runtime/storage/storage.ts'
import { openTimeline, type Timeline } from '../runtime/timing/timeline.ts'
import { checkBatch, checkMessage, messageBytes } from './check-message.ts'
import type { MessageInput } from './check-message.ts'
import type { SentMessage } from './deduplication.ts'
import type { Disorder } from './disorder.ts'
import { QueueError, invalidValue, missing, noSuchQueue } from './queue-error.ts'
import { openQueue } from './queue.ts'
import type { Queue, QueueDefinition, ReceivedMessage } from './queue.ts'
import { sequenceNumber } from './system-attributes.ts'

export interface Queues {
  /** Runs an SQS operation; throws QueueError. */
  call(operation: string, input: any): Promise<object>
  /** A queue by name or ARN. */
  get(nameOrArn: string): Queue | undefined
  all(): Queue[]
  close(): void
}

type Operation = (input: any) => Promise<object> | object

export async function openQueues(
  storage: Storage,
  definitions: readonly QueueDefinition[],
  timeline: Timeline = openTimeline(),
  disorderOf: (queueName: string) => Disorder | undefined = () => undefined,
): Promise<Queues> {
  const queues = new Map<string, Queue>()
  const get = (nameOrArn: string): Queue | undefined => queues.get(nameOrArn.slice(nameOrArn.lastIndexOf(':') + 1))
  for (const definition of definitions) {
    const deadLetterArn = definition.redrive?.deadLetterArn
    if (deadLetterArn && !definitions.some(({ arn }) => arn === deadLetterArn)) {
      throw new Error(`The queue ${definition.name} names a dead letter queue that does not exist: ${deadLetterArn}`)
    }
    queues.set(
      definition.name,
      await openQueue(storage, definition, {
        timeline,
        disorder: disorderOf(definition.name),
        deadLetterQueue: () => (deadLetterArn ? get(deadLetterArn) : undefined),
      }),
    )
  }

  const operations: Record<string, Operation> = {
    async SendMessage(input: MessageInput & { QueueUrl?: string }) {
      const queue = queueOf(input)
      checkMessage(queue.definition, input)
      const [sent] = await queue.send([toOutgoing(input)])
      return sentAnswer(queue, input, sent!)
    },

    async SendMessageBatch(input: { QueueUrl?: string; Entries?: MessageInput[] }) {
      const queue = queueOf(input)
      checkBatch(input.Entries)
      const entries = input.Entries as MessageInput[]
      const bytes = entries.reduce((sum, entry) => sum + messageBytes(entry), 0)
      if (bytes > queue.definition.maxMessageBytes) {
        const text = `Batch requests cannot be longer than ${queue.definition.maxMessageBytes} bytes. You have sent ${bytes} bytes.`
        throw new QueueError('BatchRequestTooLong', text, 'AWS.SimpleQueueService.BatchRequestTooLong')
      }
      const { done: accepted, failed } = partition(entries, (entry) => checkMessage(queue.definition, entry))
      const sent = await queue.send(accepted.map(toOutgoing))
      return {
        Successful: accepted.map((entry, at) => ({ Id: entry.Id, ...sentAnswer(queue, entry, sent[at]!) })),
        Failed: failed,
      }
    },

    async ReceiveMessage(input) {
      const queue = queueOf(input)
      const max = limited(input, 'MaxNumberOfMessages', 1, 1, 10)
      const visibility = limited(input, 'VisibilityTimeout', queue.definition.visibilityMs / 1000, 0, 43_200)
      const waitMs = limited(input, 'WaitTimeSeconds', queue.definition.receiveWaitMs / 1000, 0, 20) * 1000
      let received = queue.take(max, visibility * 1000)
      if (received.length === 0 && waitMs > 0) {
        await arrival(queue, timeline, waitMs)
        received = queue.take(max, visibility * 1000)
      }
      return received.length === 0 ? {} : { Messages: received.map((message) => receivedAnswer(message, input)) }
    },

    async DeleteMessage(input) {
      const queue = queueOf(input)
      checkHandle(input.ReceiptHandle)
      const [deleted] = await queue.delete([input.ReceiptHandle])
      if (!deleted && queue.definition.fifo)
        throw invalidValue('ReceiptHandle', input.ReceiptHandle, 'The receipt handle has expired.')
      return {}
    },

    async DeleteMessageBatch(input: { QueueUrl?: string; Entries?: { Id?: string; ReceiptHandle?: string }[] }) {
      const queue = queueOf(input)
      checkBatch(input.Entries)
      const entries = input.Entries as { Id: string; ReceiptHandle?: string }[]
      const { done, failed } = partition(entries, (entry) => checkHandle(entry.ReceiptHandle))
      await queue.delete(done.map((entry) => entry.ReceiptHandle!))
      return { Successful: done.map(({ Id }) => ({ Id })), Failed: failed }
    },

    async ChangeMessageVisibility(input) {
      await changeVisibility(queueOf(input), input)
      return {}
    },

    async ChangeMessageVisibilityBatch(input: { QueueUrl?: string; Entries?: VisibilityInput[] }) {
      const queue = queueOf(input)
      checkBatch(input.Entries)
      const done: object[] = []
      const failed: object[] = []
      for (const entry of input.Entries as VisibilityInput[]) {
        try {
          await changeVisibility(queue, entry)
          done.push({ Id: entry.Id })
        } catch (error) {
          failed.push(failedEntry(entry, error))
        }
      }
      return { Successful: done, Failed: failed }
    },

    GetQueueAttributes: (input) => ({
      Attributes: chosen(queueAttributes(queueOf(input)), input.AttributeNames ?? []),
    }),

    GetQueueUrl(input) {
      const queue = get(input.QueueName ?? '')
      if (!queue) throw noSuchQueue()
      const [, , , , accountId] = queue.definition.arn.split(':')
      return { QueueUrl: `http://sqs.in-process/${accountId}/${queue.definition.name}` }
    },

    ListQueues({ QueueNamePrefix = '' }: { QueueNamePrefix?: string }) {
      const found = [...queues.values()]
        .map(({ definition }) => definition)
        .filter(({ name }) => name.startsWith(QueueNamePrefix))
      return { QueueUrls: found.map(({ arn, name }) => `http://sqs.in-process/${arn.split(':')[4]}/${name}`) }
    },

    async PurgeQueue(input) {
      await queueOf(input).purge()
      return {}
    },
  }

  function queueOf({ QueueUrl }: { QueueUrl?: string }): Queue {
    if (!QueueUrl) throw missing('QueueUrl')
    const queue = queues.get(QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1))
    if (!queue) throw noSuchQueue()
    return queue
  }

  return {
    async call(operation, input) {
      const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined
      if (!run)
        throw new QueueError('UnsupportedOperation', `The local cloud does not run the SQS operation ${operation}.`)
      return run(input)
    },
    get,
    all: () => [...queues.values()],
    close() {
      for (const queue of queues.values()) queue.close()
    },
  }
}

function toOutgoing(input: MessageInput) {
  return {
    body: input.MessageBody!,
    attributes: input.MessageAttributes,
    group: input.MessageGroupId,
    deduplicationId: input.MessageDeduplicationId,
    delayMs: input.DelaySeconds === undefined ? undefined : input.DelaySeconds * 1000,
    system: lineageAttribute(),
  }
}

function sentAnswer(queue: Queue, { MessageBody = '' }: MessageInput, { messageId, sequence }: SentMessage): object {
  const SequenceNumber = queue.definition.fifo ? sequenceNumber(sequence) : undefined
  return { MessageId: messageId, MD5OfMessageBody: hash('md5', MessageBody), SequenceNumber }
}

function receivedAnswer(
  message: ReceivedMessage,
  input: { AttributeNames?: string[]; MessageSystemAttributeNames?: string[]; MessageAttributeNames?: string[] },
): object {
  const system = chosen(message.system, [...(input.AttributeNames ?? []), ...(input.MessageSystemAttributeNames ?? [])])
  const attributes = chosen(message.attributes, input.MessageAttributeNames ?? [])
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.handle,
    Body: message.body,
    MD5OfBody: hash('md5', message.body),
    Attributes: Object.keys(system).length > 0 ? system : undefined,
    MessageAttributes: Object.keys(attributes).length > 0 ? attributes : undefined,
  }
}

function queueAttributes({ definition, counts }: Queue): Record<string, string> {
  const fifo = { FifoQueue: 'true', ContentBasedDeduplication: String(definition.contentBasedDeduplication) }
  const { redrive } = definition
  return {
    QueueArn: definition.arn,
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.inFlight),
    ApproximateNumberOfMessagesDelayed: String(counts.delayed),
    VisibilityTimeout: String(definition.visibilityMs / 1000),
    DelaySeconds: String(definition.delayMs / 1000),
    MaximumMessageSize: String(definition.maxMessageBytes),
    MessageRetentionPeriod: String(definition.retentionMs / 1000),
    ReceiveMessageWaitTimeSeconds: String(definition.receiveWaitMs / 1000),
    ...(definition.fifo && fifo),
    ...(redrive && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: redrive.deadLetterArn,
        maxReceiveCount: redrive.maxReceiveCount,
      }),
    }),
  }
}

/** The requested members: by name, `All`, or `prefix.*`. */
function chosen<T>(members: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  const asked = (member: string): boolean =>
    names.some(
      (name) =>
        name === member ||
        name === 'All' ||
        name === '.*' ||
        (name.endsWith('.*') && member.startsWith(name.slice(0, -1))),
    )
  return Object.fromEntries(Object.entries(members).filter(([member]) => asked(member)))
}

function limited(input: Record<string, unknown>, name: string, unset: number, least: number, most: number): number {
  const value = Number(input[name] ?? unset)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw invalidValue(name, input[name], `Must be between ${least} and ${most}, if provided.`)
}

function checkHandle(handle: unknown): void {
  if (typeof handle === 'string' && /^\d+-\d+$/.test(handle)) return
  throw new QueueError(
    'ReceiptHandleIsInvalid',
    `The input receipt handle "${String(handle)}" is not a valid receipt handle.`,
  )
}

/** Splits the entries of a batch into valid ones and failures, as a batch reports them. */
function partition<T extends { Id?: string }>(entries: readonly T[], check: (entry: T) => void) {
  const done: T[] = []
  const failed: object[] = []
  for (const entry of entries) {
    try {
      check(entry)
      done.push(entry)
    } catch (error) {
      failed.push(failedEntry(entry, error))
    }
  }
  return { done, failed }
}

function failedEntry({ Id }: { Id?: string }, error: unknown): object {
  if (!(error instanceof QueueError)) throw error
  return { Id, Code: error.body.__type.split('#')[1], Message: error.message, SenderFault: true }
}

interface VisibilityInput {
  Id?: string
  ReceiptHandle?: string
  VisibilityTimeout?: number
}

async function changeVisibility(queue: Queue, input: VisibilityInput): Promise<void> {
  checkHandle(input.ReceiptHandle)
  if (input.VisibilityTimeout === undefined) throw missing('VisibilityTimeout')
  const seconds = limited({ ...input }, 'VisibilityTimeout', 0, 0, 43_200)
  if (await queue.changeVisibility(input.ReceiptHandle as string, seconds * 1000)) return
  throw new QueueError(
    'MessageNotInflight',
    `Value ${input.ReceiptHandle} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.`,
  )
}

/** Resolves when messages may be visible, or after `waitMs`. */
function arrival(queue: Queue, timeline: Timeline, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel()
      stop()
      resolve()
    }
    const cancel = timeline.at(timeline.now() + waitMs, done)
    const stop = queue.onArrival(done)
  })
}
