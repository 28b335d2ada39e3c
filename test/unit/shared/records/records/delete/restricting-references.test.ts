import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  recordKey,
  referenceGuardKey,
  sequenceKey,
  tombstoneKey,
} from '../../../../../../shared/platform/store/keys/records.ts'
import { readRecordRange } from '../../../../../../shared/platform/store/ranges/record-range.ts'
import { removeRecord } from '../../../../../../shared/records/records/delete/remove-record.ts'
import type { RecordDependencies, ReferencesTo } from '../../../../../../shared/records/records/dependencies.ts'
import { readLivingRecord, type RecordData } from '../../../../../../shared/records/records/record-item.ts'
import { changeRecord } from '../../../../../../shared/records/records/write/change-record.ts'
import { createRecord } from '../../../../../../shared/records/records/write/create-record.ts'
import { noteRestricting } from '../../../../../../shared/records/records/write/note-restricting.ts'
import { returnRecord } from '../../../../../../shared/records/records/write/return-record.ts'
import { frozenClock, type FrozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'
import { administrator as actor, recordDependencies } from '../../../../../make/builders/records/record-dependencies.ts'
import { inEnglish } from '../../../../../make/oracles/in-english.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const clients = tableOf(101, 'clients', [{ name: 'name', type: 'text' }])
const bills = tableOf(102, 'bills', [
  { name: 'title', type: 'text' },
  { name: 'payer', type: 'model_list', target_table: 'clients', on_delete: 'restrict' },
])
let single: SingleTable
let clock: FrozenClock
let client: number
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

const records = (more: Partial<RecordDependencies> = {}): RecordDependencies =>
  recordDependencies(single.store, clock, [bills, clients], more)
const make = async (table: typeof bills, data: RecordData): Promise<number> =>
  (await createRecord(records(), actor, table, data)).id
const remove = (more: Partial<RecordDependencies> = {}) => removeRecord(records(more), actor, clients, client)
const guard = () => single.store.get(tenant, referenceGuardKey(tenant, 'clients', client))
const isGone = async (): Promise<boolean> =>
  (await single.store.get(tenant, tombstoneKey(tenant, 'clients', client))) !== undefined

/** What an index answers that is never late. */
const inStep: ReferencesTo = async (_tenant, table, field, id, limit) => {
  const items = await readRecordRange(single.store, tenant, { model: table.name, from: 1, to: 500, livingOnly: true })
  const found = items.map((item) => readLivingRecord(item, {})!).filter(({ data }) => data[field] === id)
  return found.map((record) => record.id).slice(0, limit)
}
/** An index that tells of a write after so many milliseconds. */
const lateBy = (lagMs: number): Partial<RecordDependencies> => {
  const from = clock.now() + lagMs
  return { referencesTo: async (...asked) => (clock.now() < from ? [] : inStep(...asked)) }
}
const inUse = (id: number) => ({
  code: 'in_use',
  errors: { 'bills.payer': [`The record is still in use: bills ${id} refers to it.`] },
})

beforeEach(async () => {
  clock = frozenClock()
  client = await make(clients, { name: 'Ann' })
})

describe('a record is kept while a field with restrict refers to it, although the index does not tell yet of', () => {
  it('a record that was just created', async () => {
    const bill = await make(bills, { payer: client })
    await expect(remove()).rejects.toMatchObject(inUse(bill))
    expect(await isGone()).toBe(false)
  })

  it('a record that was just changed', async () => {
    const bill = await make(bills, { title: 'first' })
    await changeRecord(records(), actor, bills, bill, { payer: client })
    await expect(remove()).rejects.toMatchObject(inUse(bill))
  })

  it('the first of several: the delete waits for it', async () => {
    const [first, second] = [await make(bills, { payer: client }), await make(bills, { payer: client })]
    await changeRecord(records(), actor, bills, second, { payer: null })
    await expect(remove(lateBy(2000))).rejects.toMatchObject(inUse(first))
  })

  it('a record that is written between the look and the delete', async () => {
    let bill = 0
    const store = interruptedStore(single, 'TransactWriteItems', async () => {
      bill = await make(bills, { payer: client })
    })
    const refused: unknown = await remove({ store }).catch((error: unknown) => error)
    expect(refused).toMatchObject(inUse(bill))
    expect(await isGone()).toBe(false)
  })
})

describe('a record is deleted', () => {
  it('at once when what just referred to it does so no longer', async () => {
    const bill = await make(bills, { payer: client })
    await changeRecord(records(), actor, bills, bill, { payer: null })
    const startedAt = clock.now()
    await remove()
    expect([await isGone(), clock.now() - startedAt]).toEqual([true, 0])
  })

  it('when the write of a noted reference never came, after a wait', async () => {
    const store = interruptedStore(single, 'PutItem', () => Promise.reject(new Error('cut off')))
    await expect(createRecord(records({ store }), actor, bills, { payer: client })).rejects.toThrow('cut off')
    const startedAt = clock.now()
    await remove()
    expect([await isGone(), clock.now() - startedAt]).toEqual([true, 3000])
  })

  it('and refuses a reference of somebody who saw it just before', async () => {
    const [bill] = [await make(bills, { title: 'first' })]
    const refused = { errors: { payer: ['The selected payer is invalid.'] } }
    const meanwhile = () => interruptedStore(single, 'UpdateItem', () => remove())
    await expect(
      changeRecord(records({ store: meanwhile() }), actor, bills, bill, { payer: client }),
    ).rejects.toMatchObject(refused)
    expect(await isGone()).toBe(true)
    expect(await inStep(tenant, bills, 'payer', client, 10)).toEqual([])
  })

  it('with one row more, and none for a table without such fields', async () => {
    await remove()
    expect(await guard()).toMatchObject({ deleted: true })
    const bill = await make(bills, { title: 'nobody refers to a bill' })
    await removeRecord(records(), actor, bills, bill)
    expect(await single.store.get(tenant, referenceGuardKey(tenant, 'bills', bill))).toBeUndefined()
  })

  it('not while references are noted again and again', async () => {
    const asked: ReferencesTo = async () => {
      const store = interruptedStore(single, 'PutItem', () => Promise.reject(new Error('cut off')))
      await createRecord(records({ store }), actor, bills, { payer: client }).catch(() => undefined)
      return []
    }
    await expect(remove({ referencesTo: asked })).rejects.toMatchObject({ code: 'record_busy' })
    expect(await isGone()).toBe(false)
  })
})

it('of rows that are stored together, those that refer to a record that was deleted meanwhile are refused, once a field', async () => {
  const other = await make(clients, { name: 'Bob' })
  await remove()
  const row = (id: number, data: RecordData) => ({ id, version: 1, data })
  const rows = [row(901, { payer: client }), row(902, { payer: other }), row(903, { payer: other }), row(904, {})]
  expect(inEnglish(await noteRestricting(records(), tenant, bills, rows))).toEqual([
    { payer: ['The selected payer is invalid.'] },
    {},
    {},
    {},
  ])
})

it('a record that returns may be referred to again', async () => {
  await remove()
  const tombstone = (await single.store.get(tenant, tombstoneKey(tenant, 'clients', client)))!
  const state = { version: 1, created_by: 3, updated_by: 3, created_at: '', updated_at: '', data: { name: 'Ann' } }
  await returnRecord(records(), actor, clients, { id: client, state, tombstone }, () => [])
  expect(await guard()).toBeUndefined()
  const bill = await make(bills, { payer: client })
  expect(readLivingRecord(await single.store.get(tenant, recordKey(tenant, 'bills', bill)), {})?.data).toEqual({
    payer: client,
  })
  expect(Number((await single.store.get(tenant, sequenceKey(tenant, 'bills')))?.live)).toBeGreaterThan(0)
})
