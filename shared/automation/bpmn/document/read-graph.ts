import { own } from '../../../kernel/collections/own-members.ts'
import { elements } from '../elements/registry.ts'
import { type BpmnElement, isA, typeOf } from '../shapes/bpmn-element.ts'
import type { EventTriggers, LoopEvent, StoredFlow, StoredGraph, StoredNode } from '../shapes/graph.ts'
import { labelOf } from '../shapes/moddle-elements.ts'

/** What was read of the events of a document, by the ids of events, and of tasks that send or receive a message. */
interface Events {
  readonly events: Readonly<Record<string, EventTriggers>>
  readonly loopEvents: Readonly<Record<string, readonly LoopEvent[]>>
}

/** The elements and flows of a process, and of its sub-processes, in the order in which they are written. */
export function readGraph(process: BpmnElement, events: Events): StoredGraph {
  const nodes: StoredNode[] = []
  const flows: StoredFlow[] = []
  const readScope = (owner: BpmnElement): void => {
    for (const element of owner.flowElements ?? []) {
      if (isA(element, 'SequenceFlow')) flows.push(flowOf(element))
      if (!isA(element, 'FlowNode')) continue
      nodes.push(nodeOf(element, owner, events))
      readScope(element)
    }
  }
  readScope(process)
  return { nodes, flows }
}

function flowOf(flow: BpmnElement): StoredFlow {
  const { id = '', sourceRef, targetRef, conditionExpression } = flow
  return {
    id,
    source: sourceRef?.id ?? '',
    target: targetRef?.id ?? '',
    ...(conditionExpression?.body !== undefined && { condition: conditionExpression.body }),
    ...(sourceRef?.default === flow && { isDefault: true }),
  }
}

function nodeOf(element: BpmnElement, owner: BpmnElement, { events, loopEvents }: Events): StoredNode {
  const { id = '', loopCharacteristics: loop, attachedToRef: host } = element
  const { triggers = [], isParallel = false } = own(events, id) ?? {}
  const thrown = own(loopEvents, id)
  return {
    id,
    type: typeOf(element),
    label: labelOf(element),
    parentId: owner.id ?? '',
    triggers,
    isParallel,
    ...(thrown !== undefined && { loopEvents: thrown }),
    ...elements.node(typeOf(element))?.describe?.(element),
    ...quantityOf(element, 'startQuantity'),
    ...quantityOf(element, 'completionQuantity'),
    ...(loop !== undefined && { loop: elements.loopOf(typeOf(loop))?.read(loop) }),
    isInterrupting: element.cancelActivity !== false && element.isInterrupting !== false,
    isEventSubProcess: element.triggeredByEvent === true,
    isForCompensation: element.isForCompensation === true,
    isInstantiating: element.instantiate === true,
    ...(host?.id !== undefined && { attachedTo: host.id }),
  }
}

const quantityOf = (element: BpmnElement, name: 'startQuantity' | 'completionQuantity') =>
  Number(element[name] ?? 1) > 1 ? { [name]: Number(element[name]) } : {}
