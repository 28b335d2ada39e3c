import type { FlowNode } from '../../shapes/graph.ts'
import type { EngineRun, TokenPosition } from '../tokens/engine-run.ts'

/** Throws everything that an event throws. `gone`: its token does not continue. */
export async function throwTriggers(
  run: EngineRun,
  node: FlowNode,
  position: TokenPosition,
): Promise<'gone' | undefined> {
  let after: 'gone' | undefined
  for (const trigger of node.triggers)
    after = (await run.elements.trigger(trigger.on)?.throw?.(run, node, trigger, position)) ?? after
  return after
}
