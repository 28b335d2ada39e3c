/**
 * A write in two steps: `parseWrite` checks what needs no item and finds the item's key; `planWrite` reads the item,
 * under its lock, and computes the change. Nothing is written here.
 */
import type { Storage } from '../../runtime/storage/storage.ts'
import { type Spend, chargeWrite } from '../capacity/charges.ts'
import { type ItemView, type Path, type StoreView, type ValidRequest, actions, db } from '../dynalite.ts'
import { evaluateCondition } from '../expressions/evaluate-condition.ts'
import { type Item, itemSizeBytes, sameItem } from '../items/attribute-value.ts'
import { itemKey } from '../items/key-encoding.ts'
import { checkIndexKeys, checkKeySize } from '../items/key-limits.ts'
import { asksForCapacity } from '../read/read-item.ts'
import { readRequest } from '../requests/read-request.ts'
import { ServiceError, asServiceError, invalid, notFound, refused } from '../service-error.ts'
import type { Table } from '../tables/table.ts'

export const maxItemBytes = 400 * 1024

const operationOf = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'DeleteItem',
} as const
export type WriteKind = keyof typeof operationOf

export interface Write {
  kind: WriteKind
  table: Table
  /** The item's key within the table. */
  key: string
  request: ValidRequest
  /** Size of the item of a put; otherwise of the key. */
  sizeBytes: number
}

/** One item before and after. `beforeText`: the old item as stored. */
export interface Change {
  table: Table
  key: string
  before?: Item
  beforeText?: string
  after?: Item
  /** Deleted by time to live, not by a caller. */
  expired?: boolean
}

export interface PlannedWrite {
  /** Undefined when the write changes nothing. */
  change?: Change
  answer: object
  sizeBytes: number
}

export function parseWrite(tables: ReadonlyMap<string, Table>, kind: WriteKind, input: object): Write {
  const request = readRequest(operationOf[kind], input)
  const table = tables.get(request.TableName)
  if (!table) throw notFound()
  return keyedWrite(kind, table, request)
}

/** A write whose request is validated and whose table is known. */
export function keyedWrite(kind: WriteKind, table: Table, request: ValidRequest): Write {
  const item = (request.Item ?? request.Key)!
  const wrong = kind === 'Put' ? db.validateItem(item, table.view) : db.validateKey(item, table.view)
  if (wrong) throw wrong
  checkKeySize(table, item)
  const sizeBytes = itemSizeBytes(item)
  if (kind === 'Put') {
    checkIndexKeys(table, item)
    if (sizeBytes > maxItemBytes) throw invalid('Item size has exceeded the maximum allowed size')
  }
  if (kind === 'ConditionCheck' && !request._condition)
    throw invalid('The ConditionExpression of a ConditionCheck must not be null')
  if (request._updates) sortRemovesLastFirst(request._updates.sections)
  return { kind, table, key: itemKey(table, item), request, sizeBytes }
}

/** `spend` receives what the table charges, also for a write whose condition fails; the indexes charge for the change. */
export function planWrite(storage: Storage, write: Write, spend?: Spend): PlannedWrite {
  const { kind, table, key, request } = write
  const beforeText = storage.get(table.itemPrefix + key)
  const before = beforeText === undefined ? undefined : (JSON.parse(beforeText) as Item)

  if (request._condition && !evaluateCondition(request._condition.expression, before ?? {})) {
    if (spend) chargeWrite(spend, write, before, request.Item)
    throw withItem(refused('ConditionalCheckFailedException', 'The conditional request failed'), request, before)
  }
  if (kind === 'ConditionCheck') {
    if (spend) chargeWrite(spend, write, before, undefined)
    return { answer: {}, sizeBytes: before ? itemSizeBytes(before) : 0 }
  }

  const { after, answer } = applyAction(write, before)
  const sizeBytes = kind === 'Put' ? write.sizeBytes : itemSizeBytes(after ?? before ?? {})
  if (kind === 'Update') {
    if (sizeBytes > maxItemBytes) throw invalid('Item size to update has exceeded the maximum allowed size')
    checkIndexKeys(table, after!)
  }
  if (spend) chargeWrite(spend, write, before, after)
  const changes = before && after ? !sameItem(before, after) : before !== after
  return { answer, sizeBytes, ...(changes && { change: { table, key, before, beforeText, after } }) }
}

/**
 * What a write makes of the old item. dynalite's actions compute keys of their own, which is half of the work of a put, so
 * they are asked for updates only, and for the capacity that callers ask for.
 */
function applyAction(write: Write, before: Item | undefined): { after?: Item; answer: object } {
  const { kind, request } = write
  if (kind === 'Update' || asksForCapacity(request)) return runAction(write, before)
  const answer = before && request.ReturnValues === 'ALL_OLD' ? { Attributes: before } : {}
  return kind === 'Put' ? { after: request.Item, answer } : { answer }
}

/** Created once: the stack trace of a new error costs more than the rest of a put. */
const noItem = Object.assign(new Error('no item'), { name: 'NotFoundError' })

/** Runs dynalite's action on the old item. What the action stores is the new item. */
function runAction(write: Write, before: Item | undefined): { after?: Item; answer: object } {
  let after: Item | undefined
  const items: ItemView = {
    lock: (_key, work) => work((done) => done),
    get: (_key, done) => (before ? done(null, before) : done(noItem)),
    put(_key, item, done) {
      after = item
      done()
    },
    del: (_key, done) => done(),
  }
  const view: StoreView = {
    options: { maxItemSize: Number.POSITIVE_INFINITY },
    getTable: (_name, statusOrDone, done) =>
      (done ?? (statusOrDone as NonNullable<typeof done>))(null, write.table.view),
    getItemDb: () => items,
  }
  let failure: Error | null | undefined
  let answer: object | undefined
  // Without the condition, which is already evaluated.
  actions[operationOf[write.kind]](view, { ...write.request, _condition: undefined }, (error, result) => {
    failure = error
    answer = result && withoutUndefined(result)
  })
  if (failure) throw withItem(asServiceError(failure), write.request, before)
  if (!answer) throw new Error(`dynalite's ${write.kind} action did not answer at once.`)
  return { after, answer }
}

/** dynalite sets ConsumedCapacity, as undefined, even when it was not requested. */
function withoutUndefined(answer: object): object {
  return Object.fromEntries(Object.entries(answer).filter(([, member]) => member !== undefined))
}

function withItem(error: ServiceError, request: ValidRequest, before: Item | undefined): ServiceError {
  const wanted =
    request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && error.code === 'ConditionalCheckFailedException'
  if (wanted && before) error.body.Item = before
  return error
}

/** dynalite removes list elements one by one, which shifts those behind: remove the last ones first. */
function sortRemovesLastFirst(sections: Array<{ type: string; path: Path }>): void {
  sections.sort((a, b) => {
    if (a.type !== 'remove' || b.type !== 'remove') return Number(a.type === 'remove') - Number(b.type === 'remove')
    return comparePaths(b.path, a.path)
  })
}

function comparePaths(a: Path, b: Path): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] === b[i]) continue
    return typeof a[i] === 'number' && typeof b[i] === 'number'
      ? Number(a[i]) - Number(b[i])
      : String(a[i]) < String(b[i])
        ? -1
        : 1
  }
  return a.length - b.length
}
