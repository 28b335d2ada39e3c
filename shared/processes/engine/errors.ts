import { cancel } from './cancel.ts'
import { leave } from './leave.ts'
import { handlersOf, type FlowNode } from './model/graph.ts'
import { nextId, nodeAt, StepFailure, record, type Raised, type Run } from './run.ts'
import { startHandler } from './timers.ts'

/** Brings an error to whoever catches it first: the border of the activity, event sub-processes around it, the border of those. Throws when nobody does. */
export async function raise(run: Run, error: Raised, scope: string, id?: string): Promise<void> {
  let thrower = id === undefined ? undefined : run.standing.get(id)
  let around = scope
  for (;;) {
    // A turn has no border of its own: its error ends the whole activity.
    const activity = thrower?.loop === undefined ? thrower : run.standing.get(thrower.loop)
    if (activity !== undefined) {
      const event = bestMatch(nodeAt(run, activity.at).boundary, (each) => each, error.code)
      if (event !== undefined) return await interrupt(run, event, activity.id, activity.in)
      around = activity.in
    }
    const parentId = around === '' ? run.graph.processId : nodeAt(run, run.standing.get(around)?.at ?? '').id
    // An event sub-process does not catch its own errors.
    const handlers = handlersOf(run.graph, parentId).filter(({ body }) => body.id !== activity?.at)
    const handler = bestMatch(handlers, ({ start }) => start, error.code)
    if (handler !== undefined)
      return await startHandler(run, handler.body, handler.start, around, nextId(run, handler.start))
    if (around === '') break
    thrower = run.standing.get(around)
  }
  const name = error.code === '' ? 'The error' : `The error '${error.code}'`
  const said = error.message === '' ? '' : ` (${error.message})`
  throw new StepFailure(error.elementId, `${name} of ${nodeAt(run, error.elementId).label} is caught nowhere${said}.`)
}

/** Who names the code comes before who catches any. */
function bestMatch<T>(candidates: readonly T[], eventOf: (candidate: T) => FlowNode, code: string): T | undefined {
  const catches = (wanted: string | undefined) => (candidate: T) => {
    const { trigger } = eventOf(candidate)
    return trigger?.on === 'error' && trigger.code === wanted
  }
  return candidates.find(catches(code)) ?? candidates.find(catches(undefined))
}

async function interrupt(run: Run, event: FlowNode, hostId: string, scope: string): Promise<void> {
  const id = nextId(run, event)
  record(run, event.id, id, 'entered')
  cancel(run, hostId)
  record(run, event.id, id, 'completed')
  await leave(run, event, scope, id)
}
