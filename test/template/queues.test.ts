import { describe, expect, it } from 'vitest'
import { deployedFunctions } from '../../infra/catalogue/functions.ts'
import { queues as catalogue } from '../../infra/catalogue/queues.ts'
import { functionNamed, resourcesOf, target } from './synthesized.ts'

const queues = resourcesOf('AWS::SQS::Queue')
const deadLetterIds = new Set(
  queues.flatMap(({ properties }) =>
    properties.RedrivePolicy ? [target(properties.RedrivePolicy.deadLetterTargetArn)] : [],
  ),
)
const workQueues = queues.filter(({ id }) => !deadLetterIds.has(id))
const mappings = resourcesOf('AWS::Lambda::EventSourceMapping').filter(
  ({ properties }) => properties.StartingPosition === undefined,
)

/** Their messages write the same rows. */
const contending = ['Search', 'Rollups']

describe('the queues', () => {
  it.each(workQueues)('$id has one consumer that reports single failures', ({ id, properties }) => {
    const consumers = mappings.filter((mapping) => target(mapping.properties.EventSourceArn) === id)
    expect(consumers).toHaveLength(1)
    const mapping = consumers[0]?.properties ?? {}
    expect(mapping).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] })
    // A limit makes Lambda poll an idle queue five times at once, which a stage to try things does without.
    const [condition, limit, otherwise] = mapping.ScalingConfig['Fn::If'] ?? ['always', mapping.ScalingConfig]
    expect(limit.MaximumConcurrency).toBeGreaterThanOrEqual(2)
    expect([condition, otherwise]).toEqual(
      contending.some((name) => id.startsWith(`${name}Queue`))
        ? ['always', undefined]
        : ['IsProduction', { Ref: 'AWS::NoValue' }],
    )
    const consumer = resourcesOf('AWS::Lambda::Function').find((fn) => fn.id === target(mapping.FunctionName))
    expect(properties.VisibilityTimeout).toBe(6 * consumer?.properties.Timeout)
  })

  it.each(workQueues.filter(({ properties }) => properties.FifoQueue))(
    '$id delivers one message at a time, so that one that always fails is set aside alone',
    ({ id }) => {
      const [mapping] = mappings.filter(({ properties }) => target(properties.EventSourceArn) === id)
      expect(mapping?.properties.BatchSize).toBe(1)
    },
  )

  it('are fed by their own consumers only where Lambda allows the loop', () => {
    const sending = deployedFunctions.filter(
      ({ trigger, grants }) => trigger.kind === 'queue' && grants.some(({ on }) => on === trigger.queue),
    )
    expect(sending).toHaveLength(12)
    const allowed = resourcesOf('AWS::Lambda::Function').filter(
      ({ properties }) => properties.RecursiveLoop === 'Allow',
    )
    expect(allowed.map(({ id }) => id).toSorted()).toEqual(sending.map(({ name }) => functionNamed(name).id).toSorted())
  })

  it.each(workQueues)('$id has its own dead-letter queue with a retention of 14 days', ({ properties }) => {
    const deadLetters = queues.find(({ id }) => id === target(properties.RedrivePolicy.deadLetterTargetArn))
    expect(deadLetters?.properties.MessageRetentionPeriod).toBe(14 * 24 * 60 * 60)
    expect(properties.RedrivePolicy.maxReceiveCount).toBeGreaterThan(1)
    expect(deadLetterIds.size).toBe(workQueues.length)
  })

  it('are sent to and consumed by functions of the catalogue', () => {
    const functions = new Set(deployedFunctions.map(({ name }) => name))
    const named = Object.values(catalogue).flatMap(({ consumer, producers }) => [consumer, ...producers])
    expect(named.filter((name) => !functions.has(name))).toEqual([])
  })

  it('denies plain HTTP on every queue and every bucket', () => {
    const refused = [...resourcesOf('AWS::SQS::QueuePolicy'), ...resourcesOf('AWS::S3::BucketPolicy')].filter(
      ({ properties }) =>
        properties.PolicyDocument.Statement.some(
          (statement: Record<string, unknown>) =>
            statement.Effect === 'Deny' &&
            JSON.stringify(statement.Condition) === '{"Bool":{"aws:SecureTransport":"false"}}',
        ),
    )
    const refusedIds = new Set(
      refused.flatMap(({ properties }) => (properties.Queues ?? [properties.Bucket]).map(target)),
    )
    expect([...queues, ...resourcesOf('AWS::S3::Bucket')].filter(({ id }) => !refusedIds.has(id))).toEqual([])
  })
})

describe('the schedules', () => {
  it.each([
    ['due-sweeper', 'rate(1 minute)'],
    ['mailbox-poll', 'rate(1 minute)'],
    ['file-sweeper', 'rate(5 minutes)'],
    ['nightly-repair', 'cron(30 2 * * ? *)'],
  ])('run the %s at a %s', (name, ScheduleExpression) => {
    const rules = resourcesOf('AWS::Events::Rule').filter(
      ({ properties }) => target(properties.Targets[0].Arn) === functionNamed(name).id,
    )
    expect(rules.map(({ properties }) => properties)).toMatchObject([{ ScheduleExpression, State: 'ENABLED' }])
  })

  it.each([
    ['due-sweeper', 60],
    ['mailbox-poll', 60],
    ['file-sweeper', 60],
    ['nightly-repair', 3600],
  ])('do not repeat a failed run of the %s, and forget one that is %i s late', (name, MaximumEventAgeInSeconds) => {
    const configs = resourcesOf('AWS::Lambda::EventInvokeConfig').filter(
      ({ properties }) => target(properties.FunctionName) === functionNamed(name).id,
    )
    expect(configs.map(({ properties }) => properties)).toMatchObject([
      { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds, Qualifier: '$LATEST' },
    ])
    const [rule] = resourcesOf('AWS::Events::Rule').filter(
      ({ properties }) => target(properties.Targets[0].Arn) === functionNamed(name).id,
    )
    expect(rule?.properties.Targets[0].RetryPolicy).toEqual({
      MaximumRetryAttempts: name === 'nightly-repair' ? 2 : 0,
      MaximumEventAgeInSeconds,
    })
  })

  it('are exactly these', () => expect(resourcesOf('AWS::Events::Rule')).toHaveLength(4))
})
