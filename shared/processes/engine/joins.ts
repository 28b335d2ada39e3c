import type { Flow, FlowNode } from './model/graph.ts'
import { nodeAt, type Suspended, type Run } from './run.ts'

/** Parks a token at a parallel join; true when that makes one on each incoming flow, which are then used up. */
export function joinParallel(run: Run, node: FlowNode, token: Suspended): boolean {
  run.parked.push(token)
  const waiting = tokensAt(run, node, token.in)
  if (!node.incoming.every((flow) => waiting.some((each) => each.flow === flow.id))) return false
  useUp(run, node, token.in)
  return true
}

/**
 * The next inclusive join that waits for nobody any more, its tokens used up. To be asked when nothing moves.
 * BPMN 2.0.2, 13.4.3: it waits while a token elsewhere can reach an incoming flow that has none, unless that token
 * can reach one that has; paths through the join itself do not count.
 */
export function joinInclusive(run: Run): { node: FlowNode; in: string } | undefined {
  for (const token of run.parked) {
    const node = flowOf(run, token).target
    if (node.type !== 'inclusiveGateway') continue
    if (locations(run, node, token.in).some((starts) => blocks(run, node, token.in, starts))) continue
    useUp(run, node, token.in)
    return { node, in: token.in }
  }
  return undefined
}

const flowOf = (run: Run, token: Suspended): Flow => run.graph.flows.get(token.flow) as Flow

const tokensAt = (run: Run, node: FlowNode, scope: string): Suspended[] =>
  run.parked.filter((token) => token.in === scope && flowOf(run, token).target === node)

/** One token of each flow that has any; those beyond stay for the next time. */
function useUp(run: Run, node: FlowNode, scope: string): void {
  const flows = new Set(tokensAt(run, node, scope).map((token) => token.flow))
  run.parked = run.parked.filter((token) => token.in !== scope || !flows.delete(token.flow))
}

/** For every token of the scope that is not at this join: the flows it may go on by. */
function locations(run: Run, join: FlowNode, scope: string): Flow[][] {
  const standing = run.standing
    .values()
    .filter((each) => each.in === scope && each.is !== 'alarm' && each.is !== 'watch')
  const parked = run.parked.filter((token) => token.in === scope && flowOf(run, token).target !== join)
  return [...standing.map((each) => onwards(run, nodeAt(run, each.at))), ...parked.map((token) => [flowOf(run, token)])]
}

function blocks(run: Run, join: FlowNode, scope: string, starts: readonly Flow[]): boolean {
  const filled = new Set(tokensAt(run, join, scope).map((token) => token.flow))
  const reachable = new Set<Flow>()
  const open = [...starts]
  for (let flow = open.pop(); flow !== undefined; flow = open.pop()) {
    if (reachable.has(flow)) continue
    reachable.add(flow)
    if (flow.target !== join) open.push(...onwards(run, flow.target))
  }
  const into = join.incoming.filter((flow) => reachable.has(flow))
  return into.some((flow) => !filled.has(flow.id)) && !into.some((flow) => filled.has(flow.id))
}

/** Every flow by which a token at a node may leave it: also by the events on its border, or as a link. */
function onwards(run: Run, node: FlowNode): Flow[] {
  const landing = node.type === 'intermediateThrowEvent' ? landingOf(run, node) : undefined
  return [
    ...node.outgoing,
    ...node.boundary.flatMap((event) => event.outgoing),
    ...(landing === undefined ? [] : onwards(run, landing)),
  ]
}

/** The catch event that a throwing link event leads to. */
export function landingOf(run: Run, node: FlowNode): FlowNode | undefined {
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
