import type { FlowNode, Trigger } from '../../shapes/graph.ts'
import { cancel, cancelScope } from '../tokens/cancel.ts'
import {
  nextId,
  nodeAt,
  StepFailure,
  recordEvent,
  type RaisedError,
  type EngineRun,
  type Token,
} from '../tokens/engine-run.ts'
import { leave } from '../tokens/leave.ts'
import { eventSubProcessesOf } from '../tokens/open-scope.ts'
import { startEventSubProcess } from './start-event-sub-process.ts'

type ErrorTrigger = Extract<Trigger, { readonly on: 'error' }>

/** What catches an error: the boundary event of an activity, or an event sub-process of a scope. */
type Catcher =
  | { readonly event: FlowNode; readonly host: Token }
  | { readonly body: FlowNode; readonly start: FlowNode; readonly scope: string }

/**
 * Passes an error to the first event that catches it: a boundary event of the activity, then, from the inside out,
 * event sub-processes and boundary events of the sub-processes around it, then the caller of the process, which the error
 * ends. @throws StepFailure when none catches it.
 */
export async function raiseError(run: EngineRun, error: RaisedError, scope: string, id?: string): Promise<void> {
  const catcher = findCatcher(run, error.code, scope, id)
  if (catcher !== undefined)
    return 'event' in catcher
      ? interrupt(run, catcher.event, catcher.host.id, catcher.host.in)
      : startEventSubProcess(run, catcher.body, catcher.start, catcher.scope, nextId(run, catcher.start))
  if (await run.host.isCaughtByCaller?.(error.code)) {
    cancelScope(run, '')
    run.moves = []
    run.escaped = { code: error.code, message: error.message }
    return
  }
  const name = error.code === '' ? 'The error' : `The error '${error.code}'`
  const details = error.message === '' ? '' : ` (${error.message})`
  throw new StepFailure(
    error.elementId,
    `${name} of ${nodeAt(run, error.elementId).label} is caught nowhere${details}.`,
  )
}

/** The first event that catches an error of what is in a scope, or of the token with this id. */
export function findCatcher(run: EngineRun, code: string, scope: string, id?: string): Catcher | undefined {
  let thrower = id === undefined ? undefined : run.tokens.get(id)
  let around = scope
  for (;;) {
    // An iteration has no boundary events of its own: its error ends the whole activity.
    const activity = thrower?.loop === undefined ? thrower : run.tokens.get(thrower.loop)
    if (activity !== undefined) {
      const event = bestMatch(nodeAt(run, activity.at).boundary, (each) => each, code)
      if (event !== undefined) return { event, host: activity }
      around = activity.in
    }
    const parentId = around === '' ? run.graph.processId : nodeAt(run, run.tokens.get(around)?.at ?? '').id
    // An event sub-process does not catch its own errors.
    const handlers = eventSubProcessesOf(run, parentId).filter(({ body }) => body.id !== activity?.at)
    const handler = bestMatch(handlers, ({ start }) => start, code)
    if (handler !== undefined) return { ...handler, scope: around }
    if (around === '') return undefined
    thrower = run.tokens.get(around)
  }
}

/** An event that names the code comes before one that catches any error. */
function bestMatch<T>(candidates: readonly T[], eventOf: (candidate: T) => FlowNode, code: string): T | undefined {
  const catching = (fits: (trigger: ErrorTrigger) => boolean) =>
    candidates.find((one) => eventOf(one).triggers.some((trigger) => trigger.on === 'error' && fits(trigger)))
  return (
    catching((trigger) => trigger.code === code) ?? catching(({ code: own, any }) => own === undefined || any === true)
  )
}

/** Leaves an activity by an event on its border, which ends it. */
export async function interrupt(run: EngineRun, event: FlowNode, hostId: string, scope: string): Promise<void> {
  const id = nextId(run, event)
  recordEvent(run, event.id, id, 'entered')
  const task = run.tokens.get(hostId)?.task
  cancel(run, hostId)
  recordEvent(run, event.id, id, 'completed')
  await leave(run, event, scope, id, task)
}
