import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WorkDependencies } from '../../../../../../shared/operations/batches/dependencies.ts'
import { type Batch, batchItem } from '../../../../../../shared/operations/batches/rows/batch-row.ts'
import { openUndo } from '../../../../../../shared/operations/batches/undo/undo-record.ts'
import { recordKey, sequenceKey } from '../../../../../../shared/platform/store/keys/records.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { historyEntry } from '../../../../../../shared/records/history/history-entry.ts'
import { historyRow } from '../../../../../../shared/records/history/history-row.ts'
import { recordItem } from '../../../../../../shared/records/records/record-item.ts'
import { changeRecord } from '../../../../../../shared/records/records/write/change-record.ts'
import { frozenClock, type FrozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'
import { administrator as actor, recordDependencies } from '../../../../../make/builders/records/record-dependencies.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const letters = tableOf(101, 'letters', [
  { name: 'title', type: 'text' },
  { name: 'note', type: 'text' },
])
const at = '2026-11-20T08:00:00.000Z'
const [made, undo] = [1, 2]
let single: SingleTable
let clock: FrozenClock
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  id += 1
  clock = frozenClock(at)
  const batch = {
    kind: 'bulk',
    model: 'letters',
    status: 'done',
    userId: 3,
    matched: 1,
    pages: 1,
    nextPage: 1,
  } as const
  const counts = { changed: 1, unchanged: 0, failed: 0, kept: 0, isDryRun: false, createdAt: at }
  const put = (row: Batch) => single.store.write(tenant, { put: batchItem(tenant, row) })
  await put({ ...batch, ...counts, id: made, work: { imported: { firstId: id, total: 1 } } })
  await put({ ...batch, ...counts, id: undo, kind: 'undo', work: { undoes: made } })
  await single.store.write(tenant, { put: { ...sequenceKey(tenant, 'letters'), next: 100, live: 10 } })
  const head = { id, tenant_id: 7, created_by: 1, updated_by: 1, created_at: at, updated_at: at, version: 1 }
  const item = recordItem(letters, { ...head, data: { title: 'Hello' } }, { ...actor, batchId: made }, `made ${id}`)
  await single.store.write(tenant, { put: item })
  await told(undefined, item)
  clock.advance(1000)
})

const stored = () => single.store.get(tenant, recordKey(tenant, 'letters', id))
/** What the stream writes after each write. */
const told = async (before: Item | undefined, after: Item | undefined) =>
  single.store.write(tenant, { put: historyRow(historyEntry(before, after!)!).item })
const services = (store: Store) =>
  ({
    ...recordDependencies(store, clock, [letters]),
    fetchObject: async () => new Uint8Array(),
  }) as unknown as WorkDependencies
async function change(data: object, batchId?: number, userId = 9): Promise<void> {
  const before = await stored()
  await changeRecord(
    services(single.store),
    { ...actor, userId, ...(batchId && { batchId }) },
    letters,
    id,
    data as never,
  )
  await told(before, await stored())
  clock.advance(1000)
}
const undoes = (action: 'create' | 'update', store: Store = single.store) =>
  openUndo(
    { services: services(store), actor: { ...actor, source: 'undo', batchId: undo }, batchId: undo, isDryRun: false },
    letters,
    made,
  )({ id, action, version: 1 })

describe('the undo of a create', () => {
  it('removes the record', async () => {
    expect([await undoes('create'), await stored()]).toEqual([{ as: 'changed' }, undefined])
  })

  it('leaves the record to whoever changes it while the undo reads it', async () => {
    const overtaken = interruptedStore(single, 'TransactWriteItems', () => change({ title: 'Mine' }))
    expect(await undoes('create', overtaken)).toEqual({ as: 'unchanged', kept: { id, fields: ['title'], by: 9 } })
    expect((await stored())?.data).toContain('Mine')
  })
})

describe('the undo of a change', () => {
  it('leaves a field to whoever changes it while the undo reads the record, and returns the others', async () => {
    await change({ title: 'By the batch', note: 'By the batch' }, made)
    const overtaken = interruptedStore(single, 'TransactWriteItems', () => change({ title: 'Mine' }))
    const outcome = await openUndo(
      { services: services(overtaken), actor: { ...actor, batchId: undo }, batchId: undo, isDryRun: false },
      letters,
      made,
    )({ id, action: 'update', version: 2 })
    expect(outcome).toEqual({ as: 'changed', kept: { id, fields: ['title'], by: 9 } })
    expect(JSON.parse(String((await stored())?.data))).toEqual({ title: 'Mine', note: null })
  })

  it('tells of no field that is hidden from whoever undoes it, and not who changed that', async () => {
    await change({ title: 'By the batch', note: 'By the batch' }, made)
    const permissions = ['letters.*']
    const grants = [{ permissions, rules: [], fields: { letters: { read: ['title'], write: ['title', 'note'] } } }]
    const limited = { ...actor, isAdministrator: false, permissions, grants, batchId: undo }
    const undoesLimited = openUndo(
      { services: services(single.store), actor: limited, batchId: undo, isDryRun: true },
      letters,
      made,
    )
    await change({ note: 'Mine' })
    expect(await undoesLimited({ id, action: 'update', version: 2 })).toEqual({ as: 'changed' })
    await change({ title: 'Theirs' }, undefined, 4)
    await change({ note: 'Mine again' })
    expect(await undoesLimited({ id, action: 'update', version: 2 })).toMatchObject({
      kept: { fields: ['title'], by: 4 },
    })
  })
})
