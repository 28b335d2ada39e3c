/** Short forms of SDK commands on the main table, with attribute values as on the wire. */

import { randomUUID } from 'node:crypto'
import {
  type AttributeValue,
  DeleteItemCommand,
  type DeleteItemCommandInput,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteItemsCommand,
  type TransactWriteItem,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb'
import { expect } from 'vitest'
import type { Fixture } from './fixture.ts'
import { type Item, mainTable } from './tables.ts'

export type { Item } from './tables.ts'
export const S = (text: string): AttributeValue => ({ S: text })
export const N = (number: number | string): AttributeValue => ({ N: String(number) })

export const key = (pk: string, sk = '1'): Item => ({ pk: S(pk), sk: S(sk) })
/** A new partition for each test. */
export const partition = (): string => randomUUID()

const TableName = mainTable.TableName

export function operationsOn(fixture: () => Fixture) {
  const send = (): Fixture['client'] => fixture().client
  return {
    put: (Item: Item, more: Partial<PutItemCommandInput> = {}) =>
      send().send(new PutItemCommand({ TableName, Item, ...more })),
    get: async (Key: Item) => (await send().send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item,
    update: (Key: Item, UpdateExpression: string, values?: Item, more: Partial<UpdateItemCommandInput> = {}) =>
      send().send(
        new UpdateItemCommand({
          TableName,
          Key,
          UpdateExpression,
          ...(values && { ExpressionAttributeValues: values }),
          ...more,
        }),
      ),
    remove: (Key: Item, more: Partial<DeleteItemCommandInput> = {}) =>
      send().send(new DeleteItemCommand({ TableName, Key, ...more })),
    query: (KeyConditionExpression: string, values: Item, more: Partial<QueryCommandInput> = {}) =>
      send().send(new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues: values, ...more })),
    transact: (TransactItems: TransactWriteItem[], ClientRequestToken?: string) =>
      send().send(new TransactWriteItemsCommand({ TransactItems, ...(ClientRequestToken && { ClientRequestToken }) })),
  }
}

/** The error of a call; throws when the call succeeds. */
export async function failure(call: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(outcome, 'the call was expected to fail').toBeInstanceOf(Error)
  return outcome as Error & Record<string, unknown>
}

/** The sort keys of the returned items, in order. */
export const sortKeys = (answer: { Items?: Item[] | undefined }): Array<string | undefined> =>
  (answer.Items ?? []).map((item) => item.sk?.S)
