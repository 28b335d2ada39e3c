import { decisions } from '../../../shared/automation/decisions/decisions.ts'
import { evaluateByRequest } from '../../../shared/automation/decisions/evaluate/evaluate-by-request.ts'
import { replayDecision } from '../../../shared/automation/decisions/replay/replay-job.ts'
import { templateFigures } from '../../../shared/automation/processes/instances/template-figures.ts'
import { createProcesses, templates } from '../../../shared/automation/processes/service.ts'
import { describeExtension } from '../../../shared/automation/processes/templates/describe-template.ts'
import { implementObject } from '../../../shared/platform/configured-objects/implement-object.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { Accepted } from '../../../shared/platform/http/routing/envelope.ts'
import { readIdempotencyKey } from '../../../shared/platform/http/routing/idempotency-key.ts'
import { implement, implementOpen } from '../../../shared/platform/http/routing/implement.ts'
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

const services = {
  ...templateDependencies,
  // The layout is loaded with the first diagram, and drawing with the first picture.
  layOut: async (xml: string) =>
    (await import('../../../shared/automation/bpmn/diagram/lay-out-diagram.ts')).layOutDiagram(xml),
}
const { instances, tasks, messages, signals } = createProcesses({
  ...processes,
  jobs,
  findRecords: recordReads.findMany,
  drawDiagram: async (...given) =>
    (await import('../../../shared/automation/bpmn/diagram/draw-diagram.ts')).drawDiagram(...given),
})
const decisionServices = { ...decisionDependencies, tables, queries, jobs }

export const handler = endpointGroup({ authenticate }, [
  ...implementObject(template.templateObjectRoutes, templates, services),
  implement(template.getTemplateSchema, ({ caller, query }) => describeExtension(services, caller, query.table)),
  implement(template.getFigures, ({ caller, params }) => templateFigures(services, caller.tenant, params.id)),
  implement(instance.bulkInstances, ({ caller, body }) => instances.bulk(caller, body)),
  implement(instance.listInstances, ({ caller, query }) => instances.list(caller, query)),
  implement(instance.startInstance, ({ caller, body, headers }) =>
    instances.start(caller, body, readIdempotencyKey(headers['idempotency-key'])),
  ),
  implement(instance.getInstance, ({ caller, params }) => instances.get(caller, params.id)),
  implement(instance.cancelInstance, ({ caller, params, body }) => instances.cancel(caller, params.id, body)),
  implement(instance.retryInstance, ({ caller, params }) => instances.retry(caller, params.id)),
  implement(instance.setVariables, ({ caller, params, body }) => instances.setVariables(caller, params.id, body)),
  implement(instance.modifyInstance, ({ caller, params, body }) => instances.modify(caller, params.id, body)),
  implement(instance.migrateInstance, ({ caller, params, body }) => instances.migrate(caller, params.id, body)),
  implement(instance.suspendInstance, ({ caller, params }) => instances.suspend(caller, params.id)),
  implement(instance.resumeInstance, ({ caller, params }) => instances.resume(caller, params.id)),
  implement(instance.beginActivity, ({ caller, params, body, headers }) =>
    instances.begin(caller, params.id, body, readIdempotencyKey(headers['idempotency-key'])),
  ),
  implement(instance.listIncidents, ({ caller, query }) => instances.incidents(caller.tenant, query)),
  implement(getDiagram, ({ caller, params, query, headers }) =>
    instances.diagram(caller, params.id, { knownTag: headers['if-none-match'], theme: query.theme }),
  ),
  implement(task.listTasks, ({ caller, query }) => tasks.list(caller, query)),
  implement(task.getTask, ({ caller, params }) => tasks.get(caller, params.id)),
  implement(task.completeTask, ({ caller, params, body }) => tasks.complete(caller, params.id, body)),
  implement(event.sendMessage, ({ caller, body }) => messages.send(caller, body)),
  implement(event.sendSignal, ({ caller, body }) => signals.send(caller, body)),
  implement(task.claimTask, ({ caller, params }) => tasks.claim(caller, params.id)),
  implement(task.unclaimTask, ({ caller, params }) => tasks.unclaim(caller, params.id)),
  implement(task.reassignTask, ({ caller, params, body }) => tasks.reassign(caller, params.id, body)),
  implement(task.delegateTask, ({ caller, params, body }) => tasks.delegate(caller, params.id, body)),
  implement(task.changeTask, ({ caller, params, body, ifMatch }) => tasks.change(caller, params.id, body, ifMatch)),
  ...implementObject(decision.decisionObjectRoutes, decisions, decisionServices),
  implement(decision.evaluateDecision, ({ caller, params, body, query }) =>
    evaluateByRequest(decisionServices, caller.tenant, params.id, body, query.version),
  ),
  implement(decision.replayDecision, async ({ caller, params, body }) => {
    const answer = await replayDecision(decisionServices, caller, params.id, body)
    return 'job_id' in answer ? new Accepted(answer) : answer
  }),
])
