import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
/** The process of the examples: a short approval of requests. */
const bpmnXml = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:wf="urn:entity-workflow:wf:1" id="approval_definitions" targetNamespace="urn:entity-workflow:templates">
  <bpmn:process id="approval" name="Approval" isExecutable="true">
    <bpmn:startEvent id="created" />
    <bpmn:sequenceFlow id="to_approve" sourceRef="created" targetRef="approve" />
    <bpmn:userTask id="approve" name="Approve the request" wf:candidateRoles="agent" wf:outcomes="approved,rejected" wf:complete_on_field_status="closed">
      <bpmn:extensionElements><wf:form><wf:formField name="note" label="Note" type="textarea" bind="record.description" /></wf:form></bpmn:extensionElements>
    </bpmn:userTask>
    <bpmn:sequenceFlow id="to_done" sourceRef="approve" targetRef="done" />
    <bpmn:endEvent id="done" />
  </bpmn:process>
</bpmn:definitions>
`

export const templateHead = {
  id: 1,
  code: 'request_approval',
  name: 'Request approval',
  table: 'requests',
  is_auto_start: true,
  is_active: true,
  ...exampleTimes,
  version: 1,
}
export const template = { ...templateHead, bpmn_xml: bpmnXml }

export const instanceHead = {
  id: 1,
  status: 'running' as const,
  template: { id: 1, code: 'request_approval', name: 'Request approval', version: 1 },
  model: 'requests',
  record_id: 1,
  source: 'auto',
  parent_id: null,
  started_by: { id: 1, name: 'Administrator' },
  started_at: '2026-11-20T07:17:00.000Z',
  ended_at: null,
}

export const instance = {
  ...instanceHead,
  parent: null,
  called: [],
  tokens: [
    {
      element_id: 'approve',
      name: 'Approve the request',
      type: 'userTask',
      kind: 'task' as const,
      since: '2026-11-20T07:17:00.120Z',
      due_at: '2026-11-21T07:17:00.120Z',
      task_id: 1,
    },
  ],
  variables: {},
  scopes: [],
  history: [
    {
      element_id: 'created',
      name: 'Request created',
      type: 'startEvent',
      execution_id: 'created#1',
      status: 'completed' as const,
      started_at: '2026-11-20T07:17:00.100Z',
      ended_at: '2026-11-20T07:17:00.100Z',
    },
    {
      element_id: 'approve',
      name: 'Approve the request',
      type: 'userTask',
      execution_id: 'approve#1',
      status: 'active' as const,
      started_at: '2026-11-20T07:17:00.100Z',
      ended_at: null,
    },
  ],
  has_more_history: false,
  operations: [],
  incidents: [],
  ad_hoc: [],
}

export const cancelled = {
  ...instance,
  status: 'cancelled' as const,
  tokens: [],
  history: instance.history.slice(0, 1),
  ended_at: '2026-11-20T08:00:00.000Z',
}

const operator = { id: 1, name: 'Administrator' }

export const changedVariables = {
  ...instance,
  variables: { budget: 500 },
  operations: [
    {
      action: 'set_variables' as const,
      by: operator,
      at: '2026-11-20T08:00:00.000Z',
      details: { set: ['budget'], removed: [] },
    },
  ],
}

export const modified = {
  ...instance,
  status: 'completed' as const,
  tokens: [],
  history: [
    instance.history[0],
    { ...instance.history[1], status: 'cancelled' as const, ended_at: '2026-11-20T08:00:00.000Z' },
    {
      element_id: 'done',
      name: null,
      type: 'endEvent',
      execution_id: 'done#1',
      status: 'completed' as const,
      started_at: '2026-11-20T08:00:00.000Z',
      ended_at: '2026-11-20T08:00:00.000Z',
    },
  ],
  ended_at: '2026-11-20T08:00:00.000Z',
  operations: [
    {
      action: 'modify' as const,
      by: operator,
      at: '2026-11-20T08:00:00.000Z',
      details: { move: [{ from: 'approve', to: 'done' }], cancel: [] },
    },
  ],
}

/** Of a dry run. */
export const migrated = {
  ...instance,
  migration: {
    from_version: 1,
    to_version: 2,
    mapping: {},
    tokens: [{ element_id: 'approve', to_element_id: 'approve', effect: 'kept' as const, count: 1 }],
  },
}

export const suspended = {
  ...instance,
  status: 'suspended' as const,
  operations: [{ action: 'suspend' as const, by: operator, at: '2026-11-20T08:00:00.000Z', details: {} }],
}

export const resumed = { action: 'resume' as const, by: operator, at: '2026-11-20T08:05:00.000Z', details: {} }

/** Right after a retry: the failed part is done again in the background. */
export const retried = {
  ...instance,
  status: 'incident' as const,
  template: { id: 2, code: 'notify_client', name: 'Notify client', version: 1 },
  tokens: [],
  history: [],
}

/** An instance in whose ad-hoc sub-process a call was begun by request. */
export const begun = {
  ...instance,
  id: 4,
  template: { id: 3, code: 'onboard_client', name: 'Onboard a client', version: 1 },
  source: 'api',
  tokens: [
    {
      element_id: 'call_client',
      name: 'Call the client',
      type: 'userTask',
      kind: 'task' as const,
      since: '2026-11-20T07:17:00.120Z',
      task_id: 1,
    },
  ],
  history: [],
  ad_hoc: [
    {
      element_id: 'onboarding',
      execution_id: 'onboarding#1',
      activities: [{ element_id: 'call_client', name: 'Call the client' }],
    },
  ],
}

export const incident = {
  id: 1,
  instance_id: 5,
  template_code: 'notify_client',
  model: 'requests',
  record_id: 1,
  element_id: 'notify',
  message: 'There is no record 9 in clients.',
  status: 'open' as const,
  created_at: '2026-11-20T07:17:00.300Z',
  resolved_at: null,
}

export const task = {
  id: 1,
  instance_id: 1,
  element_id: 'approve',
  name: 'Approve the request',
  status: 'pending' as const,
  model: 'requests',
  record_id: 1,
  assignee: null,
  candidates: { users: [], roles: ['agent', 'admin'], org_units: [] },
  due_at: '2026-11-21T07:17:00.120Z',
  priority: null,
  form_key: null,
  form: [],
  outcomes: ['approved', 'rejected'],
  outcome: null,
  created_at: '2026-11-20T07:17:00.120Z',
  completed_at: null,
  completed_by: null,
  owner: null,
  delegation: null,
  proposal: null,
  substituted_for: null,
  four_eyes: null,
  version: 1,
}

const administrator = { id: 1, name: 'Administrator' }
const ada = { id: 2, name: 'Ada Lovelace' }
const event = { by: administrator, at: '2026-11-20T07:20:00.000Z' }

export const claimedTask = { ...task, assignee: 1, version: 2, history: [{ ...event, what: 'claimed' as const }] }
export const unclaimedTask = {
  ...task,
  version: 3,
  history: [...claimedTask.history, { ...event, what: 'unclaimed' as const }],
}
export const reassignedTask = {
  ...task,
  assignee: 2,
  version: 2,
  history: [{ ...event, what: 'reassigned' as const, to: ada }],
}
export const delegatedTask = {
  ...task,
  assignee: 2,
  owner: 1,
  delegation: 'pending' as const,
  version: 2,
  history: [{ ...event, what: 'delegated' as const, to: ada }],
}
export const dueTask = {
  ...task,
  due_at: '2026-11-24T09:00:00.000Z',
  version: 2,
  history: [{ ...event, what: 'due_changed' as const, due_at: '2026-11-24T09:00:00.000Z' }],
}
export const completedTask = {
  ...claimedTask,
  status: 'completed' as const,
  outcome: 'approved',
  completed_at: '2026-11-20T07:30:00.000Z',
  completed_by: administrator,
  version: 3,
  history: [...claimedTask.history, { ...event, what: 'completed' as const, at: '2026-11-20T07:30:00.000Z' }],
}
