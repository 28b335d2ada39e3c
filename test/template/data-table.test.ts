import { describe, expect, it } from 'vitest'
import { stacks, theOnly } from './synthesized.ts'

describe('the table', () => {
  const table = theOnly('AWS::DynamoDB::GlobalTable')

  it('is keyed by two strings and paid by request', () => {
    expect(table.properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    })
  })

  it('has twenty index slots that hold keys only', () => {
    const slots = Array.from({ length: 20 }, (_, index) => String(index + 1).padStart(2, '0'))
    expect(table.properties.GlobalSecondaryIndexes).toEqual(
      slots.map((slot) => ({
        IndexName: `slot${slot}`,
        KeySchema: [
          { AttributeName: `p${slot}`, KeyType: 'HASH' },
          { AttributeName: `s${slot}`, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      })),
    )
    const strings = ['pk', 'sk', ...slots.flatMap((slot) => [`p${slot}`, `s${slot}`])]
    expect(table.properties.AttributeDefinitions).toEqual(
      strings.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    )
  })

  it('streams both images and lets items expire', () => {
    expect(table.properties).toMatchObject({
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
    })
  })

  it('has one replica, which is itself, with point-in-time recovery, deletion protection and encryption by KMS', () => {
    expect(table.properties.Replicas).toMatchObject([
      {
        Region: { Ref: 'AWS::Region' },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        DeletionProtectionEnabled: true,
      },
    ])
    expect(table.properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' })
  })

  it('may be limited: writes of the table, reads of the table and of each index', () => {
    const ifSet = (condition: string, value: object): object => ({
      'Fn::If': [condition, value, { Ref: 'AWS::NoValue' }],
    })
    const reads = { MaxReadRequestUnits: { Ref: 'MaxReadRequestUnits' } }
    const { WriteOnDemandThroughputSettings: writes, Replicas, GlobalSecondaryIndexes } = table.properties
    expect(writes).toEqual(ifSet('WritesAreLimited', { MaxWriteRequestUnits: { Ref: 'MaxWriteRequestUnits' } }))
    expect(Replicas[0].ReadOnDemandThroughputSettings).toEqual(ifSet('ReadsAreLimited', reads))
    expect(Replicas[0].GlobalSecondaryIndexes).toEqual(
      ifSet(
        'ReadsAreLimited',
        GlobalSecondaryIndexes.map(({ IndexName }: { IndexName: string }) => ({
          IndexName,
          ReadOnDemandThroughputSettings: reads,
        })),
      ),
    )
    for (const kind of ['Read', 'Write']) {
      const name = `Max${kind}RequestUnits`
      expect(stacks.data.Conditions[`${kind}sAreLimited`]).toEqual({
        'Fn::Not': [{ 'Fn::Equals': [{ Ref: name }, '0'] }],
      })
      expect(stacks.data.Parameters[name]?.Default).toBe('0')
      const pattern = new RegExp(stacks.data.Parameters[name]?.AllowedPattern, 'u')
      expect(['0', '1', '40000', '-1', '07', ''].filter((value) => pattern.test(value))).toEqual(['0', '1', '40000'])
    }
  })
})
