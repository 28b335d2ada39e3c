import type { VersionMatch } from '../../kernel/failures/concurrent-change.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { withWarnings } from '../../platform/http/routing/envelope.ts'
import type { Jobs } from '../../platform/jobs/service.ts'
import { startBulk } from './bulk/start-bulk.ts'
import type { AdvanceDependencies } from './dependencies.ts'
import { beginByRequest } from './instances/begin-activity.ts'
import { describeDiagram, type DrawDiagram, type PictureRequest } from './instances/describe-diagram.ts'
import { describeInstance } from './instances/describe-instance.ts'
import { listIncidents } from './instances/list-incidents.ts'
import { listInstances } from './instances/list-instances.ts'
import {
  cancelInstance,
  migrateInstance,
  modifyInstance,
  pauseOrResume,
  retryInstance,
  setVariables,
  startByRequest,
} from './instances/operate-instances.ts'
import { sendMessageByRequest, sendSignalByRequest } from './instances/send-events.ts'
import { templateFigures } from './instances/template-figures.ts'
import type {
  BeginBody,
  BulkBody,
  CancelBody,
  CompleteBody,
  DelegateBody,
  IncidentQuery,
  InstanceQuery,
  MigrateBody,
  ModifyBody,
  ProcessMessageBody,
  ProcessSignalBody,
  ReassignBody,
  StartBody,
  TaskChangeBody,
  TaskQuery,
  TemplateChange,
  TemplateInput,
  VariablesBody,
} from './schema.ts'
import { requireInstance, type Visibility } from './sight/visible-records.ts'
import { claimTask, delegateTask, reassignTask, unclaimTask } from './tasks/assignment/assign-task.ts'
import { changeDueDate } from './tasks/assignment/change-task.ts'
import { completeTask } from './tasks/completion/complete-task.ts'
import { listTasks } from './tasks/list-tasks.ts'
import { requireTask } from './tasks/require-task.ts'
import { describeTaskTo } from './tasks/shown-tasks.ts'
import { describeExtension } from './templates/describe-template.ts'
import { getLaidOutTemplate, getTemplate, type LayOut, listTemplates } from './templates/read-templates.ts'
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  type TemplateDependencies,
} from './templates/write-templates.ts'

/** What the API offers of processes: templates, instances and tasks. */
export function createProcesses(
  templates: AdvanceDependencies &
    TemplateDependencies &
    Visibility & {
      readonly layOut: LayOut
      readonly drawDiagram: DrawDiagram
      readonly jobs: Pick<Jobs, 'start'>
    },
) {
  return {
    templates: {
      list: (tenant: Tenant, query: Parameters<typeof listTemplates>[2]) => listTemplates(templates, tenant, query),
      get: (tenant: Tenant, id: number, version?: number) => getTemplate(templates, tenant, id, version),
      getLaidOut: (tenant: Tenant, id: number, version?: number) => getLaidOutTemplate(templates, tenant, id, version),
      figures: (tenant: Tenant, id: number) => templateFigures(templates, tenant, id),
      descriptor: (caller: Caller, table: string | undefined) => describeExtension(templates, caller, table),
      create: async (caller: Caller, input: TemplateInput) =>
        answerSaved(await createTemplate(templates, caller, input)),
      change: async (caller: Caller, id: number, input: TemplateChange, ifMatch?: VersionMatch) =>
        answerSaved(await changeTemplate(templates, caller, id, input, ifMatch)),
      remove: (caller: Caller, id: number, ifMatch?: VersionMatch) => deleteTemplate(templates, caller, id, ifMatch),
    },
    instances: {
      list: (caller: Caller, query: InstanceQuery) => listInstances(templates, caller, query),
      get: async (caller: Caller, id: number) =>
        describeInstance(templates, caller, await requireInstance(templates, caller, id)),
      diagram: (caller: Caller, id: number, request: PictureRequest) => describeDiagram(templates, caller, id, request),
      start: (caller: Caller, body: StartBody, key?: string) => startByRequest(templates, caller, body, key),
      cancel: (caller: Caller, id: number, body: CancelBody) => cancelInstance(templates, caller, id, body),
      retry: (caller: Caller, id: number) => retryInstance(templates, caller, id),
      setVariables: (caller: Caller, id: number, body: VariablesBody) => setVariables(templates, caller, id, body),
      modify: (caller: Caller, id: number, body: ModifyBody) => modifyInstance(templates, caller, id, body),
      migrate: (caller: Caller, id: number, body: MigrateBody) => migrateInstance(templates, caller, id, body),
      suspend: (caller: Caller, id: number) => pauseOrResume(templates, caller, id, 'suspend'),
      resume: (caller: Caller, id: number) => pauseOrResume(templates, caller, id, 'resume'),
      begin: (caller: Caller, id: number, body: BeginBody, key?: string) =>
        beginByRequest(templates, caller, id, body, key),
      bulk: (caller: Caller, body: BulkBody) => startBulk(templates, caller, body),
      incidents: (tenant: Tenant, query: IncidentQuery) => listIncidents(templates, tenant, query),
    },
    messages: {
      send: (caller: Caller, body: ProcessMessageBody) => sendMessageByRequest(templates, caller, body),
    },
    signals: {
      send: (caller: Caller, body: ProcessSignalBody) => sendSignalByRequest(templates, caller, body),
    },
    tasks: {
      list: (caller: Caller, query: TaskQuery) => listTasks(templates, caller, query),
      get: async (caller: Caller, id: number) =>
        describeTaskTo(templates, caller, await requireTask(templates, caller, id)),
      complete: (caller: Caller, id: number, body: CompleteBody) => completeTask(templates, caller, id, body),
      claim: (caller: Caller, id: number) => claimTask(templates, caller, id),
      unclaim: (caller: Caller, id: number) => unclaimTask(templates, caller, id),
      reassign: (caller: Caller, id: number, body: ReassignBody) => reassignTask(templates, caller, id, body),
      delegate: (caller: Caller, id: number, body: DelegateBody) => delegateTask(templates, caller, id, body),
      change: (caller: Caller, id: number, body: TaskChangeBody, ifMatch?: VersionMatch) =>
        changeDueDate(templates, caller, id, body, ifMatch),
    },
  }
}

const answerSaved = ({ template, warnings }: Awaited<ReturnType<typeof createTemplate>>) =>
  withWarnings(template, warnings)
