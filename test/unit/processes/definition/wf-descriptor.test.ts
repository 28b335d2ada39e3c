import BpmnModdle from 'bpmn-moddle'
import { describe, expect, it } from 'vitest'
import { compileProcess } from '../../../../shared/processes/definition/compile-process.ts'
import { wfDescriptor } from '../../../../shared/processes/definition/wf-descriptor.ts'
import { processDocument, requestProcess } from '../../../make/process-templates.ts'

const everything = processDocument(
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

describe('the descriptor', () => {
  it.each([
    ['every word of ours', everything],
    ['a usual template', requestProcess()],
  ])('lets a modeler read and write %s', async (_, xml) => {
    // What the API answers is JSON.
    const moddle = new BpmnModdle({ wf: JSON.parse(JSON.stringify(wfDescriptor)) })
    const { rootElement, warnings } = await moddle.fromXML(xml)
    expect(warnings.map(({ property }) => property)).toEqual(xml === everything ? ['wf:complete_on_field_status'] : [])
    const written = (await moddle.toXML(rootElement, { format: true })).xml
    expect(await compileProcess(written)).toEqual(await compileProcess(xml))
    expect(await compileProcess(written)).toHaveProperty('process')
    for (const word of xml.match(/wf:\w+/g) ?? []) expect(written).toContain(word)
  })

  it('gives modelers the defaults that a document need not write', async () => {
    const moddle = new BpmnModdle({ wf: wfDescriptor }) as unknown as { create(type: string): Record<string, unknown> }
    expect(moddle.create('wf:CompleteOn').match).toBe('all')
    expect(moddle.create('wf:FieldCondition').op).toBe('eq')
    expect(moddle.create('wf:FormField').type).toBe('text')
  })
})
