import { afterEach, beforeEach, expect, it } from 'vitest'
import { idAt } from '../../../../../../shared/lists/columns/chunk.ts'
import { createColumns } from '../../../../../../shared/lists/columns/reader/create-columns.ts'
import { valueIn } from '../../../../../../shared/lists/columns/row-values.ts'
import { scoreWords, termsOf } from '../../../../../../shared/lists/search/terms.ts'
import { wordsOf } from '../../../../../../shared/lists/search/words-of.ts'
import { sequenceKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { keeperOn, searchedTable, tenantWith } from '../../../../../make/builders/lists/kept-columns.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { randomFrom } from './random-numbers.ts'
import { columns, randomRecords } from './random-records.ts'
import { faultsOf, model, recordTable, type WrittenChange } from './record-table.ts'

const tenant = tenantWith(7)

let table: SingleTable
beforeEach(async () => {
  table = await openSingleTable()
})
afterEach(() => table.close())

it.each([1, 2])(
  'views are true beside the keeper, its folds and rebuilt chunks (seed %i)',
  async (seed) => {
    const random = randomFrom(seed)
    const clock = frozenClock()
    const { store } = table
    const records = recordTable(store, clock)
    const searched = searchedTable(['title', 'status'])
    const limits = { foldRows: 40 }
    const keeper = keeperOn(store, { clock, limits, tables: { find: async () => searched } })
    await store.putMany(tenant, [{ ...sequenceKey(tenant, model), next: 40_000 }])
    const warm = createColumns({ store, clock, budgetBytes: 1e9 })
    const untold: WrittenChange[] = []
    const stuck: WrittenChange[] = []
    const terms = termsOf('lamp 1')

    for (let round = 0; round < 30; round += 1) {
      clock.advance(random(40) * 1_000)
      untold.push(...(await records.write(randomRecords(random, records.truth))))
      const next = untold.splice(0, random(untold.length + 1))
      // The message of a change fails for a time, or is lost.
      stuck.push(...next.filter(() => random(8) === 0))
      await keeper.append(
        tenant,
        model,
        [...next.filter((change) => !stuck.includes(change)), ...stuck.splice(0, random(15) === 0 ? 2 : 0)].map(
          ({ row }) => row,
        ),
      )
      await keeper.foldIfLong(tenant, model)
      if (random(5) === 0) await keeper.foldNow(tenant, model)
      if (random(8) === 0) await keeper.rebuildChunk(tenant, model, random(3))
      for (const reader of random(4) === 0 ? [warm, createColumns({ store, clock, budgetBytes: 1e9 })] : [warm]) {
        const view = await reader.open(tenant, model, columns, { words: searched })
        expect(await faultsOf(view, records.truth, columns), `round ${round}`).toEqual([])
        const inChunk = await view.search(terms)
        const found = new Map<number, number>()
        for (let chunk = 0; chunk < view.chunks; chunk += 1) {
          const { positions = new Uint16Array(0), scores } = inChunk(chunk) ?? {}
          for (const [index, position] of positions.entries())
            found.set(idAt(chunk, position), scores?.[index] as number)
        }
        const living = [...records.truth.values()].filter(({ isGone }) => !isGone).sort((a, b) => a.id - b.id)
        const wanted = living.map(
          (row) =>
            [
              row.id,
              scoreWords(
                wordsOf(searched, (name) => valueIn(row, name)),
                terms,
              ),
            ] as const,
        )
        for (const id of found.keys()) if (records.truth.get(id)?.isGone) found.delete(id)
        expect(found, `round ${round}`).toEqual(new Map(wanted.filter(([, score]) => score > 0)))
        view.release()
      }
    }
  },
  240_000,
)
