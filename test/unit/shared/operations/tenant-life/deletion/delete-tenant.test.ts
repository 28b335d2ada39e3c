import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTenant } from '../../../../../../shared/accounts/people/create-tenant.ts'
import { findTenant } from '../../../../../../shared/accounts/tenants/find-tenant.ts'
import { type Caller, unrestricted } from '../../../../../../shared/kernel/principal.ts'
import type { Tenant } from '../../../../../../shared/kernel/tenancy.ts'
import { deleteTenant, restoreTenant } from '../../../../../../shared/operations/tenant-life/deletion/delete-tenant.ts'
import { resumePurge } from '../../../../../../shared/operations/tenant-life/deletion/purge-job.ts'
import { createJobs } from '../../../../../../shared/platform/jobs/service.ts'
import { tenantKey } from '../../../../../../shared/platform/store/keys/auth.ts'
import { frozenClock, type FrozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const days = 86_400_000
let single: SingleTable
let clock: FrozenClock
let tenant: Tenant
let count = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single.close())
beforeEach(async () => {
  clock = frozenClock('2026-11-20T08:00:00.000Z')
  const made = await createTenant({ store: single.store, clock }, { slug: `acme-${(count += 1)}`, name: 'Acme' })
  tenant = made.tenant
})

const dependencies = () => ({
  store: single.store,
  clock,
  jobs: createJobs({ store: single.store, clock, queueUrl: 'queue', send: async () => [] }),
})
const caller = async (more: Partial<Caller> = {}): Promise<Caller> => ({
  ...unrestricted,
  tenant: (await findTenant(single.store, tenant.id))!,
  userId: 1,
  name: 'Grace',
  email: 'grace@acme.test',
  companyId: null,
  locale: null,
  tokenNumber: 1,
  tokenKind: 'session',
  mfaEnabled: false,
  mustSetUpMfa: false,
  ...more,
})
const jobs = async () => (await single.itemsOf(`T#${tenant.id}#JOBS`)).map(({ job_kind, s20 }) => [job_kind, s20])

describe('deleting a tenant', () => {
  it('marks it, and stores the job of its removal, due in thirty days', async () => {
    expect(await deleteTenant(dependencies(), await caller(), tenant.slug)).toBe('2026-12-20T08:00:00.000Z')
    expect((await findTenant(single.store, tenant.id))?.deleteAt).toBe('2026-12-20T08:00:00.000Z')
    expect(await jobs()).toEqual([['tenant-purge', `2026-12-20T08:00:00.000Z#${tenant.id}#${tenant.id}#1`]])
  })

  it('with another slug is refused', async () => {
    const refused = { errors: { slug: [expect.any(String)] } }
    await expect(deleteTenant(dependencies(), await caller(), 'acme')).rejects.toMatchObject(refused)
    expect([(await findTenant(single.store, tenant.id))?.deleteAt, await jobs()]).toEqual([undefined, []])
  })

  it('twice at the same time happens once', async () => {
    const given = await caller()
    const outcomes = await Promise.allSettled([1, 2].map(() => deleteTenant(dependencies(), given, tenant.slug)))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await jobs()).toHaveLength(1)
  })
})

describe('restoring a tenant', () => {
  it('is possible until the moment of its removal', async () => {
    await deleteTenant(dependencies(), await caller(), tenant.slug)
    clock.advance(30 * days - 1)
    await restoreTenant(dependencies(), await caller())
    expect((await findTenant(single.store, tenant.id))?.deleteAt).toBeUndefined()
  })

  it('is refused when the removal is due or has begun, even by a clock that is late', async () => {
    await deleteTenant(dependencies(), await caller(), tenant.slug)
    await single.store.write(tenant, {
      update: tenantKey(tenant),
      change: { expression: 'SET purge_started = :yes', values: { ':yes': true } },
    })
    const refused = { code: 'tenant_deleted' }
    await expect(restoreTenant(dependencies(), await caller())).rejects.toMatchObject(refused)
    clock.advance(30 * days)
    await expect(restoreTenant(dependencies(), await caller())).rejects.toMatchObject(refused)
  })
})

it('a removal that was given up is started again, hours after it was due', async () => {
  const resume = async () => resumePurge(dependencies(), (await findTenant(single.store, tenant.id))!)
  await resume()
  expect(await jobs()).toEqual([])
  await deleteTenant(dependencies(), await caller(), tenant.slug)
  clock.advance(30 * days + 11 * 3_600_000)
  await resume()
  expect(await jobs()).toHaveLength(1)
  clock.advance(3_600_000)
  await resume()
  expect((await jobs()).map(([kind]) => kind)).toEqual(['tenant-purge', 'tenant-purge'])
})
