import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compileProcess } from '../../../../../../../shared/automation/bpmn/document/compile-process.ts'
import { nodeElements, triggerElements } from '../../../../../../../shared/automation/bpmn/elements/registry.ts'
import {
  bpmn,
  end,
  flow,
  inARow,
  scriptTask,
  start,
  timer,
} from '../../../../../../make/builders/processes/processes.ts'

const task = (id = 'a'): string => `<task id="${id}"/>`
const around = (element: string): string => inARow(start, element, end)
const event = (type: string, id: string, definition: string, attributes = ''): string =>
  `<${type} id="${id}" name="paid"${attributes}>${definition}</${type}>`
const message = '<messageEventDefinition/>'
const hour = timer('timeDuration', 'PT1H')
const catching = (id: string, definition: string): string => event('intermediateCatchEvent', id, definition)
const send =
  '<sendTask id="tell"><extensionElements><wf:notify channel="email" to="owner" template="told"/></extensionElements></sendTask>'
const multi = (attributes: string, inside = ''): string =>
  around(
    `<userTask id="u"><multiInstanceLoopCharacteristics${attributes}>${inside}</multiInstanceLoopCharacteristics></userTask>`,
  )
const border = (definition: string, attributes = '', host = '<userTask id="u"/>'): string =>
  `${around(host)}${event('boundaryEvent', 'b', definition, ` attachedToRef="u"${attributes}`)}${task('after')}${flow('b', 'after')}`
const handler = (definition: string, id = 'h'): string =>
  `<subProcess id="${id}" triggeredByEvent="true">${event('startEvent', `${id}_s`, definition)}<endEvent id="${id}_e"/>${flow(`${id}_s`, `${id}_e`)}</subProcess>`
const body = (inside: string): string =>
  `<subProcess id="u">${inARow('<startEvent id="us"/>', '<userTask id="ut"/>', '<endEvent id="ue"/>')}${inside}</subProcess>`
const split = `${inARow(start, '<exclusiveGateway id="g" default="g_x"/>', task('x'), end)}${flow('g', 'end', 'record.amount > 1')}`

/** What each advice of a finding looks like when it is followed. `null`: it is about other things than elements. */
const followed: Readonly<Record<string, readonly string[] | null>> = {
  'choose another one': null,
  'use ${instead}': null,
  'draw its diagram in a modeler and save it.': null,
  'write the code of a process template as calledElement.': [around('<callActivity id="c" calledElement="other"/>')],
  'write the code of a template': [around('<callActivity id="c" calledElement="other"/>')],
  'use wf:version="pinned"': [around('<callActivity id="c" calledElement="other" wf:version="pinned"/>')],
  // `use wf:in` or `use wf:out`.
  'use ${$type === ': [
    around(
      '<callActivity id="c" calledElement="other"><extensionElements><wf:in target="x" value="1"/><wf:out target="y" source="x"/></extensionElements></callActivity>',
    ),
  ],
  'use ${tagOf($type)}': [
    around(
      '<userTask id="u"><extensionElements><wf:in target="x" value="1"/><wf:out target="y" source="x"/></extensionElements></userTask>',
    ),
  ],
  'leave it out or name one.': [around('<userTask id="u" wf:complete_on_field_status="approved"/>')],
  'write one attribute wf:script, or one element.': [
    around('<serviceTask id="w" wf:action="script" wf:script="return 1"/>'),
    around(
      '<serviceTask id="w" wf:action="script"><extensionElements><wf:script>return 1</wf:script></extensionElements></serviceTask>',
    ),
  ],
  'use wf:script': [around('<serviceTask id="w" wf:script="return 1"/>')],
  'write it in JavaScript': [around(scriptTask('w', 'return 1'))],
  'use wf:formField': [
    around(
      '<userTask id="u"><extensionElements><wf:form><wf:formField name="a" label="A"/></wf:form></extensionElements></userTask>',
    ),
  ],
  'use wf:dueDate': [around('<userTask id="u" wf:dueDate="PT4H"/>')],
  'write ids or addresses of users as wf:${attribute}': [
    around('<userTask id="u" wf:assignee="ada@example.com"/>'),
    around('<userTask id="u" wf:candidateUsers="1,ada@example.com"/>'),
  ],
  'write ids or addresses of users as wf:assignee or wf:candidateUsers': [
    around('<userTask id="u" wf:assignee="1"/>'),
    around('<userTask id="u" wf:candidateUsers="ada@example.com"/>'),
  ],
  'use wf:${attribute}': [
    around('<userTask id="u" wf:assignee="1" wf:candidateRoles="agent" wf:dueDate="PT4H" wf:priority="high"/>'),
  ],
  'use wf:decision': [
    around('<businessRuleTask id="w" wf:decision="response_time" wf:resultVariable="answer" wf:version="latest"/>'),
  ],
  'use wf:correlationKey': [around(event('intermediateCatchEvent', 'c', message, ' wf:correlationKey="record.no"'))],
  'use wf:collection': [multi(' wf:collection="${variables.list}"')],
  'use wf:outputElement': [
    multi(' wf:collection="${variables.list}" wf:outputCollection="out" wf:outputElement="${task.outcome}"'),
  ],
  'use wf:collection and wf:elementVariable.': [multi(' wf:collection="${variables.list}" wf:elementVariable="one"')],
  'give it a wf:collection (like \\${variables.approvers}) or a loopCardinality.': [
    multi(' wf:collection="${variables.approvers}"'),
    multi('', '<loopCardinality>3</loopCardinality>'),
  ],
  'give its loop a loopCondition or a loopMaximum.': [
    around(
      '<task id="a"><standardLoopCharacteristics><loopCondition>loop.index &lt; 2</loopCondition></standardLoopCharacteristics></task>',
    ),
    around('<task id="a"><standardLoopCharacteristics loopMaximum="2"/></task>'),
  ],
  'use a sub-process.': [`${around(task())}${handler(message)}`],
  'attach it to the sub-process around it.': [border(hour, '', body(handler(message)))],
  'use a send task before it to send a notification': [inARow(start, send, end)],
  'use a send task to send a notification': [inARow(start, send, end)],
  'use a parallel gateway, and let a catch event follow each of its flows.': [
    `${inARow(start, '<parallelGateway id="f"/>', catching('c', message), '<parallelGateway id="j"/>', end)}${catching('d', hour)}${flow('f', 'd')}${flow('d', 'j')}`,
  ],
  'let an event follow the gateway.': [
    `${inARow(start, '<eventBasedGateway id="g"/>', catching('c', hour), end)}<receiveTask id="r" name="paid"/><endEvent id="e2"/>${flow('g', 'r')}${flow('r', 'e2')}`,
  ],
  'use a terminate or an error event.': [
    inARow(start, event('endEvent', 'e', '<terminateEventDefinition/>')),
    inARow(start, event('endEvent', 'e', '<errorEventDefinition errorRef="NoBudget"/>')),
  ],
  'put its event sub-process into a sub-process.': [around(body(handler('<compensateEventDefinition/>')))],
  'make it interrupting.': [border('<errorEventDefinition errorRef="NoBudget"/>')],
  'give it a duration, a date, a repeating interval or a cron schedule.': (
    [
      ['timeDuration', 'PT1H'],
      ['timeDate', '2036-11-20T09:00:00Z'],
      ['timeCycle', 'R3/PT1H'],
      ['timeCycle', '0 9 * * 1-5'],
    ] as const
  ).map(([kind, value]) => inARow(event('startEvent', 's', timer(kind, value)), end)),
  'give it at least PT1S.': [inARow(event('startEvent', 's', timer('timeCycle', 'R3/PT1S')), end)],
  'define it inside the event.': [border(hour)],
  'use one event for each.': [
    `${border(hour)}${event('boundaryEvent', 'b2', message, ' attachedToRef="u"')}${task('y')}${flow('b2', 'y')}`,
  ],
  'start it with one of them, and let a catch event wait for the others.': [
    inARow(
      event('startEvent', 's', message),
      event('intermediateCatchEvent', 'c', `<signalEventDefinition/>${hour}`, ' parallelMultiple="true"'),
      end,
    ),
  ],
  'put an exclusive or inclusive gateway in between.': [
    split,
    split.replaceAll('exclusiveGateway', 'inclusiveGateway'),
  ],
}

const advice = /[:;,] ((?:use|give|make it|put|let|attach|start it|leave it|define|draw|write|choose)\b[^`'\n]{3,})/g
const sources = globSync('shared/automation/bpmn/{diagram,document,elements,expressions}/**/*.ts')
const given = new Set(
  sources.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\*|\/\*\*)/.test(line))
      .flatMap((line) => [...line.matchAll(advice)].map(([, text = '']) => text)),
  ),
)

const findingsOf = async (elements: string) => {
  const compiled = await compileProcess(bpmn(elements))
  return 'findings' in compiled ? compiled.findings : []
}

describe('the advice of a finding', () => {
  it('has an example of what follows it', () => {
    expect([...given].filter((text) => !Object.hasOwn(followed, text))).toEqual([])
    expect(Object.keys(followed).filter((text) => !given.has(text))).toEqual([])
  })

  it.each(Object.entries(followed).flatMap(([text, examples]) => (examples ?? []).map((one) => [text, one] as const)))(
    'leads to no other finding: %s',
    async (_text, elements) => {
      expect(await findingsOf(elements), elements).toEqual([])
    },
  )
})

/** How people call the triggers that the advice for a position names. */
const kindsOf: Readonly<Record<string, RegExp>> = {
  timer: /timer/,
  message: /message/,
  signal: /signal/,
  conditional: /condition/,
  escalation: /escalation/,
  error: /error/,
  compensation: /compensation|compensat/,
  cancel: /cancel/,
  link: /link/,
  terminate: /terminate/,
}
const owners = [{ triggeredByEvent: true }, {}] as const
const positions = nodeElements.flatMap(({ position }) =>
  position === undefined ? [] : owners.map((owner) => position({ owner, elements: [] } as never)),
)

it.each([...new Map(positions.map((one) => [one.name, one] as const)).values()])(
  'the advice for a $name event names the triggers that it may have, and no others',
  ({ name, instead }) => {
    const named = Object.entries(kindsOf).flatMap(([on, words]) => (words.test(instead) ? on : []))
    const allowed = triggerElements.filter(({ positions: at }) => at.includes(name)).map(({ on }) => on)
    expect(named.toSorted()).toEqual(allowed.toSorted())
  },
)

it.each([
  ['a loop without end', around('<task id="a"><standardLoopCharacteristics/></task>')],
  ['a multi-instance activity without a number', multi('')],
  ['a multi-instance activity with an empty number', multi('', '<loopCardinality> </loopCardinality>')],
  ['a flow to an event sub-process', `${around(task())}${handler(message)}${flow('a', 'h')}`],
  [
    'a loop with an empty condition',
    around(
      '<task id="a"><standardLoopCharacteristics><loopCondition> </loopCondition></standardLoopCharacteristics></task>',
    ),
  ],
  ['a catch event that catches nothing', around(catching('c', ''))],
  ['a timer without a time', around(catching('c', '<timerEventDefinition/>'))],
  ['a border without an event', border('')],
  ['an escalation that is caught in the flow', around(catching('c', '<escalationEventDefinition/>'))],
])('%s is told once', async (_what, elements) => {
  const found = await findingsOf(elements)
  expect(
    found.map(({ message: text }) => text),
    JSON.stringify(found),
  ).toHaveLength(1)
})
