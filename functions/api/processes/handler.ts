import { createProcesses } from '../../../shared/automation/processes/service.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { readIdempotencyKey } from '../../../shared/platform/http/routing/idempotency-key.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { jobs } from '../../wiring/jobs.ts'
import { processes } from '../../wiring/processes/processes.ts'
import { templateDependencies } from '../../wiring/processes/template-dependencies.ts'
import { recordReads } from '../../wiring/records/record-reads.ts'
import * as event from './event-routes.ts'
import * as instance from './instance-routes.ts'
import * as task from './task-routes.ts'
import * as template from './template-routes.ts'

const { templates, instances, tasks, messages, signals } = createProcesses({
  ...templateDependencies,
  ...processes,
  jobs,
  findRecords: recordReads.findMany,
  // The layout is loaded with the first diagram.
  layOut: async (xml) =>
    (await import('../../../shared/automation/processes/definition/layout/lay-out-diagram.ts')).layOutDiagram(xml),
})

export const handler = endpointGroup({ authenticate }, [
  implement(template.listTemplates, ({ caller, query }) => templates.list(caller.tenant, query)),
  implement(template.createTemplate, ({ caller, body }) => templates.create(caller, body)),
  implement(template.getTemplateSchema, ({ caller, query }) => templates.descriptor(caller, query.table)),
  implement(template.getTemplate, ({ caller, params, query }) => {
    const read = query.layout === 'true' ? templates.getLaidOut : templates.get
    return read(caller.tenant, params.id, query.version)
  }),
  implement(template.changeTemplate, ({ caller, params, body, ifMatch }) =>
    templates.change(caller, params.id, body, ifMatch),
  ),
  implement(template.deleteTemplate, ({ caller, params, ifMatch }) => templates.remove(caller, params.id, ifMatch)),
  implement(template.getFigures, ({ caller, params }) => templates.figures(caller.tenant, params.id)),
  implement(instance.bulkInstances, ({ caller, body }) => instances.bulk(caller, body)),
  implement(instance.listInstances, ({ caller, query }) => instances.list(caller, query)),
  implement(instance.startInstance, ({ caller, body, headers }) =>
    instances.start(caller, body, readIdempotencyKey(headers['idempotency-key'])),
  ),
  implement(instance.getInstance, ({ caller, params }) => instances.get(caller, params.id)),
  implement(instance.cancelInstance, ({ caller, params }) => instances.cancel(caller, params.id)),
  implement(instance.retryInstance, ({ caller, params }) => instances.retry(caller, params.id)),
  implement(instance.setVariables, ({ caller, params, body }) => instances.setVariables(caller, params.id, body)),
  implement(instance.modifyInstance, ({ caller, params, body }) => instances.modify(caller, params.id, body)),
  implement(instance.migrateInstance, ({ caller, params, body }) => instances.migrate(caller, params.id, body)),
  implement(instance.suspendInstance, ({ caller, params }) => instances.suspend(caller, params.id)),
  implement(instance.resumeInstance, ({ caller, params }) => instances.resume(caller, params.id)),
  implement(instance.listIncidents, ({ caller, query }) => instances.incidents(caller.tenant, query)),
  implement(task.listTasks, ({ caller, query }) => tasks.list(caller, query)),
  implement(task.getTask, ({ caller, params }) => tasks.get(caller, params.id)),
  implement(task.completeTask, ({ caller, params, body }) => tasks.complete(caller, params.id, body)),
  implement(event.sendMessage, ({ caller, body }) => messages.send(caller, body)),
  implement(event.sendSignal, ({ caller, body }) => signals.send(caller, body)),
  implement(task.claimTask, ({ caller, params }) => tasks.claim(caller, params.id)),
])
