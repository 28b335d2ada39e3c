import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type IndexDependencies, indexChanges } from '../../../../../../shared/lists/columns/keeper/index-changes.ts'
import { readLogItem } from '../../../../../../shared/lists/columns/log-entry.ts'
import { recordKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { readAll } from '../../../../../../shared/platform/store/ranges/read-all.ts'
import { goneRow, keeperOn, livingRow, tenantWith } from '../../../../../make/builders/lists/kept-columns.ts'
import { readColumnItems } from '../../../../../make/oracles/column-oracle.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let single: SingleTable
let tenant = tenantWith(1)
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single.close())
beforeEach(() => {
  tenant = tenantWith(tenant.id + 1)
})

const at = '2026-11-20T08:00:00.000Z'
const standard = { created_by: 1, updated_by: 2, created_at: at, updated_at: at }
const change = (model: string, id: number, version: number, tenantId = tenant.id) => ({
  message: {
    v: 1 as const,
    tenant_id: tenantId,
    model,
    id,
    version,
    action: 'update' as const,
    actor: 1,
    source: null,
  },
})
const putRecord = (model: string, id: number, version: number, more: object = {}) =>
  single.store.write(tenant, {
    put: {
      ...recordKey(tenant, model, id),
      kind: 'record',
      version,
      ...standard,
      data: '{"title":"Printer"}',
      ...more,
    },
  })
const dependencies = (store = single.store, limits = {}): IndexDependencies => ({
  store,
  keeper: keeperOn(store, { limits }),
  readSaid: async () => new Map(),
  findTenant: async (id: number) => (id === tenant.id ? tenant : undefined),
})
const entries = async (model: string) =>
  (await readAll(single.store, tenant, { pk: `T#${tenant.id}#XL#${model}` })).map((item) => {
    const entry = readLogItem(item)
    return { ...entry, rows: entry.rows.map((row) => ({ ...row, values: new Map(row.values) })) }
  })
const printer = { ...standard, title: 'Printer' }

describe('changes of what was said', () => {
  it('fail alone when their text cannot be read', async () => {
    const broken = new Error('cut off')
    const changes = [change('~said', 2, 1), change('~said', 5, 1), change('~said', 2, 2)]
    const readSaid: IndexDependencies['readSaid'] = async (_tenant, newest, fail) => {
      expect(newest.map(({ id, version }) => [id, version])).toEqual([
        [2, 2],
        [5, 1],
      ])
      fail(newest[0] as (typeof newest)[number], broken)
      return new Map()
    }
    expect(await indexChanges({ ...dependencies(), readSaid }, changes)).toEqual(
      new Map([
        [changes[0], broken],
        [changes[2], broken],
      ]),
    )
    expect((await entries('~said')).flatMap(({ rows }) => rows)).toMatchObject([{ id: 5, version: 1, isGone: true }])
  })
})

describe('changes of records', () => {
  it('are appended as one entry for each table, with the current state of each record once', async () => {
    await putRecord('requests', 1, 3, { updated_at: '2026-11-20T08:00:01.000Z' })
    await putRecord('requests', 2, 1)
    await putRecord('clients', 1, 1)
    const changes = [
      change('requests', 1, 2),
      change('clients', 1, 1),
      change('requests', 2, 1),
      change('requests', 1, 3),
    ]
    expect(await indexChanges(dependencies(), changes)).toEqual(new Map())
    const found = await entries('requests')
    expect(found.map(({ seq, n }) => [seq, n])).toEqual([[1, 2]])
    expect(found[0]!.rows).toEqual([
      livingRow(1, 3, { ...printer, updated_at: '2026-11-20T08:00:01.000Z' }),
      livingRow(2, 1, printer),
    ])
    expect((await entries('clients')).map(({ rows }) => rows)).toEqual([[livingRow(1, 1, printer)]])
  })

  it('are gone with the newest version known when the record is being deleted or removed', async () => {
    await putRecord('requests', 1, 4, { deleted_at: '2026-11-20T08:00:02.000Z' })
    await putRecord('requests', 2, 4, { deleted_at: '2026-11-20T08:00:02.000Z' })
    const changes = [
      change('requests', 1, 2),
      change('requests', 2, 5),
      change('requests', 3, 6),
      change('requests', 3, 2),
    ]
    await indexChanges(dependencies(), changes)
    const [entry] = await entries('requests')
    expect(entry!.rows).toEqual([goneRow(1, 4), goneRow(2, 5), goneRow(3, 6)])
  })

  it('fail alone when their record is unreadable', async () => {
    await putRecord('requests', 1, 1)
    await putRecord('requests', 2, 1, { data: '{' })
    const changes = [change('requests', 1, 1), change('requests', 2, 1), change('requests', 2, 1)]
    const failures = await indexChanges(dependencies(), changes)
    expect([...failures.keys()]).toEqual(changes.slice(1))
    expect([...failures.values()].map(String)).toEqual(Array(2).fill(expect.stringContaining('SyntaxError')))
    expect((await entries('requests'))[0]!.rows).toEqual([livingRow(1, 1, printer)])
  })

  it('of other tables do not fail with a table, and those of a removed tenant are dropped', async () => {
    await putRecord('requests', 1, 1)
    await putRecord('clients', 1, 1)
    const services = dependencies()
    const append: typeof services.keeper.append = async (owner, model, rows) => {
      if (model === 'requests') throw new Error('no more writes')
      return services.keeper.append(owner, model, rows)
    }
    const changes = [change('requests', 1, 1), change('clients', 1, 1), change('requests', 1, 1, 999)]
    const failures = await indexChanges({ ...services, keeper: { ...services.keeper, append } }, changes)
    expect(failures).toEqual(new Map([[changes[0], new Error('no more writes')]]))
    expect((await entries('clients')).length).toBe(1)
  })

  it('fail alone when what their record holds is refused, and none is appended twice', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => n + 1)
    for (const id of ids) await putRecord('requests', id, 1)
    const services = dependencies()
    const refusal = Object.assign(new Error('Item size has exceeded the maximum allowed size'), {
      name: 'ValidationException',
    })
    const append: typeof services.keeper.append = async (owner, model, rows) => {
      if (rows.some(({ id }) => id === 7 || id === 23)) throw refusal
      return services.keeper.append(owner, model, rows)
    }
    const changes = ids.map((id) => change('requests', id, 1))
    const failures = await indexChanges({ ...services, keeper: { ...services.keeper, append } }, changes)
    expect([...failures].map(([{ message }, cause]) => [message.id, cause])).toEqual([
      [7, refusal],
      [23, refusal],
    ])
    const kept = (await entries('requests')).flatMap(({ rows }) => rows.map(({ id }) => id))
    expect(kept.toSorted((a, b) => a - b)).toEqual(ids.filter((id) => id !== 7 && id !== 23))
  })

  it('are folded once the log is long, and are safe when that fails', async () => {
    for (const id of [1, 2, 3]) await putRecord('requests', id, 1)
    const services = dependencies(single.store, { foldRows: 2 })
    await indexChanges(services, [change('requests', 1, 1)])
    expect((await readColumnItems(single, tenant.id, 'requests')).manifest.rev).toBe(0)
    await indexChanges(services, [change('requests', 2, 1)])
    expect((await readColumnItems(single, tenant.id, 'requests')).manifest).toMatchObject({ rev: 1, folded: 2 })

    const failing = single.storeThrough(async (operation, call) => {
      if (operation === 'BatchWriteItem') throw new Error('no blocks')
      return call()
    })
    const rows = [change('requests', 3, 1), change('requests', 1, 1)]
    expect(await indexChanges(dependencies(failing, { foldRows: 2 }), rows)).toEqual(new Map())
    const { latest, manifest } = await readColumnItems(single, tenant.id, 'requests')
    expect(manifest.rev).toBe(1)
    expect([...latest.keys()].sort()).toEqual([1, 2, 3])
  })

  it('of many processes at once are all appended', async () => {
    const changes = Array.from({ length: 12 }, (_, id) => change('requests', id + 1, 1))
    for (const { message } of changes) await putRecord('requests', message.id, 1)
    const processes = [dependencies(), dependencies(), dependencies()]
    const failures = await Promise.all(changes.map((one, index) => indexChanges(processes[index % 3]!, [one])))
    expect(failures.flatMap((some) => [...some])).toEqual([])
    const found = await entries('requests')
    expect(found.map(({ seq, n }) => [seq, n])).toEqual(changes.map((_, index) => [index + 1, index + 1]))
    expect(new Set(found.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(12)
  })
})
