import { describe, expect, it } from 'vitest'
import { compileProcess } from '../../../../../../../shared/automation/bpmn/document/compile-process.ts'
import type { CompiledProcess } from '../../../../../../../shared/automation/bpmn/shapes/compiled-process.ts'

const document = (roots: string, more = ''): string =>
  `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:tns="urn:mine" xmlns:omgdi="http://www.omg.org/spec/DD/20100524/DI" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:x="urn:somebody" targetNamespace="urn:mine">${roots}${more}</definitions>`
const executable = (elements: string): string => `<process id="P" isExecutable="true">${elements}</process>`
const flow = (from: string, to: string): string => `<sequenceFlow sourceRef="${from}" targetRef="${to}"/>`
const inARow = `<startEvent id="s"/>${flow('s', 't')}<userTask id="t"/>${flow('t', 'e')}<endEvent id="e"/>`

async function compiled(xml: string): Promise<{ process: CompiledProcess; warnings: readonly string[] }> {
  const result = await compileProcess(xml)
  if ('findings' in result) throw new Error(JSON.stringify(result.findings))
  return { process: result.process, warnings: result.warnings.map(({ message }) => message) }
}
const flowsOf = ({ process }: { process: CompiledProcess }): string[] => process.graph.flows.map(({ id }) => id)

describe('a diagram of another editor', () => {
  it('needs no ids of flows: they are made of the ids of their ends', async () => {
    const twice = executable(
      `<startEvent id="s"/>${flow('s', 't')}<userTask id="t"/><endEvent id="e"/>${flow('t', 'e').repeat(2)}`,
    )
    const first = flowsOf(await compiled(document(twice)))
    expect(first).toEqual(['Flow_s_t', 'Flow_t_e', 'Flow_t_e_2'])
    expect(flowsOf(await compiled(document(twice)))).toEqual(first)
  })

  it('needs no ids that nothing refers to', async () => {
    const { process } = await compiled(document('<process isExecutable="true"><userTask/><userTask/></process>'))
    expect([process.processId, Object.keys(process.elements)]).toEqual(['Process', ['userTask', 'userTask_2']])
  })

  it('may name elements with the prefix of its namespace', async () => {
    const prefixed = `<error id="er" errorCode="E1"/>${executable(
      `<startEvent id="s"/>${flow('tns:s', 'tns:t')}<userTask id="t"/><boundaryEvent id="b" attachedToRef="tns:t"><errorEventDefinition errorRef="tns:er"/></boundaryEvent>${flow('tns:b', 'tns:g')}<exclusiveGateway id="g" default="tns:usual"/><sequenceFlow id="usual" sourceRef="tns:g" targetRef="tns:e"/><endEvent id="e"/>`,
    )}`
    const made = await compiled(document(prefixed))
    expect(flowsOf(made)).toEqual(['Flow_s_t', 'Flow_b_g', 'usual'])
    const { flows, nodes } = made.process.graph
    expect(flows).toMatchObject([{ source: 's', target: 't' }, { source: 'b' }, { isDefault: true }])
    expect(nodes.find(({ id }) => id === 'b')).toMatchObject({
      attachedTo: 't',
      triggers: [{ on: 'error', code: 'E1' }],
    })
  })

  it('may start and end without events', async () => {
    const { process } = await compiled(
      document(executable(`<userTask id="a"/><userTask id="b"/>${flow('a', 'c')}<userTask id="c"/>`)),
    )
    expect(Object.keys(process.elements)).toEqual(['a', 'b', 'c'])
  })

  it('runs the process of one pool and keeps the others as pictures', async () => {
    const other = `<process id="Q" name="Customer" isExecutable="false"><startEvent id="qs"/>${flow('qs', 'qt')}<task id="qt"/><sequenceFlow id="lost" sourceRef="qt" targetRef="gone"/></process>`
    const pools =
      '<collaboration id="C"><participant id="us" processRef="P"/><participant id="them" processRef="Q"/><participant id="box" name="Bank"/><messageFlow id="m" sourceRef="t" targetRef="box"/></collaboration>'
    const { process, warnings } = await compiled(document(pools + other + executable(inARow)))
    expect(process.processId).toBe('P')
    expect(warnings).toEqual(['The process "Customer" is kept as a picture: the template runs the process "P".'])
  })

  it('runs the only process that is not marked and holds anything', async () => {
    const xml = document(`<process id="Q"/><process id="R" isExecutable="false">${flow('x', 'y')}</process>`).replace(
      '</definitions>',
      `<process id="P">${inARow}</process></definitions>`,
    )
    expect((await compiled(xml)).process.processId).toBe('P')
  })

  it('may hold elements of others anywhere, which are named', async () => {
    const { warnings } = await compiled(
      document(executable(inARow.replace('<userTask id="t"/>', '<userTask id="t"><x:y><x:z/></x:y></userTask>'))),
    )
    expect(warnings).toEqual(['The document has <x:y> where BPMN allows no other elements; it is left out.'])
  })

  it('may repeat ids in its drawing', async () => {
    const drawing =
      '<bpmndi:BPMNDiagram id="t"><bpmndi:BPMNPlane id="t"><bpmndi:BPMNEdge id="1 2" bpmnElement="t"><omgdi:waypoint id="s" x="1" y="2"/></bpmndi:BPMNEdge></bpmndi:BPMNPlane></bpmndi:BPMNDiagram>'
    expect((await compiled(document(executable(inARow), drawing))).process.processId).toBe('P')
  })
})

describe('a global task', () => {
  const calling = `<startEvent id="s"/>${flow('s', 'c')}<callActivity id="c" calledElement="tns:g"/>`
  const of = async (global: string) => compiled(document(global, executable(calling)))

  it('with a script is done by the service where it is called', async () => {
    const { process } = await of('<globalScriptTask id="g"><script>variables.done = true</script></globalScriptTask>')
    expect(process.work.c).toEqual({ kind: 'script', script: 'variables.done = true' })
    expect(process.calls).toEqual({ c: { global: 'work' } })
  })

  it('of people becomes a task where it is called', async () => {
    const { process } = await of('<globalUserTask id="g"/>')
    expect(process.tasks.c).toMatchObject({ outcomes: [], form: [] })
    expect(process.calls).toEqual({ c: { global: 'task' } })
  })

  it('of another kind is passed', async () => {
    for (const kind of ['globalTask', 'globalBusinessRuleTask'])
      expect((await of(`<${kind} id="g"/>`)).process.work.c).toEqual({ kind: 'none' })
  })

  it('in another language is told', async () => {
    const result = await compileProcess(
      document(
        '<globalScriptTask id="g" scriptLanguage="text/x-groovy"><script>x = 1</script></globalScriptTask>',
        executable(calling),
      ),
    )
    expect(JSON.stringify(result)).toContain('scripts are JavaScript')
  })
})

describe('what starts a process besides its start events', () => {
  const message = '<message id="m" name="paid"/>'

  it('is a receive task that instantiates', async () => {
    const { process } = await compiled(
      document(
        message,
        executable(`<receiveTask id="r" messageRef="m" instantiate="true"/>${flow('r', 't')}<userTask id="t"/>`),
      ),
    )
    expect(process.starts).toEqual([{ elementId: 'r', triggers: [{ on: 'message', name: 'paid' }] }])
    expect(process.isTriggered).toBe(true)
  })

  it('is each event after an event-based gateway that instantiates', async () => {
    const caught = (id: string): string =>
      `${flow('g', id)}<intermediateCatchEvent id="${id}"><messageEventDefinition messageRef="m"/></intermediateCatchEvent>`
    const { process } = await compiled(
      document(message, executable(`<eventBasedGateway id="g" instantiate="true"/>${caught('a')}${caught('b')}`)),
    )
    expect(process.starts?.map(({ elementId }) => elementId)).toEqual(['a', 'b'])
  })
})

it('an event sub-process that undoes needs no association, though it is marked as for compensation', async () => {
  const handler = `<subProcess id="h" triggeredByEvent="true" isForCompensation="true"><startEvent id="hs"><compensateEventDefinition/></startEvent>${flow('hs', 'ha')}<task id="ha"/></subProcess>`
  const { process } = await compiled(
    document(
      executable(`<startEvent id="s"/>${flow('s', 'u')}<subProcess id="u"><task id="a"/>${handler}</subProcess>`),
    ),
  )
  expect(Object.keys(process.elements)).toContain('h')
})

it.each(['tFormalExpression', 'bpmn2:tFormalExpression', 'b:tExpression', 'b:tFormalExpression'])(
  'an expression may be of the type %s in a document with another prefix',
  async (type) => {
    const { process } = await compiled(
      `<b:definitions xmlns:b="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmn2="urn:other" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" targetNamespace="urn:mine"><b:process id="P" isExecutable="true"><b:startEvent id="s"/><b:sequenceFlow id="f" sourceRef="s" targetRef="g"/><b:exclusiveGateway id="g" default="d"/><b:sequenceFlow id="c" sourceRef="g" targetRef="e"><b:conditionExpression xsi:type="${type}">record.id > 1</b:conditionExpression></b:sequenceFlow><b:sequenceFlow id="d" sourceRef="g" targetRef="e"/><b:endEvent id="e"/></b:process></b:definitions>`,
    )
    expect(process.graph.flows.map(({ condition }) => condition)).toContain('record.id > 1')
  },
)
