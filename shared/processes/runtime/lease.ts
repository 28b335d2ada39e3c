import { isoTime } from '../../kernel/clock.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { and, atRevision, equals } from '../../store/conditions.ts'
import { instanceKey } from '../../store/keys/processes.ts'
import { ConditionFailed, hasHeld } from '../../store/refusals.ts'
import type { Store, Write } from '../../store/table.ts'
import { type Instance, isUntouched, type OpenWait } from '../rows/instance-row.ts'
import { tasksOf } from '../tasks/tasks-of.ts'
import type { Work } from './step/commit-step.ts'
import { endedTask } from './step/step-writes.ts'

/**
 * Keeps everybody else from the instance while a step does work, and ends the tasks that the step takes away: whoever would
 * complete one from now on is refused, so nothing is done of a way that the process does not go. Throws ConditionFailed or
 * TransactionRefused when somebody else has the instance, or was faster with one of the tasks.
 */
export async function takeLease(
  work: Work,
  { id, rev }: Pick<Instance, 'id' | 'rev'>,
  overtaken: readonly OpenWait[],
): Promise<void> {
  const { deps, tenant, holder } = work
  const { store, clock } = deps
  const nowMs = clock.now()
  await store.update(tenant, {
    update: instanceKey(tenant, id),
    change: {
      expression: 'SET lease_holder = :holder, lease_until = :until',
      values: { ':holder': holder, ':until': nowMs + deps.leaseMs },
    },
    if: isUntouched(rev, holder, nowMs),
  })
  const isHeld: Write = {
    check: instanceKey(tenant, id),
    if: and(atRevision(rev), equals('lease_holder', holder)),
  }
  const ends = await endsOf(work, overtaken, isoTime(nowMs))
  for (let start = 0; start < ends.length; start += tasksAtOnce)
    await store.transact(tenant, [isHeld, ...ends.slice(start, start + tasksAtOnce)], clock.uuid())
}

/** A transaction holds a hundred writes. */
const tasksAtOnce = 99

/**
 * The rows of these tasks, cancelled; what offers them goes with the step. Throws ConditionFailed when one was completed after
 * the step was chosen: its command may go first. One that was known of by then comes after this step, or waits for a retry.
 */
async function endsOf({ deps, tenant, open }: Work, waits: readonly OpenWait[], at: string): Promise<Write[]> {
  const tasks = [...(await tasksOf(deps.store, tenant, waits)).values()]
  const known = new Set(
    open.commands.flatMap(({ command }) => (command.kind === 'complete' ? [command.executionId] : [])),
  )
  if (tasks.some(({ status, executionId }) => status === 'completed' && !known.has(executionId)))
    throw new ConditionFailed(undefined)
  return tasks
    .filter(({ status }) => status === 'pending')
    .map((task) => endedTask(tenant, { ...task, status: 'cancelled', completedAt: at }))
}

export async function releaseLease(store: Store, tenant: TenantRef, id: number, holder: string): Promise<void> {
  await hasHeld(
    store.update(tenant, {
      update: instanceKey(tenant, id),
      change: { expression: 'REMOVE lease_holder, lease_until' },
      if: equals('lease_holder', holder),
    }),
  )
}
