import { Aws, type CfnCondition, Duration, type Stack } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Alarm, type CfnAlarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { dueKinds } from '../../shared/platform/store/due/due-kinds.ts'
import type { DeployedFunction } from '../catalogue/deployed-function.ts'
import type { QueueName } from '../catalogue/queues.ts'
import { pascalCase } from '../pascal-case.ts'
import type { ServiceFunction } from '../stack/service-function.ts'
import type { MonitoringParameters } from '../stack/stack-parameters.ts'
import type { WorkQueue } from '../stack/work-queue.ts'
import {
  errorsOf,
  failedBatchCount,
  iteratorAge,
  latency,
  oldestMessage,
  oldestDue,
  repaired,
  repairKinds,
  serverErrors,
  tableThrottles,
  throttles,
  tooManyServerErrors,
  visibleMessages,
} from './metrics.ts'

/**
 * The queues whose work nobody repeats: other queues carry wake-ups of rows, and the age of those is watched (`dueKinds`).
 * `rollups` needs none: the nightly repair queues again every rollup that changed records touch.
 */
const unrepeated: readonly QueueName[] = ['search', 'evaluations', 'subscriptions', 'incoming']

export interface WatchedResources {
  /** The stack of the service, whose name is the namespace of its own metrics. */
  readonly service: Stack
  readonly table: ITable
  readonly http: HttpApi
  readonly queues: Readonly<Record<string, WorkQueue>>
  readonly functions: readonly { readonly entry: DeployedFunction; readonly fn: ServiceFunction }[]
  /** Where every function logs. */
  readonly logs: ILogGroup
}

interface Rule {
  readonly metric: IMetric
  /** The alarm rings when the metric reaches this value. */
  readonly threshold: number
  /** Number of consecutive periods of five minutes; default 1. */
  readonly periods?: number
  /** What happened and what to do about it. */
  readonly description: string
  /** Rings also when there is no data. */
  readonly alarmsOnMissingData?: true
}

/** One alarm per problem an operator must act on. All alarms notify one topic when they start and when they end. */
export class Alarms extends Construct {
  readonly all: Alarm[] = []
  readonly topic: Topic

  constructor(
    scope: Construct,
    id: string,
    { service, http, table, queues, functions }: WatchedResources,
    { alarmEmail, messengerDirect }: Pick<MonitoringParameters, 'alarmEmail' | 'messengerDirect'>,
  ) {
    super(scope, id)
    this.topic = new Topic(this, 'Topic', { displayName: 'Alarms of the workflow platform', enforceSSL: true })
    // A topic policy replaces the default one, which lets CloudWatch publish: allow it again.
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
    subscription.cfnOptions.condition = alarmEmail.isSet

    for (const [name, { deadLetters }] of Object.entries(queues)) {
      this.#watch(`${pascalCase(name)}DeadLetters`, {
        metric: visibleMessages(deadLetters),
        threshold: 1,
        description: `Messages are in the dead-letter queue of ${name}. Find the cause in the consumer's log, fix it, then: npm run redrive -- --queue ${name}`,
      })
    }
    for (const name of unrepeated) {
      this.#watch(`${pascalCase(name)}Waits`, {
        metric: oldestMessage((queues[name] as WorkQueue).queue),
        threshold: Duration.minutes(15).toSeconds(),
        periods: 2,
        description: `A message of ${name} has waited for more than 15 minutes. Look for errors, throttling or too little concurrency of its consumer.`,
      })
    }
    for (const kind of ['Read', 'Write'] as const) {
      this.#watch(`Table${kind}sThrottled`, {
        metric: tableThrottles(table, kind),
        threshold: 100,
        periods: 2,
        description: `The table refuses ${kind.toLowerCase()}s. Find who floods it by the tenant in the logs; raise Max${kind}RequestUnits where it is set, else ask for a higher quota of the table.`,
      })
    }
    for (const { entry, fn } of functions) {
      const { kind } = entry.trigger
      const isRare = entry.trigger.kind === 'schedule' && 'dailyAt' in entry.trigger
      if (kind === 'stream') {
        this.#watch(`${fn.node.id}Late`, {
          metric: iteratorAge(fn),
          threshold: Duration.minutes(10).toMilliseconds(),
          description: `${entry.name} is more than 10 minutes behind the table's stream. Look for errors or throttling in its log.`,
        })
      }
      // Failures of endpoint groups show up as 5xx of the API, those of queue consumers as dead letters, those of stream
      // readers as their lag. A mailbox-poll that fails leaves mailboxes overdue.
      if (kind === 'schedule' && entry.name !== 'mailbox-poll')
        this.#watch(`${fn.node.id}Errors`, {
          metric: errorsOf(fn),
          threshold: 1,
          periods: isRare ? 1 : 3,
          description: `${entry.name} ${isRare ? 'failed' : 'keeps failing'}. Its log says why.`,
        })
      if (entry.functionUrl) this.#watchDirectAddress(fn, entry.functionUrl.maxConcurrency, messengerDirect)
      if (entry.name === 'due-sweeper') {
        const metric = fn.metricInvocations({ period: Duration.minutes(5), statistic: 'Sum' })
        this.#watch('SweeperSilent', {
          metric,
          threshold: 0,
          periods: 3,
          alarmsOnMissingData: true,
          description: 'The due-sweeper has not run for 15 minutes, so due work waits. Check its schedule and its log.',
        })
      }
    }
    this.#watch('FailedBatches', {
      metric: failedBatchCount(service),
      threshold: 1,
      description: 'audit or fan-out gave up on changes. Find the cause in its log, fix it, then: npm run replay',
    })
    for (const kind of dueKinds) {
      this.#watch(`${pascalCase(kind)}Overdue`, {
        metric: oldestDue(service, kind),
        threshold: Duration.minutes(15).toSeconds(),
        periods: 2,
        description: `Due work of the kind ${kind} has waited for more than 15 minutes. Check the function that consumes it.`,
      })
    }
    for (const kind of repairKinds) {
      this.#watch(`${pascalCase(kind)}Repaired`, {
        metric: repaired(service, kind),
        threshold: 1,
        description: `The nightly repair had to repair ${kind}, so something was lost before. The log of job-runner names the records.`,
      })
    }
    this.#watch('ServerErrors', {
      metric: serverErrors(http),
      threshold: tooManyServerErrors,
      description: 'The API answered five or more 5xx in 5 minutes. Look for level ERROR in the logs of the functions.',
    })
    this.#watch('Slow', {
      metric: latency(http, 'p99'),
      threshold: 5_000,
      periods: 3,
      description: 'The p99 latency of the API is over 5 seconds. Find the slowest routes in the access log.',
    })
    this.#watch('Throttled', {
      metric: throttles(),
      threshold: 10,
      periods: 2,
      description: 'Functions are throttled: the account has reached its concurrency limit. Raise it.',
    })
  }

  /** API Gateway does not see its requests. */
  #watchDirectAddress(fn: ServiceFunction, maxConcurrency: number, condition: CfnCondition): void {
    const alarms = [
      this.#watch('MessengerAddressErrors', {
        metric: fn.metric('Url5xxCount', { period: Duration.minutes(5), statistic: 'Sum' }),
        threshold: 5,
        description:
          'The address of the messenger answered five or more 5xx in 5 minutes. Look for level ERROR in the log, service messenger-webhook.',
      }),
      this.#watch('MessengerAddressBusy', {
        metric: fn.metric('ConcurrentExecutions', { period: Duration.minutes(5), statistic: 'Maximum' }),
        threshold: 0.8 * maxConcurrency,
        description: `The address of the messenger uses 80 % of its ${maxConcurrency} instances: beyond them it answers 429, and the messenger repeats. Raise maxConcurrency in infra/catalogue/endpoint-groups.ts, or find who floods it.`,
      }),
    ]
    // They exist with the address only, so the list of the dashboard cannot name them.
    this.all.splice(-alarms.length)
    for (const alarm of alarms) (alarm.node.defaultChild as CfnAlarm).cfnOptions.condition = condition
  }

  #watch(id: string, { metric, threshold, periods = 1, description, alarmsOnMissingData }: Rule): Alarm {
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
    const notify = new SnsAction(this.topic)
    alarm.addAlarmAction(notify)
    alarm.addOkAction(notify)
    this.all.push(alarm)
    return alarm
  }
}
