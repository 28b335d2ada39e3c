import type { Storage } from '../runtime/storage/storage.ts'
import type { Random } from '../runtime/timing/randomness.ts'
import { type Spend, chargeIndexes } from './capacity/charges.ts'
import { openThrottle } from './capacity/throttle.ts'
import { openReplicas } from './consistency/replicas.ts'
import type { Item } from './items/attribute-value.ts'
import { withRangeCache } from './read/range-cache.ts'
import { readItem, parseRead } from './read/read-item.ts'
import { answerPage } from './read/read-page.ts'
import { readRequest } from './requests/read-request.ts'
import { asServiceError, unknownOperation } from './service-error.ts'
import type { Stream } from './streams/stream-log.ts'
import { answerStreams } from './streams/streams-api.ts'
import { openCatalogue } from './tables/catalogue.ts'
import { ensureTable, type TableInput } from './tables/ensure-table.ts'
import type { Table, TableDescription } from './tables/table.ts'
import { describeTimeToLive, sweepExpired, updateTimeToLive } from './tables/time-to-live.ts'
import { batchGet, batchWrite } from './write/batches.ts'
import { createChangeWriter } from './write/change-writer.ts'
import { createIdempotencyTokens } from './write/idempotency-tokens.ts'
import { createItemLocks } from './write/item-locks.ts'
import { type Write, planWrite, parseWrite } from './write/plan-write.ts'
import { transactGet, transactWrite } from './write/transactions.ts'

export interface DynamoDbOptions {
  region: string
  accountId: string
  /** Milliseconds since the epoch. Default Date.now. */
  now?: () => number
  /** Interval for removing expired items and old tokens. Default 10 s; 0 for never (call `sweep` yourself). */
  ttlSweepMs?: number
  /** Index entries become visible this much later than items, as in AWS. For tests: a crash in between loses them. */
  indexDelayMs?: number
  /** Reads that are not strongly consistent lag behind writes, as in AWS, by random times. */
  lagging?: Random
  /** Tables refuse calls beyond the throughput of AWS, by partition key and as a whole. */
  throttles?: boolean
  /** Whether the stream logs a change: by its new image, or for a delete by its old one. */
  streamFilter?: (image: Item) => boolean
  /** Fault point before an operation: wait, or throw (a ServiceError becomes the answer). */
  beforeCall?: (operation: string, input: object) => Promise<void> | void
  /** Fault point after an operation took effect: throw to lose its answer. */
  afterCall?: (operation: string, input: object, output: object) => Promise<void> | void
}

export interface DynamoDb {
  /**
   * Runs an operation on the JSON shapes of the wire. Rejects with ServiceError, or with what a fault point threw.
   * `spend` receives the request units it consumes, also those of a refused write.
   */
  call(operation: string, input: object, spend?: Spend): Promise<object>
  /** Runs an operation of the DynamoDB Streams service. */
  callStreams(operation: string, input: object): Promise<object>
  /** Creates a table, or changes indexes and time to live of an existing one. Keys and stream cannot change. */
  ensureTable(input: TableInput): Promise<TableDescription>
  describe(tableName: string): TableDescription | undefined
  /** The stream of a table; throws when it has none. */
  stream(tableName: string): Stream
  /** Deletes expired items and old tokens. Returns the number of items. */
  sweep(): Promise<number>
  /** Waits for calls in flight. The storage stays open. */
  close(): Promise<void>
}

const writeOperations: ReadonlySet<string> = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
])

/** Opens the embedded DynamoDB on a storage. All of its keys start with `ddb/`. */
export async function openDynamoDb(durable: Storage, options: DynamoDbOptions): Promise<DynamoDb> {
  const storage = withRangeCache(durable)
  const { region, accountId, now = Date.now, ttlSweepMs = 10_000, indexDelayMs = 0, streamFilter, lagging } = options
  const settings = { region, accountId, now }
  const isLogged = (table: Table, image: Item): boolean =>
    table.description.LatestStreamArn !== undefined && (streamFilter?.(image) ?? true)
  await forgetShapes(storage)
  const catalogue = await openCatalogue(storage, settings)
  const { tables, logs } = catalogue
  const locks = createItemLocks()
  const replicas = lagging && openReplicas(storage, { now, random: lagging })
  const writer = createChangeWriter(storage, logs, { indexDelayMs, replicas, isLogged })
  const tokens = createIdempotencyTokens(storage, now)
  const parts = { storage, tables, locks, writer, tokens, catalogue, settings }
  const throttle = options.throttles ? openThrottle(now) : undefined
  let running = 0
  let ended: (() => void) | undefined
  let closed = false

  /** Where a read looks: `input` is its request, or the part of it for one table. */
  function copyFor({ ConsistentRead, IndexName }: ReadInput): Storage {
    if (!replicas || ConsistentRead === true) return storage
    return IndexName === undefined ? replicas.ofItems() : replicas.ofIndexes
  }

  function applyWrite(write: Write, spend?: Spend): Promise<object> {
    return locks.hold([write.table.itemPrefix + write.key], async () => {
      const { change, answer } = planWrite(storage, write, spend)
      if (spend && change) chargeIndexes(spend, change)
      if (change) await writer.write([change])
      return answer
    })
  }

  const operations: Record<string, (input: object, spend?: Spend) => Promise<object> | object> = {
    GetItem: (input, spend) => readItem(copyFor(input), parseRead(tables, input), spend),
    PutItem: (input, spend) => applyWrite(parseWrite(tables, 'Put', input), spend),
    UpdateItem: (input, spend) => applyWrite(parseWrite(tables, 'Update', input), spend),
    DeleteItem: (input, spend) => applyWrite(parseWrite(tables, 'Delete', input), spend),
    BatchGetItem: (input, spend) => batchGet(copyFor(firstTableOf(input)), tables, input, spend),
    BatchWriteItem: (input, spend) => batchWrite(tables, input, (write) => applyWrite(write, spend)),
    Query: (input, spend) => answerPage(copyFor(input), tables, 'Query', input, spend),
    Scan: (input, spend) => answerPage(copyFor(input), tables, 'Scan', input, spend),
    TransactWriteItems: (input, spend) => transactWrite(parts, input, spend),
    TransactGetItems: (input, spend) => transactGet(parts, input, spend),
    CreateTable: async (input) => ({ TableDescription: structuredClone(await catalogue.create(input)) }),
    DescribeTable: (input) => ({
      Table: structuredClone(catalogue.get(readRequest('DescribeTable', input).TableName).description),
    }),
    ListTables: (input) => listTables([...tables.keys()].sort(), input),
    UpdateTimeToLive: (input) => updateTimeToLive(parts, input),
    DescribeTimeToLive: (input) =>
      describeTimeToLive(catalogue.get(readRequest('DescribeTimeToLive', input).TableName)),
  }

  async function call(operation: string, input: object, spend?: Spend): Promise<object> {
    if (options.beforeCall) await options.beforeCall(operation, input)
    const output = await track(async () => {
      const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined
      if (!run) throw unknownOperation()
      // Also a write that would be refused, or that changes nothing: who makes it learns that none is possible.
      const outage = writeOperations.has(operation) ? storage.outage() : undefined
      if (outage) throw outage.error
      return run(input, throttle ? (charge) => (throttle(charge), spend?.(charge)) : spend)
    })
    if (options.afterCall) await options.afterCall(operation, input, output)
    return output
  }

  /** Runs work that `close` waits for. Every failure becomes a ServiceError. */
  async function track<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw asServiceError(new Error('The embedded DynamoDB is closed.'))
    running += 1
    try {
      return await work()
    } catch (error) {
      throw asServiceError(error)
    } finally {
      running -= 1
      if (running === 0) ended?.()
    }
  }

  async function sweep(): Promise<number> {
    const nowSeconds = Math.floor(now() / 1000)
    let swept = 0
    for (const table of tables.values()) {
      if (table.timeToLiveAttribute !== undefined)
        swept += await sweepExpired(storage, locks, writer, table, nowSeconds)
    }
    await tokens.trim()
    return swept
  }

  const sweeps = ttlSweepMs > 0 ? setInterval(() => void sweepQuietly(), ttlSweepMs).unref() : undefined
  let sweeping = false
  async function sweepQuietly(): Promise<void> {
    if (sweeping) return
    sweeping = true
    // The next sweep repeats a failed one; a broken storage shows up in the calls.
    await track(sweep).catch(() => undefined)
    sweeping = false
  }

  return {
    call,
    callStreams: (operation, input) => track(() => answerStreams(catalogue, operation, input)),
    ensureTable: (input) => track(async () => structuredClone(await ensureTable(parts, input))),
    describe: (tableName) => structuredClone(tables.get(tableName)?.description),
    stream(tableName) {
      const log = logs.get(tableName)
      if (!log) throw new Error(`Table ${tableName} has no stream.`)
      return log
    },
    sweep: () => track(sweep),
    async close() {
      closed = true
      clearInterval(sweeps)
      if (running > 0) await new Promise<void>((resolve) => (ended = resolve))
      await writer.waitForIndexes()
      for (const log of logs.values()) await log.close()
    },
  }
}

interface ReadInput {
  readonly ConsistentRead?: unknown
  readonly IndexName?: unknown
}

/** A batch that names several tables is read as its first one asks. */
const firstTableOf = ({ RequestItems }: { RequestItems?: Record<string, ReadInput> }): ReadInput =>
  Object.values(RequestItems ?? {})[0] ?? {}

function listTables(names: string[], input: object): object {
  const { ExclusiveStartTableName: after = '', Limit: limit = 100 } = readRequest('ListTables', input) as {
    ExclusiveStartTableName?: string
    Limit?: number
  }
  const rest = names.filter((name) => name > after)
  const TableNames = rest.slice(0, limit)
  return { TableNames, ...(rest.length > limit && { LastEvaluatedTableName: TableNames.at(-1) }) }
}

/**
 * Former versions kept the shapes of indexed items, by which they put without a read. They must not trust them once this
 * version, which keeps none, has written.
 */
async function forgetShapes(storage: Storage): Promise<void> {
  const rows = await storage.range({ gte: 'ddb/shape/', lt: 'ddb/shape/~' })
  if (rows.length > 0) await storage.commit(rows.map(([key]) => ({ type: 'del', key })))
}
