import { describe, expect, it } from 'vitest'
import { createRowAccess } from '../../../../../shared/accounts/access/row-access.ts'
import type { RowRule } from '../../../../../shared/kernel/permissions.ts'
import { unrestricted, type Viewer } from '../../../../../shared/kernel/principal.ts'
import { createRowFilter } from '../../../../../shared/lists/query/row-filter.ts'
import { recordItem } from '../../../../../shared/platform/store/rows/write-record-row.ts'
import type { Item } from '../../../../../shared/platform/store/values/marshal.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../make/builders/lists/query-records.ts'

const cars = tableOf(1, 'cars', [{ name: 'price', type: 'integer' }])
const tables = { require: async () => cars, find: async () => undefined }
const orgTree = { withDescendants: async (_tenant: object, units: readonly number[]) => units }
const rowFilter = createRowFilter({ store: {} as never, clock: frozenClock(), tables, orgTree })
const access = createRowAccess({ tables, rowFilter })

const at = '2026-11-20T08:00:00.000Z'
const carFor = (price: number): Item => {
  const head = { id: price, tenant_id: tenant.id, created_by: 1, updated_by: 1, created_at: at, updated_at: at }
  return recordItem(cars, { ...head, version: 1, data: { price } }, { tenant, userId: 1 }, 'a write')
}
const upTo = (action: RowRule['action'], price: number): RowRule => ({
  table: 'cars',
  action,
  filter: { price: { _lte: price } },
})
const holding = (...rules: RowRule[]): Viewer => ({
  ...unrestricted,
  tenant,
  userId: 1,
  isAdministrator: false,
  permissions: ['cars.*'],
  grants: [{ permissions: ['cars.*'], rules, fields: {} }],
})
/** Reads up to 30, changes up to 20, deletes up to 10. */
const viewer = holding(upTo('read', 30), upTo('update', 20), upTo('delete', 10))

describe('a record that row rules limit', () => {
  it.each<[RowRule['action'], number, string]>([
    ['read', 30, 'allowed'],
    ['read', 31, 'record_not_found'],
    ['update', 20, 'allowed'],
    ['update', 21, 'record_forbidden'],
    ['update', 31, 'record_not_found'],
    ['delete', 10, 'allowed'],
    ['delete', 11, 'record_forbidden'],
    ['delete', 31, 'record_not_found'],
  ])('to %s one of %d: %s', async (action, price, outcome) => {
    const asked = access.require(viewer, 'cars', price, action, carFor(price))
    expect(await asked.then(() => 'allowed').catch((error: { code: string }) => error.code)).toBe(outcome)
  })

  it('is not reached by a rule for a change alone where it may not be read', async () => {
    const asked = access.require(holding(upTo('read', 10), upTo('update', 30)), 'cars', 20, 'update', carFor(20))
    await expect(asked).rejects.toMatchObject({ code: 'record_not_found' })
  })

  it('is left out of several where its action is not allowed, in their order', async () => {
    const [cheap, dear] = [carFor(10), carFor(11)]
    expect(await access.permitted(viewer, 'cars', 'delete', [dear, undefined, cheap, null])).toEqual([
      undefined,
      undefined,
      cheap,
      undefined,
    ])
  })
})

it('without the permission on its table is changed by nobody, with and without rules', async () => {
  const permissions = ['cars.read', 'cars.delete']
  for (const rules of [[], [upTo('update', 20)]]) {
    const reader = { ...holding(), permissions, grants: [{ permissions, rules, fields: {} }] }
    await expect(access.require(reader, 'cars', 10, 'update', carFor(10))).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('cars.update'),
    })
    expect(await access.permitted(reader, 'cars', 'update', [carFor(10)])).toEqual([undefined])
    await expect(access.require(reader, 'cars', 10, 'read', carFor(10))).resolves.toBeUndefined()
    await expect(access.require(reader, 'cars', 10, 'delete', carFor(10))).resolves.toBeUndefined()
  }
})

it('a record that does not exist is not found, with and without rules', async () => {
  for (const one of [viewer, holding(), { ...viewer, isAdministrator: true }])
    for (const action of ['read', 'update', 'delete'] as const)
      await expect(access.require(one, 'cars', 1, action, undefined)).rejects.toMatchObject({
        code: 'record_not_found',
      })
})

it('without a rule for the action, and for administrators, every record is reached', async () => {
  const dear = carFor(99)
  expect([access.isLimited(viewer, 'cars', 'update'), access.isLimited(viewer, 'boats', 'update')]).toEqual([
    true,
    false,
  ])
  for (const one of [holding(), { ...viewer, isAdministrator: true }]) {
    expect(access.isLimited(one, 'cars', 'update')).toBe(false)
    await expect(access.require(one, 'cars', 99, 'update', dear)).resolves.toBeUndefined()
  }
  const unlimited = holding(upTo('read', 99))
  await expect(access.require(unlimited, 'cars', 99, 'delete', dear)).resolves.toBeUndefined()
})
