import { describe, expect, it } from 'vitest'
import { compileProcess } from '../../../../../../../shared/automation/bpmn/document/compile-process.ts'
import type { Finding } from '../../../../../../../shared/automation/bpmn/shapes/compiled-process.ts'
import { processDocument } from '../../../../../../make/builders/processes/process-templates.ts'
import { processorMs } from '../../../../../../make/processor-time.ts'

async function findingsOf(xml: string): Promise<readonly Finding[]> {
  const compiled = await compileProcess(xml)
  return 'findings' in compiled ? compiled.findings.map(({ elementId, message }) => ({ elementId, message })) : []
}

const namespaces = 'xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:wf="urn:entity-workflow:wf:1"'
const definitions = (inside: string): string => `<bpmn:definitions ${namespaces}>${inside}</bpmn:definitions>`
const flow = (id: string, from: string, to: string, inside = ''): string =>
  `<bpmn:sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}">${inside}</bpmn:sequenceFlow>`
const condition = (text: string): string => `<bpmn:conditionExpression>${text}</bpmn:conditionExpression>`
const start = '<bpmn:startEvent id="s" />'
const end = '<bpmn:endEvent id="e" />'
/** A process around one element with the id `t`. */
const around = (element: string, more = ''): string =>
  processDocument(start + flow('f1', 's', 't') + element + flow('f2', 't', 'e') + end + more)
const userTask = (attributes: string, extensions = ''): string =>
  around(`<bpmn:userTask id="t" name="Approve" ${attributes}>${extend(extensions)}</bpmn:userTask>`)
const serviceTask = (attributes: string, extensions = ''): string =>
  around(`<bpmn:serviceTask id="t" ${attributes}>${extend(extensions)}</bpmn:serviceTask>`)
const extend = (inside: string): string =>
  inside === '' ? '' : `<bpmn:extensionElements>${inside}</bpmn:extensionElements>`
const timer = (inside: string): string =>
  around(
    `<bpmn:intermediateCatchEvent id="t"><bpmn:timerEventDefinition>${inside}</bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>`,
  )
const duration = (text: string): string => `<bpmn:timeDuration>${text}</bpmn:timeDuration>`
const gateway = (type: string, attributes: string, first: string, second: string): string =>
  processDocument(
    `${start}${flow('f1', 's', 't')}<bpmn:${type} id="t" name="Where to" ${attributes} />${first}${second}${end}<bpmn:endEvent id="e2" />`,
  )
const manual = (id: string): string => `<bpmn:manualTask id="${id}" />`
const subProcess = (inside: string, attributes = ''): string =>
  `<bpmn:subProcess id="sub" ${attributes}>${inside}</bpmn:subProcess>`
const event = (type: string, definition: string): string => `<bpmn:${type} id="t"><bpmn:${definition} /></bpmn:${type}>`

describe('a document that cannot be read', () => {
  it.each<[string, string, string | null, RegExp]>([
    ['nothing', '  ', null, /is empty/],
    ['no XML', 'hello', null, /not well-formed XML.*line 1, column 1/],
    ['a tag that is not closed', definitions('\n  <bpmn:process id="p">'), null, /not well-formed XML.*line 2, column/],
    [
      'tags that cross',
      definitions('<bpmn:process id="p">\n</bpmn:definitions>'),
      null,
      /closing tag mismatch \(line 2, column 1\)/,
    ],
    ['another XML vocabulary', '<html><body/></html>', null, /not BPMN 2\.0.*not <html> \(line 1, column 1\)/],
    ['no namespace', '<definitions><process id="p"/></definitions>', null, /of the namespace http:\/\/www\.omg\.org/],
    [
      'a document type declaration',
      `<!DOCTYPE x [<!ENTITY a "b">]>\n${definitions('')}`,
      null,
      /declaration is not allowed \(line 1, column 1\)/,
    ],
    ['an unknown entity', definitions('\n&a;'), null, /unknown entity at line 2, column 1/],
    ['a comment without end', definitions('<!-- '), null, /<!-- is never closed/],
    ['more than 1 MB', definitions(`<!--${' '.repeat(1_000_000)}-->`), null, /larger than 1 MB/],
    [
      'an undeclared prefix of an attribute',
      processDocument('<bpmn:task id="t" x:y="1" />'),
      't',
      /missing namespace for prefix <x> \(line 1/,
    ],
    ['an undeclared prefix of an element', definitions('<x:form/>'), null, /missing namespace on <x:form>/],
    [
      'the prefix wf for another namespace',
      around('<bpmn:userTask id="t" />').replace('urn:entity-workflow:wf:1', 'urn:other'),
      null,
      /prefix wf must stand for urn:entity-workflow:wf:1/,
    ],
    [
      'an element that BPMN does not know',
      processDocument('\n<bpmn:fooTask id="t" />'),
      't',
      /<bpmn:fooTask> is unknown here \(line 2, column 1\)/,
    ],
    [
      'a wf: element in the wrong position',
      around('<bpmn:userTask id="t"><wf:notify to="a" text="b" /></bpmn:userTask>'),
      null,
      /<wf:notify> is unknown here.*extensionElements/,
    ],
    ['text between elements', processDocument(`${start} hello`), null, /text "hello" does not belong there/],
    ['an id that is used twice', around(`${manual('t')}${manual('t')}`), 't', /id "t" is used more than once/],
    ['an id with a blank', around('<bpmn:userTask id="t t" />'), 't t', /id "t t" is not allowed/],
    [
      'a control character',
      around('<bpmn:userTask id="t" name="a\u0001" />'),
      null,
      /control character at line 1, column/,
    ],
    [
      'a type of ours that is no element',
      around(`<bpmn:userTask id="t">${extend('<wf:taskProps />')}</bpmn:userTask>`),
      null,
      /<wf:taskProps> is unknown here/,
    ],
    [
      'elements as an attribute of a sub-process',
      around('<bpmn:subProcess id="t" flowElements="x" />'),
      't',
      /has flowElements as an attribute/,
    ],
    [
      'elements as an attribute of an event',
      around('<bpmn:intermediateCatchEvent id="t" eventDefinitions="x" />'),
      't',
      /has eventDefinitions as an attribute/,
    ],
    [
      'an element as an attribute of a flow',
      around(manual('t'), '<bpmn:sequenceFlow id="x" sourceRef="t" targetRef="e" conditionExpression="1" />'),
      'x',
      /has conditionExpression as an attribute/,
    ],
    [
      'elements as an attribute of one of ours',
      userTask('', '<wf:completeOn conditions="x" />'),
      't',
      /wf:completeOn of the user task "Approve" has conditions as an attribute/,
    ],
    [
      'an id that every object has',
      around('<bpmn:userTask id="constructor" />'),
      'constructor',
      /"constructor" is reserved/,
    ],
  ])('is told what to change: %s', async (_, xml, elementId, message) => {
    const findings = await findingsOf(xml)
    expect(findings).toEqual([{ elementId, message: expect.stringMatching(message) }])
    expect(findings[0]?.message).toMatch(/^[A-Z].*\.$/s)
  })
})

describe('a process that cannot be run', () => {
  it.each<[string, string, string | null, RegExp]>([
    ['no process', definitions(''), null, /holds no process/],
    [
      'two processes that are not executable',
      definitions(
        '<bpmn:process id="p" isExecutable="false"><bpmn:task id="a"/></bpmn:process><bpmn:process id="q" isExecutable="false"><bpmn:task id="b"/></bpmn:process>',
      ),
      null,
      /None of the processes is executable/,
    ],
    [
      'two processes, none marked',
      definitions('<bpmn:process id="p"/><bpmn:process id="q"/>'),
      null,
      /None of the processes is executable/,
    ],
    [
      'a flow to nowhere',
      processDocument(start + flow('f', 's', 'gone')),
      'f',
      /targetRef names "gone", which does not exist/,
    ],
    [
      'a flow from nowhere',
      processDocument(start + flow('f', 'constructor', 's')),
      'f',
      /sourceRef names "constructor"/,
    ],
    [
      'a flow without a target',
      processDocument(`${start}<bpmn:sequenceFlow id="f" sourceRef="s" />`),
      'f',
      /needs a targetRef/,
    ],
    [
      'a flow to a flow',
      processDocument(start + flow('f', 's', 'g') + flow('g', 's', 'e') + end),
      'f',
      /targetRef must name a task, event or gateway, not the sequence flow "g"/,
    ],
    [
      'no start',
      processDocument(manual('t') + flow('f', 't', 'u') + manual('u') + flow('g', 'u', 't')),
      'p',
      /needs a start event/,
    ],
    ['an empty process', processDocument(''), 'p', /needs a start event/],
    [
      'two start events',
      processDocument(`${start}<bpmn:startEvent id="s2" />${flow('f', 's', 'e')}${flow('g', 's2', 'e')}${end}`),
      's2',
      /one start event only/,
    ],
    [
      'a start event that waits for a condition',
      processDocument(
        `<bpmn:startEvent id="s"><bpmn:conditionalEventDefinition><bpmn:condition>record.a</bpmn:condition></bpmn:conditionalEventDefinition></bpmn:startEvent>${flow('f', 's', 'e')}${end}`,
      ),
      's',
      /conditional event, which is not supported here: a process starts by its table/,
    ],
    ['a flow into a start event', around(manual('t'), flow('back', 't', 's')), 's', /cannot have incoming flows/],
    ['a flow out of an end event', around(manual('t'), flow('back', 'e', 't')), 'e', /cannot have outgoing flows/],
    ['an unreachable task', around(manual('t'), manual('lonely')), 'lonely', /cannot be reached/],
    [
      'an unreachable cycle',
      around(manual('t'), manual('a') + manual('b') + flow('ab', 'a', 'b') + flow('ba', 'b', 'a')),
      'a',
      /cannot be reached/,
    ],
    [
      'a flow into a sub-process',
      around(
        subProcess(`${start.replace('"s"', '"s2"')}${flow('g', 's2', 't2')}${manual('t2')}`).replace('"sub"', '"t"'),
        flow('into', 's', 't2'),
      ),
      'into',
      /crosses the border.*manual task "t2"/,
    ],
    [
      'a sub-process without a start event',
      around(subProcess(manual('t2') + flow('g', 't2', 't2')).replace('"sub"', '"t"')),
      't',
      /sub-process "t" needs a start event/,
    ],
    [
      'a sub-process whose start event waits',
      around(
        subProcess(
          `<bpmn:startEvent id="s2"><bpmn:timerEventDefinition>${duration('PT1H')}</bpmn:timerEventDefinition></bpmn:startEvent>`,
        ).replace('"sub"', '"t"'),
      ),
      's2',
      /starts a sub-process/,
    ],
    [
      'an event sub-process without an event',
      around(manual('t'), subProcess('<bpmn:startEvent id="s2" />', 'triggeredByEvent="true"')),
      's2',
      /on what event/,
    ],
    [
      'a flow to an event sub-process',
      around(
        manual('t'),
        subProcess(
          `<bpmn:startEvent id="s2"><bpmn:timerEventDefinition>${duration('PT1H')}</bpmn:timerEventDefinition></bpmn:startEvent>`,
          'triggeredByEvent="true"',
        ) + flow('g', 't', 'sub'),
      ),
      'sub',
      /triggered by an event/,
    ],
    [
      'an id that is too long',
      around(manual('t'.repeat(101)), manual('t')),
      't'.repeat(100),
      /more than 100 characters/,
    ],
    [
      'too many elements',
      processDocument(start + Array.from({ length: 1001 }, (_, index) => manual(`t${index}`)).join('')),
      'p',
      /more than 1000 tasks/,
    ],
    [
      'sub-processes within sub-processes',
      processDocument('<bpmn:subProcess>'.repeat(2000) + '</bpmn:subProcess>'.repeat(2000)),
      'p',
      /more than 20 deep/,
    ],
  ])('is told what to change: %s', async (_, xml, elementId, message) => {
    expect(await findingsOf(xml)).toContainEqual({ elementId, message: expect.stringMatching(message) })
  })
})

describe('a gateway that cannot be run', () => {
  const to = (id: string, target: string, text?: string): string =>
    flow(id, 't', target, text === undefined ? '' : condition(text))
  it.each<[string, string, string, RegExp]>([
    [
      'exclusive, without conditions',
      gateway('exclusiveGateway', '', to('a', 'e'), to('b', 'e2')),
      't',
      /"Where to" parts.*sequence flow "a", the sequence flow "b"/,
    ],
    [
      'exclusive, one condition missing',
      gateway('exclusiveGateway', '', to('a', 'e', 'record.x'), to('b', 'e2')),
      't',
      /without one: the sequence flow "b"/,
    ],
    [
      'inclusive, one condition missing',
      gateway('inclusiveGateway', 'default="a"', to('a', 'e'), `${to('b', 'e2')}${to('c', 'e2', 'true')}`),
      't',
      /without one: the sequence flow "b"/,
    ],
    [
      'a default that does not exist',
      gateway('exclusiveGateway', 'default="gone"', to('a', 'e', 'true'), to('b', 'e2', 'true')),
      't',
      /default names "gone"/,
    ],
    [
      'a default that does not leave it',
      gateway('exclusiveGateway', 'default="f1"', to('a', 'e', 'true'), to('b', 'e2', 'true')),
      't',
      /as its default, which does not leave it/,
    ],
    [
      'an empty condition',
      gateway('exclusiveGateway', 'default="b"', to('a', 'e', ''), to('b', 'e2')),
      'a',
      /not a JavaScript expression: it is empty/,
    ],
    [
      'a broken condition',
      gateway('exclusiveGateway', 'default="b"', to('a', 'e', '${record.status = = 1}'), to('b', 'e2')),
      'a',
      /not a JavaScript expression: unexpected token/,
    ],
    [
      'two statements',
      gateway('exclusiveGateway', 'default="b"', to('a', 'e', 'record.x; true'), to('b', 'e2')),
      'a',
      /not a JavaScript expression/,
    ],
    [
      'another language',
      gateway(
        'exclusiveGateway',
        'default="b"',
        to('a', 'e', 'true').replace(
          '<bpmn:conditionExpression',
          '$& xsi:type="bpmn:tFormalExpression" language="groovy"',
        ),
        to('b', 'e2'),
      ),
      'a',
      /in "groovy"/,
    ],
    [
      'complex, with a broken condition',
      gateway('complexGateway', '', to('a', 'e', 'true'), to('b', 'e2', 'true')).replace(
        /(<bpmn:complexGateway[^>]*) \/>/,
        '$1><bpmn:activationCondition>1 +</bpmn:activationCondition></bpmn:complexGateway>',
      ),
      't',
      /activationCondition of the complex gateway "Where to" is not a JavaScript expression/,
    ],
    [
      'event-based, to a task',
      gateway('eventBasedGateway', '', to('a', 'm'), `${to('b', 'e')}${manual('m')}`),
      't',
      /not to the manual task "m"/,
    ],
    ['event-based, without flows', gateway('eventBasedGateway', '', '', ''), 't', /needs flows to the events/],
    [
      'event-based, with a condition',
      gateway('eventBasedGateway', '', to('a', 'r', 'true'), `${to('b', 'e')}<bpmn:receiveTask id="r" />`),
      'a',
      /cannot have a condition/,
    ],
    [
      'event-based, to what others lead to',
      gateway(
        'eventBasedGateway',
        '',
        to('a', 'r'),
        `${to('b', 'e')}<bpmn:receiveTask id="r" />${flow('c', 's', 'r')}`,
      ),
      'r',
      /cannot have other incoming flows/,
    ],
  ])('is told what to change: %s', async (_, xml, elementId, message) => {
    expect(await findingsOf(xml)).toContainEqual({ elementId, message: expect.stringMatching(message) })
  })
})

describe('an event that cannot be run', () => {
  const boundary = (attributes: string, inside: string): string =>
    around(manual('t'), `<bpmn:boundaryEvent id="b" ${attributes}>${inside}</bpmn:boundaryEvent>`)
  const onTimer = `<bpmn:timerEventDefinition>${duration('PT1H')}</bpmn:timerEventDefinition>`
  it.each<[string, string, string, RegExp]>([
    ['a boundary event without an activity', boundary('', onTimer), 'b', /must be attached to a task/],
    [
      'a boundary event on what does not exist',
      boundary('attachedToRef="gone"', onTimer),
      'b',
      /attachedToRef names "gone"/,
    ],
    [
      'a boundary event on an event',
      boundary('attachedToRef="s"', onTimer),
      'b',
      /attachedToRef must name a task or sub-process, not the start event/,
    ],
    [
      'a boundary event with an incoming flow',
      boundary('attachedToRef="t"', onTimer).replace(end, end + flow('x', 't', 'b')),
      'b',
      /cannot have incoming flows/,
    ],
    ['a boundary event without a kind', boundary('attachedToRef="t"', ''), 'b', /what it catches/],
    [
      'a boundary event across a border',
      around(
        manual('t'),
        `${subProcess(`<bpmn:startEvent id="s2" /><bpmn:boundaryEvent id="b" attachedToRef="t">${onTimer}</bpmn:boundaryEvent>`)}${flow('g', 't', 'sub')}`,
      ),
      'b',
      /stands in another sub-process/,
    ],
    [
      'an error that does not exist',
      boundary('attachedToRef="t"', '<bpmn:errorEventDefinition errorRef="gone" />'),
      'b',
      /errorRef names "gone"/,
    ],
    [
      'an error that is none',
      boundary('attachedToRef="t"', '<bpmn:errorEventDefinition errorRef="s" />'),
      'b',
      /errorRef must name an error, not the start event/,
    ],
    ['a catch event without a kind', around('<bpmn:intermediateCatchEvent id="t" />'), 't', /what it waits for/],
    [
      'an escalation that is awaited',
      around(event('intermediateCatchEvent', 'escalationEventDefinition')),
      't',
      /not supported/,
    ],
    [
      'a condition without an expression',
      around(event('intermediateCatchEvent', 'conditionalEventDefinition')),
      't',
      /it is empty/,
    ],
    [
      'a link to nowhere',
      processDocument(
        `${start}${flow('f', 's', 't')}<bpmn:intermediateThrowEvent id="t"><bpmn:linkEventDefinition name="B" /></bpmn:intermediateThrowEvent><bpmn:intermediateCatchEvent id="c"><bpmn:linkEventDefinition name="A" /></bpmn:intermediateCatchEvent>`,
      ),
      't',
      /link "B" to no intermediate catch event/,
    ],
    ['a timer without a time', timer(''), 't', /exactly one of timeDuration, timeDate and timeCycle/],
    [
      'a timer with two times',
      timer(`${duration('PT1H')}<bpmn:timeDate>2026-11-20</bpmn:timeDate>`),
      't',
      /exactly one of/,
    ],
    ['an empty duration', timer(duration('')), 't', /timeDuration must be a duration/],
    ['a duration in words', timer(duration('4 hours')), 't', /like PT4H.*not "4 hours"/],
    ['a duration without a T', timer(duration('P4H')), 't', /not "P4H"/],
    ['a duration of nothing', timer(duration('PT')), 't', /not "PT"/],
    ['a bare expression', timer(duration('record.hours')), 't', /or an expression like \$\{/],
    ['a broken expression', timer(duration('PT${record.}H')), 't', /holds an expression that is none/],
    [
      'a day that does not exist',
      timer('<bpmn:timeDate>2026-02-30T00:00:00Z</bpmn:timeDate>'),
      't',
      /timeDate must be a moment/,
    ],
    [
      'a start by a time that is none',
      processDocument(
        `<bpmn:startEvent id="s"><bpmn:timerEventDefinition><bpmn:timeCycle>every day</bpmn:timeCycle></bpmn:timerEventDefinition></bpmn:startEvent>${flow('f', 's', 'e')}${end}`,
      ),
      's',
      /or a cron schedule like 0 9 \* \* 1-5 \(ISO 8601\), not "every day"\.$/,
    ],
    [
      'a broken cron schedule',
      timer('<bpmn:timeCycle>0 61 * * *</bpmn:timeCycle>'),
      't',
      /or a cron schedule like 0 9 \* \* 1-5.*not "0 61 \* \* \*": Invalid value for hour/,
    ],
    [
      'a repetition of no times',
      timer('<bpmn:timeCycle>R0/PT1H</bpmn:timeCycle>'),
      't',
      /timeCycle must be a repetition/,
    ],
    ['half an hour in hours', timer(duration('PT0.5H')), 't', /not "PT0.5H"/],
    [
      'a repetition that passes no time',
      timer('<bpmn:timeCycle>R/PT0S</bpmn:timeCycle>'),
      't',
      /timeCycle must be a repetition/,
    ],
  ])('is told what to change: %s', async (_, xml, elementId, message) => {
    expect(await findingsOf(xml)).toContainEqual({ elementId, message: expect.stringMatching(message) })
  })
})

describe('a task that cannot be run', () => {
  const completeOn = (inside: string, attributes = ''): string =>
    `<wf:completeOn ${attributes}>${inside}</wf:completeOn>`
  const fieldCondition = (attributes: string): string => completeOn(`<wf:fieldCondition ${attributes} />`)
  it.each<[string, string, RegExp]>([
    [
      'an unknown operator',
      userTask('', fieldCondition('field="status" op="is" value="open"')),
      /"Approve".*"status" has the unknown op "is"/,
    ],
    ['an operator without its value', userTask('', fieldCondition('field="status"')), /needs a value for eq/],
    ['a list with a gap', userTask('', fieldCondition('field="status" op="in" value="a,,b"')), /needs a value for in/],
    [
      'a value too many',
      userTask('', fieldCondition('field="status" op="changes" value="open"')),
      /changes takes none; changesTo does/,
    ],
    ['a condition without a field', userTask('', fieldCondition('op="empty"')), /needs the name of a field/],
    [
      'a condition on no field',
      userTask('', fieldCondition('field="record.client.name" op="empty"')),
      /not "record\.client\.name"/,
    ],
    [
      'an unknown match',
      userTask('', completeOn('<wf:fieldCondition field="a" op="empty" />', 'match="some"')),
      /"all" or "any", not "some"/,
    ],
    [
      'an unknown match of a group',
      userTask(
        '',
        completeOn('<wf:conditionGroup match="none"><wf:fieldCondition field="a" op="empty" /></wf:conditionGroup>'),
      ),
      /not "none"/,
    ],
    ['an empty group', userTask('', completeOn('<wf:conditionGroup />')), /without any wf:fieldCondition/],
    ['a rule without a condition', userTask('', completeOn('')), /would never complete the task/],
    [
      'an empty outcome of a rule',
      userTask('', completeOn('<wf:fieldCondition field="a" op="empty" />', 'outcome=""')),
      /empty outcome/,
    ],
    [
      'an outcome that the task does not have',
      userTask('wf:outcomes="yes,no"', completeOn('<wf:fieldCondition field="a" op="empty" />', 'outcome="maybe"')),
      /none of the task's: yes, no/,
    ],
    [
      'a broken expression in a rule',
      userTask('', completeOn('<wf:expression>record.</wf:expression>')),
      /wf:expression.*not a JavaScript expression/,
    ],
    ['an empty outcome', userTask('wf:outcomes="yes,,no"'), /empty outcome in wf:outcomes/],
    ['a free attribute without a field', userTask('wf:complete_on_field_="x"'), /does not end in the name of a field/],
    ['a free attribute without a value', userTask('wf:complete_on_field_status=""'), /a value is missing/],
    ['a free attribute that mixes', userTask('wf:complete_on_field_status="!new,open"'), /every value must have a "!"/],
    [
      'a free attribute that wants empty and more',
      userTask('wf:complete_on_field_status="!empty,!new"'),
      /"empty" must stand alone/,
    ],
    [
      'a free attribute on a task that does not wait',
      serviceTask('wf:complete_on_field_status="x" wf:script="1"'),
      /only user, manual and receive tasks can/,
    ],
    ['an unknown wf: attribute', userTask('wf:assigne="3"'), /attribute wf:assigne, which is unknown/],
    [
      'a wf: attribute in the wrong position',
      serviceTask('wf:assignee="3" wf:script="1"'),
      /attribute wf:assignee, which is unknown there/,
    ],
    [
      'the same without its prefix',
      serviceTask('assignee="3" wf:script="1"'),
      /attribute assignee, which is unknown there/,
    ],
    ['an empty attribute', userTask('wf:assignee=" "'), /empty attribute wf:assignee/],
    [
      'a broken expression in an attribute',
      userTask('wf:assignee="${record.}"'),
      /expression in wf:assignee is no JavaScript/,
    ],
    [
      'an expression that is not closed',
      userTask('wf:candidateRoles="agent,${record.role"'),
      /candidateRoles.*not closed/,
    ],
    ['a due date in words', userTask('wf:dueDate="tomorrow"'), /wf:dueDate must be/],
    [
      'a scale of what is no decimal',
      userTask('', '<wf:form><wf:formField name="a" scale="3" /></wf:form>'),
      /has a scale but is no decimal/,
    ],
    [
      'a scale that is no number',
      userTask('', '<wf:form><wf:formField name="a" type="decimal" scale="13" /></wf:form>'),
      /has the scale "13"; it is a number from 0 to 12/,
    ],
    ['a form field without a name', userTask('', '<wf:form><wf:formField /></wf:form>'), /form field "" needs a name/],
    [
      'a form field twice',
      userTask('', '<wf:form><wf:formField name="a" /><wf:formField name="a" /></wf:form>'),
      /"a" is there twice/,
    ],
    [
      'a form field of an unknown type',
      userTask('', '<wf:form><wf:formField name="a" type="string" /></wf:form>'),
      /unknown type "string"/,
    ],
    [
      'a list to choose from nothing',
      userTask('', '<wf:form><wf:formField name="a" type="value_list" /></wf:form>'),
      /needs options/,
    ],
    [
      'a choice where there is none',
      userTask('', '<wf:form><wf:formField name="a" options="x" /></wf:form>'),
      /options but is no value_list/,
    ],
    [
      'a form field bound to a path',
      userTask('', '<wf:form><wf:formField name="a" bind="record.a.b" /></wf:form>'),
      /must be a field of the record/,
    ],
    ['a notification without a recipient', userTask('', '<wf:notify text="hello" />'), /wf:notify needs to say whom/],
    ['a notification without a text', userTask('', '<wf:notify to="role:agent" />'), /wf:notify needs to say what/],
    [
      'a notification at no moment',
      userTask('', '<wf:notify on="start" to="a" text="b" />'),
      /on is create or complete or cancel, not "start"/,
    ],
    [
      'fields set at no moment',
      userTask('', '<wf:setFields on="cancel"><wf:set field="a" value="1" /></wf:setFields>'),
      /not "cancel"/,
    ],
    ['no fields set', userTask('', '<wf:setFields />'), /wf:setFields without any wf:set/],
    [
      'a field set to nothing said',
      userTask('', '<wf:setFields><wf:set field="a" /></wf:setFields>'),
      /wf:set of "a" cannot be used: it has no value/,
    ],
    [
      'a field with no name set',
      userTask('', '<wf:setFields><wf:set field="A b" value="1" /></wf:setFields>'),
      /wf:set needs the name of a field, not "A b"/,
    ],
    [
      'a broken value',
      userTask('', '<wf:setFields><wf:set field="a" value="${(}" /></wf:setFields>'),
      /wf:set of "a" cannot be used/,
    ],
    [
      'an element of ours that does nothing there',
      userTask('', '<wf:createRecord table="a" />'),
      /wf:createRecord, which does nothing there/,
    ],
    [
      'an attribute of an element of ours',
      userTask('', '<wf:notify to="a" text="b" by="email" />'),
      /wf:notify of the user task "Approve" has the attribute by/,
    ],
    [
      'a loop over nothing',
      around('<bpmn:userTask id="t"><bpmn:multiInstanceLoopCharacteristics /></bpmn:userTask>'),
      /give it a wf:collection/,
    ],
    [
      'a loop with a broken collection',
      around('<bpmn:userTask id="t"><bpmn:multiInstanceLoopCharacteristics wf:collection="${[}" /></bpmn:userTask>'),
      /wf:collection.*not a JavaScript expression/,
    ],
    [
      'a loop with a variable that is none',
      around(
        '<bpmn:userTask id="t"><bpmn:multiInstanceLoopCharacteristics wf:collection="${[1]}" wf:elementVariable="the item" /></bpmn:userTask>',
      ),
      /no name for a variable/,
    ],
    [
      'a loop without end',
      around('<bpmn:userTask id="t"><bpmn:standardLoopCharacteristics /></bpmn:userTask>'),
      /repeats without end/,
    ],
    [
      'a loop with a broken condition',
      around(
        '<bpmn:userTask id="t"><bpmn:standardLoopCharacteristics><bpmn:loopCondition>a b</bpmn:loopCondition></bpmn:standardLoopCharacteristics></bpmn:userTask>',
      ),
      /loopCondition.*not a JavaScript expression/,
    ],
  ])('is told what to change: %s', async (_, xml, message) => {
    expect(await findingsOf(xml)).toContainEqual({ elementId: 't', message: expect.stringMatching(message) })
  })
})

describe('work that cannot be done', () => {
  const script = (text: string, attributes = ''): string =>
    around(`<bpmn:scriptTask id="t" ${attributes}><bpmn:script>${text}</bpmn:script></bpmn:scriptTask>`)
  it.each<[string, string, RegExp]>([
    ['an action that does not exist', serviceTask('wf:action="email"'), /unknown wf:action "email"/],
    ['an action without its element', serviceTask('wf:action="notify"'), /no wf:notify that says more/],
    ['a script action without a script', serviceTask('wf:action="script"'), /no wf:script that says more/],
    [
      'several things',
      serviceTask('wf:script="1"', '<wf:notify to="a" text="b" />'),
      /several things \(notify, script\)/,
    ],
    [
      'another element besides its action',
      serviceTask('wf:action="script" wf:script="1"', '<wf:notify to="a" text="b" />'),
      /wf:notify as well, which would do nothing/,
    ],
    ['two scripts', serviceTask('wf:script="1"', '<wf:script>2</wf:script>'), /more than one script/],
    [
      'a broken script',
      serviceTask('wf:script="const a ="'),
      /script of the service task "t" cannot be run: unexpected token \(line 1/,
    ],
    [
      'a script task with an empty script',
      around('<bpmn:scriptTask id="t"><bpmn:script> </bpmn:script></bpmn:scriptTask>'),
      /cannot be run: it is empty/,
    ],
    ['a script task with a broken script', script('\nreturn )'), /unexpected token \(line 2, column 8\)/],
    ['a script in another language', script('1', 'scriptFormat="groovy"'), /script in "groovy"/],
    ['a result variable with a bad name', script('1', 'wf:resultVariable="__proto__"'), /no name for a variable/],
    [
      'a record of no table',
      serviceTask('', '<wf:createRecord><wf:set field="a" value="1" /></wf:createRecord>'),
      /needs the name of a table, not ""/,
    ],
    [
      'two records',
      serviceTask(
        '',
        '<wf:createRecord table="a"><wf:set field="a" value="1" /></wf:createRecord><wf:createRecord table="b"><wf:set field="a" value="1" /></wf:createRecord>',
      ),
      /makes one record/,
    ],
    ['a form on work', serviceTask('wf:script="1"', '<wf:form />'), /wf:form, which does nothing there/],
    ['an activity of no type', around('<bpmn:activity id="t" />'), /not supported/],
    ['an event of no type', around('<bpmn:catchEvent id="t" />'), /not supported/],
    [
      'an event for no kind of thing',
      around('<bpmn:intermediateCatchEvent id="t"><bpmn:eventDefinition /></bpmn:intermediateCatchEvent>'),
      /not supported/,
    ],
    [
      'a loop of no kind',
      around('<bpmn:userTask id="t"><bpmn:loopCharacteristics /></bpmn:userTask>'),
      /not supported/,
    ],
    [
      'a call activity that calls nothing',
      around('<bpmn:callActivity id="t" />'),
      /call activity "t" needs to say what it calls: write the code of a process template as calledElement/,
    ],
    [
      'a call activity of an unknown version',
      around('<bpmn:callActivity id="t" calledElement="other" wf:version="3" />'),
      /wf:version is "latest" .* or "pinned"/,
    ],
    [
      'an ad-hoc sub-process with a broken condition',
      around(
        '<bpmn:adHocSubProcess id="t"><bpmn:manualTask id="x" /><bpmn:completionCondition>a b</bpmn:completionCondition></bpmn:adHocSubProcess>',
      ),
      /completionCondition of the ad-hoc sub-process "t" is not a JavaScript expression/,
    ],
    [
      'an empty ad-hoc sub-process',
      around('<bpmn:adHocSubProcess id="t" />'),
      /ad-hoc sub-process "t" needs a start event/,
    ],
    [
      'a behavior without conditions',
      around(
        '<bpmn:userTask id="t"><bpmn:multiInstanceLoopCharacteristics behavior="Complex"><bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics></bpmn:userTask>',
      ),
      /needs a complexBehaviorDefinition/,
    ],
    [
      'a behavior that throws a timer',
      around(
        '<bpmn:userTask id="t"><bpmn:multiInstanceLoopCharacteristics behavior="Complex"><bpmn:loopCardinality>2</bpmn:loopCardinality><bpmn:complexBehaviorDefinition><bpmn:condition>true</bpmn:condition><bpmn:event id="v"><bpmn:terminateEventDefinition /></bpmn:event></bpmn:complexBehaviorDefinition></bpmn:multiInstanceLoopCharacteristics></bpmn:userTask>',
      ),
      /can throw a message, a signal, an escalation or an error while it runs several times/,
    ],
    [
      'an activity for compensation that belongs to nothing',
      around('<bpmn:task id="t" isForCompensation="true" />'),
      /task "t" is for compensation, so no flow can lead to it/,
    ],
  ])('is told what to change: %s', async (_, xml, message) => {
    expect(await findingsOf(xml)).toContainEqual({ elementId: 't', message: expect.stringMatching(message) })
  })
})

describe('the attributes of a process', () => {
  it.each<[string, RegExp]>([
    ['wf:table="No table"', /wf:table="No table" is no name of a table/],
    ['wf:startCondition="${record.}"', /startCondition.*not a JavaScript expression/],
    ['wf:autostart="true"', /attribute wf:autostart, which is unknown/],
    ['assignee="3"', /attribute assignee, which is unknown/],
  ])('is told what to change: %s', async (attributes, message) => {
    expect(await findingsOf(processDocument(start + flow('f', 's', 'e') + end, attributes))).toEqual([
      { elementId: 'p', message: expect.stringMatching(message) },
    ])
  })
})

it('shortens what it quotes', async () => {
  const [finding] = await findingsOf(serviceTask(`wf:action="${'x'.repeat(100_000)}"`))
  expect(finding?.elementId).toBe('t')
  expect(finding?.message.length).toBeLessThan(700)
})

it('ignores processes that are not run', async () => {
  const other = '<bpmn:process id="q" isExecutable="false"><bpmn:callActivity id="x" /></bpmn:process>'
  expect(await findingsOf(around(manual('t')).replace('</bpmn:definitions>', `${other}</bpmn:definitions>`))).toEqual(
    [],
  )
})

it('says what a compensation event and its activity lack', async () => {
  const border =
    '<bpmn:boundaryEvent id="c" attachedToRef="t"><bpmn:compensateEventDefinition /></bpmn:boundaryEvent><bpmn:task id="k" isForCompensation="true" />'
  expect(await findingsOf(around('<bpmn:task id="t" />', border))).toEqual([
    {
      elementId: 'c',
      message: 'The boundary event "c" needs an association to the activity that undoes the task "t".',
    },
    {
      elementId: 'k',
      message:
        'The task "k" is for compensation, but no compensation event on the border of an activity is associated with it.',
    },
  ])
})

it('reports all findings at once, each once', async () => {
  const findings = await findingsOf(
    processDocument(
      `${start}${manual('lonely')}<bpmn:serviceTask id="idle" wf:action="email" />${flow('f', 's', 'idle')}${flow('g', 'idle', 'gone')}`,
    ),
  )
  expect(findings.map(({ elementId }) => elementId)).toEqual(['g', 'g', 'lonely', 'idle'])
})

it.each([
  ['misplaced elements', definitions(`<bpmn:process id="p">${'<bpmn:process/>x'.repeat(60_000)}</bpmn:process>`)],
  ['broken attributes', processDocument('<bpmn:task a b c d />'.repeat(40_000))],
])('gives up early on a hostile document: %s', async (_, xml) => {
  let length = 0
  const ms = await processorMs(async () => ({ length } = await findingsOf(xml)))
  expect(length).toBeGreaterThan(10)
  expect(length).toBeLessThanOrEqual(100)
  expect(ms).toBeLessThan(20_000)
})
