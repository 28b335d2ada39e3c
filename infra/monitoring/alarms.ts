import { Aws, Duration } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import type { DeployedFunction } from '../deployed-function.ts'
import type { ServiceFunction } from '../stack/service-function.ts'
import type { StackParameters } from '../stack/stack-parameters.ts'
import type { WorkQueue } from '../stack/work-queue.ts'
import {
  dueKinds,
  errorsOf,
  failedBatchCount,
  iteratorAge,
  latency,
  oldestDue,
  repaired,
  repairKinds,
  serverErrors,
  throttles,
  visibleMessages,
} from './metrics.ts'

/** What is watched. */
export interface WatchedResources {
  readonly http: HttpApi
  readonly queues: Readonly<Record<string, WorkQueue>>
  readonly functions: readonly { readonly entry: DeployedFunction; readonly fn: ServiceFunction }[]
}

interface Rule {
  readonly metric: IMetric
  /** The first value that is wrong. */
  readonly threshold: number
  /** How many periods of five minutes in a row; 1 unless told. */
  readonly periods?: number
  /** What it means, and what to do. */
  readonly description: string
  /** No value is wrong as well. */
  readonly alarmsOnMissingData?: true
}

/** One alarm per thing an operator has to see to; all of them tell one topic, when it begins and when it is over. */
export class Alarms extends Construct {
  readonly all: Alarm[] = []
  readonly topic: Topic

  constructor(
    scope: Construct,
    id: string,
    { http, queues, functions }: WatchedResources,
    { alarmEmail }: Pick<StackParameters, 'alarmEmail'>,
  ) {
    super(scope, id)
    this.topic = new Topic(this, 'Topic', { displayName: 'Alarms of the workflow platform', enforceSSL: true })
    // A topic with a policy of its own loses the one that lets the account's alarms in.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    )
    const subscription = new CfnSubscription(this, 'Email', {
      topicArn: this.topic.topicArn,
      protocol: 'email',
      endpoint: alarmEmail.address,
    })
    subscription.cfnOptions.condition = alarmEmail.given

    for (const [name, { deadLetters }] of Object.entries(queues)) {
      this.#watch(`${capital(name)}DeadLetters`, {
        metric: visibleMessages(deadLetters),
        threshold: 1,
        description: `Messages of ${name} failed for good. Find the cause in the log, then: npm run redrive -- --queue ${name}`,
      })
    }
    for (const { entry, fn } of functions) {
      const { kind } = entry.trigger
      const isRare = entry.trigger.kind === 'schedule' && entry.trigger.everyMinutes > 60
      if (kind === 'stream') {
        this.#watch(`${fn.node.id}Late`, {
          metric: iteratorAge(fn),
          threshold: Duration.minutes(10).toMilliseconds(),
          description: `${entry.name} is more than ten minutes behind the table's changes.`,
        })
      }
      // What endpoint groups fail at shows in the answers of the API.
      if (kind !== 'routes')
        this.#watch(`${fn.node.id}Errors`, {
          metric: errorsOf(fn),
          threshold: 1,
          periods: isRare ? 1 : 3,
          description: `${entry.name} ${isRare ? 'failed' : 'keeps failing'}.`,
        })
      if (entry.name === 'due-sweeper') {
        const metric = fn.metricInvocations({ period: Duration.minutes(5), statistic: 'Sum' })
        this.#watch('SweeperSilent', {
          metric,
          threshold: 0,
          periods: 3,
          alarmsOnMissingData: true,
          description: 'The due-sweeper does not run: nothing that was left behind is picked up.',
        })
      }
    }
    this.#watch('FailedBatches', {
      metric: failedBatchCount(this),
      threshold: 1,
      description: 'A stream reader gave up on changes. Find the cause in its log, then: npm run replay',
    })
    for (const kind of dueKinds) {
      this.#watch(`${capital(kind)}Overdue`, {
        metric: oldestDue(this, kind),
        threshold: Duration.minutes(15).toSeconds(),
        periods: 2,
        description: `Due ${kind} wait for more than fifteen minutes.`,
      })
    }
    for (const kind of repairKinds) {
      this.#watch(`${capital(kind)}Repaired`, {
        metric: repaired(this, kind),
        threshold: 1,
        description: `The nightly repair had to mend ${kind}: something was lost before. Its log names the records.`,
      })
    }
    this.#watch('ServerErrors', {
      metric: serverErrors(http),
      threshold: 5,
      description: 'The API answers 5xx. Look for level ERROR in the logs of the functions.',
    })
    this.#watch('Slow', {
      metric: latency(http, 'p99'),
      threshold: 5_000,
      periods: 3,
      description: 'One request in a hundred takes more than five seconds.',
    })
    this.#watch('Throttled', {
      metric: throttles(),
      threshold: 10,
      periods: 2,
      description: 'Functions are throttled: the concurrency of the account is used up.',
    })
  }

  #watch(id: string, { metric, threshold, periods = 1, description, alarmsOnMissingData }: Rule): void {
    const alarm = new Alarm(this, id, {
      metric,
      alarmDescription: description,
      threshold: threshold,
      comparisonOperator: alarmsOnMissingData
        ? ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: alarmsOnMissingData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    })
    const tell = new SnsAction(this.topic)
    alarm.addAlarmAction(tell)
    alarm.addOkAction(tell)
    this.all.push(alarm)
  }
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
