import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type ConfigRow,
  createConfig,
  putConfigRow,
  removeConfigRow,
} from '../../../../../shared/platform/store/config.ts'
import { tenantKey } from '../../../../../shared/platform/store/keys/auth.ts'
import { TransactionRefused } from '../../../../../shared/platform/store/writes/refusals.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

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
    expect([await stored(), await configVersion()]).toMatchObject([row(2, 'changed'), 3])
    await remove(2)
    expect([await stored(), await configVersion()]).toEqual([undefined, 4])
  })

  it('is made once', async () => {
    await put(row(1, 'first'), null)
    await expect(put(row(1, 'second'), null)).rejects.toThrow(TransactionRefused)
    expect([await stored(), await configVersion()]).toMatchObject([row(1, 'first'), 2])
  })

  it('is changed and removed at the version that was read only', async () => {
    await put(row(1, 'made'), null)
    await put(row(2, 'changed'), 1)
    await expect(put(row(2, 'late'), 1)).rejects.toThrow(TransactionRefused)
    await expect(remove(1)).rejects.toThrow(TransactionRefused)
    expect(await stored()).toMatchObject(row(2, 'changed'))
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
