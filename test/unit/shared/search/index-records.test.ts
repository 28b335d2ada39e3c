import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  changeOf,
  index,
  model,
  requestsTable,
  tableWith,
  tenant,
  writeRecord,
} from '../../../make/builders/indexed-records.ts'
import { compareIndex } from '../../../make/oracles/compare-index.ts'
import { openSingleTable, type SingleTable } from '../../../make/services/single-table.ts'

let single: SingleTable
beforeEach(async () => {
  single = await openSingleTable()
})
afterEach(() => single.close())

const jam = { title: 'Printer is jammed', note: 'the printer again', status: 'open' }
const nothing = { postings: {}, counters: {} }

describe('indexing a record', () => {
  it('writes a posting for each word, and counts each value and each missing value', async () => {
    await writeRecord(single.store, 1, 1, jam)
    await index(single.store, [changeOf(1, 1)])
    const { held } = await compareIndex(single, tenant, requestsTable, new Map())
    expect(held).toEqual({
      postings: {
        'T#7#S#requests#ag again#000000000001': 10,
        'T#7#S#requests#is is#000000000001': 80,
        'T#7#S#requests#ja jammed#000000000001': 80,
        'T#7#S#requests#pr printer#000000000001': 90,
        'T#7#S#requests#th the#000000000001': 10,
      },
      counters: { 'T#7#N#requests#status =open': 1, 'T#7#N#requests#urgent -': 1 },
    })
  })

  it.each([
    ['changed', { ...jam, title: 'Printer works', status: 'closed', urgent: true }],
    ['emptied', {}],
    ['left as it was', jam],
  ])('updates the entries of a record that is %s', async (_how, data) => {
    await writeRecord(single.store, 1, 1, jam)
    await index(single.store, [changeOf(1, 1)])
    await writeRecord(single.store, 1, 2, data)
    await index(single.store, [changeOf(1, 2)])
    const { held, wanted } = await compareIndex(single, tenant, requestsTable, new Map([[1, data]]))
    expect(held).toEqual(wanted)
  })

  it('removes the entries of a record that is being deleted, and of one that is deleted', async () => {
    await writeRecord(single.store, 1, 1, jam)
    await writeRecord(single.store, 2, 1, jam)
    await index(single.store, [changeOf(1, 1), changeOf(2, 1)])
    await writeRecord(single.store, 1, 2, null)
    await single.store.write(tenant, { remove: { pk: `T#7#R#${model}`, sk: '000000000002' } })
    await index(single.store, [changeOf(1, 2), changeOf(2, 2)])
    expect((await compareIndex(single, tenant, requestsTable, new Map())).held).toEqual(nothing)
  })

  it('handles more records at once than a transaction holds', async () => {
    const records = new Map(
      Array.from({ length: 130 }, (_, at) => [at + 1, { ...jam, title: `printer ${at}`, urgent: at % 3 === 0 }]),
    )
    for (const [id, data] of records) await writeRecord(single.store, id, 1, data)
    await index(
      single.store,
      [...records.keys()].map((id) => changeOf(id, 1)),
    )
    const { held, wanted } = await compareIndex(single, tenant, requestsTable, records)
    expect(held).toEqual(wanted)
  })

  it('changes nothing when a change is delivered again or late', async () => {
    await writeRecord(single.store, 1, 1, jam)
    await index(single.store, [changeOf(1, 1)])
    await writeRecord(single.store, 1, 2, { title: 'Other' })
    await index(single.store, [changeOf(1, 2)])
    const before = await single.itemsOf('T#7#')
    await index(single.store, [changeOf(1, 1)])
    await index(single.store, [changeOf(1, 2)])
    await index(single.store, [changeOf(1, 1, true)])
    expect(await single.itemsOf('T#7#')).toEqual(before)
  })

  it('never restores the entries of a record that is deleted while it is indexed', async () => {
    await writeRecord(single.store, 1, 1, jam)
    let deleted = false
    const slow = single.storeThrough(async (operation, call) => {
      // The indexer has read version 1 when the record is deleted.
      if (operation === 'TransactWriteItems' && !deleted) {
        deleted = true
        await writeRecord(single.store, 1, 2, null)
        await index(single.store, [changeOf(1, 2)])
      }
      return call()
    })
    await index(slow, [changeOf(1, 1)])
    expect((await compareIndex(single, tenant, requestsTable, new Map())).held).toEqual(nothing)
  })

  it('corrects the entries of a record that changes before its postings are written', async () => {
    await writeRecord(single.store, 1, 1, jam)
    let moved = false
    const slow = single.storeThrough(async (operation, call) => {
      if (operation === 'BatchWriteItem' && !moved) {
        moved = true
        await writeRecord(single.store, 1, 2, { title: 'Other' })
        await index(single.store, [changeOf(1, 2)])
      }
      return call()
    })
    await index(slow, [changeOf(1, 1)])
    const { held, wanted } = await compareIndex(single, tenant, requestsTable, new Map([[1, { title: 'Other' }]]))
    expect(held).toEqual(wanted)
  })

  it('skips a record that another worker indexed meanwhile, and continues with the others', async () => {
    for (const id of [1, 2, 3]) await writeRecord(single.store, id, 1, jam)
    let overtaken = false
    const slow = single.storeThrough(async (operation, call) => {
      if (operation === 'TransactWriteItems' && !overtaken) {
        overtaken = true
        await index(single.store, [changeOf(2, 1)])
      }
      return call()
    })
    await index(
      slow,
      [1, 2, 3].map((id) => changeOf(id, 1)),
    )
    const { held, wanted } = await compareIndex(
      single,
      tenant,
      requestsTable,
      new Map([1, 2, 3].map((id) => [id, jam])),
    )
    expect(held).toEqual(wanted)
  })

  it('continues with the others when one record fails', async () => {
    await writeRecord(single.store, 1, 1, jam)
    await single.store.write(tenant, {
      put: { pk: `T#7#R#${model}`, sk: '000000000002', version: 1, data: '{"title":' },
    })
    await expect(index(single.store, [changeOf(1, 1), changeOf(2, 1)])).rejects.toThrow(SyntaxError)
    const { held, wanted } = await compareIndex(single, tenant, requestsTable, new Map([[1, jam]]))
    expect(held).toEqual(wanted)
  })

  it('fails with an older configuration of the table than the index has', async () => {
    await writeRecord(single.store, 1, 1, jam)
    await index(single.store, [changeOf(1, 1)], tableWith([...requestsTable.table_fields], { version: 2 }))
    await writeRecord(single.store, 1, 2, { title: 'Other' })
    await expect(index(single.store, [changeOf(1, 2)])).rejects.toThrow('later configuration')
  })

  it('moves a record into a new generation, out of the old one', async () => {
    await writeRecord(single.store, 1, 1, jam)
    await index(single.store, [changeOf(1, 1)])
    const next = tableWith([...requestsTable.table_fields], {
      search_index: { generation: 3, replaced: [0], counted: [] },
    })
    await index(single.store, [changeOf(1, 1)], next)
    const { held, wanted } = await compareIndex(single, tenant, next, new Map([[1, jam]]))
    expect(held).toEqual(wanted)
  })

  it('writes no attribute that triggers the change feed', async () => {
    await writeRecord(single.store, 1, 1, jam)
    await index(single.store, [changeOf(1, 1)])
    expect((await single.itemsOf('T#7#')).filter((item) => 'feed' in item)).toEqual([])
  })
})
