/** Query and Scan: dynalite turns the request into key bounds, the page is read here. */
import type { Storage } from '../storage.ts'
import { type Item, itemSizeBytes } from './attribute-value.ts'
import { matches } from './condition.ts'
import { type Bounds, type StoreView, type ValidRequest, actions, db, readPage } from './dynalite.ts'
import { digestOf, indexKey, itemKey } from './key-encoding.ts'
import { asksForCapacity, projected, readCapacity } from './read-item.ts'
import { readRequest } from './read-request.ts'
import { notFound } from './service-error.ts'
import type { Index, Table } from './table.ts'

const pageBytesMax = 1024 * 1024
const rowsAtOnce = 256

/** Answers a Query or Scan with one page: up to `Limit` items or 1 MB read, filtered afterwards. */
export function answerPage(
  storage: Storage, tables: ReadonlyMap<string, Table>, operation: 'Query' | 'Scan', input: object,
): Promise<object> {
  const request = readRequest(operation, input)
  const table = tables.get(request.TableName)
  if (!table) throw notFound()
  const index = table.indexes.find(({ name }) => name === request.IndexName)

  return new Promise((resolve, reject) => {
    const view: StoreView = {
      options: { maxItemSize: Number.POSITIVE_INFINITY },
      getTable: (_name, statusOrDone, done) => (done ?? (statusOrDone as NonNullable<typeof done>))(null, (index ?? table).view),
      [readPage]: (valid, bounds, startKeyNames) => {
        readOnePage(storage, table, index, valid, bounds).then(({ items, isLast, readBytes }) => {
          resolve(answer(storage, table, index, valid, startKeyNames, items, isLast, readBytes))
        }).catch(reject)
      },
    }
    actions[operation](view, request, (error) => reject(error))
  })
}

interface Page {
  items: Item[]
  isLast: boolean
  readBytes: number
}

async function readOnePage(storage: Storage, table: Table, index: Index | undefined, request: ValidRequest, bounds: Bounds): Promise<Page> {
  const prefix = index?.prefix ?? table.itemPrefix
  const range = rangeIn(prefix, startAfter(table, index, request, bounds))
  const limit = request.Limit ?? Number.POSITIVE_INFINITY
  const measure = asksForCapacity(request)
  const items: Item[] = []
  let readBytes = 0
  for (;;) {
    const wanted = Math.min(limit - items.length, rowsAtOnce)
    const rows = await storage.range({ ...range, limit: wanted })
    const ends = rows.length < wanted
    const isLastRun = ends || items.length + rows.length >= limit
    // A character of stored text stands for three bytes at most: most pages are small without being measured.
    const isSmall = !measure && isLastRun && readBytes + 3 * rows.reduce((sum, [, text]) => sum + text.length, 0) < pageBytesMax
    for (const [, text] of rows) {
      const item = JSON.parse(text) as Item
      items.push(item)
      if (!isSmall) readBytes += itemSizeBytes(item)
      if (items.length >= limit || readBytes >= pageBytesMax) return { items, isLast: false, readBytes }
    }
    if (ends) return { items, isLast: true, readBytes }
    const lastKey = rows.at(-1)![0]
    if (range.reverse) {
      delete range.lte
      range.lt = lastKey
    } else {
      delete range.gte
      range.gt = lastKey
    }
  }
}

/** dynalite places a start key in an index by its own, shorter digest: place it by ours. */
function startAfter(table: Table, index: Index | undefined, request: ValidRequest, bounds: Bounds): Bounds {
  const start = request.ExclusiveStartKey
  if (!start) return bounds
  const key = index ? indexKey(index, start, digestOf(itemKey(table, start))) : itemKey(table, start)
  return bounds.reverse ? { ...bounds, lt: key } : { ...bounds, gt: key }
}

function rangeIn(prefix: string, bounds: Bounds): Bounds {
  const range: Bounds = { reverse: bounds.reverse === true }
  if (bounds.gt !== undefined) range.gt = prefix + bounds.gt
  else range.gte = prefix + (bounds.gte ?? '')
  if (bounds.lte !== undefined) range.lte = prefix + bounds.lte
  else range.lt = prefix + (bounds.lt ?? '~')
  return range
}

function answer(
  storage: Storage, table: Table, index: Index | undefined, request: ValidRequest,
  startKeyNames: string[], read: Item[], isLast: boolean, readBytes: number,
): object {
  const last = isLast ? undefined : read.at(-1)
  const whole = index && index.projects !== 'ALL' && request.Select === 'ALL_ATTRIBUTES'
    ? read.map((entry) => JSON.parse(storage.get(table.itemPrefix + itemKey(table, entry)) ?? 'null') as Item | null).filter((item) => item !== null)
    : read
  const kept = whole.filter((item) => passes(request, item))
  return {
    ...(request.Select !== 'COUNT' && { Items: kept.map((item) => projected(request, item)) }),
    Count: kept.length,
    ScannedCount: read.length,
    ...(last && { LastEvaluatedKey: Object.fromEntries(startKeyNames.map((name) => [name, last[name]])) }),
    ...(asksForCapacity(request) && { ConsumedCapacity: readCapacity(request, readBytes) }),
  }
}

function passes(request: ValidRequest, item: Item): boolean {
  if (request._filter) return matches(request._filter.expression, item)
  const filter = request.QueryFilter ?? request.ScanFilter
  return filter ? db.matchesFilter(item, filter, request.ConditionalOperator) : true
}
