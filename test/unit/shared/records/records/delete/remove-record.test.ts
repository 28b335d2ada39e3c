import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  recordKey,
  sequenceKey,
  tombstoneKey,
  uniqueKey,
} from '../../../../../../shared/platform/store/keys/records.ts'
import { removeRecord, type RemoveOptions } from '../../../../../../shared/records/records/delete/remove-record.ts'
import type { RecordDependencies } from '../../../../../../shared/records/records/dependencies.ts'
import { noHooks } from '../../../../../../shared/records/records/hooks/hooked-operation.ts'
import { recordItem } from '../../../../../../shared/records/records/record-item.ts'
import { changeRecord } from '../../../../../../shared/records/records/write/change-record.ts'
import { frozenClock, type FrozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'
import { administrator as actor, recordDependencies } from '../../../../../make/builders/records/record-dependencies.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const letters = tableOf(101, 'letters', [
  { name: 'title', type: 'text' },
  { name: 'code', type: 'text', unique: true },
])
const bills = tableOf(102, 'bills', [
  { name: 'letter', type: 'model_list', target_table: 'letters', on_delete: 'restrict' },
])
const at = '2026-11-20T08:00:00.000Z'
let single: SingleTable
let clock: FrozenClock
let id = 0
let asked: string[] = []
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  id += 1
  clock = frozenClock(at)
  asked = []
  const head = { id, tenant_id: 7, created_by: 1, updated_by: 1, created_at: at, updated_at: at, version: 1 }
  await single.store.putMany(tenant, [
    recordItem(letters, { ...head, data: { title: 'Hello', code: `L-${id}` } }, actor, `made ${id}`),
    { ...uniqueKey(tenant, 'letters', 'code', `"L-${id}"`), id },
    { ...sequenceKey(tenant, 'letters'), next: 1000, live: 10 },
  ])
})

/** Hooks that tell what they were asked, and with which version of the record. */
const hooks = {
  begin: async () => ({
    ...noHooks,
    hasBefore: true,
    before: async ({ record }: { record?: { version: number } }) => {
      asked.push(`before ${record?.version}`)
      return {}
    },
    after: async (record: { version: number }, before: { version: number }) => {
      asked.push(`after ${record.version} of ${before.version}`)
    },
  }),
  runPending: async () => false,
} as unknown as RecordDependencies['hooks']
const remove = (options: RemoveOptions = {}, more: Partial<RecordDependencies> = {}) =>
  removeRecord(
    recordDependencies(single.store, clock, [letters, bills], { hooks, ...more }),
    actor,
    letters,
    id,
    options,
  )
const change = () =>
  changeRecord(recordDependencies(single.store, clock, [letters]), actor, letters, id, { title: `Changed ${id}` })
/** Somebody changes the record just before the delete is written. */
const meanwhile = (happens: () => Promise<unknown> = change) => ({
  store: interruptedStore(single, 'TransactWriteItems', happens),
})
const record = () => single.store.get(tenant, recordKey(tenant, 'letters', id))
const tombstone = () => single.store.get(tenant, tombstoneKey(tenant, 'letters', id))
const living = async () => (await single.store.get(tenant, sequenceKey(tenant, 'letters')))?.live
const refusal = new Error('not allowed')

describe('a delete', () => {
  it('leaves a tombstone, frees the unique values, lowers the count, and runs the hooks around it', async () => {
    await remove()
    expect(await tombstone()).toMatchObject({ version: 2, deleted_by: 3, deleted_at: at })
    expect([await record(), await living(), asked]).toEqual([undefined, 9, ['before 1', 'after 2 of 1']])
    expect(await single.store.get(tenant, uniqueKey(tenant, 'letters', 'code', `"L-${id}"`))).toBeUndefined()
  })

  it('is never before the last change, whatever the clock says', async () => {
    clock.advance(-60_000)
    await remove()
    expect((await tombstone())?.deleted_at).toBe(at)
  })

  it('of a record that is not there, or going already, is refused', async () => {
    await remove()
    await expect(remove()).rejects.toMatchObject({ kind: 'not_found' })
    await expect(remove({ preloaded: null })).rejects.toMatchObject({ kind: 'not_found' })
    expect(await living()).toBe(9)
  })

  it('tells nothing of what refers to a record that the actor may not delete', async () => {
    const referencesTo = () => Promise.reject(new Error('somebody looked'))
    const permit = () => Promise.reject(refusal)
    await expect(remove({ permit }, { referencesTo })).rejects.toBe(refusal)
    await expect(remove({ permit, preloaded: (await record())! }, { referencesTo })).rejects.toBe(refusal)
    expect([await living(), asked]).toEqual([10, []])
  })

  it.each([
    ['names the record that refers to it', undefined, 'The record is still in use: bills 5 refers to it.'],
    ['does not name it to who may not see it', () => false, 'The record is still in use in bills.'],
  ])('that is refused because of a reference %s', async (_title, mayName, message) => {
    const bill = { id: 5, tenant_id: 7, created_by: 1, updated_by: 1, created_at: at, updated_at: at, version: 1 }
    await single.store.write(tenant, {
      put: recordItem(bills, { ...bill, data: { letter: id } }, actor, `bill ${id}`),
    })
    await expect(remove(mayName ? { mayName } : {}, { referencesTo: async () => [5] })).rejects.toMatchObject({
      code: 'in_use',
      errors: { 'bills.letter': [message] },
    })
    expect([(await record())?.version, asked]).toEqual([1, []])
  })

  it.each([
    ['500 links at once', 500, true],
    ['more in the background', 501, false],
  ])('removes %s', async (_title, count, isGone) => {
    const links = {
      linksOfRecord: async () => Array.from({ length: count }, () => ({})),
      retainLinks: async () => asked.push('links'),
    } as never
    await remove({}, { links })
    expect(asked).toEqual(isGone ? ['before 1', 'links', 'after 2 of 1'] : ['before 1'])
    const left = await record()
    expect([left?.removal, await living()]).toEqual([isGone ? undefined : 'queued', 9])
  })

  it('fails when the database cannot be reached, and leaves the record', async () => {
    const away = new Error('the database cannot be reached')
    const failing = single.storeThrough(async (operation, call) => {
      if (operation === 'TransactWriteItems') throw away
      return call()
    })
    await expect(remove({}, { store: failing })).rejects.toBe(away)
    expect([(await record())?.version, await living()]).toEqual([1, 10])
  })

  it('names the processes that it cancels, the first hundred, and asks for none where a table has none', async () => {
    const processesOf = async () => Array.from({ length: 101 }, (_, index) => index + 1)
    const withProcesses = { ...letters, has_processes: true } as const
    const records = recordDependencies(single.store, clock, [withProcesses, bills], { hooks, processesOf })
    const named = await removeRecord(records, actor, withProcesses, id)
    expect([named.length, String((await tombstone())?.cancels).split(' ').length]).toEqual([100, 100])
    expect(
      await remove({}, { processesOf: () => Promise.reject(new Error('somebody looked')) }).catch(String),
    ).not.toMatch('somebody')
  })
})

describe('a delete of a record that somebody changes at the same time', () => {
  it('deletes what it has become, after asking the hook again', async () => {
    await remove({}, meanwhile())
    expect([(await tombstone())?.version, await living()]).toEqual([3, 9])
    expect(asked).toEqual(['before 1', 'before 2', 'after 3 of 2'])
  })

  it('does not ask the hook again when only earlier hooks have ended', async () => {
    const item = (await record())!
    await single.store.write(tenant, { put: { ...item, after_due: '[]' } as never })
    await remove(
      {},
      meanwhile(() => single.store.write(tenant, { put: item as never })),
    )
    expect(asked).toEqual(['before 1', 'after 2 of 1'])
  })

  const permitFirst = async (item: unknown) => {
    if ((item as { version: number }).version !== 1) throw refusal
  }
  it.each<[string, RemoveOptions, object]>([
    ['it is not the version that was to be deleted', { ifMatch: (version) => version === 1 }, { currentVersion: 2 }],
    ['its sender may not delete what it has become', { permit: permitFirst }, refusal],
  ])('is refused when %s', async (_title, options, expected) => {
    await expect(remove(options, meanwhile())).rejects.toMatchObject(expected)
    expect(await record()).toMatchObject({ version: 2 })
    expect([(await record())?.deleted_at, await living(), await tombstone()]).toEqual([undefined, 10, undefined])
  })

  it('is refused when that was a delete, and counts once', async () => {
    await expect(
      remove(
        {},
        meanwhile(() => remove()),
      ),
    ).rejects.toMatchObject({ kind: 'not_found' })
    expect([(await tombstone())?.version, await living()]).toEqual([2, 9])
  })
})
