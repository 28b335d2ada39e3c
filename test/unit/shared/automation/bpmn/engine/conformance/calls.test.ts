import { describe } from 'vitest'
import { flows } from '../../../../../../make/builders/processes/engine-documents.ts'
import { conforms } from './runner.ts'

const call = '<callActivity id="a" calledElement="other"/>'
const around = (activity: string, more = ''): string =>
  `<startEvent id="s"/>${activity}<userTask id="u"/>${flows('s -> a -> u')}${more}`
const border = (definition: string, more = ''): string =>
  `<boundaryEvent id="b" attachedToRef="a"${more}>${definition}</boundaryEvent><userTask id="v"/>${flows('b -> v')}`
const several = (attributes: string): string =>
  `<callActivity id="a" calledElement="other"><multiInstanceLoopCharacteristics ${attributes}/></callActivity>`
const errors = '<error id="E" errorCode="E1"/><escalation id="Up" escalationCode="UP"/>'
const broken = (times: number) => {
  if (times < 3) throw new Error('there is none')
}

describe('a call activity', () => {
  conforms({
    'waits until what it called has ended': {
      process: around(call),
      steps: [
        ['start', 's +a() | a'],
        ['called a', 'a | u'],
        ['called a', '(ignored) | u'],
      ],
    },
    'passes on nothing unless it says so': {
      process: around(call),
      variables: { x: 1 },
      steps: [['start', 's +a() | a']],
    },
    'passes on what it names, and hands over what it names of the other': {
      process: `${around(call, '<exclusiveGateway id="g"/><userTask id="yes"/>')}${flows('u -> g', 'g -> yes if total === 5 && typeof sum === "undefined" && typeof input === "undefined"')}`,
      mappings: { a: { in: [{ target: 'input', value: 'x + 1' }], out: [{ target: 'total', value: 'sum + input' }] } },
      variables: { x: 1 },
      steps: [
        ['start', 's +a(input=2) | a'],
        ['called a {"sum": 3, "input": 2}', 'a | u'],
        ['complete u', 'u g | yes'],
      ],
    },
    'passes on and hands over all variables': {
      process: `${around(call, '<exclusiveGateway id="g"/><userTask id="yes"/>')}${flows('u -> g', 'g -> yes if x === 7 && made === true')}`,
      calls: { a: { code: 'other', passesAll: true, returnsAll: true } },
      variables: { x: 1, y: 2 },
      steps: [
        ['start', 's +a(x=1,y=2) | a'],
        ['called a {"x": 7, "made": true}', 'a | u'],
        ['complete u', 'u g | yes'],
      ],
    },
    'that cannot call fails, and calls when it is retried': {
      process: around(call),
      work: { a: (_, times) => void broken(times) },
      steps: [
        ['start', 's !a | !a'],
        ['called a', '(ignored) | !a'],
        ['retry a', '!a | !a'],
        ['retry a', '+a() | a'],
        ['called a', 'a | u'],
      ],
    },
    'fails when what it called was cancelled, and calls again when it is retried': {
      process: around(call),
      steps: [
        ['start', 's +a() | a'],
        ['fail a', '!a | !a'],
        ['retry a', '+a() | a'],
        ['called a', 'a | u'],
      ],
    },
    'is left by the error of what it called': {
      process: around(call, border('<errorEventDefinition errorRef="E"/>')),
      roots: errors,
      steps: [
        ['start', 's +a() | a'],
        ['error a E1', '-a b | v'],
      ],
    },
    'lets an error that nothing catches fail the step': {
      process: around(call),
      steps: [
        ['start', 's +a() | a'],
        ['error a E1', "| fails at a: The error 'E1' of 'a' is caught nowhere"],
        ['called a', 'a | u'],
      ],
    },
    'is left by a timer, a message and an escalation': {
      process: around(call, border('<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>')),
      steps: [
        ['start', 's +a() | a b@01:00'],
        ['timer b @01:00', '-a b | v'],
      ],
    },
    'tells an escalation of what it called to its boundary event, which may run beside it': {
      process: around(call, border('<escalationEventDefinition escalationRef="Up"/>', ' cancelActivity="false"')),
      roots: errors,
      hasEvents: true,
      steps: [
        ['start', 's +a() | a'],
        ['escalation a UP', 'b | a v'],
        ['escalation a OTHER', '^OTHER | a v'],
        ['called a', 'a | u v'],
      ],
    },
    'calls once for each pass, at once': {
      process: around(several('wf:collection="[1, 2]" wf:elementVariable="n"')),
      mappings: { a: { in: [{ target: 'input', value: 'n' }], out: [] } },
      steps: [
        ['start', 's +a[0](input=1) +a[1](input=2) | a[0] a[1]'],
        ['called a[1]', 'a[1] | a[0]'],
        ['called a[0]', 'a[0] a | u'],
      ],
    },
    'calls for one pass after the other, and collects what they hand over': {
      process: `${around(several('isSequential="true" wf:collection="[1, 2]" wf:outputCollection="all" wf:outputElement="${variables.made}"'), '<exclusiveGateway id="g"/><userTask id="yes"/>')}${flows('u -> g', 'g -> yes if all.join() === "a,b"')}`,
      steps: [
        ['start', 's +a[0]() | a[0]'],
        ['called a[0] {"made": "a"}', 'a[0] +a[1]() | a[1]'],
        ['called a[1] {"made": "b"}', 'a[1] a | u'],
        ['complete u', 'u g | yes'],
      ],
    },
  })
})

describe('a called process', () => {
  conforms({
    'ends by an error that its caller catches': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="w"/><userTask id="x"/><endEvent id="e"><errorEventDefinition errorRef="E"/></endEvent>${flows('s -> f -> w -> e', 'f -> x')}`,
      roots: errors,
      caught: ['E1'],
      steps: [
        ['start', 's f | w x'],
        ['complete w', 'w e -x | done by E1'],
      ],
    },
    'tells its caller an escalation that nothing in it catches': {
      process: `<startEvent id="s"/><intermediateThrowEvent id="t"><escalationEventDefinition escalationRef="Up"/></intermediateThrowEvent><userTask id="u"/>${flows('s -> t -> u')}`,
      roots: errors,
      hasEvents: true,
      steps: [['start', 's t ^UP | u']],
    },
  })
})

describe('a call activity of a global task', () => {
  conforms({
    'waits for people, and may be interrupted': {
      process: around(call, border('<errorEventDefinition errorRef="E"/>')),
      roots: errors,
      calls: { a: { global: 'task' } },
      steps: [
        ['start', 's | a'],
        ['error a E1', '-a b | v'],
      ],
    },
    'does its work, and tries again what failed': {
      process: around(call),
      calls: { a: { global: 'work' } },
      work: {
        a: (_work, times) => {
          broken(times + 1)
          return { x: times }
        },
      },
      steps: [
        ['start', 's !a | !a'],
        ['retry a', 'a | u'],
      ],
    },
  })
})
