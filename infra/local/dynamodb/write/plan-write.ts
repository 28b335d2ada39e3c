/**
 * A write in two steps: `readWrite` checks what can be checked without the item and says which item it is about,
 * `planWrite` reads the item (its lock is held by then) and works out the change. Nothing is written here.
 */
import type { Storage } from '../../runtime/storage.ts'
import { type ItemView, type Path, type StoreView, type ValidRequest, actions, db } from '../dynalite.ts'
import { evaluateCondition } from '../expressions/evaluate-condition.ts'
import { type Item, itemSizeBytes, sameItem } from '../items/attribute-value.ts'
import { itemKey } from '../items/key-encoding.ts'
import { checkIndexKeys, checkKeySize } from '../items/key-limits.ts'
import { readRequest } from '../requests/read-request.ts'
import { ServiceError, asServiceError, invalid, notFound, refused } from '../service-error.ts'
import type { Table } from '../tables/table.ts'

export const itemBytesMax = 400 * 1024

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
  /** The size of the item to be put; otherwise of the key. */
  sizeBytes: number
}

/** One item before and after; `beforeText` is what storage holds of it. */
export interface Change {
  table: Table
  key: string
  before?: Item
  beforeText?: string
  after?: Item
  /** Deleted because its time to live was over, not by a caller. */
  expired?: boolean
}

export interface PlannedWrite {
  /** Absent when the write would change nothing. */
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

/** A write whose request has been validated and whose table is known. */
export function keyedWrite(kind: WriteKind, table: Table, request: ValidRequest): Write {
  const item = (request.Item ?? request.Key)!
  const wrong = kind === 'Put' ? db.validateItem(item, table.view) : db.validateKey(item, table.view)
  if (wrong) throw wrong
  checkKeySize(table, item)
  const sizeBytes = itemSizeBytes(item)
  if (kind === 'Put') {
    checkIndexKeys(table, item)
    if (sizeBytes > itemBytesMax) throw invalid('Item size has exceeded the maximum allowed size')
  }
  if (kind === 'ConditionCheck' && !request._condition)
    throw invalid('The ConditionExpression of a ConditionCheck must not be null')
  if (request._updates) sortRemovesLastFirst(request._updates.sections)
  return { kind, table, key: itemKey(table, item), request, sizeBytes }
}

/** `isUnseen`: whether the item before may stay unread, and is taken for none. */
export function planWrite(storage: Storage, write: Write, isBlind: boolean): PlannedWrite {
  const { kind, table, key, request } = write
  const beforeText = isBlind ? undefined : storage.get(table.itemPrefix + key)
  const before = beforeText === undefined ? undefined : (JSON.parse(beforeText) as Item)

  if (request._condition && !evaluateCondition(request._condition.expression, before ?? {})) {
    throw withItem(refused('ConditionalCheckFailedException', 'The conditional request failed'), request, before)
  }
  if (kind === 'ConditionCheck') return { answer: {}, sizeBytes: before ? itemSizeBytes(before) : 0 }

  const { after, answer } = runAction(write, before)
  const sizeBytes = kind === 'Put' ? write.sizeBytes : itemSizeBytes(after ?? before ?? {})
  if (kind === 'Update') {
    if (sizeBytes > itemBytesMax) throw invalid('Item size to update has exceeded the maximum allowed size')
    checkIndexKeys(table, after!)
  }
  const changes = before && after ? !sameItem(before, after) : before !== after
  return { answer, sizeBytes, ...(changes && { change: { table, key, before, beforeText, after } }) }
}

/** Made once: the trace of a new error costs more than the rest of a put. */
const noItem = Object.assign(new Error('no item'), { name: 'NotFoundError' })

/** dynalite's action on the item it is shown; what it would have stored is the change. */
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
  // The condition has been judged; the rest of the request is the action's.
  actions[operationOf[write.kind]](view, { ...write.request, _condition: undefined }, (error, result) => {
    failure = error
    answer = result && withoutUndefined(result)
  })
  if (failure) throw withItem(asServiceError(failure), write.request, before)
  if (!answer) throw new Error(`dynalite's ${write.kind} action did not answer at once.`)
  return { after, answer }
}

/** dynalite names a consumed capacity even when nobody asked for it. */
function withoutUndefined(answer: object): object {
  return Object.fromEntries(Object.entries(answer).filter(([, member]) => member !== undefined))
}

function withItem(error: ServiceError, request: ValidRequest, before: Item | undefined): ServiceError {
  const wanted =
    request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && error.code === 'ConditionalCheckFailedException'
  if (wanted && before) error.body.Item = before
  return error
}

/** dynalite removes list elements one after the other, each removal moving those behind it: remove the last ones first. */
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
