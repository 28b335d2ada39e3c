import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUser } from '../../../../../../shared/accounts/people/new-user.ts'
import { userItem } from '../../../../../../shared/accounts/people/user.ts'
import { stepScope } from '../../../../../../shared/automation/processes/evaluate/step-scope.ts'
import { recordItem } from '../../../../../../shared/records/records/record-item.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const at = '2026-11-20T08:00:00.000Z'
const plans = tableOf(101, 'plans', [{ name: 'status', type: 'text' }])
let single: SingleTable
let reads = 0
beforeAll(async () => {
  single = await openSingleTable()
  const user = newUser(3, { name: 'Ann', email: 'ann@acme.test' }, { roles: ['agent'] }, at)
  await single.store.write(tenant, { put: userItem(tenant, user) })
  await put('new')
})
afterAll(() => single?.close())

const put = (status: string) => {
  const head = { id: 5, tenant_id: 7, created_by: 3, updated_by: 3, created_at: at, updated_at: at, version: 1 }
  const item = recordItem(plans, { ...head, data: { status } }, { tenant, userId: 3 }, `made ${status}`)
  return single.store.write(tenant, { put: item })
}
function scopeOf(userId: number, changed?: object, recordId = 5) {
  reads = 0
  const store = single.storeThrough((operation, call) => {
    reads += Number(operation === 'GetItem')
    return call()
  })
  const tables = { find: async () => plans } as never
  return stepScope(
    { store, tables },
    tenant,
    { model: 'plans', recordId, lastTask: null },
    { userId },
    changed as never,
  )
}

describe('the user of a step', () => {
  it('is the person who led to it, read once', async () => {
    const scope = scopeOf(3)
    const ann = { id: 3, name: 'Ann', email: 'ann@acme.test', roles: ['agent'] }
    expect([await scope.user(), await scope.user(), reads]).toEqual([ann, ann, 1])
  })

  it('is nobody for a timer, which costs no read', async () => {
    expect([await scopeOf(0).user(), reads]).toEqual([null, 0])
  })

  it('is nobody when the account is gone', async () => {
    expect(await scopeOf(99).user()).toBeNull()
  })
})

describe('the record of a step', () => {
  it('is read once, and again after the step wrote it', async () => {
    const scope = scopeOf(3)
    expect([await scope.record(), await scope.record(), reads]).toMatchObject([{ status: 'new' }, { status: 'new' }, 1])
    await put('seen')
    scope.forgetRecord()
    expect(await scope.record()).toMatchObject({ id: 5, status: 'seen' })
    await put('new')
  })

  it('was as it is now before the step, but for what led to it', async () => {
    expect(await scopeOf(3).old()).toMatchObject({ id: 5, status: 'new' })
    expect(await scopeOf(3, { status: 'old' }).old()).toMatchObject({ id: 5, status: 'old' })
  })

  it('is null when it does not exist', async () => {
    const scope = scopeOf(3, { status: 'old' }, 6)
    expect([await scope.record(), await scope.old()]).toEqual([null, null])
  })
})
