import { afterAll, beforeAll, expect, it } from 'vitest'
import { isoTime } from '../../../../../../shared/kernel/time/clock.ts'
import { takeDueWork } from '../../../../../../shared/platform/store/due/due-work.ts'
import { hooksDueKey, recordKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { dueEntry } from '../../../../../../shared/platform/store/slots.ts'
import { dueHooks } from '../../../../../../shared/records/records/due-work.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

it('finds hooks that never begin again after minutes, so that they hide no others of their shard', async () => {
  const clock = frozenClock()
  const tenant = { id: 1 }
  for (const id of [4, 8, 12]) {
    const due = hooksDueKey(isoTime(clock.now() + id), tenant, 'things', id)
    await table.store.write(tenant, {
      put: { ...recordKey(tenant, 'things', id), kind: 'record', after_due: '[]', ...dueEntry(due) },
    })
  }
  clock.advance(100)
  const take = async (limit: number) =>
    (await takeDueWork(dueHooks, { store: table.store, clock }, limit)).map(({ wake }) => wake.id)
  const find = () => take(1)
  expect([await find(), await find(), await find(), await find()]).toEqual([[4], [8], [12], []])
  clock.advance(121_000)
  expect((await take(5)).toSorted()).toEqual([12, 4, 8])
})
