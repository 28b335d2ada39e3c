import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { consumers } from '../../../../../functions/stream/fan-out/consumers.ts'
import { isoTime } from '../../../../../shared/kernel/time/clock.ts'
import { createColumns } from '../../../../../shared/lists/columns/reader/create-columns.ts'
import { createQueries } from '../../../../../shared/lists/query/service.ts'
import { recordKey } from '../../../../../shared/platform/store/keys/records.ts'
import { readRecordData } from '../../../../../shared/platform/store/rows/record-row.ts'
import type { Store } from '../../../../../shared/platform/store/store.ts'
import type { Item } from '../../../../../shared/platform/store/values/marshal.ts'
import { type RecordData, recordItem } from '../../../../../shared/records/records/record-item.ts'
import { deriveRecords } from '../../../../../shared/records/rollups/derive-records.ts'
import { keepRollups } from '../../../../../shared/records/rollups/keep-rollups.ts'
import { TouchedRollups } from '../../../../../shared/records/rollups/schema.ts'
import type { Table } from '../../../../../shared/tables/tables/table.ts'
import { frozenClock, type FrozenClock } from '../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../make/builders/lists/query-records.ts'
import { administrator } from '../../../../make/builders/records/record-dependencies.ts'
import { interruptedStore } from '../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const clients = tableOf(101, 'clients', [
  { name: 'name', type: 'text' },
  { name: 'orders', type: 'rollup', table: 'orders', field: 'client_id', aggregate: 'count' },
])
const orders = tableOf(102, 'orders', [{ name: 'client_id', type: 'model_list', target_table: 'clients' }])
const tables = { find: async (_tenant: object, name: string) => [clients, orders].find((one) => one.name === name) }

let single: SingleTable
let clock: FrozenClock
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  clock = frozenClock()
  id += 1
  await put(clients, id, { name: 'Ann' })
})

async function put(table: Table, one: number, data: RecordData): Promise<void> {
  const at = isoTime(clock.now())
  const head = { id: one, tenant_id: 7, created_by: 1, updated_by: 1, created_at: at, updated_at: at, version: 1 }
  await single.store.write(tenant, { put: recordItem(table, { ...head, data }, administrator, `${table.name} ${one}`) })
}
const client = async (): Promise<Item> => (await single.store.get(tenant, recordKey(tenant, 'clients', id))) as Item
const servicesOn = (store: Store, columnStore = store) => {
  const columns = createColumns({ store: columnStore, clock, budgetBytes: 1024 * 1024 })
  const queries = createQueries({ store, columns, tables, clock } as never)
  return { store, clock, tables, columns, queries, findTenant: async () => tenant }
}

describe('of two who evaluate a rollup at the same time', () => {
  it('the one who was slower evaluates again, and does not write what it found before', async () => {
    const fail = (_: number, cause: unknown): never => {
      throw cause
    }
    await put(orders, id * 10, { client_id: id })
    const item = await client()
    const store = interruptedStore(single, 'UpdateItem', async () => {
      await put(orders, id * 10 + 1, { client_id: id })
      await deriveRecords(servicesOn(single.store), tenant, clients, [item], 'rollup', fail)
    })
    await deriveRecords(servicesOn(store), tenant, clients, [item], 'rollup', fail)
    expect(readRecordData(await client(), clients)).toEqual({ name: 'Ann', orders: 2 })
  })
})

describe('a rollup that was made last by a process whose list lags', () => {
  it('is right once it was made once more', async () => {
    const lagging = { records: true }
    const store = single.storeThrough(async (operation, call, input) => {
      const answer = await call()
      const isLate = lagging.records && operation === 'Query' && 'IndexName' in input
      return isLate ? ({ ...answer, Items: [], LastEvaluatedKey: undefined } as typeof answer) : answer
    })
    await put(orders, id * 10, { client_id: id })
    await put(orders, id * 10 + 1, { client_id: id })
    const about = (n: number) => ({
      v: 1 as const,
      tenant_id: tenant.id,
      model: 'orders',
      id: n,
      touched: `clients#${id}`,
    })
    await keepRollups(servicesOn(single.store), [{ message: about(id * 10 + 1) }])
    const behind = servicesOn(single.store, store)
    await keepRollups(behind, [{ message: about(id * 10) }])
    expect(readRecordData(await client(), clients)).toMatchObject({ orders: 1 })
    const written = await client()
    const [once, ...more] = consumers.filter(
      ({ queueUrl, wants }) =>
        queueUrl === 'ROLLUPS_QUEUE_URL' && wants({ before: undefined, after: written } as never),
    )
    expect(more).toEqual([])
    expect(once?.delaySeconds).toBeGreaterThan(2)
    lagging.records = false
    clock.advance(5_000)
    expect(
      await keepRollups(behind, [{ message: TouchedRollups.parse(once?.toMessage?.({ after: written } as never)) }]),
    ).toEqual(new Map())
    expect(readRecordData(await client(), clients)).toMatchObject({ orders: 2 })
  })
})

describe('a message of a write that the index of changes does not tell of yet', () => {
  const message = (more: object) => ({
    message: { v: 1 as const, tenant_id: tenant.id, model: 'orders', id: id * 10, touched: `clients#${id}`, ...more },
  })
  /** Columns whose index tells of nothing. */
  const late = () => {
    const store = single.storeThrough(async (operation, call, input) => {
      const answer = await call()
      const isIndex = operation === 'Query' && 'IndexName' in input
      return isIndex ? ({ ...answer, Items: [], LastEvaluatedKey: undefined } as typeof answer) : answer
    })
    return servicesOn(single.store, store)
  }

  it('brings the rollup up to date', async () => {
    await put(orders, id * 10, { client_id: id })
    expect(await keepRollups(late(), [message({})])).toEqual(new Map())
    expect(readRecordData(await client(), clients)).toEqual({ name: 'Ann', orders: 1 })
  })

  it('stands for all records of its transaction', async () => {
    for (const n of [0, 1, 2]) await put(orders, id * 10 + n, { client_id: id })
    await keepRollups(late(), [message({ to: id * 10 + 2 })])
    expect(readRecordData(await client(), clients)).toEqual({ name: 'Ann', orders: 3 })
  })
})
