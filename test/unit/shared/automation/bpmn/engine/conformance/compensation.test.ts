import { describe } from 'vitest'
import { flows } from '../../../../../../make/builders/processes/engine-documents.ts'
import { conforms, type Statement } from './runner.ts'

const conformsWithEvents = (statements: Readonly<Record<string, Omit<Statement, 'hasEvents'>>>): void =>
  conforms(Object.fromEntries(Object.entries(statements).map(([name, one]) => [name, { ...one, hasEvents: true }])))

/** An activity with the activity that undoes it, by default `ua` of `a`. */
const undoable = (id: string, activity = `<userTask id="${id}"/>`, handler = 'userTask'): string =>
  `${activity}<boundaryEvent id="c${id}" attachedToRef="${id}"><compensateEventDefinition/></boundaryEvent><${handler} id="u${id}" isForCompensation="true"/><association id="as_${id}" sourceRef="c${id}" targetRef="u${id}"/>`
const undo = (id: string, attributes = ''): string =>
  `<intermediateThrowEvent id="${id}"><compensateEventDefinition${attributes}/></intermediateThrowEvent>`
const timer = '<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>'
const start = '<startEvent id="s"/>'
const last = '<userTask id="z"/>'
const decide = (condition: string): string =>
  `<exclusiveGateway id="g"/><userTask id="yes"/>${flows(`g -> yes if ${condition}`)}`

describe('compensation', () => {
  conformsWithEvents({
    'undoes what was completed, in the reverse order': {
      process: `${start}${undoable('a')}${undoable('b')}${undo('t')}${last}${flows('s -> a -> b -> t -> z')}`,
      steps: [
        ['start', 's | a'],
        ['complete a', 'a | b'],
        ['complete b', 'b | ub'],
        ['complete ub', 'ub | ua'],
        ['complete ua', 'ua t | z'],
      ],
    },
    'undoes one activity, when it names it': {
      process: `${start}${undoable('a')}${undoable('b')}${undo('t', ' activityRef="a"')}${last}${flows('s -> a -> b -> t -> z')}`,
      steps: [
        ['start', 's | a'],
        ['complete a', 'a | b'],
        ['complete b', 'b | ua'],
        ['complete ua', 'ua t | z'],
      ],
    },
    'does nothing when nothing was completed': {
      process: `${start}${undoable('a')}${undo('t')}${last}${flows('s -> t -> z -> a')}`,
      steps: [['start', 's t | z']],
    },
    'undoes nothing twice': {
      process: `${start}${undoable('a')}${undo('t')}${undo('t2')}${last}${flows('s -> a -> t -> t2 -> z')}`,
      steps: [
        ['start', 's | a'],
        ['complete a', 'a | ua'],
        ['complete ua', 'ua t t2 | z'],
      ],
    },
    'undoes each of several passes through an activity': {
      process: `${start}<exclusiveGateway id="m"/>${undoable('a')}<exclusiveGateway id="g" default="g_t"/>${undo('t')}${last}${flows('s -> m -> a -> g', 'g -> m if again', 'g -> t', 't -> z')}`,
      steps: [
        ['start', 's m | a'],
        ['complete a {"again": true}', 'a g m | a'],
        ['complete a {"again": false}', 'a g | ua'],
        ['complete ua', 'ua | ua'],
        ['complete ua', 'ua t | z'],
      ],
    },
    'runs beside the process when nobody waits for it': {
      process: `${start}${undoable('a')}${undo('t', ' waitForCompletion="false"')}${last}${flows('s -> a -> t -> z')}`,
      steps: [
        ['start', 's | a'],
        ['complete a', 'a t | ua z'],
        ['complete z', 'z | ua'],
        ['complete ua', 'ua | done'],
      ],
    },
    'is thrown by an end event, which ends when it has ended': {
      process: `${start}${undoable('a')}<endEvent id="e"><compensateEventDefinition/></endEvent>${flows('s -> a -> e')}`,
      steps: [
        ['start', 's | a'],
        ['complete a', 'a | ua'],
        ['complete ua', 'ua e | done'],
      ],
    },
    'undoes nothing that was interrupted': {
      process: `${start}${undoable('a')}<boundaryEvent id="late" attachedToRef="a">${timer}</boundaryEvent>${undo('t')}${last}${flows('s -> a', 'late -> t -> z')}`,
      steps: [
        ['start', 's | a late@01:00'],
        ['timer late @01:00', '-a late t | z'],
      ],
    },
    'undoes each instance of a multi-instance activity, with its element': {
      process: `${start}${undoable('a', '<userTask id="a"><multiInstanceLoopCharacteristics isSequential="true" wf:collection="[1, 2]" wf:elementVariable="n"/></userTask>', 'scriptTask')}${undo('t')}${decide('undone === "21"')}${flows('s -> a -> t -> g')}`,
      variables: { undone: '' },
      work: { ua: ({ variables }) => ({ undone: `${String(variables.undone)}${String(variables.n)}` }) },
      steps: [
        ['start', 's | a[0]'],
        ['complete a[0]', 'a[0] | a[1]'],
        ['complete a[1]', 'a[1] a ua ua t g | yes'],
      ],
    },
    'undoes a called process by the activity that is associated with the call': {
      process: `${start}${undoable('a', '<callActivity id="a" calledElement="other"/>', 'callActivity')}${undo('t')}${last}${flows('s -> a -> t -> z')}`,
      steps: [
        ['start', 's +a() | a'],
        ['called a', 'a +ua() | ua'],
        ['called ua', 'ua t | z'],
      ],
    },
    'waits for a retry of what fails in it': {
      process: `${start}${undoable('a', undefined, 'serviceTask')}${undo('t')}${last}${flows('s -> a -> t -> z')}`,
      work: {
        ua: (_, times) => {
          if (times === 1) throw new Error('down')
        },
      },
      steps: [
        ['start', 's | a'],
        ['complete a', 'a !ua | !ua'],
        ['retry ua', 'ua t | z'],
      ],
    },
    'ends with the sub-process around it': {
      process: `${start}<subProcess id="sp"><startEvent id="ps"/>${undoable('a')}${undo('t')}${flows('ps -> a -> t')}</subProcess><boundaryEvent id="late" attachedToRef="sp">${timer}</boundaryEvent>${last}${flows('s -> sp', 'late -> z')}`,
      steps: [
        ['start', 's ps | late@01:00 a'],
        ['complete a', 'a | late@01:00 ua'],
        ['timer late @01:00', '{-ua -t -sp} late | z'],
      ],
    },
    'undoes in the order of completion, not of the drawing': {
      process: `${start}<subProcess id="sp"><startEvent id="ps"/>${undoable('a')}${undoable('b')}<parallelGateway id="f"/><parallelGateway id="j"/>${flows('ps -> f -> a -> j', 'f -> b -> j')}</subProcess>${undo('t')}${last}${flows('s -> sp -> t -> z')}`,
      steps: [
        ['start', 's ps f | a b'],
        ['complete b', 'b | a'],
        ['complete a', 'a j sp | ua'],
        ['complete ua', 'ua | ub'],
        ['complete ub', 'ub sp t | z'],
      ],
    },
  })
})

describe('the compensation of a sub-process', () => {
  const sub = (more = ''): string =>
    `<subProcess id="sp"><startEvent id="ps"/><scriptTask id="set"/>${undoable('a', undefined, 'scriptTask')}${flows('ps -> set -> a')}${more}</subProcess>`
  const handler = (content: string): string =>
    `<subProcess id="h" triggeredByEvent="true"><startEvent id="hs"><compensateEventDefinition/></startEvent>${content}</subProcess>`
  const said: Statement['work'] = {
    set: () => ({ name: 'IT' }),
    ua: ({ variables }) => ({ said: variables.name, name: 'changed' }),
    tell: ({ variables }) => ({ said: `told ${String(variables.name)}` }),
  }
  conformsWithEvents({
    'undoes what was completed in it, with its variables as they were': {
      process: `${start}${sub()}${undo('t')}${decide('said === "IT"')}${flows('s -> sp -> t -> g')}`,
      variables: { said: '' },
      work: said,
      steps: [
        ['start', 's ps set | a'],
        ['complete a', 'a sp ua sp t g | yes'],
      ],
    },
    'is done by its event sub-process, which sees its variables': {
      process: `${start}${sub(handler(`<scriptTask id="tell"/>${flows('hs -> tell')}`))}${undo('t')}${decide('said === "told IT"')}${flows('s -> sp -> t -> g')}`,
      variables: { said: '' },
      work: said,
      steps: [
        ['start', 's ps set | a'],
        ['complete a', 'a sp hs tell h sp t g | yes'],
      ],
    },
    'may undo what was completed in it from its event sub-process': {
      process: `${start}${sub(handler(`${undo('inner')}<userTask id="after"/>${flows('hs -> inner -> after')}`))}${undo('t')}${last}${flows('s -> sp -> t -> z')}`,
      variables: { said: '' },
      work: said,
      steps: [
        ['start', 's ps set | a'],
        ['complete a', 'a sp hs ua inner | after'],
        ['complete after', 'after h sp t | z'],
      ],
    },
    'is done by the activity on its border, and by nothing in it': {
      process: `${start}${undoable('sp', sub())}${undo('t')}${last}${flows('s -> sp -> t -> z')}`,
      variables: { said: '' },
      work: said,
      steps: [
        ['start', 's ps set | a'],
        ['complete a', 'a sp | usp'],
        ['complete usp', 'usp t | z'],
      ],
    },
    'is thrown in a scope for the activities of that scope': {
      process: `${start}${undoable('b')}<subProcess id="sp"><startEvent id="ps"/>${undoable('a')}${undo('t')}<userTask id="w"/>${flows('ps -> a -> t -> w')}</subProcess>${flows('s -> b -> sp')}`,
      steps: [
        ['start', 's | b'],
        ['complete b', 'b ps | a'],
        ['complete a', 'a | ua'],
        ['complete ua', 'ua t | w'],
      ],
    },
  })
})

describe('a transaction', () => {
  const transaction = (content: string, more = ''): string =>
    `${start}<transaction id="tx"><startEvent id="xs"/>${content}</transaction>${more}${last}`
  const cancelEnd = '<endEvent id="c"><cancelEventDefinition/></endEvent>'
  const onCancel = `<boundaryEvent id="b" attachedToRef="tx"><cancelEventDefinition/></boundaryEvent><userTask id="v"/>${flows('s -> tx -> z', 'b -> v')}`
  conformsWithEvents({
    'that is cancelled undoes what was completed, and is left by its cancel event': {
      process: transaction(`${undoable('a')}${undoable('b2')}${cancelEnd}${flows('xs -> a -> b2 -> c')}`, onCancel),
      steps: [
        ['start', 's xs | a'],
        ['complete a', 'a | b2'],
        ['complete b2', 'b2 | ub2'],
        ['complete ub2', 'ub2 | ua'],
        ['complete ua', 'ua c -tx b | v'],
      ],
    },
    'that is cancelled ends what still runs in it first': {
      process: transaction(
        `<parallelGateway id="f"/>${undoable('a')}<userTask id="w"/>${cancelEnd}${flows('xs -> f -> a -> c', 'f -> w')}`,
        onCancel,
      ),
      steps: [
        ['start', 's xs f | a w'],
        ['complete a', 'a -w | ua'],
        ['complete ua', 'ua c -tx b | v'],
      ],
    },
    'that is cancelled undoes also what was completed in a sub-process that still runs': {
      process: transaction(
        `<parallelGateway id="f"/><subProcess id="sp"><startEvent id="ps"/>${undoable('a')}<userTask id="w"/>${flows('ps -> a -> w')}</subProcess><userTask id="k"/>${cancelEnd}${flows('xs -> f -> sp', 'f -> k -> c')}`,
        onCancel,
      ),
      steps: [
        ['start', 's xs f ps | k a'],
        ['complete a', 'a | k w'],
        ['complete k', 'k {-w -sp} | ua'],
        ['complete ua', 'ua sp c -tx b | v'],
      ],
    },
    'that one pass of several cancels undoes the others too, whether completed or running': {
      process: `${start}<transaction id="tx"><multiInstanceLoopCharacteristics><loopCardinality>3</loopCardinality></multiInstanceLoopCharacteristics><startEvent id="xs"/>${undoable('a')}<userTask id="w"/><exclusiveGateway id="g" default="g_ok"/><endEvent id="ok"/>${cancelEnd}${flows('xs -> a -> w -> g', 'g -> c if stop', 'g -> ok')}</transaction>${last}${onCancel}`,
      steps: [
        ['start', 's xs xs xs | a a a'],
        ['complete a', 'a | a a w'],
        ['complete a', 'a | a w w'],
        ['complete a', 'a | w w w'],
        ['complete w {"stop": false}', 'w g ok tx[0] | w w'],
        ['complete w {"stop": true}', 'w g -w -tx[2] | ua'],
        ['complete ua', 'ua tx | ua'],
        ['complete ua', 'ua tx | ua'],
        ['complete ua', 'ua c -tx[1] -tx b | v'],
      ],
    },
    'that one of several passes in a row cancels undoes those before, and begins no more': {
      process: `${start}<transaction id="tx"><multiInstanceLoopCharacteristics isSequential="true"><loopCardinality>9</loopCardinality></multiInstanceLoopCharacteristics><startEvent id="xs"/>${undoable('a')}<exclusiveGateway id="g" default="g_ok"/><endEvent id="ok"/>${cancelEnd}${flows('xs -> a -> g', 'g -> c if stop', 'g -> ok')}</transaction>${last}${onCancel}`,
      steps: [
        ['start', 's xs | a'],
        ['complete a {"stop": false}', 'a g ok tx[0] xs | a'],
        ['complete a {"stop": true}', 'a g | ua'],
        ['complete ua', 'ua | ua'],
        ['complete ua', 'ua tx c -tx[1] -tx b | v'],
      ],
    },
    'in which nothing is to be undone is left at once': {
      process: transaction(`<userTask id="a"/>${cancelEnd}${flows('xs -> a -> c')}`, onCancel),
      steps: [
        ['start', 's xs | a'],
        ['complete a', 'a c -tx b | v'],
      ],
    },
    'that an error leaves undoes nothing': {
      process: transaction(
        `${undoable('a')}<endEvent id="bad"><errorEventDefinition errorRef="E"/></endEvent>${flows('xs -> a -> bad')}`,
        `<boundaryEvent id="b" attachedToRef="tx"><errorEventDefinition errorRef="E"/></boundaryEvent><userTask id="v"/>${flows('s -> tx -> z', 'b -> v')}`,
      ),
      roots: '<error id="E" errorCode="E1"/>',
      steps: [
        ['start', 's xs | a'],
        ['complete a', 'a bad -tx b | v'],
      ],
    },
    'that was completed can be compensated from outside': {
      process: `${start}<transaction id="tx"><startEvent id="xs"/>${undoable('a')}${flows('xs -> a')}</transaction>${undo('t')}${last}${flows('s -> tx -> t -> z')}`,
      steps: [
        ['start', 's xs | a'],
        ['complete a', 'a tx | ua'],
        ['complete ua', 'ua tx t | z'],
      ],
    },
  })
})
