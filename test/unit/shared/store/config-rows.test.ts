import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { commit } from '../../../../shared/store/commit.ts'
import { type ConfigRow, createConfig, putConfigRow, removeConfigRow } from '../../../../shared/store/config.ts'
import { tenantKey } from '../../../../shared/store/keys/auth.ts'
import { beginCreate, takeOutCreates } from '../../../../shared/store/open-creates.ts'
import { TransactionRefused } from '../../../../shared/store/refusals.ts'
import { ConditionFailed } from '../../../../shared/store/refusals.ts'
import { closeTable, noteTable, readSequence } from '../../../../shared/store/sequence.ts'
import { frozenClock } from '../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../make/services/single-table.ts'

const clock = frozenClock()
let single: SingleTable
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  id += 1
  await single.store.write({ id }, { put: { ...tenantKey({ id }), config_version: 1 } })
})

const config = () => createConfig(single.store, clock)
const row = (version: number, doc: string): ConfigRow => ({ name: 'cars', version, doc })
const put = (after: ConfigRow, before: number | null) =>
  config().change({ id }, [putConfigRow({ id }, 'TABLE', after, before, { userId: 1, at: '2026-11-20T08:00:00Z' })])
const remove = (version: number) => config().change({ id }, [removeConfigRow({ id }, 'TABLE', 'cars', version)])
const stored = () => config().getFresh({ id }, 'TABLE', 'cars')
const configVersion = async () => (await single.store.get({ id }, tenantKey({ id })))?.config_version

describe('a row of configuration', () => {
  it('is made, changed and removed, and each time the cached ones become invalid', async () => {
    await put(row(1, 'made'), null)
    await put(row(2, 'changed'), 1)
    expect([await stored(), await configVersion()]).toEqual([row(2, 'changed'), 3])
    await remove(2)
    expect([await stored(), await configVersion()]).toEqual([undefined, 4])
  })

  it('is made once', async () => {
    await put(row(1, 'first'), null)
    await expect(put(row(1, 'second'), null)).rejects.toThrow(TransactionRefused)
    expect([await stored(), await configVersion()]).toEqual([row(1, 'first'), 2])
  })

  it('is changed and removed at the version that was read only', async () => {
    await put(row(1, 'made'), null)
    await put(row(2, 'changed'), 1)
    await expect(put(row(2, 'late'), 1)).rejects.toThrow(TransactionRefused)
    await expect(remove(1)).rejects.toThrow(TransactionRefused)
    expect(await stored()).toEqual(row(2, 'changed'))
    await remove(2)
    await expect(put(row(3, 'after the end'), 2)).rejects.toThrow(TransactionRefused)
    expect(await stored()).toBeUndefined()
  })

  it('is not written for a tenant that is gone, which stays away', async () => {
    await single.store.write({ id }, { remove: tenantKey({ id }) })
    await expect(put(row(1, 'made'), null)).rejects.toThrow(TransactionRefused)
    expect([await stored(), await configVersion()]).toEqual([undefined, undefined])
  })
})

describe('the sequence of a table', () => {
  const table = { id: 104, name: 'cars', version: 2 }
  const begin = (given = table) => beginCreate(single.store, clock, { id }, given)
  const close = () => commit(single.store, { id }, [closeTable({ id }, 'cars')], clock.uuid())

  it('is closed while no record lives, and then gives no more ids', async () => {
    const open = await begin()
    await expect(close()).rejects.toThrow(TransactionRefused)
    await single.store.write({ id }, takeOutCreates({ id }, 'cars', [open]))
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
