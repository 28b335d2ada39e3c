import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordKey, tombstoneKey } from '../../../../../../shared/platform/store/keys/records.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { ConditionFailed } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { continueRemoval } from '../../../../../../shared/records/records/delete/continue-removal.ts'
import { type MarkedRecord } from '../../../../../../shared/records/records/delete/finish-removal.ts'
import type { RecordDependencies } from '../../../../../../shared/records/records/dependencies.ts'
import { recordItem } from '../../../../../../shared/records/records/record-item.ts'
import { frozenClock, type FrozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { letters, markedLetter, markedLetterItem } from '../../../../../make/builders/records/marked-record.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 7, slug: 'acme', name: 'Acme', configVersion: 1 }
let single: SingleTable
let clock: FrozenClock
let id = 0
let done: string[] = []
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  id += 1
  clock = frozenClock()
  done = []
  await mark()
})

const mark = (changes: Partial<MarkedRecord> = {}, round = 1) =>
  single.store.write(tenant, { put: markedLetterItem(tenant, markedLetter(id, changes), round) })
const record = () => single.store.get(tenant, recordKey(tenant, 'letters', id))
const tombstone = () => single.store.get(tenant, tombstoneKey(tenant, 'letters', id))
/** `calls` that leave some of the links. */
const proceed = ({ store = single.store as Store, isTimeUp = false, calls = { links: 0 } } = {}) =>
  continueRemoval(
    {
      store,
      clock,
      tables: { require: async () => letters, referrers: async () => [] },
      links: {
        async retainLinks() {
          if (done.push('links') > 20) throw new Error('it does not end')
          return (calls.links -= 1) < 0
        },
      },
      hooks: {
        runPending: async (...[, model, one]: unknown[]) => done.push(`hooks of ${String(model)} ${String(one)}`),
      },
    } as unknown as RecordDependencies,
    tenant,
    'letters',
    id,
    () => isTimeUp,
  )

describe('a delete that continues in the background', () => {
  it('puts links away, then removes the record, and runs no hooks where there are none', async () => {
    expect(await proceed()).toBe('finished')
    expect([await record(), (await tombstone())?.version, done]).toEqual([undefined, 4, ['links']])
  })

  it('runs the hooks that are pending, after the record is gone, and once', async () => {
    await mark({ afterDue: '["hook"]' })
    expect(await proceed()).toBe('finished')
    expect(done).toEqual(['links', `hooks of letters ${id}`])
    expect([await tombstone(), await proceed()]).toMatchObject([{ after_due: '["hook"]' }, 'nothing to do'])
    expect(done).toHaveLength(2)
  })

  it('leaves its hooks to the call that finished it first', async () => {
    await mark({ afterDue: '["hook"]' })
    const overtaken = interruptedStore(single, 'TransactWriteItems', () => proceed())
    expect(await proceed({ store: overtaken })).toBe('finished')
    expect(done.filter((one) => one.startsWith('hooks'))).toHaveLength(1)
  })

  it('touches no record that was restored, nor one that is gone', async () => {
    const living = recordItem(letters, { ...markedLetter(id), version: 5 }, { tenant, userId: 3 }, 'restored')
    await single.store.write(tenant, { put: living })
    expect(await proceed()).toBe('nothing to do')
    expect(await record()).toEqual(living)
    await single.store.write(tenant, { remove: recordKey(tenant, 'letters', id) })
    expect([await proceed(), done]).toEqual(['nothing to do', []])
  })

  it('is queued again when its links take too long, and once more each time', async () => {
    await mark({ afterDue: '["hook"]', cancels: [8], sameSince: 2 }, 2)
    clock.advance(5000)
    expect(await proceed({ isTimeUp: true, calls: { links: 1 } })).toBe('unfinished')
    expect(done).toEqual(['links'])
    expect(await record()).toMatchObject({
      version: 4,
      removal: 'queued',
      removal_round: 3,
      deleted_at: markedLetter(id).deletedAt,
      after_due: '["hook"]',
    })
    expect(await tombstone()).toBeUndefined()
    expect(await proceed()).toBe('finished')
    expect(await tombstone()).toMatchObject({ cancels: '8', same_since: 2 })
  })

  it('goes on with what is left while it has time', async () => {
    expect(await proceed({ calls: { links: 2 } })).toBe('finished')
    expect(done).toEqual(['links', 'links', 'links'])
  })

  it.each([
    ['finished it', () => proceed()],
    ['ran its hooks', () => mark()],
    ['finished it, and the record was restored and deleted again', () => mark({ version: 6, afterDue: '["hook"]' })],
  ])('is not queued again when another call %s meanwhile', async (_title, meanwhile) => {
    await mark({ afterDue: '["hook"]' })
    let left: unknown
    const overtaken = interruptedStore(single, 'PutItem', async () => {
      await meanwhile()
      left = await record()
    })
    await expect(proceed({ store: overtaken, isTimeUp: true, calls: { links: 1 } })).rejects.toThrow(ConditionFailed)
    expect(await record()).toEqual(left)
  })
})
