import { describe } from 'vitest'
import { flows } from '../../../../../../make/builders/processes/engine-documents.ts'
import { conforms } from './runner.ts'

const timer = (kind: string, value: string): string =>
  `<timerEventDefinition><${kind} xsi:type="tFormalExpression">${value}</${kind}></timerEventDefinition>`

describe('start and end events', () => {
  conforms({
    'begin and end a process': {
      process: `<startEvent id="s"/><endEvent id="e"/>${flows('s -> e')}`,
      steps: [['start', 's e | done']],
    },
    'end one branch while the others continue': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><endEvent id="e"/><userTask id="b"/>${flows('s -> f -> a -> e', 'f -> b')}`,
      steps: [
        ['start', 's f | a b'],
        ['complete a', 'a e | b'],
        ['complete b', 'b | done'],
      ],
    },
    'are not needed to end a branch: it ends where no flow leaves': {
      process: `<startEvent id="s"/><userTask id="a"/>${flows('s -> a')}`,
      steps: [
        ['start', 's | a'],
        ['complete a', 'a | done'],
      ],
    },
    'are not needed to start: nodes without incoming flows start': {
      process: `<userTask id="a"/><userTask id="b"/>${flows('a -> b')}`,
      steps: [
        ['start', '| a'],
        ['complete a', 'a | b'],
      ],
    },
    'terminate everything': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><boundaryEvent id="t" attachedToRef="b">${timer('timeDuration', 'PT1H')}</boundaryEvent><endEvent id="e"><terminateEventDefinition/></endEvent>${flows('s -> f -> a -> e', 'f -> b')}`,
      steps: [
        ['start', 's f | a b t@01:00'],
        ['complete a', 'a -b e | done'],
      ],
    },
    'cancel what would have moved in the same step': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><endEvent id="e"><terminateEventDefinition/></endEvent><task id="a"/><userTask id="b"/>${flows('s -> f -> e', 'f -> a -> b')}`,
      steps: [['start', 's f e | done']],
    },
    'throw an error that one without a code catches, unless another names it': {
      process: `<startEvent id="s"/><subProcess id="p"><startEvent id="ps"/><endEvent id="x"><errorEventDefinition errorRef="E"/></endEvent>${flows('ps -> x')}</subProcess><boundaryEvent id="any" attachedToRef="p"><errorEventDefinition errorRef="A"/></boundaryEvent><userTask id="b"/>${flows('s -> p', 'any -> b')}`,
      roots: '<error id="E" errorCode="BROKEN"/><error id="A" name="Any error" errorCode=""/>',
      steps: [['start', 's ps x -p any | b']],
    },
    'fail the step with an error that is not caught': {
      process: `<startEvent id="s"/><endEvent id="e"><errorEventDefinition errorRef="E"/></endEvent>${flows('s -> e')}`,
      roots: '<error id="E" errorCode="BROKEN"/>',
      steps: [['start', "| fails at e: The error 'BROKEN' of 'e' is caught nowhere"]],
    },
  })
})

describe('intermediate events', () => {
  conforms({
    'wait for a duration': {
      process: `<startEvent id="s"/><intermediateCatchEvent id="t">${timer('timeDuration', 'PT4H30M')}</intermediateCatchEvent><endEvent id="e"/>${flows('s -> t -> e')}`,
      steps: [
        ['start', 's | t@04:30'],
        ['timer t @04:30', 't e | done'],
      ],
    },
    'wait for a date': {
      process: `<startEvent id="s"/><intermediateCatchEvent id="t">${timer('timeDate', '2026-01-01T08:00:00+02:00')}</intermediateCatchEvent>${flows('s -> t')}`,
      steps: [
        ['start', 's | t@06:00'],
        ['timer t', 't | done'],
      ],
    },
    'wait for the time of an expression': {
      process: `<startEvent id="s"/><intermediateCatchEvent id="t">${timer('timeDuration', '${variables.patience}')}</intermediateCatchEvent>${flows('s -> t')}`,
      variables: { patience: 'P1D' },
      steps: [['start', 's | t@2026-01-02T00:00']],
    },
    'keep their due time while other things happen': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><intermediateCatchEvent id="t">${timer('timeDuration', 'PT1H')}</intermediateCatchEvent>${flows('s -> f -> a', 'f -> t')}`,
      steps: [
        ['start', 's f | a t@01:00'],
        ['complete a @09:00', 'a | t@01:00'],
        ['timer t', 't | done'],
      ],
    },
    'are due at once when their date has passed, but fire only on a command': {
      process: `<startEvent id="s"/><intermediateCatchEvent id="t">${timer('timeDate', '2025-12-31T00:00:00Z')}</intermediateCatchEvent>${flows('s -> t')}`,
      steps: [
        ['start', 's | t@2025-12-31T00:00'],
        ['timer t', 't | done'],
      ],
    },
    'fail the step when the value is no ISO 8601 time': {
      process: `<startEvent id="s"/><intermediateCatchEvent id="t">${timer('timeDuration', '${variables.patience}')}</intermediateCatchEvent>${flows('s -> t')}`,
      variables: { patience: 'soon' },
      steps: [['start', "| fails at t: The timer of 't' is 'soon', which is no ISO 8601 duration"]],
    },
    'wait for a message like a task': {
      process: `<startEvent id="s"/><intermediateCatchEvent id="m"><messageEventDefinition/></intermediateCatchEvent><endEvent id="e"/>${flows('s -> m -> e')}`,
      steps: [
        ['start', 's | m'],
        ['complete m {"x": 1}', 'm e | done'],
      ],
    },
    'pass through when they throw nothing': {
      process: `<startEvent id="s"/><intermediateThrowEvent id="i"/><endEvent id="e"/>${flows('s -> i -> e')}`,
      steps: [['start', 's i e | done']],
    },
    'lead from link to link': {
      process: `<startEvent id="s"/><intermediateThrowEvent id="from"><linkEventDefinition name="L"/></intermediateThrowEvent><intermediateCatchEvent id="to"><linkEventDefinition name="L"/></intermediateCatchEvent><userTask id="a"/>${flows('s -> from', 'to -> a')}`,
      steps: [
        ['start', 's from to | a'],
        ['complete a', 'a | done'],
      ],
    },
    'lead from several links to one': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><intermediateThrowEvent id="l1"><linkEventDefinition name="L"/></intermediateThrowEvent><intermediateThrowEvent id="l2"><linkEventDefinition name="L"/></intermediateThrowEvent><intermediateCatchEvent id="to"><linkEventDefinition name="L"/></intermediateCatchEvent><userTask id="a"/>${flows('s -> f -> l1', 'f -> l2', 'to -> a')}`,
      steps: [['start', 's f l1 to l2 to | a a']],
    },
    'are waited for by an inclusive join after the link': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><intermediateThrowEvent id="from"><linkEventDefinition name="L"/></intermediateThrowEvent><intermediateCatchEvent id="to"><linkEventDefinition name="L"/></intermediateCatchEvent><inclusiveGateway id="j"/><userTask id="after"/>${flows('s -> f -> a -> j -> after', 'f -> b -> from', 'to -> j')}`,
      steps: [
        ['start', 's f | a b'],
        ['complete a', 'a | b'],
        ['complete b', 'b from to j | after'],
      ],
    },
  })
})

describe('timer boundary events', () => {
  const sla = (attributes: string, definition: string): string =>
    `<startEvent id="s"/><userTask id="u"/><boundaryEvent id="t" attachedToRef="u"${attributes}>${definition}</boundaryEvent><userTask id="esc"/><endEvent id="e"/>${flows('s -> u -> e', 't -> esc')}`
  conforms({
    'interrupt a task that is not completed in time': {
      process: sla('', timer('timeDuration', 'PT2H')),
      steps: [
        ['start', 's | u t@02:00'],
        ['timer t @02:00', '-u t | esc'],
        ['complete u', '(ignored) | esc'],
        ['complete esc', 'esc | done'],
      ],
    },
    'are removed when the task is completed': {
      process: sla('', timer('timeDuration', 'PT2H')),
      steps: [
        ['start', 's | u t@02:00'],
        ['complete u', 'u e | done'],
      ],
    },
    'do not end the task when they do not interrupt': {
      process: sla(' cancelActivity="false"', timer('timeDuration', 'PT2H')),
      steps: [
        ['start', 's | u t@02:00'],
        ['timer t @02:00', 't | u esc'],
        ['complete u', 'u e | esc'],
        ['complete esc', 'esc | done'],
      ],
    },
    'repeat as often as their cycle says, by the clock': {
      process: sla(' cancelActivity="false"', timer('timeCycle', 'R3/PT1H')),
      steps: [
        ['start', 's | u t@01:00'],
        ['timer t @01:00', 't | u esc t@02:00'],
        ['timer t#1', '(ignored) | u esc t@02:00'],
        ['timer t @02:50', 't | u esc esc t@03:00'],
        ['timer t @03:00', 't | u esc esc esc'],
        ['complete u', 'u e | esc esc esc'],
      ],
    },
    'repeat without end': {
      process: sla(' cancelActivity="false"', timer('timeCycle', 'R/PT12H')),
      steps: [
        ['start', 's | u t@12:00'],
        ['timer t', 't | u esc t@2026-01-02T00:00'],
        ['timer t', 't | u esc esc t@2026-01-02T12:00'],
        ['complete u', 'u e | esc esc'],
      ],
    },
    'fire once when they interrupt, even with a cycle': {
      process: sla('', timer('timeCycle', 'R3/PT1H')),
      steps: [
        ['start', 's | u t@01:00'],
        ['timer t', '-u t | esc'],
      ],
    },
    'start again with each activation of the task': {
      process: `<startEvent id="s"/><exclusiveGateway id="m"/><userTask id="u"/><boundaryEvent id="t" attachedToRef="u">${timer('timeDuration', 'PT1H')}</boundaryEvent>${flows('s -> m -> u', 't -> m')}`,
      steps: [
        ['start', 's m | u t@01:00'],
        ['timer t @01:00', '-u t m | u t@02:00'],
        ['timer t @02:00', '-u t m | u t@03:00'],
      ],
    },
    'belong to one activation when a task runs twice in parallel': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="u"/><boundaryEvent id="t" attachedToRef="u">${timer('timeDuration', 'PT1H')}</boundaryEvent>${flows('s -> f', 'f -> u as one', 'f -> u as two')}`,
      steps: [
        ['start', 's f | u u t@01:00 t@01:00'],
        ['timer t#2', '-u t | u t@01:00'],
        ['complete u#2', '(ignored) | u t@01:00'],
        ['complete u#1', 'u | done'],
      ],
    },
    'can be combined: one reminds, one interrupts': {
      process: `<startEvent id="s"/><userTask id="u"/><boundaryEvent id="r" attachedToRef="u" cancelActivity="false">${timer('timeDuration', 'PT1H')}</boundaryEvent><boundaryEvent id="x" attachedToRef="u">${timer('timeDuration', 'PT2H')}</boundaryEvent><task id="remind"/><userTask id="esc"/>${flows('s -> u', 'r -> remind', 'x -> esc')}`,
      steps: [
        ['start', 's | u r@01:00 x@02:00'],
        ['timer r', 'r remind | u x@02:00'],
        ['timer x', '-u x | esc'],
      ],
    },
    'interrupt a sub-process with everything in it': {
      process: `<startEvent id="s"/><subProcess id="sp"><startEvent id="is"/><parallelGateway id="f"/><userTask id="a"/><subProcess id="in"><userTask id="b"/></subProcess>${flows('is -> f -> a', 'f -> in')}</subProcess><boundaryEvent id="t" attachedToRef="sp">${timer('timeDuration', 'PT1H')}</boundaryEvent><userTask id="esc"/>${flows('s -> sp', 't -> esc')}`,
      steps: [
        ['start', 's is f | t@01:00 a b'],
        ['timer t', '{-a -b -in -sp} t | esc'],
      ],
    },
    'apply to work that has failed': {
      process: `<startEvent id="s"/><serviceTask id="w"/><boundaryEvent id="t" attachedToRef="w">${timer('timeDuration', 'PT1H')}</boundaryEvent><userTask id="esc"/>${flows('s -> w', 't -> esc')}`,
      work: {
        w: () => {
          throw new Error('down')
        },
      },
      steps: [
        ['start', 's !w | !w t@01:00'],
        ['retry w', '!w | !w t@01:00'],
        ['timer t', '-w t | esc'],
      ],
    },
  })
})
