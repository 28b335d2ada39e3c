import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  expectReadable,
  expectRecovery,
  first,
  openFoldedTable,
  operations,
  row,
} from '../../../../../make/builders/lists/folded-table.ts'
import { Crashed, crashingStore, model } from '../../../../../make/builders/lists/kept-columns.ts'
import { stride } from '../../../../../make/depth.ts'
import { expectedColumns, readColumnItems } from '../../../../../make/oracles/column-oracle.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let single: SingleTable
beforeEach(async () => {
  single = await openSingleTable()
})
afterEach(() => single.close())

const hasCrashed = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => {
      expect(error).toBeInstanceOf(Crashed)
      return true
    },
  )

describe.each(operations)('a crash at any call of a %s', (_, operate) => {
  it.each([
    ['before', false],
    ['after', true],
  ])(
    '%s it takes effect loses and doubles nothing',
    async (_when, afterwards) => {
      const table = await openFoldedTable(single)
      expect((await readColumnItems(single, table.tenant.id, model)).orphans.length).toBeGreaterThan(5)
      let [hasEnded, calls] = [false, 0]
      for (let call = 1; !hasEnded; call += stride) {
        const next = await openFoldedTable(single)
        const { store, counter } = crashingStore(single, { call, afterwards })
        hasEnded = !(await hasCrashed(operate(next, next.keeper(store))))
        await expectReadable(next)
        await expectRecovery(next)
        ;({ calls } = counter)
      }
      expect(calls).toBeGreaterThan(15)
    },
    240_000,
  )
})

describe('a crash at any call of an append', () => {
  const large = [6, 7].map((id) =>
    row(first + id, 1, { title: `Large ${id}`, code: randomBytes(200_000).toString('hex') }),
  )

  it.each([
    ['before', false],
    ['after', true],
  ])(
    '%s it takes effect keeps what was appended, and the rest is appended when told again',
    async (_when, afterwards) => {
      let [hasEnded, calls] = [false, 0]
      for (let call = 1; !hasEnded; call += 1) {
        const table = await openFoldedTable(single)
        const before = [...table.told]
        const { store, counter } = crashingStore(single, { call, afterwards })
        hasEnded = !(await hasCrashed(table.keeper(store).append(table.tenant, model, large)))
        // Before each write, and after the last one, the head of the log is read.
        const appended = Math.floor((counter.calls - (hasEnded || afterwards ? 0 : 1)) / 2)
        table.told.push(...large.slice(0, appended))
        await expectReadable(table)
        table.told.splice(0, Infinity, ...before, ...large)
        await table.keeper().append(table.tenant, model, large)
        await expectReadable(table)
        await expectRecovery(table)
        ;({ calls } = counter)
      }
      expect(calls).toBe(5)
    },
    240_000,
  )

  it('takes an entry for its own whose answer was lost', async () => {
    const { tenant, keeper, told } = await openFoldedTable(single)
    let isLost = false
    const store = single.storeThrough(async (operation, call) => {
      const answer = await call()
      // The SDK sends a request again whose answer does not come.
      if (operation === 'PutItem' && !isLost) {
        isLost = true
        return call()
      }
      return answer
    })
    const before = (await readColumnItems(single, tenant.id, model)).entries
    const rows = [row(first + 9, 1, { title: 'Once' })]
    await keeper(store).append(tenant, model, rows)
    const { entries, latest, manifest } = await readColumnItems(single, tenant.id, model)
    expect(entries.length).toBe(before.length + 1)
    expect(latest).toEqual(expectedColumns([...told, ...rows], manifest.leftOut))
  })
})
