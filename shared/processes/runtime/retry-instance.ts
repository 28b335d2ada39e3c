import { isoTime } from '../../kernel/clock.ts'
import { exists } from '../../store/conditions.ts'
import { dueSlot, setSlot } from '../../store/slots.ts'
import type { Write } from '../../store/table.ts'
import type { Command } from '../engine/schema.ts'
import { dueAgain, type CommandRow } from '../rows/command-rows.ts'
import { readInstance, readInstanceHead, type Instance } from '../rows/instance-row.ts'
import { commitStep, removeRow, type Work } from './step/commit-step.ts'
import { stepInstance } from './step/step-instance.ts'
import { resolveIncident } from './step/step-writes.ts'

/** Takes up what was parked, and lets work that failed be done again. */
export async function retryInstance(work: Work, row: CommandRow): Promise<void> {
  const { deps, tenant, item, open } = work
  const { clock, objects } = deps
  const head = readInstanceHead(item)
  const failed = head.waits.filter(({ kind }) => kind === 'failed')
  const parked = [...open.commands, ...open.timers].filter(({ isParked }) => isParked)
  if (head.stepIncidents.length > 0 || parked.length > 0) {
    const before = await readInstance(item, objects.fetchObject)
    const now = clock.now()
    const after: Instance = {
      ...before,
      rev: before.rev + 1,
      status: failed.length > 0 ? 'incident' : 'running',
      stepIncidents: [],
      hops: 0,
    }
    const due = dueAgain(tenant, before.id, now)
    const enter = setSlot(dueSlot, due.pk, due.sk)
    const taken = parked.map((one): Write => ({
      update: one.key,
      change: {
        expression: `REMOVE parked SET retried = :yes, ${enter.expression}`,
        values: { ':yes': true, ...enter.values },
      },
      if: exists,
    }))
    const resolved = head.stepIncidents.map((id) => resolveIncident(tenant, id, isoTime(now)))
    // With failed work as well the command stays, and finds nothing parked when it is carried out again.
    return commitStep(work, before, after, failed.length > 0 ? undefined : row, [...taken, ...resolved])
  }
  if (failed.length === 0) return removeRow(deps.store, tenant, row)
  return stepInstance(
    work,
    row,
    failed.map(({ executionId }): Command => ({ kind: 'retry', executionId })),
  )
}
