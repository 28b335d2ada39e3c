import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { discussionKey } from '../../../../../../shared/platform/store/keys/comments.ts'
import { recordKey, retentionKey, tombstoneKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { readTombstone } from '../../../../../../shared/platform/store/rows/tombstone-row.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { finishRemoval } from '../../../../../../shared/records/records/delete/finish-removal.ts'
import { recordItem } from '../../../../../../shared/records/records/record-item.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { letters, markedLetter, markedLetterItem } from '../../../../../make/builders/records/marked-record.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 7, slug: 'acme', name: 'Acme', configVersion: 1 }
let single: SingleTable
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  id += 1
  await put(markedLetterItem(tenant, markedLetter(id)))
})

const put = (item: Parameters<Store['putMany']>[1][0]) => single.store.write(tenant, { put: item })
const record = () => single.store.get(tenant, recordKey(tenant, 'letters', id))
const tombstone = () => single.store.get(tenant, tombstoneKey(tenant, 'letters', id))
const discussion = () => single.store.get(tenant, discussionKey(tenant, 'letters', id))
const retention = () => single.store.get(tenant, retentionKey(tenant, 'letters', id))
const finish = (marked = markedLetter(id), store: Store = single.store) =>
  finishRemoval({ store, clock: frozenClock() }, { tenant }, letters, marked)

describe('the last step of a delete', () => {
  it('replaces the record by a tombstone without its fields', async () => {
    const written = await finish()
    expect(written).toMatchObject({ version: 4, deleted_by: 3 })
    expect([await record(), await tombstone(), await retention()]).toEqual([undefined, written, undefined])
    expect(written).not.toHaveProperty('data')
  })

  it('keeps the fields and the hooks that have not run', async () => {
    await put(markedLetterItem(tenant, markedLetter(id, { afterDue: '["hook"]' })))
    await finish(markedLetter(id, { afterDue: '["hook"]' }))
    expect(await tombstone()).toMatchObject({ after_due: '["hook"]', data: '{"title":"Hello"}' })
  })

  it('does not bring back hooks that have run meanwhile', async () => {
    const written = await finish(markedLetter(id, { afterDue: '["hook"]' }))
    expect([written, await record()]).toEqual([await tombstone(), undefined])
    expect(written).not.toHaveProperty('after_due')
  })

  it('keeps hooks that another call left of those it saw', async () => {
    await put(markedLetterItem(tenant, markedLetter(id, { afterDue: '["second"]' })))
    await finish(markedLetter(id, { afterDue: '["first","second"]' }))
    expect(await tombstone()).toMatchObject({ after_due: '["second"]' })
  })

  it('is made by one of two calls', async () => {
    const [first, second] = [await finish(), await finish()]
    expect([first, second]).toEqual([await tombstone(), undefined])
  })

  it.each([
    ['was restored', () => recordItem(letters, { ...markedLetter(id), version: 5 }, { tenant, userId: 3 }, 'restored')],
    ['was restored and is being deleted again', () => markedLetterItem(tenant, markedLetter(id, { version: 6 }))],
  ])('is refused when the record %s', async (_title, now) => {
    await put(now())
    await put({ ...discussionKey(tenant, 'letters', id), comments: 1 })
    await expect(finish()).rejects.toThrow(TransactionRefused)
    expect(await record()).toMatchObject({ version: now().version })
    expect([await tombstone(), (await discussion())?.comments, await retention()]).toEqual([undefined, 1, undefined])
  })

  it('is refused when nothing is left of the record', async () => {
    await single.store.write(tenant, { remove: recordKey(tenant, 'letters', id) })
    await expect(finish()).rejects.toThrow(TransactionRefused)
    expect(await tombstone()).toBeUndefined()
  })

  it('leaves comments where they are, and says that they go after thirty days', async () => {
    await put({ ...discussionKey(tenant, 'letters', id), comments: 1 })
    expect(await finish()).toEqual(await tombstone())
    expect([await record(), (await discussion())?.comments]).toEqual([undefined, 1])
    expect(await retention()).toMatchObject({ kind: 'retention', p20: expect.stringContaining('DUE#removal#') })
    expect(String((await retention())?.s20)).toBe(`2026-12-20T08:00:00.000Z#7#letters#${id}`)
  })

  it('keeps the note that links are retained', async () => {
    await put({ ...discussionKey(tenant, 'letters', id), comments: 1 })
    await put({ ...retentionKey(tenant, 'letters', id), has_links: true })
    await finish()
    expect(await retention()).toMatchObject({ kind: 'retention', has_links: true })
  })

  it('names the processes that end, and since when the record is the same', async () => {
    await finish(markedLetter(id, { cancels: [3, 4], sameSince: 2 }))
    expect(readTombstone((await tombstone())!)).toMatchObject({ cancels: [3, 4], sameSince: 2 })
  })

  it('fails when the database cannot be reached', async () => {
    const away = new Error('the database cannot be reached')
    const failing = single.storeThrough(async (operation, call) => {
      if (operation === 'TransactWriteItems') throw away
      return call()
    })
    await expect(finish(markedLetter(id), failing)).rejects.toBe(away)
  })
})
