import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findByKey, type Found } from '../../../../../../../shared/operations/import-export/import/keyed/find-by-key.ts'
import type { ImportPlan } from '../../../../../../../shared/operations/import-export/import/keyed/import-plan.ts'
import { recordKey } from '../../../../../../../shared/platform/store/keys/records.ts'
import { recordItem } from '../../../../../../../shared/platform/store/rows/write-record-row.ts'
import { wasApplied } from '../../../../../../../shared/platform/store/writes/refusals.ts'
import { frozenClock, type FrozenClock } from '../../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../../make/builders/lists/query-records.ts'
import {
  administrator as actor,
  recordDependencies,
} from '../../../../../../make/builders/records/record-dependencies.ts'
import { openSingleTable, type SingleTable } from '../../../../../../make/services/stores/single-table.ts'

const clients = tableOf(101, 'clients', [{ name: 'code', type: 'text' }])
const plan: ImportPlan & { key: NonNullable<ImportPlan['key']> } = {
  mode: 'upsert',
  key: { name: 'code', is: 'any' },
  isLegacy: false,
  repeated: new Map(),
}
/** Lists that know of none of the records yet. */
const queries = {
  parse: async () => ({}),
  page: async () => ({ rows: [], total: 0, nextCursor: null }),
} as never

let single: SingleTable
let clock: FrozenClock
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(() => {
  clock = frozenClock()
  id += 10
})

const find = async (code: string): Promise<Found> => {
  const services = { ...recordDependencies(single.store, clock, [clients]), queries }
  return (await findByKey(services, actor, clients, plan, [{ code }], 0))[0] as Found
}
/** Writes the claim that an upsert found, for a record; false when somebody else has it. */
const claim = async (found: Found, by: number): Promise<boolean> => {
  if (found.is !== 'new' || !found.claim) throw new Error(`no claim: ${JSON.stringify(found)}`)
  return wasApplied(single.store.write(tenant, found.claim(by)))
}
async function store(one: number, code: string): Promise<void> {
  const at = '2026-11-20T07:00:00.000Z'
  const head = { id: one, tenant_id: 7, created_by: 1, updated_by: 1, created_at: at, updated_at: at, version: 1 }
  await single.store.write(tenant, { put: recordItem(clients, { ...head, data: { code } }, actor, `${one} ${code}`) })
}
/** An upsert creates a record of the code. */
async function create(one: number, code: string): Promise<void> {
  expect(await claim(await find(code), one)).toBe(true)
  await store(one, code)
}

describe('an upsert by a key that is not unique', () => {
  it('finds the record that another created a moment ago, by its claim', async () => {
    await create(id, `A${id}`)
    expect(await find(`A${id}`)).toMatchObject({ is: 'target', target: { id } })
  })

  it.each([
    ['has another key by now', () => store(id, `B${id}`)],
    ['is gone', () => single.store.write(tenant, { remove: recordKey(tenant, 'clients', id) })],
  ])('creates a record in place of the claimed one that %s, once', async (_title, happens) => {
    await create(id, `A${id}`)
    await happens()
    const [one, other] = [await find(`A${id}`), await find(`A${id}`)]
    expect([await claim(one, id + 1), await claim(other, id + 2)]).toEqual([true, false])
    await store(id + 1, `A${id}`)
    expect(await find(`A${id}`)).toMatchObject({ is: 'target', target: { id: id + 1 } })
  })

  it('of two at the same time one creates the record', async () => {
    const [one, other] = [await find(`A${id}`), await find(`A${id}`)]
    expect([await claim(one, id), await claim(other, id + 1)]).toEqual([true, false])
  })

  it('takes a claim over whose hour has ended', async () => {
    const [one, other] = [await find(`A${id}`), await find(`A${id}`)]
    await claim(one, id)
    clock.advance(3_601_000)
    expect(await claim(other, id + 1)).toBe(false)
    expect(await claim(await find(`A${id}`), id + 1)).toBe(true)
  })
})
