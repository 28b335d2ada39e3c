import { afterEach, beforeEach, expect, it } from 'vitest'
import { idAt } from '../../../../../../shared/lists/columns/chunk.ts'
import { readManifest } from '../../../../../../shared/lists/columns/manifest.ts'
import { createColumns } from '../../../../../../shared/lists/columns/reader/create-columns.ts'
import type { ColumnView } from '../../../../../../shared/lists/columns/reader/view.ts'
import { valueIn } from '../../../../../../shared/lists/columns/row-values.ts'
import { scoreWords, termsOf } from '../../../../../../shared/lists/search/terms.ts'
import { type SearchedTable, wordsOf } from '../../../../../../shared/lists/search/words-of.ts'
import { type FrozenClock, frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { randomFrom } from './random-numbers.ts'
import { randomRecords } from './random-records.ts'
import { model, recordTable, tenant, type WrittenChange } from './record-table.ts'
import { smallKeeper } from './small-keeper.ts'

const words: SearchedTable = {
  table_fields: [
    { name: 'title', type: 'text' },
    { name: 'status', type: 'textarea' },
  ],
  title_field: 'title',
}
const searches = ['lamp', 'lam', '灯 printer', 'open 1', 'closed str', '2', 'nothing', '😀 held'].map((text) =>
  termsOf(text),
)

let table: SingleTable
let clock: FrozenClock
beforeEach(async () => {
  table = await openSingleTable()
  clock = frozenClock()
})
afterEach(() => table.close())

it.each([1, 2])(
  'a view finds the words of folded and of later records (seed %i)',
  async (seed) => {
    const random = randomFrom(seed)
    const { store } = table
    const records = recordTable(store, clock)
    const keeper = smallKeeper(store, tenant, words)
    const untold: WrittenChange[] = []
    const warm = createColumns({ store, clock, budgetBytes: 1e9 })
    const tiny = createColumns({ store, clock, budgetBytes: 1 })

    function expected(terms: (typeof searches)[number]): Map<number, number> {
      const scores = [...records.truth.values()].map(
        (row) =>
          [
            row.id,
            row.isGone
              ? 0
              : scoreWords(
                  wordsOf(words, (name) => valueIn(row, name)),
                  terms,
                ),
          ] as const,
      )
      return new Map(scores.filter(([, score]) => score > 0).sort(([a], [b]) => a - b))
    }

    for (let round = 0; round < 20; round += 1) {
      clock.advance(random(3) * 1_000)
      untold.push(...(await records.write(randomRecords(random, records.truth))))
      const next = untold.splice(0, random(untold.length + 1))
      if (next.length > 0) await keeper.append(next)
      if (random(4) === 0) await keeper.fold()
      for (const reader of [
        warm,
        tiny,
        ...(random(4) === 0 ? [createColumns({ store, clock, budgetBytes: 1e9 })] : []),
      ]) {
        const view = await reader.open(tenant, model, [], { words })
        const found = await Promise.all(searches.map((terms) => foundBy(view, terms)))
        expect(found).toEqual(searches.map(expected))
        view.release()
      }
    }
  },
  240_000,
)

/** Id to score, of the records that live. */
async function foundBy(view: ColumnView, terms: (typeof searches)[number]): Promise<Map<number, number>> {
  const inChunk = await view.search(terms)
  const found = new Map<number, number>()
  for (let chunk = 0; chunk < view.chunks; chunk += 1) {
    const { positions, scores } = inChunk(chunk) ?? { positions: new Uint16Array(0), scores: new Float64Array(0) }
    for (const [index, position] of positions.entries()) {
      if (view.alive(chunk)?.[position] === 1) found.set(idAt(chunk, position), scores[index] as number)
    }
  }
  return found
}

it('the words of later records are made once, however many searches wait and whatever is folded meanwhile', async () => {
  const { store } = table
  const records = recordTable(store, clock)
  const keeper = smallKeeper(store, tenant, words)
  const reader = createColumns({ store, clock, budgetBytes: 1e9 })
  let made = 0
  const counted: SearchedTable = {
    title_field: 'title',
    get table_fields() {
      made += 1
      return words.table_fields
    },
  }
  const write = async (from: number, to: number): Promise<void> => {
    const rows = new Map(Array.from({ length: to - from }, (_, at) => [from + at, { title: `lamp ${from + at}` }]))
    await keeper.append(await records.write(rows))
  }
  const searchAtOnce = async (): Promise<number[]> => {
    const found = Array.from({ length: 16 }, async () => {
      const view = await reader.open(tenant, model, [], { words: counted })
      const ids = await foundBy(view, termsOf('lamp'))
      view.release()
      return ids.size
    })
    return [...new Set(await Promise.all(found))]
  }
  await write(1, 2_001)
  await reader.open(tenant, model, []).then((view) => view.release())
  expect(await searchAtOnce()).toEqual([2_000])
  expect(made).toBeLessThan(2_000 + 100)
  await keeper.fold()
  await write(2_001, 2_011)
  made = 0
  expect(await searchAtOnce()).toEqual([2_010])
  expect(made).toBeLessThan(10 + 100)
})

it('a view finds a record whose leaf was replaced while it was open', async () => {
  const { store } = table
  const records = recordTable(store, clock)
  const keeper = smallKeeper(store, tenant, words)
  const reader = createColumns({ store, clock, budgetBytes: 1e9 })
  await keeper.append(
    await records.write(
      new Map([
        [1, { title: 'lamp' }],
        [2, { title: 'door' }],
      ]),
    ),
  )
  await keeper.fold()
  const view = await reader.open(tenant, model, [], { words })
  await keeper.append(await records.write(new Map([[2, { title: 'door lamp' }]])))
  await keeper.fold()
  expect([...(await foundBy(view, termsOf('lamp'))).keys()]).toEqual([1, 2])
  view.release()
})

it('a view finds a record that was folded while the leaves before were read', async () => {
  const { store } = table
  const records = recordTable(store, clock)
  const keeper = smallKeeper(store, tenant, words)
  let open = (): void => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const reader = createColumns({
    store: {
      ...store,
      async getMany(scope, keys, ...more) {
        const items = await store.getMany(scope, keys, ...more)
        if (keys.some(({ sk }) => sk.startsWith('~'))) await gate
        return items
      },
    },
    clock,
    budgetBytes: 1e9,
  })
  await keeper.append(await records.write(new Map([[1, { title: 'lamp' }]])))
  await keeper.fold()
  await keeper.append(await records.write(new Map([[2, { title: 'lamp' }]])))
  const view = await reader.open(tenant, model, [], { words })
  const found = foundBy(view, termsOf('lamp'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  await keeper.fold()
  clock.advance(60_000)
  ;(await reader.open(tenant, model, [])).release()
  open()
  expect([...(await found).keys()]).toEqual([1, 2])
  view.release()
})

it('while words were made with other searched fields, the manifest is looked at now and then', async () => {
  const { store } = table
  const records = recordTable(store, clock)
  const keeper = smallKeeper(store, tenant, words)
  const reader = createColumns({ store, clock, budgetBytes: 1e9 })
  await keeper.append(await records.write(new Map([[1, { title: 'lamp', note: 'green' }]])))
  await keeper.fold()
  const more: SearchedTable = { ...words, table_fields: [...words.table_fields, { name: 'note', type: 'textarea' }] }
  const search = async (): Promise<number[]> => {
    const view = await reader.open(tenant, model, [], { words: more })
    const found = await foundBy(view, termsOf('green'))
    view.release()
    return [...found.keys()]
  }
  expect(await search()).toEqual([])
  await smallKeeper(store, tenant, more).rebuildWords([...records.truth.values()])
  expect((await readManifest(store, tenant, model)).folded).toBe(1)
  expect(await search()).toEqual([])
  clock.advance(5_000)
  expect(await search()).toEqual([1])
})

it('a view that was opened without words says so when it is asked to search', async () => {
  const view = await createColumns({ store: table.store, clock, budgetBytes: 1e9 }).open(tenant, model, [])
  expect(() => view.search(termsOf('lamp'))).toThrow('opened without words')
  view.release()
})
