import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { instanceKey } from '../../../platform/store/keys/processes.ts'
import { isHeldBy } from '../../../platform/store/lease.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { and, atRevision } from '../../../platform/store/writes/conditions.ts'
import { ConditionFailed, wasApplied } from '../../../platform/store/writes/refusals.ts'
import { type Instance, isUnchanged, type OpenWait } from '../rows/instance-row.ts'
import { tasksOf } from '../rows/tasks-of-waits.ts'
import type { InstanceWork } from './commit-step.ts'
import { putEndedTask } from './step-writes.ts'

/**
 * Acquires or renews the lease on an instance, and cancels the tasks that the step ends: from now on their completion
 * is refused (docs/decisions/0023). Throws ConditionFailed or TransactionRefused when another worker holds the lease,
 * has stored a step, or has completed one of the tasks.
 */
export async function acquireLease(
  work: InstanceWork,
  { id, rev }: Pick<Instance, 'id' | 'rev'>,
  cancelled: readonly OpenWait[],
): Promise<void> {
  const { services, tenant, holder } = work
  const { store, clock } = services
  const nowMs = clock.now()
  await store.update(tenant, {
    update: instanceKey(tenant, id),
    change: {
      expression: 'SET lease_holder = :holder, lease_until = :until',
      values: { ':holder': holder, ':until': nowMs + services.leaseMs },
    },
    if: isUnchanged(rev, holder, nowMs),
  })
  const holdsLease: Write = {
    check: instanceKey(tenant, id),
    if: and(atRevision(rev), isHeldBy(holder)),
  }
  const writes = await cancellations(work, cancelled, isoTime(nowMs))
  for (let start = 0; start < writes.length; start += tasksPerTransaction)
    await store.transact(tenant, [holdsLease, ...writes.slice(start, start + tasksPerTransaction)], clock.uuid())
}

/** The part of its time for which a lease is taken to be fresh. */
const freshPart = 0.1

/**
 * Acquires the lease before every piece of work of a step. It is renewed when a tenth of its time has passed, so that many
 * short pieces do not write it each, and when there are tasks to cancel that were not before.
 */
export function leaseKeeper(
  work: InstanceWork,
  instance: Pick<Instance, 'id' | 'rev'>,
): (cancelled: readonly OpenWait[]) => Promise<void> {
  const { clock, leaseMs } = work.services
  const known = new Set<string>()
  let acquiredAt: number | undefined
  return async (cancelled) => {
    const now = clock.now()
    const isFresh = acquiredAt !== undefined && now - acquiredAt < leaseMs * freshPart
    if (isFresh && cancelled.every(({ executionId }) => known.has(executionId))) return
    await acquireLease(work, instance, cancelled)
    acquiredAt = now
    for (const { executionId } of cancelled) known.add(executionId)
  }
}

/** A transaction holds 100 writes; one of them checks the lease. */
const tasksPerTransaction = 99

/**
 * The writes that cancel these tasks; the step removes their candidate rows. Throws ConditionFailed when one was
 * completed after the commands were read: its command may come first. A completion that was read then comes later, or
 * is suspended.
 */
async function cancellations(
  { services, tenant, open }: InstanceWork,
  waits: readonly OpenWait[],
  at: string,
): Promise<Write[]> {
  const tasks = [...(await tasksOf(services.store, tenant, waits)).values()]
  const known = new Set(
    open.commands.flatMap(({ command }) => (command.kind === 'complete' ? [command.executionId] : [])),
  )
  if (tasks.some(({ status, executionId }) => status === 'completed' && !known.has(executionId)))
    throw new ConditionFailed(undefined)
  return tasks
    .filter(({ status }) => status === 'pending')
    .map((task) => putEndedTask(tenant, { ...task, status: 'cancelled', completedAt: at, version: task.version + 1 }))
}

/** Releases the lease if this holder has it. */
export async function releaseLease(store: Store, tenant: TenantRef, id: number, holder: string): Promise<void> {
  await wasApplied(
    store.update(tenant, {
      update: instanceKey(tenant, id),
      change: { expression: 'REMOVE lease_holder, lease_until' },
      if: isHeldBy(holder),
    }),
  )
}
