import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeRecords } from '../../make/builders/records/records.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { runs } from '../../make/depth.ts'
import { everyRecordRow } from '../../make/oracles/every-record-row.ts'
import { linkRows, orphanedLinkRows } from '../../make/oracles/link-rows.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let relation: number
const tenant = { id: 1 }
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

beforeAll(async () => {
  service = await startService({ log: () => {} })
  for (const name of ['tickets', 'devices']) await makeTable(service, name, [{ name: 'name', type: 'text' }])
  relation = (await api('POST', '/api/sys/relations', { name: 'uses', l_table: 'tickets', r_table: 'devices' })).body
    .data.id
})
afterAll(() => service?.stop())

const index = fc.nat({ max: 3 })
const indexes = fc.uniqueArray(index, { minLength: 1, maxLength: 4 })
const side = fc.constantFrom('l' as const, 'r' as const)
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const), side, near: index, far: indexes }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('unlink' as const), side, near: index, far: fc.option(indexes) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), side, near: index }) },
)
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never
const fault = fc.option(
  fc.record({
    action: fc.constantFrom(
      'crash-before' as const,
      'crash-after' as const,
      'lose-answer' as const,
      'throttle' as const,
    ),
    skip: fc.nat({ max: 2 }),
  }),
)
/** One or two concurrent requests, with a fault at one of their transactions. */
const step = fc.record({ actions: fc.array(action, { minLength: 1, maxLength: 2 }), fault })

interface World {
  readonly l: readonly number[]
  readonly r: readonly number[]
}

const tableOf = { l: 'tickets', r: 'devices' } as const

async function act(world: World, { side: near, near: at, ...rest }: Action): Promise<number> {
  const other = near === 'l' ? 'r' : 'l'
  const id = world[near][at] as number
  const ids = (list: readonly number[]) => list.map((position) => world[other][position])
  if (rest.kind === 'add')
    return (await api('POST', `/api/sys/add_related_instances/${relation}/${near}_table/${id}`, { ids: ids(rest.far) }))
      .status
  if (rest.kind === 'unlink')
    return (
      await api(
        'POST',
        `/api/sys/relations/unlink/${relation}/${other}_table/${id}`,
        rest.far ? { ids: ids(rest.far) } : undefined,
      )
    ).status
  return (await api('DELETE', `/api/e/${tableOf[near]}/${id}`)).status
}

/** Runs the sweeper as it runs a minute after deletes were interrupted. */
async function finishDeletes(): Promise<void> {
  for (const model of Object.values(tableOf)) {
    for (const { pk, sk, deleted_at } of await everyRecordRow(service.store, model)) {
      if (deleted_at === undefined) continue
      const change = { expression: 'SET s20 = :past', values: { ':past': `2000-01-01#1#${model}#${Number(sk)}` } }
      await service.store.write(tenant, { update: { pk: String(pk), sk: String(sk) }, change })
    }
  }
  await service.cloud.invoke('due-sweeper')
  await service.cloud.idle()
}

const relatedTo = async (near: 'l' | 'r', id: number): Promise<number[]> =>
  (await api('GET', `/api/sys/related_instances/${relation}/${tableOf[near]}/${id}`)).body.data?.map(
    (record: { id: number }) => record.id,
  ) ?? []

it('links stay symmetric after any sequence of adds, unlinks and deletes with injected crashes', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
    const world: World = { l: await storeRecords(service, 'tickets', 4), r: await storeRecords(service, 'devices', 4) }
    for (const { actions, fault: wrong } of steps) {
      if (wrong) service.cloud.faults.inject({ service: 'dynamodb', operation: 'TransactWriteItems', ...wrong })
      const answers = await Promise.all(actions.map((one) => act(world, one)))
      service.cloud.faults.clear()
      expect(answers.filter((status) => ![200, 204, 404, 422, 500].includes(status))).toEqual([])
      expect(await orphanedLinkRows(service, [relation], world.r.concat(world.l))).toEqual([])
    }
    // Readers agree whether or not the deletes have finished.
    const seen = await Promise.all(world.l.map(async (id) => (await relatedTo('l', id)).map((far) => `${id} ${far}`)))
    const mirrored = await Promise.all(
      world.r.map(async (id) => (await relatedTo('r', id)).map((far) => `${far} ${id}`)),
    )
    expect(seen.flat().sort()).toEqual(mirrored.flat().sort())

    await finishDeletes()
    const rows = await linkRows(service, relation, world.l.concat(world.r))
    expect(await orphanedLinkRows(service, [relation], world.r.concat(world.l))).toEqual([])
    expect(
      rows
        .filter((row) => row.side === 'l')
        .map(({ l, r }) => `${l} ${r}`)
        .sort(),
    ).toEqual(seen.flat().sort())
    const alive = async (model: string, id: number) => (await api('GET', `/api/e/${model}/${id}`)).status === 200
    for (const { l, r } of rows) expect([await alive('tickets', l), await alive('devices', r)]).toEqual([true, true])
  })
  await fc.assert(property, { numRuns: runs(100, 15) })
}, 180_000)

it('an acknowledged add or unlink is stored, whatever fault strikes its transaction', async () => {
  const [ticket] = (await storeRecords(service, 'tickets', 1)) as [number]
  const devices = await storeRecords(service, 'devices', 3)
  for (const wrong of ['lose-answer', 'throttle', 'crash-before', 'crash-after'] as const) {
    service.cloud.faults.inject({ operation: 'TransactWriteItems', action: wrong })
    const added = await api('POST', `/api/sys/add_related_instances/${relation}/l_table/${ticket}`, { ids: devices })
    if (added.status !== 200)
      await api('POST', `/api/sys/add_related_instances/${relation}/l_table/${ticket}`, { ids: devices })
    expect(await relatedTo('l', ticket), wrong).toEqual(devices.toReversed())
    service.cloud.faults.inject({ operation: 'TransactWriteItems', action: wrong })
    const removed = await api('POST', `/api/sys/relations/unlink/${relation}/r_table/${ticket}`)
    if (removed.status !== 200) await api('POST', `/api/sys/relations/unlink/${relation}/r_table/${ticket}`)
    expect(await relatedTo('l', ticket), wrong).toEqual([])
  }
})
