import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { Throttled } from '../../../kernel/throttling/throttled.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { type Key, keyOfItem } from '../keys/key.ts'
import { type Item, marshal, unmarshal } from '../values/marshal.ts'
import { retryWithJitter } from '../writes/retry-with-jitter.ts'
import { canExist, projection } from './key-range.ts'
import { bareKey } from './write.ts'

type Client = Pick<DynamoDBClient, 'send'>

/** Most keys in one BatchGetItem. */
const readsPerCall = 100
/** Most writes in one BatchWriteItem. */
const writesPerCall = 25

/** Reads any number of keys, 100 per call, with all calls in parallel. Unread keys of a call are retried. */
export async function readBatches(
  client: Client,
  clock: Clock,
  tableName: string,
  keys: readonly Key[],
  { attributes, consistent }: { readonly attributes: readonly string[] | undefined; readonly consistent: boolean },
): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>()
  const distinct = [...new Map(keys.filter(canExist).map((key) => [address(key), key])).values()]
  await Promise.all(
    chunksOf(distinct, readsPerCall).map((chunk) => {
      let unread: Record<string, AttributeValue>[] = chunk.map(bareKey)
      return retryWithJitter(clock, async (again) => {
        const { Responses, UnprocessedKeys } = await client.send(
          new BatchGetItemCommand({
            RequestItems: { [tableName]: { Keys: unread, ConsistentRead: consistent, ...projection(attributes) } },
          }),
        )
        for (const raw of Responses?.[tableName] ?? []) {
          const item = unmarshal(raw)
          found.set(address(keyOfItem(item)), item)
        }
        unread = UnprocessedKeys?.[tableName]?.Keys ?? []
        if (unread.length > 0) again(new Throttled({ cause: new Error('DynamoDB left keys of a batch unread') }))
      })
    }),
  )
  return keys.map((key) => found.get(address(key)))
}

/** Puts and removes any number of items unconditionally, 25 per call. Settles only when every call has settled. */
export async function writeBatches(
  client: Client,
  clock: Clock,
  tableName: string,
  puts: readonly (Item & Key)[],
  removals: readonly Key[],
): Promise<void> {
  const requests: WriteRequest[] = [
    ...puts.map((item) => ({ PutRequest: { Item: marshal(item) } })),
    ...removals.map((key) => ({ DeleteRequest: { Key: bareKey(key) } })),
  ]
  const calls = await Promise.allSettled(
    chunksOf(requests, writesPerCall).map((chunk) => {
      let unwritten = chunk
      return retryWithJitter(clock, async (again) => {
        const { UnprocessedItems } = await client.send(
          new BatchWriteItemCommand({ RequestItems: { [tableName]: unwritten } }),
        )
        unwritten = UnprocessedItems?.[tableName] ?? []
        if (unwritten.length > 0) again(new Throttled({ cause: new Error('DynamoDB left items of a batch unwritten') }))
      })
    }),
  )
  for (const call of calls) if (call.status === 'rejected') throw call.reason
}

const address = (key: Key): string => `${key.pk}\n${key.sk}`

function chunksOf<T>(all: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let start = 0; start < all.length; start += size) chunks.push(all.slice(start, start + size))
  return chunks
}
