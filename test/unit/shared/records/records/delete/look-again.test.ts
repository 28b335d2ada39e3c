import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { batchEntriesPartition } from '../../../../../../shared/platform/store/keys/batches.ts'
import { recordKey, sequenceKey, tombstoneKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { readAll } from '../../../../../../shared/platform/store/ranges/read-all.ts'
import { readBatchEntry } from '../../../../../../shared/platform/store/rows/batch-entry-row.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import type { Actor } from '../../../../../../shared/records/records/actor.ts'
import { lookAgain } from '../../../../../../shared/records/records/delete/look-again.ts'
import { removeRecord } from '../../../../../../shared/records/records/delete/remove-record.ts'
import type { RecordDependencies, ReferencesTo } from '../../../../../../shared/records/records/dependencies.ts'
import { readLivingRecord, recordItem, type RecordData } from '../../../../../../shared/records/records/record-item.ts'
import { mergeWrites, unmergeWrites } from '../../../../../../shared/records/records/write/merge-writes.ts'
import { returnRecord } from '../../../../../../shared/records/records/write/return-record.ts'
import { frozenClock, type FrozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'
import { administrator, recordDependencies } from '../../../../../make/builders/records/record-dependencies.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const reference = (name: string, on_delete: 'keep' | 'set_null') =>
  ({ name, type: 'model_list', target_table: 'clients', on_delete }) as const
const clients = tableOf(101, 'clients', [{ name: 'name', type: 'text' }, reference('parent', 'set_null')])
const requests = tableOf(102, 'requests', [reference('client', 'set_null'), reference('origin', 'keep')])
const notes = tableOf(103, 'notes', [{ name: 'text', type: 'text' }])
const actor: Actor = { ...administrator, batchId: 9 }

let single: SingleTable
let clock: FrozenClock
let records: RecordDependencies
/** What the index tells by now, by table and field; nothing when the delete looks. */
let told: Readonly<Record<string, readonly number[]>>
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

const put = async (model: string, one: number, data: RecordData): Promise<void> => {
  const at = '2026-01-01T00:00:00.000Z'
  const head = { id: one, tenant_id: 7, created_by: 1, updated_by: 1, created_at: at, updated_at: at, version: 1 }
  await single.store.write(tenant, {
    put: recordItem({ name: model }, { ...head, data }, administrator, `${model}${one}`),
  })
}
const rowOf = (model: string, one: number) => single.store.get(tenant, recordKey(tenant, model, one))
const dataOf = async (model: string, one: number) => readLivingRecord(await rowOf(model, one), {})?.data
const versionOf = async (model: string, one: number) => (await rowOf(model, one))?.version
const unmerge = async (): Promise<void> => {
  const item = (await rowOf('clients', id)) as Item
  await single.store.transact(tenant, unmergeWrites(records, actor, clients, item, {}), `unmerge ${id}`)
}
const look = () => lookAgain(records, tenant, 'clients', id, () => false)
const merge = async (from: number, into: number): Promise<void> => {
  const item = (await rowOf('clients', from)) as Item
  const writes = mergeWrites(records, actor, clients, item, { into, survivorVersion: 2 })
  await single.store.transact(tenant, writes, `merge ${from}`)
}

beforeEach(async () => {
  clock = frozenClock()
  told = {}
  const referencesTo: ReferencesTo = async (_tenant, { name }, field) => told[`${name}.${field}`] ?? []
  records = recordDependencies(single.store, clock, [clients, notes, requests], { referencesTo })
  id += 10
  await put('clients', id, { name: 'Ann' })
  await put('clients', id + 1, { name: 'Anna' })
  await put('requests', id, { client: id, origin: id })
  await single.store.write(tenant, { put: { ...sequenceKey(tenant, 'clients'), next: 1000, live: 500 } })
})

describe('a reference of which the index told after the delete', () => {
  it('is cleared in the name of who deleted, once, and an undo of their batch finds it', async () => {
    await removeRecord(records, actor, clients, id)
    expect(await dataOf('requests', id)).toEqual({ client: id, origin: id })
    told = { 'requests.client': [id], 'requests.origin': [id] }
    await look()
    await look()
    expect(await dataOf('requests', id)).toEqual({ client: null, origin: id })
    expect(await rowOf('requests', id)).toMatchObject({ version: 2, updated_by: 3, source: 'delete', batch_id: 9 })
    const entries = (await readAll(single.store, tenant, { pk: batchEntriesPartition(tenant, 9) })).map(readBatchEntry)
    expect(entries.filter((one) => one.model === 'requests' && one.id === id)).toMatchObject([{ version: 2 }])
  })

  it('is left alone when it points elsewhere by now', async () => {
    await removeRecord(records, actor, clients, id)
    await put('requests', id + 1, { client: id + 1 })
    told = { 'requests.client': [id + 1, id + 2] }
    await look()
    expect([await dataOf('requests', id + 1), await versionOf('requests', id + 1)]).toEqual([{ client: id + 1 }, 1])
  })

  it('stays when the record is restored in the middle of the look', async () => {
    await removeRecord(records, actor, clients, id)
    told = { 'requests.client': [id] }
    const store = interruptedStore(single, 'TransactWriteItems', async () => {
      const tombstone = (await single.store.get(tenant, tombstoneKey(tenant, 'clients', id))) as Item
      const state = { version: 1, created_by: 1, updated_by: 1, created_at: '', updated_at: '', data: { name: 'Ann' } }
      await returnRecord(records, administrator, clients, { id, state, tombstone }, () => [])
    })
    await lookAgain({ ...records, store }, tenant, 'clients', id, () => false)
    expect([await dataOf('clients', id), await dataOf('requests', id)]).toEqual([
      { name: 'Ann' },
      { client: id, origin: id },
    ])
  })

  it('is not looked for while the record lives', async () => {
    told = { 'requests.client': [id] }
    await look()
    expect(await versionOf('requests', id)).toBe(1)
  })
})

describe('a reference of which the index told after the merge', () => {
  const all = () => ({ 'requests.client': [id], 'requests.origin': [id], 'clients.parent': [id + 1] })

  it('follows to the record that survives, whatever its on_delete, once', async () => {
    await merge(id, id + 1)
    told = all()
    await look()
    await look()
    expect(await dataOf('requests', id)).toEqual({ client: id + 1, origin: id + 1 })
    expect(await rowOf('requests', id)).toMatchObject({ version: 3, source: 'merge', batch_id: 9 })
  })

  it('follows further when that was merged, too', async () => {
    await put('clients', id + 2, { name: 'Anne' })
    await merge(id, id + 1)
    await merge(id + 1, id + 2)
    told = all()
    await look()
    expect(await dataOf('requests', id)).toEqual({ client: id + 2, origin: id + 2 })
  })

  it('does not make a record refer to itself', async () => {
    await put('clients', id + 1, { name: 'Anna', parent: id })
    await merge(id, id + 1)
    told = all()
    await look()
    expect(await dataOf('clients', id + 1)).toEqual({ name: 'Anna', parent: null })
  })

  it('stays when the record is one of its own again', async () => {
    await merge(id, id + 1)
    await unmerge()
    told = all()
    await look()
    expect(await versionOf('requests', id)).toBe(1)
  })

  it('stays when the record becomes that in the middle of the look', async () => {
    await merge(id, id + 1)
    told = all()
    const store = interruptedStore(single, 'TransactWriteItems', unmerge)
    await lookAgain({ ...records, store }, tenant, 'clients', id, () => false)
    expect(await dataOf('requests', id)).toEqual({ client: id, origin: id })
  })
})

describe('the change feed looks again', () => {
  it('after a delete that fields with set_null could refer to, and no other', async () => {
    const marks: unknown[] = []
    const store = single.storeThrough((operation, call, input) => {
      if (operation === 'TransactWriteItems')
        for (const { Put } of (input as { TransactItems: { Put?: { Item: Item } }[] }).TransactItems)
          if (Put?.Item.deleted_at && Put.Item.feed) marks.push(Put.Item.look_again)
      return call()
    })
    await removeRecord({ ...records, store }, administrator, clients, id)
    await put('notes', id, { text: 'x' })
    await removeRecord({ ...records, store }, administrator, notes, id)
    expect(marks).toEqual([{ BOOL: true }, undefined])
  })

  it('after a merge', async () => {
    await merge(id, id + 1)
    expect((await rowOf('clients', id))?.look_again).toBe(true)
  })
})
