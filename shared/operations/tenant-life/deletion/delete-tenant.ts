import { tenantDeleted } from '../../../kernel/failures/deleted-tenant.ts'
import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { tenantKey } from '../../../platform/store/keys/auth.ts'
import type { Store } from '../../../platform/store/store.ts'
import { commit } from '../../../platform/store/writes/commit.ts'
import { and, equals, exists, lacks } from '../../../platform/store/writes/conditions.ts'
import { trailEvent } from '../../../platform/trail/trail-event.ts'
import { purgeJobKind } from './purge-job.ts'

/** How long a deleted tenant can be restored. */
const restorableMs = 30 * 24 * 60 * 60_000

interface Dependencies {
  readonly store: Pick<Store, 'transact'>
  readonly clock: Clock
}

/**
 * Deletes the caller's tenant: from now on it refuses every request, and the job stored in the same transaction removes
 * its data after thirty days. `slug` confirms it: Invalid naming `slug` when it is another one. Answers the time of the removal (ISO).
 */
export async function deleteTenant(
  { store, clock, jobs }: Dependencies & { readonly jobs: Pick<Jobs, 'prepare'> },
  caller: Caller,
  slug: string,
): Promise<string> {
  const { tenant } = caller
  if (slug !== tenant.slug) throw new Invalid({ slug: ['The slug is not the one of your company.'] })
  const deleteAt = isoTime(clock.now() + restorableMs)
  const mark = {
    update: tenantKey(tenant),
    change: { expression: 'SET delete_at = :at', values: { ':at': deleteAt } },
    if: and(exists, lacks('delete_at')),
  }
  const job = await jobs.prepare(tenant, caller, purgeJobKind, {}, { dueAfterMs: restorableMs })
  const event = trailEvent(clock, tenant, caller, {
    action: 'delete',
    model: 'sys_tenants',
    id: tenant.id,
    name: tenant.slug,
    changes: { delete_at: { old: null, new: deleteAt } },
  })
  await commit(
    store,
    tenant,
    [
      { write: mark, refused: (existing) => tenantDeleted(String(existing?.delete_at ?? deleteAt)) },
      { write: job.write },
      event,
    ],
    clock.uuid(),
  )
  return deleteAt
}

/**
 * Restores the caller's deleted tenant; does nothing when it is not deleted. Throws `tenant_deleted` when its removal is
 * due. The job of the removal finds the tenant restored, and ends.
 */
export async function restoreTenant({ store, clock }: Dependencies, caller: Caller): Promise<void> {
  const { tenant } = caller
  const { deleteAt } = tenant
  if (deleteAt === undefined) return
  if (clock.now() >= Date.parse(deleteAt)) throw tenantDeleted(deleteAt)
  const unmark = {
    update: tenantKey(tenant),
    change: { expression: 'REMOVE delete_at' },
    if: and(equals('delete_at', deleteAt), lacks('purge_started')),
  }
  const event = trailEvent(clock, tenant, caller, {
    action: 'update',
    model: 'sys_tenants',
    id: tenant.id,
    name: tenant.slug,
    changes: { delete_at: { old: deleteAt, new: null } },
  })
  await commit(store, tenant, [{ write: unmark, refused: () => tenantDeleted(deleteAt) }, event], clock.uuid())
}
