import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { WorkDependencies } from '../../../../../../shared/operations/batches/dependencies.ts'
import { endImportBatch } from '../../../../../../shared/operations/batches/import-batch.ts'
import {
  advanceBatch,
  type Batch,
  batchItem,
  countMerge,
  endBatch,
  noteRepeat,
  noteUndo,
  readBatch,
} from '../../../../../../shared/operations/batches/rows/batch-row.ts'
import { pageItem } from '../../../../../../shared/operations/batches/rows/page-row.ts'
import { workBatch } from '../../../../../../shared/operations/batches/work/work-batch.ts'
import { batchKey } from '../../../../../../shared/platform/store/keys/batches.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { wasApplied } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { recordItem } from '../../../../../../shared/records/records/record-item.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'
import { administrator as actor, recordDependencies } from '../../../../../make/builders/records/record-dependencies.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const letters = tableOf(101, 'letters', [{ name: 'title', type: 'text' }])
const at = '2026-11-20T08:00:00.000Z'
const clock = frozenClock(at)
let batch: Batch
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  batch = {
    id: (batch?.id ?? 0) + 1,
    kind: 'bulk',
    model: 'letters',
    status: 'running',
    userId: 3,
    work: { set: { title: 'Changed' } },
    matched: 4,
    changed: 0,
    unchanged: 0,
    failed: 0,
    kept: 0,
    pages: 2,
    nextPage: 0,
    isDryRun: false,
    createdAt: at,
  }
  const head = { tenant_id: 7, created_by: 1, updated_by: 1, created_at: at, updated_at: at, version: 1 }
  await single.store.putMany(tenant, [
    batchItem(tenant, batch),
    ...[0, 1].map((page) =>
      pageItem(tenant, batch.id, page, [{ id: page * 2 + 1 }, { id: page * 2 + 2 }], clock.now()),
    ),
    // Two records of the first page are changed by it, those of the second are as they should become.
    ...['Old', 'Old', 'Changed', 'Changed'].map((title, index) =>
      recordItem(letters, { ...head, id: index + 1, data: { title } }, actor, `${batch.id} ${index}`),
    ),
  ])
})

const work = (store: Store) =>
  workBatch(
    {
      ...recordDependencies(store, clock, [letters]),
      fetchObject: async () => new Uint8Array(),
    } as unknown as WorkDependencies,
    actor,
    batch,
    () => false,
  )
const stored = async () => readBatch(await single.store.get(tenant, batchKey(tenant, batch.id)), clock.now())

/** A second worker does all of the batch before the n-th write of the first. */
const overtakenAt = (n: number): Store => {
  let calls = 0
  return single.storeThrough(async (operation, call) => {
    if (/^(Transact|Put|Update)/.test(operation) && (calls += 1) === n) await work(single.store)
    return call()
  })
}

// The writes: the two records of the first page, what it came to, what the second came to.
it.each([1, 3, 4])('a page that two workers do at once counts once: the second is faster at step %d', async (n) => {
  expect(await work(overtakenAt(n))).toMatchObject({ changed: 2, unchanged: 2, failed: 0, nextPage: 2, isDone: true })
  expect(await stored()).toMatchObject({ changed: 2, unchanged: 2, failed: 0, nextPage: 2 })
})

it('a batch that has ended stays as it ended, and one that does not exist is not made by a note', async () => {
  const { store } = single
  await store.write(tenant, endBatch(tenant, batch.id, clock.now()))
  await endImportBatch({ store, clock } as never, tenant, batch.id, { created: 9, failed: 9 })
  const none = { changed: 1, unchanged: 1, failed: 1, kept: 1 }
  const late = [
    advanceBatch(tenant, batch, none),
    countMerge(tenant, batch.id, none),
    endBatch(tenant, batch.id, clock.now(), 'failed', 'Too late.'),
    noteUndo(tenant, batch.id + 1_000, 1),
    noteRepeat(tenant, batch.id + 1_000, 1),
  ]
  for (const write of late) expect(await wasApplied(store.write(tenant, write))).toBe(false)
  expect(await stored()).toMatchObject({ status: 'done', nextPage: 0, changed: 0, unchanged: 0, failed: 0, matched: 4 })
  expect(await store.get(tenant, batchKey(tenant, batch.id + 1_000))).toBeUndefined()
})

it('two workers that take the same page of a running batch count it once', async () => {
  const { store } = single
  const page = advanceBatch(tenant, batch, { changed: 2, unchanged: 0, failed: 0, kept: 0 })
  expect(await wasApplied(store.write(tenant, page))).toBe(true)
  expect(await wasApplied(store.write(tenant, page))).toBe(false)
  expect(await stored()).toMatchObject({ changed: 2, nextPage: 1 })
})
