import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  type PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  TransactionCanceledException,
  type AttributeValue,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { clientOptions } from '../kernel/client-options.ts'
import { clock as systemClock, type Clock } from '../kernel/clock.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { projection, rangeRequest, type KeyRange, type KeyRangePage } from './key-range.ts'
import { belongsTo, type Key, keyOfItem } from './keys/key.ts'
import { marshal, unmarshal, type Item } from './marshal.ts'
import { ConditionFailed, TransactionRefused } from './refusals.ts'
import { retryWithJitter } from './retry-with-jitter.ts'
import { bareKey, keyOf, singleCommand, transactItem, type Write } from './write.ts'

/** Reads and writes that belong to no single tenant: tokens, e-mail addresses, the making of a tenant. */
export const deploymentWide = Symbol('deployment-wide')
export type Scope = TenantRef | typeof deploymentWide

export type { KeyRange, KeyRangePage } from './key-range.ts'
export type { Condition, Write } from './write.ts'

export type Store = ReturnType<typeof createStore>

/** The single table. Every call names the tenant it is for and is refused when a key is not that tenant's. */
export function createStore(
  tableName: string,
  client: Pick<DynamoDBClient, 'send'> = openClient(),
  clock: Clock = systemClock,
) {
  /** Strongly consistent; undefined when there is no such item. */
  async function get(scope: Scope, key: Key): Promise<Item | undefined> {
    guard(scope, key)
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: marshal({ ...key }), ConsistentRead: true }),
    )
    return Item && unmarshal(Item)
  }

  /**
   * Items in the order of `keys`, undefined where there is none; any number of keys, 100 a call, calls side by side.
   * `attributes` are answered, all of them when left out; `pk` and `sk` must be among them.
   */
  async function getMany(
    scope: Scope,
    keys: readonly Key[],
    attributes?: readonly string[],
  ): Promise<(Item | undefined)[]> {
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
            new BatchGetItemCommand({
              RequestItems: { [tableName]: { Keys: wanted, ConsistentRead: true, ...projection(attributes) } },
            }),
          )
          for (const raw of Responses?.[tableName] ?? []) {
            const item = unmarshal(raw)
            found.set(address(keyOfItem(item)), item)
          }
          wanted = UnprocessedKeys?.[tableName]?.Keys ?? []
          if (wanted.length > 0) {
            chunk.splice(0, chunk.length, ...wanted.map((key) => keyOfItem(unmarshal(key))))
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
    return {
      items: Items.map(unmarshal),
      last: LastEvaluatedKey && (unmarshal(LastEvaluatedKey) as Record<string, string>),
    }
  }

  /** How many keys a range holds, up to `limit`, and where counting stopped. */
  async function countPage(
    scope: Scope,
    range: KeyRange,
  ): Promise<{ count: number; last?: Readonly<Record<string, string>> }> {
    guard(scope, { pk: range.pk, sk: '' })
    const { Count = 0, LastEvaluatedKey } = await client.send(
      new QueryCommand({ ...rangeRequest(tableName, range), Select: 'COUNT' }),
    )
    return { count: Count, last: LastEvaluatedKey && (unmarshal(LastEvaluatedKey) as Record<string, string>) }
  }

  /**
   * One conditional write. A failed condition throws ConditionFailed with the existing item, unless that item carries the
   * `write_id` of this very write: then an earlier try succeeded and only its answer was lost.
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
        const { Attributes } = (await client.send(command as PutItemCommand)) as {
          Attributes?: Record<string, AttributeValue>
        }
        return Attributes && unmarshal(Attributes)
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) {
          const existing = error.Item && unmarshal(error.Item)
          if ('put' in one && one.put.write_id !== undefined && existing?.write_id === one.put.write_id) return existing
          if ('update' in one && one.otherwise) return writeReturning(scope, one.otherwise(existing), returns)
          throw new ConditionFailed(existing, { cause: error })
        }
        if ((error as Error).name === 'TransactionConflictException') return again(error as Error)
        throw error
      }
    })
  }

  /**
   * All writes or none, at most 100. `token` makes a repeat of the same transaction harmless for ten minutes. A failed
   * condition throws TransactionRefused saying which write and what exists there; conflicts with other transactions are retried.
   */
  async function transact(scope: Scope, writes: readonly Write[], token: string): Promise<void> {
    try {
      await transactOnce(scope, writes, token)
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error
      const { refused, instead } = alternatives(writes, error)
      if (refused) throw refused
      await transact(scope, instead, clock.uuid())
    }
  }

  async function transactOnce(scope: Scope, writes: readonly Write[], token: string): Promise<void> {
    for (const one of writes) guard(scope, keyOf(one))
    const request = {
      TransactItems: writes.map((one) => transactItem(tableName, one)),
      ClientRequestToken: token.slice(0, 36),
    }
    await retryWithJitter(clock, async (again) => {
      try {
        await client.send(new TransactWriteItemsCommand(request))
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error
        const reasons = error.CancellationReasons ?? []
        if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) {
          throw new TransactionRefused(
            reasons.map(({ Code, Item }) => ({
              failed: Code === 'ConditionalCheckFailed',
              existing: Item && unmarshal(Item),
            })),
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
   * The same with removals. A key may be in one list only, and once. When a call fails the others are waited for: nothing is
   * in flight any more once this has failed.
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
          const { UnprocessedItems } = await client.send(
            new BatchWriteItemCommand({ RequestItems: { [tableName]: open } }),
          )
          open = UnprocessedItems?.[tableName] ?? []
          if (open.length > 0) again(new Error('DynamoDB left items of a batch unwritten'))
        })
      }),
    )
    for (const call of calls) if (call.status === 'rejected') throw call.reason
  }

  return { get, getMany, query, countPage, write, update, transact, putMany, writeMany }
}

/** What to write instead of what was refused; where some write has no alternative, the refusal without those that have one. */
function alternatives(
  writes: readonly Write[],
  error: TransactionRefused,
): { refused?: TransactionRefused; instead: readonly Write[] } {
  const instead = writes.map((one, index) => {
    const reason = error.reasons[index]
    return reason?.failed && 'update' in one && one.otherwise ? one.otherwise(reason.existing) : one
  })
  const reasons = error.reasons.map((reason, index) =>
    instead[index] === writes[index] ? reason : { ...reason, failed: false },
  )
  return {
    instead,
    ...(reasons.some(({ failed }) => failed) && { refused: new TransactionRefused(reasons, { cause: error.cause }) }),
  }
}

/** Cancellation reasons that say "try again", not "no". */
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])

const address = (key: Key): string => `${key.pk}\n${key.sk}`

function guard(scope: Scope, key: Key): void {
  if (scope !== deploymentWide && !belongsTo(key, scope)) throw new Error(`key ${key.pk} is not of tenant ${scope.id}`)
}

/** One client per function instance, with the handlers of its commands cached. `plugins`: of the local cloud, for the client's middleware. */
export function openClient(options: Record<string, unknown> = clientOptions('dynamodb')): DynamoDBClient {
  const { plugins = [], ...config } = options as { plugins?: readonly Pluggable[] }
  const client = new DynamoDBClient({ cacheMiddleware: true, ...config })
  for (const plugin of plugins) client.middlewareStack.use(plugin)
  return client
}

type Pluggable = Parameters<DynamoDBClient['middlewareStack']['use']>[0]
