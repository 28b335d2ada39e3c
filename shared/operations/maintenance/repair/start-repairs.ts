import { findTenant } from '../../../accounts/tenants/find-tenant.ts'
import { own } from '../../../kernel/collections/own-members.ts'
import { unrestricted } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { tenantSequenceKey } from '../../../platform/store/keys/auth.ts'
import { sequenceKey } from '../../../platform/store/keys/records.ts'
import { deploymentWide, type Store } from '../../../platform/store/store.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import { changedRecords, type Span } from './changed-records.ts'
import { neverUsed, readCheckpoint, sequenceText } from './checkpoint.ts'
import { repairKind } from './repair-job.ts'

export interface StartRepairsDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly jobs: Pick<Jobs, 'start'>
  readonly clock: Pick<Clock, 'now'>
  /** Starts the removal of a deleted tenant again, when its job was given up. */
  readonly resumePurge: (tenant: Tenant) => Promise<void>
  /** Later changes may still be in the change feed. */
  readonly afterMs: number
}

/** How far back the first repair of a tenant goes. */
const firstSpanMs = 2 * 24 * 60 * 60_000
const parallelTenants = 8
const service = { ...unrestricted, userId: 0 }

/**
 * Starts a repair for every tenant with changes since its last one, and the overdue removals of deleted ones. Tenants it has no time for follow the next night,
 * with a longer span.
 */
export async function startRepairs(
  services: StartRepairsDependencies,
  timeIsUp: () => boolean,
): Promise<{ started: number }> {
  const until = isoTime(services.clock.now() - services.afterMs)
  const last = Number((await services.store.get(deploymentWide, tenantSequenceKey))?.next ?? 0)
  let started = 0
  for (let first = 1; first <= last; first += parallelTenants) {
    if (timeIsUp()) {
      log.warn('no time left to start the repairs of all tenants', { from: first, to: last })
      break
    }
    const ids = Array.from({ length: Math.min(parallelTenants, last - first + 1) }, (_, index) => first + index)
    const outcomes = await Promise.all(ids.map((id) => startRepair(services, id, until)))
    started += outcomes.filter(Boolean).length
  }
  return { started }
}

async function startRepair(services: StartRepairsDependencies, id: number, until: string): Promise<boolean> {
  const tenant = await findTenant(services.store, id)
  if (!tenant) return false
  if (tenant.deleteAt !== undefined) {
    await services.resumePurge(tenant)
    return false
  }
  const checkpoint = await readCheckpoint(services.store, tenant)
  const since = checkpoint?.until ?? isoTime(Date.parse(until) - firstSpanMs)
  if (!(await hasChanged(services, tenant, { since, until }, checkpoint?.counted ?? {}))) return false
  await services.jobs.start(tenant, service, repairKind, { since, until })
  return true
}

async function hasChanged(
  { store, tables }: StartRepairsDependencies,
  tenant: Tenant,
  span: Span,
  counted: Readonly<Record<string, string>>,
): Promise<boolean> {
  const names = (await tables.all(tenant)).map(({ name }) => name)
  const sequences = await store.getMany(
    tenant,
    names.map((name) => sequenceKey(tenant, name)),
  )
  if (names.some((name, index) => sequenceText(sequences[index]) !== (own(counted, name) ?? neverUsed))) return true
  for (const name of names) if ((await changedRecords(store, tenant, name, span, 1)).changes.length > 0) return true
  return false
}
