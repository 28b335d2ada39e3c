import { describe, expect, it } from 'vitest'
import { deployedFunctions } from '../../infra/catalogue/functions.ts'
import { dueKinds } from '../../shared/platform/store/due/due-kinds.ts'
import {
  functionNamed,
  type Properties,
  resources,
  resourcesOf,
  stacks,
  target,
  template,
  theOnly,
} from './synthesized.ts'

/** Those of the operator; that of the canary is beside them (`rollout.test.ts`). */
const alarms = resources
  .filter(({ id, type }) => type === 'AWS::CloudWatch::Alarm' && id in stacks.monitoring.Resources)
  .map(({ properties }) => properties)
const on = (metric: string): Properties[] => alarms.filter(({ MetricName }) => MetricName === metric)
const dimension = ({ Dimensions = [] }: Properties, name: string): any =>
  Dimensions.find(({ Name }: Properties) => Name === name)?.Value
const namesOf = (kind: string): string[] =>
  deployedFunctions.filter(({ trigger }) => trigger.kind === kind).map(({ name }) => functionNamed(name).id)

describe('the alarms', () => {
  it('watch every dead-letter queue', () => {
    const queues = resourcesOf('AWS::SQS::Queue').filter(({ properties }) => properties.RedrivePolicy !== undefined)
    const deadLetters = queues.map(({ properties }) => target(properties.RedrivePolicy.deadLetterTargetArn)).toSorted()
    expect(
      on('ApproximateNumberOfMessagesVisible')
        .map((alarm) => target(dimension(alarm, 'QueueName')))
        .toSorted(),
    ).toEqual(deadLetters)
  })

  it('watch how long messages wait whose work nobody repeats', () => {
    const waits = on('ApproximateAgeOfOldestMessage')
    expect(waits.map((alarm) => target(dimension(alarm, 'QueueName')).replace(/Queue[0-9A-F]+$/, ''))).toEqual([
      'Search',
      'Evaluations',
      'Subscriptions',
      'Incoming',
    ])
    for (const alarm of waits)
      expect(alarm).toMatchObject({ Threshold: 900, EvaluationPeriods: 2, Statistic: 'Maximum', Namespace: 'AWS/SQS' })
  })

  it('watch what the table in use refuses', () => {
    const { TABLE_NAME: table } = functionNamed('records').properties.Environment.Variables
    for (const metric of ['ReadThrottleEvents', 'WriteThrottleEvents'])
      expect(on(metric)).toMatchObject([
        {
          Namespace: 'AWS/DynamoDB',
          Statistic: 'Sum',
          Threshold: 100,
          EvaluationPeriods: 2,
        },
      ])
    const watched = [...on('ReadThrottleEvents'), ...on('WriteThrottleEvents')].map((alarm) => {
      const [condition, restored, own] = dimension(alarm, 'TableName')['Fn::If']
      return [condition, restored, target(own)]
    })
    const [condition, restored, own] = table['Fn::If']
    expect(watched).toEqual([
      [condition, restored, target(own)],
      [condition, restored, target(own)],
    ])
  })

  it('watch the lag of the stream readers and the errors of functions without a dead-letter queue', () => {
    const ids = (metric: string): string[] =>
      on(metric)
        .map((alarm) => target(dimension(alarm, 'FunctionName')))
        .toSorted()
    expect(ids('IteratorAge')).toEqual(namesOf('stream').toSorted())
    // The alarm of overdue mailboxes covers mailbox-poll; readers that fail fall behind before they fail three times.
    const covered = functionNamed('mailbox-poll').id
    expect(ids('Errors')).toEqual(
      namesOf('schedule')
        .filter((id) => id !== covered)
        .toSorted(),
    )
  })

  it('watch 5xx and latency of the API, throttling, overdue work, failed batches, and that the sweeper runs', () => {
    expect([
      on('5xx').length,
      on('Latency').length,
      on('Throttles').length,
      on('FailedBatches').length,
      on('Invocations').length,
    ]).toEqual([1, 1, 1, 1, 1])
    expect(on('OldestDueSeconds').map((alarm) => dimension(alarm, 'kind'))).toEqual(dueKinds)
    expect(on('Repaired').map((alarm) => dimension(alarm, 'kind'))).toEqual(['history', 'live', 'columns'])
    const nightly = on('Errors').find(
      (alarm) => target(dimension(alarm, 'FunctionName')) === functionNamed('nightly-repair').id,
    )
    expect(nightly).toMatchObject({ EvaluationPeriods: 1, Threshold: 1 })
    expect(on('Invocations')).toMatchObject([
      { TreatMissingData: 'breaching', Threshold: 0, ComparisonOperator: 'LessThanOrEqualToThreshold' },
    ])
  })

  it('use the namespaces the functions publish in', () => {
    for (const [metric, service] of [
      ['OldestDueSeconds', 'due-sweeper'],
      ['FailedBatches', 'file-sweeper'],
      ['Repaired', 'job-runner'],
    ] as const) {
      const { POWERTOOLS_METRICS_NAMESPACE: namespace } = functionNamed(service).properties.Environment.Variables
      expect(on(metric).map((alarm) => [alarm.Namespace, dimension(alarm, 'service')])).toEqual(
        on(metric).map(() => [namespace, service]),
      )
    }
  })

  it('say what to do, and notify one topic, to which an address can be subscribed', () => {
    const { id } = theOnly('AWS::SNS::Topic')
    for (const alarm of alarms)
      expect(alarm).toMatchObject({
        AlarmDescription: expect.stringMatching(/\.|npm run/),
        AlarmActions: [{ Ref: id }],
        OKActions: [{ Ref: id }],
      })
    const [subscription] = Object.values(template.Resources).filter(
      ({ Type }) => Type === 'AWS::SNS::Subscription',
    ) as Properties[]
    expect(subscription).toMatchObject({
      Condition: 'AlarmEmailGiven',
      Properties: { Protocol: 'email', Endpoint: { Ref: 'AlarmEmail' } },
    })
  })

  it('may publish to the topic, from this account and over TLS only', () => {
    const [refused, allowed] = theOnly('AWS::SNS::TopicPolicy').properties.PolicyDocument.Statement.toSorted(
      (a: Properties, b: Properties) => b.Effect.localeCompare(a.Effect),
    )
    expect(refused).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } })
    expect(allowed).toMatchObject({
      Effect: 'Allow',
      Action: 'sns:Publish',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    })
  })

  it('watch one metric each, because CloudWatch charges by metric', () => {
    expect(alarms.filter(({ Metrics }) => Metrics !== undefined)).toEqual([])
    // Four of them for messages that nobody would send again, and two for the table. Two more watch the address of the
    // messenger, where there is one.
    expect(alarms.length).toBeLessThanOrEqual(45 + 2)
  })
})

it('a budget of the account mails the operator, where there is an address and an amount', () => {
  expect(theOnly('AWS::Budgets::Budget').properties).toEqual({
    Budget: {
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: { Ref: 'MonthlyBudget' }, Unit: 'USD' },
    },
    NotificationsWithSubscribers: [
      ['ACTUAL', 80],
      ['FORECASTED', 100],
    ].map(([NotificationType, Threshold]) => ({
      Notification: { NotificationType, ComparisonOperator: 'GREATER_THAN', Threshold, ThresholdType: 'PERCENTAGE' },
      Subscribers: [{ SubscriptionType: 'EMAIL', Address: { Ref: 'AlarmEmail' } }],
    })),
  })
  const { Condition } = Object.values(template.Resources).find(({ Type }) => Type === 'AWS::Budgets::Budget') ?? {}
  expect(template.Conditions[Condition as string]).toEqual({
    'Fn::And': [
      { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'AlarmEmail' }, ''] }] },
      { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'MonthlyBudget' }, '0'] }] },
    ],
  })
})

it('the dashboard has the graphs an operator checks first', () => {
  const text = JSON.stringify(theOnly('AWS::CloudWatch::Dashboard').properties.DashboardBody)
  for (const title of ['Alarms', 'Requests', 'Behind the changes', 'Failed for good', 'Oldest due', 'Latest errors'])
    expect(text).toContain(title)
})

it('accesses to buckets are logged to a separate bucket', () => {
  const [logs, ...logged] = resourcesOf('AWS::S3::Bucket').toSorted(
    (a, b) =>
      Number(a.properties.LoggingConfiguration !== undefined) - Number(b.properties.LoggingConfiguration !== undefined),
  )
  expect(logged).toHaveLength(2)
  for (const { properties } of logged)
    expect(target(properties.LoggingConfiguration.DestinationBucketName)).toBe(logs?.id)
  expect(logs?.properties.LifecycleConfiguration.Rules).toEqual([expect.objectContaining({ ExpirationInDays: 90 })])
})
