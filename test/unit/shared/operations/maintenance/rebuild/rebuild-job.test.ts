import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../../../../../shared/kernel/time/clock.ts'
import { chunkOf } from '../../../../../../shared/lists/columns/chunk.ts'
import { rebuildJob } from '../../../../../../shared/operations/maintenance/rebuild/rebuild-job.ts'
import type { JobStep } from '../../../../../../shared/platform/jobs/define-job.ts'
import { createConfig, putConfigRow } from '../../../../../../shared/platform/store/config.ts'
import { tenantKey } from '../../../../../../shared/platform/store/keys/auth.ts'
import { recordKey, sequenceKey, uniqueKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { recordItem } from '../../../../../../shared/records/records/record-item.ts'
import { planRebuild } from '../../../../../../shared/tables/tables/plan-rebuild.ts'
import { createTables } from '../../../../../../shared/tables/tables/read-tables.ts'
import type { StoredTable } from '../../../../../../shared/tables/tables/table.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const jobId = 5
const settleMs = 30_000
const doc: StoredTable = {
  id: 101,
  label: 'Things',
  title_field: 'title',
  table_fields: [
    { name: 'title', type: 'text' },
    { name: 'code', type: 'text', unique: true },
  ],
  automations: [],
  retired: [],
}
const guarding = { becoming_unique: ['code'], unique_since: { code: 2 } }

let single: SingleTable
let model: string
let made = 0
beforeAll(async () => {
  single = await openSingleTable()
  await single.store.write(tenant, { put: { ...tenantKey(tenant), config_version: 1 } })
})
afterAll(() => single?.close())
beforeEach(() => {
  model = `things${++made}`
})

async function storeTable(more: Partial<StoredTable>): Promise<void> {
  const row = { name: model, version: 2, doc: { ...doc, ...more } }
  await single.store.write(tenant, putConfigRow(tenant, 'TABLE', row, null, { userId: 0, at: '' }))
}

async function storeRecords(codes: ReadonlyMap<number, string>): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z'
  await single.store.putMany(
    tenant,
    [...codes].map(([id, code]) =>
      recordItem(
        { name: model },
        {
          id,
          tenant_id: 1,
          created_by: 1,
          updated_by: 1,
          created_at: at,
          updated_at: at,
          version: 1,
          data: { title: `Thing ${id}`, code },
        },
        { tenant, userId: 1 },
        `w${id}`,
      ),
    ),
  )
  const last = Math.max(...codes.keys())
  await single.store.write(tenant, { put: { ...sequenceKey(tenant, model), next: last, live: codes.size } })
}

const holderOf = async (code: string) =>
  (await single.store.get(tenant, uniqueKey(tenant, model, 'code@2', JSON.stringify(code))))?.id

/** Runs the steps of the job until it ends. */
async function run(clock: Clock = frozenClock(), folding = 0, unreadable: readonly number[] = []) {
  const config = createConfig(single.store, clock)
  const chunks: number[] = []
  let busy = folding
  const job = rebuildJob({
    store: single.store,
    config,
    tables: createTables(config),
    clock,
    settleMs,
    deriveValues: async () => {},
    rebuildChunk: async (_tenant, table, chunk, tell) => {
      expect(table.name).toBe(model)
      for (const id of unreadable) if (chunkOf(id) === chunk) tell(id, new SyntaxError('not JSON'))
      if (busy-- > 0) return false
      chunks.push(chunk)
      return true
    },
  })
  const actor = { userId: 1, roles: [], isAdministrator: true }
  const errors: unknown[] = []
  let progress: unknown
  let steps = 0
  let state: unknown
  for (;;) {
    const step: JobStep<unknown> = await job.step({ id: jobId, tenant, actor, timeIsUp: () => false }, { model }, state)
    steps += 1
    if (step.done !== undefined) progress = [step.done, step.total]
    errors.push(...(step.errors ?? []))
    if ('ended' in step) return { ended: step.ended, result: step.result, chunks, errors, progress, steps }
    if (step.pauseMs) await clock.sleep(step.pauseMs)
    state = step.state
  }
}

const stored = async () => (await createConfig(single.store, frozenClock()).getFresh(tenant, 'TABLE', model))?.doc

describe('a rebuild', () => {
  it('that is given up withdraws the uniqueness of its fields, so that the same change can be made again', async () => {
    await storeRecords(new Map([[1, 'c1']]))
    await storeTable({ ...guarding, rebuilding: { job_id: jobId } })
    const clock = frozenClock()
    const config = createConfig(single.store, clock)
    const tables = createTables(config)
    const job = rebuildJob({
      store: single.store,
      config,
      tables,
      clock,
      settleMs,
      deriveValues: async () => {},
      rebuildChunk: () => Promise.reject(new Error('always')),
    })
    const actor = { userId: 1, roles: [], isAdministrator: true }
    const begun = { id: jobId, tenant, actor, timeIsUp: () => false }
    expect(await job.giveUp?.(begun, { model })).toEqual({ not_unique: ['code'] })
    const [title, code] = doc.table_fields
    const { unique: _withdrawn, ...plain } = code as { unique?: boolean; name: string; type: 'text' }
    expect(await stored()).toEqual({ ...doc, table_fields: [title, plain], unique_since: {} })
    const table = await createTables(createConfig(single.store, clock)).require(tenant, model)
    expect(planRebuild(table, doc, 4, false)).toEqual({
      unique: { becoming_unique: ['code'], unique_since: { code: 4 } },
      parts: {},
    })
    expect(await job.giveUp?.({ ...begun, id: jobId + 1 }, { model })).toEqual({ superseded: true })
  })

  it('guards the values of every record of all chunks, and leaves the column index alone', async () => {
    const ids = [1, 2, 63, 64, 300, 16_383, 16_384, 16_500, 33_000]
    await storeRecords(new Map(ids.map((id) => [id, `c${id}`])))
    await storeTable({ ...guarding, rebuilding: { job_id: jobId } })
    expect(await run()).toMatchObject({
      ended: 'done',
      result: null,
      chunks: [],
      errors: [],
      progress: [33_000, 33_000],
    })
    expect(await Promise.all(ids.map((id) => holderOf(`c${id}`)))).toEqual(ids)
    expect(await stored()).toEqual({ ...doc, unique_since: { code: 2 } })
  })

  it('makes the column index of every chunk anew, one in a step, and reads no records for it', async () => {
    await storeRecords(new Map([16_384, 40_000].map((id) => [id, 'same'])))
    await storeTable({ rebuilding: { job_id: jobId, columns: true } })
    const { chunks, progress, steps, ended } = await run()
    expect([ended, chunks, progress, steps]).toEqual(['done', [0, 1, 2], [40_000, 40_000], 4])
    expect(await stored()).toEqual({ ...doc, unique_since: {} })
  })

  it('makes the column index anew and guards the records', async () => {
    await storeRecords(new Map([1, 700, 16_390].map((id) => [id, `c${id}`])))
    await storeTable({ ...guarding, rebuilding: { job_id: jobId, columns: true } })
    expect(await run()).toMatchObject({ ended: 'done', chunks: [0, 1], errors: [] })
    expect(await Promise.all([1, 700, 16_390].map((id) => holderOf(`c${id}`)))).toEqual([1, 700, 16_390])
  })

  it('waits while a chunk is being folded, and reports no duplicate twice', async () => {
    await storeRecords(
      new Map([
        [1, 'a'],
        [2, 'a'],
      ]),
    )
    await storeTable({ ...guarding, rebuilding: { job_id: jobId, columns: true } })
    const clock = frozenClock()
    const began = clock.now()
    const { chunks, errors } = await run(clock, 3)
    expect([chunks, errors.length, clock.now() - began]).toEqual([[0], 1, settleMs + 3 * 2_000])
  })

  it('reports values that two records have, and makes their field not unique again', async () => {
    await storeRecords(
      new Map([
        [1, 'a'],
        [2, 'b'],
        [200, 'a'],
      ]),
    )
    await storeTable({ ...guarding, rebuilding: { job_id: jobId } })
    expect(await run()).toMatchObject({
      ended: 'failed',
      result: { not_unique: ['code'] },
      errors: [{ field: 'code', value: 'a', ids: [1, 200] }],
    })
    expect(await stored()).toMatchObject({ table_fields: [doc.table_fields[0], { name: 'code', type: 'text' }] })
  })

  it.each([
    ['the guards', {}],
    ['the columns and the guards', { columns: true }],
  ] as const)(
    'of %s names each record that cannot be read, once, and goes on with the others',
    async (_what, parts) => {
      const broken = [2, 20_000]
      await storeRecords(new Map([1, 2, 3, 20_000].map((id) => [id, `c${id}`])))
      for (const id of broken)
        await single.store.write(tenant, {
          update: recordKey(tenant, model, id),
          change: { expression: 'SET #data = :data', names: { '#data': 'data' }, values: { ':data': '{"code"' } },
        })
      await storeTable({ ...guarding, rebuilding: { job_id: jobId, ...parts } })
      const { ended, result, errors } = await run(frozenClock(), 1, broken)
      expect([ended, result]).toEqual(['done', null])
      expect(errors).toEqual(
        broken.map((id) => ({
          id,
          message: expect.stringMatching(`^Record ${id} cannot be read and was left out: `),
        })),
      )
      expect(await Promise.all(['c1', 'c2', 'c3'].map(holderOf))).toEqual([1, undefined, 3])
    },
  )

  it('of an empty table ends at once', async () => {
    await storeTable({ ...guarding, rebuilding: { job_id: jobId, columns: true } })
    expect(await run()).toMatchObject({ ended: 'done', chunks: [], progress: [0, 0] })
  })

  it('begins when no write follows the previous configuration any more', async () => {
    await storeRecords(new Map([[1, 'a']]))
    await storeTable({ ...guarding, rebuilding: { job_id: jobId } })
    const clock = frozenClock()
    const began = clock.now()
    await run({
      ...clock,
      sleep: async (ms) => {
        expect(await holderOf('a')).toBeUndefined()
        clock.advance(ms)
      },
    })
    expect([clock.now() - began, await holderOf('a')]).toEqual([settleMs, 1])
  })

  it('does nothing once another job has replaced it', async () => {
    await storeRecords(new Map([[1, 'a']]))
    await storeTable({ ...guarding, rebuilding: { job_id: jobId + 1, columns: true } })
    expect(await run()).toMatchObject({ ended: 'done', result: { superseded: true }, chunks: [] })
    expect(await holderOf('a')).toBeUndefined()
  })
})
