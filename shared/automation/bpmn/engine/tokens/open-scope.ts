import type { FlowNode } from '../../shapes/graph.ts'
import { awaitEvent } from './await-event.ts'
import { countActivation, type EngineRun, nextId, nodeAt, recordEvent } from './engine-run.ts'

/**
 * Starts a sub-process, or the process itself (`scope` is ''). `at`: the start event, receive task or event after an
 * event-based gateway that has occurred.
 */
export async function openScope(run: EngineRun, parentId: string, scope: string, at?: string): Promise<void> {
  await armEventSubProcesses(run, parentId, scope)
  const isStart = (node: FlowNode): boolean => run.elements.node(node.type)?.isStart === true
  if (at !== undefined && !isStart(nodeAt(run, at))) return beginAfter(run, nodeAt(run, at))
  const starts = startsOf(run, parentId)
  const occurred = starts.filter((node) =>
    at === undefined ? !node.isInstantiating && (!isStart(node) || node.triggers.length === 0) : node.id === at,
  )
  for (const node of scope === '' ? occurred : starts) run.moves.push({ do: 'enter', node, in: scope })
}

/** Starts the process with what a receive task or an event has received. */
function beginAfter(run: EngineRun, node: FlowNode): void {
  countActivation(run, node)
  const id = nextId(run, node)
  recordEvent(run, node.id, id, 'entered')
  run.tokens.set(id, { is: 'task', id, at: node.id, in: '' })
  run.moves.push({ do: 'finish', id })
}

/** Lets the event sub-processes of a scope begin to wait for their events. */
export async function armEventSubProcesses(run: EngineRun, parentId: string, scope: string): Promise<void> {
  for (const { start } of eventSubProcessesOf(run, parentId))
    await awaitEvent(run, start, run.tokens.get(scope), () => ({
      is: 'alarm',
      id: nextId(run, start),
      at: start.id,
      in: scope,
    }))
}

/** The event sub-processes of a process or sub-process, each with its start event. */
export function eventSubProcessesOf(
  run: EngineRun,
  parentId: string,
): { readonly body: FlowNode; readonly start: FlowNode }[] {
  return [...run.graph.nodes.values()]
    .filter((node) => node.parentId === parentId && node.isEventSubProcess)
    .flatMap((body) => startsOf(run, body.id).map((start) => ({ body, start })))
}

/** Where a process or sub-process starts: at its start events, or else at the nodes without incoming flows. */
export function startsOf({ graph, elements }: Pick<EngineRun, 'graph' | 'elements'>, parentId: string): FlowNode[] {
  const inside = [...graph.nodes.values()].filter((node) => node.parentId === parentId)
  const startEvents = inside.filter((node) => elements.node(node.type)?.isStart)
  if (startEvents.length > 0) return startEvents
  return inside.filter(
    (node) =>
      node.incoming.length === 0 &&
      node.attachedTo === undefined &&
      !node.isEventSubProcess &&
      !node.isForCompensation &&
      !elements.trigger(node.trigger?.on)?.isJump &&
      elements.node(node.type) !== undefined,
  )
}
