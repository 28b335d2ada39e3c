import type { Check } from '../../elements/element.ts'
import { elements } from '../../elements/registry.ts'
import { expressionOf } from '../../expressions/expression.ts'
import { type BpmnElement, describe } from '../../shapes/bpmn-element.ts'
import type { LoopEvent, Trigger } from '../../shapes/graph.ts'

/**
 * What a multi-instance activity throws when a pass is completed, as its `behavior` says (BPMN 2.0.2, table 10.31).
 * Where that names no event, it is a signal by the name of the activity.
 */
export function readLoopEvents(activity: BpmnElement, check: Check): readonly LoopEvent[] {
  const loop = activity.loopCharacteristics
  if (loop === undefined) return []
  const { behavior, noneBehaviorEventRef, oneBehaviorEventRef, complexBehaviorDefinition } = loop
  const throwing = (definition: unknown): readonly Trigger[] =>
    triggersOf(activity, definition === undefined ? [] : [definition as BpmnElement], check)
  if (behavior === 'None') return [{ when: 'each', triggers: throwing(noneBehaviorEventRef) }]
  if (behavior === 'One') return [{ when: 'first', triggers: throwing(oneBehaviorEventRef) }]
  if (behavior !== 'Complex') return []
  const parts = (complexBehaviorDefinition ?? []) as readonly BpmnElement[]
  if (parts.length === 0)
    check.report(
      activity,
      `${describe(activity)} needs a complexBehaviorDefinition for its behavior "Complex".`,
      'incomplete',
    )
  return parts.map((part) => readPart(activity, part, check))
}

function readPart(activity: BpmnElement, part: BpmnElement, check: Check): LoopEvent {
  const condition = part.condition as BpmnElement | undefined
  const event = part.event as BpmnElement | undefined
  const fault = check.conditionProblem(condition?.body)
  if (fault !== undefined)
    check.report(
      activity,
      `a condition of the behavior of ${describe(activity)} is not ${check.expressionKind(condition?.body)}: ${fault}.`,
      'invalid_expression',
    )
  const definitions = [...(event?.eventDefinitions ?? []), ...(event?.eventDefinitionRef ?? [])]
  return {
    when: 'met',
    condition: expressionOf(condition?.body ?? ''),
    triggers: triggersOf(activity, definitions, check),
  }
}

function triggersOf(activity: BpmnElement, definitions: readonly BpmnElement[], check: Check): readonly Trigger[] {
  if (definitions.length === 0) {
    const signal = elements.trigger('signal')?.read({ $type: 'bpmn:SignalEventDefinition', $attrs: {} }, activity)
    return signal === undefined ? [] : [signal]
  }
  return definitions.flatMap((definition) => {
    const element = elements.triggerOf(definition)
    const trigger = thrown.has(element?.on) ? element?.read(definition, activity) : undefined
    if (trigger === undefined)
      check.report(
        activity,
        `${describe(activity)} can throw a message, a signal, an escalation or an error while it runs several times, nothing else.`,
        'unsupported',
      )
    return trigger ?? []
  })
}

const thrown: ReadonlySet<string | undefined> = new Set(['message', 'signal', 'escalation', 'error'])
