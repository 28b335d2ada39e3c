import { describe } from 'vitest'
import { flows } from '../../../../../../make/builders/processes/engine-documents.ts'
import { conforms, type Statement } from './runner.ts'

const roots =
  '<message id="M" name="paid"/><message id="N" name="keyed" wf:correlationKey="variables.order"/><signal id="S" name="closed"/><escalation id="X" escalationCode="LATE"/><escalation id="Y" escalationCode="OTHER"/><error id="E" errorCode="E"/>'
const message = '<messageEventDefinition messageRef="M"/>'
const keyed = '<messageEventDefinition messageRef="N"/>'
const signal = '<signalEventDefinition signalRef="S"/>'
const escalation = '<escalationEventDefinition escalationRef="X"/>'
const condition = (text: string): string =>
  `<conditionalEventDefinition><condition xsi:type="tFormalExpression">${text}</condition></conditionalEventDefinition>`
const timer = (value: string): string =>
  `<timerEventDefinition><timeDuration xsi:type="tFormalExpression">${value}</timeDuration></timerEventDefinition>`
const caught = (definitions: string, more = ''): string =>
  `<intermediateCatchEvent id="c"${more}>${definitions}</intermediateCatchEvent>`
const thrown = (id: string, definitions: string, more = ''): string =>
  `<intermediateThrowEvent id="${id}"${more}>${definitions}</intermediateThrowEvent>`
const border = (definitions: string, more = ''): string =>
  `<userTask id="a"/><boundaryEvent id="b" attachedToRef="a"${more}>${definitions}</boundaryEvent><userTask id="h"/>`
const handler = (definitions: string, more = ''): string =>
  `<subProcess id="h" triggeredByEvent="true"><startEvent id="hs"${more}>${definitions}</startEvent><userTask id="ha"/>${flows('hs -> ha')}</subProcess>`
const start = '<startEvent id="s"/>'
const after = '<userTask id="z"/>'

const conformsWithEvents = (statements: Readonly<Record<string, Omit<Statement, 'roots' | 'hasEvents'>>>): void =>
  conforms(
    Object.fromEntries(
      Object.entries(statements).map(([name, one]) => [name, { ...one, roots, hasEvents: true as const }]),
    ),
  )

for (const [name, definitions] of Object.entries({ message, signal }))
  describe(`a ${name}`, () => {
    conformsWithEvents({
      'is waited for by a catch event, which hands its variables to what is around': {
        process: `${start}${caught(definitions)}<exclusiveGateway id="g"/><task id="big"/><task id="small"/>${flows('s -> c -> g', 'g -> big if amount > 5', 'g -> small if amount <= 5')}`,
        steps: [
          ['start', 's | c'],
          ['event c {"amount": 7}', 'c g big | done'],
        ],
      },
      'leaves an activity by its boundary event': {
        process: `${start}${border(definitions)}${after}${flows('s -> a -> z', 'b -> h')}`,
        steps: [
          ['start', 's | a b'],
          ['event b', '-a b | h'],
          ['complete h', 'h | done'],
        ],
      },
      'runs beside an activity as often as it comes': {
        process: `${start}${border(definitions, ' cancelActivity="false"')}${after}${flows('s -> a -> z', 'b -> h')}`,
        steps: [
          ['start', 's | a b'],
          ['event b', 'b | a b h'],
          ['event b#2', 'b | a b h h'],
          ['event b#1', '(ignored) | a b h h'],
          ['complete a', 'a | z h h'],
        ],
      },
      'starts an event sub-process instead of everything else': {
        process: `${start}<userTask id="a"/>${handler(definitions)}${flows('s -> a')}`,
        steps: [
          ['start', 's | a hs'],
          ['event hs {"why": "x"}', '-a hs | ha'],
          ['complete ha', 'ha h | done'],
        ],
      },
      'starts an event sub-process beside everything else': {
        process: `${start}<userTask id="a"/>${handler(definitions, ' isInterrupting="false"')}${flows('s -> a')}`,
        steps: [
          ['start', 's | a hs'],
          ['event hs', 'hs | a hs ha'],
          ['complete a', 'a | hs ha'],
          ['complete ha', 'ha h | done'],
        ],
      },
      'wins or loses behind an event-based gateway': {
        process: `${start}<eventBasedGateway id="g"/>${caught(definitions)}<intermediateCatchEvent id="t">${timer('PT1H')}</intermediateCatchEvent><userTask id="x"/><userTask id="y"/>${flows('s -> g -> c -> x', 'g -> t -> y')}`,
        steps: [
          ['start', 's | c t@01:00'],
          ['event c', 'c -t g | x'],
        ],
      },
      'is sent by throw and end events': {
        process: `${start}${thrown('t', definitions)}<endEvent id="e">${definitions}</endEvent>${flows('s -> t -> e')}`,
        steps: [['start', `s t e ${name === 'message' ? '*paid *paid' : '*closed *closed'} | done`]],
      },
    })
  })

describe('messages', () => {
  conformsWithEvents({
    'are found by the key of their element, evaluated when the wait begins': {
      process: `${start}${caught(keyed)}${flows('s -> c')}`,
      variables: { order: 17 },
      steps: [['start', 's | c']],
    },
    'need a key that is not empty': {
      process: `${start}${caught(keyed)}${flows('s -> c')}`,
      variables: { order: null },
      steps: [['start', "| fails at c: The correlation key of 'c' must be a text or a number"]],
    },
    'have the key of the event before that of the message': {
      process: `${start}${thrown('t', keyed, ' wf:correlationKey="\'x\' + variables.order"')}${flows('s -> t')}`,
      variables: { order: 17 },
      steps: [['start', 's t *keyed/x17 | done']],
    },
    'are received by receive tasks, with boundary events, and sent by send tasks': {
      process: `${start}<receiveTask id="r" messageRef="M"/><boundaryEvent id="b" attachedToRef="r">${timer('PT1H')}</boundaryEvent><sendTask id="t" messageRef="M"/>${after}${flows('s -> r -> t', 'b -> z')}`,
      steps: [
        ['start', 's | r b@01:00'],
        ['event r', 'r t *paid | done'],
      ],
    },
  })
})

describe('escalations', () => {
  const inside = (end: string, events: string): string =>
    `${start}<subProcess id="p"><startEvent id="ps"/>${end}</subProcess>${events}<userTask id="h"/>${after}${flows('s -> p -> z', 'b -> h')}`
  const throwing = `${thrown('t', escalation)}<userTask id="pa"/>${flows('ps -> t -> pa')}`
  const on = (ref: string, more = ''): string =>
    `<boundaryEvent id="b" attachedToRef="p"${more}><escalationEventDefinition${ref}/></boundaryEvent>`
  conformsWithEvents({
    'are caught by the border of the sub-process, which they end': {
      process: inside(throwing, on(' escalationRef="X"')),
      steps: [['start', 's ps t -p b | h']],
    },
    'are caught beside the sub-process, which continues': {
      process: inside(throwing, on(' escalationRef="X"', ' cancelActivity="false"')),
      steps: [
        ['start', 's ps b t | h pa'],
        ['complete pa', 'pa p | h z'],
      ],
    },
    'are caught by an event without a code, when none has theirs': {
      process: inside(throwing, on('', ' cancelActivity="false"')),
      steps: [['start', 's ps b t | h pa']],
    },
    'end nothing when nobody catches their code': {
      process: inside(throwing, on(' escalationRef="Y"')),
      // A caller of the process may catch it.
      steps: [['start', 's ps t ^LATE | pa']],
    },
    'are thrown by end events': {
      process: inside(
        `<endEvent id="t">${escalation}</endEvent>${flows('ps -> t')}`,
        on(' escalationRef="X"', ' cancelActivity="false"'),
      ),
      steps: [['start', 's ps b t p | h z']],
    },
    'start an event sub-process of the process': {
      process: `${start}${thrown('t', escalation)}<userTask id="a"/>${handler(escalation, ' isInterrupting="false"')}${flows('s -> t -> a')}`,
      steps: [['start', 's hs t | ha a']],
    },
    'end the process by an event sub-process': {
      process: `${start}${thrown('t', escalation)}<userTask id="a"/>${handler(escalation)}${flows('s -> t -> a')}`,
      steps: [
        ['start', 's t hs | ha'],
        ['complete ha', 'ha h | done'],
      ],
    },
  })
})

describe('conditions', () => {
  conformsWithEvents({
    'pass at once when they hold': {
      process: `${start}${caught(condition('variables.n > 1'))}${after}${flows('s -> c -> z')}`,
      variables: { n: 2 },
      steps: [['start', 's c | z']],
    },
    'pass when another branch sets a variable': {
      process: `${start}<parallelGateway id="g"/><userTask id="a"/>${caught(condition('n > 1'))}${after}${flows('s -> g -> a', 'g -> c -> z')}`,
      steps: [
        ['start', 's g | a c'],
        ['complete a {"n": 2}', 'a c | z'],
      ],
    },
    'pass when the record makes them hold': {
      process: `${start}${caught(condition('false'))}${after}${flows('s -> c -> z')}`,
      steps: [
        ['start', 's | c'],
        ['event c', 'c | z'],
      ],
    },
    'occur again beside an activity only when they did not hold in between': {
      process: `${start}<parallelGateway id="g"/><userTask id="x"/><userTask id="y"/>${border(condition('variables.n > 1'), ' cancelActivity="false"')}${flows('s -> g -> a', 'g -> x', 'g -> y', 'b -> h')}`,
      variables: { n: 0 },
      steps: [
        ['start', 's g | a b x y'],
        ['complete x {"n": 2}', 'x b | a b y h'],
        ['complete y {"n": 0}', 'y | a b h'],
        ['complete h {"n": 3}', 'h b | a b h'],
      ],
    },
    'interrupt an activity': {
      process: `${start}${border(condition('false'))}${flows('s -> a', 'b -> h')}`,
      steps: [
        ['start', 's | a b'],
        ['event b', '-a b | h'],
      ],
    },
  })
})

describe('a signal of the process itself', () => {
  const inside = (...more: readonly string[]): string =>
    `<subProcess id="u"><startEvent id="us"/>${thrown('t', signal)}<userTask id="ua"/>${flows('us -> t -> ua')}${more.join('')}</subProcess>`
  const onBorder = (more = ''): string =>
    `<boundaryEvent id="b" attachedToRef="u"${more}>${signal}</boundaryEvent><userTask id="h"/>`
  const inHandler = (more: string, body: string, path: string): string =>
    `<subProcess id="k" triggeredByEvent="true"><startEvent id="ks"${more}>${signal}</startEvent>${body}${flows(path)}</subProcess>`
  const beside = ' isInterrupting="false"'
  conformsWithEvents({
    'reaches the border around its thrower, which it interrupts': {
      process: `${start}${inside()}${onBorder()}${after}${flows('s -> u -> z', 'b -> h')}`,
      steps: [['start', 's us t -u b *closed | h']],
    },
    'reaches the border around its thrower, which continues': {
      process: `${start}${inside()}${onBorder(' cancelActivity="false"')}${after}${flows('s -> u -> z', 'b -> h')}`,
      steps: [['start', 's us b t *closed | ua h b']],
    },
    'reaches it from an end event': {
      process: `${start}<subProcess id="u"><startEvent id="us"/><endEvent id="ue">${signal}</endEvent>${flows('us -> ue')}</subProcess>${onBorder()}${after}${flows('s -> u -> z', 'b -> h')}`,
      steps: [['start', 's us ue -u b *closed | h']],
    },
    'starts an event sub-process, which ends the thrower': {
      process: `${start}${inside(inHandler('', '<userTask id="ka"/>', 'ks -> ka'))}${after}${flows('s -> u -> z')}`,
      steps: [
        ['start', 's us t ks *closed | ka'],
        ['complete ka', 'ka k u | z'],
      ],
    },
    'starts an event sub-process beside the thrower': {
      process: `${start}${inside(inHandler(beside, '<userTask id="ka"/>', 'ks -> ka'))}${after}${flows('s -> u -> z')}`,
      steps: [['start', 's us ks t *closed | ua ka ks']],
    },
    'does not start the event sub-process that throws it once more': {
      process: `${start}<userTask id="a"/>${flows('s -> a')}${inHandler(beside, `${thrown('t', signal)}<userTask id="ka"/>`, 'ks -> t -> ka')}`,
      steps: [
        ['start', 's | a ks'],
        ['event ks', 'ks t *closed | a ks ka'],
      ],
    },
    'reaches an event that waits for all of its triggers': {
      process: `${start}<parallelGateway id="g"/>${caught(`${message}${signal}`, ' parallelMultiple="true"')}<userTask id="a"/>${thrown('t', signal)}${after}${flows('s -> g -> c -> z', 'g -> a -> t')}`,
      steps: [
        ['start', 's g | c c a'],
        ['complete a', 'a t *closed | c'],
        ['event c', 'c | z'],
      ],
    },
  })
})

describe('a condition that holds', () => {
  const inside = (more = ''): string =>
    `<subProcess id="u"><startEvent id="us"/><serviceTask id="w"/><userTask id="ua"/>${flows('us -> w -> ua')}${more}</subProcess>`
  const work = { w: () => ({ amount: 7 }) }
  conformsWithEvents({
    'when its activity begins interrupts that at once': {
      process: `${start}${inside()}<boundaryEvent id="b" attachedToRef="u">${condition('amount > 5')}</boundaryEvent>${after}${flows('s -> u -> z', 'b -> z')}`,
      variables: { amount: 6 },
      steps: [['start', 's -u b | z']],
    },
    'when its scope begins starts its event sub-process instead': {
      process: `${start}${inside(`<subProcess id="k" triggeredByEvent="true"><startEvent id="ks">${condition('amount > 5')}</startEvent><userTask id="ka"/>${flows('ks -> ka')}</subProcess>`)}${flows('s -> u')}`,
      variables: { amount: 6 },
      steps: [['start', 's ks | ka']],
    },
    'once work has made it so interrupts before what follows': {
      process: `${start}${inside()}<boundaryEvent id="b" attachedToRef="u">${condition('amount > 5')}</boundaryEvent>${after}${flows('s -> u -> z', 'b -> z')}`,
      variables: { amount: 1 },
      work,
      steps: [['start', 's us w -u b | z']],
    },
    'occurs once beside its activity': {
      process: `${start}${inside()}<boundaryEvent id="b" attachedToRef="u" cancelActivity="false">${condition('amount > 5')}</boundaryEvent><task id="n"/>${flows('s -> u', 'b -> n')}`,
      variables: { amount: 1 },
      work,
      steps: [['start', 's us w b n | ua b']],
    },
  })
})

describe('several triggers', () => {
  conformsWithEvents({
    'let the first of them pass': {
      process: `${start}${caught(`${message}${signal}${timer('PT1H')}`)}${after}${flows('s -> c -> z')}`,
      steps: [
        ['start', 's | c#2 c#3 c#4@01:00'.replaceAll(/#\d/g, '')],
        ['event c#3', 'c | z'],
      ],
    },
    'are all needed in parallel, and hand over what came with each': {
      process: `${start}${caught(`${message}${signal}`, ' parallelMultiple="true"')}<exclusiveGateway id="g"/><task id="both"/><task id="one"/>${flows('s -> c -> g', 'g -> both if x + y == 3', 'g -> one if x + y != 3')}`,
      steps: [
        ['start', 's | c c'],
        ['event c#3 {"x": 1}', '| c'],
        ['event c#3', '(ignored) | c'],
        ['event c#2 {"y": 2}', 'c g both | done'],
      ],
    },
    'run beside an activity, each as often as it comes': {
      process: `${start}${border(`${message}${signal}`, ' cancelActivity="false"')}${flows('s -> a', 'b -> h')}`,
      steps: [
        ['start', 's | a b b'],
        ['event b#2', 'b | a b b h'],
        ['event b#3', 'b | a b b h h'],
        ['complete a', 'a | h h'],
      ],
    },
    'catch an error beside other events': {
      process: `${start}${border(`${message}<errorEventDefinition errorRef="E"/>`)}${flows('s -> a', 'b -> h')}`,
      steps: [
        ['start', 's | a b'],
        ['error a E', '-a b | h'],
      ],
    },
    'are all thrown': {
      process: `${start}${thrown('t', `${message}${signal}`)}${flows('s -> t')}`,
      steps: [['start', 's t *paid *closed | done']],
    },
  })
})

describe('the start events of a process', () => {
  const cycle =
    '<timerEventDefinition><timeCycle xsi:type="tFormalExpression">0 8 * * *</timeCycle></timerEventDefinition>'
  const process = `${start}<startEvent id="t">${cycle}</startEvent><startEvent id="g">${signal}</startEvent><userTask id="a"/>${handler(message)}${flows('s -> a', 't -> a', 'g -> a')}`
  conformsWithEvents({
    'without a kind are where it starts by hand': { process, steps: [['start', 's | a hs']] },
    'start it alone when their timer is due': {
      process,
      variables: { timer: { missed: 2 } },
      steps: [
        ['start t', 't | a hs'],
        ['complete a', 'a | done'],
      ],
    },
    'start it alone when their signal comes': { process, steps: [['start g', 'g | a hs']] },
  })
})

describe('what starts a process when a message comes', () => {
  const receive = '<receiveTask id="r" messageRef="M" instantiate="true"/>'
  conformsWithEvents({
    'may be a receive task': {
      process: `${receive}<userTask id="a"/>${handler(signal)}${flows('r -> a')}`,
      variables: { amount: 7 },
      steps: [
        ['start r', 'r | a hs'],
        ['complete a', 'a | done'],
      ],
    },
    'is left out when it starts by hand': {
      process: `${receive}${start}<userTask id="a"/>${flows('s -> a', 'r -> a')}`,
      steps: [
        ['start', 's | a'],
        ['complete a', 'a | done'],
      ],
    },
    'may be an event after an event-based gateway': {
      process: `<eventBasedGateway id="g" instantiate="true"/>${caught(message)}<intermediateCatchEvent id="d">${signal}</intermediateCatchEvent><userTask id="a"/><userTask id="b"/>${flows('g -> c -> a', 'g -> d -> b')}`,
      steps: [
        ['start d', 'd | b'],
        ['complete b', 'b | done'],
      ],
    },
  })
  conformsWithEvents({
    'is waited for where it only is the first of the process': {
      process: `<receiveTask id="r" messageRef="M"/><userTask id="a"/>${flows('r -> a')}`,
      steps: [
        ['start', '| r'],
        ['event r', 'r | a'],
      ],
    },
  })
})

describe('a catch event that repeats', () => {
  const repeating = (value: string): string =>
    `<timerEventDefinition><timeCycle xsi:type="tFormalExpression">${value}</timeCycle></timerEventDefinition>`
  conformsWithEvents({
    'lets a token continue each time': {
      process: `${start}${caught(repeating('R3/PT1H'))}<task id="n"/>${flows('s -> c -> n')}`,
      steps: [
        ['start', 's | c@01:00'],
        ['timer c @01:00', 'c n | c@02:00'],
        ['timer c @02:00', 'c n | c@03:00'],
        ['timer c @03:00', 'c n | done'],
      ],
    },
    'is awaited by an inclusive join': {
      process: `${start}${caught(repeating('R2/PT1H'))}<parallelGateway id="g"/><userTask id="a"/><inclusiveGateway id="j"/>${after}${flows('s -> g -> c -> j', 'g -> a -> j -> z')}`,
      steps: [
        ['start', 's g | c@01:00 a'],
        ['complete a', 'a | c@01:00'],
      ],
    },
    'continues once where it would repeat without end': {
      process: `${start}${caught(repeating('R/PT1H'))}<task id="n"/>${flows('s -> c -> n')}`,
      steps: [
        ['start', 's | c@01:00'],
        ['timer c @01:00', 'c n | done'],
      ],
    },
    'continues once after an event-based gateway': {
      process: `${start}<eventBasedGateway id="g"/>${caught(repeating('R3/PT1H'))}<intermediateCatchEvent id="d">${message}</intermediateCatchEvent>${flows('s -> g -> c', 'g -> d')}`,
      steps: [
        ['start', 's | c@01:00 d'],
        ['timer c @01:00', 'c -d g | done'],
      ],
    },
  })
})

describe('a cron schedule', () => {
  const hourly =
    '<timerEventDefinition><timeCycle xsi:type="tFormalExpression">0 * * * *</timeCycle></timerEventDefinition>'
  conformsWithEvents({
    'runs beside an activity whenever it is time': {
      process: `${start}${border(hourly, ' cancelActivity="false"')}${flows('s -> a', 'b -> h')}`,
      steps: [
        ['start', 's | a b@01:00'],
        ['timer b @01:00', 'b | a h b@02:00'],
        ['timer b @02:00', 'b | a h h b@03:00'],
        ['complete a', 'a | h h'],
      ],
    },
    'starts an event sub-process whenever it is time': {
      process: `${start}<userTask id="a"/>${handler(hourly, ' isInterrupting="false"')}${flows('s -> a')}`,
      steps: [
        ['start', 's | a hs@01:00'],
        ['timer hs @01:00', 'hs | a ha hs@02:00'],
      ],
    },
  })
})
