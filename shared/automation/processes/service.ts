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
  TemplateView,
  VariablesBody,
} from './schema.ts'
import { requireInstance, type Visibility } from './sight/visible-records.ts'
import { claimTask, delegateTask, reassignTask, unclaimTask } from './tasks/assignment/assign-task.ts'
import { changeDueDate } from './tasks/assignment/change-task.ts'
import { completeTask } from './tasks/completion/complete-task.ts'
import { listTasks } from './tasks/list-tasks.ts'
import { requireTask } from './tasks/require-task.ts'
import { describeTaskTo } from './tasks/shown-tasks.ts'
import { getLaidOutTemplate, getTemplate, type LayOut, listTemplates } from './templates/read-templates.ts'
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  type TemplateDependencies,
} from './templates/write-templates.ts'

/** What the API offers of instances and tasks. */
export function createProcesses(
  services: AdvanceDependencies &
    Visibility & {
      readonly drawDiagram: DrawDiagram
      readonly jobs: Pick<Jobs, 'start'>
    },
) {
  return {
    instances: {
      list: (caller: Caller, query: InstanceQuery) => listInstances(services, caller, query),
      get: async (caller: Caller, id: number) =>
        describeInstance(services, caller, await requireInstance(services, caller, id)),
      diagram: (caller: Caller, id: number, request: PictureRequest) => describeDiagram(services, caller, id, request),
      start: (caller: Caller, body: StartBody, key?: string) => startByRequest(services, caller, body, key),
      cancel: (caller: Caller, id: number, body: CancelBody) => cancelInstance(services, caller, id, body),
      retry: (caller: Caller, id: number) => retryInstance(services, caller, id),
      setVariables: (caller: Caller, id: number, body: VariablesBody) => setVariables(services, caller, id, body),
      modify: (caller: Caller, id: number, body: ModifyBody) => modifyInstance(services, caller, id, body),
      migrate: (caller: Caller, id: number, body: MigrateBody) => migrateInstance(services, caller, id, body),
      suspend: (caller: Caller, id: number) => pauseOrResume(services, caller, id, 'suspend'),
      resume: (caller: Caller, id: number) => pauseOrResume(services, caller, id, 'resume'),
      begin: (caller: Caller, id: number, body: BeginBody, key?: string) =>
        beginByRequest(services, caller, id, body, key),
      bulk: (caller: Caller, body: BulkBody) => startBulk(services, caller, body),
      incidents: (tenant: Tenant, query: IncidentQuery) => listIncidents(services, tenant, query),
    },
    messages: {
      send: (caller: Caller, body: ProcessMessageBody) => sendMessageByRequest(services, caller, body),
    },
    signals: {
      send: (caller: Caller, body: ProcessSignalBody) => sendSignalByRequest(services, caller, body),
    },
    tasks: {
      list: (caller: Caller, query: TaskQuery) => listTasks(services, caller, query),
      get: async (caller: Caller, id: number) =>
        describeTaskTo(services, caller, await requireTask(services, caller, id)),
      complete: (caller: Caller, id: number, body: CompleteBody) => completeTask(services, caller, id, body),
      claim: (caller: Caller, id: number) => claimTask(services, caller, id),
      unclaim: (caller: Caller, id: number) => unclaimTask(services, caller, id),
      reassign: (caller: Caller, id: number, body: ReassignBody) => reassignTask(services, caller, id, body),
      delegate: (caller: Caller, id: number, body: DelegateBody) => delegateTask(services, caller, id, body),
      change: (caller: Caller, id: number, body: TaskChangeBody, ifMatch?: VersionMatch) =>
        changeDueDate(services, caller, id, body, ifMatch),
    },
  }
}

type Services = TemplateDependencies & { readonly layOut: LayOut }
type By = Pick<Caller, 'tenant'>

/** The administration of process templates. */
export const templates = {
  list: (services: Services, { tenant }: By, query: Parameters<typeof listTemplates>[2]) =>
    listTemplates(services, tenant, query),
  get: (services: Services, { tenant }: By, id: number, { version, layout }: TemplateView) =>
    (layout === 'true' ? getLaidOutTemplate : getTemplate)(services, tenant, id, version),
  create: async (services: Services, caller: Caller, input: TemplateInput) =>
    answerSaved(await createTemplate(services, caller, input)),
  change: async (services: Services, caller: Caller, id: number, input: TemplateChange, ifMatch?: VersionMatch) =>
    answerSaved(await changeTemplate(services, caller, id, input, ifMatch)),
  remove: deleteTemplate,
}

const answerSaved = ({ template, warnings }: Awaited<ReturnType<typeof createTemplate>>) =>
  withWarnings(template, warnings)
