import { afterAll, beforeAll, expect, it } from 'vitest'
import { repairJob } from '../../../../../../shared/operations/maintenance/repair/repair-job.ts'
import { sequenceKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { readSequence } from '../../../../../../shared/platform/store/sequence/sequence.ts'
import type { Tables } from '../../../../../../shared/tables/tables/read-tables.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf } from '../../../../../make/builders/lists/query-records.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const settleMs = 30_000

let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

it('a repair does not correct a count before the creates that began earlier have ended, however often it is woken', async () => {
  const clock = frozenClock()
  await single.store.putMany(tenant, [{ ...sequenceKey(tenant, 'things'), next: 5, live: 3 }])
  const job = repairJob({
    store: single.store,
    tables: { all: async () => [tableOf(0, 'things', [])] } as unknown as Tables,
    clock,
    objects: { fetchObject: async () => new Uint8Array(), putObject: async () => {} },
    rollups: {
      store: single.store,
      send: async () => [],
      fetchObject: async () => new Uint8Array(),
      queueUrl: 'rollups',
    },
    columns: { knownStamps: async () => [], send: async () => [], queueUrl: 'columns' },
    references: {} as never,
    settleMs,
  })
  const run = { id: 1, tenant, actor: { userId: 0, roles: [], isAdministrator: true }, timeIsUp: () => false }
  const span = { since: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' }
  let state: unknown
  const step = async () => {
    const outcome = await job.step(run, span, state)
    if ('state' in outcome) state = outcome.state
    return outcome
  }
  const live = async () => (await readSequence(single.store, tenant, 'things')).live

  expect(await step()).toMatchObject({ pauseMs: settleMs })
  expect(await step()).toMatchObject({ pauseMs: settleMs })
  clock.advance(settleMs - 1)
  expect([await step(), await live()]).toMatchObject([{ pauseMs: 1 }, 3])
  clock.advance(1)
  expect([await step(), await live()]).toMatchObject([{ ended: 'done', result: { live: 1 } }, 0])
})
