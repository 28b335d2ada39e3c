import * as limits from '../../../../../kernel/limits/processes.ts'
import { explained } from '../explained.ts'

export const processesLimits = explained('Processes', limits, {
  maxXmlCharacters: ['characters', 'the XML of a template', '422 on `bpmn_xml`'],
  maxXmlBytes: ['bytes', 'the same, in bytes', '422 on `bpmn_xml`'],
  maxTemplateVersionBytes: ['bytes', 'a template as it is stored, compressed', '422 on `bpmn_xml`'],
  maxSubProcessDepth: ['levels', 'sub-processes in each other', '422 on `bpmn_xml`'],
  maxNodes: ['elements', 'tasks, events and gateways of a process', '422 on `bpmn_xml`'],
  maxFindings: ['findings', 'findings of a template that the answer lists', 'The first ones are listed'],
  maxFindingCharacters: ['characters', 'the message of a finding', 'It is cut'],
  maxElementIdCharacters: ['characters', 'the id of an element in a finding', 'It is cut'],
  maxVariableBytes: ['bytes', 'the variables of an instance', '422 when a request sets them, else an incident'],
  maxActivationsPerStep: ['activities', 'activities that begin in one step', 'An incident'],
  maxLoopIterations: ['rounds', 'rounds of a loop', 'An incident'],
  maxProcessHops: ['steps', 'steps of processes that lead to each other without a user or a timer', 'An incident'],
  maxRoleMembersTold: [
    'people',
    'members of the candidate roles of a task who are notified',
    'The others find the task in their list',
  ],
  maxRememberedChangeBytes: ['bytes', 'earlier values that a change passes to a waiting task', '`old` lacks them'],
  maxShownSteps: ['steps', 'steps of an instance that its history shows', 'The newest are shown'],
  maxShownActivities: ['activities', 'activities of an instance that its history shows', 'The newest are shown'],
  maxShownIncidents: ['incidents', 'incidents that an instance shows', 'The newest are shown'],
  maxProcessNameCharacters: ['characters', 'the name of a template', '422'],
  maxLaidOutElements: ['elements', 'elements of a process that `layout=true` lays out', '422 on `layout`'],
  maxOutcomeCharacters: ['characters', 'the outcome of a task', '422'],
  maxCandidates: ['candidates', 'users, roles and units that a task is offered to', 'An incident: offer it to a role'],
  maxTaskBytes: ['bytes', 'a task with its form', 'An incident: shorten the form'],
  maxOpenedTaskBytes: [
    'bytes',
    'the tasks that one step opens, with their forms',
    'An incident: shorten the forms, or open fewer tasks at once',
  ],
})
