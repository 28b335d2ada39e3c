import type { Storage } from '../../runtime/storage/storage.ts'
import { type Consistency, type Spend, chargeRead } from '../capacity/charges.ts'
import { type ValidRequest, db } from '../dynalite.ts'
import { type Item, itemSizeBytes } from '../items/attribute-value.ts'
import { needsHeadOnly, parseHead } from '../items/item-text.ts'
import { itemKey } from '../items/key-encoding.ts'
import { checkKeySize } from '../items/key-limits.ts'
import { readRequest } from '../requests/read-request.ts'
import { notFound } from '../service-error.ts'
import type { Table } from '../tables/table.ts'

export interface Read {
  table: Table
  key: string
  request: ValidRequest
  /** No index keys are requested. */
  headOnly: boolean
}

export interface ReadAnswer {
  Item?: Item
  ConsumedCapacity?: object
}

export function parseRead(tables: ReadonlyMap<string, Table>, input: object): Read {
  const request = readRequest('GetItem', input)
  const table = tables.get(request.TableName)
  if (!table) throw notFound()
  return keyedRead(table, request)
}

/** A read whose request is validated and whose table is known. */
export function keyedRead(table: Table, request: ValidRequest, headOnly = isHeadEnough(table, request)): Read {
  const wrong = db.validateKey(request.Key!, table.view)
  if (wrong) throw wrong
  checkKeySize(table, request.Key!)
  return { table, key: itemKey(table, request.Key!), request, headOnly }
}

export function readItem(storage: Storage, read: Read, spend?: Spend, consistency?: Consistency): ReadAnswer {
  const text = storage.get(read.table.itemPrefix + read.key)
  if (spend) chargeItem(spend, read, text, consistency)
  return answerRead(read, text)
}

/** Charges the read of one item, which is measured whole, whatever the answer leaves out. */
export function chargeItem(
  spend: Spend,
  { table, key, request }: Read,
  text: string | undefined,
  consistency = consistencyOf(request),
): void {
  const bytes = text === undefined ? 0 : itemSizeBytes(JSON.parse(text) as Item)
  chargeRead(spend, { table, key }, bytes, consistency)
}

export const consistencyOf = ({ ConsistentRead }: ValidRequest): Consistency => (ConsistentRead ? 'strong' : 'eventual')

/** The answer to a read that found `text` in storage. */
export function answerRead({ request, headOnly }: Read, text: string | undefined): ReadAnswer {
  const item = text === undefined ? undefined : headOnly ? parseHead(text) : (JSON.parse(text) as Item)
  const answer: ReadAnswer = item ? { Item: projected(request, item) } : {}
  if (asksForCapacity(request)) answer.ConsumedCapacity = readCapacity(request, item ? itemSizeBytes(item) : 0)
  return answer
}

/** Whether the answer needs no index keys, not even to measure the item. */
export const isHeadEnough = (table: Table, request: ValidRequest): boolean =>
  !asksForCapacity(request) && needsHeadOnly(table, request)

export function projected(request: ValidRequest, item: Item): Item {
  const paths = request._projection?.paths ?? request.AttributesToGet
  if (!paths) return item
  const names = requestedNames(request)
  return names ? pick(names, item) : db.mapPaths(paths, item)
}

/** The names of the requested attributes; undefined when all are requested, or parts of some. */
export function requestedNames({ _projection, AttributesToGet }: ValidRequest): readonly string[] | undefined {
  const names = (_projection?.paths ?? AttributesToGet)?.map((path) =>
    typeof path === 'string' ? path : path.length === 1 ? path[0] : undefined,
  )
  return names?.every((name) => typeof name === 'string' && name !== '__proto__') ? (names as string[]) : undefined
}

/**
 * Picks whole attributes, the usual projection. dynalite's result has no prototype and is several times slower to
 * read.
 */
export function pick(names: readonly string[], item: Item): Item {
  const picked: Item = {}
  for (const name of names) if (Object.hasOwn(item, name)) picked[name] = item[name]!
  return picked
}

export function asksForCapacity({ ReturnConsumedCapacity: level }: ValidRequest): boolean {
  return level === 'TOTAL' || level === 'INDEXES'
}

/** Half a unit per 4 KB read, a whole unit for a strongly consistent read. */
export function readCapacity(
  { TableName, ConsistentRead, ReturnConsumedCapacity }: ValidRequest,
  bytes: number,
): object {
  const CapacityUnits = Math.max(1, Math.ceil(bytes / 4096)) * (ConsistentRead ? 1 : 0.5)
  return { TableName, CapacityUnits, ...(ReturnConsumedCapacity === 'INDEXES' && { Table: { CapacityUnits } }) }
}
