import { group } from '../../shared/http/group.ts'
import { readIdempotencyKey } from '../../shared/http/idempotency-key.ts'
import { implement } from '../../shared/http/implement.ts'
import { wfDescriptor } from '../../shared/processes/definition/wf-descriptor.ts'
import { createProcesses } from '../../shared/processes/service.ts'
import { compose } from '../compose.ts'
import * as route from './routes.ts'

const composed = compose({ loadScripts: () => import('../../shared/scripts/room.ts') })
const { authenticate, entities, tables } = composed
const { templates, instances, tasks } = createProcesses({
  ...composed.processes,
  // Only saving a template reads XML.
  compile: async (xml) => (await import('../../shared/processes/definition/compile-process.ts')).compileProcess(xml),
  bindTable: tables.bindProcesses,
  findRecords: entities.findMany,
})

export const handler = group({ authenticate }, [
  implement(route.listTemplates, ({ caller, query }) => templates.list(caller.tenant, query)),
  implement(route.createTemplate, ({ caller, body }) => templates.create(caller, body)),
  implement(route.getTemplateSchema, async () => wfDescriptor),
  implement(route.getTemplate, ({ caller, params }) => templates.get(caller.tenant, params.id)),
  implement(route.changeTemplate, ({ caller, params, body }) => templates.change(caller, params.id, body)),
  implement(route.deleteTemplate, ({ caller, params }) => templates.remove(caller, params.id)),
  implement(route.listInstances, ({ caller, query }) => instances.list(caller, query)),
  implement(route.startInstance, ({ caller, body, headers }) => instances.start(caller, body, readIdempotencyKey(headers['idempotency-key']))),
  implement(route.getInstance, ({ caller, params }) => instances.get(caller, params.id)),
  implement(route.cancelInstance, ({ caller, params }) => instances.cancel(caller, params.id)),
  implement(route.retryInstance, ({ caller, params }) => instances.retry(caller, params.id)),
  implement(route.listIncidents, ({ caller, query }) => instances.incidents(caller.tenant, query)),
  implement(route.listTasks, ({ caller, query }) => tasks.list(caller, query)),
  implement(route.getTask, ({ caller, params }) => tasks.get(caller, params.id)),
  implement(route.completeTask, ({ caller, params, body }) => tasks.complete(caller, params.id, body)),
  implement(route.claimTask, ({ caller, params }) => tasks.claim(caller, params.id)),
])
