import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../../../../shared/accounts/people/create-tenant.ts'
import { findTenant } from '../../../../../../shared/accounts/tenants/find-tenant.ts'
import type { Tenant } from '../../../../../../shared/kernel/tenancy.ts'
import { purgeJob } from '../../../../../../shared/operations/tenant-life/deletion/purge-job.ts'
import type { JobStep } from '../../../../../../shared/platform/jobs/define-job.ts'
import { tenantKey } from '../../../../../../shared/platform/store/keys/auth.ts'
import { belongsTo, type Key, keyOfItem } from '../../../../../../shared/platform/store/keys/key.ts'
import { idempotencyKey } from '../../../../../../shared/platform/store/keys/records.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const clock = frozenClock('2026-11-20T08:00:00.000Z')
let single: SingleTable
let count = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

/** A tenant whose removal is due, with some rows. */
async function dueTenant(rows: number): Promise<Tenant> {
  const slug = `acme-${(count += 1)}`
  const { tenant } = await createTenant({ store: single.store, clock }, { slug, name: 'Acme' })
  await single.store.write(tenant, {
    update: tenantKey(tenant),
    change: { expression: 'SET delete_at = :now', values: { ':now': '2026-11-20T08:00:00.000Z' } },
  })
  for (let n = 0; n < rows; n++) await single.store.write(tenant, { put: row(tenant, n) })
  return (await findTenant(single.store, tenant.id)) as Tenant
}
const row = (tenant: Tenant, n: number): Item & Key => ({
  ...idempotencyKey(tenant, 1, 'POST /', `key ${n}`),
  kind: 'idempotency',
  v: 1,
})

/**
 * Runs the job to its end and answers how many passes it made. A scan gives two rows a page in the order of their keys;
 * `meanwhile` runs after each page, as a request does that began before the tenant was deleted.
 */
async function purge(tenant: Tenant, meanwhile: (page: number) => Promise<unknown> = async () => {}, timeIsUp = false) {
  let [pages, passes] = [0, 0]
  const job = purgeJob({
    store: single.store,
    clock,
    objects: { list: async () => [], remove: async () => {} },
    async scan(_, after) {
      if (after === undefined) passes += 1
      const all = (await rowsOf(tenant)).toSorted((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1))
      const left = all.filter((item) => after === undefined || addressOf(item) > String(after.at))
      const items = left.slice(0, 2)
      await meanwhile((pages += 1))
      const end = items.at(-1)
      return { items, last: left.length > 2 && end ? { at: addressOf(end) } : undefined }
    },
  })
  const run = { id: 1, tenant, actor: { userId: 1 }, timeIsUp: () => timeIsUp }
  let step: JobStep<unknown> = { state: undefined }
  for (let steps = 0; !('ended' in step) && steps < 50; steps += 1)
    step = await job.step(run as never, {}, 'state' in step ? step.state : undefined)
  return { step, passes, pages, left: await rowsOf(tenant) }
}
const addressOf = (item: Item): string => `${String(item.pk)}\n${String(item.sk)}`
const rowsOf = async (tenant: Tenant): Promise<Item[]> =>
  (await single.itemsOf(`T#${tenant.id}`)).filter((item) => belongsTo(keyOfItem(item), tenant))

describe('a purge', () => {
  it('removes a row that appeared behind the pass, by another one', async () => {
    const tenant = await dueTenant(6)
    const late = (page: number) =>
      page === 3 ? single.store.write(tenant, { put: row(tenant, 0) }) : Promise.resolve()
    const { step, passes, left } = await purge(tenant, late)
    expect([step, left]).toEqual([{ ended: 'removed' }, []])
    expect(passes).toBeGreaterThanOrEqual(2)
    expect(await findTenant(single.store, tenant.id)).toBeUndefined()
  })

  it('ends only after a pass that finds nothing, also when every page is a step of its own', async () => {
    const tenant = await dueTenant(5)
    const { step, passes, left } = await purge(tenant, undefined, true)
    expect([step, passes, left]).toEqual([{ ended: 'removed' }, 2, []])
  })

  it('removes nothing of a tenant that was restored', async () => {
    const tenant = await dueTenant(3)
    const before = (await rowsOf(tenant)).length
    await single.store.write(tenant, { update: tenantKey(tenant), change: { expression: 'REMOVE delete_at' } })
    const { step, left } = await purge(tenant)
    expect([step, left.length]).toEqual([{ ended: 'done' }, before])
  })
})
