import type { Command, Wait } from '../../bpmn/schema.ts'
import type { OpenWait } from '../rows/instance-row.ts'

/** How a step changed what its instance waits for. */
export interface WaitChanges {
  readonly opened: readonly Wait[]
  readonly closed: readonly OpenWait[]
  /** All waits after the step in their stored form. `rowIds`: the id of each new task and incident by execution id. */
  readonly stored: (rowIds: ReadonlyMap<string, number>) => OpenWait[]
}

/** Compares the waits before and after a step. Work that fails again after a retry counts as closed and opened. */
export function compareWaits(
  before: readonly OpenWait[],
  after: readonly Wait[],
  commands: readonly Command[] | undefined,
): WaitChanges {
  const openBefore = new Map(before.map((wait) => [wait.executionId, wait]))
  const openAfter = new Map(after.map((wait) => [wait.executionId, wait]))
  const retried = new Set(commands?.flatMap((one) => (one.kind === 'retry' ? [one.executionId] : [])))
  const isSame = (wait: Wait, known: OpenWait | undefined): known is OpenWait =>
    known?.kind === wait.kind && !retried.has(wait.executionId)
  return {
    opened: after.filter((wait) => !isSame(wait, openBefore.get(wait.executionId))),
    closed: before.filter((known) => {
      const wait = openAfter.get(known.executionId)
      return wait === undefined || !isSame(wait, known)
    }),
    stored: (rowIds) =>
      after.map((wait): OpenWait => {
        const known = openBefore.get(wait.executionId)
        if (isSame(wait, known)) return known
        const { elementId, executionId } = wait
        if (wait.kind === 'event') {
          const { attachedTo: _, ...event } = wait
          return event
        }
        if (wait.kind === 'timer') return { kind: 'timer', elementId, executionId, dueAt: wait.dueAt }
        const id = rowIds.get(executionId) as number
        if (wait.kind === 'call') return { kind: 'call', elementId, executionId, instanceId: id }
        return wait.kind === 'task'
          ? { kind: 'task', elementId, executionId, taskId: id }
          : { kind: 'failed', elementId, executionId, incidentId: id }
      }),
  }
}
