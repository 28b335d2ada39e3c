import type { FlowNode } from '../../shapes/graph.ts'
import { type EngineRun, type TokenPosition } from './engine-run.ts'
import { evaluate } from './evaluate.ts'
import { assignOutward, openVariables } from './variable-scopes.ts'

/** Gives an activity the variables of its own that its mapping names. */
export async function mapIn(run: EngineRun, node: FlowNode, position: TokenPosition): Promise<void> {
  if (node.mapping === undefined || node.mapping.in.length === 0) return
  // Each sees those before it.
  for (const { target, value } of node.mapping.in) {
    const given = await evaluate(run, node, value, `wf:in of '${target}'`, position, { executionId: position.id })
    openVariables(run, position.id).variables[target] = given ?? null
  }
}

/** Hands over what the mapping of a completed activity names. */
export async function mapOut(run: EngineRun, node: FlowNode, position: TokenPosition): Promise<void> {
  for (const { target, value } of node.mapping?.out ?? []) {
    const result = await evaluate(run, node, value, `wf:out of '${target}'`, position, { executionId: position.id })
    assignOutward(run, position, { [target]: result ?? null })
  }
}
