import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BpmnModdle from 'bpmn-moddle'
import { describe, expect, it, test } from 'vitest'
import { compileProcess } from '../../../../../../shared/automation/bpmn/document/compile-process.ts'
import { wfAttributes } from '../../../../../../shared/automation/bpmn/document/read/wf-descriptor.ts'
import type { EventPosition } from '../../../../../../shared/automation/bpmn/elements/element.ts'
import {
  bpmnName,
  insteadOf,
  loopElements,
  nodeElements,
  refusedElements,
  triggerElements,
} from '../../../../../../shared/automation/bpmn/elements/registry.ts'
import { advanceProcess, startProcess } from '../../../../../../shared/automation/bpmn/process.ts'
import type { Command, EngineHost, Wait } from '../../../../../../shared/automation/bpmn/schema.ts'
import type { CompiledProcess } from '../../../../../../shared/automation/bpmn/shapes/compiled-process.ts'
import { flows } from '../../../../../make/builders/processes/engine-documents.ts'
import { bpmn } from '../../../../../make/builders/processes/processes.ts'

const supported = [...nodeElements, ...triggerElements, ...loopElements].filter(({ type }) => !insteadOf(type))
const refused = [...Object.keys(refusedElements), ...triggerElements.flatMap((one) => (one.instead ? one.type : []))]

/** What makes a definition of an element complete. */
const contents: Readonly<Record<string, string>> = {
  timerEventDefinition: '<timeDuration>PT1H</timeDuration>',
  standardLoopCharacteristics: '<loopCondition>loop.index &lt; 1</loopCondition>',
  multiInstanceLoopCharacteristics: '<loopCardinality>2</loopCardinality>',
  scriptTask: '<script>return 1</script>',
  conditionalEventDefinition: '<condition>variables.never</condition>',
}
const attributes: Readonly<Record<string, string>> = {
  callActivity: ' calledElement="other"',
  linkEventDefinition: ' name="L"',
  standardLoopCharacteristics: ' loopMaximum="2"',
}
const drawn = (type: string, inside = '', more = ''): string =>
  `<${type}${type.endsWith('EventDefinition') || type.endsWith('Characteristics') ? '' : ' id="x"'}${attributes[type] ?? ''}${more}>${contents[type] ?? ''}${inside}</${type}>`

const frame = '<startEvent id="s"/><endEvent id="e"/>'
const inFlow = (element: string): string => `${frame}${element}${flows('s -> x -> e')}`
const catcher = drawn('intermediateCatchEvent', drawn('timerEventDefinition'))

/** The smallest process with an element. */
function processWith(type: string): string {
  if (type === 'startEvent') return `${drawn(type)}<endEvent id="e"/>${flows('x -> e')}`
  if (type === 'endEvent') return `<startEvent id="s"/>${drawn(type)}${flows('s -> x')}`
  if (type === 'intermediateCatchEvent') return inFlow(catcher)
  if (type === 'boundaryEvent')
    return `${frame}<userTask id="u"/>${drawn(type, drawn('timerEventDefinition'), ' attachedToRef="u"')}${flows('s -> u -> e', 'x -> e')}`
  if (type === 'adHocSubProcess') return inFlow(drawn(type, '<task id="xt"/>'))
  if (type === 'subProcess' || type === 'transaction')
    return inFlow(drawn(type, `<startEvent id="xs"/><endEvent id="xe"/>${flows('xs -> xe')}`))
  if (type === 'eventBasedGateway')
    return `${frame}${drawn(type)}<receiveTask id="r"/>${catcher.replace('"x"', '"c"')}${flows('s -> x -> r -> e', 'x -> c -> e')}`
  return inFlow(drawn(type))
}

/** The border and the end of a transaction need each other. */
const cancelled = `${frame}<transaction id="t"><startEvent id="ts"/><endEvent id="te"><cancelEventDefinition/></endEvent>${flows('ts -> te')}</transaction><boundaryEvent id="x" attachedToRef="t"><cancelEventDefinition/></boundaryEvent>${flows('s -> t -> e', 'x -> e')}`

function compensated(position: EventPosition['name']): string {
  const border = (id: string) =>
    `<boundaryEvent id="${id}" attachedToRef="u"><compensateEventDefinition/></boundaryEvent><task id="k" isForCompensation="true"/><association id="as" sourceRef="${id}" targetRef="k"/>`
  const thrown = (type: string, id: string) => `<${type} id="${id}"><compensateEventDefinition/></${type}>`
  if (position === 'boundary')
    return `<startEvent id="s"/><task id="u"/>${border('x')}${thrown('endEvent', 'e')}${flows('s -> u -> e')}`
  if (position === 'handler')
    return `<startEvent id="s"/><subProcess id="u"><startEvent id="us"/><endEvent id="ue"/>${flows('us -> ue')}<subProcess id="h" triggeredByEvent="true">${thrown('startEvent', 'x')}<endEvent id="he"/>${flows('x -> he')}</subProcess></subProcess>${thrown('endEvent', 'e')}${flows('s -> u -> e')}`
  return position === 'end'
    ? `<startEvent id="s"/><task id="u"/>${border('b')}${thrown('endEvent', 'x')}${flows('s -> u -> x')}`
    : `${frame}<task id="u"/>${border('b')}${thrown('intermediateThrowEvent', 'x')}${flows('s -> u -> x -> e')}`
}

/** The smallest process with an event that has a trigger. */
function processWithTrigger(type: string, position: EventPosition['name']): string {
  const trigger = drawn(type)
  if (type === 'cancelEventDefinition') return cancelled
  if (type === 'compensateEventDefinition') return compensated(position)
  const landing = type === 'linkEventDefinition' ? drawn('intermediateCatchEvent', trigger).replace('"x"', '"l"') : ''
  switch (position) {
    case 'end':
      return `<startEvent id="s"/>${drawn('endEvent', trigger)}${flows('s -> x')}`
    case 'boundary':
      return `${frame}<userTask id="u"/>${drawn('boundaryEvent', trigger, ' attachedToRef="u"')}${flows('s -> u -> e', 'x -> e')}`
    case 'catch':
      return landing === ''
        ? inFlow(drawn('intermediateCatchEvent', trigger))
        : `${frame}<endEvent id="le"/><intermediateThrowEvent id="t">${trigger}</intermediateThrowEvent>${drawn('intermediateCatchEvent', trigger)}${flows('s -> t', 'x -> e').replace(/<sequenceFlow id="t_e".*?<\/sequenceFlow>/, '')}<task id="k"/>${flows('s -> k -> le')}`
    case 'throw':
      return landing === ''
        ? inFlow(drawn('intermediateThrowEvent', trigger))
        : `${frame}<endEvent id="le"/>${drawn('intermediateThrowEvent', trigger)}${landing}${flows('s -> x', 'l -> le')}<task id="k"/>${flows('s -> k -> e')}`
    case 'handler':
      return `${frame}<task id="k"/>${flows('s -> k -> e')}<subProcess id="h" triggeredByEvent="true">${drawn('startEvent', trigger)}<endEvent id="he"/>${flows('x -> he')}</subProcess>`
    case 'start':
      return `${drawn('startEvent', trigger)}<endEvent id="e"/>${flows('x -> e')}`
  }
}

async function compiled(elements: string): Promise<CompiledProcess> {
  const result = await compileProcess(bpmn(elements))
  expect('findings' in result ? result.findings : [], elements).toEqual([])
  return (result as { process: CompiledProcess }).process
}

const host: EngineHost = {
  now: () => 0,
  evaluate: async () => 2,
  perform: async () => undefined,
  call: async () => ({ templateId: 1, version: 1, code: 'other' }),
}
const answerTo = ({ kind, executionId }: Wait): Command =>
  kind === 'call'
    ? { kind: 'called', executionId, variables: {} }
    : { kind: kind === 'timer' || kind === 'event' ? kind : 'complete', executionId }

/** Runs a process, answering one wait after another, until it is completed. Answers which elements it came to. */
async function run(process: CompiledProcess): Promise<readonly string[]> {
  let advance = await startProcess(process, host)
  const events = [...advance.events]
  for (let steps = 0; advance.status === 'running' && steps < 10; steps++) {
    const wait = advance.waits.find(({ elementId }) => elementId === 'x') ?? (advance.waits[0] as Wait)
    advance = await advanceProcess(process, host, JSON.parse(JSON.stringify(advance.state)), [answerTo(wait)])
    events.push(...advance.events)
  }
  // Nothing catches the error of an end event here.
  const isUncaught = advance.failure?.message.includes('is caught nowhere') === true
  expect(isUncaught ? 'completed' : advance.status).toBe('completed')
  return events.map(({ type }) => type)
}

describe('the registry of BPMN elements', () => {
  it('names each type once, and none that it refuses', () => {
    const types = [...supported.map(({ type }) => type), ...refused]
    expect(types.filter((type, at) => types.indexOf(type) !== at)).toEqual([])
  })

  it('names types of BPMN only', () => {
    const moddle = new BpmnModdle() as unknown as { getType(name: string): unknown }
    for (const type of [...supported.map((one) => one.type), ...refused])
      expect(() => moddle.getType(`bpmn:${bpmnName(type)}`), type).not.toThrow()
  })

  it('refuses every other element with what to use instead', () => {
    for (const type of [...refused, 'activity']) expect(insteadOf(type), type).toMatch(/\w/)
  })

  it('has every wf: attribute read before it is stripped', () => {
    for (const { type, attributes: added } of supported)
      for (const name of added?.names ?? []) expect(wfAttributes.has(name), `${type} ${name}`).toBe(true)
  })

  it('is what the guide lists', () => {
    const file = join(import.meta.dirname, '../../../../../../docs/guide/processes.md')
    const lines = supported.map(({ type, line }) => `| \`${type}\` | ${line} |\n`).join('')
    const guide = readFileSync(file, 'utf8')
    const listed = guide.replace(
      /(\| element \| what it does \|\n\|---\|---\|\n)(?:\|.*\n)*/,
      (_, head) => head + lines,
    )
    if (process.env.UPDATE_ELEMENTS === '1') writeFileSync(file, listed)
    expect(readFileSync(file, 'utf8'), 'run this test with UPDATE_ELEMENTS=1').toBe(listed)
  })
})

describe('every supported element compiles and runs', () => {
  test.each(nodeElements.map(({ type, ...rest }) => ({ type, ...rest })))('$type', async ({ type, reads }) => {
    const process = await compiled(processWith(type))
    expect(process.elements.x?.type).toBe(type)
    expect(Object.keys(process.tasks).includes('x')).toBe(reads === 'task')
    expect(Object.keys(process.work).includes('x')).toBe(reads === 'work' || reads === 'script')
    expect(await run(process)).toContain(type)
  })

  test.each(
    triggerElements.flatMap(({ type, positions }) =>
      insteadOf(type) ? [] : positions.map((position) => ({ type, position })),
    ),
  )('$type as $position', async ({ type, position }) => {
    await run(await compiled(processWithTrigger(type, position)))
  })

  test.each(loopElements.map(({ type }) => ({ type })))('$type', async ({ type }) => {
    const events = await run(await compiled(inFlow(drawn('userTask', drawn(type)))))
    // The activity as a whole, and two iterations.
    expect(events.filter((event) => event === 'userTask').length).toBe(6)
  })
})
