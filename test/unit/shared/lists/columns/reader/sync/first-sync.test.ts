import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createColumns } from '../../../../../../../shared/lists/columns/reader/create-columns.ts'
import { columnLogPartition } from '../../../../../../../shared/platform/store/keys/columns.ts'
import type { Store } from '../../../../../../../shared/platform/store/store.ts'
import { frozenClock } from '../../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../../make/services/stores/single-table.ts'
import { faultsOf, model, recordTable, tenant } from '../record-table.ts'
import { smallKeeper } from '../small-keeper.ts'

const clock = frozenClock()
let table: SingleTable
let store: Store
let records: ReturnType<typeof recordTable>
let keeper: ReturnType<typeof smallKeeper>
beforeEach(async () => {
  table = await openSingleTable()
  ;({ store } = table)
  records = recordTable(store, clock)
  keeper = smallKeeper(store, tenant)
})
afterEach(() => table.close())

const written = async (ids: readonly number[]) =>
  keeper.append(await records.write(new Map(ids.map((id) => [id, { title: `lamp ${id}` }]))))

/** What the first view of a process gets wrong that reads from this store. */
async function faultsFrom(from: Store) {
  const view = await createColumns({ store: from, clock, budgetBytes: 1e9 }).open(tenant, model, ['title'])
  try {
    return await faultsOf(view, records.truth, ['title'])
  } finally {
    view.release()
  }
}

describe('a process that begins', () => {
  /** The calls of its first view, by what they read: each with how many keys. */
  async function callsOfFirst() {
    const calls: string[] = []
    const watching: Store = {
      ...store,
      get: (scope, key) => (calls.push('manifest'), store.get(scope, key)),
      query: (scope, range) => (calls.push(range.index ? 'changes' : 'log'), store.query(scope, range)),
      getMany(scope, keys, ...more) {
        const kinds = new Set(keys.map(({ pk }) => (pk.includes('#XB#') ? 'blocks' : 'log by key')))
        calls.push([...kinds].toSorted().join(' and '))
        return store.getMany(scope, keys, ...more)
      },
    }
    expect(await faultsFrom(watching)).toEqual([])
    return calls.toSorted()
  }
  const changes = Array.from({ length: 4 }, () => 'changes')

  it('reads blocks and log in one call', async () => {
    await written([1, 2, 17_000])
    await keeper.fold()
    await written([3])
    expect(await callsOfFirst()).toEqual(['blocks and log by key', ...changes, 'manifest'])
  })

  it('reads a log that was never folded', async () => {
    await written([1])
    expect(await callsOfFirst()).toEqual([...changes, 'log', 'manifest'])
  })

  it.each([47, 48, 49, 60])('reads all %i entries of a log', async (entries) => {
    await written([1, 2])
    await keeper.fold()
    for (let entry = 0; entry < entries; entry += 1) await written([3 + entry])
    const rest = entries >= 48 ? ['log'] : []
    expect(await callsOfFirst()).toEqual(['blocks and log by key', ...changes, ...rest, 'manifest'])
  })

  it('reads the log anew when an entry is not visible yet and a later one is', async () => {
    await written([1, 2])
    await keeper.fold()
    for (const id of [3, 4, 5]) await written([id])
    const late: Store = {
      ...store,
      async getMany(scope, keys, ...more) {
        const items = await store.getMany(scope, keys, ...more)
        return items.map((item, index) =>
          keys[index]?.pk === columnLogPartition(tenant, model) && Number(keys[index]?.sk) === 2 ? undefined : item,
        )
      },
    }
    expect(await faultsFrom(late)).toEqual([])
  })
})
