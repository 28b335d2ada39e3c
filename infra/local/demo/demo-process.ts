/** The demo's process, in BPMN with the `wf` extension, and the diagram that modelers show. */
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
  <bpmndi:BPMNDiagram xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" id="BPMNDiagram_request_approval">
    <bpmndi:BPMNPlane id="BPMNPlane_request_approval" bpmnElement="request_approval">
      <bpmndi:BPMNShape id="created_di" bpmnElement="created"><dc:Bounds x="57" y="52" width="36" height="36" /></bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="approve_di" bpmnElement="approve"><dc:Bounds x="175" y="30" width="100" height="80" /></bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="overdue_di" bpmnElement="overdue"><dc:Bounds x="207" y="92" width="36" height="36" /><bpmndi:BPMNLabel><dc:Bounds x="135" y="125" width="72" height="14" /></bpmndi:BPMNLabel></bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="decision_di" bpmnElement="decision" isMarkerVisible="true"><dc:Bounds x="650" y="45" width="50" height="50" /><bpmndi:BPMNLabel><dc:Bounds x="648" y="22" width="54" height="14" /></bpmndi:BPMNLabel></bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="reject_di" bpmnElement="reject"><dc:Bounds x="775" y="30" width="100" height="80" /></bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="rejected_di" bpmnElement="rejected"><dc:Bounds x="957" y="52" width="36" height="36" /></bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="escalate_di" bpmnElement="escalate"><dc:Bounds x="325" y="170" width="130" height="80" /></bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="escalated_di" bpmnElement="escalated"><dc:Bounds x="507" y="192" width="36" height="36" /></bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="resolve_di" bpmnElement="resolve"><dc:Bounds x="775" y="170" width="100" height="80" /></bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="done_di" bpmnElement="done"><dc:Bounds x="957" y="192" width="36" height="36" /></bpmndi:BPMNShape>
      <bpmndi:BPMNEdge id="to_approve_di" bpmnElement="to_approve"><di:waypoint x="93" y="70" /><di:waypoint x="175" y="70" /></bpmndi:BPMNEdge>
      <bpmndi:BPMNEdge id="to_decision_di" bpmnElement="to_decision"><di:waypoint x="275" y="70" /><di:waypoint x="650" y="70" /></bpmndi:BPMNEdge>
      <bpmndi:BPMNEdge id="to_escalate_di" bpmnElement="to_escalate"><di:waypoint x="225" y="128" /><di:waypoint x="225" y="210" /><di:waypoint x="325" y="210" /></bpmndi:BPMNEdge>
      <bpmndi:BPMNEdge id="to_reject_di" bpmnElement="to_reject"><di:waypoint x="700" y="70" /><di:waypoint x="775" y="70" /></bpmndi:BPMNEdge>
      <bpmndi:BPMNEdge id="to_resolve_di" bpmnElement="to_resolve"><di:waypoint x="675" y="95" /><di:waypoint x="675" y="210" /><di:waypoint x="775" y="210" /></bpmndi:BPMNEdge>
      <bpmndi:BPMNEdge id="to_rejected_di" bpmnElement="to_rejected"><di:waypoint x="875" y="70" /><di:waypoint x="957" y="70" /></bpmndi:BPMNEdge>
      <bpmndi:BPMNEdge id="to_escalated_di" bpmnElement="to_escalated"><di:waypoint x="455" y="210" /><di:waypoint x="507" y="210" /></bpmndi:BPMNEdge>
      <bpmndi:BPMNEdge id="to_done_di" bpmnElement="to_done"><di:waypoint x="875" y="210" /><di:waypoint x="957" y="210" /></bpmndi:BPMNEdge>
    </bpmndi:BPMNPlane>
  </bpmndi:BPMNDiagram>
</bpmn:definitions>
`
