import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { clock } from '../../../../../../shared/kernel/time/clock.ts'
import { chunkOf, positionOf } from '../../../../../../shared/lists/columns/chunk.ts'
import type { LogRow } from '../../../../../../shared/lists/columns/log-entry.ts'
import { createColumns } from '../../../../../../shared/lists/columns/reader/create-columns.ts'
import type { ColumnView } from '../../../../../../shared/lists/columns/reader/view.ts'
import { valueIn } from '../../../../../../shared/lists/columns/row-values.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { type Random, randomFrom } from './random-numbers.ts'
import { columns, randomRecords } from './random-records.ts'
import { model, recordTable, tenant, type WrittenChange } from './record-table.ts'
import { smallKeeper } from './small-keeper.ts'

let table: SingleTable
beforeEach(async () => {
  table = await openSingleTable()
})
afterEach(() => table.close())

it.each([1, 2, 3])(
  'shows each record in one version, none older than before the view was opened, whatever happens meanwhile (seed %i)',
  async (seed) => {
    const random = randomFrom(seed)
    const writers = slowed(table, random, 0)
    const readers = slowed(table, random, 30)
    const records = recordTable(writers, clock)
    const keeper = smallKeeper(writers, tenant)
    /** How many states of each record were written and answered. */
    const answered = new Map<number, number>()
    const untold: WrittenChange[] = []
    const budgets = [1e9, 500_000, 1].map((budgetBytes) => createColumns({ store: readers, clock, budgetBytes }))
    let failures = 0
    let isDone = false

    async function write(): Promise<void> {
      for (let round = 0; round < 40; round += 1) {
        const changes = await records.write(randomRecords(random, records.truth))
        for (const { row } of changes) answered.set(row.id, row.version)
        untold.push(...changes)
      }
      isDone = true
    }
    async function keep(): Promise<void> {
      while (!isDone || untold.length > 0) {
        const next = untold.splice(0, random(untold.length + 1))
        if (next.length > 0) await keeper.append(next)
        if (random(3) === 0) await keeper.fold()
        await setImmediate()
      }
    }
    async function read(): Promise<void> {
      while (!isDone) {
        const reader =
          random(5) === 0 ? createColumns({ store: readers, clock, budgetBytes: 1e9 }) : budgets[random(3)]!
        const wanted = columns.filter(() => random(2) === 0)
        const known = new Map(answered)
        try {
          const view = await reader.open(tenant, model, wanted)
          expect(await staleIn(view, known, records.history, wanted)).toEqual([])
          view.release()
        } catch (error) {
          if (!(error instanceof Broken)) throw error
          failures += 1
        }
      }
    }

    await Promise.all([write(), keep(), ...Array.from({ length: 6 }, read)])
    expect(failures).toBeGreaterThan(0)
  },
  240_000,
)

class Broken extends Error {}

/** A store whose calls take some turns of the event loop. One call of `oneBreaksIn` fails; 0 for none. */
const slowed = (single: SingleTable, random: Random, oneBreaksIn: number) =>
  single.storeThrough(async (_, call) => {
    for (let turns = random(4); turns > 0; turns -= 1) await setImmediate()
    if (oneBreaksIn > 0 && random(oneBreaksIn) === 0) throw new Broken('the network is down')
    const answer = await call()
    for (let turns = random(4); turns > 0; turns -= 1) await setImmediate()
    return answer
  })

/** What a view says that was not true at once at any moment since it was opened. */
async function staleIn(
  view: ColumnView,
  known: ReadonlyMap<number, number>,
  history: ReadonlyMap<number, readonly LogRow[]>,
  wanted: readonly string[],
): Promise<string[]> {
  const faults: string[] = []
  const ids = [...known.keys()]
  for (let chunk = 0; chunk < view.chunks; chunk += 1) {
    await view.ready(chunk)
    const alive = view.alive(chunk)
    for (const id of ids.filter((one) => chunkOf(one) === chunk)) {
      const since = (history.get(id) as LogRow[]).slice((known.get(id) as number) - 1)
      const values = JSON.stringify(wanted.map((column) => view.vector(column, chunk)?.get(positionOf(id)) ?? null))
      const isAlive = alive?.[positionOf(id)] === 1
      const isTrue = (row: LogRow): boolean =>
        isAlive !== row.isGone && values === JSON.stringify(wanted.map((column) => valueIn(row, column)))
      if (!since.some(isTrue)) faults.push(`${id} ${isAlive} ${values} since ${JSON.stringify(since)}`)
    }
  }
  return faults
}
