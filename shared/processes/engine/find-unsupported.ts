import type { Finding } from '../definition/compiled-process.ts'
import { finding, labelOf, processesOf, type Element, type Scope } from './moddle-elements.ts'
import { findInEvent, findInEventSubProcess } from './unsupported-events.ts'
import { findInFlows } from './unsupported-flows.ts'
import { findInLoop } from './unsupported-loops.ts'

/** What a document asks of the engine that it does not do, each with what to do instead. `moddleContext`: what `fromXML` resolves to. */
export function findUnsupported(moddleContext: unknown): Finding[] {
  return processesOf(moddleContext).flatMap((process) => findInScope({ owner: process, elements: process.flowElements ?? [] }))
}

function findInScope(scope: Scope): Finding[] {
  const starts = scope.elements.filter((element) => element.$type === 'bpmn:StartEvent')
  const severalStarts = starts.slice(1).map((start) => finding(start, `is one start event too many: ${labelOf(scope.owner)} starts at one place.`))
  return [...severalStarts, ...findInFlows(scope), ...scope.elements.flatMap((element) => findInElement(element, scope))]
}

function findInElement(element: Element, scope: Scope): Finding[] {
  const inside = element.flowElements === undefined ? [] : findInScope({ owner: element, elements: element.flowElements })
  return [...findInKind(element, scope), ...inside]
}

const insteadOf: Readonly<Record<string, string>> = {
  'bpmn:ComplexGateway': 'is a complex gateway, which is not supported: use exclusive, inclusive or parallel gateways.',
  'bpmn:CallActivity': 'calls another process, which is not supported: draw it as a sub-process.',
  'bpmn:Transaction': 'is a transaction, which is not supported: use a sub-process with error events.',
  'bpmn:AdHocSubProcess': 'is an ad-hoc sub-process, which is not supported: use a sub-process with flows between its activities.',
  'bpmn:SubChoreography': 'is a choreography, which is not supported.',
  'bpmn:ImplicitThrowEvent': 'is an implicit throw event, which is not supported.',
}

const activities = new Set(['Task', 'UserTask', 'ManualTask', 'ReceiveTask', 'ServiceTask', 'SendTask', 'ScriptTask', 'BusinessRuleTask', 'SubProcess'].map((type) => `bpmn:${type}`))

function findInKind(element: Element, scope: Scope): Finding[] {
  const instead = insteadOf[element.$type]
  if (instead !== undefined) return [finding(element, instead)]
  if (element.$type.endsWith('Event')) return findInEvent(element, scope)
  if (element.$type === 'bpmn:EventBasedGateway') return findInEventBasedGateway(element, scope)
  if (!activities.has(element.$type)) return []
  const found = [...findInLoop(element)]
  if (element.triggeredByEvent === true) found.push(...findInEventSubProcess(element, scope))
  if (element.isForCompensation === true) found.push(finding(element, 'is for compensation, which is not supported: draw the way back as flows.'))
  if (element.instantiate === true) found.push(finding(element, 'would start a process when a message comes, which is not supported: start it by its table, or by hand.'))
  for (const quantity of ['startQuantity', 'completionQuantity'] as const) {
    if ((element[quantity] ?? 1) !== 1) found.push(finding(element, `has a ${quantity} other than 1, which is not supported: use gateways to join or split.`))
  }
  return found
}

function findInEventBasedGateway(gateway: Element, { elements }: Scope): Finding[] {
  const targets = elements.filter((element) => elements.some((flow) => flow.$type === 'bpmn:SequenceFlow' && flow.sourceRef === gateway && flow.targetRef === element))
  const isAwaitable = (target: Element): boolean => target.$type === 'bpmn:ReceiveTask' || (target.$type === 'bpmn:IntermediateCatchEvent' && target.eventDefinitions?.[0]?.$type !== 'bpmn:LinkEventDefinition')
  return [
    ...(gateway.instantiate === true ? [finding(gateway, 'would start a process, which is not supported: start it by its table, or by hand.')] : []),
    ...(gateway.eventGatewayType === 'Parallel' ? [finding(gateway, 'waits for all of its events, which is not supported: use a parallel gateway.')] : []),
    ...targets.filter((target) => !isAwaitable(target)).map((target) => finding(target, `follows the event-based gateway ${labelOf(gateway)}, so it must be a timer or message catch event or a receive task.`)),
    ...targets.filter((target) => target.loopCharacteristics !== undefined).map((target) => finding(target, `follows the event-based gateway ${labelOf(gateway)}, so it cannot run several times.`)),
    ...elements.filter((element) => element.attachedToRef !== undefined && targets.includes(element.attachedToRef)).map((event) => finding(event, `stands on the border of a task that follows the event-based gateway ${labelOf(gateway)}, which is not supported: let an event follow the gateway.`)),
  ]
}
