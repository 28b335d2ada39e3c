import { own } from '../../../../kernel/collections/own-members.ts'
import { maxLoopIterations } from '../../../../kernel/limits/processes.ts'
import { elements, refusedElements } from '../../elements/registry.ts'
import { type BpmnElement, typeOf } from '../../shapes/bpmn-element.ts'
import type { Finding } from '../../shapes/compiled-process.ts'
import { finding, flowsOf, labelOf, processesOf, type Surroundings } from '../../shapes/moddle-elements.ts'
import { findInEvent } from './find-in-events.ts'

/**
 * What a document uses that the engine does not support, each with what to use instead. `moddleContext`: from
 * `fromXML`.
 */
export function findUnsupported(moddleContext: unknown): Finding[] {
  return processesOf(moddleContext).flatMap((process) =>
    findInScope({ owner: process, elements: process.flowElements ?? [] }),
  )
}

function findInScope(surroundings: Surroundings): Finding[] {
  const starts = surroundings.elements.filter((element) => elements.node(typeOf(element))?.isStart)
  const isProcess = typeOf(surroundings.owner) === 'process'
  const severalStarts = starts
    .filter(({ eventDefinitions }) => !isProcess || !eventDefinitions?.length)
    .slice(1)
    .map((start) => finding(start, `is one start event too many: ${labelOf(surroundings.owner)} can have only one.`))
  return [
    ...severalStarts,
    ...findInFlows(surroundings),
    ...surroundings.elements.flatMap((element) => findInElement(element, surroundings)),
  ]
}

function findInElement(element: BpmnElement, surroundings: Surroundings): Finding[] {
  const inside =
    element.flowElements === undefined ? [] : findInScope({ owner: element, elements: element.flowElements })
  return [...findInKind(element, surroundings), ...inside]
}

/** What is drawn beside activities, events and gateways. */
const others = new Set(['sequenceFlow', 'dataObject', 'dataObjectReference', 'dataStoreReference'])

function findInKind(element: BpmnElement, surroundings: Surroundings): readonly Finding[] {
  const type = typeOf(element)
  const refused = own(refusedElements, type)?.finding
  if (refused !== undefined) return [finding(element, refused)]
  if (others.has(type)) return []
  const declared = elements.node(type)
  if (declared === undefined) {
    const what = type.endsWith('Event') ? 'an event that' : `a ${element.$type.replace('bpmn:', '')}, which`
    return [finding(element, `is ${what} is not supported.`)]
  }
  const position = declared.position?.(surroundings)
  if (position !== undefined) return findInEvent(element, position, surroundings)
  const special = declared.unsupported?.(element, surroundings, elements) ?? []
  return declared.kind === 'activity'
    ? [...findInLoop(element), ...special, ...findInInstantiation(element, surroundings), ...findInActivity(element)]
    : special
}

function findInLoop(activity: BpmnElement): readonly Finding[] {
  const { loopCharacteristics: loop } = activity
  if (loop === undefined) return []
  if (activity.triggeredByEvent === true)
    return [finding(activity, 'is an event sub-process, so it cannot run several times.')]
  return elements.loopOf(typeOf(loop))?.unsupported?.(activity, loop) ?? []
}

/** A receive task that starts the process when its message comes. */
function findInInstantiation(task: BpmnElement, surroundings: Surroundings): Finding[] {
  if (task.instantiate !== true) return []
  const refuse = (what: string): Finding[] => [finding(task, `starts the process (instantiate), ${what}`)]
  if (typeOf(surroundings.owner) !== 'process') return refuse('so it cannot be in a sub-process.')
  if (flowsOf(surroundings).some((flow) => flow.targetRef === task))
    return refuse('so no flow can lead to it: leave out the flow, or instantiate.')
  if (task.loopCharacteristics !== undefined) return refuse('so it cannot run several times.')
  return task.messageRef === undefined
    ? refuse('so it needs the message that it does that with: add a messageRef.')
    : []
}

function findInActivity(activity: BpmnElement): Finding[] {
  const found: Finding[] = []
  const refuse = (what: string): unknown => found.push(finding(activity, what))
  for (const quantity of ['startQuantity', 'completionQuantity'] as const) {
    const count = activity[quantity] ?? 1
    if (!Number.isSafeInteger(count) || Number(count) < 1 || Number(count) > maxLoopIterations)
      refuse(`has a ${quantity} that is no whole number from 1 to ${maxLoopIterations}.`)
  }
  return found
}

const scriptLanguage = /^(?:.*\/)?(?:java|ecma)script$|^js$/i

/** Conditions that are empty, not JavaScript, or on a flow that cannot have one. */
function findInFlows(surroundings: Surroundings): Finding[] {
  return flowsOf(surroundings).flatMap(findInFlow)
}

function findInFlow(flow: BpmnElement): Finding[] {
  const { conditionExpression: condition, sourceRef: source } = flow
  if (condition === undefined || source === undefined) return []
  const { language, body = '', resource } = condition
  const found: Finding[] = []
  const refuse = (what: string): unknown => found.push(finding(flow, what))
  if (elements.node(typeOf(source))?.mayChoose !== true)
    refuse(
      `has a condition, but leaves ${labelOf(source)}, which takes all of its flows: put an exclusive or inclusive gateway in between.`,
    )
  if (source.default === flow) refuse('is the default flow, so it cannot have a condition.')
  if (resource !== undefined || body.trim() === '') refuse('has a condition without an expression.')
  if (language !== undefined && !scriptLanguage.test(language))
    refuse(`has a condition in '${language}'; only JavaScript and FEEL are supported.`)
  return found
}
