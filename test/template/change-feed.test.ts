import { describe, expect, it } from 'vitest'
import { functionNamed, type Properties, readable, resourcesOf, target, theOnly } from './synthesized.ts'

const readers = resourcesOf('AWS::Lambda::EventSourceMapping').filter(
  ({ properties }) => properties.StartingPosition !== undefined,
)

const mappingOf = (name: string): Properties => {
  const found = readers.find(({ properties }) => target(properties.FunctionName) === functionNamed(name).id)
  if (found === undefined) throw new Error(`${name} does not read the stream`)
  return found.properties
}

describe('the change feed', () => {
  it('has two readers, as many as AWS allows on a shard', () => {
    expect(readers.map(({ properties }) => properties.FunctionName.Ref).toSorted()).toEqual(
      [functionNamed('audit').id, functionNamed('fan-out').id].toSorted(),
    )
  })

  it.each([
    ['audit', 500],
    ['fan-out', 100],
  ])('lets %s fail on single records, gives up at last and keeps what it gave up on', (name, batchSize) => {
    const mapping = mappingOf(name)
    expect(readable(mapping.EventSourceArn)).toBe(`${theOnly('AWS::DynamoDB::GlobalTable').id}.StreamArn`)
    expect(mapping).toMatchObject({
      BatchSize: batchSize,
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    })
    expect(mapping.MaximumRetryAttempts).toBeGreaterThan(0)
    expect(mapping.MaximumRecordAgeInSeconds).toBeLessThan(24 * 60 * 60)
    const bucket = resourcesOf('AWS::S3::Bucket').find(
      ({ id }) => id === target(mapping.DestinationConfig.OnFailure.Destination),
    )
    expect(bucket?.properties.LifecycleConfiguration.Rules).toEqual([expect.objectContaining({ ExpirationInDays: 14 })])
  })

  it('invokes audit for records only, and fan-out for every item with `feed`', () => {
    expect(patternsOf('audit')).toEqual([{ dynamodb: { NewImage: { feed: { S: ['record'] } } } }])
    expect(patternsOf('fan-out')).toEqual([{ dynamodb: { NewImage: { feed: { S: [{ exists: true }] } } } }])
  })

  it('retries history longer than events, which can be rebuilt', () => {
    expect(mappingOf('audit').MaximumRetryAttempts).toBeGreaterThan(mappingOf('fan-out').MaximumRetryAttempts)
  })
})

const patternsOf = (name: string): unknown[] =>
  mappingOf(name).FilterCriteria.Filters.map(({ Pattern }: Properties) => JSON.parse(Pattern))
