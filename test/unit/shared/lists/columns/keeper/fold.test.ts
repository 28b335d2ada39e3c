import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogRow } from '../../../../../../shared/lists/columns/log-entry.ts'
import {
  goneRow,
  keeperOn,
  livingRow,
  model,
  searchedTable,
  tenantWith,
} from '../../../../../make/builders/lists/kept-columns.ts'
import { readColumnItems } from '../../../../../make/oracles/column-oracle.ts'
import { expectFolded } from '../../../../../make/oracles/expect-folded.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let single: SingleTable
let tenant = tenantWith(1)
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single.close())
const nextTenant = () => (tenant = tenantWith(tenant.id + 1))

const at = '2026-11-20T08:00:00.000Z'
const read = () => readColumnItems(single, tenant.id, model)

describe('a fold', () => {
  it('makes the log part of the blocks, in every chunk', async () => {
    nextTenant()
    const keeper = keeperOn(single.store)
    const rows = [
      livingRow(1, 1, { title: 'Printer jam', status: 'open', price: 2.5, urgent: true, files: ['a', 'b'] }),
      livingRow(16_384, 3, { title: 'Toner', status: 'open', note: 'floor 2' }),
      livingRow(5 * 16_384 + 9, 1, { title: 'Printer', at }),
      goneRow(2, 4),
    ]
    await keeper.append(tenant, model, rows)
    expect(await keeper.foldNow(tenant, model)).toBe('folded')
    const { manifest } = await expectFolded(read, rows)
    expect(manifest).toMatchObject({ rev: 1, folded: 1, n: 4 })
    expect([...manifest.blocks.get('#v')!.keys()]).toEqual([0, 1, 5])
  })

  it('has nothing to do when the log is folded', async () => {
    nextTenant()
    const keeper = keeperOn(single.store)
    expect(await keeper.foldNow(tenant, model)).toBe('nothing to fold')
    await keeper.append(tenant, model, [livingRow(1, 1, { title: 'Printer' })])
    await keeper.foldNow(tenant, model)
    expect(await keeper.foldNow(tenant, model)).toBe('nothing to fold')
  })

  it('makes only those blocks anew whose values change', async () => {
    nextTenant()
    const keeper = keeperOn(single.store)
    const rows = Array.from({ length: 300 }, (_, id) =>
      livingRow(id + 1, 1, { title: `Printer ${id}`, status: ['new', 'open'][id % 2]!, price: id / 4 }),
    )
    await keeper.append(tenant, model, rows)
    await keeper.foldNow(tenant, model)
    const before = (await read()).manifest
    const updates = [livingRow(7, 2, { title: 'Printer 6', status: 'closed', price: 1.5 })]
    await keeper.append(tenant, model, updates)
    await keeper.foldNow(tenant, model)
    const { manifest } = await expectFolded(read, [...rows, ...updates])
    const changed = [...manifest.blocks]
      .filter(([column, places]) => places.get(0)![0] !== before.blocks.get(column)!.get(0)![0])
      .map(([column]) => column)
    expect(changed.sort()).toEqual(['#v', 'status'])
    expect(manifest.words).toEqual(before.words)
  })

  it('ignores what is told twice, late or out of order', async () => {
    nextTenant()
    const keeper = keeperOn(single.store)
    const [first, second, gone] = [
      livingRow(1, 1, { title: 'Printer' }),
      livingRow(1, 2, { title: 'Toner', note: 'now' }),
      goneRow(2, 3),
    ]
    await keeper.append(tenant, model, [second, gone])
    await keeper.append(tenant, model, [first, livingRow(2, 3, { title: 'late' })])
    await keeper.foldNow(tenant, model)
    await expectFolded(read, [second, gone])
    await keeper.append(tenant, model, [first, second, livingRow(2, 2, { title: 'late' })])
    await keeper.foldNow(tenant, model)
    expect((await expectFolded(read, [second, gone])).manifest.folded).toBe(3)
  })

  it('keeps long texts whole in a column of their own, and lets go of what nobody has any more', async () => {
    nextTenant()
    const keeper = keeperOn(single.store)
    const long = `${'word '.repeat(400)}end`
    const rows = [livingRow(1, 1, { title: 'A', note: long }), livingRow(2, 1, { title: 'B', note: 'short' })]
    await keeper.append(tenant, model, rows)
    await keeper.foldNow(tenant, model)
    const { folded } = await expectFolded(read, rows)
    expect(folded.get(1)!.values['note+']).toBe(long)
    const shorter = livingRow(1, 2, { title: 'A', note: 'short' })
    await keeper.append(tenant, model, [shorter])
    await keeper.foldNow(tenant, model)
    expect((await expectFolded(read, [...rows, shorter])).manifest.blocks.has('note+')).toBe(false)
  })

  it('leaves out a column of long texts that takes too much, for good', async () => {
    nextTenant()
    const keeper = keeperOn(single.store, { limits: { longColumnBytes: 20_000 } })
    const long = () => randomBytes(6000).toString('base64url')
    const rows: LogRow[] = [livingRow(1, 1, { note: long(), title: 'A' }), livingRow(16_385, 1, { note: long() })]
    await keeper.append(tenant, model, rows)
    await keeper.foldNow(tenant, model)
    expect((await expectFolded(read, rows)).manifest.leftOut).toEqual(new Set())
    rows.push(livingRow(2, 1, { note: long() }), livingRow(3, 1, { note: long() }))
    await keeper.append(tenant, model, rows.slice(2))
    await keeper.foldNow(tenant, model)
    expect((await expectFolded(read, rows)).manifest.leftOut).toEqual(new Set(['note+']))
    rows.push(livingRow(4, 1, { note: long() }))
    await keeper.append(tenant, model, rows.slice(4))
    await keeper.foldNow(tenant, model)
    const { manifest } = await expectFolded(read, rows)
    expect(manifest.leftOut).toEqual(new Set(['note+']))
    expect(manifest.blocks.has('note')).toBe(true)
  })

  it('keeps values of another type once the table is empty, and of mixed types beside each other', async () => {
    nextTenant()
    const keeper = keeperOn(single.store)
    const rows: LogRow[] = [livingRow(1, 1, { price: 5, code: 'x' }), livingRow(2, 1, { price: 7, code: 'y' })]
    const steps: LogRow[][] = [
      rows.slice(),
      [goneRow(1, 2), goneRow(2, 2)],
      [livingRow(3, 1, { price: 'seven', code: 7 }), livingRow(4, 1, { price: ['a', 'b'], code: true })],
      [livingRow(5, 1, { price: 2.5, code: at }), livingRow(4, 2, { price: false, code: '2026-11-20' })],
    ]
    const told: LogRow[] = []
    for (const step of steps) {
      told.push(...step)
      await keeper.append(tenant, model, step)
      await keeper.foldNow(tenant, model)
      await expectFolded(read, told)
    }
  })

  it('keeps blocks that need several items', async () => {
    nextTenant()
    const keeper = keeperOn(single.store)
    const rows = Array.from({ length: 2000 }, (_, id) =>
      livingRow(id + 1, 1, { code: randomBytes(600).toString('base64url') }),
    )
    await keeper.append(tenant, model, rows)
    await keeper.foldNow(tenant, model)
    const { manifest } = await expectFolded(read, rows)
    expect(manifest.blocks.get('code')!.get(0)![1]).toBeGreaterThan(2)
  })

  it('keeps the log of one fold for readers in step, and removes what is older', async () => {
    nextTenant()
    const keeper = keeperOn(single.store)
    for (let version = 1; version <= 6; version += 1) {
      await keeper.append(tenant, model, [livingRow(1, version, { title: `v${version}` })])
      if (version % 2 === 0) await keeper.foldNow(tenant, model)
    }
    expect((await read()).entries).toEqual([5, 6])
  })

  it('makes the words of a chunk anew when the searched fields changed', async () => {
    nextTenant()
    let table = searchedTable(['title'])
    const keeper = keeperOn(single.store, { tables: { find: async () => table } })
    const rows: LogRow[] = [
      livingRow(1, 1, { title: 'Printer jam', note: 'floor two' }),
      livingRow(2, 1, { title: 'Toner', note: 'floor one' }),
    ]
    await keeper.append(tenant, model, rows)
    await keeper.foldNow(tenant, model)
    await expectFolded(read, rows, table)
    table = searchedTable(['title', 'note'])
    rows.push(livingRow(3, 1, { title: 'Paper', note: 'floor one' }))
    await keeper.append(tenant, model, rows.slice(2))
    await keeper.foldNow(tenant, model)
    await expectFolded(read, rows, table)
    table = searchedTable([])
    rows.push(livingRow(3, 2, { title: 'Paper', note: 'floor two' }))
    await keeper.append(tenant, model, rows.slice(3))
    await keeper.foldNow(tenant, model)
    expect((await expectFolded(read, rows, table)).words).toEqual({})
    table = searchedTable(['title'])
    rows.push(goneRow(3, 3))
    await keeper.append(tenant, model, rows.slice(4))
    await keeper.foldNow(tenant, model)
    expect(Object.keys((await expectFolded(read, rows, table)).words).sort()).toEqual(['jam', 'printer', 'toner'])
  })

  it('stores a long manifest in parts, and removes the parts that it replaces', async () => {
    nextTenant()
    const keeper = keeperOn(single.store, { limits: { manifestBytes: 10 } })
    const rows: LogRow[] = []
    for (let id = 1; id <= 3; id += 1) {
      rows.push(livingRow(id, 1, { title: `Printer ${id}` }))
      await keeper.append(tenant, model, rows.slice(-1))
      await keeper.foldNow(tenant, model)
      expect((await expectFolded(read, rows)).manifest.stored?.parts).toBe(1)
    }
  })

  it('folds a very long log in several folds', async () => {
    nextTenant()
    const keeper = keeperOn(single.store, { limits: { maxFoldBytes: 3000, foldRows: 1 } })
    const rows = Array.from({ length: 10 }, (_, id) =>
      livingRow(id + 1, 1, { code: randomBytes(750).toString('base64url') }),
    )
    for (const row of rows) await keeper.append(tenant, model, [row])
    await keeper.foldIfLong(tenant, model)
    const { manifest } = await expectFolded(read, rows)
    expect(manifest.rev).toBeGreaterThan(2)
  })

  it('throws when the log has a gap that no fold made', async () => {
    nextTenant()
    const keeper = keeperOn(single.store)
    for (const id of [1, 2, 3]) await keeper.append(tenant, model, [livingRow(id, 1, {})])
    await single.store.writeMany(tenant, [], [{ pk: `T#${tenant.id}#XL#${model}`, sk: '000000000002' }])
    await expect(keeper.foldNow(tenant, model)).rejects.toThrow('the log of the columns of requests has a gap')
  })
})
