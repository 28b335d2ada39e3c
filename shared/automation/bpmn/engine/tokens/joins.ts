import type { CompletedTask } from '../../schema.ts'
import type { Flow, FlowNode } from '../../shapes/graph.ts'
import { type EngineRun, nodeAt, type SuspendedToken } from './engine-run.ts'

/** The next join whose tokens may go on without others; consumes them. Call it when no move is left. */
export async function nextJoin(
  run: EngineRun,
): Promise<{ node: FlowNode; in: string; task?: CompletedTask } | undefined> {
  for (const token of run.suspended) {
    const node = flowOf(run, token).target
    if ((await run.elements.node(node.type)?.mayJoin?.(run, node, token.in)) !== true) continue
    const task = tokensAt(run, node, token.in).findLast((each) => each.task !== undefined)?.task
    consumeTokens(run, node, token.in)
    return { node, in: token.in, ...(task && { task }) }
  }
  return undefined
}

/** Lets a join begin again whose late tokens have come. True: there was one. */
export async function resetJoin(run: EngineRun): Promise<boolean> {
  for (const token of run.tokens.values()) {
    if (token.is !== 'reset') continue
    const node = nodeAt(run, token.at)
    if ((await run.elements.node(node.type)?.reset?.(run, node, token)) === true) return true
  }
  return false
}

export const flowOf = (run: EngineRun, token: SuspendedToken): Flow => run.graph.flows.get(token.flow) as Flow

/** The tokens that wait at a join. */
export const tokensAt = (run: EngineRun, node: FlowNode, scope: string): SuspendedToken[] =>
  run.suspended.filter((token) => token.in === scope && flowOf(run, token).target === node)

/** Keeps a token until an activity has as many as it needs, whatever flows they come by; consumes those. */
export function gatherTokens(run: EngineRun, node: FlowNode, token: SuspendedToken, quantity: number): boolean {
  run.suspended.push(token)
  const waiting = tokensAt(run, node, token.in)
  if (waiting.length < quantity) return false
  const taken = new Set(waiting.slice(0, quantity))
  run.suspended = run.suspended.filter((one) => !taken.has(one))
  return true
}

/** Removes one token of each flow that has any; further tokens wait for the next join. */
export function consumeTokens(run: EngineRun, node: FlowNode, scope: string): void {
  const flows = new Set(tokensAt(run, node, scope).map((token) => token.flow))
  run.suspended = run.suspended.filter((token) => token.in !== scope || !flows.delete(token.flow))
}
