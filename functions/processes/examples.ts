/** The process of the examples: a short approval of requests. */
const bpmnXml = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:wf="urn:entity-workflow:wf:1" id="approval_definitions" targetNamespace="urn:entity-workflow:templates">
  <bpmn:process id="approval" name="Approval" isExecutable="true" wf:autoStart="true">
    <bpmn:startEvent id="created" />
    <bpmn:sequenceFlow id="to_approve" sourceRef="created" targetRef="approve" />
    <bpmn:userTask id="approve" name="Approve the request" wf:candidateRoles="agent" wf:outcomes="approved,rejected" wf:complete_on_field_status="closed">
      <bpmn:extensionElements><wf:form><wf:formField name="note" label="Note" type="textarea" bind="record.note" /></wf:form></bpmn:extensionElements>
    </bpmn:userTask>
    <bpmn:sequenceFlow id="to_done" sourceRef="approve" targetRef="done" />
    <bpmn:endEvent id="done" />
  </bpmn:process>
</bpmn:definitions>
`

export const templateHead = {
  id: 2,
  code: 'approval',
  name: 'Approval',
  table: 'requests',
  is_auto_start: true,
  is_active: true,
  version: 1,
}
export const template = { ...templateHead, bpmn_xml: bpmnXml }

export const instanceHead = {
  id: 17,
  status: 'running' as const,
  template: { id: 2, code: 'approval', name: 'Approval', version: 1 },
  model: 'requests',
  record_id: 42,
  source: 'auto',
  started_by: { id: 3, name: 'Ann Carter' },
  started_at: '2026-11-20T07:17:00.000Z',
  ended_at: null,
}

export const instance = {
  ...instanceHead,
  tokens: [
    {
      element_id: 'approve',
      name: 'Approve the request',
      type: 'userTask',
      kind: 'task' as const,
      since: '2026-11-20T07:17:00.120Z',
      due_at: null,
      task_id: 31,
    },
  ],
  variables: {},
  history: [
    {
      element_id: 'created',
      name: null,
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
  incidents: [],
}

export const cancelled = { ...instance, status: 'cancelled' as const, tokens: [], ended_at: '2026-11-20T08:00:00.000Z' }

export const incident = {
  id: 5,
  instance_id: 17,
  template_code: 'approval',
  model: 'requests',
  record_id: 42,
  element_id: 'notify',
  message: 'There is no record 9 in clients.',
  status: 'open' as const,
  created_at: '2026-11-20T07:17:00.300Z',
  resolved_at: null,
}

export const task = {
  id: 31,
  instance_id: 17,
  element_id: 'approve',
  name: 'Approve the request',
  status: 'pending' as const,
  model: 'requests',
  record_id: 42,
  assignee: null,
  candidates: { users: [], roles: ['agent'], org_units: [] },
  due_at: null,
  priority: null,
  form_key: null,
  form: [
    {
      name: 'note',
      label: 'Note',
      type: 'textarea' as const,
      required: false,
      readonly: false,
      bind: 'note',
      default: null,
      options: [],
    },
  ],
  outcomes: ['approved', 'rejected'],
  outcome: null,
  created_at: '2026-11-20T07:17:00.120Z',
  completed_at: null,
  completed_by: null,
}

export const claimedTask = { ...task, assignee: 8 }
export const completedTask = {
  ...claimedTask,
  status: 'completed' as const,
  outcome: 'approved',
  completed_at: '2026-11-20T07:30:00.000Z',
  completed_by: { id: 8, name: 'Bo Agent' },
}
