import { findTenant } from '../../auth/service.ts'
import type { Jobs } from '../../jobs/service.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { log } from '../../kernel/log.ts'
import { unrestricted } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { tenantSequenceKey } from '../../store/keys/auth.ts'
import { sequenceKey } from '../../store/keys/records.ts'
import { deploymentWide, type Store } from '../../store/table.ts'
import type { Tables } from '../../tables/service.ts'
import { changedRecords, type Span } from './changed-records.ts'
import { readCheckpoint, sequenceText, untouched } from './checkpoint.ts'
import { repairKind } from './repair-job.ts'

export interface RepairDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly jobs: Pick<Jobs, 'start'>
  readonly clock: Pick<Clock, 'now'>
  /** Younger changes may still be on their way through the feed. */
  readonly afterMs: number
}

/** How far back the first look at a tenant goes. */
const firstSpanMs = 2 * 24 * 60 * 60_000
const tenantsAtOnce = 8
const service = { ...unrestricted, userId: 0 }

/** Starts a repair for every tenant in which something changed since its last one. Whom it does not get to, the next night's does: the span grows. */
export async function startRepairs(deps: RepairDependencies, timeIsUp: () => boolean): Promise<{ started: number }> {
  const until = isoTime(deps.clock.now() - deps.afterMs)
  const last = Number((await deps.store.get(deploymentWide, tenantSequenceKey))?.next ?? 0)
  let started = 0
  for (let first = 1; first <= last; first += tenantsAtOnce) {
    if (timeIsUp()) {
      log.warn('the night was too short for all tenants', { from: first, to: last })
      break
    }
    const ids = Array.from({ length: Math.min(tenantsAtOnce, last - first + 1) }, (_, index) => first + index)
    const outcomes = await Promise.all(ids.map((id) => startRepair(deps, id, until)))
    started += outcomes.filter(Boolean).length
  }
  return { started }
}

async function startRepair(deps: RepairDependencies, id: number, until: string): Promise<boolean> {
  const tenant = await findTenant(deps.store, id)
  if (!tenant) return false
  const bookmark = await readCheckpoint(deps.store, tenant)
  const since = bookmark?.until ?? isoTime(Date.parse(until) - firstSpanMs)
  if (!(await hasChanged(deps, tenant, { since, until }, bookmark?.counted ?? {}))) return false
  await deps.jobs.start(tenant, service, repairKind, { since, until })
  return true
}

async function hasChanged(
  { store, tables }: RepairDependencies,
  tenant: Tenant,
  span: Span,
  counted: Readonly<Record<string, string>>,
): Promise<boolean> {
  const names = (await tables.all(tenant)).map(({ name }) => name)
  const sequences = await store.getMany(
    tenant,
    names.map((name) => sequenceKey(tenant, name)),
  )
  if (names.some((name, index) => sequenceText(sequences[index]) !== (counted[name] ?? untouched))) return true
  for (const name of names) {
    for (const life of ['living', 'gone'] as const)
      if ((await changedRecords(store, tenant, name, life, span, 1)).keys.length > 0) return true
  }
  return false
}
