import { afterAll, beforeAll, expect, it } from 'vitest'
import { isoTime } from '../../../../../shared/kernel/time/clock.ts'
import { historyRow } from '../../../../../shared/records/history/history-row.ts'
import { stateAt } from '../../../../../shared/records/history/state-at.ts'
import { recordItem } from '../../../../../shared/records/records/record-item.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single.close())

const tenant = { id: 1 }
const clock = frozenClock('2026-11-21T08:00:00.000Z')
const start = Date.parse('2026-11-20T08:00:00.000Z')
const timeOf = (version: number): string => isoTime(start + version * 1000)
const versions = 2_000
/** Field `a` changes with every version; `b` appears, changes and goes again. */
const dataOf = (version: number): Record<string, unknown> => ({
  a: version,
  ...(version >= 5 && version % 7 !== 0 && { b: Math.floor(version / 7) }),
})
const fieldChanges = (version: number) => {
  const [before, after] = [version === 1 ? {} : dataOf(version - 1), dataOf(version)] as Record<string, unknown>[]
  return Object.fromEntries(
    ['a', 'b']
      .filter((name) => before?.[name] !== after?.[name])
      .map((name) => [name, { old: before?.[name] ?? null, new: after?.[name] ?? null }]),
  )
}

it('answers any state of a long history, and reads no more than half of it', async () => {
  await single.store.putMany(
    tenant,
    Array.from({ length: versions }, (_, index) => {
      const version = index + 1
      const action = version === 1 ? ('create' as const) : ('update' as const)
      return historyRow({
        tenantId: 1,
        model: 'things',
        recordId: 1,
        version,
        action,
        userId: 3,
        at: timeOf(version),
        changes: fieldChanges(version),
      }).item
    }),
  )
  const record = recordItem(
    { name: 'things' },
    {
      id: 1,
      tenant_id: 1,
      created_by: 3,
      updated_by: 3,
      created_at: timeOf(1),
      updated_at: timeOf(versions),
      version: versions,
      data: dataOf(versions),
    },
    { tenant: { ...tenant, slug: 's', name: 'S', configVersion: 1 }, userId: 3 },
    'w',
  )
  let read = 0
  const store: Pick<typeof single.store, 'query'> = {
    async query(scope, range) {
      const page = await single.store.query(scope, range)
      read += page.items.length
      return page
    },
  }
  const services = { store, clock, fetchObject: () => Promise.reject(new Error('no objects')) }
  for (const version of [1, 2, 4, 5, 7, 8, 99, 100, 101, 777, 949, 951, 1_500, 1_899, 1_900, 1_901, 1_999, 2_000]) {
    read = 0
    const state = await stateAt(services, tenant, { name: 'things' }, 1, timeOf(version), [record, null])
    expect(state).toMatchObject({ version, updated_at: timeOf(version), data: dataOf(version) })
    expect(state?.data).toEqual(dataOf(version))
    expect(read).toBeLessThanOrEqual(versions / 2 + 200)
  }
  read = 0
  expect(await stateAt(services, tenant, { name: 'things' }, 1, timeOf(0), [record, null])).toBeUndefined()
  expect(read).toBeLessThan(150)
})
