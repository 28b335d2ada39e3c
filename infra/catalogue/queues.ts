import {
  type ChannelType,
  channelTypeOf,
  channelTypes,
  type DeliveryQueue,
  deliveryQueueOf,
} from '../../shared/messages/channels/schema.ts'

/** A queue: who sends to it, who takes from it, and how. Its rights, variables and dead-letter queue follow from this. */
export type QueueEntry = QueueOptions & DeliveryOrder

/**
 * FIFO: messages of one group arrive in order, one at a time. In a batch, those behind a message that fails would come back with
 * it, and SQS would count that as attempts: they would go to the dead-letter queue together.
 */
type DeliveryOrder = { readonly inOrder: true; readonly batchSize: 1 } | { readonly inOrder?: undefined }

interface QueueOptions {
  /** The function that takes its messages; six times its timeout, a message that was taken is not visible. */
  readonly consumer: string
  /** The functions that may send to it. They find its address in its variable. */
  readonly producers: readonly string[]
  /** What is in its dead-letter queue. */
  readonly deadLetters: string
  readonly batchSize: number
  /** How long Lambda waits to fill a batch. */
  readonly windowSeconds?: number
  readonly maxConcurrency: number
  /** Its messages write the same rows, so the limit of concurrency holds in every stage. */
  readonly contends?: true
  /** Eight attempts take an hour, in a FIFO queue a quarter of one: see `return-messages.ts`. */
  readonly maxReceiveCount: number
  /** Where it is not `<NAME>_QUEUE_URL`. */
  readonly variable?: QueueVariable
}

/** The environment variable that holds the address of a queue. */
export type QueueVariable = `${string}_QUEUE_URL`

const deliveryConsumers = channelTypes.map((type) => `delivery-${type}`)

const workQueues = {
  cleanup: {
    consumer: 'record-cleanup',
    producers: ['fan-out', 'due-sweeper'],
    deadLetters: 'Deletes and pending hooks that record-cleanup could not finish',
    batchSize: 5,
    maxConcurrency: 10,
    maxReceiveCount: 8,
  },
  search: {
    consumer: 'search-indexer',
    producers: ['fan-out', 'job-runner'],
    deadLetters: 'Changes that are missing in lists and searches',
    batchSize: 100,
    windowSeconds: 1,
    // Low: invocations contend for the end of a busy table's log.
    maxConcurrency: 4,
    contends: true,
    maxReceiveCount: 8,
  },
  rollups: {
    consumer: 'rollup-keeper',
    producers: ['fan-out', 'job-runner'],
    deadLetters: 'Changes that are missing in rollups',
    // Ten at a time without waiting for more: a rollup is right within two seconds.
    batchSize: 10,
    // Low: messages of an import touch the same few records.
    maxConcurrency: 4,
    contends: true,
    maxReceiveCount: 8,
  },
  jobs: {
    consumer: 'job-runner',
    producers: [
      'tenant',
      'tables',
      'configuration',
      'import-export',
      'channels',
      'processes',
      'job-runner',
      'due-sweeper',
      'nightly-repair',
    ],
    deadLetters: 'Wake-ups of jobs that job-runner failed on',
    batchSize: 1,
    maxConcurrency: 5,
    maxReceiveCount: 8,
  },
  evaluations: {
    consumer: 'process-evaluation',
    producers: ['fan-out'],
    deadLetters: 'Changes that process-evaluation failed on',
    inOrder: true,
    batchSize: 1,
    maxConcurrency: 10,
    maxReceiveCount: 8,
    variable: 'EVALUATION_QUEUE_URL',
  },
  subscriptions: {
    consumer: 'subscription-evaluation',
    // The evaluation sends itself those whom one message does not tell.
    producers: ['fan-out', 'subscription-evaluation'],
    deadLetters: 'Changes that subscription-evaluation failed on',
    inOrder: true,
    batchSize: 1,
    maxConcurrency: 10,
    maxReceiveCount: 8,
  },
  processes: {
    consumer: 'process-runner',
    producers: ['fan-out', 'due-sweeper', 'process-evaluation', 'process-runner', 'processes', 'job-runner'],
    deadLetters: 'Wake-ups of process instances that process-runner failed on',
    batchSize: 5,
    maxConcurrency: 10,
    maxReceiveCount: 8,
  },
  'account-mail': {
    consumer: 'account-mailer',
    producers: ['auth'],
    deadLetters: 'Mails of accounts that account-mailer failed on',
    // Each mail takes 15 s at most. Twelve attempts span more than the hour after which a mail is given up.
    batchSize: 5,
    maxConcurrency: 5,
    maxReceiveCount: 12,
  },
  expansions: {
    consumer: 'delivery-expansion',
    producers: ['fan-out', 'due-sweeper'],
    deadLetters: 'Intents that delivery-expansion failed on',
    batchSize: 10,
    maxConcurrency: 10,
    maxReceiveCount: 8,
  },
  incoming: {
    consumer: 'incoming-rules',
    producers: ['fan-out', 'incoming-rules'],
    deadLetters: 'Messages whose rules incoming-rules failed on',
    inOrder: true,
    batchSize: 1,
    maxConcurrency: 50,
    maxReceiveCount: 8,
  },
  mailboxes: {
    consumer: 'mailbox-fetch',
    producers: ['mailbox', 'mailbox-poll', 'mailbox-fetch'],
    deadLetters: 'Mailboxes that mailbox-fetch failed on',
    // One at a time: a mail server that hangs holds up no other mailbox.
    batchSize: 1,
    maxConcurrency: 50,
    maxReceiveCount: 8,
  },
} as const satisfies Readonly<Record<string, QueueEntry>>

export type QueueName = keyof typeof workQueues | DeliveryQueue<ChannelType>

/** Where the deliveries of a type of channel wait for an attempt. */
const deliveryQueue = (type: ChannelType): QueueEntry => ({
  consumer: `delivery-${type}`,
  producers: ['job-runner', 'delivery-expansion', 'due-sweeper', 'channels', ...deliveryConsumers],
  deadLetters: channelTypeOf(type).deadLetters,
  // Small: a slow receiver holds up the rest of its batch.
  batchSize: 5,
  maxConcurrency: 40,
  maxReceiveCount: 8,
})

/** Every queue of the service, in the order in which operators see them. */
export const queues: Readonly<Record<QueueName, QueueEntry>> = {
  ...workQueues,
  ...(Object.fromEntries(channelTypes.map((type) => [deliveryQueueOf(type), deliveryQueue(type)])) as Record<
    DeliveryQueue<ChannelType>,
    QueueEntry
  >),
}
export const queueNames = Object.keys(queues) as readonly QueueName[]

/** The variable with the address of a queue. */
export const queueVariable = (name: QueueName): QueueVariable =>
  queues[name].variable ?? `${name.toUpperCase().replaceAll('-', '_')}_QUEUE_URL`
