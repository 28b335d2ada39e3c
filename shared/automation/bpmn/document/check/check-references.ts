import { own } from '../../../../kernel/collections/own-members.ts'
import { type BpmnElement, describe, isA, type ModdleContext, rootOf } from '../../shapes/bpmn-element.ts'
import type { Report } from '../../shapes/findings.ts'

/** What a reference must name. Other references (`incoming`, lanes, diagrams, data) are redundant or not read. */
const targets: Readonly<Record<string, { readonly types: readonly string[]; readonly called: string }>> = {
  'bpmn:sourceRef': { types: ['FlowNode'], called: 'a task, event or gateway' },
  'bpmn:targetRef': { types: ['FlowNode'], called: 'a task, event or gateway' },
  'bpmn:attachedToRef': { types: ['Activity'], called: 'a task or sub-process' },
  'bpmn:default': { types: ['SequenceFlow'], called: 'a sequence flow' },
  'bpmn:eventDefinitionRef': { types: ['EventDefinition'], called: 'an event definition' },
  'bpmn:noneBehaviorEventRef': { types: ['EventDefinition'], called: 'an event definition' },
  'bpmn:oneBehaviorEventRef': { types: ['EventDefinition'], called: 'an event definition' },
  'bpmn:activityRef': { types: ['Activity'], called: 'a task or sub-process' },
  'bpmn:errorRef': { types: ['Error'], called: 'an error' },
  'bpmn:signalRef': { types: ['Signal'], called: 'a signal' },
  'bpmn:messageRef': { types: ['Message'], called: 'a message' },
  'bpmn:escalationRef': { types: ['Escalation'], called: 'an escalation' },
}

/** Checks that every reference of the process that matters to it names an element of the right kind. */
export function checkReferences(
  { references, elementsById }: ModdleContext,
  process: BpmnElement,
  report: Report,
): void {
  for (const { element, property, id } of references) {
    const target = own(targets, property)
    if (target === undefined || !isA(element, 'SequenceFlow', 'FlowNode', 'EventDefinition', 'LoopCharacteristics'))
      continue
    const root = rootOf(element)
    if (isA(root, 'Process') && root !== process) continue
    const attribute = property.slice('bpmn:'.length)
    const found: BpmnElement | undefined = own(elementsById, id)
    // Some editors write an empty one where they mean none.
    if (id === '') continue
    if (found === undefined) report(element, `${describe(element)}: ${attribute} names "${id}", which does not exist.`)
    else if (!isA(found, ...target.types))
      report(element, `${describe(element)}: ${attribute} must name ${target.called}, not ${describe(found)}.`)
  }
}
