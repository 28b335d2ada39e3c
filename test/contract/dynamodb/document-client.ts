import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { expect, test } from 'vitest'
import { type Item, marshal, unmarshal } from '../../../shared/platform/store/values/marshal.ts'
import type { Fixture } from './fixture.ts'
import { partition } from './operations.ts'
import { mainTable } from './tables.ts'

const { TableName } = mainTable
const values: Item = {
  text: 'héllo 🦊',
  empty: '',
  integer: -9_007_199_254_740_991,
  yes: true,
  no: false,
  nothing: null,
  bytes: new Uint8Array([0, 1, 254, 255]),
  names: ['a', '', 'ü'],
}

/** Our marshaller and that of the SDK (`@aws-sdk/lib-dynamodb`) write the same, so tools of others read our table. */
export function documentClientCases(fixture: () => Fixture): void {
  const documents = () => DynamoDBDocumentClient.from(fixture().client)

  test('what the store writes, the document client reads', async () => {
    const id = { pk: partition(), sk: '1' }
    await fixture().client.send(new PutItemCommand({ TableName, Item: marshal({ ...id, ...values }) }))
    const { Item: read } = await documents().send(new GetCommand({ TableName, Key: id }))
    expect(read).toEqual({ ...id, ...values })
  })

  test('what the document client writes, the store reads', async () => {
    const id = { pk: partition(), sk: '1' }
    await documents().send(new PutCommand({ TableName, Item: { ...id, ...values } }))
    const { Item: read = {} } = await fixture().client.send(new GetItemCommand({ TableName, Key: marshal(id) }))
    expect(unmarshal(read)).toEqual({ ...id, ...values })
  })
}
