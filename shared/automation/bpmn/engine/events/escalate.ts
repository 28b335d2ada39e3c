import type { FlowNode } from '../../shapes/graph.ts'
import { cancel } from '../tokens/cancel.ts'
import { type EngineRun, nextId, nodeAt, recordEvent, type Token } from '../tokens/engine-run.ts'
import { leave } from '../tokens/leave.ts'
import { eventSubProcessesOf } from '../tokens/open-scope.ts'
import { startEventSubProcess } from './start-event-sub-process.ts'

/** What catches an escalation: the boundary event of an activity, or an event sub-process of a scope. */
type Catcher =
  | { readonly event: FlowNode; readonly host: Token }
  | { readonly body: FlowNode; readonly start: FlowNode; readonly scope: string }

/**
 * Passes an escalation to the first event that catches it, from the inside out: event sub-processes, then boundary events
 * of the sub-processes around its thrower. When none does, it is for the caller of the process. `interrupted`: the thrower does not continue.
 * `beforeInterrupting` is called before the thrower is cancelled.
 */
export async function escalate(
  run: EngineRun,
  code: string | undefined,
  scope: string,
  beforeInterrupting: () => void,
): Promise<'interrupted' | undefined> {
  const catcher = findCatcher(run, code, scope)
  if (catcher === undefined) {
    run.escalated.push({ ...(code !== undefined && { code }) })
    return undefined
  }
  const { isInterrupting } = 'event' in catcher ? catcher.event : catcher.start
  if (isInterrupting) beforeInterrupting()
  if ('event' in catcher) await leaveByBoundary(run, catcher.event, catcher.host)
  else await startEventSubProcess(run, catcher.body, catcher.start, catcher.scope, nextId(run, catcher.start))
  return isInterrupting ? 'interrupted' : undefined
}

/** Passes on an escalation of an activity itself: the events on its own border come first. */
export async function escalateFrom(run: EngineRun, token: Token, code: string | undefined): Promise<void> {
  const host = (token.loop === undefined ? undefined : run.tokens.get(token.loop)) ?? token
  const event = bestMatch(nodeAt(run, host.at).boundary, (each) => each, code)
  if (event !== undefined) await leaveByBoundary(run, event, host)
  else await escalate(run, code, host.in, () => {})
}

function findCatcher(run: EngineRun, code: string | undefined, scope: string): Catcher | undefined {
  let inside: string | undefined
  for (let around = scope; ;) {
    const activity = run.tokens.get(around)
    const parentId = activity === undefined ? run.graph.processId : activity.at
    // An event sub-process does not catch its own escalations.
    const handler = bestMatch(
      eventSubProcessesOf(run, parentId).filter(({ body }) => body.id !== inside),
      ({ start }) => start,
      code,
    )
    if (handler !== undefined) return { ...handler, scope: around }
    if (activity === undefined) return undefined
    const host = (activity.loop === undefined ? undefined : run.tokens.get(activity.loop)) ?? activity
    const event = bestMatch(nodeAt(run, host.at).boundary, (each) => each, code)
    if (event !== undefined) return { event, host }
    inside = activity.at
    around = activity.in
  }
}

function bestMatch<T>(
  candidates: readonly T[],
  eventOf: (one: T) => FlowNode,
  code: string | undefined,
): T | undefined {
  const catches = (wanted: string | undefined) => (one: T) =>
    eventOf(one).triggers.some((trigger) => trigger.on === 'escalation' && trigger.code === wanted)
  return (code === undefined ? undefined : candidates.find(catches(code))) ?? candidates.find(catches(undefined))
}

async function leaveByBoundary(run: EngineRun, event: FlowNode, host: Token): Promise<void> {
  const id = nextId(run, event)
  recordEvent(run, event.id, id, 'entered')
  if (event.isInterrupting) cancel(run, host.id)
  recordEvent(run, event.id, id, 'completed')
  await leave(run, event, host.in, id, host.task)
}
