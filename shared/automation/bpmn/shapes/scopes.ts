import { maxNodes, maxSubProcessDepth } from '../../../kernel/limits/processes.ts'
import { type BpmnElement, isA, rootOf } from './bpmn-element.ts'

/** A process or sub-process with its direct children. */
export interface Scope {
  readonly owner: BpmnElement
  readonly nodes: readonly BpmnElement[]
  readonly flows: readonly BpmnElement[]
}

/** The process and every sub-process in it, outermost first. A text says why the process is too large. */
export function scopesOf(process: BpmnElement): readonly Scope[] | string {
  const scopes: Scope[] = []
  let level = [process]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxSubProcessDepth) return `Sub-processes are nested more than ${maxSubProcessDepth} deep.`
    const made = level.map((owner) => {
      const elements = owner.flowElements ?? []
      return {
        owner,
        nodes: elements.filter((element) => isA(element, 'FlowNode')),
        flows: elements.filter((element) => isA(element, 'SequenceFlow')),
      }
    })
    scopes.push(...made)
    if (scopes.reduce((sum, { nodes }) => sum + nodes.length, 0) > maxNodes)
      return `The process has more than ${maxNodes} tasks, events and gateways.`
    level = made.flatMap(({ nodes }) => nodes.filter((node) => isA(node, 'SubProcess')))
  }
  return scopes
}

/** The flows of a scope by the node they leave (`from`) and by the node they lead to (`to`). */
export interface Links {
  readonly from: ReadonlyMap<BpmnElement, readonly BpmnElement[]>
  readonly to: ReadonlyMap<BpmnElement, readonly BpmnElement[]>
}

export const isEventSubProcess = (node: BpmnElement): boolean =>
  isA(node, 'SubProcess') && node.triggeredByEvent === true

export function linksOf({ flows }: Scope): Links {
  return {
    from: Map.groupBy(flows, (flow) => flow.sourceRef as BpmnElement),
    to: Map.groupBy(flows, (flow) => flow.targetRef as BpmnElement),
  }
}

/** What begins a process or sub-process without start event: everything that no flow leads to. */
export function implicitStarts(scope: Scope): readonly BpmnElement[] {
  const { to } = linksOf(scope)
  return scope.nodes.filter(
    (node) =>
      !to.has(node) &&
      !isA(node, 'BoundaryEvent') &&
      node.isForCompensation !== true &&
      !isEventSubProcess(node) &&
      !(node.eventDefinitions ?? []).some((definition) => isA(definition, 'LinkEventDefinition')),
  )
}

/** The activity that an association of the document connects an event with, in either direction. */
export function associatedActivity(event: BpmnElement): BpmnElement | undefined {
  for (const association of associationsAround(event)) {
    const { sourceRef, targetRef } = association
    const other = sourceRef === event ? targetRef : targetRef === event ? sourceRef : undefined
    if (isA(other, 'Activity')) return other
  }
  return undefined
}

/** Those of the scopes around an element, and of the pools. */
function associationsAround(element: BpmnElement): BpmnElement[] {
  const holders: BpmnElement[] = []
  for (let at = element.$parent; at !== undefined; at = at.$parent) holders.push(at)
  const pools = rootOf(element).$parent?.rootElements?.filter((root) => isA(root, 'Collaboration')) ?? []
  return [...holders, ...pools]
    .flatMap(({ artifacts }) => (artifacts as BpmnElement[] | undefined) ?? [])
    .filter((artifact) => isA(artifact, 'Association'))
}
