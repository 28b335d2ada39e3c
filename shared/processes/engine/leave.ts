import type { Flow, FlowNode } from './model/graph.ts'
import { evaluate, StepFailure, type Run } from './run.ts'

/** Sends tokens along the flows out of a node. `scope`: the sub-process it stands in. Throws when none of its flows holds. */
export async function leave(run: Run, node: FlowNode, scope: string, executionId: string): Promise<void> {
  if (node.outgoing.length === 0) return
  const taken = await flowsTaken(run, node, scope, executionId)
  if (taken.length === 0)
    throw new StepFailure(node.id, `No flow out of ${node.label} holds, and it has no default flow.`)
  for (const flow of taken) run.moves.push({ do: 'arrive', flow, in: scope })
}

async function flowsTaken(run: Run, node: FlowNode, scope: string, executionId: string): Promise<Flow[]> {
  if (node.type === 'parallelGateway') return node.outgoing
  const holds = async (flow: Flow): Promise<boolean> =>
    flow.condition === undefined ||
    Boolean(
      await evaluate(run, node, flow.condition, `condition of the flow '${flow.id}'`, run.standing.get(scope), {
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
  // Flows without a condition leave an activity whatever the others do: they do not count against its default flow.
  return isConditionMet ? taken : [...taken, ...node.outgoing.filter((flow) => flow.isDefault)]
}
