import * as z from 'zod'
import {
  BeginBody,
  CancelBody,
  IncidentAnswer,
  IncidentQuery,
  InstanceAnswer,
  InstanceHead,
  InstanceQuery,
  BulkBody,
  MigrateBody,
  MigratedAnswer,
  ModifyBody,
  StartBody,
  VariablesBody,
} from '../../../shared/automation/processes/schema.ts'
import { administrator, defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'
import { verbRoutes } from '../../../shared/platform/http/routing/verb-routes.ts'
import {
  begun,
  cancelled,
  changedVariables,
  incident,
  instance,
  instanceHead,
  migrated,
  modified,
  resumed,
  retried,
  suspended,
} from './examples.ts'

const tag = 'Processes'
const oneInstance = z.object({ id: idOf('process instance') })

export const listInstances = defineRoute({
  method: 'GET',
  path: '/api/sys/process-instances',
  tag,
  summary: 'List process instances',
  description:
    'Instances about records you may read, newest first; administrators also see those whose record is deleted. Where no index answers the filters, the total counts the matches among the newest 2,000; `meta.total_exact` is false when there are more, and the cursor continues with them.',
  permission: signedIn,
  query: InstanceQuery,
  answer: InstanceHead,
  shape: 'page',
  example: { query: { model: 'requests', record_id: 1 }, answer: [instanceHead] },
})

export const startInstance = defineRoute({
  method: 'POST',
  path: '/api/sys/process-instances',
  operationId: 'startProcess',
  tag,
  summary: 'Start a process',
  description:
    'For one record of the table of the template, which must be active. Requires update on the record (row rules included). Answers when the first steps are done. A repeat under the same Idempotency-Key answers the current state of the instance.',
  // The template names the table: the service checks the permission.
  permission: signedIn,
  body: StartBody,
  idempotent: true,
  alsoFails: [403],
  answer: InstanceAnswer,
  status: 201,
  example: { body: { template_id: 1, model: 'requests', record_id: 1 }, answer: { ...instance, source: 'api' } },
})

export const getInstance = defineRoute({
  method: 'GET',
  path: '/api/sys/process-instances/{id}',
  tag,
  summary: 'Read a process instance',
  description: 'Its status, what it waits for, its variables, its activities so far, and its incidents.',
  permission: signedIn,
  params: oneInstance,
  answer: InstanceAnswer,
  example: { params: { id: 1 }, answer: instance },
})

export const instanceVerbs = verbRoutes(
  {
    path: '/api/sys/process-instances/{id}',
    tag,
    permission: administrator,
    params: oneInstance,
    answer: InstanceAnswer,
    of: { id: 1 },
  },
  {
    cancel: {
      summary: 'Cancel a process instance',
      description:
        'Cancels its open tasks as well. `operations` of the instance keeps the reason, when one is given. An instance that has ended is 409.',
      body: CancelBody,
      example: { body: { reason: 'Ordered twice' }, answer: cancelled },
    },
    retry: {
      summary: 'Retry what failed in a process instance',
      description:
        'Repeats failed work, or the whole step when it failed as a whole, on the records as they are now. Fields are set again; a record that the failed try created is updated instead of created again. Without an incident: 409.',
      example: { answer: retried },
    },
    setVariables: {
      at: 'variables',
      operationId: 'setProcessVariables',
      summary: 'Set variables of a process instance',
      description:
        'Sets and removes variables of the process itself, not those of sub-processes, passes of loops and tasks. Conditional events that hold then occur. The values of one request have 64 KB at most. Removing one that does not exist is 422. An instance that has ended is 409.',
      body: VariablesBody,
      alsoFails: [409],
      example: { body: { set: { budget: 500 } }, answer: changedVariables },
    },
    modify: {
      operationId: 'modifyProcessInstance',
      summary: 'Move and cancel tokens of a process instance',
      description:
        'All tokens at an element are moved or cancelled together. Their tasks, timers, waits, calls and incidents end; the new element is entered as by a flow. Out of a sub-process in which nothing is left then, the sub-process is cancelled; into one, it is opened without its start event, unless it runs. Not possible, and 422 with the reason: out of one pass of a loop, into a loop, an event sub-process or an ad-hoc sub-process, to a border event or a join, and a cancel that would leave nothing. Elements that do not exist are 422 with the nearest. Nothing is done when anything is refused.',
      body: ModifyBody,
      alsoFails: [409],
      example: { body: { move: [{ from: 'approve', to: 'done' }] }, answer: modified },
    },
    migrate: {
      operationId: 'migrateProcessInstance',
      summary: 'Move a process instance to another version',
      description:
        'To another version of its template. Tokens stand on the elements of the same id, or on those that `mapping` names. Open tasks keep their ids and follow the new definition; timers and other events that differ begin again, those on borders and of event sub-processes as well. What it has called goes on. Elements that do not exist there, are of another kind, or are in another sub-process are 422, each with the nearest; so is a compensation that runs. `dry_run` says what would happen.',
      body: MigrateBody,
      alsoFails: [409],
      answer: MigratedAnswer,
      example: { body: { version: 2, dry_run: true }, answer: migrated },
    },
    suspend: {
      summary: 'Suspend a process instance',
      description:
        'It takes no step until it is resumed: timers that become due, signals and changes of its record wait, its tasks cannot be completed (409), and messages are kept for their `ttl`. What it has called continues. One that is suspended already or has ended is 409.',
      alsoFails: [409],
      example: { answer: suspended },
    },
    resume: {
      summary: 'Resume a process instance',
      description:
        'Does what came while it was suspended, in that order; timers that were due meanwhile fire, and messages that were kept are taken. One that is not suspended is 409.',
      alsoFails: [409],
      example: {
        answer: { ...instance, operations: [resumed, ...suspended.operations] },
      },
    },
  },
)

export const bulkInstances = defineRoute({
  method: 'POST',
  path: '/api/sys/process-instances/bulk',
  operationId: 'startBulkOfProcessInstances',
  tag,
  summary: 'Do the same to many process instances',
  description:
    'Starts a job: it collects the instances that match and have not ended, for `retry` those with an incident, and then retries, cancels, migrates, suspends or resumes each. `migrate` takes `version` and `mapping`, and a `template_id` in the filter; `cancel` takes a `reason`, which `operations` of each keeps. The job shows how far it is and why instances failed, each with its `instance_id`; its result is `{ matched, done, skipped, failed, has_more }`. A crash does nothing twice.',
  permission: administrator,
  body: BulkBody,
  answer: z.object({ job_id: z.int() }),
  status: 202,
  example: { body: { filter: { template_id: 1, status: 'incident' }, action: 'retry' }, answer: { job_id: 1 } },
})

export const beginActivity = defineRoute({
  method: 'POST',
  path: '/api/sys/process-instances/{id}/activities',
  operationId: 'beginProcessActivity',
  tag,
  summary: 'Begin an activity of an ad-hoc sub-process',
  description:
    'One that no flow leads to, once more, or with `wf:begin="onRequest"` for the first time. Requires update on the record (row rules included). In a sequential sub-process it begins when nothing runs in it any more. Sub-processes that do not run are 409. A repeat under the same Idempotency-Key begins nothing.',
  // The instance names the table: the service checks the permission.
  permission: signedIn,
  params: oneInstance,
  body: BeginBody,
  idempotent: true,
  alsoFails: [403],
  answer: InstanceAnswer,
  example: { params: { id: 4 }, body: { element_id: 'call_client' }, answer: begun },
})

export const listIncidents = defineRoute({
  method: 'GET',
  path: '/api/sys/incidents',
  tag,
  summary: 'List incidents of processes',
  description: 'What failed in process instances, newest first. Fix the cause, then retry the instance.',
  permission: administrator,
  query: IncidentQuery,
  answer: IncidentAnswer,
  shape: 'page',
  example: { query: { status: 'open' }, answer: [incident] },
})

const { suspend, resume, ...earlier } = instanceVerbs
export const instanceRoutes: readonly Route[] = [
  listInstances,
  startInstance,
  getInstance,
  ...Object.values(earlier),
  bulkInstances,
  suspend,
  resume,
  beginActivity,
  listIncidents,
]
