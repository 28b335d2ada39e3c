import * as z from 'zod'
import { leaveTenant } from '../../../accounts/people/membership/change-membership.ts'
import { unrestricted } from '../../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { defineJob, type JobKind, type JobRun, type JobStep } from '../../../platform/jobs/define-job.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { tenantKey } from '../../../platform/store/keys/auth.ts'
import { jobKey } from '../../../platform/store/keys/jobs.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import { deploymentWide, type Store } from '../../../platform/store/store.ts'
import type { TenantScan } from '../../../platform/store/tenant-scan.ts'
import { equals } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { type RemovableObjects, removeObjects } from '../remove-objects.ts'

export const purgeJobKind = 'tenant-purge'

/** A pass over the table: the key it continues after, and how many rows it has removed. */
interface Pass {
  readonly after?: Readonly<Record<string, string>>
  readonly removed: number
}

interface Dependencies {
  readonly store: Store
  readonly clock: Clock
  readonly scan: TenantScan
  readonly objects: RemovableObjects
}

/**
 * Removes everything of a deleted tenant, once its time is over: objects first, then rows, in passes over the whole
 * table until one finds nothing, and last the rows of the tenant and of this job, in one transaction. Every step can be
 * repeated, so a crash anywhere continues. Ends without doing anything when the tenant was restored.
 */
export const purgeJob = (services: Dependencies): JobKind =>
  defineJob<z.ZodType, Pass>(
    purgeJobKind,
    z.object({}),
    async (run, _input, pass = { removed: 0 }) => {
      const { deleteAt } = run.tenant
      const { store, clock, objects } = services
      if (deleteAt === undefined || clock.now() < Date.parse(deleteAt)) return { ended: 'done' }
      if (!(await beginPurge(store, run.tenant, deleteAt))) return { ended: 'done' }
      if (!(await removeObjects(objects, run.tenant, run.timeIsUp))) return { state: pass }
      return continuePass(services, run, pass)
    },
    { whenDeleted: true },
  )

/** From here on nobody can restore the tenant. False when somebody just did. */
const beginPurge = (store: Store, tenant: TenantRef, deleteAt: string): Promise<boolean> =>
  wasApplied(
    store.write(tenant, {
      update: tenantKey(tenant),
      change: { expression: 'SET purge_started = :yes', values: { ':yes': true } },
      if: equals('delete_at', deleteAt),
    }),
  )

async function continuePass(services: Dependencies, run: JobRun, given: Pass): Promise<JobStep<Pass>> {
  const { store, clock } = services
  // Without these two nobody would continue after a crash.
  const last: readonly Key[] = [tenantKey(run.tenant), jobKey(run.tenant, run.id)]
  let { after, removed } = given
  do {
    const page = await removeRows(services, run.tenant, after, last)
    removed += page.removed
    after = page.after
    if (after && run.timeIsUp()) return { state: { after, removed }, worked: page.removed }
  } while (after)
  if (removed > 0) return { state: { removed: 0 } }
  await store.transact(
    deploymentWide,
    last.map((remove) => ({ remove })),
    clock.uuid(),
  )
  return { ended: 'removed' }
}

/**
 * Removes the tenant's rows of the page of the table after a key, except `kept`; a user's row after its person has left the tenant.
 * Answers how many it removed, and the key to continue after.
 */
async function removeRows(
  services: { readonly store: Store; readonly clock: Clock; readonly scan: TenantScan },
  tenant: TenantRef,
  after: Readonly<Record<string, string>> | undefined,
  kept: readonly Key[],
): Promise<{ removed: number; after?: Readonly<Record<string, string>> }> {
  const { store, scan } = services
  const { items, last } = await scan(tenant, after)
  const found = items.filter(({ pk, sk }) => !kept.some((one) => one.pk === pk && one.sk === sk))
  for (const { kind, id, email } of found) {
    if (kind === 'user' && typeof email === 'string') await leaveTenant(services, tenant, { id: Number(id), email })
  }
  await store.writeMany(deploymentWide, [], found.map(keyOfItem))
  return { removed: found.length, ...(last && { after: last }) }
}

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
