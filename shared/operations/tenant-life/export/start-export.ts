import { Conflict } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { findJob } from '../../../platform/jobs/find-jobs.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { tenantExportKey } from '../../../platform/store/keys/jobs.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { commit } from '../../../platform/store/writes/commit.ts'
import { equals, isNew } from '../../../platform/store/writes/conditions.ts'

export const exportJobKind = 'tenant-export'

interface Dependencies {
  readonly store: Pick<Store, 'get' | 'transact'>
  readonly clock: Pick<Clock, 'uuid'>
  readonly jobs: Pick<Jobs, 'prepare' | 'wake'>
}

/** Starts the export of the caller's tenant; answers the id of its job. Throws Conflict while another one runs. */
export async function startTenantExport({ store, clock, jobs }: Dependencies, caller: Caller): Promise<number> {
  const { tenant } = caller
  const earlier = await store.get(tenant, tenantExportKey(tenant))
  const earlierId = earlier && jobIdOf(earlier)
  if (earlierId !== undefined) {
    const job = await findJob(store, tenant, earlierId)
    if (job && (job.status === 'queued' || job.status === 'running')) throw exportRuns(earlierId)
  }
  const job = await jobs.prepare(tenant, caller, exportJobKind, {})
  const claim = {
    put: { ...tenantExportKey(tenant), kind: 'tenant_export', v: 1, job_id: job.id },
    if: earlierId === undefined ? isNew : equals('job_id', earlierId),
  }
  await commit(
    store,
    tenant,
    [{ write: claim, refused: (existing) => exportRuns(existing ? jobIdOf(existing) : job.id) }, { write: job.write }],
    clock.uuid(),
  )
  await jobs.wake(tenant, job.id)
  return job.id
}

const jobIdOf = (item: Item): number => Number(item.job_id)

const exportRuns = (jobId: number): Conflict =>
  new Conflict('export_running', 'An export of the company is running. Wait until its job has ended.', {
    details: { job_id: jobId },
  })
