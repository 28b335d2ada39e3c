import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { discussionKey } from '../../../../../../shared/platform/store/keys/comments.ts'
import { recordKey, tombstoneKey } from '../../../../../../shared/platform/store/keys/records.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { finishRemoval } from '../../../../../../shared/records/records/delete/finish-removal.ts'
import { recordItem } from '../../../../../../shared/records/records/record-item.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { letters, markedLetter, markedLetterItem } from '../../../../../make/builders/records/marked-record.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 7, slug: 'acme', name: 'Acme', configVersion: 1 }
let single: SingleTable
let id = 0
/** How often the comments were asked to go. */
let removals = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  id += 1
  removals = 0
  await put(markedLetterItem(tenant, markedLetter(id)))
})

const put = (item: Parameters<Store['putMany']>[1][0]) => single.store.write(tenant, { put: item })
const record = () => single.store.get(tenant, recordKey(tenant, 'letters', id))
const tombstone = () => single.store.get(tenant, tombstoneKey(tenant, 'letters', id))
const discussion = () => single.store.get(tenant, discussionKey(tenant, 'letters', id))
const finish = (marked = markedLetter(id), store: Store = single.store, isTimeUp = false) =>
  finishRemoval(
    {
      store,
      clock: frozenClock(),
      discussions: {
        async remove(_tenant, model, one, timeIsUp) {
          if ((removals += 1) > 9) throw new Error('it does not end')
          if (timeIsUp()) return false
          await single.store.write(tenant, { remove: discussionKey(tenant, model, one) })
          return true
        },
      },
    },
    { tenant },
    letters,
    marked,
    () => isTimeUp,
  )

describe('the last step of a delete', () => {
  it('replaces the record by a tombstone without its fields', async () => {
    const written = await finish()
    expect(written).toMatchObject({ version: 4, deleted_by: 3 })
    expect([await record(), await tombstone(), removals]).toEqual([undefined, written, 0])
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
    expect([await tombstone(), (await discussion())?.comments, removals]).toEqual([undefined, 1, 0])
  })

  it('is refused when nothing is left of the record', async () => {
    await single.store.write(tenant, { remove: recordKey(tenant, 'letters', id) })
    await expect(finish()).rejects.toThrow(TransactionRefused)
    expect(await tombstone()).toBeUndefined()
  })

  it('comes after its comments, those written meanwhile included', async () => {
    await put({ ...discussionKey(tenant, 'letters', id), comments: 1 })
    const commented = interruptedStore(single, 'TransactWriteItems', () =>
      put({ ...discussionKey(tenant, 'letters', id), comments: 2 }),
    )
    expect(await finish(markedLetter(id), commented)).toEqual(await tombstone())
    expect([await record(), await discussion(), removals]).toEqual([undefined, undefined, 1])
  })

  it('waits for the cleanup when its comments take too long', async () => {
    await put({ ...discussionKey(tenant, 'letters', id), comments: 1 })
    expect(await finish(markedLetter(id), single.store, true)).toBeUndefined()
    expect([await tombstone(), (await record())?.deleted_at]).toEqual([undefined, markedLetter(id).deletedAt])
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
