import { unrestricted } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { purgeJobKind } from './purge-job.ts'

/** Longer than the job of a removal may be interrupted without being given up. */
const overdueMs = 12 * 3_600_000

/**
 * Starts the removal of a deleted tenant whose job was given up, for example because a provider failed for too long.
 * Jobs that run side by side do the same, and remove each other's rows.
 */
export async function resumePurge(
  { jobs, clock }: { readonly jobs: Pick<Jobs, 'start'>; readonly clock: Pick<Clock, 'now'> },
  tenant: Tenant,
): Promise<void> {
  if (tenant.deleteAt === undefined || clock.now() < Date.parse(tenant.deleteAt) + overdueMs) return
  await jobs.start(tenant, { ...unrestricted, userId: 0 }, purgeJobKind, {})
}
