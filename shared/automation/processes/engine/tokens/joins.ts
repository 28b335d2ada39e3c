import type { Flow, FlowNode } from '../model/graph.ts'
import { nodeAt, type SuspendedToken, type EngineRun } from './engine-run.ts'

/** Suspends a token at a parallel join. Once every incoming flow has a token, consumes one of each and returns true. */
export function joinParallel(run: EngineRun, node: FlowNode, token: SuspendedToken): boolean {
  run.suspended.push(token)
  const waiting = tokensAt(run, node, token.in)
  if (!node.incoming.every((flow) => waiting.some((each) => each.flow === flow.id))) return false
  consumeTokens(run, node, token.in)
  return true
}

/**
 * The next inclusive join that has nothing left to wait for; consumes its tokens. Call it when no move is left.
 * BPMN 2.0.2, 13.4.3: a join waits while a token elsewhere can reach an incoming flow without a token, unless that
 * token can also reach one with a token. Paths through the join itself do not count.
 */
export function joinInclusive(run: EngineRun): { node: FlowNode; in: string } | undefined {
  for (const token of run.suspended) {
    const node = flowOf(run, token).target
    if (node.type !== 'inclusiveGateway') continue
    if (flowsAhead(run, node, token.in).some((starts) => delaysJoin(run, node, token.in, starts))) continue
    consumeTokens(run, node, token.in)
    return { node, in: token.in }
  }
  return undefined
}

const flowOf = (run: EngineRun, token: SuspendedToken): Flow => run.graph.flows.get(token.flow) as Flow

const tokensAt = (run: EngineRun, node: FlowNode, scope: string): SuspendedToken[] =>
  run.suspended.filter((token) => token.in === scope && flowOf(run, token).target === node)

/** Removes one token of each flow that has any; further tokens wait for the next join. */
function consumeTokens(run: EngineRun, node: FlowNode, scope: string): void {
  const flows = new Set(tokensAt(run, node, scope).map((token) => token.flow))
  run.suspended = run.suspended.filter((token) => token.in !== scope || !flows.delete(token.flow))
}

/** For every other token of the scope: the flows by which it may continue. */
function flowsAhead(run: EngineRun, join: FlowNode, scope: string): Flow[][] {
  const active = run.tokens.values().filter((each) => each.in === scope && each.is !== 'alarm' && each.is !== 'watch')
  const suspended = run.suspended.filter((token) => token.in === scope && flowOf(run, token).target !== join)
  return [
    ...active.map((each) => flowsOutOf(run, nodeAt(run, each.at))),
    ...suspended.map((token) => [flowOf(run, token)]),
  ]
}

function delaysJoin(run: EngineRun, join: FlowNode, scope: string, starts: readonly Flow[]): boolean {
  const filled = new Set(tokensAt(run, join, scope).map((token) => token.flow))
  const reachable = new Set<Flow>()
  const open = [...starts]
  for (let flow = open.pop(); flow !== undefined; flow = open.pop()) {
    if (reachable.has(flow)) continue
    reachable.add(flow)
    if (flow.target !== join) open.push(...flowsOutOf(run, flow.target))
  }
  const into = join.incoming.filter((flow) => reachable.has(flow))
  return into.some((flow) => !filled.has(flow.id)) && !into.some((flow) => filled.has(flow.id))
}

/** Every flow by which a token may leave a node, including those of its boundary events and of its link target. */
function flowsOutOf(run: EngineRun, node: FlowNode): Flow[] {
  const target = node.type === 'intermediateThrowEvent' ? linkTargetOf(run, node) : undefined
  return [
    ...node.outgoing,
    ...node.boundary.flatMap((event) => event.outgoing),
    ...(target === undefined ? [] : flowsOutOf(run, target)),
  ]
}

/** The link catch event that a link throw event leads to. */
export function linkTargetOf(run: EngineRun, node: FlowNode): FlowNode | undefined {
  const { trigger, parentId } = node
  if (trigger?.on !== 'link') return undefined
  return run.graph.nodes
    .values()
    .find(
      (each) =>
        each.type === 'intermediateCatchEvent' &&
        each.parentId === parentId &&
        each.trigger?.on === 'link' &&
        each.trigger.name === trigger.name,
    )
}
