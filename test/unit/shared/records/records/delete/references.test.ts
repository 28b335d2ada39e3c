import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordKey, sequenceKey, tombstoneKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { readRecordRange } from '../../../../../../shared/platform/store/ranges/record-range.ts'
import { continueRemoval } from '../../../../../../shared/records/records/delete/continue-removal.ts'
import { removeRecord } from '../../../../../../shared/records/records/delete/remove-record.ts'
import type { RecordDependencies, ReferencesTo } from '../../../../../../shared/records/records/dependencies.ts'
import { readLivingRecord, recordItem, type RecordData } from '../../../../../../shared/records/records/record-item.ts'
import { changeRecord } from '../../../../../../shared/records/records/write/change-record.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'
import { administrator as actor, recordDependencies } from '../../../../../make/builders/records/record-dependencies.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const reference = (name: string, on_delete: 'restrict' | 'set_null') =>
  ({ name, type: 'model_list', target_table: 'clients', on_delete }) as const
const clients = tableOf(101, 'clients', [{ name: 'name', type: 'text' }, reference('parent', 'set_null')])
const requests = tableOf(102, 'requests', [{ name: 'title', type: 'text' }, reference('client', 'set_null')])
const bills = tableOf(103, 'bills', [reference('payer', 'restrict')])
const all = [bills, clients, requests]

let single: SingleTable
let records: RecordDependencies
let clock: ReturnType<typeof frozenClock>
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

/** What a column index answers that is never late. */
const inStep: ReferencesTo = async (_tenant, table, field, id, limit) => {
  const items = await readRecordRange(single.store, tenant, { model: table.name, from: 1, to: 500, livingOnly: true })
  const found = items.map((item) => readLivingRecord(item, {})!).filter(({ data }) => data[field] === id)
  return found.map((record) => record.id).slice(0, limit)
}

const depsWith = (referencesTo: ReferencesTo): RecordDependencies =>
  recordDependencies(single.store, clock, all, { referencesTo })

async function put(model: string, id: number, data: RecordData): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z'
  const head = { id, tenant_id: 7, created_by: 1, updated_by: 1, created_at: at, updated_at: at, version: 1 }
  await single.store.write(tenant, { put: recordItem({ name: model }, { ...head, data }, actor, `w${model}${id}`) })
}
const dataOf = async (model: string, id: number): Promise<RecordData | undefined> =>
  readLivingRecord(await single.store.get(tenant, recordKey(tenant, model, id)), {})?.data
const isGone = async (id: number): Promise<boolean> =>
  (await single.store.get(tenant, tombstoneKey(tenant, 'clients', id))) !== undefined

let client = 0
beforeEach(async () => {
  clock = frozenClock()
  records = depsWith(inStep)
  client += 1
  await put('clients', client, { name: 'Ann' })
  await single.store.write(tenant, { put: { ...sequenceKey(tenant, 'clients'), next: 400, live: 400 } })
})

describe('a record that others refer to', () => {
  it('is deleted with its set_null references cleared, those of its own table included', async () => {
    await put('requests', 1, { client })
    await put('requests', 90, { client, title: 'kept' })
    await put('clients', 300, { parent: client })
    await removeRecord(records, actor, clients, client)
    expect(await isGone(client)).toBe(true)
    expect([await dataOf('requests', 1), await dataOf('requests', 90), await dataOf('clients', 300)]).toEqual([
      { client: null },
      { client: null, title: 'kept' },
      { parent: null },
    ])
  })

  it('is kept while a restrict field refers to it', async () => {
    await put('bills', 70, { payer: client })
    await expect(removeRecord(records, actor, clients, client)).rejects.toMatchObject({
      code: 'in_use',
      errors: { 'bills.payer': ['The record is still in use: bills 70 refers to it.'] },
    })
    expect(await dataOf('clients', client)).toEqual({ name: 'Ann' })
  })

  it('is deleted when the index still names records that refer to it no more', async () => {
    for (let id = 100; id < 130; id += 1) await put('bills', id, { payer: 999 })
    const stale = Array.from({ length: 31 }, (_, index) => 100 + index)
    records = depsWith(async (...asked) => (asked[1].name === 'bills' ? stale.slice(0, asked[4]) : inStep(...asked)))
    await removeRecord(records, actor, clients, client)
    expect(await isGone(client)).toBe(true)
  })

  it('is kept when the one record that refers to it comes after many that the index names in error', async () => {
    for (let id = 200; id < 225; id += 1) await put('bills', id, { payer: id === 224 ? client : 999 })
    const named = Array.from({ length: 25 }, (_, index) => 200 + index)
    records = depsWith(async (...asked) => (asked[1].name === 'bills' ? named.slice(0, asked[4]) : inStep(...asked)))
    await expect(removeRecord(records, actor, clients, client)).rejects.toMatchObject({ code: 'in_use' })
    await put('bills', 224, {})
  })

  it('ends its own reference to itself with it', async () => {
    await put('clients', client, { name: 'Ann', parent: client })
    await removeRecord(records, actor, clients, client)
    expect(await isGone(client)).toBe(true)
  })

  it('leaves no reference that was written between the first look and the mark', async () => {
    let looks = 0
    records = depsWith(async (...asked) => {
      const found = await inStep(...asked)
      if (asked[1].name === 'requests' && (looks += 1) === 1) await put('requests', 150, { client })
      return found
    })
    await removeRecord(records, actor, clients, client)
    expect(await dataOf('requests', 150)).toEqual({ client: null })
    expect(looks).toBe(3)
  })

  it('is deleted although the index is late and names cleared references', async () => {
    await put('requests', 160, { client })
    records = depsWith(async (...asked) => (asked[1].name === 'requests' ? [160] : inStep(...asked)))
    await removeRecord(records, actor, clients, client)
    expect(await isGone(client)).toBe(true)
    expect(readLivingRecord(await single.store.get(tenant, recordKey(tenant, 'requests', 160)), {})?.version).toBe(2)
  })

  it('with more references than a request clears is finished in the background, when nothing is left', async () => {
    for (let id = 300; id < 420; id += 1) await put('requests', id, { client })
    await removeRecord(records, actor, clients, client)
    expect(await isGone(client)).toBe(false)
    const startedAt = clock.now()
    expect(await continueRemoval(records, tenant, 'clients', client, () => false)).toBe('finished')
    expect([await isGone(client), clock.now() - startedAt]).toEqual([true, 0])
    expect(await inStep(tenant, requests, 'client', client, 10)).toEqual([])
  })

  it('that is finished in the background waits for an index that is late', async () => {
    for (let id = 300; id < 420; id += 1) await put('requests', id, { client })
    await removeRecord(records, actor, clients, client)
    let late = 2
    records = depsWith(async (...asked) => {
      const found = await inStep(...asked)
      return found.length === 0 && asked[1].name === 'requests' && (late -= 1) >= 0 ? [300] : found
    })
    const startedAt = clock.now()
    expect(await continueRemoval(records, tenant, 'clients', client, () => false)).toBe('finished')
    expect([await isGone(client), clock.now() - startedAt]).toEqual([true, 100])
  })

  it('keeps a change that another request makes at the same time', async () => {
    await put('requests', 170, { client, title: 'old' })
    const asked = records.referencesTo
    records = depsWith(async (...question) => {
      const found = await asked(...question)
      if (question[1].name === 'requests')
        await changeRecord(records, actor, requests, 170, { title: 'new' }, { withoutHooks: true })
      return found
    })
    await removeRecord(records, actor, clients, client)
    expect(await dataOf('requests', 170)).toEqual({ client: null, title: 'new' })
  })
})
