import * as z from 'zod'
import { administrator, defineRoute, signedIn, type Route } from '../../shared/http/define-route.ts'
import { IdParam, PageQuery } from '../../shared/http/paging.ts'
import {
  CompleteBody,
  IncidentAnswer,
  IncidentQuery,
  InstanceAnswer,
  InstanceHead,
  InstanceQuery,
  StartBody,
  TaskAnswer,
  TaskQuery,
  TemplateAnswer,
  TemplateChange,
  TemplateHead,
  TemplateInput,
} from '../../shared/processes/schema.ts'
import { cancelled, claimedTask, completedTask, incident, instance, instanceHead, task, template, templateHead } from './example.ts'

const tag = 'Processes'
const oneTemplate = z.object({ id: IdParam.meta({ description: 'Id of the process template.' }) })
const oneInstance = z.object({ id: IdParam.meta({ description: 'Id of the process instance.' }) })
const oneTask = z.object({ id: IdParam.meta({ description: 'Id of the task.' }) })
const { id: _, version: __, ...templateInput } = template

export const listTemplates = defineRoute({
  method: 'GET',
  path: '/api/sys/process-templates',
  tag,
  summary: 'List process templates',
  description: 'Newest first, without their documents.',
  permission: signedIn,
  query: PageQuery.extend({ table: z.string().optional().meta({ description: 'Only those of this table.' }) }),
  answer: TemplateHead,
  shape: 'page',
  example: { query: { table: 'requests' }, answer: [templateHead] },
})

export const createTemplate = defineRoute({
  method: 'POST',
  path: '/api/sys/process-templates',
  tag,
  summary: 'Create a process template',
  description:
    'A document of BPMN 2.0 whose process runs for records of `table`. What cannot run is 422: `errors` names each element as `bpmn_xml.<element id>`, and `data.findings` lists everything that was found. Fields that forms, completion rules and fields to be set name must exist. A code that is taken is 409.',
  permission: administrator,
  body: TemplateInput,
  answer: TemplateAnswer,
  status: 201,
  example: { body: templateInput, answer: template },
})

export const getTemplateSchema = defineRoute({
  method: 'GET',
  path: '/api/sys/process-templates/schema',
  tag,
  summary: 'Read the descriptor of the BPMN extension',
  description: 'What the namespace `urn:entity-workflow:wf:1` adds to BPMN, as a moddle descriptor: hand it to an editor (bpmn-js: `moddleExtensions: { wf }`).',
  permission: signedIn,
  answer: z.looseObject({ name: z.string(), uri: z.string(), prefix: z.string(), types: z.unknown() }),
  example: { answer: { name: 'Entity workflow', uri: 'urn:entity-workflow:wf:1', prefix: 'wf', types: [{ name: 'ProcessProps', extends: ['bpmn:Process'], properties: [{ name: 'table', isAttr: true, type: 'String' }] }] } },
})

export const getTemplate = defineRoute({
  method: 'GET',
  path: '/api/sys/process-templates/{id}',
  tag,
  summary: 'Read a process template',
  description: 'With the document of its current version.',
  permission: signedIn,
  params: oneTemplate,
  answer: TemplateAnswer,
  example: { params: { id: 2 }, answer: template },
})

export const changeTemplate = defineRoute({
  method: 'PUT',
  path: '/api/sys/process-templates/{id}',
  tag,
  summary: 'Change a process template',
  description:
    'What is left out stays as it is. Every change makes a version; instances that run already stay on theirs. The code stays (422). `version`, when given, must be the current one (409). A change of nothing keeps the version.',
  permission: administrator,
  params: oneTemplate,
  body: TemplateChange,
  answer: TemplateAnswer,
  example: { params: { id: 2 }, body: { is_active: false, version: 1 }, answer: { ...template, is_active: false, version: 2 } },
})

export const deleteTemplate = defineRoute({
  method: 'DELETE',
  path: '/api/sys/process-templates/{id}',
  tag,
  summary: 'Delete a process template',
  description: 'Refused (409) while instances of it run. What has ended can still be read.',
  permission: administrator,
  params: oneTemplate,
  answer: z.undefined(),
  status: 204,
  example: { params: { id: 2 } },
})

export const listInstances = defineRoute({
  method: 'GET',
  path: '/api/sys/process-instances',
  tag,
  summary: 'List process instances',
  description:
    'Those about records you may read, newest first; administrators also see those whose record is gone. Where no index answers the filters, the total counts what matches among the newest 2,000; `meta.total_exact` is false when there are more, and a cursor goes on to them.',
  permission: signedIn,
  query: InstanceQuery,
  answer: InstanceHead,
  shape: 'page',
  example: { query: { model: 'requests', record_id: 42 }, answer: [instanceHead] },
})

export const startInstance = defineRoute({
  method: 'POST',
  path: '/api/sys/process-instances',
  tag,
  summary: 'Start a process',
  description: 'For one record of the table of the template, which must be active. Needs update on the table. Answers when its first steps are taken. A repeat under the same Idempotency-Key answers the instance as it then stands.',
  // The table stands in the template: the service checks.
  permission: signedIn,
  body: StartBody,
  idempotent: true,
  alsoFails: [403],
  answer: InstanceAnswer,
  status: 201,
  example: { body: { template_id: 2, model: 'requests', record_id: 42 }, answer: { ...instance, source: 'api' } },
})

export const getInstance = defineRoute({
  method: 'GET',
  path: '/api/sys/process-instances/{id}',
  tag,
  summary: 'Read a process instance',
  description: 'Where it stands, its variables, what happened so far, and what needs somebody to look after it.',
  permission: signedIn,
  params: oneInstance,
  answer: InstanceAnswer,
  example: { params: { id: 17 }, answer: instance },
})

export const cancelInstance = defineRoute({
  method: 'POST',
  path: '/api/sys/process-instances/{id}/cancel',
  tag,
  summary: 'Cancel a process instance',
  description: 'With all of its open tasks. One that has ended is 409.',
  permission: administrator,
  params: oneInstance,
  answer: InstanceAnswer,
  example: { params: { id: 17 }, answer: cancelled },
})

export const retryInstance = defineRoute({
  method: 'POST',
  path: '/api/sys/process-instances/{id}/retry',
  tag,
  summary: 'Retry what failed in a process instance',
  description: 'Work that failed is done again; a step that failed as a whole is taken again. Without an incident: 409.',
  permission: administrator,
  params: oneInstance,
  answer: InstanceAnswer,
  example: { params: { id: 17 }, answer: instance },
})

export const listIncidents = defineRoute({
  method: 'GET',
  path: '/api/sys/incidents',
  tag,
  summary: 'List incidents of processes',
  description: 'What stopped and needs somebody to look after it, newest first. Put it right, then retry the instance.',
  permission: administrator,
  query: IncidentQuery,
  answer: IncidentAnswer,
  shape: 'page',
  example: { query: { status: 'open' }, answer: [incident] },
})

export const listTasks = defineRoute({
  method: 'GET',
  path: '/api/sys/process-tasks',
  tag,
  summary: 'List tasks of processes',
  description:
    '`mine=true`: what waits for you. Otherwise the tasks of records you may read; administrators see all. Newest first. A task that was just made may take up to two seconds to appear.',
  permission: signedIn,
  query: TaskQuery,
  answer: TaskAnswer,
  shape: 'page',
  example: { query: { mine: 'true' }, answer: [task] },
})

export const getTask = defineRoute({
  method: 'GET',
  path: '/api/sys/process-tasks/{id}',
  tag,
  summary: 'Read a task',
  description: 'For whoever it is assigned or offered to, and for whoever may read its record.',
  permission: signedIn,
  params: oneTask,
  answer: TaskAnswer,
  example: { params: { id: 31 }, answer: task },
})

export const completeTask = defineRoute({
  method: 'POST',
  path: '/api/sys/process-tasks/{id}/complete',
  tag,
  summary: 'Complete a task',
  description:
    'For its assignee; while it has none, for whoever it is offered to; offered to nobody, for whoever may update records of its table; for administrators always. `data` fills the form: what is bound to a field is written to the record in the same transaction, the rest becomes variables of the process. Wrong values are 422, named `data.<field>`. A task that is done already is 409 and says by whom.',
  permission: signedIn,
  params: oneTask,
  body: CompleteBody,
  alsoFails: [403, 409],
  answer: TaskAnswer,
  example: { params: { id: 31 }, body: { outcome: 'approved', data: { note: 'Fine with me' } }, answer: completedTask },
})

export const claimTask = defineRoute({
  method: 'POST',
  path: '/api/sys/process-tasks/{id}/claim',
  tag,
  summary: 'Take a task',
  description: 'Makes a task that is nobody’s yours. One that somebody else has is 409 and says who.',
  permission: signedIn,
  params: oneTask,
  alsoFails: [403, 409],
  answer: TaskAnswer,
  example: { params: { id: 31 }, answer: claimedTask },
})

export const routes: readonly Route[] = [
  listTemplates,
  createTemplate,
  getTemplateSchema,
  getTemplate,
  changeTemplate,
  deleteTemplate,
  listInstances,
  startInstance,
  getInstance,
  cancelInstance,
  retryInstance,
  listIncidents,
  listTasks,
  getTask,
  completeTask,
  claimTask,
]
