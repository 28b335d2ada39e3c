import { nodeElements, triggerElements } from '../../elements/registry.ts'
import { type BpmnElement, isA, type ModdleContext } from '../../shapes/bpmn-element.ts'
import type { Scope } from '../../shapes/scopes.ts'
import { wfAttributes } from './wf-descriptor.ts'

const kept = new Set(nodeElements.flatMap(({ attributes }) => (attributes?.isKept === true ? attributes.names : [])))

/** Properties that the engine does not read: data, BPMN resources, and `wf:` attributes, which are compiled already. */
const unread = [
  'calledElement',
  'messageRef',
  'operationRef',
  'ioSpecification',
  'properties',
  'dataInputAssociations',
  'dataOutputAssociations',
  'resources',
  ...[...wfAttributes].filter((name) => !kept.has(name)),
]

/**
 * Removes what the engine does not run: pools, lanes, data objects, annotations, documentation, extension elements and
 * diagrams. The engine's serializer fails on some of them, and the rest would only make instances larger. `compiledEvents`:
 * events and tasks whose definitions the engine does not read.
 */
export function stripUnread(
  moddle: ModdleContext,
  process: BpmnElement,
  scopes: readonly Scope[],
  compiledEvents: ReadonlySet<string>,
): void {
  const { rootElement } = moddle
  rootElement.rootElements = (rootElement.rootElements ?? []).filter(
    (element) => element === process || triggerElements.some(({ refersTo }) => refersTo && isA(element, refersTo)),
  )
  rootElement.diagrams = undefined
  const definitions = new Set<BpmnElement>()
  for (const node of scopes.flatMap(({ nodes }) => nodes)) {
    for (const property of ['noneBehaviorEventRef', 'oneBehaviorEventRef', 'complexBehaviorDefinition', 'behavior'])
      if (node.loopCharacteristics?.[property] !== undefined) node.loopCharacteristics.set?.(property, undefined)
    if (!compiledEvents.has(node.id ?? '')) continue
    for (const definition of node.eventDefinitions ?? []) definitions.add(definition)
    node.eventDefinitions = undefined
  }
  moddle.references = moddle.references.filter(
    ({ element, property }) =>
      isA(element, 'SequenceFlow', 'FlowNode', 'EventDefinition') &&
      property !== 'bpmn:flowNodeRef' &&
      property !== 'bpmn:messageRef' &&
      !definitions.has(element),
  )
  for (const element of rootElement.rootElements) strip(element, [])
  process.isExecutable = true
  for (const { owner, nodes, flows } of scopes) {
    owner.flowElements = [...nodes, ...flows]
    for (const node of nodes) strip(node, unread)
    for (const flow of flows) {
      strip(flow, [])
      // The engine would read a condition with a language as a script.
      if (flow.conditionExpression !== undefined) flow.conditionExpression.language = undefined
    }
    strip(owner, ['artifacts', 'laneSets', ...unread])
  }
}

function strip(element: BpmnElement, properties: readonly string[]): void {
  for (const property of ['documentation', 'extensionElements', ...properties]) element[property] = undefined
}

/** Removes the copies of its elements that the serializer adds to each process and sub-process. */
export function withoutRepetition(context: unknown): unknown {
  const { processes, activities } = context as Record<
    'processes' | 'activities',
    { behaviour: { flowElements?: unknown } }[]
  >
  for (const { behaviour } of [...processes, ...activities]) delete behaviour.flowElements
  return context
}
