import { isoTime } from '../../../kernel/clock.ts'
import { log } from '../../../kernel/log.ts'
import { exists } from '../../../store/conditions.ts'
import { reserveIds } from '../../../store/sequence.ts'
import { dueSlot, removeSlot } from '../../../store/slots.ts'
import type { Write } from '../../../store/store.ts'
import type { CommandRow, TimerRow } from '../../rows/command-rows.ts'
import { incidentItem, incidentSequence } from '../../rows/incident-row.ts'
import type { Instance } from '../../rows/instance-row.ts'
import { commitStep, type InstanceWork } from './commit-step.ts'
import type { StepFailed } from './step-failures.ts'
import { newIncident } from './step-writes.ts'

/**
 * Stores an incident for a failed step. The instance keeps its last good state; the command or timer waits for a retry.
 */
export async function suspendStep(
  work: InstanceWork,
  before: Instance,
  row: CommandRow | TimerRow,
  failure: StepFailed,
): Promise<void> {
  const { deps, tenant } = work
  const { store, clock } = deps
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
    stepIncidents: [...before.stepIncidents, id],
  }
  const suspended: Write = {
    update: row.key,
    change: { expression: `SET parked = :yes REMOVE ${removeSlot(dueSlot)}`, values: { ':yes': true } },
    if: exists,
  }
  await commitStep(work, before, after, undefined, [
    suspended,
    {
      put: incidentItem(
        tenant,
        newIncident(before, { id, elementId: failure.elementId ?? null, message: failure.message }, at),
      ),
    },
  ])
}
