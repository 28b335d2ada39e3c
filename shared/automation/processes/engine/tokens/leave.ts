import type { Flow, FlowNode } from '../model/graph.ts'
import { evaluate, StepFailure, type EngineRun } from './engine-run.ts'

/**
 * Sends a token along each flow out of a node whose condition holds. `scope`: id of the sub-process token around it.
 * @throws StepFailure when no condition holds and there is no default flow.
 */
export async function leave(run: EngineRun, node: FlowNode, scope: string, executionId: string): Promise<void> {
  if (node.outgoing.length === 0) return
  const taken = await flowsTaken(run, node, scope, executionId)
  if (taken.length === 0)
    throw new StepFailure(node.id, `No flow out of ${node.label} holds, and it has no default flow.`)
  for (const flow of taken) run.moves.push({ do: 'arrive', flow, in: scope })
}

async function flowsTaken(run: EngineRun, node: FlowNode, scope: string, executionId: string): Promise<Flow[]> {
  if (node.type === 'parallelGateway') return node.outgoing
  const holds = async (flow: Flow): Promise<boolean> =>
    flow.condition === undefined ||
    Boolean(
      await evaluate(run, node, flow.condition, `condition of the flow '${flow.id}'`, run.tokens.get(scope), {
        executionId,
      }),
    )
  const taken: Flow[] = []
  let isConditionMet = false
  for (const flow of node.outgoing) {
    if (flow.isDefault || !(await holds(flow))) continue
    taken.push(flow)
    if (node.type === 'exclusiveGateway') return taken
    if (flow.condition !== undefined || node.type === 'inclusiveGateway') isConditionMet = true
  }
  // Unconditional flows of an activity are always taken, so they do not rule out its default flow.
  return isConditionMet ? taken : [...taken, ...node.outgoing.filter((flow) => flow.isDefault)]
}
