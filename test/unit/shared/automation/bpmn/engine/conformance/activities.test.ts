import { describe } from 'vitest'
import { BpmnError } from '../../../../../../../shared/automation/bpmn/schema.ts'
import { flows } from '../../../../../../make/builders/processes/engine-documents.ts'
import { conforms } from './runner.ts'

const down = (): never => {
  throw new Error('down')
}
const rejects = (): never => {
  throw new BpmnError('REJECTED', 'no stock')
}

describe('tasks', () => {
  conforms({
    'for people wait until they are completed': {
      process: `<startEvent id="s"/><userTask id="u"/><manualTask id="m"/><receiveTask id="r"/><endEvent id="e"/>${flows('s -> u -> m -> r -> e')}`,
      steps: [
        ['start', 's | u'],
        ['complete u', 'u | m'],
        ['complete m', 'm | r'],
        ['complete r', 'r e | done'],
      ],
    },
    'for machines are performed at once': {
      process: `<startEvent id="s"/><serviceTask id="a"/><sendTask id="b"/><scriptTask id="c"/><businessRuleTask id="d"/><endEvent id="e"/>${flows('s -> a -> b -> c -> d -> e')}`,
      steps: [['start', 's a b c d e | done']],
    },
    'without a kind pass through': {
      process: `<startEvent id="s"/><task id="t"/>${flows('s -> t')}`,
      steps: [['start', 's t | done']],
    },
    'start with as many tokens as they need, and send as many as they say': {
      process: `<startEvent id="s"/><task id="a" completionQuantity="3"/><userTask id="u" startQuantity="2"/><userTask id="v"/>${flows('s -> a -> u -> v')}`,
      steps: [
        ['start', 's a | u'],
        ['complete u', 'u | v'],
      ],
    },
    'set variables that later tasks see': {
      process: `<startEvent id="s"/><scriptTask id="a"/><scriptTask id="b"/><exclusiveGateway id="g"/><userTask id="u"/>${flows('s -> a -> b -> g', 'g -> u if sum === 3')}`,
      work: { a: () => ({ x: 1 }), b: ({ variables }) => ({ sum: Number(variables.x) + 2 }) },
      steps: [['start', 's a b g | u']],
    },
    'are completed only once': {
      process: `<startEvent id="s"/><userTask id="u"/><userTask id="v"/>${flows('s -> u -> v')}`,
      steps: [
        ['start', 's | u'],
        ['complete u; complete u', '(ignored) u | v'],
        ['complete u', '(ignored) | v'],
        ['timer v', '(ignored) | v'],
        ['retry v', '(ignored) | v'],
        ['complete v#9', '(ignored) | v'],
      ],
    },
    'have an executionId per activation': {
      process: `<startEvent id="s"/><exclusiveGateway id="m"/><userTask id="u"/>${flows('s -> m -> u -> m')}`,
      steps: [
        ['start', 's m | u'],
        ['complete u#1', 'u m | u'],
        ['complete u#1', '(ignored) | u'],
        ['complete u#2', 'u m | u'],
      ],
    },
  })
})

describe('flows out of and into activities', () => {
  conforms({
    'are all taken when there are several': {
      process: `<startEvent id="s"/><userTask id="u"/><userTask id="a"/><userTask id="b"/>${flows('s -> u -> a', 'u -> b')}`,
      steps: [
        ['start', 's | u'],
        ['complete u', 'u | a b'],
      ],
    },
    'are all taken out of a start event': {
      process: `<startEvent id="s"/><userTask id="a"/><userTask id="b"/>${flows('s -> a', 's -> b')}`,
      steps: [['start', 's | a b']],
    },
    'activate an activity once for each token that arrives': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><userTask id="m"/>${flows('s -> f -> a -> m', 'f -> b -> m')}`,
      steps: [
        ['start', 's f | a b'],
        ['complete a', 'a | b m'],
        ['complete b', 'b | m m'],
        ['complete m#2', 'm | m'],
        ['complete m#1', 'm | done'],
      ],
    },
    'are taken where their conditions hold': {
      process: `<startEvent id="s"/><userTask id="u" default="u_c"/><userTask id="a"/><userTask id="b"/><userTask id="c"/>${flows('s -> u', 'u -> a if x > 0', 'u -> b if x > 1', 'u -> c')}`,
      variables: { x: 2 },
      steps: [
        ['start', 's | u'],
        ['complete u', 'u | a b'],
      ],
    },
    'fall back to the default flow when no condition holds': {
      process: `<startEvent id="s"/><userTask id="u" default="u_c"/><userTask id="a"/><userTask id="c"/>${flows('s -> u', 'u -> a if x > 0', 'u -> c')}`,
      variables: { x: 0 },
      steps: [
        ['start', 's | u'],
        ['complete u', 'u | c'],
      ],
    },
    'are always taken when they have no condition': {
      process: `<startEvent id="s"/><userTask id="u" default="u_c"/><userTask id="a"/><userTask id="b"/><userTask id="c"/>${flows('s -> u', 'u -> a if x > 0', 'u -> b', 'u -> c')}`,
      variables: { x: 0 },
      steps: [
        ['start', 's | u'],
        ['complete u', 'u | b c'],
      ],
    },
    'fail the step when none holds': {
      process: `<startEvent id="s"/><userTask id="u"/><userTask id="a"/>${flows('s -> u', 'u -> a if false')}`,
      steps: [
        ['start', 's | u'],
        ['complete u', "| fails at u: No flow out of 'u' holds"],
      ],
    },
  })
})

describe('failed work', () => {
  conforms({
    'waits for a retry while other branches continue': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><serviceTask id="w"/><userTask id="a"/><userTask id="b"/><parallelGateway id="j"/><endEvent id="e"/>${flows('s -> f -> w -> j -> e', 'f -> a -> b -> j')}`,
      work: { w: (_, times) => (times < 3 ? down() : undefined) },
      steps: [
        ['start', 's f !w | !w a'],
        ['complete a', 'a | !w b'],
        ['retry w', '!w | !w b'],
        ['complete b', 'b | !w'],
        ['retry w', 'w j e | done'],
      ],
    },
    'is not repeated by other commands': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><serviceTask id="w"/><userTask id="a"/>${flows('s -> f -> w', 'f -> a')}`,
      work: { w: (_, times) => (times === 1 ? down() : undefined) },
      steps: [
        ['start', 's f !w | !w a'],
        ['complete w', '(ignored) | !w a'],
        ['timer w', '(ignored) | !w a'],
        ['complete a', 'a | !w'],
        ['retry w', 'w | done'],
      ],
    },
    'can be ended by an error command': {
      process: `<startEvent id="s"/><serviceTask id="w"/><boundaryEvent id="b" attachedToRef="w"><errorEventDefinition/></boundaryEvent><userTask id="byHand"/>${flows('s -> w', 'b -> byHand')}`,
      work: { w: down },
      steps: [
        ['start', 's !w | !w'],
        ['error w GIVEN_UP', '-w b | byHand'],
      ],
    },
    'can raise a BPMN error on a retry': {
      process: `<startEvent id="s"/><serviceTask id="w"/><boundaryEvent id="b" attachedToRef="w"><errorEventDefinition/></boundaryEvent><userTask id="byHand"/>${flows('s -> w', 'b -> byHand')}`,
      work: { w: (_, times) => (times === 1 ? down() : rejects()) },
      steps: [
        ['start', 's !w | !w'],
        ['retry w', '-w b | byHand'],
      ],
    },
  })
})

describe('errors', () => {
  const roots = '<error id="R" errorCode="REJECTED"/><error id="O" errorCode="OTHER"/><error id="N" name="NAMELESS"/>'
  const border = (id: string, host: string, ref?: string): string =>
    `<boundaryEvent id="${id}" attachedToRef="${host}"><errorEventDefinition${ref === undefined ? '' : ` errorRef="${ref}"`}/></boundaryEvent>`
  const end = (id: string, ref?: string): string =>
    `<endEvent id="${id}"><errorEventDefinition${ref === undefined ? '' : ` errorRef="${ref}"`}/></endEvent>`
  conforms({
    'are caught by their code': {
      process: `<startEvent id="s"/><serviceTask id="w"/>${border('any', 'w')}${border('other', 'w', 'O')}${border('it', 'w', 'R')}<userTask id="a"/><userTask id="b"/><userTask id="c"/>${flows('s -> w', 'any -> a', 'other -> b', 'it -> c')}`,
      roots,
      work: { w: rejects },
      steps: [['start', 's -w it | c']],
    },
    'are caught by an event without a code': {
      process: `<startEvent id="s"/><serviceTask id="w"/>${border('other', 'w', 'O')}${border('any', 'w')}<userTask id="a"/>${flows('s -> w', 'any -> a')}`,
      roots,
      work: { w: rejects },
      steps: [['start', 's -w any | a']],
    },
    'that are not caught fail the step, naming code and element': {
      process: `<startEvent id="s"/><serviceTask id="w" name="Order"/>${border('other', 'w', 'O')}${flows('s -> w')}`,
      roots,
      work: { w: rejects },
      steps: [['start', "| fails at w: The error 'REJECTED' of 'Order' (w) is caught nowhere (no stock)"]],
    },
    'can be raised in a task by a command': {
      process: `<startEvent id="s"/><userTask id="u"/>${border('it', 'u', 'R')}<userTask id="a"/>${flows('s -> u', 'it -> a')}`,
      roots,
      steps: [
        ['start', 's | u'],
        ['error u OTHER', "| fails at u: The error 'OTHER' of 'u' is caught nowhere"],
        ['error u REJECTED', '-u it | a'],
      ],
    },
    'of an end event leave its sub-process': {
      process: `<startEvent id="s"/><subProcess id="sp"><startEvent id="is"/><parallelGateway id="f"/><userTask id="u"/><userTask id="v"/>${end('ie', 'R')}${flows('is -> f -> u -> ie', 'f -> v')}</subProcess>${border('it', 'sp', 'R')}<userTask id="a"/>${flows('s -> sp', 'it -> a')}`,
      roots,
      steps: [
        ['start', 's is f | u v'],
        ['complete u', 'u ie {-v -sp} it | a'],
      ],
    },
    'pass boundary events with another code': {
      process: `<startEvent id="s"/><subProcess id="sp"><subProcess id="in"><startEvent id="is"/><serviceTask id="w"/>${flows('is -> w')}</subProcess>${border('other', 'in', 'O')}</subProcess>${border('it', 'sp', 'R')}<userTask id="a"/>${flows('s -> sp', 'it -> a')}`,
      roots,
      work: { w: rejects },
      steps: [['start', 's is {-w -in -sp} it | a']],
    },
    'start the event sub-process that catches them and cancel everything else': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="u"/><serviceTask id="w"/>${flows('s -> f -> u', 'f -> w')}<subProcess id="h" triggeredByEvent="true"><startEvent id="hs"><errorEventDefinition errorRef="R"/></startEvent><userTask id="care"/>${flows('hs -> care')}</subProcess>`,
      roots,
      work: { w: rejects },
      steps: [
        ['start', 's f {-u -w} hs | care'],
        ['complete care', 'care h | done'],
      ],
    },
    'are caught by a boundary event before an event sub-process': {
      process: `<startEvent id="s"/><serviceTask id="w"/>${border('any', 'w')}<userTask id="a"/>${flows('s -> w', 'any -> a')}<subProcess id="h" triggeredByEvent="true"><startEvent id="hs"><errorEventDefinition errorRef="R"/></startEvent></subProcess>`,
      roots,
      work: { w: rejects },
      steps: [['start', 's -w any | a']],
    },
    'of an event sub-process are caught further out': {
      process: `<startEvent id="s"/><subProcess id="sp"><startEvent id="is"/><serviceTask id="w"/>${flows('is -> w')}<subProcess id="h" triggeredByEvent="true"><startEvent id="hs"><errorEventDefinition/></startEvent>${end('he', 'R')}${flows('hs -> he')}</subProcess></subProcess>${border('it', 'sp', 'R')}<userTask id="a"/>${flows('s -> sp', 'it -> a')}`,
      roots,
      work: { w: rejects },
      steps: [['start', 's is -w hs he {-h -sp} it | a']],
    },
    'without a code are matched by name': {
      process: `<startEvent id="s"/><subProcess id="sp"><startEvent id="is"/>${end('ie', 'N')}${flows('is -> ie')}</subProcess>${border('other', 'sp', 'O')}${border('it', 'sp', 'N')}<userTask id="a"/>${flows('s -> sp', 'it -> a')}`,
      roots,
      steps: [['start', 's is ie -sp it | a']],
    },
    'without a name are caught by an event without a code': {
      process: `<startEvent id="s"/><subProcess id="sp"><startEvent id="is"/>${end('ie')}${flows('is -> ie')}</subProcess>${border('other', 'sp', 'O')}${border('any', 'sp')}<userTask id="a"/>${flows('s -> sp', 'any -> a')}`,
      roots,
      steps: [['start', 's is ie -sp any | a']],
    },
    'of one iteration end all iterations': {
      process: `<startEvent id="s"/><userTask id="u"><multiInstanceLoopCharacteristics><loopCardinality>3</loopCardinality></multiInstanceLoopCharacteristics></userTask>${border('any', 'u')}<userTask id="a"/>${flows('s -> u', 'any -> a')}`,
      steps: [
        ['start', 's | u[0] u[1] u[2]'],
        ['complete u[0]', 'u[0] | u[1] u[2]'],
        ['error u[2] NO', '{-u[1] -u[2] -u} any | a'],
      ],
    },
  })
})

describe('sub-processes', () => {
  conforms({
    'are completed when everything in them is': {
      process: `<startEvent id="s"/><subProcess id="sp"><startEvent id="is"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><endEvent id="ie"/>${flows('is -> f -> a -> ie', 'f -> b')}</subProcess><userTask id="after"/>${flows('s -> sp -> after')}`,
      steps: [
        ['start', 's is f | a b'],
        ['complete a', 'a ie | b'],
        ['complete b', 'b sp | after'],
      ],
    },
    'can be nested': {
      process: `<startEvent id="s"/><subProcess id="o"><startEvent id="os"/><subProcess id="i"><startEvent id="is"/><userTask id="u"/><endEvent id="ie"/>${flows('is -> u -> ie')}</subProcess><endEvent id="oe"/>${flows('os -> i -> oe')}</subProcess><endEvent id="e"/>${flows('s -> o -> e')}`,
      steps: [
        ['start', 's os is | u'],
        ['complete u', 'u ie i oe o e | done'],
      ],
    },
    'that are empty pass through': {
      process: `<startEvent id="s"/><subProcess id="sp"/><userTask id="a"/>${flows('s -> sp -> a')}`,
      steps: [['start', 's sp | a']],
    },
    'are terminated without what is around them': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="out"/><subProcess id="sp"><startEvent id="is"/><parallelGateway id="g"/><userTask id="a"/><userTask id="b"/><endEvent id="ie"><terminateEventDefinition/></endEvent>${flows('is -> g -> a -> ie', 'g -> b')}</subProcess><userTask id="after"/>${flows('s -> f -> sp -> after', 'f -> out')}`,
      steps: [
        ['start', 's f is g | out a b'],
        ['complete a', 'a -b ie sp | out after'],
      ],
    },
    'run again in each iteration of a loop': {
      process: `<startEvent id="s"/><exclusiveGateway id="m"/><subProcess id="sp"><startEvent id="is"/><userTask id="u"/>${flows('is -> u')}</subProcess><exclusiveGateway id="x" default="x_e"/><endEvent id="e"/>${flows('s -> m -> sp -> x -> e', 'x -> m if again')}`,
      variables: { again: true },
      steps: [
        ['start', 's m is | u'],
        ['complete u', 'u sp x m is | u'],
        ['complete u {"again": false}', 'u sp x e | done'],
      ],
    },
    'run twice in parallel, independently': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><subProcess id="sp"><startEvent id="is"/><parallelGateway id="g"/><userTask id="a"/><userTask id="b"/><parallelGateway id="j"/><userTask id="c"/>${flows('is -> g -> a -> j -> c', 'g -> b -> j')}</subProcess>${flows('s -> f', 'f -> sp as one', 'f -> sp as two')}`,
      steps: [
        ['start', 's f is is g g | a b a b'],
        ['complete a#1; complete b#2', 'a b | b a'],
        ['complete b#1', 'b j | a c'],
        ['complete a#2', 'a j | c c'],
        ['complete c#1', 'c sp | c'],
        ['complete c#2', 'c sp | done'],
      ],
    },
    'started by a non-interrupting timer run in parallel': {
      process: `<startEvent id="s"/><userTask id="u"/>${flows('s -> u')}<subProcess id="h" triggeredByEvent="true"><startEvent id="hs" isInterrupting="false"><timerEventDefinition><timeCycle>R2/PT1H</timeCycle></timerEventDefinition></startEvent><userTask id="remind"/>${flows('hs -> remind')}</subProcess>`,
      steps: [
        ['start', 's | hs@01:00 u'],
        ['timer hs', 'hs | hs@02:00 u remind'],
        ['complete u', 'u | hs@02:00 remind'],
        ['timer hs', 'hs | remind remind'],
        ['complete remind#1', 'remind h | remind'],
        ['complete remind#2', 'remind h | done'],
      ],
    },
    'started by an interrupting timer cancel everything else': {
      process: `<startEvent id="s"/><subProcess id="sp"><startEvent id="is"/><userTask id="u"/>${flows('is -> u')}<subProcess id="h" triggeredByEvent="true"><startEvent id="hs"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></startEvent><userTask id="late"/>${flows('hs -> late')}</subProcess></subProcess><userTask id="after"/>${flows('s -> sp -> after')}`,
      steps: [
        ['start', 's is | hs@01:00 u'],
        ['timer hs', '-u hs | late'],
        ['complete late', 'late h sp | after'],
      ],
    },
    'are completed even if an event sub-process never started': {
      process: `<startEvent id="s"/><subProcess id="sp"><startEvent id="is"/><userTask id="u"/>${flows('is -> u')}<subProcess id="h" triggeredByEvent="true"><startEvent id="hs"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></startEvent></subProcess></subProcess>${flows('s -> sp')}`,
      steps: [
        ['start', 's is | hs@01:00 u'],
        ['complete u', 'u sp | done'],
      ],
    },
  })
})

describe('ad-hoc sub-processes', () => {
  const until = (condition: string): string =>
    `<completionCondition xsi:type="tFormalExpression">${condition}</completionCondition>`
  const adHoc = (content: string, more = ''): string =>
    `<startEvent id="s"/><adHocSubProcess id="p"${more}>${content}</adHocSubProcess><userTask id="z"/>${flows('s -> p -> z')}`
  const abc = '<userTask id="a"/><userTask id="b"/><userTask id="c"/>'
  conforms({
    'begin all of their activities, and end with the last': {
      process: adHoc(abc),
      steps: [
        ['start', 's | a b c'],
        ['complete b', 'b | a c'],
        ['complete a; complete c', 'a c p | z'],
      ],
    },
    'begin one activity after another': {
      process: adHoc(abc, ' ordering="Sequential"'),
      steps: [
        ['start', 's | a'],
        ['complete a', 'a | b'],
        ['complete b', 'b | c'],
        ['complete c', 'c p | z'],
      ],
    },
    'follow the flows in them': {
      process: adHoc(abc + flows('a -> b')),
      steps: [
        ['start', 's | a c'],
        ['complete a', 'a | b c'],
        ['complete b; complete c', 'b c p | z'],
      ],
    },
    'follow the flows before they begin the next way': {
      process: adHoc(abc + flows('a -> b'), ' ordering="Sequential"'),
      steps: [
        ['start', 's | a'],
        ['complete a', 'a | b'],
        ['complete b', 'b | c'],
        ['complete c', 'c p | z'],
      ],
    },
    'end when their completion condition holds, with all that still runs': {
      process: adHoc(abc + until('done === true')),
      variables: { done: false },
      steps: [
        ['start', 's | a b c'],
        ['complete a', 'a | b c'],
        ['complete b {"done": true}', 'b -c p | z'],
      ],
    },
    'begin more by request': {
      process: adHoc(abc + flows('a -> b')),
      steps: [
        ['start', 's | a c'],
        ['complete c', 'c | a'],
        ['begin p#1 c', '| a c'],
        ['begin p#1 b', '(ignored) | a c'],
        ['complete a; complete c', 'a c | b'],
        ['complete b', 'b p | z'],
        ['begin p#1 c', '(ignored) | z'],
      ],
    },
    'begin what was asked for when nothing else runs, one after another': {
      process: adHoc('<userTask id="a"/><userTask id="b"/>', ' ordering="Sequential"'),
      steps: [
        ['start', 's | a'],
        ['begin p#1 a', '| a'],
        ['complete a', 'a | b'],
        ['complete b', 'b | a'],
        ['complete a', 'a p | z'],
      ],
    },
    'begin nothing by themselves when all is on request, and last until their condition holds': {
      process: adHoc(abc + until('done === true'), ' wf:begin="onRequest"'),
      variables: { done: false },
      steps: [
        ['start', 's |'],
        ['begin p#1 b', '| b'],
        ['complete b', 'b |'],
        ['begin p#1 b; begin p#1 a', '| b a'],
        ['complete b {"done": true}', 'b -a p | z'],
      ],
    },
    'begin nothing more when their completion condition holds': {
      process: adHoc(abc + until('task.outcome === "enough"'), ' ordering="Sequential"'),
      steps: [
        ['start', 's | a'],
        ['complete a {"outcome": "more"}', 'a | b'],
        ['complete b {"outcome": "enough"}', 'b p | z'],
      ],
    },
    'let end what still runs, and follow no flow': {
      process: adHoc(`${abc}<userTask id="d"/>${flows('b -> d')}${until('done')}`, ' cancelRemainingInstances="false"'),
      variables: { done: false },
      steps: [
        ['start', 's | a b c'],
        ['complete a {"done": true}', 'a | b c'],
        ['complete b {"done": false}', 'b | c'],
        ['complete c', 'c p | z'],
      ],
    },
    'are left by their boundary events': {
      process: `${adHoc(abc)}<boundaryEvent id="t" attachedToRef="p"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent><userTask id="late"/>${flows('t -> late')}`,
      steps: [
        ['start', 's | a b c t@01:00'],
        ['complete a', 'a | b c t@01:00'],
        ['timer t @01:00', '-b -c -p t | late'],
      ],
    },
    'run several times, each with its own condition': {
      process: adHoc(
        `<multiInstanceLoopCharacteristics><loopCardinality xsi:type="tFormalExpression">2</loopCardinality></multiInstanceLoopCharacteristics><userTask id="a"/><userTask id="b"/>${until('done === true')}`,
      ),
      variables: { done: false },
      steps: [
        ['start', 's | a b a b'],
        ['complete a#1 {"done": true}', 'a -b p[0] | a b'],
        ['complete a#2', 'a -b p[1] p | z'],
      ],
    },
    'do work and hold sub-processes': {
      process: adHoc(
        `<serviceTask id="w"/><subProcess id="i"><startEvent id="is"/><userTask id="u"/>${flows('is -> u')}</subProcess>`,
      ),
      steps: [
        ['start', 's w is | u'],
        ['complete u', 'u i p | z'],
      ],
    },
    'wait for a retry of what failed in them': {
      process: adHoc('<serviceTask id="w"/><userTask id="a"/>'),
      work: {
        w: (_, times) => {
          if (times === 1) throw new Error('down')
        },
      },
      steps: [
        ['start', 's !w | !w a'],
        ['complete a', 'a | !w'],
        ['retry w', 'w p | z'],
      ],
    },
  })
})
