import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createColumns } from '../../../../../shared/lists/columns/reader/create-columns.ts'
import { findReferences } from '../../../../../shared/lists/query/read/find-references.ts'
import { sequenceKey } from '../../../../../shared/platform/store/keys/records.ts'
import type { Store } from '../../../../../shared/platform/store/store.ts'
import { type RecordData, recordItem } from '../../../../../shared/records/records/record-item.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../make/builders/lists/query-records.ts'
import { administrator } from '../../../../make/builders/records/record-dependencies.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const orders = tableOf(102, 'orders', [{ name: 'client_id', type: 'model_list', target_table: 'clients' }])
const field = orders.fieldsByName.get('client_id')!

let single: SingleTable
/** A store whose index of changes tells of nothing yet. */
let late: Store
let reads = 0
beforeAll(async () => {
  single = await openSingleTable()
  late = single.storeThrough(async (operation, call, input) => {
    if (operation === 'BatchGetItem') reads += 1
    const answer = await call()
    const isIndex = operation === 'Query' && 'IndexName' in input
    return isIndex ? ({ ...answer, Items: [], LastEvaluatedKey: undefined } as typeof answer) : answer
  })
})
afterAll(() => single?.close())
beforeEach(() => {
  reads = 0
})

async function put(id: number, data: RecordData): Promise<void> {
  const at = '2026-11-20T08:00:00.000Z'
  const head = { id, tenant_id: 7, created_by: 1, updated_by: 1, created_at: at, updated_at: at, version: 1 }
  await single.store.write(tenant, { put: recordItem(orders, { ...head, data }, administrator, `order ${id}`) })
}
const setLast = (next: number) =>
  single.store.write(tenant, { put: { ...sequenceKey(tenant, 'orders'), next, live: next } })
const find = (store: Store, limit = 10) => {
  const columns = createColumns({ store, clock: frozenClock(), budgetBytes: 1024 * 1024 })
  return findReferences({ store, columns }, tenant, orders, field, 5, limit)
}

describe('the records that refer to one', () => {
  it('include those that were created just before, of which the index does not tell yet', async () => {
    await put(3, { client_id: 5 })
    await put(4, { client_id: 6 })
    await put(6, { client_id: 5 })
    // An id without a record: its create was refused.
    await setLast(7)
    expect(await find(late)).toEqual([3, 6])
    expect(await find(late, 1)).toEqual([3])
  })

  it('are not looked for among ids that the columns know', async () => {
    await setLast(4)
    await put(1, {})
    await put(2, {})
    expect(await find(single.store)).toEqual([3, 6])
    expect(reads).toBe(0)
  })

  it('are read for few ids, however many were given', async () => {
    await setLast(1000)
    expect(await find(late)).toEqual([])
    expect(reads).toBeLessThanOrEqual(1)
  })
})
