import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isoTime } from '../../../../../../shared/kernel/time/clock.ts'
import { neverUsed, writeCheckpoint } from '../../../../../../shared/operations/maintenance/repair/checkpoint.ts'
import { startRepairs } from '../../../../../../shared/operations/maintenance/repair/start-repairs.ts'
import { recordItem } from '../../../../../../shared/platform/store/rows/write-record-row.ts'
import { tableOf } from '../../../../../make/builders/lists/query-records.ts'
import { type AccountWorld, openAccountWorld } from '../../../../../make/services/worlds/account-world.ts'

let world: AccountWorld
let started: unknown[]
let models = 0
let model: string
beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world?.single.close())
beforeEach(() => {
  started = []
  model = `things${(models += 1)}`
})

const [minute, day] = [60_000, 86_400_000]
const afterMs = 15 * minute
/** Changes from here on are too new for a repair. */
const until = () => world.accounts.clock.now() - afterMs

const start = () =>
  startRepairs(
    {
      ...world.accounts,
      tables: { all: async () => [tableOf(0, model, [])] } as never,
      jobs: { start: async (_tenant, _actor, _kind, input) => started.push(input) },
      resumePurge: async () => {},
      afterMs,
    },
    () => false,
  )

/** A record that last changed at a time. Its sequence is that of a table without records, so only the change counts. */
async function change(atMs: number): Promise<void> {
  const at = isoTime(atMs)
  const { tenant } = world
  const record = {
    id: 1,
    tenant_id: tenant.id,
    created_by: 1,
    updated_by: 1,
    created_at: at,
    updated_at: at,
    version: 1,
  }
  const item = recordItem({ name: model }, { ...record, data: {} }, { tenant, userId: 1 }, 'w')
  await world.accounts.store.putMany(tenant, [item])
}
const keep = (untilMs: number) =>
  writeCheckpoint(world.accounts.store, world.tenant, { until: isoTime(untilMs), counted: { [model]: neverUsed } })

describe('the first repair of a tenant', () => {
  it.each([
    ['the change two days before its end', -2 * day, true],
    ['no earlier one', -2 * day - 1, false],
    ['the last change that is old enough', -1, true],
    ['no change that may still be in the change feed', 0, false],
  ])('checks %s', async (_, offset, isStarted) => {
    await change(until() + offset)
    const span = { since: isoTime(until() - 2 * day), until: isoTime(until()) }
    expect(await start()).toEqual({ started: Number(isStarted) })
    expect(started).toEqual(isStarted ? [span] : [])
  })
})

describe('a later repair', () => {
  it.each([
    ['begins where the last one ended', 0, true],
    ['leaves out what that one checked', -1, false],
  ])('%s', async (_, offset, isStarted) => {
    const ended = until() - 5 * day
    await keep(ended)
    await change(ended + offset)
    await start()
    expect(started).toEqual(isStarted ? [{ since: isoTime(ended), until: isoTime(until()) }] : [])
  })

  it('at the same moment as the one before has nothing to do', async () => {
    await change(until() - 1)
    await keep(until())
    await start()
    expect(started).toEqual([])
  })
})
