import { decisions } from '../../../shared/automation/decisions/decisions.ts'
import { evaluateByRequest } from '../../../shared/automation/decisions/evaluate/evaluate-by-request.ts'
import { replayDecision } from '../../../shared/automation/decisions/replay/replay-job.ts'
import {
  type DecideDependencies,
  decideByLink,
  describeLinkedDecision,
} from '../../../shared/automation/portal/approvals/decide-by-link.ts'
import { startBulk } from '../../../shared/automation/processes/bulk/start-bulk.ts'
import { beginByRequest } from '../../../shared/automation/processes/instances/begin-activity.ts'
import { describeDiagram, type DrawDiagram } from '../../../shared/automation/processes/instances/describe-diagram.ts'
import { describeInstance } from '../../../shared/automation/processes/instances/describe-instance.ts'
import { listIncidents } from '../../../shared/automation/processes/instances/list-incidents.ts'
import { listInstances } from '../../../shared/automation/processes/instances/list-instances.ts'
import {
  cancelInstance,
  migrateInstance,
  modifyInstance,
  resumeInstance,
  retryInstance,
  setVariables,
  startByRequest,
  suspendInstance,
} from '../../../shared/automation/processes/instances/operate-instances.ts'
import {
  sendMessageByRequest,
  sendSignalByRequest,
} from '../../../shared/automation/processes/instances/send-events.ts'
import { templateFigures } from '../../../shared/automation/processes/instances/template-figures.ts'
import { requireInstance } from '../../../shared/automation/processes/sight/visible-records.ts'
import {
  claimTask,
  delegateTask,
  reassignTask,
  unclaimTask,
} from '../../../shared/automation/processes/tasks/assignment/assign-task.ts'
import { changeDueDate } from '../../../shared/automation/processes/tasks/assignment/change-task.ts'
import { completeTask } from '../../../shared/automation/processes/tasks/completion/complete-task.ts'
import { listTasks } from '../../../shared/automation/processes/tasks/list-tasks.ts'
import { requireTask } from '../../../shared/automation/processes/tasks/require-task.ts'
import { describeTaskTo } from '../../../shared/automation/processes/tasks/shown-tasks.ts'
import { templates } from '../../../shared/automation/processes/templates/administer-templates.ts'
import { describeExtension } from '../../../shared/automation/processes/templates/describe-template.ts'
import { implementObject } from '../../../shared/platform/configured-objects/implement-object.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { Accepted } from '../../../shared/platform/http/routing/envelope.ts'
import { readIdempotencyKey } from '../../../shared/platform/http/routing/idempotency-key.ts'
import { implement, implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import { implementVerbs } from '../../../shared/platform/http/routing/verb-routes.ts'
import { authenticate, tokenGuard } from '../../wiring/authenticate.ts'
import { jobs } from '../../wiring/jobs.ts'
import { queries } from '../../wiring/lists/queries.ts'
import { noticeReaders } from '../../wiring/messages/noticed-record.ts'
import { appUrl } from '../../wiring/messages/record-links.ts'
import { decisionDependencies } from '../../wiring/processes/decision-dependencies.ts'
import { processes } from '../../wiring/processes/processes.ts'
import { templateDependencies } from '../../wiring/processes/template-dependencies.ts'
import { portalDependencies } from '../../wiring/records/portal-dependencies.ts'
import { recordReads } from '../../wiring/records/record-reads.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as decision from './decision-routes.ts'
import { getDiagram } from './diagram-routes.ts'
import * as event from './event-routes.ts'
import * as instance from './instance-routes.ts'
import * as mailed from './mailed-decision-routes.ts'
import * as task from './task-routes.ts'
import * as template from './template-routes.ts'

// The layout is loaded with the first diagram, and drawing with the first picture.
const templateServices = {
  ...templateDependencies,
  layOut: async (xml: string) =>
    (await import('../../../shared/automation/bpmn/diagram/lay-out-diagram.ts')).layOutDiagram(xml),
}
const services = { ...processes, jobs, findRecords: recordReads.findMany }
const drawDiagram: DrawDiagram = async (...given) =>
  (await import('../../../shared/automation/bpmn/diagram/draw-diagram.ts')).drawDiagram(...given)

const decides: DecideDependencies = {
  portal: portalDependencies,
  processes: services,
  describeNoticedRecord: noticeReaders.describeNoticedRecord,
  approvalsUrl: () => `${appUrl()}/portal/approvals`,
}
const decisionServices = { ...decisionDependencies, tables, queries, jobs }

export const handler = endpointGroup({ authenticate }, [
  ...implementObject(template.templateObjectRoutes, templates, templateServices),
  implement(template.getTemplateSchema, ({ caller, query }) =>
    describeExtension(templateServices, caller, query.table),
  ),
  implement(template.getFigures, ({ caller, params }) => templateFigures(services, caller.tenant, params.id)),
  implement(instance.bulkInstances, ({ caller, body }) => startBulk(services, caller, body)),
  implement(instance.listInstances, ({ caller, query }) => listInstances(services, caller, query)),
  implement(instance.startInstance, ({ caller, body, headers }) =>
    startByRequest(services, caller, body, readIdempotencyKey(headers['idempotency-key'])),
  ),
  implement(instance.getInstance, async ({ caller, params }) =>
    describeInstance(services, caller, await requireInstance(services, caller, params.id)),
  ),
  ...implementVerbs(instance.instanceVerbs, services, {
    cancel: cancelInstance,
    retry: retryInstance,
    setVariables,
    modify: modifyInstance,
    migrate: migrateInstance,
    suspend: suspendInstance,
    resume: resumeInstance,
  }),
  implement(instance.beginActivity, ({ caller, params, body, headers }) =>
    beginByRequest(services, caller, params.id, body, readIdempotencyKey(headers['idempotency-key'])),
  ),
  implement(instance.listIncidents, ({ caller, query }) => listIncidents(services, caller.tenant, query)),
  implement(getDiagram, ({ caller, params, query, headers }) =>
    describeDiagram({ ...services, drawDiagram }, caller, params.id, {
      knownTag: headers['if-none-match'],
      theme: query.theme,
    }),
  ),
  implement(task.listTasks, ({ caller, query }) => listTasks(services, caller, query)),
  implement(task.getTask, async ({ caller, params }) =>
    describeTaskTo(services, caller, await requireTask(services, caller, params.id)),
  ),
  ...implementVerbs(task.taskVerbs, services, {
    complete: completeTask,
    claim: claimTask,
    unclaim: unclaimTask,
    reassign: reassignTask,
    delegate: delegateTask,
  }),
  implement(task.changeTask, ({ caller, params, body, ifMatch }) =>
    changeDueDate(services, caller, params.id, body, ifMatch),
  ),
  implement(event.sendMessage, ({ caller, body }) => sendMessageByRequest(services, caller, body)),
  implement(event.sendSignal, ({ caller, body }) => sendSignalByRequest(services, caller, body)),
  implementOpen(mailed.readMailedDecision, ({ params: { token }, sourceIp }) =>
    tokenGuard.open({ token, sourceIp }, () => describeLinkedDecision(decides, token)),
  ),
  implementOpen(mailed.decideByMail, ({ params: { token }, body, sourceIp }) =>
    tokenGuard.open({ token, sourceIp }, () => decideByLink(decides, token, body)),
  ),
  ...implementObject(decision.decisionObjectRoutes, decisions, decisionServices),
  implement(decision.evaluateDecision, ({ caller, params, body, query }) =>
    evaluateByRequest(decisionServices, caller.tenant, params.id, body, query.version),
  ),
  implement(decision.replayDecision, async ({ caller, params, body }) => {
    const answer = await replayDecision(decisionServices, caller, params.id, body)
    return 'job_id' in answer ? new Accepted(answer) : answer
  }),
])
