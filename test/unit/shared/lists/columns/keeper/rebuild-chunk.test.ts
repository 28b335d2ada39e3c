import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isoTime } from '../../../../../../shared/kernel/time/clock.ts'
import type { LogRow } from '../../../../../../shared/lists/columns/log-entry.ts'
import { rowOfRecord } from '../../../../../../shared/lists/columns/row-of-record.ts'
import { recordKey, sequenceKey } from '../../../../../../shared/platform/store/keys/records.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import {
  goneRow,
  keeperOn,
  livingRow,
  model,
  searchedTable,
  tenantWith,
} from '../../../../../make/builders/lists/kept-columns.ts'
import { expectedColumns, expectedWords, readColumnItems } from '../../../../../make/oracles/column-oracle.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const at = '2026-11-20T08:00:00.000Z'
const first = 16_384
let single: SingleTable
let tenant = tenantWith(1)
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single.close())
beforeEach(async () => {
  tenant = tenantWith(tenant.id + 1)
  await single.store.write(tenant, { put: { ...sequenceKey(tenant, model), next: first + 450 } })
})

const record = (id: number, version: number, data: object, more: Item = {}): Item => ({
  ...recordKey(tenant, model, id),
  kind: 'record',
  version,
  created_by: 1,
  updated_by: 2,
  created_at: at,
  updated_at: at,
  data: JSON.stringify(data),
  ...more,
})
const put = (items: readonly Item[]) =>
  single.store.putMany(
    tenant,
    items.map((item) => ({ ...item, pk: String(item.pk), sk: String(item.sk) })),
  )
const read = () => readColumnItems(single, tenant.id, model)

describe('a chunk that is rebuilt', () => {
  it('says what its records say, whatever it said before', async () => {
    const keeper = keeperOn(single.store)
    const told: LogRow[] = [
      livingRow(7, 1, { title: 'Elsewhere' }),
      livingRow(first, 3, { title: 'Wrong value', lost: 5 }),
      livingRow(first + 1, 9, { title: 'A version that never was' }),
      livingRow(first + 2, 4, { title: 'Removed' }),
      goneRow(first + 3, 5),
      livingRow(first + 4, 2, { title: 'Being deleted' }),
    ]
    await keeper.append(tenant, model, told)
    await keeper.foldNow(tenant, model)
    const items = [
      record(first, 3, { title: 'Printer', note: 'n'.repeat(3000) }),
      record(first + 1, 6, { title: 'Toner', files: ['a', 'b'] }),
      record(first + 4, 3, { title: 'Being deleted' }, { deleted_at: at }),
      ...Array.from({ length: 300 }, (_, index) => record(first + 100 + index, 1, { title: `Never told ${index}` })),
    ]
    await put(items)
    expect(await keeper.rebuildChunk(tenant, model, 1)).toBe(true)
    const { folded, manifest, words, orphans } = await read()
    const expected = expectedColumns([
      told[0]!,
      ...items.map(rowOfRecord),
      goneRow(first + 2, 4),
      goneRow(first + 3, 5),
    ])
    expect(folded).toEqual(expected)
    expect(words).toEqual(expectedWords(searchedTable(), expected))
    expect(manifest).toMatchObject({ rev: 2, folded: 1, n: told.length, live: 303 })
    expect(manifest.blocks.has('lost')).toBe(false)
    expect(orphans).toEqual([])
  })

  it('leaves the log to the next fold, whose older rows change nothing', async () => {
    const keeper = keeperOn(single.store)
    await keeper.append(tenant, model, [livingRow(first, 1, { title: 'Old' })])
    const item = record(first, 2, { title: 'New' })
    await put([item])
    expect(await keeper.rebuildChunk(tenant, model, 1)).toBe(true)
    expect((await read()).manifest).toMatchObject({ rev: 1, folded: 0, n: 0, live: 1 })
    await keeper.foldNow(tenant, model)
    const { folded, manifest } = await read()
    expect(folded).toEqual(expectedColumns([rowOfRecord(item)]))
    expect(manifest).toMatchObject({ rev: 2, folded: 1, live: 1 })
  })

  it('has words as the table is searched now', async () => {
    let table = searchedTable(['title'])
    const keeper = keeperOn(single.store, { tables: { find: async () => table } })
    const items = [record(first, 1, { title: 'Printer', note: 'floor two' })]
    await put(items)
    await keeper.rebuildChunk(tenant, model, 1)
    expect(Object.keys((await read()).words)).toEqual(['printer'])
    table = searchedTable(['title', 'note'])
    await keeper.rebuildChunk(tenant, model, 1)
    expect((await read()).words).toEqual(expectedWords(table, expectedColumns(items.map(rowOfRecord))))
    table = searchedTable([])
    await keeper.rebuildChunk(tenant, model, 1)
    expect((await read()).words).toEqual({})
  })

  it('stays empty when it never had a record', async () => {
    const keeper = keeperOn(single.store)
    expect(await keeper.rebuildChunk(tenant, model, 3)).toBe(true)
    const { folded, manifest, orphans } = await read()
    expect([folded.size, manifest.blocks.size, manifest.words.size, orphans]).toEqual([0, 0, 0, []])
  })

  it('has no column that was left out', async () => {
    const keeper = keeperOn(single.store, { limits: { longColumnBytes: 30 } })
    const items = [record(first, 1, { note: Array.from({ length: 900 }, (_, at9) => `word ${at9}`).join(' ') })]
    await put(items)
    for (const _ of [1, 2]) {
      await keeper.rebuildChunk(tenant, model, 1)
      const { folded, manifest, orphans } = await read()
      expect(manifest.leftOut).toEqual(new Set(['note+']))
      expect(folded).toEqual(expectedColumns(items.map(rowOfRecord), manifest.leftOut))
      expect(orphans).toEqual([])
    }
  })

  it('waits while a fold is in flight', async () => {
    const clock = frozenClock()
    const fold = { pk: `T#${tenant.id}#X#${model}`, sk: 'FOLD#aaaaaaaa', rev: 0, chunks: '[0]' }
    await single.store.write(tenant, { put: { ...fold, seen_at: isoTime(clock.now()) } })
    expect(await keeperOn(single.store, { clock }).rebuildChunk(tenant, model, 1)).toBe(false)
    expect((await read()).manifest.rev).toBe(0)
  })

  it('leaves out a record that is unreadable, says which, and takes it in again once it is mended', async () => {
    const keeper = keeperOn(single.store)
    const broken = record(first + 1, 2, {}, { data: '{"title":' })
    await put([record(first, 1, { title: 'Printer' }), broken, record(first + 2, 1, { title: 'Toner' })])
    const unreadable: [number, string][] = []
    const tell = (id: number, cause: unknown) => unreadable.push([id, (cause as Error).name])
    expect(await keeper.rebuildChunk(tenant, model, 1, tell)).toBe(true)
    expect(unreadable).toEqual([[first + 1, 'SyntaxError']])
    const rows = [record(first, 1, { title: 'Printer' }), record(first + 2, 1, { title: 'Toner' })].map(rowOfRecord)
    expect((await read()).folded).toEqual(expectedColumns([...rows, goneRow(first + 1, 2)]))
    const mended = record(first + 1, 2, { title: 'Mended' })
    await put([mended])
    expect(await keeper.rebuildChunk(tenant, model, 1, tell)).toBe(true)
    expect(unreadable).toHaveLength(1)
    expect((await read()).folded).toEqual(expectedColumns([...rows, rowOfRecord(mended)]))
  })
})
