import { describe, expect, it } from 'vitest'
import { maxLagMs, openReplicas } from '../../../../../../infra/local/dynamodb/consistency/replicas.ts'
import { openDynamoDb } from '../../../../../../infra/local/dynamodb/open.ts'
import type { DynamoDb } from '../../../../../../infra/local/dynamodb/open.ts'
import { openStorage } from '../../../../../../infra/local/runtime/storage/storage.ts'
import type { Op, Range } from '../../../../../../infra/local/runtime/storage/storage.ts'
import { seededRandomness } from '../../../../../../infra/local/runtime/timing/randomness.ts'

describe('a lagging copy', () => {
  it.each([1, 2, 3, 4, 5])(
    'answers ranges as it answers single keys, whatever changes meanwhile (seed %i)',
    async (seed) => {
      const storage = await openStorage(':memory:')
      const random = seededRandomness(seed)('test')
      let time = 0
      const { note, ofIndexes } = openReplicas(storage, { now: () => time, random })
      const keys = Array.from({ length: 30 }, (_, n) => `ddb/index/${String(n).padStart(2, '0')}`)
      const anyKey = (): string => keys[Math.floor(random() * keys.length)]!
      for (let step = 0; step < 400; step++) {
        const key = anyKey()
        const op: Op = random() < 0.4 ? { type: 'del', key } : { type: 'put', key, value: `${key} of ${step}` }
        note({ type: 'put', key: `ddb/item/${key}`, value: '' }, [op])
        await storage.commit([op])
        time += random() * 200
        const [low, high] = [anyKey(), anyKey()].toSorted() as [string, string]
        const reverse = random() < 0.5
        const bounds: Range = {
          gte: low,
          lt: high,
          reverse,
          ...(random() < 0.7 && { limit: 1 + Math.floor(random() * 6) }),
        }
        const expected = keys.filter((one) => one >= low && one < high).flatMap((one) => ofIndexes.get(one) ?? [])
        if (reverse) expected.reverse()
        expect(await ofIndexes.values(bounds)).toEqual(expected.slice(0, bounds.limit))
        expect((await ofIndexes.range(bounds)).map(([, value]) => value)).toEqual(expected.slice(0, bounds.limit))
        expect(await ofIndexes.getMany(keys)).toEqual(keys.map((one) => ofIndexes.get(one)))
      }
      time += maxLagMs
      expect(await ofIndexes.getMany(keys)).toEqual(await storage.getMany(keys))
    },
  )
})

describe("a table in AWS's time", () => {
  const text = (value: string) => ({ S: value })

  async function laggingTable() {
    const clock = { now: 1_000_000 }
    const dynamoDb = await openDynamoDb(await openStorage(':memory:'), {
      region: 'us-east-1',
      accountId: '000000000000',
      ttlSweepMs: 0,
      now: () => clock.now,
      lagging: seededRandomness(3)('reads'),
    })
    await dynamoDb.ensureTable({
      TableName: 'Things',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: ['pk', 'gsi'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: [
        {
          IndexName: 'ByGsi',
          KeySchema: [{ AttributeName: 'gsi', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    } as never)
    const put = (pk: string, n: number) =>
      dynamoDb.call('PutItem', { TableName: 'Things', Item: { pk: text(pk), gsi: text('all'), n: { N: String(n) } } })
    return { dynamoDb, clock, put }
  }

  async function indexed(dynamoDb: DynamoDb): Promise<Record<string, number>> {
    const { Items } = (await dynamoDb.call('Query', {
      TableName: 'Things',
      IndexName: 'ByGsi',
      KeyConditionExpression: 'gsi = :all',
      ExpressionAttributeValues: { ':all': text('all') },
    })) as { Items: { pk: { S: string }; n: { N: string } }[] }
    return Object.fromEntries(Items.map(({ pk, n }) => [pk.S, Number(n.N)]))
  }

  it('has indexes that lag, in order for each item and in any order for several', async () => {
    const { dynamoDb, clock, put } = await laggingTable()
    const names = Array.from({ length: 20 }, (_, n) => `t${n}`)
    for (const name of names) {
      await put(name, 1)
      await put(name, 2)
    }
    expect(await indexed(dynamoDb)).toEqual({})
    const last: Record<string, number> = {}
    const firsts: string[] = []
    for (let step = 0; step < 75; step++) {
      clock.now += 20
      const seen = await indexed(dynamoDb)
      for (const [name, n] of Object.entries(seen)) {
        expect(n).toBeGreaterThanOrEqual(last[name] ?? 1)
        if (last[name] === undefined) firsts.push(name)
        last[name] = n
      }
    }
    expect(last).toEqual(Object.fromEntries(names.map((name) => [name, 2])))
    expect(firsts).not.toEqual(names)
  })

  it('answers eventually consistent reads from an older state now and then, for a second at most', async () => {
    const { dynamoDb, clock, put } = await laggingTable()
    const read = async (ConsistentRead: boolean): Promise<string | undefined> => {
      const { Item } = (await dynamoDb.call('GetItem', {
        TableName: 'Things',
        Key: { pk: text('a') },
        ConsistentRead,
      })) as { Item?: { n: { N: string } } }
      return Item?.n.N
    }
    await put('a', 1)
    clock.now += 1_000
    await put('a', 2)
    const seen = new Set<string | undefined>()
    for (let n = 0; n < 20; n++) {
      seen.add(await read(false))
      expect(await read(true)).toBe('2')
    }
    expect(seen).toEqual(new Set(['1', '2']))
    clock.now += 1_000
    for (let n = 0; n < 20; n++) expect(await read(false)).toBe('2')
  })

  it('keeps conditions and transactions strict', async () => {
    const { dynamoDb, put } = await laggingTable()
    await put('a', 1)
    const again = dynamoDb.call('PutItem', {
      TableName: 'Things',
      Item: { pk: text('a') },
      ConditionExpression: 'attribute_not_exists(pk)',
    })
    await expect(again).rejects.toThrow('The conditional request failed')
  })
})
