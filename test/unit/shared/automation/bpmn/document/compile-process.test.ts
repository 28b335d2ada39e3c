import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { compileProcess } from '../../../../../../shared/automation/bpmn/document/compile-process.ts'
import type { CompiledProcess } from '../../../../../../shared/automation/bpmn/shapes/compiled-process.ts'
import { processDocument, requestProcess } from '../../../../../make/builders/processes/process-templates.ts'

async function compiled(xml: string): Promise<CompiledProcess> {
  const result = await compileProcess(xml)
  if ('findings' in result) throw new Error(JSON.stringify(result.findings))
  return result.process
}

const start = '<bpmn:startEvent id="s" />'
const between = (element: string): string =>
  `${start}<bpmn:sequenceFlow id="f1" sourceRef="s" targetRef="t" />${element}<bpmn:sequenceFlow id="f2" sourceRef="t" targetRef="e" /><bpmn:endEvent id="e" />`
const taskOf = async (attributes: string, extensions = '', type = 'userTask') =>
  (
    await compiled(
      processDocument(
        between(
          `<bpmn:${type} id="t" ${attributes}><bpmn:extensionElements>${extensions}</bpmn:extensionElements></bpmn:${type}>`,
        ),
      ),
    )
  ).tasks.t
const workOf = async (attributes: string, extensions = '', type = 'serviceTask') =>
  (
    await compiled(
      processDocument(
        between(
          `<bpmn:${type} id="t" ${attributes}><bpmn:extensionElements>${extensions}</bpmn:extensionElements></bpmn:${type}>`,
        ),
      ),
    )
  ).work.t

describe('a compiled process', () => {
  it('says what its elements do', async () => {
    const process = await compiled(requestProcess())
    expect(process).toMatchObject({
      v: 2,
      processId: 'request_approval',
      name: 'Request approval',
      wf: { table: 'requests', isAutoStart: true, startCondition: 'record.priority <= 3' },
    })
    expect(process.elements).toEqual({
      created: { type: 'startEvent', name: 'Request created' },
      approve: { type: 'userTask', name: 'Approve the request' },
      overdue: { type: 'boundaryEvent', name: 'Waits too long' },
      escalate: { type: 'sendTask', name: 'Tell the administrators' },
      escalated: { type: 'endEvent', name: null },
      decision: { type: 'exclusiveGateway', name: 'Approved?' },
      open: { type: 'serviceTask', name: 'Open the request' },
      reject: { type: 'serviceTask', name: 'Put the request last' },
      answer: { type: 'sendTask', name: 'Answer the requester' },
      done: { type: 'endEvent', name: 'Answered' },
    })
    expect(process.tasks).toEqual({
      approve: {
        candidateUsers: [],
        candidateRoles: ['agent'],
        candidateOrgUnits: [],
        dueDate: 'PT4H',
        priority: '${record.priority}',
        outcomes: ['approved', 'rejected'],
        form: [
          { name: 'note', label: 'Note', type: 'textarea', isRequired: false, isReadonly: false, bind: 'note' },
          {
            name: 'channel',
            label: 'Answer by',
            type: 'value_list',
            isRequired: false,
            isReadonly: false,
            default: 'mail',
            options: ['mail', 'phone'],
          },
        ],
        completeOn: [
          {
            match: 'all',
            outcome: 'approved',
            conditions: [{ field: 'status', op: 'changesTo', values: ['open'] }],
            groups: [],
          },
          {
            match: 'all',
            outcome: 'rejected',
            conditions: [{ field: 'note', op: 'startsWith', values: ['Rejected'] }],
            groups: [],
          },
        ],
        notifications: [
          {
            on: 'create',
            channel: 'push',
            to: 'role:agent',
            title: 'Approval needed',
            text: 'Request ${record.id}: ${record.title}',
          },
        ],
        setFields: [
          { on: 'complete', sets: [{ field: 'note', value: "${record.note || 'Decided: ' + task.outcome}" }] },
        ],
      },
    })
    expect(process.work).toEqual({
      escalate: {
        kind: 'notify',
        notifications: [
          {
            channel: 'push',
            to: 'role:admin',
            title: 'Approval overdue',
            text: 'Request ${record.id} still waits for an approval.',
          },
        ],
      },
      open: { kind: 'setFields', sets: [{ field: 'status', value: 'open' }] },
      reject: { kind: 'setFields', sets: [{ field: 'priority', value: '5' }] },
      answer: {
        kind: 'notify',
        notifications: [
          {
            channel: 'push',
            to: 'user:${record.created_by}',
            title: 'Your request was ${task.outcome}',
            text: '${record.title}',
          },
        ],
      },
    })
  })

  it('is JSON without what the engine does not read', async () => {
    const process = await compiled(requestProcess())
    const json = JSON.stringify(process)
    expect(JSON.parse(json)).toEqual(process)
    expect(json.length).toBeLessThan(requestProcess().length * 2)
    const graph = JSON.stringify(process.graph)
    for (const word of ['need an approval', 'hint', 'candidateRoles', 'flowElements', 'wf:', 'extensionElements'])
      expect(graph).not.toContain(word)
    expect(graph).toContain("task.outcome === 'approved'")
  })

  it('is the same whatever its prefixes are called', async () => {
    const expected = await compiled(requestProcess())
    const plain = requestProcess()
      .replaceAll('<bpmn:', '<')
      .replaceAll('</bpmn:', '</')
      .replace('xmlns:bpmn=', 'xmlns=')
      .replaceAll('"bpmn:t', '"t')
    const other = requestProcess()
      .replaceAll('bpmn:', 'semantic:')
      .replaceAll(/\bwf:(?!1)/g, 'x:')
      .replace('xmlns:bpmn=', 'xmlns:semantic=')
      .replace('xmlns:wf=', 'xmlns:x=')
    for (const xml of [plain, other, `\uFEFF${requestProcess()}`, requestProcess().replaceAll('\n', '\r\n')])
      expect(await compiled(xml)).toEqual(expected)
  })

  it('is the only process, even if it is not marked executable', async () => {
    const process = await compiled(processDocument(between('<bpmn:manualTask id="t" />'), ''))
    expect(process).toMatchObject({ processId: 'p', name: null, wf: {}, work: {} })
    expect(Object.keys(process.tasks)).toEqual(['t'])
    expect(process.graph.nodes).toMatchObject([{ parentId: 'p' }, { id: 't', parentId: 'p' }, { parentId: 'p' }])
  })

  it('is the executable one of several processes', async () => {
    const other = '<bpmn:process id="q" isExecutable="false"><bpmn:userTask id="elsewhere" /></bpmn:process>'
    const process = await compiled(
      processDocument(between('<bpmn:manualTask id="t" />')).replace(
        '</bpmn:definitions>',
        `${other}</bpmn:definitions>`,
      ),
    )
    expect(process.processId).toBe('p')
    expect(JSON.stringify(process)).not.toContain('elsewhere')
  })

  it('ignores what modelers draw around a process', async () => {
    const xml = `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:x="urn:somebody" id="d" exporter="bpmn-js" x:version="5">
      <bpmn:collaboration id="c"><bpmn:participant id="pool" name="Service desk" processRef="p" /></bpmn:collaboration>
      <bpmn:category id="cat"><bpmn:categoryValue id="value" value="Everything" /></bpmn:category>
      <bpmn:dataStore id="store" /><bpmn:message id="m" name="Mail" /><bpmn:itemDefinition id="item" /><bpmn:interface id="i" name="I" /><bpmn:error id="err" name="E" errorCode="E1" />
      <bpmn:process id="p" isExecutable="true">
        <bpmn:documentation>What it is for</bpmn:documentation>
        <bpmn:extensionElements><x:settings><x:entry key="a">1</x:entry></x:settings></bpmn:extensionElements>
        <bpmn:laneSet id="lanes"><bpmn:lane id="lane" name="Agents"><bpmn:flowNodeRef>s</bpmn:flowNodeRef><bpmn:flowNodeRef>t</bpmn:flowNodeRef></bpmn:lane></bpmn:laneSet><bpmn:laneSet id="none" />
        <bpmn:startEvent id="s"><bpmn:outgoing>f1</bpmn:outgoing></bpmn:startEvent>
        <bpmn:sequenceFlow id="f1" sourceRef="s" targetRef="t" />
        <bpmn:userTask id="t" x:color="red"><bpmn:incoming>f1</bpmn:incoming><bpmn:outgoing>f2</bpmn:outgoing>
          <bpmn:ioSpecification><bpmn:dataInput id="in" /><bpmn:inputSet /><bpmn:outputSet /></bpmn:ioSpecification>
          <bpmn:property id="prop" name="__targetRef_placeholder" />
          <bpmn:dataInputAssociation id="dia"><bpmn:sourceRef>ref</bpmn:sourceRef><bpmn:targetRef>prop</bpmn:targetRef></bpmn:dataInputAssociation>
        </bpmn:userTask>
        <bpmn:sequenceFlow id="f2" sourceRef="t" targetRef="e" />
        <bpmn:endEvent id="e" />
        <bpmn:dataObject id="object" /><bpmn:dataObjectReference id="ref" dataObjectRef="object" /><bpmn:dataStoreReference id="storeRef" dataStoreRef="store" />
        <bpmn:group id="g" categoryValueRef="value" /><bpmn:textAnnotation id="note"><bpmn:text>Look</bpmn:text></bpmn:textAnnotation>
        <bpmn:association id="a" sourceRef="t" targetRef="note" /><bpmn:association sourceRef="t" targetRef="gone" />
      </bpmn:process>
      <bpmndi:BPMNDiagram id="dia1"><bpmndi:BPMNPlane id="plane" bpmnElement="c"><bpmndi:BPMNShape id="shape" bpmnElement="gone" isStrange="true"><dc:Bounds x="1" y="2" width="3" height="4" /><bpmndi:BPMNOdd /></bpmndi:BPMNShape></bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
    </bpmn:definitions>`
    const process = await compiled(xml)
    expect(Object.keys(process.elements)).toEqual(['s', 't', 'e'])
    expect(process.graph.nodes.map(({ id }) => id)).toEqual(['s', 't', 'e'])
    expect(process.graph.flows.map(({ id }) => id)).toEqual(['f1', 'f2'])
  })

  it('contains the elements of sub-processes', async () => {
    const inner =
      '<bpmn:startEvent id="s2" /><bpmn:sequenceFlow id="g" sourceRef="s2" targetRef="u" /><bpmn:userTask id="u" wf:assignee="3" />'
    const process = await compiled(processDocument(between(`<bpmn:subProcess id="t">${inner}</bpmn:subProcess>`)))
    expect(process.elements).toMatchObject({
      t: { type: 'subProcess' },
      s2: { type: 'startEvent' },
      u: { type: 'userTask' },
    })
    expect(process.tasks).toMatchObject({ u: { assignee: '3' } })
    expect(JSON.stringify(process.graph).match(/"id":"u"/g)).toHaveLength(1)
  })

  it.each([
    ['timeDuration', 'PT4H', 'PT4H'],
    ['timeDuration', '\n  P1Y2M3W4DT5H6M7.5S\n', 'P1Y2M3W4DT5H6M7.5S'],
    ['timeDuration', ' ${record.wait} ', '${record.wait}'],
    ['timeDuration', 'PT${record.hours}H', '${["PT",(record.hours\n),"H"].join("")}'],
    ['timeDate', '2026-11-20T09:00:00Z', '2026-11-20T09:00:00Z'],
    ['timeDate', '2026-11-20T09:00+01:00', '2026-11-20T09:00+01:00'],
    ['timeDate', '2026-11-20', '2026-11-20'],
    ['timeCycle', 'R3/PT10M', 'R3/PT10M'],
    ['timeCycle', 'R/P1D', 'R/P1D'],
    ['timeCycle', 'R3/2026-11-20T09:00:00Z/PT10M', 'R3/2026-11-20T09:00:00Z/PT10M'],
  ])('takes the %s %j', async (kind, text, normalized) => {
    const timer = `<bpmn:boundaryEvent id="b" attachedToRef="t" cancelActivity="false"><bpmn:timerEventDefinition><bpmn:${kind}>${text}</bpmn:${kind}></bpmn:timerEventDefinition></bpmn:boundaryEvent>`
    const { nodes } = (await compiled(processDocument(between('<bpmn:manualTask id="t" />') + timer))).graph
    expect(nodes.find(({ id }) => id === 'b')).toMatchObject({
      attachedTo: 't',
      isInterrupting: false,
      triggers: [{ on: 'timer', kind, value: normalized }],
    })
  })
})

describe('a task', () => {
  it.each<[string, string, object]>([
    ['wf:complete_on_field_status', 'done', { field: 'status', op: 'eq', values: ['done'] }],
    ['complete_on_field_status', 'done', { field: 'status', op: 'eq', values: ['done'] }],
    ['wf:complete_on_field_status', 'done, closed', { field: 'status', op: 'in', values: ['done', 'closed'] }],
    ['wf:complete_on_field_status', '!new', { field: 'status', op: 'ne', values: ['new'] }],
    ['wf:complete_on_field_status', '!new,!open', { field: 'status', op: 'notIn', values: ['new', 'open'] }],
    ['wf:complete_on_field_close_code', '!empty', { field: 'close_code', op: 'notEmpty', values: [] }],
    ['wf:complete_on_field_close_code', 'empty', { field: 'close_code', op: 'empty', values: [] }],
    ['wf:complete_on_field_is_done', 'true', { field: 'is_done', op: 'eq', values: ['true'] }],
  ])('is completed by %s="%s"', async (attribute, text, condition) => {
    for (const type of ['userTask', 'manualTask', 'receiveTask']) {
      expect((await taskOf(`${attribute}="${text}"`, '', type))?.completeOn).toEqual([
        { match: 'all', conditions: [condition], groups: [] },
      ])
    }
  })

  it('is completed by all of its free attributes together or by any wf:completeOn', async () => {
    const task = await taskOf(
      'wf:complete_on_field_status="done" wf:complete_on_field_close_code="!empty"',
      `<wf:completeOn match="any" outcome="late"><wf:fieldCondition field="record.priority" op="gte" value="4" /><wf:conditionGroup><wf:fieldCondition field="title" value="" /></wf:conditionGroup>
       <wf:expression><![CDATA[\${record.a < 1 && record.b}]]></wf:expression></wf:completeOn>`,
    )
    expect(task?.completeOn).toEqual([
      {
        match: 'all',
        conditions: [
          { field: 'status', op: 'eq', values: ['done'] },
          { field: 'close_code', op: 'notEmpty', values: [] },
        ],
        groups: [],
      },
      {
        match: 'any',
        outcome: 'late',
        conditions: [{ field: 'priority', op: 'gte', values: ['4'] }],
        groups: [{ match: 'all', conditions: [{ field: 'title', op: 'eq', values: [''] }] }],
        expression: 'record.a < 1 && record.b',
      },
    ])
  })

  it('has an assignee and candidates', async () => {
    const attributes = `wf:assignee="\${record.assigned_to}" candidateUsers="3, \${[1,2].join(',')}" wf:candidateRoles="agent,itil" wf:candidateOrgUnits="4" wf:dueDate="\${record.due_at}" wf:formKey="approval"`
    expect(await taskOf(attributes)).toMatchObject({
      assignee: '${record.assigned_to}',
      candidateUsers: ['3', "${[1,2].join(',')}"],
      candidateRoles: ['agent', 'itil'],
      candidateOrgUnits: ['4'],
      dueDate: '${record.due_at}',
      formKey: 'approval',
    })
  })

  it('takes options as elements, too', async () => {
    const task = await taskOf(
      '',
      '<wf:form><wf:formField name="a" type="value_list" required="true" options="x"><wf:option value="y" /><wf:option value="z" /></wf:formField></wf:form>',
    )
    expect(task?.form).toEqual([
      { name: 'a', type: 'value_list', isRequired: true, isReadonly: false, options: ['x', 'y', 'z'] },
    ])
  })
})

describe('work', () => {
  it.each<[string, string, string, object]>([
    ['serviceTask', '', '', { kind: 'none' }],
    ['sendTask', 'name="Tell them"', '', { kind: 'none' }],
    ['scriptTask', '', '', { kind: 'none' }],
    ['serviceTask', 'wf:action="script" wf:script="return 1"', '', { kind: 'script', script: 'return 1' }],
    [
      'serviceTask',
      'wf:script="return 1" wf:resultVariable="one"',
      '',
      { kind: 'script', script: 'return 1', resultVariable: 'one' },
    ],
    [
      'businessRuleTask',
      '',
      '<wf:script><![CDATA[return 1 < 2]]></wf:script>',
      { kind: 'script', script: 'return 1 < 2' },
    ],
    [
      'serviceTask',
      'wf:action="setFields"',
      '<wf:setFields><wf:set field="a" value="1" /><wf:set field="b">two words</wf:set></wf:setFields>',
      {
        kind: 'setFields',
        sets: [
          { field: 'a', value: '1' },
          { field: 'b', value: 'two words' },
        ],
      },
    ],
    [
      'serviceTask',
      '',
      '<wf:createRecord table="clients" resultVariable="client"><wf:set field="name" value="${record.title}" /></wf:createRecord>',
      {
        kind: 'createRecord',
        table: 'clients',
        sets: [{ field: 'name', value: '${record.title}' }],
        resultVariable: 'client',
      },
    ],
    [
      'serviceTask',
      'wf:resultVariable="client"',
      '<wf:createRecord table="clients"><wf:set field="name" value="A" /></wf:createRecord>',
      { kind: 'createRecord', table: 'clients', sets: [{ field: 'name', value: 'A' }], resultVariable: 'client' },
    ],
    [
      'sendTask',
      '',
      '<wf:notify channel="email" to="a@example.org" template="hello" /><wf:notify to="user:3">Come here</wf:notify>',
      {
        kind: 'notify',
        notifications: [
          { channel: 'email', to: 'a@example.org', template: 'hello' },
          { channel: 'push', to: 'user:3', text: 'Come here' },
        ],
      },
    ],
  ])('of a %s %s %s', async (type, attributes, extensions, work) =>
    expect(await workOf(attributes, extensions, type)).toEqual(work),
  )

  it('of a script task is its script, which is not repeated in the context', async () => {
    const process = await compiled(
      processDocument(
        between(
          '<bpmn:scriptTask id="t" scriptFormat="text/javascript" wf:resultVariable="r"><bpmn:script>return "secret"</bpmn:script></bpmn:scriptTask>',
        ),
      ),
    )
    expect(process.work).toEqual({ t: { kind: 'script', script: 'return "secret"', resultVariable: 'r' } })
    expect(JSON.stringify(process.graph)).not.toContain('secret')
  })
})

it('keeps loops for the engine', async () => {
  const loop =
    '<bpmn:multiInstanceLoopCharacteristics isSequential="true" wf:collection="${variables.people}" wf:elementVariable="person"><bpmn:completionCondition>loop.index &gt; 2</bpmn:completionCondition></bpmn:multiInstanceLoopCharacteristics>'
  const { graph } = await compiled(processDocument(between(`<bpmn:userTask id="t">${loop}</bpmn:userTask>`)))
  expect(graph.nodes.find(({ id }) => id === 't')?.loop).toEqual({
    kind: 'multi',
    isSequential: true,
    collection: '${variables.people}',
    itemVariable: 'person',
    until: 'loop.index > 2',
  })
})

it('reads a sample of every condition and event', async () => {
  const fixture = requestProcess({ table: 'changes', autoStart: false, escalateAfter: 'PT5M' })
  expect((await compiled(fixture)).wf).toEqual({
    table: 'changes',
    isAutoStart: false,
    startCondition: 'record.priority <= 3',
  })
  expect(JSON.stringify((await compiled(fixture)).graph)).toContain('PT5M')
})

it.each(['completion-rules.ts', 'expression.ts'])('%s loads no parser, because instances use it', async (file) => {
  const directory = join(import.meta.dirname, '../../../../../../shared/automation/bpmn/expressions')
  const { metafile } = await build({
    entryPoints: [join(directory, file)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
  })
  expect(Object.keys(metafile.inputs).filter((input) => input.includes('node_modules'))).toEqual([])
  expect((await readFile(join(directory, file), 'utf8')).length).toBeGreaterThan(0)
})

describe('FEEL', () => {
  const feelDocument = (attributes: string, condition: string, language = '') =>
    `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" targetNamespace="urn:t" ${attributes}>
      <process id="p" isExecutable="true"><startEvent id="s"/><exclusiveGateway id="g" default="f3"/><endEvent id="e"/>
      <sequenceFlow id="f1" sourceRef="s" targetRef="g"/><sequenceFlow id="f3" sourceRef="g" targetRef="e"/>
      <sequenceFlow id="f2" sourceRef="g" targetRef="e"><conditionExpression xsi:type="tFormalExpression" ${language}>${condition}</conditionExpression></sequenceFlow>
      </process></definitions>`
  const dmn = 'https://www.omg.org/spec/DMN/20191111/FEEL/'

  it.each([
    ['behind an equals sign', '', '=record.amount &gt; 5', '', '=record.amount > 5'],
    ['by its language', '', 'record.amount &gt; 5', 'language="feel"', '= record.amount > 5'],
    ['by the language of the document', `expressionLanguage="${dmn}"`, 'amount &gt; 5', '', '= amount > 5'],
    ['not where the document has another word', `expressionLanguage="${dmn}"`, '${amount &gt; 5}', '', 'amount > 5'],
  ])('is read %s', async (_title, attributes, condition, language, source) => {
    expect(await compileProcess(feelDocument(attributes, condition, language))).toMatchObject({
      conditions: [{ elementId: 'f2', source }],
    })
  })

  it('that cannot be read is a finding', async () => {
    const { findings } = (await compileProcess(feelDocument('', '= record.amount &gt;'))) as { findings: unknown[] }
    expect(findings).toEqual([
      {
        elementId: 'f2',
        code: 'invalid_expression',
        message: expect.stringContaining('is not a FEEL expression: the formula cannot be read'),
      },
    ])
  })
})
