import { type BpmnElement, describe, isA, type ModdleContext, sentence, visibleId } from './read/bpmn-element.ts'
import type { Scope } from './scopes.ts'

/** What to tell about an element. */
interface Told {
  readonly elementId: string | null
  readonly message: string
}

/**
 * Brings what BPMN allows to write in several ways into the one that is read: event definitions that events refer to are
 * put into them, and conditions that BPMN ignores are left out. Answers what to tell of it.
 */
export function normalizeStandard(moddle: ModdleContext, scopes: readonly Scope[]): readonly Told[] {
  for (const node of scopes.flatMap(({ nodes }) => nodes)) inlineDefinitions(moddle, node)
  return scopes.flatMap(({ flows }) => flows.flatMap(ignoreCondition))
}

function inlineDefinitions(moddle: ModdleContext, event: BpmnElement): void {
  const referred = (event.eventDefinitionRef ?? []).filter((one) => isA(one, 'EventDefinition'))
  if (referred.length === 0) return
  event.eventDefinitions = [...(event.eventDefinitions ?? []), ...referred]
  event.set?.('eventDefinitionRef', [])
  moddle.references = moddle.references.filter(
    ({ element, property }) => element !== event || property !== 'bpmn:eventDefinitionRef',
  )
}

/** BPMN 2.0.2, 10.5.1 and 13.4.1: the default flow and the flows out of a parallel gateway have no condition. */
function ignoreCondition(flow: BpmnElement): Told[] {
  const { conditionExpression, sourceRef: source } = flow
  if (conditionExpression === undefined || source === undefined) return []
  const isDefault = source.default === flow
  if (!isDefault && !isA(source, 'ParallelGateway')) return []
  flow.conditionExpression = undefined
  const why = isDefault ? 'it is the default flow' : `${describe(source)} takes every flow`
  return [
    {
      elementId: visibleId(flow),
      message: sentence(`the condition of ${describe(flow)} is ignored: ${why}.`),
    },
  ]
}
