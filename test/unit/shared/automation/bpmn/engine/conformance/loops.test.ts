import { describe } from 'vitest'
import { BpmnError } from '../../../../../../../shared/automation/bpmn/schema.ts'
import { flows } from '../../../../../../make/builders/processes/engine-documents.ts'
import { conforms } from './runner.ts'

const several = (attributes: string, content = ''): string =>
  `<multiInstanceLoopCharacteristics ${attributes}>${content}</multiInstanceLoopCharacteristics>`
const times = (cardinality: string | number): string =>
  `<loopCardinality xsi:type="tFormalExpression">${cardinality}</loopCardinality>`
const until = (condition: string): string =>
  `<completionCondition xsi:type="tFormalExpression">${condition}</completionCondition>`
const around = (task: string): string => `<startEvent id="s"/>${task}<userTask id="after"/>${flows('s -> u -> after')}`
const user = (loop: string): string => around(`<userTask id="u">${loop}</userTask>`)

describe('multi-instance activities', () => {
  conforms({
    'run all iterations in parallel': {
      process: user(several('', times(3))),
      steps: [
        ['start', 's | u[0] u[1] u[2]'],
        ['complete u[1]', 'u[1] | u[0] u[2]'],
        ['complete u[1]', '(ignored) | u[0] u[2]'],
        ['complete u[2]; complete u[0]', 'u[2] u[0] u | after'],
      ],
    },
    'run iterations in sequence': {
      process: user(several('isSequential="true"', times(3))),
      steps: [
        ['start', 's | u[0]'],
        ['complete u[0]', 'u[0] | u[1]'],
        ['complete u[1]', 'u[1] | u[2]'],
        ['complete u[2]', 'u[2] u | after'],
      ],
    },
    'run as often as an expression says': {
      process: user(several('', times('${n + 1}'))),
      variables: { n: 1 },
      steps: [['start', 's | u[0] u[1]']],
    },
    'pass through when there are no items': { process: user(several('', times(0))), steps: [['start', 's u | after']] },
    'fail when the cardinality is no number': {
      process: user(several('', times('n'))),
      variables: { n: 'many' },
      steps: [['start', "| fails at u: The loop cardinality of 'u' is no whole number"]],
    },
    'run for each item of a collection': {
      process: user(several('wf:collection="approvers"')),
      variables: { approvers: ['ann', 'bob'] },
      steps: [
        ['start', 's | u[0] u[1]'],
        ['complete u[0]; complete u[1]', 'u[0] u[1] u | after'],
      ],
    },
    'see their item of the collection': {
      process:
        around(
          `<scriptTask id="u">${several('wf:collection="${variables.approvers}" wf:elementVariable="approver"')}</scriptTask>`,
        ).replace('<userTask id="after"/>', '<exclusiveGateway id="after"/><userTask id="ok"/>') +
        flows('after -> ok if said === "0:ann:ann/2,1:bob:bob/2,"'),
      variables: { approvers: ['ann', 'bob'], said: '' },
      work: {
        u: ({ loop, variables }) => ({
          said: `${variables.said}${loop?.index}:${loop?.item}:${variables.approver}/${loop?.total},`,
        }),
      },
      steps: [['start', 's {u[0] u[1]} u after | ok']],
    },
    'pass through when the collection is empty': {
      process: user(several('wf:collection="approvers"')),
      variables: { approvers: null },
      steps: [['start', 's u | after']],
    },
    'fail when the collection is no list': {
      process: user(several('wf:collection="approvers"')),
      variables: { approvers: 'ann' },
      steps: [['start', "| fails at u: The collection of 'u' is no list"]],
    },
    'keep the collection of their start': {
      process: user(several('isSequential="true" wf:collection="approvers"')),
      variables: { approvers: ['ann', 'bob'] },
      steps: [
        ['start', 's | u[0]'],
        ['complete u[0] {"approvers": []}', 'u[0] | u[1]'],
        ['complete u[1]', 'u[1] u | after'],
      ],
    },
    'are completed when their completion condition holds': {
      process: user(several('', times(3) + until('numberOfCompletedInstances / numberOfInstances > 0.5'))),
      steps: [
        ['start', 's | u[0] u[1] u[2]'],
        ['complete u[0]', 'u[0] | u[1] u[2]'],
        ['complete u[2]', 'u[2] -u[1] u | after'],
      ],
    },
    'are completed when one approver says no': {
      process: user(several('isSequential="true"', times(3) + until('refused'))),
      variables: { refused: false },
      steps: [
        ['start', 's | u[0]'],
        ['complete u[0]', 'u[0] | u[1]'],
        ['complete u[1] {"refused": true}', 'u[1] u | after'],
      ],
    },
    'perform work in iterations, of which one may fail': {
      process: around(`<serviceTask id="u">${several('', times(3))}</serviceTask>`),
      work: {
        u: ({ loop }, time) => {
          if (loop?.index === 1 && time < 4) throw new Error('down')
        },
      },
      steps: [
        ['start', 's u[0] !u[1] u[2] | !u[1]'],
        ['retry u[1]', 'u[1] u | after'],
      ],
    },
    'stop at a failed iteration when they run in sequence': {
      process: around(`<serviceTask id="u">${several('isSequential="true"', times(2))}</serviceTask>`),
      work: {
        u: (_, time) => {
          if (time === 1) throw new Error('down')
        },
      },
      steps: [
        ['start', 's !u[0] | !u[0]'],
        ['retry u[0]', 'u[0] u[1] u | after'],
      ],
    },
    'end at the first error that is caught': {
      process: `<startEvent id="s"/><serviceTask id="u">${several('', times(3))}</serviceTask><boundaryEvent id="b" attachedToRef="u"><errorEventDefinition/></boundaryEvent><userTask id="a"/>${flows('s -> u', 'b -> a')}`,
      work: {
        u: ({ loop }) => {
          if (loop?.index === 1) throw new BpmnError('NO', 'no')
        },
      },
      steps: [['start', 's u[0] {-u[1] -u} b | a']],
    },
    'have one boundary timer for all iterations': {
      process: `<startEvent id="s"/><userTask id="u">${several('', times(2))}</userTask><boundaryEvent id="t" attachedToRef="u"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent><userTask id="a"/>${flows('s -> u', 't -> a')}`,
      steps: [
        ['start', 's | u[0] u[1] t@01:00'],
        ['complete u[0]', 'u[0] | u[1] t@01:00'],
        ['timer t', '{-u[1] -u} t | a'],
      ],
    },
    'repeat a sub-process': {
      process: around(
        `<subProcess id="u">${several('wf:collection="items" wf:elementVariable="item"')}<startEvent id="is"/><userTask id="v"/><exclusiveGateway id="g" default="g_y"/><task id="x"/><task id="y"/>${flows('is -> v -> g', 'g -> x if item > 1', 'g -> y')}</subProcess>`,
      ),
      variables: { items: [1, 2] },
      steps: [
        ['start', 's is is | v v'],
        ['complete v#2', 'v g x u[1] | v'],
        ['complete v#1', 'v g y u[0] u | after'],
      ],
    },
    'end one iteration of a sub-process at a terminate event': {
      process: around(
        `<subProcess id="u">${several('', times(2))}<startEvent id="is"/><userTask id="v"/><endEvent id="ie"><terminateEventDefinition/></endEvent>${flows('is -> v -> ie')}</subProcess>`,
      ),
      steps: [
        ['start', 's is is | v v'],
        ['complete v#1', 'v ie u[0] | v'],
        ['complete v#2', 'v ie u[1] u | after'],
      ],
    },
    'run twice in parallel, independently': {
      process: `<startEvent id="s"/><userTask id="u">${several('', times(2))}</userTask>${flows('s -> u as one', 's -> u as two')}`,
      steps: [
        ['start', 's | u[0] u[1] u[0] u[1]'],
        ['complete u#2.0; complete u#2.1', 'u[0] u[1] u | u[0] u[1]'],
        ['complete u#1.0; complete u#1.1', 'u[0] u[1] u | done'],
      ],
    },
    'do not run a million times': {
      process: user(several('', times(1_000_000))),
      steps: [['start', "| fails at u: 'u' would run 1000000 times"]],
    },
  })
})

describe('loops', () => {
  const loop = (attributes: string, condition?: string): string =>
    `<standardLoopCharacteristics ${attributes}>${condition === undefined ? '' : `<loopCondition xsi:type="tFormalExpression">${condition}</loopCondition>`}</standardLoopCharacteristics>`
  conforms({
    'run while their condition holds, at least once': {
      process: user(loop('', 'again')),
      variables: { again: true },
      steps: [
        ['start', 's | u[0]'],
        ['complete u[0]', 'u[0] | u[1]'],
        ['complete u[1] {"again": false}', 'u[1] u | after'],
      ],
    },
    'run once when their condition does not hold afterwards': {
      process: user(loop('', 'false')),
      steps: [
        ['start', 's | u[0]'],
        ['complete u[0]', 'u[0] u | after'],
      ],
    },
    'that test before may run zero times': {
      process: user(loop('testBefore="true"', 'again')),
      variables: { again: false },
      steps: [['start', 's u | after']],
    },
    'that test before run while their condition holds': {
      process: user(loop('testBefore="true"', 'again')),
      variables: { again: true },
      steps: [
        ['start', 's | u[0]'],
        ['complete u[0] {"again": false}', 'u[0] u | after'],
      ],
    },
    'run at most as often as their maximum': {
      process: around(`<scriptTask id="u">${loop('loopMaximum="3"', 'true')}</scriptTask>`),
      steps: [['start', 's u[0] u[1] u[2] u | after']],
    },
    'count their iterations': {
      process: around(`<scriptTask id="u">${loop('', '${loopCounter &lt; 2}')}</scriptTask>`),
      steps: [['start', 's u[0] u[1] u | after']],
    },
    'drawn with gateways run as long as they should': {
      process: `<startEvent id="s"/><exclusiveGateway id="m"/><scriptTask id="u"/><exclusiveGateway id="x" default="x_e"/><endEvent id="e"/>${flows('s -> m -> u -> x -> e', 'x -> m if n !== 3')}`,
      variables: { n: 0 },
      work: { u: ({ variables }) => ({ n: Number(variables.n) + 1 }) },
      steps: [['start', 's m u x m u x m u x e | done']],
    },
    'without end fail, naming the element': {
      process: `<startEvent id="s"/><scriptTask id="a"/><scriptTask id="b"/>${flows('s -> a -> b -> a')}`,
      steps: [['start', "| fails at a: 'a' was reached 1000 times"]],
    },
    'without end in a loop activity fail, too': {
      process: around(`<scriptTask id="u">${loop('', 'true')}</scriptTask>`),
      steps: [['start', "| fails at u: 'u' was reached"]],
    },
    'that multiply their tokens fail, too': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><task id="a"/><task id="b"/><exclusiveGateway id="m"/>${flows('s -> m -> f -> a -> m', 'f -> b -> m')}`,
      steps: [['start', '| fails at m:']],
    },
  })
})

describe('the behavior of multi-instance activities', () => {
  const roots =
    '<signal id="S" name="done"/><message id="M" name="told"/><escalation id="X" escalationCode="LATE"/><error id="E" errorCode="E"/><signalEventDefinition id="SD" signalRef="S"/><messageEventDefinition id="MD" messageRef="M"/><escalationEventDefinition id="XD" escalationRef="X"/><errorEventDefinition id="ED" errorRef="E"/>'
  const loop = (behavior: string, inside = ''): string =>
    user(several(`behavior="${behavior}"`, `${times(3)}${inside}`))
  const border = (definition: string, more = ''): string =>
    `<boundaryEvent id="b" attachedToRef="u"${more}>${definition}</boundaryEvent><userTask id="h"/>${flows('b -> h')}`
  const signal = '<signalEventDefinition signalRef="S"/>'
  const complex = (condition: string, event: string): string =>
    `<complexBehaviorDefinition><condition xsi:type="tFormalExpression">${condition}</condition><event>${event}</event></complexBehaviorDefinition>`
  conforms({
    '"All" throws nothing': {
      process: loop('All'),
      roots,
      hasEvents: true,
      steps: [
        ['start', 's | u[0] u[1] u[2]'],
        ['complete u[0]; complete u[1]; complete u[2]', 'u[0] u[1] u[2] u | after'],
      ],
    },
    '"None" throws its event with each pass': {
      process: loop('None').replace('behavior=', 'noneBehaviorEventRef="SD" behavior='),
      roots,
      hasEvents: true,
      steps: [
        ['start', 's | u[0] u[1] u[2]'],
        ['complete u[0]', 'u[0] *done | u[1] u[2]'],
        ['complete u[1]; complete u[2]', 'u[1] u[2] u *done *done | after'],
      ],
    },
    '"One" throws its event with the first pass': {
      process: loop('One').replace('behavior=', 'oneBehaviorEventRef="MD" behavior='),
      roots,
      hasEvents: true,
      steps: [
        ['start', 's | u[0] u[1] u[2]'],
        ['complete u[1]', 'u[1] *told | u[0] u[2]'],
        ['complete u[0]; complete u[2]', 'u[0] u[2] u | after'],
      ],
    },
    'without an event throws a signal by the name of the activity': {
      process: loop('One').replace('<userTask id="u">', '<userTask id="u" name="votes">'),
      hasEvents: true,
      steps: [
        ['start', 's | u[0] u[1] u[2]'],
        ['complete u[0]', 'u[0] *votes | u[1] u[2]'],
      ],
    },
    '"Complex" throws what its conditions say, which see how far it is': {
      process: loop(
        'Complex',
        complex('numberOfCompletedInstances === 2', signal) +
          complex('loopCounter === 0', '<messageEventDefinition messageRef="M"/>'),
      ),
      roots,
      hasEvents: true,
      steps: [
        ['start', 's | u[0] u[1] u[2]'],
        ['complete u[1]', 'u[1] | u[0] u[2]'],
        ['complete u[0]', 'u[0] *done *told | u[2]'],
        ['complete u[2]', 'u[2] u | after'],
      ],
    },
    'is caught on the border of the activity, which it interrupts': {
      process: loop('One').replace('behavior=', 'oneBehaviorEventRef="SD" behavior=') + border(signal),
      roots,
      hasEvents: true,
      steps: [
        ['start', 's | u[0] u[1] u[2] b'],
        ['complete u[2]', 'u[2] {-u[0] -u[1] -u} b | h'],
      ],
    },
    'runs beside the activity with every pass': {
      process:
        loop('None').replace('behavior=', 'noneBehaviorEventRef="SD" behavior=') +
        border(signal, ' cancelActivity="false"'),
      roots,
      hasEvents: true,
      steps: [
        ['start', 's | u[0] u[1] u[2] b'],
        ['complete u[0]', 'u[0] b | u[1] u[2] b h'],
        ['complete u[1]', 'u[1] b | u[2] b h h'],
        ['complete u[2]', 'u[2] b u | after h h h'],
      ],
    },
    'escalates to the border, or to what is around': {
      process:
        loop('One').replace('behavior=', 'oneBehaviorEventRef="XD" behavior=') +
        border('<escalationEventDefinition escalationRef="X"/>', ' cancelActivity="false"'),
      roots,
      hasEvents: true,
      steps: [
        ['start', 's | u[0] u[1] u[2]'],
        ['complete u[0]', 'u[0] b | u[1] u[2] h'],
        ['complete u[1]; complete u[2]', 'u[1] u[2] u | after h'],
      ],
    },
    'raises an error, which its border catches': {
      process:
        loop('One').replace('behavior=', 'oneBehaviorEventRef="ED" behavior=') +
        border('<errorEventDefinition errorRef="E"/>'),
      roots,
      hasEvents: true,
      steps: [
        ['start', 's | u[0] u[1] u[2]'],
        ['complete u[1]', 'u[1] {-u[0] -u[2] -u} b | h'],
      ],
    },
    'works one pass after another': {
      process: loop('None').replace('behavior=', 'isSequential="true" noneBehaviorEventRef="SD" behavior='),
      roots,
      hasEvents: true,
      steps: [
        ['start', 's | u[0]'],
        ['complete u[0]', 'u[0] *done | u[1]'],
        ['complete u[1]', 'u[1] *done | u[2]'],
        ['complete u[2]', 'u[2] u *done | after'],
      ],
    },
  })
})
