import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  TransactionCanceledException,
  UpdateItemCommand,
  type AttributeValue,
  type TransactWriteItem,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { clientOptions } from '../client-options.ts'
import { clock as systemClock, type Clock } from '../clock.ts'
import type { TenantRef } from '../tenancy.ts'
import { retryWithJitter } from './backoff.ts'
import { belongsTo, type Key } from './keys.ts'
import { marshal, unmarshal, type Attribute, type Item } from './marshal.ts'
import { ConditionFailed, TransactionRefused } from './refusals.ts'

/** Reads and writes that belong to no single tenant: tokens, e-mail addresses, the making of a tenant. */
export const deploymentWide = Symbol('deployment-wide')
export type Scope = TenantRef | typeof deploymentWide

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

/** One write, alone or in a transaction. */
export type Write =
  | { readonly put: Item & Key; readonly if?: Condition }
  | { readonly update: Key; readonly change: Change; readonly if?: Condition }
  | { readonly remove: Key; readonly if?: Condition }
  | { readonly check: Key; readonly if: Condition }

export interface KeyRange {
  readonly pk: string
  /** Name of a slot index; the table itself when left out. */
  readonly index?: string
  readonly prefix?: string
  readonly from?: string
  readonly to?: string
  readonly reverse?: boolean
  readonly limit?: number
  /** The last key of the page before. */
  readonly after?: Readonly<Record<string, string>>
  /** Eventually consistent reads cost half; slot indexes know no other. */
  readonly consistent?: boolean
  /** Leaves out records whose delete has begun; `limit` counts them all the same. */
  readonly livingOnly?: boolean
  /** The attributes to answer; all of them when left out. */
  readonly attributes?: readonly string[]
}
export interface KeyRangePage {
  readonly items: readonly Item[]
  readonly last?: Readonly<Record<string, string>>
}

export type Store = ReturnType<typeof createStore>

/** The single table. Every call names the tenant it is for and is refused when a key is not that tenant's. */
export function createStore(tableName: string, client: Pick<DynamoDBClient, 'send'> = openClient(), clock: Clock = systemClock) {
  /** Strongly consistent; undefined when there is no such item. */
  async function get(scope: Scope, key: Key): Promise<Item | undefined> {
    guard(scope, key)
    const { Item } = await client.send(new GetItemCommand({ TableName: tableName, Key: marshal({ ...key }), ConsistentRead: true }))
    return Item && unmarshal(Item)
  }

  /**
   * Items in the order of `keys`, undefined where there is none; any number of keys, 100 a call, calls side by side.
   * `attributes` are answered, all of them when left out; `pk` and `sk` must be among them.
   */
  async function getMany(scope: Scope, keys: readonly Key[], attributes?: readonly string[]): Promise<(Item | undefined)[]> {
    for (const key of keys) guard(scope, key)
    const found = new Map<string, Item>()
    const distinct = [...new Map(keys.map((key) => [address(key), key])).values()]
    const chunks: Key[][] = []
    for (let start = 0; start < distinct.length; start += 100) chunks.push(distinct.slice(start, start + 100))
    await Promise.all(
      chunks.map((chunk) =>
        retryWithJitter(clock, async (again) => {
          let wanted: Record<string, AttributeValue>[] = chunk.map((key) => marshal({ pk: key.pk, sk: key.sk }))
          const { Responses, UnprocessedKeys } = await client.send(
            new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys: wanted, ConsistentRead: true, ...projection(attributes) } } }),
          )
          for (const raw of Responses?.[tableName] ?? []) {
            const item = unmarshal(raw)
            found.set(address(item as unknown as Key), item)
          }
          wanted = UnprocessedKeys?.[tableName]?.Keys ?? []
          if (wanted.length > 0) {
            chunk.splice(0, chunk.length, ...wanted.map((key) => unmarshal(key) as unknown as Key))
            again(new Error('DynamoDB left keys of a batch unread'))
          }
        }),
      ),
    )
    return keys.map((key) => found.get(address(key)))
  }

  /** One page of a partition, or of a slot index, in key order. */
  async function query(scope: Scope, range: KeyRange): Promise<KeyRangePage> {
    guard(scope, { pk: range.pk, sk: '' })
    const { Items = [], LastEvaluatedKey } = await client.send(new QueryCommand(rangeRequest(tableName, range)))
    return { items: Items.map(unmarshal), last: LastEvaluatedKey && (unmarshal(LastEvaluatedKey) as Record<string, string>) }
  }

  /** How many keys a range holds, up to `limit`, and where counting stopped. */
  async function countPage(scope: Scope, range: KeyRange): Promise<{ count: number; last?: Readonly<Record<string, string>> }> {
    guard(scope, { pk: range.pk, sk: '' })
    const { Count = 0, LastEvaluatedKey } = await client.send(new QueryCommand({ ...rangeRequest(tableName, range), Select: 'COUNT' }))
    return { count: Count, last: LastEvaluatedKey && (unmarshal(LastEvaluatedKey) as Record<string, string>) }
  }

  /**
   * One conditional write. A failed condition throws ConditionFailed with the item that stood in the way, unless that item
   * carries the `write_id` of this very write: then only the answer to an earlier try was lost, and the write stands.
   * With `returning` an update answers the item as it became.
   */
  async function write(scope: Scope, one: Write): Promise<void> {
    await writeReturning(scope, one, 'NONE')
  }

  async function update(scope: Scope, one: Extract<Write, { update: Key }>): Promise<Item> {
    return (await writeReturning(scope, one, 'ALL_NEW')) as Item
  }

  async function writeReturning(scope: Scope, one: Write, returns: 'NONE' | 'ALL_NEW'): Promise<Item | undefined> {
    guard(scope, keyOf(one))
    const command = singleCommand(tableName, one, returns)
    return retryWithJitter(clock, async (again) => {
      try {
        const { Attributes } = (await client.send(command as PutItemCommand)) as { Attributes?: Record<string, AttributeValue> }
        return Attributes && unmarshal(Attributes)
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) {
          const standing = error.Item && unmarshal(error.Item)
          if ('put' in one && one.put.write_id !== undefined && standing?.write_id === one.put.write_id) return standing
          throw new ConditionFailed(standing, { cause: error })
        }
        if ((error as Error).name === 'TransactionConflictException') return again(error as Error)
        throw error
      }
    })
  }

  /**
   * All writes or none, at most 100. `token` makes a repeat of the same transaction harmless for ten minutes. A failed
   * condition throws TransactionRefused saying which write and what stood there; conflicts with other transactions are retried.
   */
  async function transact(scope: Scope, writes: readonly Write[], token: string): Promise<void> {
    for (const one of writes) guard(scope, keyOf(one))
    const request = { TransactItems: writes.map((one) => transactItem(tableName, one)), ClientRequestToken: token.slice(0, 36) }
    await retryWithJitter(clock, async (again) => {
      try {
        await client.send(new TransactWriteItemsCommand(request))
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error
        const reasons = error.CancellationReasons ?? []
        if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) {
          throw new TransactionRefused(
            reasons.map(({ Code, Item }) => ({ failed: Code === 'ConditionalCheckFailed', standing: Item && unmarshal(Item) })),
            { cause: error },
          )
        }
        if (reasons.every(({ Code }) => Code === 'None' || passing.has(Code ?? ''))) return again(error)
        throw error
      }
    })
  }

  /** Unconditional puts of rows whose content is a pure function of their key, 25 a call; what is left over is sent again. */
  const putMany = (scope: Scope, items: readonly (Item & Key)[]): Promise<void> => writeMany(scope, items, [])

  /**
   * The same with removals. No key may stand in both lists, or twice in one. When a call fails the others are waited for:
   * nothing is on its way any more once this has failed.
   */
  async function writeMany(scope: Scope, puts: readonly (Item & Key)[], removals: readonly Key[]): Promise<void> {
    for (const key of [...puts, ...removals]) guard(scope, key)
    const requests: WriteRequest[] = [
      ...puts.map((item) => ({ PutRequest: { Item: marshal(item) } })),
      ...removals.map((key) => ({ DeleteRequest: { Key: bareKey(key) } })),
    ]
    const chunks: WriteRequest[][] = []
    for (let start = 0; start < requests.length; start += 25) chunks.push(requests.slice(start, start + 25))
    const calls = await Promise.allSettled(
      chunks.map((chunk) => {
        let open = chunk
        return retryWithJitter(clock, async (again) => {
          const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: open } }))
          open = UnprocessedItems?.[tableName] ?? []
          if (open.length > 0) again(new Error('DynamoDB left items of a batch unwritten'))
        })
      }),
    )
    for (const call of calls) if (call.status === 'rejected') throw call.reason
  }

  return { get, getMany, query, countPage, write, update, transact, putMany, writeMany }
}

/** Cancellation reasons that say "try again", not "no". */
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])

const address = (key: Key): string => `${key.pk}\n${key.sk}`

function guard(scope: Scope, key: Key): void {
  if (scope !== deploymentWide && !belongsTo(key, scope)) throw new Error(`key ${key.pk} is not of tenant ${scope.id}`)
}

const keyOf = (one: Write): Key => ('put' in one ? one.put : 'update' in one ? one.update : 'remove' in one ? one.remove : one.check)

function expression(condition: Condition | undefined, change?: Change) {
  const names = { ...condition?.names, ...change?.names }
  const values = { ...condition?.values, ...change?.values }
  return {
    ...(condition && { ConditionExpression: condition.expression, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
    ...(change && { UpdateExpression: change.expression }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: marshal(values) }),
  }
}

const bareKey = (key: Key) => marshal({ pk: key.pk, sk: key.sk })

function singleCommand(TableName: string, one: Write, ReturnValues: 'NONE' | 'ALL_NEW') {
  if ('put' in one) return new PutItemCommand({ TableName, Item: marshal(one.put), ...expression(one.if) })
  if ('update' in one) return new UpdateItemCommand({ TableName, Key: bareKey(one.update), ReturnValues, ...expression(one.if, one.change) })
  if ('remove' in one) return new DeleteItemCommand({ TableName, Key: bareKey(one.remove), ...expression(one.if) })
  throw new Error('a check stands in a transaction only')
}

function transactItem(TableName: string, one: Write): TransactWriteItem {
  if ('put' in one) return { Put: { TableName, Item: marshal(one.put), ...expression(one.if) } }
  if ('update' in one) {
    return { Update: { TableName, Key: bareKey(one.update), ...expression(one.if, one.change) } } as TransactWriteItem
  }
  if ('remove' in one) return { Delete: { TableName, Key: bareKey(one.remove), ...expression(one.if) } }
  return { ConditionCheck: { TableName, Key: bareKey(one.check), ...expression(one.if) } } as TransactWriteItem
}

function rangeRequest(TableName: string, range: KeyRange) {
  const slot = range.index?.slice(-2)
  const names: Record<string, string> = { '#p': slot ? `p${slot}` : 'pk' }
  const values: Record<string, Attribute> = { ':p': range.pk }
  let condition = '#p = :p'
  const bounded = (text: string, more: Record<string, Attribute>): void => {
    names['#s'] = slot ? `s${slot}` : 'sk'
    Object.assign(values, more)
    condition += ` AND ${text}`
  }
  if (range.prefix !== undefined) bounded('begins_with(#s, :prefix)', { ':prefix': range.prefix })
  else if (range.from !== undefined && range.to !== undefined) bounded('#s BETWEEN :from AND :to', { ':from': range.from, ':to': range.to })
  else if (range.from !== undefined) bounded('#s >= :from', { ':from': range.from })
  else if (range.to !== undefined) bounded('#s <= :to', { ':to': range.to })
  return {
    TableName,
    IndexName: range.index,
    KeyConditionExpression: condition,
    FilterExpression: range.livingOnly ? 'attribute_not_exists(deleted_at)' : undefined,
    ...projection(range.attributes, names),
    ExpressionAttributeValues: marshal(values),
    ScanIndexForward: !range.reverse,
    Limit: range.limit,
    ConsistentRead: slot ? undefined : (range.consistent ?? true),
    ExclusiveStartKey: range.after && marshal(range.after),
  }
}

/** Every name stands for itself behind a `#`: many of ours are reserved words. */
function projection(attributes: readonly string[] | undefined, names?: Record<string, string>) {
  if (!attributes) return names && { ExpressionAttributeNames: names }
  return {
    ProjectionExpression: attributes.map((name) => `#_${name}`).join(','),
    ExpressionAttributeNames: { ...names, ...Object.fromEntries(attributes.map((name) => [`#_${name}`, name])) },
  }
}

/** One client per function instance, with the handlers of its commands cached. */
export const openClient = (options: Record<string, unknown> = clientOptions('dynamodb')): DynamoDBClient =>
  new DynamoDBClient({ cacheMiddleware: true, ...options })
