import type { CompletedTask } from '../../schema.ts'
import type { FlowNode } from '../../shapes/graph.ts'
import { StepFailure, type EngineRun, type TokenPosition } from './engine-run.ts'
import { scopeAt } from './variable-scopes.ts'

/**
 * Evaluates an expression of an element. `around`: the token whose variables and iteration it sees.
 * @throws StepFailure when the expression throws.
 */
export async function evaluate(
  run: EngineRun,
  node: FlowNode,
  expression: string,
  what: string,
  around: TokenPosition | undefined,
  more: {
    readonly executionId?: string
    readonly variables?: Readonly<Record<string, unknown>>
    readonly task?: CompletedTask
  } = {},
): Promise<unknown> {
  try {
    return await run.host.evaluate(expression, {
      elementId: node.id,
      ...(more.executionId !== undefined && { executionId: more.executionId }),
      ...scopeAt(run, around, more),
    })
  } catch (cause) {
    throw new StepFailure(
      node.id,
      `The ${what} of ${node.label} fails: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}
