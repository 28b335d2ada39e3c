import type { CompletedTask } from '../../schema.ts'
import type { FlowNode } from '../../shapes/graph.ts'
import { startBoundaryEvents } from './boundary-events.ts'
import {
  countActivation,
  type EngineRun,
  type Move,
  nextId,
  nodeAt,
  recordEvent,
  StepFailure,
  type Token,
  type TokenPosition,
} from './engine-run.ts'
import { gatherTokens, tokensAt } from './joins.ts'
import { beginIterations, openLoop } from './loops.ts'
import { mapIn } from './map-variables.ts'
import { armEventSubProcesses } from './open-scope.ts'
import { openVariables } from './variable-scopes.ts'

/** A token arrives at the target of a flow: it waits there if the target is a join, otherwise it enters. */
export async function arrive(run: EngineRun, { flow, in: scope, task }: Move & { do: 'arrive' }): Promise<void> {
  const node = flow.target
  // At a join it is that of the token that came last, or else of those before it.
  const last = task ?? tokensAt(run, node, scope).findLast((each) => each.task !== undefined)?.task
  const token = { flow: flow.id, in: scope, ...(task && { task }) }
  const isComplete =
    node.startQuantity === undefined
      ? (await run.elements.node(node.type)?.arrive?.(run, node, token)) !== false
      : gatherTokens(run, node, token, node.startQuantity)
  if (isComplete) await enter(run, node, scope, undefined, last)
}

/**
 * Enters an activity, a gateway or an event. `gate`: id of the event-based gateway that waits for this event. `more`: of the
 * handler of a compensation, with variables of its own.
 */
export async function enter(
  run: EngineRun,
  node: FlowNode,
  scope: string,
  gate?: string,
  task?: CompletedTask,
  more: { readonly compensation?: string; readonly variables?: Readonly<Record<string, unknown>> } = {},
): Promise<void> {
  countActivation(run, node)
  const id = nextId(run, node)
  recordEvent(run, node.id, id, 'entered')
  const { compensation, variables } = more
  if (variables !== undefined) Object.assign(openVariables(run, id).variables, variables)
  const undoes = compensation === undefined ? {} : { compensation }
  if (node.loop !== undefined) {
    await openLoop(run, node, node.loop, { id, at: node.id, in: scope, ...(task && { task }), ...undoes })
    await startBoundaryEvents(run, id)
    await beginIterations(run, id)
  } else
    await enterElement(run, node, {
      id,
      at: node.id,
      in: scope,
      ...(gate !== undefined && { gate }),
      ...(task && { task }),
      ...undoes,
    })
}

/** Begins one iteration of a loop or multi-instance activity. */
export async function iterate(run: EngineRun, { id, index }: Move & { do: 'iterate' }): Promise<void> {
  const body = run.tokens.get(id)
  if (body?.is !== 'loop') return
  const node = nodeAt(run, body.at)
  countActivation(run, node)
  // The passes of one after another are on one way.
  const task = node.loop?.kind === 'multi' && !node.loop.isSequential ? undefined : body.ended
  const position: TokenPosition = {
    id: `${id}.${index}`,
    at: node.id,
    in: body.in,
    loop: id,
    index,
    ...(task && { task }),
  }
  recordEvent(run, node.id, position.id, 'entered')
  await enterElement(run, node, position)
}

async function enterElement(run: EngineRun, node: FlowNode, position: TokenPosition): Promise<void> {
  const element = run.elements.node(node.type)
  if (element?.enter === undefined)
    throw new StepFailure(node.id, `${node.label} is a ${node.type}, which this engine does not run.`)
  await mapIn(run, node, position)
  await element.enter(run, node, position)
}

/** The sub-process of an element that runs in a scope, not as a pass of a loop and not to be compensated. */
export const runningScopes = (run: EngineRun, elementId: string, scope: string): Token[] =>
  [...run.tokens.values()].filter(
    (each) =>
      each.is === 'scope' &&
      each.at === elementId &&
      each.in === scope &&
      each.loop === undefined &&
      each.compensation === undefined,
  )

/** Enters an element inside of sub-processes. One that does not run yet is opened without its start events. */
export async function enterInto(run: EngineRun, { path, in: scope, task }: Move & { do: 'into' }): Promise<void> {
  const [elementId, ...rest] = path
  if (elementId === undefined) return
  const node = nodeAt(run, elementId)
  if (rest.length === 0) return await enter(run, node, scope, undefined, task)
  let id = runningScopes(run, elementId, scope)[0]?.id
  if (id === undefined) {
    countActivation(run, node)
    id = nextId(run, node)
    recordEvent(run, node.id, id, 'entered')
    const position = { id, at: node.id, in: scope, ...(task && { task }) }
    await mapIn(run, node, position)
    run.tokens.set(id, { is: 'scope', ...position })
    await startBoundaryEvents(run, id)
    await armEventSubProcesses(run, node.id, id)
  }
  run.moves.unshift({ do: 'into', path: rest, in: id, ...(task && { task }) })
}
