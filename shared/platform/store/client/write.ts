import { DeleteItemCommand, PutItemCommand, UpdateItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb'
import type { Key } from '../keys/key.ts'
import { marshal, type Attribute, type Item } from '../values/marshal.ts'

export interface Condition {
  readonly expression: string
  readonly names?: Readonly<Record<string, string>>
  readonly values?: Readonly<Record<string, Attribute>>
}

export interface Change {
  /** An update expression: `SET a = :a ADD n :one`. */
  readonly expression: string
  readonly names?: Readonly<Record<string, string>>
  readonly values?: Readonly<Record<string, Attribute>>
}

/** One write, alone or in a transaction. `otherwise` gives the write to do instead when the condition fails. */
export type Write =
  | { readonly put: Item & Key; readonly if?: Condition }
  | {
      readonly update: Key
      readonly change: Change
      readonly if?: Condition
      readonly otherwise?: (existing: Item | undefined) => Write
    }
  | { readonly remove: Key; readonly if?: Condition }
  | { readonly check: Key; readonly if: Condition }

/** The key of the item that a write changes or checks. */
export const keyOf = (one: Write): Key =>
  'put' in one ? one.put : 'update' in one ? one.update : 'remove' in one ? one.remove : one.check

function expression(condition: Condition | undefined, change?: Change) {
  const names = { ...condition?.names, ...change?.names }
  const values = { ...condition?.values, ...change?.values }
  return {
    ...(condition && {
      ConditionExpression: condition.expression,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    }),
    ...(change && { UpdateExpression: change.expression }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: marshal(values) }),
  }
}

/** The marshalled key of an item that may have other members. */
export const bareKey = (key: Key) => marshal({ pk: key.pk, sk: key.sk })

/** The command of a single write. Throws for a check, which only transactions have. */
export function singleCommand(TableName: string, one: Write, ReturnValues: 'NONE' | 'ALL_NEW') {
  if ('put' in one) return new PutItemCommand({ TableName, Item: marshal(one.put), ...expression(one.if) })
  if ('update' in one)
    return new UpdateItemCommand({
      TableName,
      Key: bareKey(one.update),
      ReturnValues,
      ...expression(one.if, one.change),
    })
  if ('remove' in one) return new DeleteItemCommand({ TableName, Key: bareKey(one.remove), ...expression(one.if) })
  throw new Error('a check belongs in a transaction')
}

/** The same write as a part of a transaction. */
export function transactItem(TableName: string, one: Write): TransactWriteItem {
  if ('put' in one) return { Put: { TableName, Item: marshal(one.put), ...expression(one.if) } }
  if ('update' in one) {
    return { Update: { TableName, Key: bareKey(one.update), ...expression(one.if, one.change) } } as TransactWriteItem
  }
  if ('remove' in one) return { Delete: { TableName, Key: bareKey(one.remove), ...expression(one.if) } }
  return { ConditionCheck: { TableName, Key: bareKey(one.check), ...expression(one.if) } } as TransactWriteItem
}
