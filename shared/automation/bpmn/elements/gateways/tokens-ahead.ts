import { type EngineRun, nodeAt } from '../../engine/tokens/engine-run.ts'
import { flowOf, tokensAt } from '../../engine/tokens/joins.ts'
import type { Flow, FlowNode } from '../../shapes/graph.ts'
import { flowsOfReset } from './split-flows.ts'

/**
 * BPMN 2.0.2, 13.4.3: a join waits while a token elsewhere can reach an incoming flow without a token, unless that
 * token can also reach one with a token. Paths through the join itself do not count. `missing`: the flows that count.
 */
export function isTokenAhead(
  run: EngineRun,
  join: FlowNode,
  scope: string,
  missing: readonly Flow[] = join.incoming,
): boolean {
  const filled = new Set(tokensAt(run, join, scope).map((token) => token.flow))
  const awaited = new Set(missing.filter(({ id }) => !filled.has(id)))
  return flowsAhead(run, join, scope).some((starts) => delaysJoin(run, join, { filled, awaited }, starts))
}

/** For every other token of the scope: the flows by which it may continue. */
function flowsAhead(run: EngineRun, join: FlowNode, scope: string): Flow[][] {
  const active = run.tokens.values().filter((each) => each.in === scope && each.is !== 'alarm' && each.is !== 'watch')
  const suspended = run.suspended.filter((token) => token.in === scope && flowOf(run, token).target !== join)
  return [
    ...active.map((each) => {
      const node = nodeAt(run, each.at)
      return each.is === 'reset' ? flowsOfReset(node) : flowsOutOf(run, node)
    }),
    ...suspended.map((token) => [flowOf(run, token)]),
  ]
}

function delaysJoin(
  run: EngineRun,
  join: FlowNode,
  { filled, awaited }: { readonly filled: ReadonlySet<string>; readonly awaited: ReadonlySet<Flow> },
  starts: readonly Flow[],
): boolean {
  const reachable = new Set<Flow>()
  const open = [...starts]
  for (let flow = open.pop(); flow !== undefined; flow = open.pop()) {
    if (reachable.has(flow)) continue
    reachable.add(flow)
    if (flow.target !== join) open.push(...flowsOutOf(run, flow.target))
  }
  const into = join.incoming.filter((flow) => reachable.has(flow))
  return into.some((flow) => awaited.has(flow)) && !into.some((flow) => filled.has(flow.id))
}

/** Every flow by which a token may leave a node, including those of its boundary events and of where it leads to. */
function flowsOutOf(run: EngineRun, node: FlowNode): Flow[] {
  const target = run.elements.trigger(node.trigger?.on)?.leadsTo?.(run, node)
  return [
    ...node.outgoing,
    ...node.boundary.flatMap((event) => event.outgoing),
    ...(target === undefined ? [] : flowsOutOf(run, target)),
  ]
}
