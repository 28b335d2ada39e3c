import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import {
  expectReadable,
  expectRecovery,
  first,
  type FoldedTable,
  openFoldedTable,
  operations,
  row,
} from '../../../../../make/builders/lists/folded-table.ts'
import { model } from '../../../../../make/builders/lists/kept-columns.ts'
import { runs, stride } from '../../../../../make/depth.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let single: SingleTable
beforeEach(async () => {
  single = await openSingleTable()
})
afterEach(() => single.close())

/** A keeper that lives later: it takes what gave no sign for a minute for interrupted. */
const laterKeeper = (table: FoldedTable, laterMs: number, store?: Store) =>
  table.keeper(store, { ...table.clock, now: () => table.clock.now() + laterMs })

/** A store that does something before one of its calls: the one with this number, counting all or those of a kind. */
function pausingStore(call: number, meanwhile: () => Promise<unknown>, counted?: string) {
  const counter = { calls: 0 }
  const store = single.storeThrough(async (operation, own) => {
    if (counted === undefined || operation === counted) counter.calls += 1
    if (counter.calls === call && (counted === undefined || operation === counted)) await meanwhile()
    return own()
  })
  return { store, counter }
}

const later = () => [row(first + 1, 3, { title: 'Meanwhile' }), row(first + 10, 1, { title: 'Meanwhile' })]

describe.each(operations)('a %s that pauses before any of its calls', (_, operate) => {
  it.each([
    ['while an append and a fold come to their end', 0],
    ['for so long that others take it for interrupted', 61_000],
  ])(
    '%s, loses and doubles nothing',
    async (_when, laterMs) => {
      let hasEnded = false
      for (let call = 1; !hasEnded; call += stride) {
        const table = await openFoldedTable(single)
        const { store, counter } = pausingStore(call, async () => {
          await table.change(later())
          await laterKeeper(table, laterMs).foldNow(table.tenant, model)
        })
        await operate(table, table.keeper(store))
        hasEnded = counter.calls < call
        await expectReadable(table)
        await expectRecovery(table)
      }
    },
    240_000,
  )
})

describe('two at once', () => {
  it('lose and double nothing when one is about to switch while the other does anything', async () => {
    let hasEnded = false
    for (let call = 1; !hasEnded; call += stride) {
      const table = await openFoldedTable(single)
      const [oneWaits, otherWaits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let other: Promise<unknown> = Promise.resolve()
      // Its second put is the one of the manifest.
      const aboutToSwitch = async () => {
        otherWaits.resolve()
        await oneWaits.promise
      }
      const { store: otherStore } = pausingStore(2, aboutToSwitch, 'PutItem')
      const { store, counter } = pausingStore(call, async () => {
        await table.change(later())
        const keeper = laterKeeper(table, 61_000, otherStore)
        other = keeper.foldNow(table.tenant, model).finally(otherWaits.resolve)
        await otherWaits.promise
      })
      await table.keeper(store).foldNow(table.tenant, model).finally(oneWaits.resolve)
      await other
      hasEnded = counter.calls < call
      await expectReadable(table)
      await expectRecovery(table)
    }
  })

  it('lose and double nothing, wherever each of them waits for the other', async () => {
    let switches = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...operations),
        fc.constantFrom(...operations),
        fc.integer({ min: 1, max: 32 }),
        fc.integer({ min: 1, max: 32 }),
        fc.constantFrom(0, 61_000),
        async ([, one], [, other], oneCall, otherCall, laterMs) => {
          const table = await openFoldedTable(single)
          const [oneWaits, otherWaits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
          let others: Promise<unknown> = Promise.resolve()
          // The one waits until the other has made some calls; that one then waits for the end of the first.
          const { store: otherStore } = pausingStore(otherCall, async () => {
            otherWaits.resolve()
            await oneWaits.promise
          })
          const { store: oneStore } = pausingStore(oneCall, async () => {
            await table.change(later())
            others = other(table, laterKeeper(table, laterMs, otherStore)).finally(otherWaits.resolve)
            await otherWaits.promise
          })
          const outcome = await one(table, table.keeper(oneStore)).finally(oneWaits.resolve)
          const outcomes = [outcome, await others]
          switches += outcomes.filter((each) => each === 'folded' || each === true).length
          await expectReadable(table)
          await expectRecovery(table)
        },
      ),
      { numRuns: runs(100) },
    )
    // In most runs one of them at least switched.
    expect(switches).toBeGreaterThan(runs(60))
  }, 240_000)
})
