import { own } from '../../../../kernel/collections/own-members.ts'
import { nearestWord } from '../../../../kernel/text/did-you-mean.ts'
import { type BpmnElement, describe, sentence, visibleId } from '../../shapes/bpmn-element.ts'
import type { Finding } from '../../shapes/compiled-process.ts'
import { wfAttributes, wfDescriptor } from '../read/wf-descriptor.ts'

/** What modelers write beside the process for themselves: it says nothing about how it runs. */
const harmless = new Set(['xmlns', 'xsi', 'xml', 'modeler', 'bioc', 'color'])

/** What other engines say about how they themselves store, run and draw a process: it changes nothing of what it does. */
const silent = new Set([
  'async',
  'asyncBefore',
  'asyncAfter',
  'asyncLeave',
  'asynchronousDefinition',
  'exclusive',
  'historyTimeToLive',
  'isStartableInTasklist',
  'jobPriority',
  'modelerTemplate',
  'modelerTemplateIcon',
  'modelerTemplateVersion',
  'properties',
  'userTask',
  'versionTag',
])

/** What attributes and elements of other engines are called here, by their names without prefix. */
const ours: Readonly<Record<string, string>> = {
  assignee: 'wf:assignee',
  candidateUsers: 'wf:candidateUsers',
  candidateGroups: 'wf:candidateRoles',
  dueDate: 'wf:dueDate',
  followUpDate: 'wf:dueDate',
  priority: 'wf:priority',
  formKey: 'wf:formKey',
  formRef: 'wf:formKey',
  formId: 'wf:formKey',
  formData: 'wf:form',
  formDefinition: 'wf:form',
  formField: 'wf:formField',
  formProperty: 'wf:formField',
  assignmentDefinition: 'wf:assignee and wf:candidateRoles',
  taskSchedule: 'wf:dueDate',
  priorityDefinition: 'wf:priority',
  caseRef: 'calledElement',
  class: 'wf:action or wf:script',
  initiator: '${record.created_by}',
  delegateExpression: 'wf:action or wf:script',
  expression: 'wf:script',
  type: 'wf:action',
  topic: 'wf:action',
  taskDefinition: 'wf:action',
  connector: 'wf:action',
  script: 'wf:script',
  resultVariable: 'wf:resultVariable',
  collection: 'wf:collection',
  elementVariable: 'wf:elementVariable',
  loopCharacteristics: 'wf:collection',
  taskListener: 'wf:notify or wf:setFields',
  executionListener: 'wf:notify or wf:setFields',
}

/**
 * Warnings about attributes and elements that are in no descriptor and mean nothing here: of the given elements, and of
 * what they hold that no diagram shows.
 */
export const foreignWords = (elements: readonly BpmnElement[]): Finding[] =>
  elements.flatMap((element) =>
    [element, ...(element.eventDefinitions ?? []), element.loopCharacteristics ?? []]
      .flat()
      .flatMap((one) => [
        ...Object.keys(one.$attrs).flatMap((attribute) => foreignAttribute(one, attribute)),
        ...(one.extensionElements?.values ?? []).flatMap(({ $type }) => foreignElement(one, $type)),
      ]),
  )

function foreignAttribute(element: BpmnElement, attribute: string): Finding[] {
  const [prefix, name] = partsOf(attribute)
  if (isHarmless(prefix ?? name) || (prefix !== undefined && silent.has(name))) return []
  return [meaningless(element, attribute, own(ours, name) ?? nearestOf(prefix, name))]
}

function foreignElement(element: BpmnElement, type: string): Finding[] {
  const [prefix, name] = partsOf(type)
  return isHarmless(prefix) || silent.has(name) ? [] : [meaningless(element, `<${type}>`, own(ours, name))]
}

const isHarmless = (prefix: string | undefined): boolean =>
  prefix !== undefined && (harmless.has(prefix) || prefix === wfDescriptor.prefix)

function meaningless(element: BpmnElement, what: string, instead: string | undefined): Finding {
  const use = instead === undefined ? '' : `; use ${instead}`
  return {
    elementId: visibleId(element),
    message: sentence(`${describe(element)} has ${what}, which means nothing here${use}.`),
  }
}

function partsOf(name: string): [prefix: string | undefined, local: string] {
  const at = name.indexOf(':')
  return at < 0 ? [undefined, name] : [name.slice(0, at), name.slice(at + 1)]
}

/** For attributes without a prefix: a mistyped one of ours. */
function nearestOf(prefix: string | undefined, name: string): string | undefined {
  const near = prefix === undefined ? nearestWord(name, wfAttributes) : undefined
  return near === undefined ? undefined : `${wfDescriptor.prefix}:${near}`
}
