/** The figures are those of the Developer Guide: "DynamoDB read and write operations". */
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type ChargedTable,
  Key,
  openChargedTable,
  sized,
  TableName,
} from '../../../../../make/services/stores/charged-table.ts'

let put: ChargedTable['put']
let spent: ChargedTable['spent']
beforeEach(async () => void ({ put, spent } = await openChargedTable()))

describe('a read costs a unit for each 4 KB, rounded up, and half of it when eventually consistent', () => {
  it.each<[number | undefined, boolean, number]>([
    [100, true, 1],
    [100, false, 0.5],
    [4096, true, 1],
    [4097, true, 2],
    [4097, false, 1],
    [undefined, true, 1],
    [undefined, false, 0.5],
  ])('an item of %s bytes, consistent: %s, costs %d', async (bytes, ConsistentRead, units) => {
    if (bytes !== undefined) await put(sized(bytes))
    expect(await spent('GetItem', { TableName, Key: Key('a'), ConsistentRead })).toEqual({ T: units })
  })

  it('measures the whole item, whatever the projection leaves out', async () => {
    await put({ ...sized(5000), kp: { S: 'p'.repeat(2000) }, ks: { S: 's' } })
    for (const ProjectionExpression of ['sk', 'ks'])
      expect(await spent('GetItem', { TableName, Key: Key('a'), ProjectionExpression, ConsistentRead: true })).toEqual({
        T: 2,
      })
  })

  it('rounds each item of a batch up', async () => {
    await put(sized(1500, 'a'), sized(6500, 'b'))
    const Keys = ['a', 'b', 'missing'].map(Key)
    expect(await spent('BatchGetItem', { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } })).toEqual({
      T: 1 + 2 + 1,
    })
    expect(await spent('BatchGetItem', { RequestItems: { [TableName]: { Keys } } })).toEqual({ T: 2 })
  })

  describe('a query rounds the sum of its items up, before filters and projections', () => {
    const query = { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': { S: 'p' } } }
    beforeEach(() => put(...Array.from({ length: 10 }, (_, n) => sized(1000, String(n)))))

    it.each<[string, object, number]>([
      ['10,000 bytes', {}, 1.5],
      ['10,000 bytes, consistent', { ConsistentRead: true }, 3],
      ['a page of 4 items', { Limit: 4, ConsistentRead: true }, 1],
      ['a page of 5 items', { Limit: 5, ConsistentRead: true }, 2],
      ['a projection', { ProjectionExpression: 'sk', ConsistentRead: true }, 3],
      ['a count', { Select: 'COUNT', ConsistentRead: true }, 3],
      ['a filter that nothing passes', { FilterExpression: 'attribute_exists(nothing)', ConsistentRead: true }, 3],
    ])('%s', async (_, more, units) => {
      expect(await spent('Query', { ...query, ...more })).toEqual({ T: units })
    })

    it('and costs one unit when it finds nothing, or half', async () => {
      const nothing = { ...query, ExpressionAttributeValues: { ':p': { S: 'nothing' } } }
      expect(await spent('Query', { ...nothing, ConsistentRead: true })).toEqual({ T: 1 })
      expect(await spent('Query', nothing)).toEqual({ T: 0.5 })
    })

    it('as does a scan', async () => {
      expect(await spent('Scan', { TableName, FilterExpression: 'attribute_exists(nothing)' })).toEqual({ T: 1.5 })
    })
  })

  it('a query of an index measures its entries', async () => {
    const items = Array.from({ length: 10 }, (_, n) => ({
      ...sized(5000, String(n)),
      kp: { S: 'p' },
      ks: { S: String(n) },
    }))
    await put(...items)
    const query = { TableName, IndexName: 'k-index', KeyConditionExpression: 'kp = :p' }
    expect(await spent('Query', { ...query, ExpressionAttributeValues: { ':p': { S: 'p' } } })).toEqual({ 'T/k': 0.5 })
  })

  it('a page of 1 MB costs what was read of it', async () => {
    await put(...Array.from({ length: 5 }, (_, n) => sized(300_000, String(n))))
    const query = { KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': { S: 'p' } } }
    // The fourth item exceeds the page: 1,200,000 bytes are 293 steps.
    expect(await spent('Query', { TableName, ...query, ConsistentRead: true })).toEqual({ T: 293 })
  })
})
