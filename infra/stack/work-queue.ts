import { Aws, type CfnCondition, Duration, Fn } from 'aws-cdk-lib'
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnEventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { CfnQueuePolicy, DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import type { QueueEntry } from '../catalogue/queues.ts'

/** A queue with its dead-letter queue. Consumers must accept a message twice and out of order. */
export class WorkQueue extends Construct {
  readonly queue: Queue
  readonly deadLetters: Queue

  constructor(scope: Construct, id: string, { inOrder, maxReceiveCount }: QueueEntry, consumerTimeoutSeconds: number) {
    super(scope, id)
    const order = inOrder && {
      fifo: true,
      fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
    }
    this.deadLetters = new Queue(this, 'DeadLetters', {
      retentionPeriod: Duration.days(14),
      encryption: QueueEncryption.SQS_MANAGED,
      ...(inOrder && { fifo: true }),
    })
    this.queue = new Queue(this, 'Queue', {
      ...order,
      // Six times the consumer's timeout (Lambda guide), so that throttled polls do not make a message visible again.
      visibilityTimeout: Duration.seconds(6 * consumerTimeoutSeconds),
      retentionPeriod: Duration.days(4),
      encryption: QueueEncryption.SQS_MANAGED,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount },
    })
  }

  /**
   * Limits concurrency at the mapping: reserved concurrency would throttle polls and use up receive counts. Lambda polls an
   * idle queue with such a limit five times at once, and else twice: so it has one in production, or where messages contend.
   */
  consumeBy(
    fn: IFunction,
    { batchSize, windowSeconds, maxConcurrency, contends }: QueueEntry,
    production: CfnCondition,
  ): void {
    fn.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize,
        maxConcurrency,
        ...(windowSeconds !== undefined && { maxBatchingWindow: Duration.seconds(windowSeconds) }),
        reportBatchItemFailures: true,
      }),
    )
    if (contends) return
    // An override, because the L2 property takes no condition.
    for (const mapping of fn.node.findAll().filter((one) => one instanceof CfnEventSourceMapping))
      mapping.addPropertyOverride(
        'ScalingConfig',
        Fn.conditionIf(production.logicalId, { MaximumConcurrency: maxConcurrency }, Aws.NO_VALUE),
      )
  }
}

/** One policy for all queues: plain HTTP is refused. A queue without it would still be private. */
export function refusePlainHttp(scope: Construct, queues: readonly WorkQueue[]): void {
  new CfnQueuePolicy(scope, 'QueuesOverTls', {
    queues: queues.flatMap(({ queue, deadLetters }) => [queue.queueUrl, deadLetters.queueUrl]),
    policyDocument: new PolicyDocument({
      statements: [
        new PolicyStatement({
          effect: Effect.DENY,
          principals: [new AnyPrincipal()],
          actions: ['sqs:*'],
          // Each queue takes it as its own: a queue's policy says nothing about others.
          resources: ['*'],
          conditions: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      ],
    }),
  })
}
