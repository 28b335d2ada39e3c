import { randomUUID } from 'node:crypto'
import { TransactGetItemsCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import type { Fixture } from './fixture.ts'
import { type Item, N, S, failure, key, operationsOn, partition } from './operations.ts'

const TableName = 'main'
const putOf = (Item: Item, more: object = {}): TransactWriteItem => ({ Put: { TableName, Item, ...more } })
const ifNew = { ConditionExpression: 'attribute_not_exists(pk)' }
const increment = (Key: Item): TransactWriteItem => ({
  Update: { TableName, Key, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': N(1) } },
})

export function transactionCases(fixture: () => Fixture): void {
  const { put, get, transact } = operationsOn(fixture)

  test('writes puts, updates and deletes in one transaction across tables', async () => {
    const pk = partition()
    await put({ ...key(pk, 'checked'), v: N(1) })
    await put(key(pk, 'deleted'))
    await transact([
      putOf({ ...key(pk, 'put'), v: N(1) }, ifNew),
      increment(key(pk, 'updated')),
      { Delete: { TableName, Key: key(pk, 'deleted') } },
      {
        ConditionCheck: {
          TableName,
          Key: key(pk, 'checked'),
          ConditionExpression: 'v = :v',
          ExpressionAttributeValues: { ':v': N(1) },
        },
      },
      { Put: { TableName: 'plain', Item: { id: S(pk) } } },
    ])
    expect(await get(key(pk, 'put'))).toEqual({ ...key(pk, 'put'), v: N(1) })
    expect(await get(key(pk, 'updated'))).toEqual({ ...key(pk, 'updated'), n: N(1) })
    expect(await get(key(pk, 'deleted'))).toBeUndefined()
    expect(await get(key(pk, 'checked'))).toEqual({ ...key(pk, 'checked'), v: N(1) })
  })

  test('writes nothing when one condition fails, and reports it, with its item on request', async () => {
    const pk = partition()
    await put({ ...key(pk, 'b'), v: N(1) })
    const error = await failure(
      transact([
        putOf(key(pk, 'a')),
        putOf(key(pk, 'b'), { ...ifNew, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
        { ConditionCheck: { TableName, Key: key(pk, 'c'), ConditionExpression: 'attribute_exists(pk)' } },
      ]),
    )
    expect(error).toMatchObject({
      name: 'TransactionCanceledException',
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ConditionalCheckFailed]',
      CancellationReasons: [
        { Code: 'None' },
        {
          Code: 'ConditionalCheckFailed',
          Message: 'The conditional request failed',
          Item: { ...key(pk, 'b'), v: N(1) },
        },
        { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      ],
    })
    expect(await get(key(pk, 'a'))).toBeUndefined()
  })

  test('reports an update that cannot be applied as a cancellation reason', async () => {
    const pk = partition()
    await put({ ...key(pk), n: S('text') })
    const error = await failure(transact([increment(key(pk)), putOf(key(pk, 'other'))]))
    expect(error.CancellationReasons).toMatchObject([{ Code: 'ValidationError' }, { Code: 'None' }])
    expect(await get(key(pk, 'other'))).toBeUndefined()
  })

  test('accepts 100 items and rejects 101', async () => {
    const pk = partition()
    const puts = Array.from({ length: 101 }, (_, i) => putOf(key(pk, String(i))))
    expect((await failure(transact(puts))).name).toBe('ValidationException')
    await transact(puts.slice(1))
    expect([await get(key(pk, '0')), await get(key(pk, '100'))]).toEqual([undefined, key(pk, '100')])
  })

  test('rejects more than 4 MB', async () => {
    const pk = partition()
    const text = S('x'.repeat(390_000))
    const puts = Array.from({ length: 11 }, (_, i) => putOf({ ...key(pk, String(i)), text }))
    expect((await failure(transact(puts))).name).toBe('ValidationException')
    expect(await get(key(pk, '0'))).toBeUndefined()
    await transact(puts.slice(1))
  })

  test.each<[what: string, items: TransactWriteItem[], message: RegExp]>([
    [
      'names an item twice',
      [putOf(key('twice')), { Delete: { TableName, Key: key('twice') } }],
      /multiple operations on one item/,
    ],
    ['holds an item without an action', [{}], /can only contain one of/],
    ['holds an item with two actions', [{ ...putOf(key('a')), ...increment(key('b')) }], /can only contain one of/],
    [
      'holds a check without a condition',
      [{ ConditionCheck: { TableName, Key: key('a'), ConditionExpression: undefined } }],
      /ConditionExpression/,
    ],
  ])('rejects a transaction that %s', async (_what, items, message) => {
    expect(await failure(transact(items))).toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(message) as string,
    })
  })

  test('executes a request token once within ten minutes', async ({ skip }) => {
    skip(!('sweep' in fixture().dynamoDb), 'needs a clock that can be set')
    const id = key(partition())
    const token = randomUUID()
    const { clock } = fixture()
    await transact([increment(id)], token)
    await transact([increment(id)], token)
    clock.now += 9 * 60_000
    await transact([increment(id)], token)
    expect((await get(id))?.n).toEqual(N(1))
    clock.now += 2 * 60_000
    await transact([increment(id)], token)
    expect((await get(id))?.n).toEqual(N(2))
  })

  test('rejects a request token reused for another request', async () => {
    const id = key(partition())
    const token = randomUUID()
    await transact([increment(id)], token)
    expect((await failure(transact([putOf(id)], token))).name).toBe('IdempotentParameterMismatchException')
  })

  test('a cancelled transaction does not use up its token', async () => {
    const pk = partition()
    const token = randomUUID()
    await put(key(pk))
    expect((await failure(transact([putOf(key(pk), ifNew)], token))).name).toBe('TransactionCanceledException')
    await fixture().dynamoDb.call('DeleteItem', { TableName, Key: key(pk) })
    await transact([putOf(key(pk), ifNew)], token)
    expect(await get(key(pk))).toEqual(key(pk))
  })

  test('a sweep deletes old tokens', async ({ skip }) => {
    skip(!('sweep' in fixture().dynamoDb), 'needs a clock that can be set')
    const { dynamoDb, clock } = fixture()
    const id = key(partition())
    const token = randomUUID()
    await transact([increment(id)], token)
    clock.now += 11 * 60_000
    await dynamoDb.sweep()
    await transact([increment(id)], token)
    expect((await get(id))?.n).toEqual(N(2))
  })

  test('concurrent transactions and writes on the same items are serialized', async () => {
    const pk = partition()
    const names = ['a', 'b', 'c']
    await Promise.all([
      ...Array.from({ length: 30 }, (_, i) =>
        transact([increment(key(pk, names[i % 3]!)), increment(key(pk, names[(i + 1) % 3]!))]),
      ),
      ...Array.from({ length: 30 }, (_, i) =>
        operationsOn(fixture).update(key(pk, names[i % 3]!), 'ADD n :one', { ':one': N(1) }),
      ),
    ])
    expect(await Promise.all(names.map(async (name) => (await get(key(pk, name)))?.n))).toEqual([N(30), N(30), N(30)])
  })

  test('reads several items from one consistent view', async () => {
    const pk = partition()
    const { client } = fixture()
    const both = [increment(key(pk, 'a')), increment(key(pk, 'b'))]
    const seen: Array<Array<string | undefined>> = []
    await Promise.all([
      (async () => {
        for (let i = 0; i < 40; i++) await transact(both)
      })(),
      (async () => {
        for (let i = 0; i < 40; i++) {
          const { Responses } = await client.send(
            new TransactGetItemsCommand({
              TransactItems: ['a', 'b'].map((name) => ({ Get: { TableName, Key: key(pk, name) } })),
            }),
          )
          seen.push(Responses!.map(({ Item }) => Item?.n?.N))
        }
      })(),
    ])
    expect(seen).toHaveLength(40)
    for (const [a, b] of seen) expect(a).toBe(b)
  })

  test('answers a transactional read in the requested order, with gaps', async () => {
    const pk = partition()
    await put({ ...key(pk, 'z'), v: N(1) })
    const { Responses } = await fixture().client.send(
      new TransactGetItemsCommand({
        TransactItems: [
          { Get: { TableName, Key: key(pk, 'none') } },
          { Get: { TableName, Key: key(pk, 'z'), ProjectionExpression: 'v' } },
        ],
      }),
    )
    expect(Responses!.map(({ Item }) => Item)).toEqual([undefined, { v: N(1) }])
  })
}
