import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beginCreate, discountAbandonedCreates } from '../../../../../../shared/platform/store/sequence/open-creates.ts'
import { closeTable, noteTable, readSequence } from '../../../../../../shared/platform/store/sequence/sequence.ts'
import { commit } from '../../../../../../shared/platform/store/writes/commit.ts'
import { ConditionFailed, TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const clock = frozenClock()
let single: SingleTable
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(() => {
  id += 1
})

describe('the sequence of a table', () => {
  const table = { id: 104, name: 'cars', version: 2 }
  const begin = (given = table) => beginCreate(single.store, clock, { id }, given)
  const close = () => commit(single.store, { id }, [closeTable({ id }, 'cars')], clock.uuid())

  it('is closed while no record lives, and then gives no more ids', async () => {
    const open = await begin()
    await expect(close()).rejects.toThrow(TransactionRefused)
    await single.store.write({ id }, discountAbandonedCreates({ id }, 'cars', [open]))
    await close()
    await expect(begin()).rejects.toThrow(ConditionFailed)
    expect(await readSequence(single.store, { id }, 'cars')).toEqual({ last: 1, live: 0 })
  })

  it('of a table without any record is closed too', async () => {
    await close()
    await expect(begin()).rejects.toThrow(ConditionFailed)
  })

  it('gives ids to records that were checked by the table as it is', async () => {
    await single.store.write({ id }, noteTable({ id }, table))
    expect((await begin()).id).toBe(1)
    // Another instance may have a newer table than the note says.
    expect((await begin({ ...table, version: 3 })).id).toBe(2)
    await expect(begin({ ...table, version: 1 })).rejects.toThrow(ConditionFailed)
    await expect(begin({ ...table, id: 103 })).rejects.toThrow(ConditionFailed)
    expect(await readSequence(single.store, { id }, 'cars')).toEqual({ last: 2, live: 2 })
  })
})
