import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Op, Storage } from '../../runtime/storage/storage.ts'
import { type Spend, chargeIndexes, chargeRead, twice } from '../capacity/charges.ts'
import { isThrottled } from '../capacity/throttle.ts'
import { type Item, itemSizeBytes } from '../items/attribute-value.ts'
import { type Read, readItem, parseRead } from '../read/read-item.ts'
import { type CancellationReason, type ServiceError, asServiceError, invalid, refused } from '../service-error.ts'
import type { Table } from '../tables/table.ts'
import type { ChangeWriter } from './change-writer.ts'
import { type IdempotencyTokens, digestRequest } from './idempotency-tokens.ts'
import type { ItemLocks } from './item-locks.ts'
import { type PlannedWrite, type Write, type WriteKind, planWrite, parseWrite } from './plan-write.ts'

const maxItems = 100
const manyItems = 25
const maxTransactionBytes = 4 * 1024 * 1024

interface TransactionParts {
  storage: Storage
  tables: ReadonlyMap<string, Table>
  locks: ItemLocks
  writer: ChangeWriter
  tokens: IdempotencyTokens
}

/**
 * TransactWriteItems: atomic, and isolated from other writes by item locks. Where AWS answers a concurrent write with
 * TransactionConflict, this waits for the locks.
 */
export async function transactWrite(
  { storage, tables, locks, writer, tokens }: TransactionParts,
  input: object,
  spend?: Spend,
): Promise<object> {
  const {
    TransactItems,
    ClientRequestToken: token,
    ReturnConsumedCapacity,
  } = input as {
    TransactItems?: unknown
    ClientRequestToken?: unknown
    ReturnConsumedCapacity?: string
  }
  if (token != null && (typeof token !== 'string' || token.length < 1 || token.length > 36)) {
    throw invalid(
      `1 validation error detected: Value '${String(token)}' at 'clientRequestToken' failed to satisfy constraint: ` +
        'Member must have length less than or equal to 36',
    )
  }
  const writes = checkItems(TransactItems).map((item) => readTransactItem(tables, item, ReturnConsumedCapacity))
  const keys = checkDistinct(writes)
  // To read a large transaction and to make it takes some milliseconds each: others go on in between.
  if (writes.length > manyItems) await nextTurn()
  const request = typeof token === 'string' ? { token, digest: digestRequest(TransactItems) } : undefined

  return locks.hold(request ? [...keys, `token/${request.token}`] : keys, async () => {
    const used = request ? tokens.check(request.token, request.digest) : 'new'
    if (used === 'mismatch') {
      throw refused(
        'IdempotentParameterMismatchException',
        'The transaction was already executed with other parameters under this ClientRequestToken',
      )
    }
    if (used === 'repeated') {
      if (spend) for (const write of writes) chargeRepeated(spend, storage, write)
      return {}
    }
    const plans = planAll(storage, writes, spend && twice(spend))
    const changes = plans.flatMap(({ change }) => change ?? [])
    if (spend) chargeAllIndexes(spend, plans)
    const more: Op[] = request ? tokens.ops(request.token, request.digest) : []
    await writer.write(changes, more)
    return consumed(writes, plans)
  })
}

/** TransactGetItems: one consistent view of several items. */
export function transactGet(
  { storage, tables, locks }: TransactionParts,
  input: object,
  spend?: Spend,
): Promise<object> {
  const { TransactItems, ReturnConsumedCapacity } = input as {
    TransactItems?: unknown
    ReturnConsumedCapacity?: string
  }
  const reads = checkItems(TransactItems).map(({ Get }) => {
    if (!isObject(Get))
      throw invalid(
        "1 validation error detected: Value null at 'transactItems.1.member.get' failed to satisfy constraint: Member must not be null",
      )
    return parseRead(tables, { ...Get, ReturnConsumedCapacity })
  })
  return locks.hold(checkDistinct(reads), () => ({
    Responses: reads.map((read) => {
      const { Item } = readItem(storage, read, spend, 'transactional')
      return Item ? { Item } : {}
    }),
  }))
}

function checkItems(items: unknown): Array<Record<string, unknown>> {
  if (!Array.isArray(items)) {
    throw invalid(
      "1 validation error detected: Value null at 'transactItems' failed to satisfy constraint: Member must not be null",
    )
  }
  if (items.length < 1 || items.length > maxItems) {
    const rule = items.length < 1 ? 'greater than or equal to 1' : `less than or equal to ${maxItems}`
    throw invalid(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length ${rule}`,
    )
  }
  return items.map((item) => (isObject(item) ? item : {}))
}

function readTransactItem(
  tables: ReadonlyMap<string, Table>,
  item: Record<string, unknown>,
  ReturnConsumedCapacity?: string,
): Write {
  const actions = Object.entries(item).filter(([, action]) => action != null)
  const [kind, action] = actions[0] ?? []
  if (actions.length !== 1 || !isWriteKind(kind) || !isObject(action)) {
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete')
  }
  return parseWrite(tables, kind, { ...action, ReturnConsumedCapacity })
}

function checkDistinct(requests: ReadonlyArray<Write | Read>): string[] {
  const keys = new Set(requests.map(({ table, key }) => table.itemPrefix + key))
  if (keys.size < requests.length) throw invalid('Transaction request cannot include multiple operations on one item')
  return [...keys]
}

/** Plans every write, so that the error lists all reasons for a cancellation, not only the first. */
function planAll(storage: Storage, writes: readonly Write[], spend: Spend | undefined): PlannedWrite[] {
  const plans: PlannedWrite[] = []
  const reasons = writes.map((write): CancellationReason => {
    try {
      plans.push(planWrite(storage, write, spend))
      return { Code: 'None' }
    } catch (error) {
      return reasonOf(error)
    }
  })
  if (plans.length < writes.length) throw cancelled(reasons)
  if (plans.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > maxTransactionBytes) {
    throw invalid('Transaction request size is greater than the maximum of 4 MB')
  }
  return plans
}

/** A throttled index refuses the whole transaction as a throttled table does. */
function chargeAllIndexes(spend: Spend, plans: readonly PlannedWrite[]): void {
  const reasons = plans.map(({ change }): CancellationReason => {
    try {
      if (change) chargeIndexes(spend, change)
      return { Code: 'None' }
    } catch (error) {
      return reasonOf(error)
    }
  })
  if (reasons.some(({ Code }) => Code !== 'None')) throw cancelled(reasons)
}

function cancelled(reasons: CancellationReason[]): ServiceError {
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`
  // The service model spells this member `Message`, with a capital.
  return refused('TransactionCanceledException', message, { Message: message, CancellationReasons: reasons })
}

function reasonOf(error: unknown): CancellationReason {
  const { code, statusCode, body } = asServiceError(error)
  if (statusCode >= 500) throw error
  if (isThrottled(error)) return { Code: 'ThrottlingError', Message: body.message }
  const Code = code === 'ConditionalCheckFailedException' ? 'ConditionalCheckFailed' : 'ValidationError'
  return { Code, Message: body.message, ...(body.Item && { Item: body.Item }) }
}

/** A transaction told again under its token reads its items, and writes nothing. */
function chargeRepeated(spend: Spend, storage: Storage, { table, key }: Write): void {
  const text = storage.get(table.itemPrefix + key)
  chargeRead(spend, { table, key }, text === undefined ? 0 : itemSizeBytes(JSON.parse(text) as Item), 'transactional')
}

/** A transactional write costs twice as much as a plain one. */
function consumed(writes: readonly Write[], plans: readonly PlannedWrite[]): object {
  if (!/^(TOTAL|INDEXES)$/.test(writes[0]?.request.ReturnConsumedCapacity ?? '')) return {}
  const units = new Map<string, number>()
  writes.forEach(({ table }, i) => {
    const spent = 2 * Math.max(1, Math.ceil(plans[i]!.sizeBytes / 1024))
    units.set(table.name, (units.get(table.name) ?? 0) + spent)
  })
  return {
    ConsumedCapacity: [...units].map(([TableName, CapacityUnits]) => ({
      TableName,
      CapacityUnits,
      WriteCapacityUnits: CapacityUnits,
    })),
  }
}

function isWriteKind(kind: string | undefined): kind is WriteKind {
  return kind === 'Put' || kind === 'Update' || kind === 'Delete' || kind === 'ConditionCheck'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
