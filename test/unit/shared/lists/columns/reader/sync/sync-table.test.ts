import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createColumns } from '../../../../../../../shared/lists/columns/reader/create-columns.ts'
import { changePartitions, columnLogPartition } from '../../../../../../../shared/platform/store/keys/columns.ts'
import type { Store } from '../../../../../../../shared/platform/store/store.ts'
import { type FrozenClock, frozenClock } from '../../../../../../make/builders/frozen-clock.ts'
import { keeperOn, searchedTable, tenantWith } from '../../../../../../make/builders/lists/kept-columns.ts'
import { openSingleTable, type SingleTable } from '../../../../../../make/services/stores/single-table.ts'
import { type Data, faultsOf, model, recordTable, tenant, type WrittenChange } from '../record-table.ts'
import { smallKeeper } from '../small-keeper.ts'

const columns = ['title', 'priority', 'updated_by']
const budgetBytes = 1e9
const minutes = 60_000

let table: SingleTable
let store: Store
let clock: FrozenClock
let records: ReturnType<typeof recordTable>
let keeper: ReturnType<typeof smallKeeper>
beforeEach(async () => {
  table = await openSingleTable()
  store = table.store
  clock = frozenClock()
  records = recordTable(store, clock)
  keeper = smallKeeper(store, tenant)
})
afterEach(() => table.close())

const some = (ids: readonly number[], title: string): Map<number, Data> =>
  new Map(ids.map((id) => [id, { title: `${title} ${id}`, priority: id % 5 }]))
const written = async (ids: readonly number[], title = 'lamp') => keeper.append(await records.write(some(ids, title)))

async function faults(reader: ReturnType<typeof createColumns>, wanted: readonly string[] = columns) {
  const view = await reader.open(tenant, model, wanted)
  try {
    return await faultsOf(view, records.truth, wanted)
  } finally {
    view.release()
  }
}

/** The table's store, with a note of each call. */
function watched(): { store: Store; queries: string[]; blocks: string[]; records: string[] } {
  const calls = { queries: [] as string[], blocks: [] as string[], records: [] as string[] }
  return {
    ...calls,
    store: {
      ...store,
      query(scope, range) {
        calls.queries.push(range.pk)
        return store.query(scope, range)
      },
      getMany(scope, keys, ...more) {
        for (const { pk, sk } of keys) {
          if (pk !== columnLogPartition(tenant, model))
            calls[pk.includes('#XB#') ? 'blocks' : 'records'].push(`${pk} ${sk}`)
        }
        return store.getMany(scope, keys, ...more)
      },
    },
  }
}

describe('requests that wait for each other', () => {
  it('share one sync, and a request that comes during a sync waits for the next one', async () => {
    await written([1, 2, 3])
    const watch = watched()
    const reader = createColumns({ store: watch.store, clock, budgetBytes })
    expect(await faults(reader)).toEqual([])
    watch.queries.length = 0
    const first = reader.open(tenant, model, columns)
    await Promise.resolve()
    await Promise.resolve()
    const during = records
      .write(some([4], 'new'))
      .then(() => Promise.all(Array.from({ length: 10 }, () => faults(reader))))
    const others = Array.from({ length: 10 }, () => faults(reader))
    ;(await first).release()
    expect((await Promise.all(others)).length + (await during).flat().length).toBe(10)
    const oneSync = [columnLogPartition(tenant, model), ...changePartitions(tenant, model)].sort()
    expect(watch.queries.length % oneSync.length).toBe(0)
    expect(watch.queries.length / oneSync.length).toBeLessThanOrEqual(4)
    expect([...new Set(watch.queries)].sort()).toEqual(oneSync)
  })

  it('fail together when the sync fails, and the next ones do not', async () => {
    await written([1])
    let isDown = false
    const reader = createColumns({
      store: table.storeThrough((_, call) => (isDown ? Promise.reject(new Error('the network is down')) : call())),
      clock,
      budgetBytes,
    })
    expect(await faults(reader)).toEqual([])
    await written([2])
    isDown = true
    const failed = await Promise.allSettled([1, 2, 3].map(() => faults(reader)))
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    isDown = false
    expect(await faults(reader)).toEqual([])
  })
})

describe('a write that was answered', () => {
  it('is in the next view, whether the keeper has appended it or not', async () => {
    const reader = createColumns({ store, clock, budgetBytes })
    for (let id = 1; id < 20; id += 1) {
      clock.advance(400)
      if (id % 3 === 0) await written([id])
      else await records.write(some([id, 1], 'untold'))
      expect(await faults(reader)).toEqual([])
    }
  })

  it('is in the next view of a process that slept, and of a new one, although the keeper is an hour behind', async () => {
    await written([1, 2, 3])
    const slept = createColumns({ store, clock, budgetBytes })
    expect(await faults(slept)).toEqual([])
    for (let hour = 0; hour < 3; hour += 1) {
      clock.advance(20 * minutes)
      await records.write(some([hour + 1, hour + 10, 17_000 + hour], 'untold'))
    }
    clock.advance(20 * minutes)
    expect(await faults(slept)).toEqual([])
    expect(await faults(createColumns({ store, clock, budgetBytes }))).toEqual([])
  })

  it('is in the first view of a process although the keeper told a later one first', async () => {
    await records.write(some([1], 'untold'))
    clock.advance(30_000)
    await written([2])
    expect(await faults(createColumns({ store, clock, budgetBytes }))).toEqual([])
  })

  it('is in the view of a process that begins an hour later, when the keeper never heard of it and folded since', async () => {
    const folding = keeperOn(store, { clock, tables: { find: async () => searchedTable(['title']) } })
    const tell = async (changes: readonly WrittenChange[]) =>
      folding.append(
        tenantWith(tenant.id),
        model,
        changes.map(({ row }) => row),
      )
    await tell(await records.write(some([1, 2], 'lamp')))
    await records.write(some([2, 3, 17_000], 'never told'))
    await records.write(new Map([[1, undefined]]))
    for (let round = 0; round < 3; round += 1) {
      clock.advance(20 * minutes)
      await tell(await records.write(some([5], `round ${round}`)))
      expect(await faults(createColumns({ store, clock, budgetBytes }))).toEqual([])
      expect(await folding.foldNow(tenantWith(tenant.id), model)).toBe('folded')
      expect(await faults(createColumns({ store, clock, budgetBytes }))).toEqual([])
    }
    const watch = watched()
    expect(await faults(createColumns({ store: watch.store, clock, budgetBytes }))).toEqual([])
    expect(watch.records).toEqual([])
  })

  it('is not looked up in a flood of changes that the log tells a moment later', async () => {
    const ids = Array.from({ length: 1_200 }, (_, index) => index + 1)
    await written([1])
    const watch = watched()
    let later: (() => Promise<void>) | undefined
    const waiting = {
      ...clock,
      async sleep(ms: number) {
        clock.advance(ms)
        await later?.()
        later = undefined
      },
    }
    const reader = createColumns({ store: watch.store, clock: waiting, budgetBytes })
    expect(await faults(reader)).toEqual([])
    const changes = await records.write(some(ids, 'imported'))
    later = () => keeper.append(changes)
    const before = clock.now()
    expect(await faults(reader)).toEqual([])
    expect(watch.records).toEqual([])
    expect(clock.now() - before).toBe(100)
    // The next one begins half a second after this one began, and needs nothing of the flood.
    await records.write(some([3], 'changed'))
    expect(await faults(reader)).toEqual([])
    expect(watch.records.length).toBe(1)
    expect(clock.now() - before).toBe(500)
  })

  it('is in the next view although there never was a keeper, also when there are more than 1,000', async () => {
    for (let start = 1; start < 2_400; start += 300) {
      await records.write(
        some(
          Array.from({ length: 300 }, (_, index) => start + index),
          'untold',
        ),
      )
      clock.advance(minutes)
    }
    expect(await faults(createColumns({ store, clock, budgetBytes }))).toEqual([])
  })

  it('is not read from its record when the log tells it', async () => {
    const watch = watched()
    const reader = createColumns({ store: watch.store, clock, budgetBytes })
    await written([1, 2, 3])
    expect(await faults(reader)).toEqual([])
    await written([2, 4])
    await keeper.append(await records.write(new Map([[1, undefined]])))
    expect(await faults(reader)).toEqual([])
    expect(watch.records).toEqual([])
  })

  it('shows when its index entry comes later than those of later writes', async () => {
    let hidden = ''
    const reader = createColumns({
      store: {
        ...store,
        async query(scope, range) {
          const page = await store.query(scope, range)
          return range.pk === hidden ? { items: [] } : page
        },
      },
      clock,
      budgetBytes,
    })
    await written([1, 2, 3])
    expect(await faults(reader)).toEqual([])
    clock.advance(2_000)
    hidden = changePartitions(tenant, model)[1] as string
    await records.write(some([5], 'late'))
    clock.advance(2_000)
    await records.write(some([6], 'at once'))
    expect((await faults(reader)).length).toBeGreaterThan(0)
    hidden = ''
    clock.advance(4_000)
    expect(await faults(reader)).toEqual([])
  })
})

describe('an index that lags', () => {
  it('does not hide what the log tells, and shows the rest when it has come', async () => {
    const lagging = await openSingleTable({ indexDelayMs: 150 })
    try {
      records = recordTable(lagging.store, clock)
      keeper = smallKeeper(lagging.store, tenant)
      const reader = createColumns({ store: lagging.store, clock, budgetBytes })
      await written([1, 2, 3])
      expect(await faults(reader)).toEqual([])
      await records.write(some([3, 4], 'untold'))
      await expect.poll(() => faults(reader)).toEqual([])
    } finally {
      await lagging.close()
    }
  })
})

describe('a gap in the log', () => {
  it('makes a process read the blocks of changed chunks, and no others', async () => {
    await written([1, 2, 3, 17_000, 17_001, 40_000])
    await keeper.fold()
    const watch = watched()
    const reader = createColumns({ store: watch.store, clock, budgetBytes })
    expect(await faults(reader)).toEqual([])
    expect(watch.blocks.some((block) => block.includes('#0 '))).toBe(true)
    const inUse = await reader.open(tenant, model, columns)
    watch.blocks.length = 0
    const before = new Map(records.truth)
    for (const round of [1, 2, 3]) {
      await written([17_000, 17_002 + round], `round ${round}`)
      await keeper.fold()
    }
    clock.advance(10 * minutes)
    expect(await faults(reader)).toEqual([])
    expect(watch.blocks.length).toBeGreaterThan(0)
    expect(watch.blocks.filter((block) => !block.includes(`#XB#${model}#1 `))).toEqual([])
    expect(await faultsOf(inUse, before, columns)).toEqual([])
    inUse.release()
  })

  it('that only a replica has which is behind is read from the table itself', async () => {
    await written([1, 2])
    let isBehind = false
    const behind: Store['query'] = async (scope, range) => {
      const page = await store.query(scope, range)
      return isBehind && range.consistent === false ? { ...page, items: page.items.slice(1) } : page
    }
    const reader = createColumns({ store: { ...store, query: behind }, clock, budgetBytes })
    expect(await faults(reader)).toEqual([])
    await written([2], 'second')
    await written([3], 'third')
    isBehind = true
    expect(await faults(reader)).toEqual([])
  })
})

describe('a fold', () => {
  it('beside a load of the columns before it does not lose the rows that it folded', async () => {
    await written([1, 2, 3])
    await keeper.fold()
    let opened = (): void => {}
    const gate = new Promise<void>((resolve) => (opened = resolve))
    let isHeldUp = false
    const reader = createColumns({
      store: {
        ...store,
        async getMany(scope, keys, ...more) {
          const items = await store.getMany(scope, keys, ...more)
          if (isHeldUp && keys.some(({ sk }) => sk.startsWith('title#'))) await gate
          return items
        },
      },
      clock,
      budgetBytes,
    })
    expect(await faults(reader, ['priority'])).toEqual([])
    await written([1, 4], 'later')
    expect(await faults(reader, ['priority'])).toEqual([])
    isHeldUp = true
    const slow = faults(reader, ['title'])
    await new Promise((resolve) => setTimeout(resolve, 20))
    await keeper.fold()
    // The blocks of this column were replaced: the manifest is read, and the tail pruned.
    expect(await faults(reader, ['updated_by'])).toEqual([])
    opened()
    expect(await slow).toEqual([])
  })

  it('makes a process read the columns that it did not have, and no others again', async () => {
    const watch = watched()
    const reader = createColumns({ store: watch.store, clock, budgetBytes })
    await written([1, 2, 3])
    await keeper.fold()
    expect(await faults(reader, ['title'])).toEqual([])
    await written([2, 4], 'later')
    await keeper.fold()
    watch.blocks.length = 0
    expect(await faults(reader, ['title', 'priority'])).toEqual([])
    const read = new Set(watch.blocks.map((block) => block.split(' ')[1]?.replace(/#[^#]*#\d+$/, '')))
    expect([...read].sort()).toEqual(['#v', 'priority'])
  })

  it('that the log does not show yet, on a replica that is behind, is waited for', async () => {
    await written([1, 2, 3])
    await keeper.fold()
    let isBehind = false
    const reader = createColumns({
      store: {
        ...store,
        async query(scope, range) {
          return isBehind ? { items: [] } : store.query(scope, range)
        },
      },
      clock,
      budgetBytes,
    })
    expect(await faults(reader, ['priority'])).toEqual([])
    await written([2, 5], 'later')
    await keeper.fold()
    isBehind = true
    expect(await faults(reader, ['title', 'priority'])).toEqual([])
  })

  it('whose blocks are missing is an error, not an endless search for them', async () => {
    await written([1, 2, 3])
    await keeper.fold()
    const blocks = await table.itemsOf(`T#${tenant.id}#XB#`)
    await store.writeMany(
      tenant,
      [],
      blocks.filter(({ sk }) => sk.startsWith('title#')).map(({ pk, sk }) => ({ pk, sk })),
    )
    const reader = createColumns({ store, clock, budgetBytes })
    await expect(faults(reader, ['title'])).rejects.toThrow(/blocks of the columns of requests are missing/)
    expect(await faults(reader, ['priority'])).toEqual([])
    await expect(faults(reader, ['title'])).rejects.toThrow(/blocks of the columns of requests are missing/)
  })
})

describe('a repair of blocks', () => {
  it.each([
    ['alone', false],
    ['before a fold', true],
  ])('%s shows a minute later, although neither the log nor the index told of the changes', async (_, isFolded) => {
    const blind: Store = {
      ...store,
      query: async (scope, range) => (range.index ? { items: [] } : store.query(scope, range)),
    }
    const reader = createColumns({ store: blind, clock, budgetBytes })
    await written([1, 2, 3, 17_000])
    await keeper.fold()
    expect(await faults(reader)).toEqual([])
    await keeper.repair(await records.write(some([2, 4], 'lost')))
    if (isFolded) {
      await written([1, 17_000], 'folded')
      await keeper.fold()
    }
    expect((await faults(reader)).length).toBeGreaterThan(0)
    clock.advance(60_000)
    expect(await faults(reader)).toEqual([])
  })

  it('shows also when it corrects values of versions that are known', async () => {
    const reader = createColumns({ store, clock, budgetBytes })
    const right = await records.write(some([1, 2], 'right'))
    await keeper.append(right.map(({ row, at }) => ({ at, row: { ...row, values: new Map([['title', 'wrong']]) } })))
    await keeper.fold()
    expect((await faults(reader)).length).toBeGreaterThan(0)
    await keeper.repair(right)
    clock.advance(60_000)
    expect(await faults(reader)).toEqual([])
  })
})

describe('what a view notes', () => {
  it('is that a record has a newer version, or is not there any more', async () => {
    const blind: Store = {
      ...store,
      query: async (scope, range) => (range.index ? { items: [] } : store.query(scope, range)),
    }
    const reader = createColumns({ store: blind, clock, budgetBytes })
    await written([1, 2, 3])
    const view = await reader.open(tenant, model, columns)
    await records.write(new Map([[1, { title: 'newer' }]]))
    await records.write(new Map([[2, undefined]]))
    view.note([records.items.get(1), undefined, records.items.get(3)], [1, 2, 3])
    records.truth.set(2, { ...records.truth.get(2)!, version: 1 })
    expect(await faultsOf(view, records.truth, columns)).toEqual([])
    expect(view.live).toBe(2)
    view.release()
  })

  it('does not take a record for gone that was restored after it was read', async () => {
    const reader = createColumns({ store, clock, budgetBytes })
    await written([1, 2])
    const view = await reader.open(tenant, model, columns)
    await keeper.append(await records.write(new Map([[1, undefined]])))
    await written([1], 'restored')
    expect(await faults(reader)).toEqual([])
    view.note([undefined], [1])
    expect(await faultsOf(view, records.truth, columns)).toEqual([])
    view.release()
  })
})

describe('stamps', () => {
  it('tell version and life of each record, and nothing of records that never were', async () => {
    const reader = createColumns({ store, clock, budgetBytes })
    await written([1, 2])
    await written([2])
    await keeper.append(await records.write(new Map([[1, undefined]])))
    expect(await reader.stampsOf(tenant, model, [1, 2, 3, 90_000])).toEqual([5, 4, undefined, undefined])
  })
})
