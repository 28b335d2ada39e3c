import { isoTime } from '../../../kernel/time/clock.ts'
import type { Write } from '../../../platform/store/store.ts'
import { activitiesItem } from '../rows/activities-row.ts'
import type { CommandRow, TimerRow } from '../rows/command-rows.ts'
import { type Instance, readInstance } from '../rows/instance-row.ts'
import { tasksOf } from '../rows/tasks-of-waits.ts'
import { cancelledCalls } from './calls/call-rows.ts'
import { commitStep, type InstanceWork } from './commit-step.ts'
import { closedRows, removeSuspended, resolveIncident } from './step-writes.ts'

/** Cancels an instance, by command or because its record is gone, and everything it waits for. */
export async function endInstance(work: InstanceWork, row: CommandRow | TimerRow): Promise<void> {
  const { services, tenant, item, open } = work
  const { store, clock, objects } = services
  const before = await readInstance(item, objects.fetchObject)
  const now = clock.now()
  const after: Instance = {
    ...before,
    status: 'cancelled',
    rev: before.rev + 1,
    steps: before.steps + 1,
    state: undefined,
    waits: [],
    endedAt: isoTime(now),
    stepIncidents: [],
  }
  const waits = before.waits.filter(({ executionId }) => 'command' in row || executionId !== row.executionId)
  const by = 'command' in row ? row.by : { userId: 0 }
  const isCancelled = 'command' in row && row.command.kind === 'cancel'
  const ended = {
    at: isoTime(now),
    status: after.status,
    activities: [],
    // Otherwise the record is gone, whoever's step found that out.
    ...(isCancelled && { cancelledBy: by.userId }),
  }
  const writes: Write[] = [
    ...cancelledCalls(clock, tenant, waits, by),
    { put: activitiesItem(tenant, before, ended) },
    ...closedRows(tenant, before, waits, await tasksOf(store, tenant, waits), now),
    ...before.stepIncidents.map((id) => resolveIncident(tenant, id, isoTime(now))),
    ...removeSuspended(open),
  ]
  await commitStep(work, before, after, row, writes)
}
