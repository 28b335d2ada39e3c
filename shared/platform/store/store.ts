import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  type PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { causeMember } from '../../kernel/runtime/log.ts'
import { isThrottleCode, Throttled } from '../../kernel/throttling/throttled.ts'
import { type Clock, clock as systemClock } from '../../kernel/time/clock.ts'
import { readBatches, writeBatches } from './client/batches.ts'
import { canExist, type KeyRange, type KeyRangePage, rangeRequest } from './client/key-range.ts'
import { openClient } from './client/open-client.ts'
import { keyOf, singleCommand, transactItem, type Write } from './client/write.ts'
import type { Key } from './keys/key.ts'
import { requireInScope, type Scope } from './scope.ts'
import { type Item, marshal, unmarshal } from './values/marshal.ts'
import { ConditionFailed, TransactionRefused } from './writes/refusals.ts'
import { retryWithJitter } from './writes/retry-with-jitter.ts'
import { requireWithinBudget } from './writes/transaction-budget.ts'

export { deploymentWide, type Scope } from './scope.ts'
export type { KeyRange, KeyRangePage } from './client/key-range.ts'
export type { Condition, Write } from './client/write.ts'

export type Store = ReturnType<typeof createStore>

/** The single table. Every call names its tenant and throws when a key belongs to another one. */
export function createStore(
  tableName: string,
  client: Pick<DynamoDBClient, 'send'> = openClient(),
  clock: Clock = systemClock,
) {
  /** Strongly consistent; undefined when there is no such item. */
  async function get(scope: Scope, key: Key): Promise<Item | undefined> {
    requireInScope(scope, key)
    if (!canExist(key)) return undefined
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: marshal({ ...key }), ConsistentRead: true }),
    )
    return Item && unmarshal(Item)
  }

  /**
   * Items in the order of `keys`, undefined where there is none. Reads any number of keys, 100 per call, with the calls
   * in parallel. With `attributes` only those are answered; `pk` and `sk` must be among them. Eventually consistent reads
   * cost half.
   */
  async function getMany(
    scope: Scope,
    keys: readonly Key[],
    attributes?: readonly string[],
    { consistent = true }: { readonly consistent?: boolean } = {},
  ): Promise<(Item | undefined)[]> {
    for (const key of keys) requireInScope(scope, key)
    return readBatches(client, clock, tableName, keys, { attributes, consistent })
  }

  /** One page of a partition, or of a slot index, in key order. */
  async function query(scope: Scope, range: KeyRange): Promise<KeyRangePage> {
    requireInScope(scope, { pk: range.pk, sk: '' })
    if (!canExist({ pk: range.pk, sk: range.prefix ?? '' })) return { items: [], last: undefined }
    const { Items = [], LastEvaluatedKey } = await client.send(new QueryCommand(rangeRequest(tableName, range)))
    return {
      items: Items.map(unmarshal),
      last: LastEvaluatedKey && (unmarshal(LastEvaluatedKey) as Record<string, string>),
    }
  }

  /** How many keys a range holds, up to `limit`, and the key at which counting stopped. */
  async function countPage(
    scope: Scope,
    range: KeyRange,
  ): Promise<{ count: number; last?: Readonly<Record<string, string>> }> {
    requireInScope(scope, { pk: range.pk, sk: '' })
    if (!canExist({ pk: range.pk, sk: range.prefix ?? '' })) return { count: 0 }
    const { Count = 0, LastEvaluatedKey } = await client.send(
      new QueryCommand({ ...rangeRequest(tableName, range), Select: 'COUNT' }),
    )
    return { count: Count, last: LastEvaluatedKey && (unmarshal(LastEvaluatedKey) as Record<string, string>) }
  }

  /**
   * One conditional write. A failed condition throws ConditionFailed with the existing item, unless that item has the
   * `write_id` of this write: then an earlier attempt succeeded and only its response was lost.
   */
  async function write(scope: Scope, one: Write): Promise<void> {
    await writeReturning(scope, one, 'NONE')
  }

  /** The same for an update; answers the item after it. */
  async function update(scope: Scope, one: Extract<Write, { update: Key }>): Promise<Item> {
    return (await writeReturning(scope, one, 'ALL_NEW')) as Item
  }

  async function writeReturning(scope: Scope, one: Write, returns: 'NONE' | 'ALL_NEW'): Promise<Item | undefined> {
    requireInScope(scope, keyOf(one))
    const command = singleCommand(tableName, withCause(one), returns)
    return retryWithJitter(clock, async (again) => {
      try {
        const { Attributes } = (await client.send(command as PutItemCommand)) as {
          Attributes?: Record<string, AttributeValue>
        }
        return Attributes && unmarshal(Attributes)
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) {
          const existing = error.Item && unmarshal(error.Item)
          // The error may end in a log, which no item belongs in.
          delete error.Item
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
   * All writes or none. Throws Invalid, before any is made, for more than 100 writes or 4 MB. Idempotent for ten minutes by `token`. Throws TransactionRefused when a condition
   * fails, with the existing item of each such write; conflicts with other transactions and throttles
   * are retried.
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
    for (const one of writes) requireInScope(scope, keyOf(one))
    const caused = writes.map(withCause)
    requireWithinBudget(caused)
    const request = {
      TransactItems: caused.map((one) => transactItem(tableName, one)),
      ClientRequestToken: token.slice(0, 36),
    }
    await retryWithJitter(clock, async (again) => {
      try {
        await client.send(new TransactWriteItemsCommand(request))
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error
        const reasons = error.CancellationReasons ?? []
        error.CancellationReasons = reasons.map(({ Code, Message }) => ({ Code, Message }))
        if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) {
          throw new TransactionRefused(
            reasons.map(({ Code, Item }) => ({
              failed: Code === 'ConditionalCheckFailed',
              existing: Item && unmarshal(Item),
            })),
            { cause: error },
          )
        }
        const isThrottled = reasons.some(({ Code }) => isThrottleCode(Code))
        if (reasons.every(({ Code }) => Code === 'None' || Code === 'TransactionConflict' || isThrottleCode(Code)))
          return again(isThrottled ? new Throttled({ cause: error }) : error)
        throw error
      }
    })
  }

  /** Unconditional puts, 25 per call, of rows whose content is a pure function of their key. */
  const putMany = (scope: Scope, items: readonly (Item & Key)[]): Promise<void> => writeMany(scope, items, [])

  /**
   * Unconditional puts and removals. A key may occur only once in both lists together. When a call fails, the other
   * calls are awaited first: no write is in flight any more once this has failed.
   */
  async function writeMany(scope: Scope, puts: readonly (Item & Key)[], removals: readonly Key[]): Promise<void> {
    for (const key of [...puts, ...removals]) requireInScope(scope, key)
    await writeBatches(client, clock, tableName, puts, removals)
  }

  return { get, getMany, query, countPage, write, update, transact, putMany, writeMany }
}

/** A row that the change feed announces names the request that wrote it, so that what follows is found by its id. */
const withCause = (one: Write): Write =>
  'put' in one && one.put.feed !== undefined ? { ...one, put: { ...one.put, ...causeMember() } } : one

/**
 * The writes with each refused one replaced by its alternative. `refused` is set when some refused write has none; it
 * then reports only those.
 */
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
