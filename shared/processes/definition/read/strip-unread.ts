import type { Scope } from '../scopes.ts'
import { type BpmnElement, isA, type ModdleContext } from './bpmn-element.ts'
import { wfAttributes } from './wf-descriptor.ts'

/** What is compiled, or of no use: data, the ways of BPMN to say who does a task, ours to say everything else. */
const unread = [
  'ioSpecification',
  'properties',
  'dataInputAssociations',
  'dataOutputAssociations',
  'resources',
  ...wfAttributes,
]

/**
 * Leaves only what the engine runs: no pools, lanes, data objects, annotations, documentation, extension elements, diagrams.
 * The engine's serializer fails on some of them, and an instance would carry the rest for nothing.
 */
export function stripUnread(moddle: ModdleContext, process: BpmnElement, scopes: readonly Scope[]): void {
  const { rootElement } = moddle
  rootElement.rootElements = (rootElement.rootElements ?? []).filter(
    (element) => element === process || isA(element, 'Error'),
  )
  rootElement.diagrams = undefined
  moddle.references = moddle.references.filter(
    ({ element, property }) =>
      isA(element, 'SequenceFlow', 'FlowNode', 'EventDefinition') && property !== 'bpmn:flowNodeRef',
  )
  for (const element of rootElement.rootElements) strip(element, [])
  process.isExecutable = true
  for (const { owner, nodes, flows } of scopes) {
    owner.flowElements = [...nodes, ...flows]
    for (const node of nodes) strip(node, unread)
    for (const flow of flows) {
      strip(flow, [])
      // With a language the engine would take a condition for a script.
      if (flow.conditionExpression !== undefined) flow.conditionExpression.language = undefined
    }
    strip(owner, ['artifacts', 'laneSets', ...unread])
  }
}

function strip(element: BpmnElement, properties: readonly string[]): void {
  for (const property of ['documentation', 'extensionElements', ...properties]) element[property] = undefined
}

/** The serializer writes what a process holds into it once more, and so at every level of sub-processes. */
export function withoutRepetition(context: unknown): unknown {
  const { processes, activities } = context as Record<
    'processes' | 'activities',
    { behaviour: { flowElements?: unknown } }[]
  >
  for (const { behaviour } of [...processes, ...activities]) delete behaviour.flowElements
  return context
}
