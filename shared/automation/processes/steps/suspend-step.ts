import { log } from '../../../kernel/runtime/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { isLiving, readRecordHead } from '../../../platform/store/rows/record-row.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import { dueSlot, removeSlot } from '../../../platform/store/slots.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import type { ActivityEvent } from '../../bpmn/schema.ts'
import type { CompiledProcess } from '../../bpmn/shapes/compiled-process.ts'
import type { CommandRow, TimerRow } from '../rows/command-rows.ts'
import { incidentItem, incidentSequence } from '../rows/incident-row.ts'
import type { Instance } from '../rows/instance-row.ts'
import { commitStep, type InstanceWork } from './commit-step.ts'
import type { StepFailed } from './step-context.ts'
import { activityWrites, newIncident } from './step-writes.ts'

/**
 * Stores an incident for a failed step, and what ran in it: records that it wrote stand. The instance keeps its last
 * good state; the command or timer waits for a retry.
 */
export async function suspendStep(
  work: InstanceWork,
  before: Instance,
  compiled: CompiledProcess,
  row: CommandRow | TimerRow,
  failure: StepFailed,
): Promise<void> {
  const { services, tenant } = work
  const { store, clock } = services
  const events = eventsOfFailedStep(before, row, failure)
  const id = await reserveIds(store, tenant, incidentSequence, 1)
  const at = isoTime(clock.now())
  log.info('a step of a process failed', {
    tenant_id: tenant.id,
    instance_id: before.id,
    element_id: failure.elementId,
    reason: failure.message,
  })
  const after: Instance = {
    ...before,
    status: 'incident',
    rev: before.rev + 1,
    steps: before.steps + (events.length > 0 ? 1 : 0),
    stepIncidents: [...before.stepIncidents, id],
  }
  const suspended: Write = {
    update: row.key,
    change: {
      expression: `SET parked = :yes, failed_version = :version REMOVE ${removeSlot(dueSlot)}`,
      values: { ':yes': true, ':version': await versionOfRecord(store, tenant, before) },
    },
    if: exists,
  }
  await commitStep(work, before, after, undefined, [
    suspended,
    ...activityWrites(tenant, before, compiled, events, { at, status: after.status, withdrawn: true }),
    {
      put: incidentItem(
        tenant,
        newIncident(before, { id, elementId: failure.elementId ?? null, message: failure.message }, at),
      ),
    },
  ])
}

/** The version of an instance's record; 0 when it is gone. */
export async function versionOfRecord(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  { model, recordId }: Pick<Instance, 'model' | 'recordId'>,
): Promise<number> {
  const item = await store.get(tenant, recordKey(tenant, model, recordId))
  return isLiving(item) ? readRecordHead(item).version : 0
}

/**
 * The events of a failed step for the history. What it reached without completing has no token any more, so it ends as
 * failed or cancelled. What the instance waited for before waits still, but for the task whose completion led to it.
 */
function eventsOfFailedStep(
  { waits }: Instance,
  row: CommandRow | TimerRow,
  { elementId, events }: StepFailed,
): readonly ActivityEvent[] {
  const completed = 'command' in row && row.command.kind === 'complete' ? row.command.executionId : undefined
  const waiting = new Set(waits.map(({ executionId }) => executionId).filter((id) => id !== completed))
  const ran = events.filter(({ executionId }) => !waiting.has(executionId))
  // A gateway counts as completed before one of its flows is chosen.
  const failed = ran.findLast((event) => event.elementId === elementId)?.executionId
  const last = [...new Map(ran.map((event) => [event.executionId, event])).values()]
  const ended = last.flatMap((event): ActivityEvent[] => {
    if (event.executionId === failed) return [{ ...event, what: 'failed' }]
    return event.what === 'entered' ? [{ ...event, what: 'cancelled' }] : []
  })
  return [...ran, ...ended]
}
