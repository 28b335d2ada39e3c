import { maxCorrelationKeyCharacters } from '../../../../kernel/limits/processes.ts'
import { type EngineRun, StepFailure, type TokenPosition } from '../../engine/tokens/engine-run.ts'
import { evaluate } from '../../engine/tokens/evaluate.ts'
import { expressionOf } from '../../expressions/expression.ts'
import type { BpmnElement } from '../../shapes/bpmn-element.ts'
import type { FlowNode } from '../../shapes/graph.ts'

/** The name of a message or signal: that of the root element, or else of the event. */
export const nameOfThrown = (root: BpmnElement | undefined, event: BpmnElement): string =>
  [root?.name, root?.id, event.name, event.id].find((text) => text !== undefined && text.trim() !== '')?.trim() ?? ''

/** The `wf:correlationKey` of an event, or of its message. */
export function correlationKeyOf(event: BpmnElement, message: BpmnElement | undefined): string | undefined {
  const text = [event.correlationKey, message?.correlationKey].find((one) => typeof one === 'string')
  return typeof text === 'string' && text.trim() !== '' ? expressionOf(text) : undefined
}

/** What goes with a message or signal: what the `wf:in` of its event say. */
export const variablesOfThrown = (run: EngineRun, { id }: TokenPosition): Readonly<Record<string, unknown>> => ({
  ...run.scopes.get(id)?.variables,
})

/** Evaluates the key of a message. @throws StepFailure when it is empty. */
export async function evaluateKey(
  run: EngineRun,
  node: FlowNode,
  expression: string | undefined,
  around: TokenPosition | undefined,
): Promise<{ readonly key?: string }> {
  if (expression === undefined) return {}
  const value = await evaluate(run, node, expression, 'correlation key', around)
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new StepFailure(node.id, `The correlation key of ${node.label} must be a text or a number, but it is empty.`)
  const key = String(value)
  if (key === '' || key.length > maxCorrelationKeyCharacters)
    throw new StepFailure(
      node.id,
      `The correlation key of ${node.label} must have 1 to ${maxCorrelationKeyCharacters} characters.`,
    )
  return { key }
}
