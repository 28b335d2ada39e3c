import { describe, expect, it } from 'vitest'
import { tenantOfCall } from '../../../../../infra/local/turns/tenant-of-call.ts'

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: '1' } })
const own = key('T#12#R#requests#0')

describe('the tenant of a call', () => {
  it.each([
    ['a key', { TableName: 't', Key: own }],
    ['an item', { TableName: 't', Item: { ...own, name: { S: 'x' } } }],
    [
      'a query, also of an index',
      { TableName: 't', IndexName: 'i', ExpressionAttributeValues: { ':n': { N: '1' }, ':p': { S: 'T#12#BELL#3' } } },
    ],
    ['a transaction', { TransactItems: [{ Update: { Key: own } }, { Put: { Item: key('T#12#USERS') } }] }],
    [
      'a transaction that begins with a key of all',
      { TransactItems: [{ Put: { Item: key('EMAIL#x') } }, { Delete: { Key: own } }] },
    ],
    ['a batch of reads', { RequestItems: { t: { Keys: [key('TOKEN#1'), own] } } }],
    ['a batch of writes', { RequestItems: { t: [{ PutRequest: { Item: own } }] } }],
    ['a batch of deletes', { RequestItems: { t: [{ DeleteRequest: { Key: own } }] } }],
  ])('is named by %s', (_, input) => {
    expect(tenantOfCall(input)).toBe('12')
  })

  it.each([
    ['a key of all', { Key: key('TOKEN#1') }],
    ['a transaction without', { TransactItems: [{ Put: { Item: key('EMAIL#x') } }] }],
    ['a batch without', { RequestItems: { t: { Keys: [key('TOKEN#1')] } } }],
    ['a query of all', { ExpressionAttributeValues: { ':p': { S: 'DUE#3' } } }],
    ['a scan', { TableName: 't' }],
  ])('is unknown for %s', (_, input) => {
    expect(tenantOfCall(input)).toBeUndefined()
  })
})
