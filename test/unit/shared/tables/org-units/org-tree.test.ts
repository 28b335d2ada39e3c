import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sequenceKey } from '../../../../../shared/platform/store/keys/records.ts'
import type { Write } from '../../../../../shared/platform/store/store.ts'
import { recordItem } from '../../../../../shared/records/records/record-item.ts'
import { createOrgTree } from '../../../../../shared/tables/org-units/org-tree.ts'
import { hasTreeChanged } from '../../../../../shared/tables/org-units/tree.ts'
import { tableOf } from '../../../../make/builders/lists/query-records.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const table = tableOf(2, 'sys_org_units', [
  { name: 'name', type: 'text' },
  { name: 'parent_id', type: 'org_unit' },
])
const at = '2026-11-22T10:00:00.000Z'
let next = 0
const clock = { uuid: () => `revision-${(next += 1)}` }

let single: SingleTable
let tenant: { id: number; slug: string; name: string; configVersion: number }
let reads: string[]
beforeAll(async () => {
  single = await openSingleTable()
})
beforeEach(() => {
  tenant = { id: 10 + (next += 1), slug: 'a', name: 'A', configVersion: 1 }
  reads = []
})
afterAll(() => single?.close())

/** What one instance of a function has. */
const instance = () =>
  createOrgTree({
    store: single.storeThrough((operation, call) => {
      reads.push(operation)
      return call()
    }),
    clock,
  })

/** Stores a unit together with what the tree says. */
async function put(id: number, parent: number | null, writes: readonly Write[]): Promise<void> {
  const record = {
    id,
    tenant_id: tenant.id,
    created_by: 1,
    updated_by: 1,
    created_at: at,
    updated_at: at,
    version: 1,
    data: { name: `Unit ${id}`, parent_id: parent },
  }
  const { store } = single
  await store.transact(
    tenant,
    [{ put: recordItem(table, record, { tenant, userId: 1 }, clock.uuid()) }, ...writes],
    clock.uuid(),
  )
  await store.write(tenant, {
    update: sequenceKey(tenant, 'sys_org_units'),
    change: { expression: 'SET #next = :n, live = :n', names: { '#next': 'next' }, values: { ':n': 9 } },
  })
}

describe('the tree of a tenant', () => {
  it('is read once, and then its revision only, until it changes', async () => {
    const tree = instance()
    await put(1, null, [])
    await put(2, 1, [tree.grow(tenant)])
    expect(await tree.withDescendants(tenant, [1])).toEqual([1, 2])
    reads = []
    expect(await tree.withDescendants(tenant, [2, 1])).toEqual([2, 1])
    expect(reads).toEqual(['GetItem'])
    await put(3, 2, [tree.grow(tenant)])
    expect(await tree.withDescendants(tenant, [1])).toEqual([1, 2, 3])
  })

  it('is not read for a user without units', async () => {
    expect(await instance().withDescendants(tenant, [])).toEqual([])
    expect(reads).toEqual([])
  })

  it('follows a change of another instance at once', async () => {
    const [one, other] = [instance(), instance()]
    await put(1, null, [])
    await put(2, null, [])
    expect([await one.withDescendants(tenant, [1]), await other.withDescendants(tenant, [1])]).toEqual([[1], [1]])
    await put(2, 1, [await one.move(tenant, 2, 1)])
    expect(await other.withDescendants(tenant, [1])).toEqual([1, 2])
    await put(2, null, [await other.move(tenant, 2, null)])
    expect(await one.withDescendants(tenant, [1])).toEqual([1])
  })

  it('lets one of two checked moves lose, whose instance then sees the circle', async () => {
    const [one, other] = [instance(), instance()]
    await put(1, null, [])
    await put(2, null, [])
    const [down, up] = [await one.move(tenant, 1, 2), await other.move(tenant, 2, 1)]
    await put(1, 2, [down])
    const refusal = await put(2, 1, [up]).catch((error: unknown) => error)
    expect(hasTreeChanged(refusal)).toBe(true)
    await expect(other.move(tenant, 2, 1)).rejects.toMatchObject({ errors: { parent_id: [expect.any(String)] } })
  })

  it('lets no unit go while a new one comes below it', async () => {
    const [one, other] = [instance(), instance()]
    await put(1, null, [])
    const leaving = await one.leave(tenant, 1)
    await put(2, 1, [other.grow(tenant)])
    expect(hasTreeChanged(await put(1, null, [leaving]).catch((error: unknown) => error))).toBe(true)
    await expect(one.leave(tenant, 1)).rejects.toMatchObject({ code: 'in_use' })
  })

  it('is read again after a read that failed', async () => {
    let isDown = true
    const tree = createOrgTree({
      store: single.storeThrough((operation, call) => {
        if (operation === 'Query' && isDown) throw new Error('down')
        return call()
      }),
      clock,
    })
    await put(1, null, [])
    await expect(tree.withDescendants(tenant, [1])).rejects.toThrow('down')
    isDown = false
    expect(await tree.withDescendants(tenant, [1])).toEqual([1])
  })
})
