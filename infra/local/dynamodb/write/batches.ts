/** BatchGetItem and BatchWriteItem: many independent operations in one request. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Storage } from '../../runtime/storage/storage.ts'
import type { Spend } from '../capacity/charges.ts'
import { isThrottled } from '../capacity/throttle.ts'
import type { ValidRequest } from '../dynalite.ts'
import { type Item, itemSizeBytes } from '../items/attribute-value.ts'
import { answerRead, asksForCapacity, chargeItem, isHeadEnough, keyedRead } from '../read/read-item.ts'
import { readRequest } from '../requests/read-request.ts'
import { ServiceError, asServiceError, invalid, notFound } from '../service-error.ts'
import type { Table } from '../tables/table.ts'
import { type Write, keyedWrite } from './plan-write.ts'

const manyWrites = 10
const maxAnswerBytes = 16 * 1024 * 1024

type KeysOfTable = Omit<ValidRequest, 'Key' | 'TableName'> & { Keys: Item[] }
type BatchWriteInput = { RequestItems: Record<string, unknown[]> }
type WriteOfTable = { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } }

/**
 * Answers in the order of stored keys, which may differ from the request: AWS promises no order. What exceeds 16 MB
 * is returned as UnprocessedKeys.
 */
export async function batchGet(
  storage: Storage,
  tables: ReadonlyMap<string, Table>,
  input: object,
  spend?: Spend,
): Promise<object> {
  const { RequestItems, ReturnConsumedCapacity } = requestItems<KeysOfTable>('BatchGetItem', input)
  const reads = Object.entries(RequestItems)
    .flatMap(([name, { Keys, ...options }]) => {
      const table = tables.get(name)
      if (!table) throw notFound()
      const headOnly = isHeadEnough(table, { ...options, TableName: name, ReturnConsumedCapacity })
      return Keys.map((Key) => keyedRead(table, { ...options, TableName: name, Key, ReturnConsumedCapacity }, headOnly))
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1))

  const responses = Object.fromEntries(Object.keys(RequestItems).map((name) => [name, [] as Item[]]))
  const unprocessed: Record<string, Partial<KeysOfTable>> = {}
  const units: Record<string, number> = {}
  const keys = reads.map(({ table, key }) => table.itemPrefix + key)
  if (new Set(keys).size < keys.length) throw invalid('Provided list of item keys contains duplicates')
  const texts = await storage.getMany(keys)
  // A character takes three bytes at most, so most batches need not be measured.
  const isSmall = 3 * texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) < maxAnswerBytes
  let bytes = 0
  let answered = 0
  let refusal: ServiceError | undefined
  for (const [i, read] of reads.entries()) {
    const name = read.table.name
    const { Item: item, ConsumedCapacity } = answerRead(isSmall ? read : { ...read, headOnly: false }, texts[i])
    bytes += item && !isSmall ? itemSizeBytes(item) : 0
    const throttle = bytes > maxAnswerBytes || !spend ? undefined : throttleOf(() => chargeItem(spend, read, texts[i]))
    if (throttle) refusal = throttle
    if (bytes > maxAnswerBytes || throttle) {
      const { Keys: _, ...options } = (input as { RequestItems: Record<string, KeysOfTable> }).RequestItems[name]!
      unprocessed[name] ??= { ...options, Keys: [] }
      unprocessed[name].Keys!.push(read.request.Key!)
      continue
    }
    answered += 1
    if (item) responses[name]!.push(item)
    if (ConsumedCapacity)
      units[name] = (units[name] ?? 0) + (ConsumedCapacity as { CapacityUnits: number }).CapacityUnits
  }
  // AWS answers a batch of which it throttles a part, and refuses one that it throttles as a whole.
  if (refusal && answered === 0) throw refusal
  return { Responses: responses, UnprocessedKeys: unprocessed, ...capacity(units, ReturnConsumedCapacity) }
}

/** Runs `write` for all items concurrently. Each is atomic, together they are not. */
export async function batchWrite(
  tables: ReadonlyMap<string, Table>,
  input: object,
  write: (write: Write) => Promise<object>,
): Promise<object> {
  const { RequestItems, ReturnConsumedCapacity } = requestItems<WriteOfTable[]>('BatchWriteItem', input)
  const given = Object.entries(RequestItems).flatMap(([name, requests]) => {
    const table = tables.get(name)
    if (!table) throw notFound()
    return requests.map((request, at) => ({ name, at, write: readBatchItem(table, request, ReturnConsumedCapacity) }))
  })
  const writes = given.map((one) => one.write)
  if (new Set(writes.map(({ table, key }) => table.itemPrefix + key)).size < writes.length) {
    throw invalid('Provided list of item keys contains duplicates')
  }
  // To read a large batch and to make it takes some milliseconds each: others go on in between.
  if (writes.length > manyWrites) await nextTurn()
  const units: Record<string, number> = {}
  const answers = await Promise.all(
    writes.map((one) => write(one).catch((error: unknown) => (isThrottled(error) ? error : Promise.reject(error)))),
  )
  const unprocessed: Record<string, unknown[]> = {}
  for (const [i, answer] of answers.entries()) {
    const { name, at } = given[i]!
    if (answer instanceof ServiceError) {
      // As it was sent: the request that was read has parsed expressions in it.
      ;(unprocessed[name] ??= []).push((input as BatchWriteInput).RequestItems[name]![at])
      continue
    }
    const { ConsumedCapacity: spent } = answer as { ConsumedCapacity?: { TableName: string; CapacityUnits: number } }
    if (spent) units[spent.TableName] = (units[spent.TableName] ?? 0) + spent.CapacityUnits
  }
  const [refusal] = answers
  if (refusal instanceof ServiceError && answers.every((answer) => answer instanceof ServiceError)) throw refusal
  return { UnprocessedItems: unprocessed, ...capacity(units, ReturnConsumedCapacity) }
}

/** What a charge throws when the throughput is used up. */
function throttleOf(charge: () => void): ServiceError | undefined {
  try {
    charge()
    return undefined
  } catch (error) {
    if (isThrottled(error)) return error
    throw error
  }
}

function readBatchItem(
  table: Table,
  { PutRequest, DeleteRequest }: WriteOfTable,
  ReturnConsumedCapacity?: string,
): Write {
  const common = { TableName: table.name, ReturnConsumedCapacity }
  try {
    return PutRequest
      ? keyedWrite('Put', table, { ...common, Item: PutRequest.Item })
      : keyedWrite('Delete', table, { ...common, Key: DeleteRequest!.Key })
  } catch (error) {
    const { message } = asServiceError(error)
    throw /Missing the key|Type mismatch for key/.test(message)
      ? invalid('The provided key element does not match the schema')
      : error
  }
}

function requestItems<T>(operation: 'BatchGetItem' | 'BatchWriteItem', input: object) {
  const request = readRequest(operation, input)
  return request as unknown as { RequestItems: Record<string, T>; ReturnConsumedCapacity?: string }
}

function capacity(units: Record<string, number>, ReturnConsumedCapacity?: string): object {
  if (!asksForCapacity({ TableName: '', ReturnConsumedCapacity })) return {}
  return { ConsumedCapacity: Object.entries(units).map(([TableName, CapacityUnits]) => ({ TableName, CapacityUnits })) }
}
