import { afterAll, beforeAll, expect, it } from 'vitest'
import { readCheckpoint } from '../../../../../../shared/operations/maintenance/repair/checkpoint.ts'
import { repairJob } from '../../../../../../shared/operations/maintenance/repair/repair-job.ts'
import type { JobStep } from '../../../../../../shared/platform/jobs/define-job.ts'
import { historyPartition } from '../../../../../../shared/platform/store/keys/history.ts'
import { sequenceKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { readAll } from '../../../../../../shared/platform/store/ranges/read-all.ts'
import { tombstoneItem } from '../../../../../../shared/platform/store/rows/tombstone-row.ts'
import { recordItem } from '../../../../../../shared/platform/store/rows/write-record-row.ts'
import { readSequence } from '../../../../../../shared/platform/store/sequence/sequence.ts'
import type { Tables } from '../../../../../../shared/tables/tables/read-tables.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf } from '../../../../../make/builders/lists/query-records.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const author = { tenant, userId: 3 }
const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const span = { since: at(0), until: at(2000) }
const count = 450

let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
  const record = (id: number) => ({
    id,
    tenant_id: 1,
    created_by: 3,
    updated_by: 3,
    created_at: at(id),
    updated_at: at(id),
    version: 1,
    data: { title: `Thing ${id}` },
  })
  await single.store.putMany(tenant, [
    ...Array.from({ length: count }, (_, index) => recordItem({ name: 'things' }, record(index + 1), author, 'w')),
    recordItem({ name: 'notes' }, record(1), author, 'w'),
    tombstoneItem(
      tenant,
      { name: 'notes' },
      { ...record(2), version: 2, deletedAt: at(1000), deletedBy: 5 },
      undefined,
    ),
    { ...sequenceKey(tenant, 'things'), next: count, live: count + 3 },
    { ...sequenceKey(tenant, 'notes'), next: 2, live: 1 },
  ])
})
afterAll(() => single?.close())

it('a repair checks the changed records of every table, page by page, and recounts them', async () => {
  const clock = frozenClock()
  const sent: { model: string; id: number }[] = []
  const asked = new Map<string, number>()
  const job = repairJob({
    store: single.store,
    tables: {
      all: async () => ['notes', 'things'].map((name, index) => tableOf(index, name, [])),
    } as unknown as Tables,
    clock,
    objects: { fetchObject: async () => new Uint8Array(), putObject: async () => {} },
    rollups: {
      store: single.store,
      send: async () => [],
      fetchObject: async () => new Uint8Array(),
      queueUrl: 'rollups',
    },
    columns: {
      // The column index lacks the second note, and has all things but the last.
      knownStamps: async (_tenant, model, ids) => {
        asked.set(model, (asked.get(model) ?? 0) + ids.length)
        return ids.map((id) => (model === 'things' ? (id === count ? undefined : 2) : id === 1 ? 2 : 4))
      },
      send: async (_queue, bodies) => {
        sent.push(...(bodies as { model: string; id: number }[]))
        return []
      },
      queueUrl: 'columns',
    },
    references: {} as never,
    settleMs: 1000,
  })
  const actor = { userId: 0, roles: [], isAdministrator: true }
  let state: unknown
  let worked = 0
  let result: unknown
  for (let step: JobStep<unknown> | undefined; !step || 'state' in step; worked += step.worked ?? 0) {
    let calls = 0
    // Time is up after every page.
    step = await job.step({ id: 1, tenant, actor, timeIsUp: () => (calls += 1) > 1 }, span, state)
    if ('state' in step) state = step.state
    else result = step.result
    if ('pauseMs' in step && step.pauseMs) await clock.sleep(step.pauseMs)
  }
  expect(result).toEqual({ history: count + 3, live: 1, columns: 2 })
  expect(worked).toBe(count + 2)
  expect(Object.fromEntries(asked)).toEqual({ notes: 2, things: count })
  expect(sent.map(({ model, id }) => `${model} ${id}`)).toEqual(['notes 2', 'things 450'])
  expect((await readSequence(single.store, tenant, 'things')).live).toBe(count)
  const history = await readAll(single.store, tenant, { pk: historyPartition(tenant, 'notes', 2) })
  expect(history.map(({ version, action }) => `${version} ${action}`)).toEqual(['1 create', '2 delete', '2 undefined'])
  expect(await readCheckpoint(single.store, tenant)).toEqual({
    until: span.until,
    counted: { notes: '2/1', things: `${count}/${count}` },
    said: { comment: 0, message: 0 },
  })
})
