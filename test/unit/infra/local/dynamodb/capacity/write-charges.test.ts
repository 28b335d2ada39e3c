/** The figures are those of the Developer Guide: "DynamoDB read and write operations", "Using Global Secondary Indexes". */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Item } from '../../../../../../infra/local/dynamodb/items/attribute-value.ts'
import {
  type ChargedTable,
  Key,
  openChargedTable,
  sized,
  TableName,
} from '../../../../../make/services/stores/charged-table.ts'

let call: ChargedTable['call']
let put: ChargedTable['put']
let spent: ChargedTable['spent']
beforeEach(async () => void ({ call, put, spent } = await openChargedTable()))

describe('a write costs a unit for each KB of the item, rounded up', () => {
  it.each([
    [7, 1],
    [1024, 1],
    [1025, 2],
    [10_240, 10],
  ])('a put of %d bytes costs %d', async (bytes, units) => {
    expect(await spent('PutItem', { TableName, Item: sized(bytes) })).toEqual({ T: units })
  })

  it.each<[string, number, number, number]>([
    ['smaller', 3000, 100, 3],
    ['larger', 100, 3000, 3],
    ['equal', 2000, 2000, 2],
  ])('a put over an item costs the larger of both: the new one is %s', async (_, before, after, units) => {
    await put(sized(before))
    expect(await spent('PutItem', { TableName, Item: sized(after) })).toEqual({ T: units })
  })

  it('an update of a small attribute costs the whole item, before or after', async () => {
    await put(sized(2500))
    const set = { ExpressionAttributeNames: { '#n': 'n' }, ExpressionAttributeValues: { ':n': { N: '1' } } }
    expect(await spent('UpdateItem', { TableName, Key: Key('a'), UpdateExpression: 'SET #n = :n', ...set })).toEqual({
      T: 3,
    })
    expect(await spent('UpdateItem', { TableName, Key: Key('a'), UpdateExpression: 'REMOVE x' })).toEqual({ T: 3 })
    expect(await spent('UpdateItem', { TableName, Key: Key('a'), UpdateExpression: 'REMOVE x' })).toEqual({ T: 1 })
  })

  it('a delete costs the deleted item, and one unit when there is none', async () => {
    await put(sized(2500))
    expect(await spent('DeleteItem', { TableName, Key: Key('a') })).toEqual({ T: 3 })
    expect(await spent('DeleteItem', { TableName, Key: Key('a') })).toEqual({ T: 1 })
  })

  it('a write refused by its condition costs the larger of both as well', async () => {
    await put(sized(2500))
    const ConditionExpression = 'attribute_not_exists(pk)'
    expect(await spent('PutItem', { TableName, Item: sized(100), ConditionExpression })).toEqual({ T: 3 })
    expect(await spent('PutItem', { TableName, Item: sized(4000), ConditionExpression })).toEqual({ T: 4 })
    expect(await spent('DeleteItem', { TableName, Key: Key('a'), ConditionExpression })).toEqual({ T: 3 })
    expect(
      await spent('DeleteItem', { TableName, Key: Key('none'), ConditionExpression: 'attribute_exists(pk)' }),
    ).toEqual({ T: 1 })
  })

  it('a batch costs the sum of its items, each rounded up', async () => {
    await put(sized(1500, 'c'))
    const requests = [
      { PutRequest: { Item: sized(100, 'a') } },
      { PutRequest: { Item: sized(1025, 'b') } },
      { DeleteRequest: { Key: Key('c') } },
    ]
    expect(await spent('BatchWriteItem', { RequestItems: { [TableName]: requests } })).toEqual({ T: 1 + 2 + 2 })
  })

  it('an invalid request costs nothing', async () => {
    expect(await spent('PutItem', { TableName, Item: { pk: { S: 'p' } } })).toEqual({})
    expect(await spent('PutItem', { TableName, Item: sized(400 * 1024 + 1) })).toEqual({})
  })
})

describe('an index costs a unit for each KB of an entry that changes', () => {
  const inKeys = (value: string): Item => ({ kp: { S: value }, ks: { S: 's' } })

  it.each<[string, Item, Item, Record<string, number>]>([
    ['an item that enters it', {}, inKeys('1'), { T: 1, 'T/k': 1 }],
    ['an item that stays where it is', inKeys('1'), inKeys('1'), { T: 1 }],
    ['an item that moves: a delete and a put', inKeys('1'), inKeys('2'), { T: 1, 'T/k': 2 }],
    ['an item that leaves it', inKeys('1'), {}, { T: 1, 'T/k': 1 }],
    ['an item that lacks one of its keys', {}, { kp: { S: '1' } }, { T: 1 }],
    [
      'an attribute that it does not project',
      { ...inKeys('1'), n: { N: '1' } },
      { ...inKeys('1'), n: { N: '2' } },
      { T: 1 },
    ],
  ])('%s', async (_, before, after, units) => {
    await put({ ...Key('a'), ...before })
    expect(await spent('PutItem', { TableName, Item: { ...Key('a'), ...after } })).toEqual(units)
  })

  it('measures a keys-only entry by the keys of index and table, not by the item', async () => {
    expect(await spent('PutItem', { TableName, Item: sized(10_000, 'a', {}) })).toEqual({ T: 10 })
    expect(await spent('PutItem', { TableName, Item: { ...sized(10_000), ...inKeys('1') } })).toEqual({
      T: 10,
      'T/k': 1,
    })
    const long = { kp: { S: 'p'.repeat(1015) }, ks: { S: 's' } }
    // 6 for the table's keys, 2 + 1015 and 2 + 1 for those of the index: 1026 bytes.
    expect(await spent('PutItem', { TableName, Item: { ...Key('b'), ...long } })).toEqual({ T: 2, 'T/k': 2 })
  })

  it('measures a projected attribute that changes by the larger of both entries', async () => {
    const noted = (bytes: number): Item => ({
      ...Key('a'),
      ip: { S: '1' },
      is: { S: 's' },
      note: { S: 'n'.repeat(bytes) },
    })
    await put(noted(3000))
    expect(await spent('PutItem', { TableName, Item: noted(10) })).toEqual({ T: 3, 'T/i': 3 })
    expect(await spent('PutItem', { TableName, Item: noted(10) })).toEqual({ T: 1 })
  })

  it('copies the whole item to an index of all attributes', async () => {
    const Item = { ...sized(2500), ap: { S: '1' }, as: { S: 's' } }
    expect(await spent('PutItem', { TableName, Item })).toEqual({ T: 3, 'T/a': 3 })
    expect(await spent('DeleteItem', { TableName, Key: Key('a') })).toEqual({ T: 3, 'T/a': 3 })
  })

  it('costs nothing when the write is refused', async () => {
    await put(sized(100))
    const refused = { Item: { ...sized(100), ...inKeys('1') }, ConditionExpression: 'attribute_not_exists(pk)' }
    expect(await spent('PutItem', { TableName, ...refused })).toEqual({ T: 1 })
  })
})

describe('a transaction costs twice', () => {
  const condition = { ConditionExpression: 'attribute_exists(pk)' }

  it('for every item it writes or checks, but once for the indexes, which follow its commit', async () => {
    await put(sized(3000, 'checked'), sized(1500, 'deleted'))
    const TransactItems = [
      { Put: { TableName, Item: { ...sized(100), kp: { S: '1' }, ks: { S: 's' } } } },
      { ConditionCheck: { TableName, Key: Key('checked'), ...condition } },
      { Delete: { TableName, Key: Key('deleted') } },
    ]
    expect(await spent('TransactWriteItems', { TransactItems })).toEqual({ T: 2 * (1 + 3 + 2), 'T/k': 1 })
  })

  it('our choice: also when it is cancelled, though it then changes no index', async () => {
    const TransactItems = [
      { Put: { TableName, Item: { ...sized(1500), kp: { S: '1' }, ks: { S: 's' } } } },
      { ConditionCheck: { TableName, Key: Key('missing'), ...condition } },
    ]
    expect(await spent('TransactWriteItems', { TransactItems })).toEqual({ T: 2 * (2 + 1) })
  })

  it('for every item it reads', async () => {
    await put(sized(4097))
    const TransactItems = [{ Get: { TableName, Key: Key('a') } }, { Get: { TableName, Key: Key('missing') } }]
    expect(await spent('TransactGetItems', { TransactItems })).toEqual({ T: 2 * (2 + 1) })
  })

  it('reads its items when it is repeated under the same token', async () => {
    const request = { TransactItems: [{ Put: { TableName, Item: sized(5000) } }], ClientRequestToken: 'once' }
    expect(await spent('TransactWriteItems', request)).toEqual({ T: 2 * 5 })
    expect(await spent('TransactWriteItems', request)).toEqual({ T: 2 * 2 })
  })
})

it('metering changes nothing of what a write does', async () => {
  await put(sized(100, 'a', { kp: { S: '1' }, ks: { S: 's' } }))
  await spent('PutItem', { TableName, Item: sized(200) })
  expect(await call('GetItem', { TableName, Key: Key('a') })).toEqual({ Item: sized(200) })
  const query = { TableName, IndexName: 'k-index', KeyConditionExpression: 'kp = :p' }
  expect(await call('Query', { ...query, ExpressionAttributeValues: { ':p': { S: '1' } } })).toMatchObject({
    Count: 0,
  })
})
