import type { Flow, FlowNode } from '../../engine/model/graph.ts'
import { nodeAt, type EngineRun } from '../../engine/tokens/engine-run.ts'
import { flowOf, tokensAt } from '../../engine/tokens/joins.ts'
import { defaultFlows, flowsThatHold, passThrough } from '../../engine/tokens/leave.ts'
import type { NodeElement } from '../element.ts'
import { checkSplit } from './check-split.ts'

/** A token takes every flow whose condition holds; a join waits for those that can still come. */
export const inclusiveGateway: NodeElement = {
  kind: 'gateway',
  type: 'inclusiveGateway',
  line: 'takes every flow whose condition holds, and waits for those that were taken',
  mayChoose: true,
  checkChoice: checkSplit,
  arrive: (run, node, token) => {
    if (node.incoming.length > 1) run.suspended.push(token)
    return node.incoming.length <= 1
  },
  mayJoin: (run, node, scope) => !flowsAhead(run, node, scope).some((starts) => delaysJoin(run, node, scope, starts)),
  enter: passThrough,
  chooseFlows: async ({ outgoing }, holds) => {
    const taken = await flowsThatHold(outgoing, holds)
    return taken.length > 0 ? taken : defaultFlows(outgoing)
  },
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

/**
 * BPMN 2.0.2, 13.4.3: a join waits while a token elsewhere can reach an incoming flow without a token, unless that
 * token can also reach one with a token. Paths through the join itself do not count.
 */
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

/** Every flow by which a token may leave a node, including those of its boundary events and of where it leads to. */
function flowsOutOf(run: EngineRun, node: FlowNode): Flow[] {
  const target = run.elements.trigger(node.trigger?.on)?.leadsTo?.(run, node)
  return [
    ...node.outgoing,
    ...node.boundary.flatMap((event) => event.outgoing),
    ...(target === undefined ? [] : flowsOutOf(run, target)),
  ]
}
