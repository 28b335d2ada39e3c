import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDynamoDb } from '../../../infra/local/dynamodb/open.ts'
import { ServiceError } from '../../../infra/local/dynamodb/service-error.ts'
import { type Storage, openStorage } from '../../../infra/local/runtime/storage/storage.ts'
import { inDirectory, run } from './directory.ts'
import { settings } from './fixture.ts'
import { N, S, key } from './operations.ts'
import { mainTable } from './tables.ts'

const TableName = 'main'
const get = { TableName, Key: key('p'), ConsistentRead: true }
const byOwner = {
  TableName,
  IndexName: 'by-owner',
  KeyConditionExpression: '#o = :o',
  ExpressionAttributeNames: { '#o': 'owner' },
  ExpressionAttributeValues: { ':o': S('ann') },
}
const put = { TableName, Item: { ...key('p'), owner: S('ann'), at: S('1') } }

/** What concurrent callers, and callers of other stores, may see of each other. */
export function isolationCases(): void {
  test('exactly one of many conditional updates of the same version succeeds', () =>
    inDirectory((directory) =>
      run(directory, async (dynamoDb) => {
        await dynamoDb.ensureTable(mainTable)
        await dynamoDb.call('PutItem', { TableName, Item: { ...key('p'), version: N(0) } })
        for (let version = 0; version < 15; version++) {
          const outcomes = await Promise.allSettled(
            Array.from({ length: 20 }, (_, i) =>
              dynamoDb.call('UpdateItem', {
                TableName,
                Key: key('p'),
                UpdateExpression: 'SET version = :next, winner = :me',
                ConditionExpression: 'version = :seen',
                ExpressionAttributeValues: { ':seen': N(version), ':next': N(version + 1), ':me': N(i) },
              }),
            ),
          )
          expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
          for (const outcome of outcomes) {
            if (
              outcome.status === 'rejected' &&
              (outcome.reason as ServiceError).code !== 'ConditionalCheckFailedException'
            )
              throw outcome.reason
          }
        }
        expect(await dynamoDb.call('GetItem', get)).toMatchObject({ Item: { version: N(15) } })
        expect(await dynamoDb.stream(TableName).read(undefined, 100)).toHaveLength(16)
      }),
    ))

  test('concurrent counters lose no increment', () =>
    inDirectory((directory) =>
      run(directory, async (dynamoDb) => {
        await dynamoDb.ensureTable(mainTable)
        const answers = await Promise.all(
          Array.from({ length: 200 }, () =>
            dynamoDb.call('UpdateItem', {
              TableName,
              Key: key('p'),
              UpdateExpression: 'ADD n :one',
              ExpressionAttributeValues: { ':one': N(1) },
              ReturnValues: 'UPDATED_NEW',
            }),
          ),
        )
        const numbers = (answers as Array<{ Attributes: { n: { N: string } } }>).map(({ Attributes }) =>
          Number(Attributes.n.N),
        )
        expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
      }),
    ))

  test('a write is invisible in item, index and stream until it is committed', async () => {
    const { storage, gate } = await gatedStorage()
    const dynamoDb = await openDynamoDb(storage, settings)
    await dynamoDb.ensureTable(mainTable)
    const seen = async () => [
      'Item' in (await dynamoDb.call('GetItem', get)),
      ((await dynamoDb.call('Query', byOwner)) as { Count: number }).Count,
      (await dynamoDb.stream(TableName).read(undefined, 10)).length,
    ]
    const stream = dynamoDb.stream(TableName)
    const before = stream.latest
    const open = gate.close()
    const happened: string[] = []
    const happening = Promise.all([
      dynamoDb.call('PutItem', put).then(() => happened.push('answered')),
      stream.waitForRecords(before).then(() => happened.push('arrived')),
    ])
    await sleep(20)
    expect([happened, stream.latest, await seen()]).toEqual([[], before, [false, 0, 0]])
    open()
    await happening
    expect(await seen()).toEqual([true, 1, 1])
    await dynamoDb.close()
    await storage.close()
  })

  test('a transactional read waits for writes in flight to its items', async () => {
    const { storage, gate } = await gatedStorage()
    const dynamoDb = await openDynamoDb(storage, settings)
    await dynamoDb.ensureTable(mainTable)
    const open = gate.close()
    const writing = dynamoDb.call('PutItem', put)
    const reading = dynamoDb.call('TransactGetItems', { TransactItems: [{ Get: { TableName, Key: key('p') } }] })
    await sleep(20)
    open()
    expect(await reading).toEqual({ Responses: [{ Item: put.Item }] })
    await writing
    await dynamoDb.close()
    await storage.close()
  })

  test('an item whose time to live changes during a sweep is not deleted', async () => {
    const { storage, gate } = await gatedStorage()
    const dynamoDb = await openDynamoDb(storage, { ...settings, now: () => 2_000_000 })
    await dynamoDb.ensureTable({ ...mainTable, TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } })
    await dynamoDb.call('PutItem', { TableName, Item: { ...key('p'), expires: N(1000) } })
    const open = gate.close()
    const moving = dynamoDb.call('UpdateItem', {
      TableName,
      Key: key('p'),
      UpdateExpression: 'SET expires = :later',
      ExpressionAttributeValues: { ':later': N(5000) },
    })
    const sweeping = dynamoDb.sweep()
    await sleep(20)
    open()
    expect(await sweeping).toBe(0)
    await moving
    expect(await dynamoDb.call('GetItem', get)).toMatchObject({ Item: { expires: N(5000) } })
    await dynamoDb.close()
    await storage.close()
  })

  test('a write whose commit fails changes nothing, and the next one succeeds', async () => {
    const { storage, gate } = await gatedStorage()
    const dynamoDb = await openDynamoDb(storage, settings)
    await dynamoDb.ensureTable(mainTable)
    gate.failure = new Error('The disk is full.')
    await expect(dynamoDb.call('PutItem', put)).rejects.toMatchObject({
      statusCode: 500,
      body: { message: 'The disk is full.' },
    })
    delete gate.failure
    expect(await dynamoDb.call('GetItem', get)).toEqual({})
    expect(await dynamoDb.stream(TableName).read(undefined, 10)).toEqual([])
    await dynamoDb.call('PutItem', put)
    expect(await dynamoDb.call('Query', byOwner)).toMatchObject({ Count: 1 })
    expect(await dynamoDb.stream(TableName).read(undefined, 10)).toHaveLength(1)
    await dynamoDb.close()
    await storage.close()
  })

  test('stream records appear in the order of their sequence numbers, without gaps', () =>
    inDirectory((directory) =>
      run(directory, async (dynamoDb) => {
        await dynamoDb.ensureTable(mainTable)
        const stream = dynamoDb.stream(TableName)
        const writing = Promise.all(
          Array.from({ length: 300 }, (_, i) => dynamoDb.call('PutItem', { TableName, Item: key(`p${i}`) })),
        )
        const read: string[] = []
        while (read.length < 300) {
          await stream.waitForRecords(read.at(-1), AbortSignal.timeout(5000))
          for (const record of await stream.read(read.at(-1), 7)) read.push(record.dynamodb.SequenceNumber)
        }
        await writing
        expect(read).toEqual(read.toSorted())
        expect(new Set(read).size).toBe(300)
      }),
    ))

  test('index entries become visible later than items when configured', () =>
    run(
      ':memory:',
      async (dynamoDb) => {
        await dynamoDb.ensureTable(mainTable)
        await dynamoDb.call('PutItem', put)
        expect(await dynamoDb.call('GetItem', get)).toMatchObject({ Item: put.Item })
        expect(await dynamoDb.call('Query', byOwner)).toMatchObject({ Count: 0 })
        await expect.poll(async () => ((await dynamoDb.call('Query', byOwner)) as { Count: number }).Count).toBe(1)
      },
      { indexDelayMs: 50 },
    ))

  test('a stream filter keeps unwanted changes out of the log', () =>
    run(
      ':memory:',
      async (dynamoDb) => {
        await dynamoDb.ensureTable(mainTable)
        for (const kind of ['R', 'X', 'R'])
          await dynamoDb.call('PutItem', {
            TableName,
            Item: { ...key(kind), kind: S(kind), at: S(String(Math.random())) },
          })
        await dynamoDb.call('DeleteItem', { TableName, Key: key('R') })
        await dynamoDb.call('DeleteItem', { TableName, Key: key('X') })
        const records = await dynamoDb.stream(TableName).read(undefined, 10)
        expect(records.map(({ eventName }) => eventName)).toEqual(['INSERT', 'MODIFY', 'REMOVE'])
      },
      { streamFilter: (image) => image.kind?.S === 'R' },
    ))

  test('stores in one process are isolated from each other', () =>
    run(':memory:', (one) =>
      run(':memory:', async (other) => {
        await one.ensureTable(mainTable)
        await other.ensureTable({ ...mainTable, StreamSpecification: undefined })
        await Promise.all([
          ...Array.from({ length: 20 }, (_, i) =>
            one.call('PutItem', { TableName, Item: { ...key(`p${i}`), owner: S('ann'), at: S('1') } }),
          ),
          ...Array.from({ length: 10 }, (_, i) =>
            other.call('PutItem', { TableName, Item: { ...key(`q${i}`), owner: S('ann'), at: S('2') } }),
          ),
        ])
        const found = await Promise.all([one, other].map((dynamoDb) => dynamoDb.call('Query', byOwner)))
        expect(found).toMatchObject([{ Count: 20 }, { Count: 10 }])
        expect(await one.stream(TableName).read(undefined, 100)).toHaveLength(20)
        expect(() => other.stream(TableName)).toThrow('Table main has no stream.')
      }),
    ))
}

/** A storage whose commits can be delayed or made to fail. */
async function gatedStorage() {
  const inner = await openStorage(':memory:')
  let passable = Promise.resolve()
  const gate: { failure?: Error; close(): () => void } = {
    close() {
      const { promise, resolve } = Promise.withResolvers<void>()
      passable = promise
      return resolve
    },
  }
  const storage: Storage = {
    ...inner,
    async commit(ops) {
      await passable
      if (gate.failure) throw gate.failure
      return inner.commit(ops)
    },
  }
  return { storage, gate }
}
