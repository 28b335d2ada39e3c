import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createColumns } from '../../../../../../../shared/lists/columns/reader/create-columns.ts'
import type { Store } from '../../../../../../../shared/platform/store/store.ts'
import { type FrozenClock, frozenClock } from '../../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../../make/services/stores/single-table.ts'
import { faultsOf, model, recordTable } from '../record-table.ts'
import { smallKeeper } from '../small-keeper.ts'

const kb = 1024
/** A table of one chunk: its stamps, and each column of numbers that fills the chunk. */
const baseKb = 80
const columnKb = 16

let table: SingleTable
let clock: FrozenClock
/** The tenants whose blocks were read, with the column. */
let reads: string[]
let store: Store
beforeEach(async () => {
  table = await openSingleTable()
  clock = frozenClock()
  reads = []
  store = {
    ...table.store,
    getMany(scope, keys, ...more) {
      for (const { pk, sk } of keys) if (pk.includes('#XB#')) reads.push(`${pk.split('#')[1]} ${sk.split('#')[0]}`)
      return table.store.getMany(scope, keys, ...more)
    },
  }
})
afterEach(() => table.close())

/** Folded records of a tenant, whose columns a, b, c and d take `columnKb` each in each of `chunks` chunks. */
async function fill(of: { id: number }, chunks = 1) {
  const records = recordTable(table.store, clock, { of })
  const keeper = smallKeeper(table.store, of)
  const ids = Array.from({ length: chunks }, (_, chunk) => chunk * 16_384 + 16_383)
  await keeper.append(await records.write(new Map(ids.map((id) => [id, { a: id % 100, b: 2, c: 3, d: 4 }]))))
  await keeper.fold()
  return records
}

async function use(
  columns: ReturnType<typeof createColumns>,
  of: { id: number },
  ...names: string[]
): Promise<string[]> {
  reads.length = 0
  const view = await columns.open(of, model, names)
  view.release()
  return reads.filter((read) => !read.endsWith('#v') && !read.endsWith(' '))
}

describe('the memory of columns', () => {
  it('lets go of what was not used for the longest', async () => {
    const one = { id: 1 }
    await fill(one)
    const columns = createColumns({ store, clock, budgetBytes: (baseKb + 3.5 * columnKb) * kb })
    expect(await use(columns, one, 'a', 'b', 'c')).toEqual(['1 a', '1 b', '1 c'])
    expect(await use(columns, one, 'a')).toEqual([])
    expect(await use(columns, one, 'd')).toEqual(['1 d'])
    expect(await use(columns, one, 'a', 'd')).toEqual([])
    expect(columns.bytes).toBeLessThan((baseKb + 4 * columnKb) * kb)
    expect((await use(columns, one, 'b', 'c')).length).toBeGreaterThan(0)
  })

  it('lets go of columns of the tenant first that has more than its share', async () => {
    const [small, large] = [{ id: 1 }, { id: 2 }]
    await fill(small)
    await fill(large)
    const columns = createColumns({ store, clock, budgetBytes: (2 * baseKb + 5.5 * columnKb) * kb })
    expect(await use(columns, small, 'a')).toEqual(['1 a'])
    expect(await use(columns, large, 'a', 'b', 'c', 'd')).toHaveLength(4)
    expect(await use(columns, small, 'b')).toEqual(['1 b'])
    expect(await use(columns, small, 'a', 'b')).toEqual([])
    expect((await use(columns, large, 'a', 'b', 'c', 'd')).length).toBeGreaterThan(0)
  })

  it('keeps the columns of views in use, whatever others need', async () => {
    const [one, other] = [{ id: 1 }, { id: 2 }]
    const records = await fill(one)
    await fill(other)
    const columns = createColumns({ store, clock, budgetBytes: (2 * baseKb + 2.5 * columnKb) * kb })
    const view = await columns.open(one, model, ['a', 'b'])
    await use(columns, other, 'a', 'b', 'c', 'd')
    expect(view.ready(0)).toBeUndefined()
    expect(await faultsOf(view, records.truth, ['a', 'b'])).toEqual([])
    view.release()
  })

  it('loads a view that does not fit chunk by chunk, and lets the chunks before go', async () => {
    const one = { id: 1 }
    const chunks = 6
    const records = await fill(one, chunks)
    const budgetBytes = (chunks * baseKb + 2 * columnKb) * kb
    const columns = createColumns({ store, clock, budgetBytes })
    const view = await columns.open(one, model, ['a', 'b', 'c', 'd'])
    expect(view.ready(0)).toBeInstanceOf(Promise)
    expect(await faultsOf(view, records.truth, ['a', 'b', 'c', 'd'])).toEqual([])
    expect(columns.bytes).toBeLessThan(budgetBytes + 8 * columnKb * kb)
    const others = await Promise.all([1, 2, 3, 4].map(() => columns.open(one, model, ['a', 'b', 'c', 'd'])))
    expect((await Promise.all(others.map((other) => faultsOf(other, records.truth, ['a', 'd'])))).flat()).toEqual([])
    for (const other of [view, ...others]) other.release()
  })

  it('forgets tables that nobody used for an hour when another one comes', async () => {
    const [one, other] = [{ id: 1 }, { id: 2 }]
    await fill(one)
    const columns = createColumns({ store, clock, budgetBytes: 1e9 })
    await use(columns, one, 'a', 'b')
    const before = columns.bytes
    clock.advance(61 * 60_000)
    await use(columns, other)
    expect(before).toBeGreaterThan(baseKb * kb)
    expect(columns.bytes).toBe(0)
  })
})

describe('a column that was left out', () => {
  it('says so, and has no values', async () => {
    const one = { id: 1 }
    const records = await fill(one)
    await smallKeeper(table.store, one).leaveOut('b')
    await records.write(new Map([[7, { a: 1, b: 2 }]]))
    const view = await createColumns({ store, clock, budgetBytes: 1e9 }).open(one, model, ['a', 'b'])
    expect([view.isLeftOut('a'), view.isLeftOut('b')]).toEqual([false, true])
    expect(view.vector('b', 0)).toBeUndefined()
    expect(await faultsOf(view, records.truth, ['a'])).toEqual([])
    view.release()
  })
})
