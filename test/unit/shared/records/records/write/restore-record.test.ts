import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  recordKey,
  sequenceKey,
  tombstoneKey,
  uniqueKey,
} from '../../../../../../shared/platform/store/keys/records.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { historyEntry } from '../../../../../../shared/records/history/history-entry.ts'
import { historyRow } from '../../../../../../shared/records/history/history-row.ts'
import type { Actor } from '../../../../../../shared/records/records/actor.ts'
import { removeRecord } from '../../../../../../shared/records/records/delete/remove-record.ts'
import { type RecordData, recordItem } from '../../../../../../shared/records/records/record-item.ts'
import { changeRecord } from '../../../../../../shared/records/records/write/change-record.ts'
import { restoreRecord } from '../../../../../../shared/records/records/write/restore-record.ts'
import { frozenClock, type FrozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'
import { markedLetter, markedLetterItem } from '../../../../../make/builders/records/marked-record.ts'
import { administrator as actor, recordDependencies } from '../../../../../make/builders/records/record-dependencies.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

/** May see the title and the code of letters, and change the title. */
const clerk: Actor = {
  ...actor,
  userId: 5,
  isAdministrator: false,
  grants: [
    {
      permissions: ['letters.*'],
      rules: [],
      fields: { letters: { read: ['title', 'code', 'scans'], write: ['title', 'scans'] } },
    } as unknown as Actor['grants'][number],
  ],
}
const letters = tableOf(101, 'letters', [
  { name: 'title', type: 'text' },
  { name: 'code', type: 'text', unique: true },
  { name: 'secret', type: 'text' },
  { name: 'answers', type: 'model_list', target_table: 'letters' },
  { name: 'scans', type: 'file' },
  { name: 'photo', type: 'image' },
  { name: 'draft', type: 'file' },
])
const madeAt = '2026-11-20T08:00:00.000Z'
let single: SingleTable
let clock: FrozenClock
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

const stored = () => single.store.get(tenant, recordKey(tenant, 'letters', id))
const tombstone = () => single.store.get(tenant, tombstoneKey(tenant, 'letters', id))
const living = async () => (await single.store.get(tenant, sequenceKey(tenant, 'letters')))?.live
/** What the stream writes after each write. */
const writeHistory = async (before: Item | undefined, after: Item | undefined) =>
  single.store.write(tenant, { put: historyRow(historyEntry(before, after!)!).item })

beforeEach(async () => {
  id += 1
  clock = frozenClock(madeAt)
  await single.store.write(tenant, { put: { ...sequenceKey(tenant, 'letters'), next: 100, live: 10 } })
  const data = { title: 'Hello', code: `L-${id}`, secret: 'known to few' }
  const head = { id, tenant_id: 7, created_by: 1, updated_by: 1, created_at: madeAt, updated_at: madeAt, version: 1 }
  const item = recordItem(letters, { ...head, data }, actor, `made ${id}`)
  await single.store.write(tenant, { put: item })
  await writeHistory(undefined, item)
  clock.advance(1000)
})

const records = (store: Store = single.store) => recordDependencies(store, clock, [letters])
async function change(data: RecordData): Promise<void> {
  const before = await stored()
  await changeRecord(records(), actor, letters, id, data)
  await writeHistory(before, await stored())
  clock.advance(1000)
}
async function remove(): Promise<void> {
  const before = await stored()
  await removeRecord(records(), actor, letters, id)
  const left = (await tombstone())!
  const deleted = { version: left.version, deleted_at: left.deleted_at, deleted_by: left.deleted_by }
  await writeHistory(before, { ...before, ...deleted })
  clock.advance(1000)
}
const restore = (by = actor, store: Store = single.store) =>
  restoreRecord(records(store), by, letters, id, madeAt, async () => new Uint8Array())

describe('a deleted record that is restored', () => {
  it('comes back under its id, with its unique values, and counts again', async () => {
    await remove()
    expect([await stored(), await living()]).toEqual([undefined, 9])
    const { record } = await restore()
    expect(record).toMatchObject({
      id,
      version: 3,
      created_by: 1,
      created_at: madeAt,
      updated_by: 3,
      data: { title: 'Hello', code: `L-${id}`, secret: 'known to few' },
    })
    expect(await stored()).toMatchObject({ version: 3, source: 'restore', watched: true })
    expect([await tombstone(), await living()]).toEqual([undefined, 10])
    expect((await single.store.get(tenant, uniqueKey(tenant, 'letters', 'code', `"L-${id}"`)))?.id).toBe(id)
  })

  it('never changed before it was deleted, whatever the clock says', async () => {
    await remove()
    const deletedAt = (await tombstone())?.deleted_at
    clock.advance(-3_600_000)
    expect((await restore()).record.updated_at).toBe(deletedAt)
  })

  const restoreMeanwhile = async () => {
    await restore()
    await writeHistory(undefined, await stored())
  }

  it('comes back once when two restore it at the same time', async () => {
    await remove()
    const { record } = await restore(actor, interruptedStore(single, 'TransactWriteItems', restoreMeanwhile))
    expect([record.version, await living(), await tombstone()]).toEqual([3, 10, undefined])
  })

  it('comes back once when it was restored and deleted again meanwhile', async () => {
    await remove()
    const overtaken = interruptedStore(single, 'TransactWriteItems', async () => {
      await restoreMeanwhile()
      await remove()
    })
    expect((await restore(actor, overtaken)).record.version).toBe(5)
    expect(await living()).toBe(10)
  })

  it('waits for the hooks of its delete', async () => {
    await remove()
    await single.store.write(tenant, { put: { ...(await tombstone())!, after_due: '[]' } as never })
    await expect(restore()).rejects.toMatchObject({ code: 'record_busy' })
    expect(await stored()).toBeUndefined()
  })

  it('is refused when its unique value was given away, and nothing is left of the attempt', async () => {
    await remove()
    const taken = { ...uniqueKey(tenant, 'letters', 'code', `"L-${id}"`), id: 999 }
    await single.store.write(tenant, { put: taken })
    await expect(restore()).rejects.toMatchObject({ errors: { code: ['The code has already been taken.'] } })
    expect([await stored(), await living(), (await tombstone())?.version]).toEqual([undefined, 9, 2])
  })

  it('is refused when what it refers to is gone', async () => {
    const before = await stored()
    await single.store.write(tenant, {
      put: { ...before!, data: JSON.stringify({ title: 'Hello', answers: 998 }), version: 2 } as never,
    })
    await writeHistory(before, await stored())
    await remove()
    await expect(restore()).rejects.toMatchObject({ errors: { answers: ['The selected answers is invalid.'] } })
    expect(await stored()).toBeUndefined()
  })

  it('brings back the last value of what its restorer may not change, and answers what they may see', async () => {
    await change({ title: 'Changed', code: `M-${id}`, secret: 'known to fewer' })
    await remove()
    const { record } = await restore(clerk)
    expect(record.data).toEqual({ title: 'Hello', code: `M-${id}` })
    expect(JSON.parse(String((await stored())?.data))).toEqual({
      title: 'Hello',
      code: `M-${id}`,
      secret: 'known to fewer',
    })
  })
})

describe('a record that is restored to an earlier state', () => {
  it('is updated: what it had then comes back, what it did not have goes', async () => {
    await change({ title: 'Changed', secret: null, answers: id })
    const { record } = await restore()
    expect(record).toMatchObject({ version: 3, updated_by: 3 })
    expect(record.data).toMatchObject({ title: 'Hello', code: `L-${id}`, secret: 'known to few', answers: null })
    expect([await living(), (await stored())?.source]).toEqual([10, 'restore'])
  })

  it('keeps what its restorer may not change', async () => {
    await change({ title: 'Changed', code: `M-${id}`, secret: 'known to fewer' })
    const { record } = await restore(clerk)
    expect(record.data).toEqual({ title: 'Hello', code: `M-${id}` })
    expect(JSON.parse(String((await stored())?.data)).secret).toBe('known to fewer')
  })

  it('is left alone while it is being deleted', async () => {
    await single.store.write(tenant, { put: markedLetterItem(tenant, markedLetter(id, { version: 1 })) })
    await expect(restore()).rejects.toMatchObject({ code: 'record_busy' })
    expect((await stored())?.deleted_at).toBeDefined()
  })

  it('needs the right to change it as it is now', async () => {
    await change({ title: 'Changed' })
    const refusal = new Error('not allowed')
    const access = { isLimited: () => false, require: () => Promise.reject(refusal) } as never
    const limited = recordDependencies(single.store, clock, [letters], { access })
    const attempt = restoreRecord(limited, actor, letters, id, madeAt, async () => new Uint8Array())
    await expect(attempt).rejects.toBe(refusal)
    expect((await stored())?.version).toBe(2)
  })
  it.each([
    ['names those', actor, ['gone a', 'gone photo', 'gone draft']],
    ['names those that its restorer may see', clerk, ['gone a']],
  ])('leaves out files that are gone, and %s', async (_title, by, missing) => {
    const files = {
      check: async (_tenant: object, _table: object, data: RecordData, [name]: readonly string[]) =>
        String(data[name!]).startsWith('gone') ? { [name!]: ['No such file.'] } : {},
      writes: () => ({ writes: [] }),
      cleanUp: async () => {},
    } as never
    const withFiles = recordDependencies(single.store, clock, [letters], { files })
    const before = (await stored())!
    const held = { title: 'Hello', scans: ['gone a', 'kept b'], photo: 'gone photo', draft: 'gone draft' }
    const item = { ...before, data: JSON.stringify(held), version: 2 }
    await single.store.write(tenant, { put: item as never })
    await writeHistory(before, await stored())
    await remove()
    const restored = await restoreRecord(withFiles, by, letters, id, madeAt, async () => new Uint8Array())
    expect(restored.missingFiles).toEqual(missing)
    const data = JSON.parse(String((await stored())?.data))
    expect([data.scans, data.photo ?? null, data.draft ?? null]).toEqual([['kept b'], null, null])
  })
})
