/** Query and Scan: dynalite turns the request into key bounds, the page is read here. */
import type { Storage } from '../../runtime/storage/storage.ts'
import { type Spend, chargeRead } from '../capacity/charges.ts'
import { type Bounds, type StoreView, type ValidRequest, actions, db, readPage } from '../dynalite.ts'
import { evaluateCondition } from '../expressions/evaluate-condition.ts'
import { type Item, itemSizeBytes } from '../items/attribute-value.ts'
import { parseHead, textsOf } from '../items/item-text.ts'
import { digestOf, indexKey, itemKey } from '../items/key-encoding.ts'
import { readRequest } from '../requests/read-request.ts'
import { notFound } from '../service-error.ts'
import type { Index, Table } from '../tables/table.ts'
import {
  asksForCapacity,
  consistencyOf,
  isHeadEnough,
  requestedNames,
  pick,
  projected,
  readCapacity,
} from './read-item.ts'

const maxPageBytes = 1024 * 1024
const rowsAtOnce = 256
const rowsAtMost = 4096
/** Long pages run two at a time: each holds many times its answer in memory. */
const limitLongPages = limitConcurrency(2)

/** Answers a Query or Scan with one page: up to `Limit` items or 1 MB, filtered after reading. */
export function answerPage(
  storage: Storage,
  tables: ReadonlyMap<string, Table>,
  operation: 'Query' | 'Scan',
  input: object,
  spend?: Spend,
): Promise<object> {
  const request = readRequest(operation, input)
  // dynalite does not know that a Scan may be strongly consistent.
  if (operation === 'Scan') request.ConsistentRead = (input as { ConsistentRead?: boolean }).ConsistentRead === true
  const table = tables.get(request.TableName)
  if (!table) throw notFound()
  const index = table.indexes.find(({ name }) => name === request.IndexName)

  return new Promise((resolve, reject) => {
    const view: StoreView = {
      options: { maxItemSize: Number.POSITIVE_INFINITY },
      getTable: (_name, statusOrDone, done) =>
        (done ?? (statusOrDone as NonNullable<typeof done>))(null, (index ?? table).view),
      [readPage]: (valid, bounds, startKeyNames) => {
        readOnePage(storage, table, index, valid, bounds, spend !== undefined)
          .then(({ items, isLast, readBytes }) => {
            if (spend)
              chargeRead(spend, { table, index, key: bounds.gte ?? bounds.gt }, readBytes, consistencyOf(valid))
            resolve(answer(storage, table, index, valid, startKeyNames, items, isLast, readBytes))
          })
          .catch(reject)
      },
    }
    actions[operation](view, request, (error) => reject(error))
  })
}

interface Page {
  /** Parsed lazily: a count needs no items. */
  items: LazyItem[]
  isLast: boolean
  readBytes: number
}

class LazyItem {
  readonly text: string
  #item: Item | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Without index keys. */
  get head(): Item {
    return this.#item ?? parseHead(this.text)
  }

  get item(): Item {
    return (this.#item ??= JSON.parse(this.text) as Item)
  }

  /** For items whose attributes are all strings. */
  pick(names: readonly string[]): Item {
    return (this.#item ? undefined : textsOf(this.text, names)) ?? pick(names, this.item)
  }
}

async function readOnePage(
  storage: Storage,
  table: Table,
  index: Index | undefined,
  request: ValidRequest,
  bounds: Bounds,
  isMetered: boolean,
): Promise<Page> {
  const prefix = index?.prefix ?? table.itemPrefix
  const range = rangeIn(prefix, startAfter(table, index, request, bounds))
  const limit = request.Limit ?? Number.POSITIVE_INFINITY
  const items: LazyItem[] = []
  let isMeasured = isMetered || asksForCapacity(request)
  let readBytes = 0
  let textBytes = 0

  /** Reads the next rows. Returns the page once it is complete. */
  async function readRun(): Promise<Page | undefined> {
    const wanted = Math.min(limit - items.length, rowsToRead(items.length, textBytes))
    const texts = await storage.values({ ...range, limit: wanted })
    const ends = texts.length < wanted
    const fresh = texts.map((text) => new LazyItem(text))
    textBytes = fresh.reduce((sum, { text }) => sum + Buffer.byteLength(text), textBytes)
    // The text of an item is longer than its size in AWS, so most pages need not be measured.
    if (!isMeasured && textBytes >= maxPageBytes) {
      isMeasured = true
      readBytes = items.reduce((sum, { item }) => sum + itemSizeBytes(item), 0)
    }
    for (const one of fresh) {
      items.push(one)
      if (isMeasured) readBytes += itemSizeBytes(one.item)
      if (items.length >= limit || readBytes >= maxPageBytes) return { items, isLast: false, readBytes }
    }
    if (ends) return { items, isLast: true, readBytes }
    const lastKey = prefix + keyOf(table, index, fresh.at(-1)!.item)
    if (range.reverse) {
      delete range.lte
      range.lt = lastKey
    } else {
      delete range.gte
      range.gt = lastKey
    }
    return undefined
  }

  const short = await readRun()
  if (short) return short
  return limitLongPages(async () => {
    for (;;) {
      const long = await readRun()
      if (long) return long
    }
  })
}

/** A small first run; then as many rows as fit in the page, by the average size so far. */
const rowsToRead = (known: number, textBytes: number): number =>
  known === 0
    ? rowsAtOnce
    : Math.min(rowsAtMost, Math.max(rowsAtOnce, Math.ceil((maxPageBytes * known) / textBytes) - known))

/** dynalite positions the start key in an index by its own, shorter digest; replace it with ours. */
function startAfter(table: Table, index: Index | undefined, request: ValidRequest, bounds: Bounds): Bounds {
  const start = request.ExclusiveStartKey
  if (!start) return bounds
  const key = keyOf(table, index, start)
  return bounds.reverse ? { ...bounds, lt: key } : { ...bounds, gt: key }
}

const keyOf = (table: Table, index: Index | undefined, item: Item): string =>
  index ? indexKey(index, item, digestOf(itemKey(table, item))) : itemKey(table, item)

function rangeIn(prefix: string, bounds: Bounds): Bounds {
  const range: Bounds = { reverse: bounds.reverse === true }
  if (bounds.gt !== undefined) range.gt = prefix + bounds.gt
  else range.gte = prefix + (bounds.gte ?? '')
  if (bounds.lte !== undefined) range.lte = prefix + bounds.lte
  else range.lt = prefix + (bounds.lt ?? '~')
  return range
}

function answer(
  storage: Storage,
  table: Table,
  index: Index | undefined,
  request: ValidRequest,
  startKeyNames: string[],
  read: LazyItem[],
  isLast: boolean,
  readBytes: number,
): object {
  const last = isLast ? undefined : read.at(-1)?.item
  const keys = requestedKeys(table, index, request)
  const kept =
    isCount(request) || keys
      ? undefined
      : itemsOf(storage, table, index, request, read).filter((item) => passes(request, item))
  return {
    ...(keys && { Items: read.map((one) => one.pick(keys)) }),
    ...(kept && request.Select !== 'COUNT' && { Items: kept.map((item) => projected(request, item)) }),
    Count: (kept ?? read).length,
    ScannedCount: read.length,
    ...(last && { LastEvaluatedKey: Object.fromEntries(startKeyNames.map((name) => [name, last[name]])) }),
    ...(asksForCapacity(request) && { ConsumedCapacity: readCapacity(request, readBytes) }),
  }
}

/** The keys to answer from index entries alone, if they hold nothing else and are all strings; otherwise undefined. */
function requestedKeys(table: Table, index: Index | undefined, request: ValidRequest): readonly string[] | undefined {
  const { Select, _filter, QueryFilter, ScanFilter } = request
  if (!index?.holdsOnlyKeys || Select === 'COUNT' || _filter || QueryFilter || ScanFilter) return undefined
  const keys = [...table.keys, ...index.keys]
  const names = requestedNames(request)
  return keys.every(({ type }) => type === 'S') && names?.every((name) => keys.some((key) => key.name === name))
    ? names
    : undefined
}

/** Whether the request only counts entries. */
const isCount = ({ Select, _filter, QueryFilter, ScanFilter }: ValidRequest): boolean =>
  Select === 'COUNT' && !_filter && !QueryFilter && !ScanFilter

function itemsOf(
  storage: Storage,
  table: Table,
  index: Index | undefined,
  request: ValidRequest,
  read: readonly LazyItem[],
): Item[] {
  const isHead = !index && isHeadEnough(table, request)
  const items = read.map((one) => (isHead ? one.head : one.item))
  if (!index || index.projects === 'ALL' || request.Select !== 'ALL_ATTRIBUTES') return items
  return items
    .map((entry) => JSON.parse(storage.get(table.itemPrefix + itemKey(table, entry)) ?? 'null') as Item | null)
    .filter((item) => item !== null)
}

function passes(request: ValidRequest, item: Item): boolean {
  if (request._filter) return evaluateCondition(request._filter.expression, item)
  const filter = request.QueryFilter ?? request.ScanFilter
  return filter ? db.matchesFilter(item, filter, request.ConditionalOperator) : true
}

/** Runs at most `max` tasks at a time; the others wait in order of arrival. */
function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: Array<() => void> = []
  let running = 0
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
