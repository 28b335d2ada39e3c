import { isoTime } from '../clock.ts'
import type { Write } from '../store/table.ts'
import { commitStep, type Work } from './commit-step.ts'
import { readInstance, type Instance } from './instance-row.ts'
import type { CommandRow, TimerRow } from './open-work.ts'
import { closedRows, forgetParked, resolveIncident } from './step-writes.ts'
import { tasksOf } from './tasks-of.ts'

/** Ends an instance that is cancelled, or whose record is gone, with everything it waited for. */
export async function endInstance(work: Work, row: CommandRow | TimerRow): Promise<void> {
  const { deps, tenant, item, open } = work
  const { store, clock, objects } = deps
  const before = await readInstance(item, objects.fetchObject)
  const now = clock.now()
  const after: Instance = { ...before, status: 'cancelled', rev: before.rev + 1, state: undefined, waits: [], endedAt: isoTime(now), stepIncidents: [] }
  const left = before.waits.filter(({ executionId }) => 'command' in row || executionId !== row.executionId)
  const writes: Write[] = [
    ...closedRows(tenant, before, left, await tasksOf(store, tenant, left), now),
    ...before.stepIncidents.map((id) => resolveIncident(tenant, id, isoTime(now))),
    ...forgetParked(open),
  ]
  await commitStep(work, before, after, row, writes)
}
