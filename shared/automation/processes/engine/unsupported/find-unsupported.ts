import { own } from '../../../../kernel/own-members.ts'
import type { Finding } from '../../definition/compiled-process.ts'
import { finding, flowsOf, labelOf, processesOf, type Element, type Scope } from '../model/moddle-elements.ts'
import { findInEvent, findInEventSubProcess } from './find-in-events.ts'
import { findInFlows } from './find-in-flows.ts'
import { findInLoop } from './find-in-loops.ts'

/**
 * What a document uses that the engine does not support, each with what to use instead. `moddleContext`: from
 * `fromXML`.
 */
export function findUnsupported(moddleContext: unknown): Finding[] {
  return processesOf(moddleContext).flatMap((process) =>
    findInScope({ owner: process, elements: process.flowElements ?? [] }),
  )
}

function findInScope(scope: Scope): Finding[] {
  const starts = scope.elements.filter((element) => element.$type === 'bpmn:StartEvent')
  const severalStarts = starts
    .slice(1)
    .map((start) => finding(start, `is one start event too many: ${labelOf(scope.owner)} can have only one.`))
  return [
    ...severalStarts,
    ...findInFlows(scope),
    ...scope.elements.flatMap((element) => findInElement(element, scope)),
  ]
}

function findInElement(element: Element, scope: Scope): Finding[] {
  const inside =
    element.flowElements === undefined ? [] : findInScope({ owner: element, elements: element.flowElements })
  return [...findInKind(element, scope), ...inside]
}

const insteadOf: Readonly<Record<string, string>> = {
  'bpmn:ComplexGateway': 'is a complex gateway, which is not supported: use exclusive, inclusive or parallel gateways.',
  'bpmn:CallActivity': 'calls another process, which is not supported: draw it as a sub-process.',
  'bpmn:Transaction': 'is a transaction, which is not supported: use a sub-process with error events.',
  'bpmn:AdHocSubProcess':
    'is an ad-hoc sub-process, which is not supported: use a sub-process with flows between its activities.',
}

const inBpmn = (...types: readonly string[]): ReadonlySet<string> => new Set(types.map((type) => `bpmn:${type}`))
const tasks = [
  'Task',
  'UserTask',
  'ManualTask',
  'ReceiveTask',
  'ServiceTask',
  'SendTask',
  'ScriptTask',
  'BusinessRuleTask',
]
const activities = inBpmn(...tasks, 'SubProcess')

const gateways = ['ExclusiveGateway', 'ParallelGateway', 'InclusiveGateway']
const others = inBpmn(...gateways, 'SequenceFlow', 'DataObject', 'DataObjectReference', 'DataStoreReference')

function findInKind(element: Element, scope: Scope): Finding[] {
  const instead = own(insteadOf, element.$type)
  if (instead !== undefined) return [finding(element, instead)]
  if (element.$type.endsWith('Event')) return findInEvent(element, scope)
  if (element.$type === 'bpmn:EventBasedGateway') return findInEventBasedGateway(element, scope)
  if (others.has(element.$type)) return []
  if (!activities.has(element.$type))
    return [finding(element, `is a ${element.$type.replace('bpmn:', '')}, which is not supported.`)]
  const found = [...findInLoop(element)]
  if (element.triggeredByEvent === true) found.push(...findInEventSubProcess(element, scope))
  const refuse = (what: string): unknown => found.push(finding(element, what))
  if (element.isForCompensation === true)
    refuse('is for compensation, which is not supported: draw the way back as flows.')
  if (element.instantiate === true)
    refuse('would start a process when a message comes, which is not supported: start it by its table, or by hand.')
  for (const quantity of ['startQuantity', 'completionQuantity'] as const) {
    if ((element[quantity] ?? 1) !== 1)
      refuse(`has a ${quantity} other than 1, which is not supported: use gateways to join or split.`)
  }
  return found
}

function findInEventBasedGateway(gateway: Element, scope: Scope): Finding[] {
  const targets = flowsOf(scope).flatMap((flow) =>
    flow.sourceRef === gateway && flow.targetRef !== undefined ? [flow.targetRef] : [],
  )
  const follows = `follows the event-based gateway ${labelOf(gateway)}`
  const found: Finding[] = []
  if (gateway.instantiate === true)
    found.push(finding(gateway, 'would start a process, which is not supported: start it by its table, or by hand.'))
  if (gateway.eventGatewayType === 'Parallel')
    found.push(finding(gateway, 'waits for all of its events, which is not supported: use a parallel gateway.'))
  for (const target of targets) {
    if (!isAwaitable(target))
      found.push(finding(target, `${follows}, so it must be a timer or message catch event or a receive task.`))
    if (target.loopCharacteristics !== undefined)
      found.push(finding(target, `${follows}, so it cannot run several times.`))
  }
  for (const event of scope.elements) {
    if (event.attachedToRef === undefined || !targets.includes(event.attachedToRef)) continue
    found.push(
      finding(event, `is attached to a task that ${follows}, which is not supported: let an event follow the gateway.`),
    )
  }
  return found
}

const isAwaitable = ({ $type, eventDefinitions }: Element): boolean =>
  $type === 'bpmn:ReceiveTask' ||
  ($type === 'bpmn:IntermediateCatchEvent' && eventDefinitions?.[0]?.$type !== 'bpmn:LinkEventDefinition')
