import { isoTime } from '../../../kernel/time/clock.ts'
import { dueSlot, setSlot } from '../../../platform/store/slots.ts'
import type { Write } from '../../../platform/store/store.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import type { Command } from '../../bpmn/schema.ts'
import { commandDueKey, commandItem, type CommandRow } from '../rows/command-rows.ts'
import { hasIncident, readInstance, readInstanceHead, type Instance } from '../rows/instance-row.ts'
import { commitStep, removeUnneeded, type InstanceWork } from './commit-step.ts'
import { stepInstance } from './step-instance.ts'
import { resolveIncident } from './step-writes.ts'
import { versionOfRecord } from './suspend-step.ts'

/** Resumes suspended commands and timers, and repeats the work that failed, also that of called instances. */
export async function retryFailedWork(work: InstanceWork, row: CommandRow): Promise<void> {
  const { services, tenant, item, open } = work
  const { clock, objects } = services
  const head = readInstanceHead(item)
  await retryCalled(work, row, head)
  const failed = head.waits.filter(({ kind }) => kind === 'failed')
  const suspended = [...open.commands, ...open.timers].filter(({ isSuspended }) => isSuspended)
  if (head.stepIncidents.length > 0 || suspended.length > 0) {
    const before = await readInstance(item, objects.fetchObject)
    const now = clock.now()
    const after: Instance = {
      ...before,
      rev: before.rev + 1,
      status: hasIncident({ ...before, stepIncidents: [] }) ? 'incident' : 'running',
      stepIncidents: [],
      hops: 0,
    }
    const due = commandDueKey(tenant, before.id, now)
    const version = await versionOfRecord(services.store, tenant, before)
    const slot = setSlot(dueSlot, due.pk, due.sk)
    const resumed = suspended.map((one): Write => ({
      update: one.key,
      change: {
        // In the same try nothing is written again. A record that was changed since may need other values.
        expression: `REMOVE parked SET retried = :yes, try_id = :try, ${slot.expression}`,
        values: {
          ':yes': true,
          ':try': one.failedVersion === version ? one.tryId : row.key.sk,
          ...slot.values,
        },
      },
      if: exists,
    }))
    const resolved = head.stepIncidents.map((id) => resolveIncident(tenant, id, isoTime(now)))
    // With failed work as well the command stays: carried out again, it finds nothing suspended and repeats the work.
    return commitStep(work, before, after, failed.length > 0 ? undefined : row, [...resumed, ...resolved])
  }
  if (failed.length === 0) return removeUnneeded(work, row)
  return stepInstance(
    work,
    row,
    failed.map(({ executionId }): Command => ({ kind: 'retry', executionId })),
  )
}

/** A repeat gives the same commands again: an instance that has no incident does nothing with one. */
async function retryCalled(
  { services, tenant, reached }: InstanceWork,
  row: CommandRow,
  { waits }: Instance,
): Promise<void> {
  const { store, clock } = services
  for (const wait of waits) {
    if (wait.kind !== 'call' || wait.hasIncident !== true) continue
    const times = { nowMs: clock.now(), uuid: clock.uuid(), wakesRunner: true }
    await store.write(tenant, { put: commandItem(tenant, wait.instanceId, { kind: 'retry' }, row.by, times) })
    reached.add(wait.instanceId)
  }
}
