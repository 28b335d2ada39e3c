import { beforeEach, describe, expect, it } from 'vitest'
import { openDynamoDb } from '../../../../../../infra/local/dynamodb/open.ts'
import type { DynamoDb } from '../../../../../../infra/local/dynamodb/open.ts'
import { openStorage } from '../../../../../../infra/local/runtime/storage/storage.ts'

const TableName = 'Things'
const kilobyte = 'x'.repeat(1_000)
let clock: { now: number }
let dynamoDb: DynamoDb

beforeEach(async () => {
  clock = { now: 1_000_000 }
  const storage = await openStorage(':memory:')
  const options = { region: 'us-east-1', accountId: '000000000000', ttlSweepMs: 0, now: () => clock.now }
  dynamoDb = await openDynamoDb(storage, { ...options, throttles: true })
  await dynamoDb.ensureTable({
    TableName,
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: ['pk', 'sk', 'gsi'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes: [
      {
        IndexName: 'ByGsi',
        KeySchema: [{ AttributeName: 'gsi', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  } as never)
})

const item = (pk: string, sk: string, more: object = {}) => ({ pk: { S: pk }, sk: { S: sk }, ...more })
const put = (pk: string, sk: string, more: object = {}) =>
  dynamoDb.call('PutItem', { TableName, Item: item(pk, sk, more) })
const big = { text: { S: kilobyte.repeat(99) } }

async function untilThrottled(
  call: (n: number) => Promise<unknown>,
  most: number,
): Promise<{ calls: number; error: any }> {
  for (let calls = 0; calls < most; calls++) {
    const error = await call(calls).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (error) return { calls, error }
  }
  return { calls: most, error: undefined }
}

describe('the throughput of a table', () => {
  it('allows a partition key 1,000 write units a second, and others meanwhile', async () => {
    const { calls, error } = await untilThrottled((n) => put('hot', String(n), big), 40)
    expect([calls, error.code]).toEqual([11, 'ThrottlingException'])
    expect(error.body.throttlingReasons).toEqual([
      { reason: 'TableWriteKeyRangeThroughputExceeded', resource: 'table/Things' },
    ])
    await put('cold', 'a')
    clock.now += 1_000
    await put('hot', 'again')
  })

  it('writes nothing that it throttles', async () => {
    await untilThrottled((n) => put('hot', String(n), big), 40)
    await expect(put('hot', 'refused')).rejects.toThrow('Throughput exceeds')
    clock.now += 1_000
    const Key = item('hot', 'refused')
    expect(await dynamoDb.call('GetItem', { TableName, Key })).toEqual({})
  })

  it('allows a partition key 3,000 read units a second, also to queries', async () => {
    for (let n = 0; n < 10; n++) {
      await put('hot', String(n), big)
      clock.now += 1_000
    }
    const query = () =>
      dynamoDb.call('Query', {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'hot' } },
        ConsistentRead: true,
      })
    const { calls, error } = await untilThrottled(query, 50)
    // Each reads 990 KB.
    expect([calls, error.code]).toEqual([13, 'ThrottlingException'])
    await expect(dynamoDb.call('GetItem', { TableName, Key: item('hot', '0'), ConsistentRead: true })).rejects.toThrow(
      'Throughput exceeds',
    )
    expect(await dynamoDb.call('GetItem', { TableName, Key: item('cold', '0') })).toEqual({})
  })

  it('is 4,000 write units a second for all partition keys of a new table', async () => {
    const { calls, error } = await untilThrottled((n) => put(`p${n}`, 'a', big), 100)
    expect(calls).toBe(42)
    expect(error.body.throttlingReasons[0].reason).toBe('TableWriteMaxOnDemandThroughputExceeded')
  })

  it('throttles writes whose index is hot, and transactions as a whole', async () => {
    const entry = { gsi: { S: 'hot' } }
    const { calls, error } = await untilThrottled((n) => put(`p${n}`, 'a', entry), 1_200)
    expect(calls).toBe(1_000)
    expect(error.body.throttlingReasons[0].reason).toBe('IndexWriteKeyRangeThroughputExceeded')
    const transaction = dynamoDb.call('TransactWriteItems', {
      TransactItems: [
        { Put: { TableName, Item: item('q', 'a') } },
        { Put: { TableName, Item: item('q', 'b', entry) } },
      ],
    })
    await expect(transaction).rejects.toMatchObject({
      code: 'TransactionCanceledException',
      body: { CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }] },
    })
    expect(await dynamoDb.call('GetItem', { TableName, Key: item('q', 'a') })).toEqual({})
  })

  it('leaves out of a batch what it throttles, and refuses one that it throttles as a whole', async () => {
    await put('cold', 'a')
    await untilThrottled((n) => put('hot', String(n), big), 40)
    const hot = { PutRequest: { Item: item('hot', 'later') } }
    const mixed = { RequestItems: { [TableName]: [hot, { PutRequest: { Item: item('cold', 'b') } }] } }
    expect(await dynamoDb.call('BatchWriteItem', mixed)).toEqual({ UnprocessedItems: { [TableName]: [hot] } })
    await expect(dynamoDb.call('BatchWriteItem', { RequestItems: { [TableName]: [hot] } })).rejects.toThrow(
      'Throughput exceeds',
    )
    clock.now += 1_000
    const read = (n: number) =>
      dynamoDb.call('GetItem', { TableName, Key: item('hot', String(n % 10)), ConsistentRead: true })
    expect((await untilThrottled(read, 200)).calls).toBe(120)
    const keys = [item('hot', '1'), item('cold', 'a')]
    const answer = (await dynamoDb.call('BatchGetItem', {
      RequestItems: { [TableName]: { Keys: keys, ConsistentRead: true } },
    })) as { Responses: object; UnprocessedKeys: object }
    expect(answer.Responses).toEqual({ [TableName]: [keys[1]] })
    expect(answer.UnprocessedKeys).toEqual({ [TableName]: { Keys: [keys[0]], ConsistentRead: true } })
  })
})
