import { describe, expect, test } from 'vitest'
import { findUnsupported } from '../../../../../../../shared/automation/bpmn/document/check/find-unsupported.ts'
import { documentOf, flows, readDocument } from '../../../../../../make/builders/processes/engine-documents.ts'

const findings = async (content: string, roots = '') =>
  findUnsupported(await readDocument(documentOf(content, roots))).map(({ elementId, message }) => ({
    elementId,
    message,
  }))

const event = (type: string, definition: string, attributes = ''): string =>
  `<${type} id="x"${attributes}>${definition}</${type}>`
const timer = (kind: string, value: string): string =>
  `<timerEventDefinition><${kind}>${value}</${kind}></timerEventDefinition>`
const onTask = (definition: string, attributes = ''): string =>
  `<userTask id="u"/>${event('boundaryEvent', definition, ` attachedToRef="u"${attributes}`)}`
const task = (content: string, attributes = ''): string => `<userTask id="x"${attributes}>${content}</userTask>`
const handler = (content: string): string => `<subProcess id="h" triggeredByEvent="true">${content}</subProcess>`
const condition = (attributes: string, body: string): string =>
  `<conditionExpression xsi:type="tFormalExpression"${attributes}>${body}</conditionExpression>`

describe('what the engine does not support is refused, naming the element', () => {
  test.each<[string, string, string, string?]>([
    ['ad-hoc sub-processes that an event triggers', '<adHocSubProcess id="x" triggeredByEvent="true"/>', 'is ad-hoc'],
    ['types that are not known', '<choreographyTask id="x"/>', 'is a ChoreographyTask, which is not supported'],
    [
      'timer starts at a time that is an expression',
      event('startEvent', timer('timeDate', '${record.due_at}')),
      'cannot be an expression',
    ],
    [
      'timer starts more than once in a second',
      event('startEvent', timer('timeCycle', 'R/PT0.1S')),
      'more than once in a second',
    ],
    [
      'starts that wait for all of their triggers',
      event('startEvent', `${timer('timeCycle', 'R/P1D')}<messageEventDefinition/>`, ' parallelMultiple="true"'),
      'when all of its triggers have occurred',
    ],
    [
      'conditional starts of a process',
      event('startEvent', '<conditionalEventDefinition><condition>a</condition></conditionalEventDefinition>'),
      'is a conditional event',
    ],
    ['a second start event', '<startEvent id="s"/><startEvent id="x"/>', 'one start event too many'],
    ['timer ends', event('endEvent', timer('timeDuration', 'PT1H')), 'use a send task'],
    [
      'conditional throws',
      event(
        'intermediateThrowEvent',
        '<conditionalEventDefinition><condition>a</condition></conditionalEventDefinition>',
      ),
      'is a conditional event',
    ],
    ['compensation catches', event('intermediateCatchEvent', '<compensateEventDefinition/>'), 'not supported here'],
    ['escalation catches', event('intermediateCatchEvent', '<escalationEventDefinition/>'), 'is an escalation event'],
    ['catch events that catch nothing', '<intermediateCatchEvent id="x"/>', 'an event without a kind'],
    ['cancel events on a task', onTask('<cancelEventDefinition/>'), 'which only the border of a transaction has'],
    ['cancel ends', event('endEvent', '<cancelEventDefinition/>'), 'which ends a transaction only'],
    [
      'cancels of a transaction that nothing leaves',
      `<transaction id="t">${event('endEvent', '<cancelEventDefinition/>')}</transaction>`,
      'needs a cancel event on its border',
    ],
    [
      'handlers that compensate the whole process',
      handler(event('startEvent', '<compensateEventDefinition/>')),
      'would undo the whole process',
    ],
    ['errors that do not interrupt', onTask('<errorEventDefinition/>', ' cancelActivity="false"'), 'always interrupts'],
    [
      'several triggers with an error that are all awaited',
      onTask(`<errorEventDefinition/>${timer('timeDuration', 'PT1H')}`, ' parallelMultiple="true"'),
      'none can be an error',
    ],
    [
      'triggers defined elsewhere',
      onTask('<eventDefinitionRef>T</eventDefinitionRef>'),
      'defined elsewhere',
      `<timerEventDefinition id="T"><timeDuration>PT1H</timeDuration></timerEventDefinition>`,
    ],
    ['timers without a time', onTask('<timerEventDefinition/>'), 'needs one time'],
    ['timers with an empty time', onTask(timer('timeDuration', ' ')), 'needs one time'],
    [
      'texts that are no duration',
      onTask(timer('timeDuration', 'PT4X')),
      "has the time 'PT4X', which is no ISO 8601 duration",
    ],
    ['texts that are no date', onTask(timer('timeDate', '2026-13-01')), 'no ISO 8601 date'],
    ['texts that are no cycle', onTask(timer('timeCycle', 'R0/PT1H')), 'no ISO 8601 repeating interval'],
    ['durations as dates', onTask(timer('timeDate', 'PT1H')), 'no ISO 8601 date'],
    [
      'links that lead nowhere',
      event('intermediateThrowEvent', '<linkEventDefinition name="L"/>'),
      "links to 'L', but there is no catch event",
    ],
    [
      'links with two ends',
      `<intermediateCatchEvent id="y"><linkEventDefinition name="L"/></intermediateCatchEvent>${event('intermediateCatchEvent', '<linkEventDefinition name="L"/>')}`,
      'a link leads to one place',
    ],
    [
      'flows out of links',
      `<intermediateCatchEvent id="y"><linkEventDefinition name="L"/></intermediateCatchEvent>${event('intermediateThrowEvent', '<linkEventDefinition name="L"/>')}<task id="a"/>${flows('x -> a')}`,
      'no flow can leave it',
    ],
    [
      'flows into links',
      `<task id="a"/>${event('intermediateCatchEvent', '<linkEventDefinition name="L"/>')}${flows('a -> x')}`,
      'no flow can lead to it',
    ],
    [
      'event sub-processes started by cancel events',
      handler(event('startEvent', '<cancelEventDefinition/>')),
      'starts with a timer, a message',
    ],
    [
      'event sub-processes started by nothing',
      '<subProcess id="x" triggeredByEvent="true"/>',
      'nothing ever starts it',
    ],
    [
      'error starts that do not interrupt',
      handler(event('startEvent', '<errorEventDefinition/>', ' isInterrupting="false"')),
      'always interrupts',
    ],
    [
      'conditions after parallel gateways',
      `<parallelGateway id="g"/><task id="a"/><task id="b"/>${flows('g -> a as x if 1 > 0', 'g -> b')}`,
      'put an exclusive or inclusive gateway in between',
    ],
    [
      'conditions after end events',
      `<endEvent id="s"/><task id="a"/>${flows('s -> a as x if 1 > 0')}`,
      'put an exclusive or inclusive gateway in between',
    ],
    [
      'conditions on default flows',
      `<exclusiveGateway id="g" default="x"/><task id="a"/>${flows('g -> a as x if 1 > 0')}`,
      'is the default flow',
    ],
    [
      'empty conditions',
      `<exclusiveGateway id="g"/><task id="a"/><sequenceFlow id="x" sourceRef="g" targetRef="a">${condition('', '')}</sequenceFlow>`,
      'without an expression',
    ],
    [
      'conditions in other languages',
      `<exclusiveGateway id="g"/><task id="a"/><sequenceFlow id="x" sourceRef="g" targetRef="a">${condition(' language="groovy"', 'a')}</sequenceFlow>`,
      "a condition in 'groovy'",
    ],
    ['token quantities', task('', ' startQuantity="0"'), 'startQuantity that is no whole number from 1'],
    [
      'receive tasks that start the process without a message',
      '<receiveTask id="x" instantiate="true"/>',
      'add a messageRef',
    ],
    [
      'receive tasks that start the process in a sub-process',
      '<subProcess id="p"><receiveTask id="x" instantiate="true" messageRef="M"/></subProcess>',
      'cannot be in a sub-process',
    ],
    [
      'receive tasks that start the process after others',
      `<startEvent id="s"/><receiveTask id="x" instantiate="true" messageRef="M"/>${flows('s -> x')}`,
      'no flow can lead to it',
    ],
    [
      'user tasks after event-based gateways',
      `<eventBasedGateway id="g"/><userTask id="x"/>${flows('g -> x')}`,
      "follows the event-based gateway 'g'",
    ],
    [
      'boundary events of tasks after event-based gateways',
      `<eventBasedGateway id="g"/><receiveTask id="u"/><boundaryEvent id="x" attachedToRef="u">${timer('timeDuration', 'PT1H')}</boundaryEvent>${flows('g -> u')}`,
      'let an event follow the gateway',
    ],
    [
      'loops after event-based gateways',
      `<eventBasedGateway id="g"/><receiveTask id="x"><standardLoopCharacteristics loopMaximum="2"/></receiveTask>${flows('g -> x')}`,
      'cannot run several times',
    ],
    [
      'event-based gateways that start the process with a timer',
      `<eventBasedGateway id="x" instantiate="true"/><intermediateCatchEvent id="c">${timer('timeDuration', 'PT1H')}</intermediateCatchEvent>${flows('x -> c')}`,
      'must wait for a message or a signal',
    ],
    [
      'event-based gateways that wait for all',
      '<eventBasedGateway id="x" eventGatewayType="Parallel"/>',
      'waits for all of its events',
    ],
    [
      'unsupported elements inside sub-processes',
      '<subProcess id="sp"><choreographyTask id="x"/></subProcess>',
      'is not supported',
    ],
  ])('%s', async (_, content, message, roots) => {
    const found = await findings(content, roots)
    expect(found).toEqual([
      { elementId: expect.stringMatching(/^(?:x|h)$/) as string, message: expect.stringContaining(message) as string },
    ])
  })

  test('a process that is not executable is not checked', async () => {
    expect(await findings('<task id="a"/>', '<process id="other"><choreographyTask id="x"/></process>')).toEqual([])
  })

  test('all findings are reported at once', async () => {
    expect(
      (await findings('<choreographyTask id="a"/><choreographyTask id="b"/>')).map(({ elementId }) => elementId),
    ).toEqual(['a', 'b'])
  })
})

test('what the engine supports is not refused', async () => {
  const found = await findings(
    `<startEvent id="s"/><userTask id="u" name="Do it" default="u_g"><multiInstanceLoopCharacteristics wf:collection="variables.all"/></userTask>
    <boundaryEvent id="t" attachedToRef="u" cancelActivity="false">${timer('timeCycle', 'R3/PT1H')}</boundaryEvent><boundaryEvent id="t2" attachedToRef="u">${timer('timeDate', '${record.due_at}')}</boundaryEvent>
    <boundaryEvent id="b" attachedToRef="u"><errorEventDefinition errorRef="E"/></boundaryEvent><eventBasedGateway id="g"/><receiveTask id="r"/>
    <intermediateCatchEvent id="c">${timer('timeDuration', 'P1M')}</intermediateCatchEvent><intermediateThrowEvent id="l"><linkEventDefinition name="L"/></intermediateThrowEvent>
    <intermediateCatchEvent id="le"><linkEventDefinition name="L"/></intermediateCatchEvent><task id="loop"><standardLoopCharacteristics loopMaximum="3"/></task><endEvent id="e"><terminateEventDefinition/></endEvent>
    ${flows('s -> u -> g -> r', 'g -> c', 'u -> loop if x', 'le -> loop -> e')}<textAnnotation id="note"/><dataObjectReference id="dr" dataObjectRef="d"/><dataObject id="d"/>
    ${handler(`<startEvent id="hs" isInterrupting="false">${timer('timeDuration', 'PT1H')}</startEvent>`)}`,
    '<error id="E" errorCode="X"/><itemDefinition id="I"/>',
  )
  expect(found).toEqual([])
})
