import { isoTime } from '../../kernel/clock.ts'
import type { Write } from '../../store/table.ts'
import type { CommandRow, TimerRow } from '../rows/command-rows.ts'
import { readInstance, type Instance } from '../rows/instance-row.ts'
import { commitStep, type Work } from '../runtime/step/commit-step.ts'
import { closedRows, forgetSuspended, resolveIncident } from '../runtime/step/step-writes.ts'
import { tasksOf } from '../tasks/tasks-of.ts'

/** Ends an instance that is cancelled, or whose record is gone, with everything it waited for. */
export async function endInstance(work: Work, row: CommandRow | TimerRow): Promise<void> {
  const { deps, tenant, item, open } = work
  const { store, clock, objects } = deps
  const before = await readInstance(item, objects.fetchObject)
  const now = clock.now()
  const after: Instance = {
    ...before,
    status: 'cancelled',
    rev: before.rev + 1,
    state: undefined,
    waits: [],
    endedAt: isoTime(now),
    stepIncidents: [],
  }
  const left = before.waits.filter(({ executionId }) => 'command' in row || executionId !== row.executionId)
  const writes: Write[] = [
    ...closedRows(tenant, before, left, await tasksOf(store, tenant, left), now),
    ...before.stepIncidents.map((id) => resolveIncident(tenant, id, isoTime(now))),
    ...forgetSuspended(open),
  ]
  await commitStep(work, before, after, row, writes)
}
