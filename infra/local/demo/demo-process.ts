/** The demo's process, in BPMN with the `wf` extension. */
export const requestApproval = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:wf="urn:entity-workflow:wf:1" id="request_approval_definitions" targetNamespace="urn:demo">
  <bpmn:process id="request_approval" name="Request approval" isExecutable="true">
    <bpmn:startEvent id="created" name="Request created" />
    <bpmn:sequenceFlow id="to_approve" sourceRef="created" targetRef="approve" />
    <bpmn:userTask id="approve" name="Approve the request" wf:candidateRoles="agent,admin" wf:dueDate="P1D" wf:outcomes="approved,rejected">
      <bpmn:extensionElements>
        <wf:completeOn outcome="approved"><wf:fieldCondition field="status" op="in" value="in_progress,resolved" /></wf:completeOn>
        <wf:completeOn outcome="rejected"><wf:fieldCondition field="status" op="eq" value="closed" /></wf:completeOn>
      </bpmn:extensionElements>
    </bpmn:userTask>
    <bpmn:boundaryEvent id="overdue" name="Waits too long" attachedToRef="approve" cancelActivity="false">
      <bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">P1D</bpmn:timeDuration></bpmn:timerEventDefinition>
    </bpmn:boundaryEvent>
    <bpmn:sequenceFlow id="to_escalate" sourceRef="overdue" targetRef="escalate" />
    <bpmn:sendTask id="escalate" name="Tell the administrators" wf:action="notify">
      <bpmn:extensionElements><wf:notify channel="push" to="role:admin" title="Approval overdue" text="Request \${record.id}: \${record.title}" /></bpmn:extensionElements>
    </bpmn:sendTask>
    <bpmn:sequenceFlow id="to_escalated" sourceRef="escalate" targetRef="escalated" />
    <bpmn:endEvent id="escalated" name="Escalated" />
    <bpmn:sequenceFlow id="to_decision" sourceRef="approve" targetRef="decision" />
    <bpmn:exclusiveGateway id="decision" name="Approved?" default="to_resolve" />
    <bpmn:sequenceFlow id="to_reject" name="no" sourceRef="decision" targetRef="reject">
      <bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">\${task.outcome === 'rejected'}</bpmn:conditionExpression>
    </bpmn:sequenceFlow>
    <bpmn:serviceTask id="reject" name="Close the request" wf:action="setFields">
      <bpmn:extensionElements><wf:setFields><wf:set field="status" value="closed" /></wf:setFields></bpmn:extensionElements>
    </bpmn:serviceTask>
    <bpmn:sequenceFlow id="to_rejected" sourceRef="reject" targetRef="rejected" />
    <bpmn:endEvent id="rejected" name="Rejected" />
    <bpmn:sequenceFlow id="to_resolve" name="yes" sourceRef="decision" targetRef="resolve" />
    <bpmn:userTask id="resolve" name="Resolve the request" wf:assignee="\${record.assigned_to}" wf:candidateRoles="agent,admin" wf:complete_on_field_status="resolved,closed" />
    <bpmn:sequenceFlow id="to_done" sourceRef="resolve" targetRef="done" />
    <bpmn:endEvent id="done" name="Done" />
  </bpmn:process>
</bpmn:definitions>
`
