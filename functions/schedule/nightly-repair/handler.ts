import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { log } from '../../../shared/kernel/runtime/log.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { startRepairs } from '../../../shared/operations/maintenance/repair/start-repairs.ts'
import { resumePurge } from '../../../shared/operations/tenant-life/deletion/purge-job.ts'
import { jobs } from '../../wiring/jobs.ts'
import { store } from '../../wiring/platform/store.ts'
import { tables } from '../../wiring/tables/tables.ts'

const repairs = {
  store,
  tables,
  jobs,
  clock,
  resumePurge: (tenant: Tenant) => resumePurge({ jobs, clock }, tenant),
  afterMs: environment().REPAIR_AFTER_MS,
}
const reserveMs = 10_000

/**
 * Runs every night: starts one repair job per tenant, which checks recent changes and completes what a fault left
 * undone.
 */
export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<{ started: number }> {
  const outcome = await startRepairs(repairs, () => context.getRemainingTimeInMillis() < reserveMs)
  log.info('repairs started', outcome)
  return outcome
}
