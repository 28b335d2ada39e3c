import type { CompletedTask } from '../../schema.ts'
import type { Flow, FlowNode } from '../../shapes/graph.ts'
import { recordEvent, StepFailure, type EngineRun, type TokenPosition } from './engine-run.ts'
import { evaluate } from './evaluate.ts'

/** Completes a node as soon as it is entered. */
export async function passThrough(
  run: EngineRun,
  node: FlowNode,
  { id, in: scope, task }: TokenPosition,
): Promise<void> {
  recordEvent(run, node.id, id, 'completed')
  await leave(run, node, scope, id, task)
}

/**
 * Sends a token along each flow out of a node whose condition holds. `scope`: id of the sub-process token around it.
 * @throws StepFailure when no condition holds and there is no default flow.
 */
export async function leave(
  run: EngineRun,
  node: FlowNode,
  scope: string,
  executionId: string,
  task?: CompletedTask,
): Promise<void> {
  if (node.outgoing.length === 0) return endPath(run, scope, task)
  const holds = async (flow: Flow): Promise<boolean> =>
    flow.condition === undefined ||
    Boolean(
      await evaluate(run, node, flow.condition, `condition of the flow '${flow.id}'`, run.tokens.get(scope), {
        executionId,
        ...(task && { task }),
      }),
    )
  const taken = await (run.elements.node(node.type)?.chooseFlows ?? flowsOfActivity)(node, holds)
  if (taken.length === 0)
    throw new StepFailure(node.id, `No flow out of ${node.label} holds, and it has no default flow.`)
  for (let sent = 0; sent < (node.completionQuantity ?? 1); sent++)
    for (const flow of taken) run.moves.push({ do: 'arrive', flow, in: scope, ...(task && { task }) })
}

/** A token ends in a sub-process: its task is the one that continues from there, unless another token ends later. */
export function endPath(run: EngineRun, scope: string, task: CompletedTask | undefined): void {
  const around = run.tokens.get(scope)
  if (around?.is === 'scope' && task !== undefined) run.tokens.set(scope, { ...around, ended: task })
}

/** Unconditional flows of an activity are always taken, so they do not rule out its default flow. */
async function flowsOfActivity({ outgoing }: FlowNode, holds: (flow: Flow) => Promise<boolean>): Promise<Flow[]> {
  const taken = await flowsThatHold(outgoing, holds)
  return taken.some(({ condition }) => condition !== undefined) ? taken : [...taken, ...defaultFlows(outgoing)]
}

export const defaultFlows = (flows: readonly Flow[]): Flow[] => flows.filter((flow) => flow.isDefault)

/** The flows, apart from the default, whose condition holds. Evaluates one after another. */
export async function flowsThatHold(flows: readonly Flow[], holds: (flow: Flow) => Promise<boolean>): Promise<Flow[]> {
  const taken: Flow[] = []
  for (const flow of flows) if (!flow.isDefault && (await holds(flow))) taken.push(flow)
  return taken
}
