import { startEventSubProcess } from '../events/start-event-sub-process.ts'
import type { FlowNode } from '../model/graph.ts'
import { cancel } from './cancel.ts'
import { nextId, nodeAt, StepFailure, recordEvent, type RaisedError, type EngineRun } from './engine-run.ts'
import { leave } from './leave.ts'
import { eventSubProcessesOf } from './open-scope.ts'

/**
 * Passes an error to the first event that catches it: a boundary event of the activity, then, from the inside out,
 * event sub-processes and boundary events of the sub-processes around it. @throws StepFailure when none catches it.
 */
export async function raiseError(run: EngineRun, error: RaisedError, scope: string, id?: string): Promise<void> {
  let thrower = id === undefined ? undefined : run.tokens.get(id)
  let around = scope
  for (;;) {
    // An iteration has no boundary events of its own: its error ends the whole activity.
    const activity = thrower?.loop === undefined ? thrower : run.tokens.get(thrower.loop)
    if (activity !== undefined) {
      const event = bestMatch(nodeAt(run, activity.at).boundary, (each) => each, error.code)
      if (event !== undefined) return await interrupt(run, event, activity.id, activity.in)
      around = activity.in
    }
    const parentId = around === '' ? run.graph.processId : nodeAt(run, run.tokens.get(around)?.at ?? '').id
    // An event sub-process does not catch its own errors.
    const handlers = eventSubProcessesOf(run, parentId).filter(({ body }) => body.id !== activity?.at)
    const handler = bestMatch(handlers, ({ start }) => start, error.code)
    if (handler !== undefined)
      return await startEventSubProcess(run, handler.body, handler.start, around, nextId(run, handler.start))
    if (around === '') break
    thrower = run.tokens.get(around)
  }
  const name = error.code === '' ? 'The error' : `The error '${error.code}'`
  const details = error.message === '' ? '' : ` (${error.message})`
  throw new StepFailure(
    error.elementId,
    `${name} of ${nodeAt(run, error.elementId).label} is caught nowhere${details}.`,
  )
}

/** An event that names the code comes before one that catches any error. */
function bestMatch<T>(candidates: readonly T[], eventOf: (candidate: T) => FlowNode, code: string): T | undefined {
  const catches = (wanted: string | undefined) => (candidate: T) =>
    eventOf(candidate).triggers.some((trigger) => trigger.on === 'error' && trigger.code === wanted)
  return candidates.find(catches(code)) ?? candidates.find(catches(undefined))
}

async function interrupt(run: EngineRun, event: FlowNode, hostId: string, scope: string): Promise<void> {
  const id = nextId(run, event)
  recordEvent(run, event.id, id, 'entered')
  const task = run.tokens.get(hostId)?.task
  cancel(run, hostId)
  recordEvent(run, event.id, id, 'completed')
  await leave(run, event, scope, id, task)
}
