import { type BpmnElement, describe, isA, type ModdleContext, sentence, visibleId } from '../shapes/bpmn-element.ts'
import { isEventSubProcess, type Scope } from '../shapes/scopes.ts'
import { isDuration } from '../shapes/time-values.ts'

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
  const told: Told[] = []
  for (const node of scopes.flatMap(({ nodes }) => nodes)) {
    inlineDefinitions(moddle, node)
    told.push(...interruptByErrors(node))
    // An event sub-process undoes what is around it by its start event; no activity is associated with it.
    if (isEventSubProcess(node)) node.isForCompensation = false
    for (const { timeDate, timeCycle } of node.eventDefinitions ?? []) {
      if (timeDate?.body !== undefined) timeDate.body = withoutZoneName(timeDate.body)
      const cycle = timeCycle?.body?.trim()
      // Some editors leave out the `R/` of a repetition without end.
      if (timeCycle !== undefined && cycle !== undefined && isDuration(cycle)) timeCycle.body = `R/${cycle}`
    }
  }
  return [...told, ...scopes.flatMap(({ flows }) => flows.flatMap(ignoreCondition))]
}

/** BPMN 2.0.2, 10.5.6: an error always interrupts what it is caught around. */
function interruptByErrors(event: BpmnElement): Told[] {
  const property = isA(event, 'BoundaryEvent') ? 'cancelActivity' : 'isInterrupting'
  const { eventDefinitions = [] } = event
  const isError = eventDefinitions.length > 0 && eventDefinitions.every((one) => isA(one, 'ErrorEventDefinition'))
  if (!isError || event[property] !== false) return []
  event[property] = true
  return [
    {
      elementId: visibleId(event),
      message: sentence(
        `${describe(event)} catches an error, which always interrupts: ${property}="false" is ignored.`,
      ),
    },
  ]
}

/** Java writes the name of a zone after the offset, which says enough: `2026-12-01T09:00:00+01:00[Europe/Berlin]`. */
const withoutZoneName = (text: string): string => text.replace(/(?<=(?:Z|[+-]\d{2}:?\d{2}))\[[\w/+-]+\]\s*$/, '')

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
