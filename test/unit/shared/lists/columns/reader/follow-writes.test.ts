import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createColumns } from '../../../../../../shared/lists/columns/reader/create-columns.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { randomFrom } from './random-numbers.ts'
import { columns, randomRecords } from './random-records.ts'
import { faultsOf, model, recordTable, tenant, type WrittenChange } from './record-table.ts'
import { smallKeeper } from './small-keeper.ts'

let table: SingleTable
beforeEach(async () => {
  table = await openSingleTable()
})
afterEach(() => table.close())

describe('views beside random writes and a keeper that lags, stops and repeats itself', () => {
  it.each([1, 2, 3])(
    'say what is true, whether warm, cold, short of memory or side by side (seed %i)',
    async (seed) => {
      const random = randomFrom(seed)
      const clock = frozenClock()
      const { store } = table
      const records = recordTable(store, clock)
      const keeper = smallKeeper(store, tenant)
      const untold: WrittenChange[] = []
      const told: WrittenChange[] = []
      const warm = createColumns({ store, clock, budgetBytes: 1e9 })
      const small = createColumns({ store, clock, budgetBytes: 500_000 })
      const tiny = createColumns({ store, clock, budgetBytes: 1 })
      const sleeper = createColumns({ store, clock, budgetBytes: 1e9 })

      async function check(which: string, reader: ReturnType<typeof createColumns>, some = random(3) > 0) {
        const wanted = some ? columns.filter(() => random(2) === 0) : columns
        const view = await reader.open(tenant, model, wanted)
        expect(await faultsOf(view, records.truth, wanted), which).toEqual([])
        view.release()
      }

      for (let round = 0; round < 40; round += 1) {
        clock.advance(random(4) * 1_700)
        untold.push(...(await records.write(randomRecords(random, records.truth))))
        const isStopped = round % 20 > 13
        if (!isStopped && random(3) > 0) {
          const next = untold.splice(0, random(untold.length + 1))
          const again = told.slice(random(told.length + 1)).slice(0, 5)
          told.push(...next)
          if (next.length > 0) await keeper.append([...again, ...next])
        }
        if (!isStopped && random(6) === 0) await keeper.fold()
        await check(`warm in round ${round}`, warm)
        if (random(4) === 0) await check(`cold in round ${round}`, createColumns({ store, clock, budgetBytes: 1e9 }))
        if (random(3) === 0) await check(`short of memory in round ${round}`, random(2) ? small : tiny)
        if (random(6) === 0)
          await Promise.all([1, 2, 3, 4, 5].map((n) => check(`${n} side by side`, [small, tiny, warm][n % 3]!)))
        if (round % 13 === 12) await check(`asleep until round ${round}`, sleeper)
      }
    },
    240_000,
  )
})
