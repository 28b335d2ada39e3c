interface RequestProcess {
  readonly table?: string
  readonly autoStart?: boolean
  /** After how long the approval is escalated: an ISO 8601 duration. */
  readonly escalateAfter?: string
}

/**
 * An agent approves or rejects a request, by hand or by changing its status or note; a request that waits too long is
 * escalated and continues to wait. The table needs `title`, `priority`, `note` and a `status` that can become `open`.
 */
export const requestProcess = ({
  table = 'requests',
  autoStart = true,
  escalateAfter = 'P1D',
}: RequestProcess = {}): string => `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:wf="urn:entity-workflow:wf:1" id="request_definitions" targetNamespace="urn:entity-workflow:templates">
  <bpmn:process id="request_approval" name="Request approval" isExecutable="true" wf:table="${table}" wf:autoStart="${autoStart}" wf:startCondition="\${record.priority &lt;= 3}">
    <bpmn:documentation>Requests of priority 1 to 3 need an approval.</bpmn:documentation>
    <bpmn:startEvent id="created" name="Request created" />
    <bpmn:sequenceFlow id="to_approve" sourceRef="created" targetRef="approve" />
    <bpmn:userTask id="approve" name="Approve the request" wf:candidateRoles="agent" wf:dueDate="PT4H" wf:priority="\${record.priority}" wf:outcomes="approved,rejected">
      <bpmn:extensionElements>
        <wf:form>
          <wf:formField name="note" label="Note" type="textarea" bind="record.note" />
          <wf:formField name="channel" label="Answer by" type="value_list" options="mail,phone" default="mail" />
        </wf:form>
        <wf:completeOn outcome="approved">
          <wf:fieldCondition field="status" op="changesTo" value="open" />
        </wf:completeOn>
        <wf:completeOn outcome="rejected">
          <wf:fieldCondition field="note" op="startsWith" value="Rejected" />
        </wf:completeOn>
        <wf:notify on="create" to="role:agent" title="Approval needed" text="Request \${record.id}: \${record.title}" />
        <wf:setFields on="complete">
          <wf:set field="note" value="\${record.note || 'Decided: ' + task.outcome}" />
        </wf:setFields>
      </bpmn:extensionElements>
    </bpmn:userTask>
    <bpmn:boundaryEvent id="overdue" name="Waits too long" attachedToRef="approve" cancelActivity="false">
      <bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${escalateAfter}</bpmn:timeDuration></bpmn:timerEventDefinition>
    </bpmn:boundaryEvent>
    <bpmn:sequenceFlow id="to_escalate" sourceRef="overdue" targetRef="escalate" />
    <bpmn:sendTask id="escalate" name="Tell the administrators" wf:action="notify">
      <bpmn:extensionElements>
        <wf:notify to="role:admin" title="Approval overdue" text="Request \${record.id} still waits for an approval." />
      </bpmn:extensionElements>
    </bpmn:sendTask>
    <bpmn:sequenceFlow id="to_escalated" sourceRef="escalate" targetRef="escalated" />
    <bpmn:endEvent id="escalated" />
    <bpmn:sequenceFlow id="to_decision" sourceRef="approve" targetRef="decision" />
    <bpmn:exclusiveGateway id="decision" name="Approved?" default="to_reject" />
    <bpmn:sequenceFlow id="to_open" name="yes" sourceRef="decision" targetRef="open">
      <bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">\${task.outcome === 'approved'}</bpmn:conditionExpression>
    </bpmn:sequenceFlow>
    <bpmn:sequenceFlow id="to_reject" name="no" sourceRef="decision" targetRef="reject" />
    <bpmn:serviceTask id="open" name="Open the request" wf:action="setFields">
      <bpmn:extensionElements><wf:setFields><wf:set field="status" value="open" /></wf:setFields></bpmn:extensionElements>
    </bpmn:serviceTask>
    <bpmn:serviceTask id="reject" name="Put the request last" wf:action="setFields">
      <bpmn:extensionElements><wf:setFields><wf:set field="priority" value="5" /></wf:setFields></bpmn:extensionElements>
    </bpmn:serviceTask>
    <bpmn:sequenceFlow id="from_open" sourceRef="open" targetRef="answer" />
    <bpmn:sequenceFlow id="from_reject" sourceRef="reject" targetRef="answer" />
    <bpmn:sendTask id="answer" name="Answer the requester" wf:action="notify">
      <bpmn:extensionElements><wf:notify to="user:\${record.created_by}" title="Your request was \${task.outcome}" text="\${record.title}" /></bpmn:extensionElements>
    </bpmn:sendTask>
    <bpmn:sequenceFlow id="to_end" sourceRef="answer" targetRef="done" />
    <bpmn:endEvent id="done" name="Answered" />
    <bpmn:textAnnotation id="hint"><bpmn:text>Who opens the request approves it; a note that begins with Rejected rejects it.</bpmn:text></bpmn:textAnnotation>
    <bpmn:association id="hint_of_approve" sourceRef="hint" targetRef="approve" />
  </bpmn:process>
</bpmn:definitions>
`

/** A document with one process, `p`. */
export const processDocument = (elements: string, attributes = 'isExecutable="true"'): string =>
  `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:wf="urn:entity-workflow:wf:1" id="d" targetNamespace="t"><bpmn:process id="p" ${attributes}>${elements}</bpmn:process></bpmn:definitions>`

/** A document with every `wf:` element and attribute at least once. */
export const fullProcess = processDocument(
  `<bpmn:startEvent id="s" /><bpmn:sequenceFlow id="f1" sourceRef="s" targetRef="t" />
  <bpmn:userTask id="t" wf:assignee="\${record.owner}" wf:candidateUsers="3" wf:candidateRoles="agent" wf:candidateOrgUnits="1" wf:dueDate="PT4H" wf:priority="2" wf:formKey="k" wf:outcomes="a,b" wf:complete_on_field_status="done,closed">
    <bpmn:extensionElements>
      <wf:completeOn match="any" outcome="a"><wf:fieldCondition field="f" op="gt" value="3" /><wf:conditionGroup match="any"><wf:fieldCondition field="g" op="changes" /></wf:conditionGroup><wf:expression>record.a &lt; 1</wf:expression></wf:completeOn>
      <wf:form><wf:formField name="n" label="N" type="value_list" required="true" readonly="true" bind="record.n" default="x" options="x"><wf:option value="y" /></wf:formField></wf:form>
      <wf:notify on="cancel" channel="email" to="role:agent" template="t" title="T" text="&lt;b&gt;" />
      <wf:setFields on="create"><wf:set field="a" value="\${&quot;x&quot;}" /><wf:set field="b">text &amp; more</wf:set></wf:setFields>
    </bpmn:extensionElements>
    <bpmn:multiInstanceLoopCharacteristics wf:collection="\${variables.all}" wf:elementVariable="one" />
  </bpmn:userTask>
  <bpmn:sequenceFlow id="f2" sourceRef="t" targetRef="w" />
  <bpmn:serviceTask id="w" wf:action="createRecord" wf:resultVariable="r"><bpmn:extensionElements><wf:createRecord table="clients" resultVariable="c"><wf:set field="name" value="A" /></wf:createRecord></bpmn:extensionElements></bpmn:serviceTask>
  <bpmn:sequenceFlow id="f3" sourceRef="w" targetRef="x" />
  <bpmn:serviceTask id="x"><bpmn:extensionElements><wf:script>return 1 &lt; 2</wf:script></bpmn:extensionElements></bpmn:serviceTask>
  <bpmn:sequenceFlow id="f4" sourceRef="x" targetRef="y" /><bpmn:scriptTask id="y" wf:resultVariable="z"><bpmn:script>1</bpmn:script></bpmn:scriptTask>`,
  'isExecutable="true" wf:table="requests" wf:autoStart="true" wf:startCondition="record.a"',
)
