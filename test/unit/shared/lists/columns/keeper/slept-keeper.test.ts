import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keeperOn, livingRow, model, tenantWith } from '../../../../../make/builders/lists/kept-columns.ts'
import { readColumnItems } from '../../../../../make/oracles/column-oracle.ts'
import { expectFolded } from '../../../../../make/oracles/expect-folded.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let single: SingleTable
let tenant = tenantWith(1)
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single.close())
const nextTenant = () => (tenant = tenantWith(tenant.id + 1))

const read = () => readColumnItems(single, tenant.id, model)

describe('a keeper that slept while others folded', () => {
  it('appends behind what they left, not in the place of an entry that they removed', async () => {
    nextTenant()
    const [sleeper, other] = [keeperOn(single.store), keeperOn(single.store)]
    await sleeper.append(tenant, model, [livingRow(1, 1, { title: 'Printer' })])
    for (let id = 2; id < 8; id += 1) {
      await other.append(tenant, model, [livingRow(id, 1, { title: 'Toner' })])
      expect(await other.foldNow(tenant, model)).toBe('folded')
    }
    await sleeper.append(tenant, model, [livingRow(1, 2, { title: 'Plotter' })])
    await other.foldNow(tenant, model)
    const living = [2, 3, 4, 5, 6, 7].map((id) => livingRow(id, 1, { title: 'Toner' }))
    await expectFolded(read, [livingRow(1, 2, { title: 'Plotter' }), ...living])
  })

  it('appends once more when it slept between its look at the log and its write', async () => {
    nextTenant()
    const other = keeperOn(single.store)
    await other.append(tenant, model, [livingRow(1, 1, { title: 'Printer' })])
    let isAsleep = true
    const sleeper = keeperOn(
      single.storeThrough(async (operation, call) => {
        if (operation === 'PutItem' && isAsleep) {
          isAsleep = false
          for (let id = 2; id < 8; id += 1) {
            await other.append(tenant, model, [livingRow(id, 1, { title: 'Toner' })])
            await other.foldNow(tenant, model)
          }
        }
        return call()
      }),
    )
    await sleeper.append(tenant, model, [livingRow(1, 2, { title: 'Plotter' })])
    expect(isAsleep).toBe(false)
    await other.foldNow(tenant, model)
    const living = [2, 3, 4, 5, 6, 7].map((id) => livingRow(id, 1, { title: 'Toner' }))
    await expectFolded(read, [livingRow(1, 2, { title: 'Plotter' }), ...living])
  })
})
