import { describe } from 'vitest'
import { flows } from '../../../../../../make/builders/processes/engine-documents.ts'
import { conforms } from './runner.ts'

const terminateEnd = (id: string): string => `<endEvent id="${id}"><terminateEventDefinition/></endEvent>`
const users = (...ids: readonly string[]): string => ids.map((id) => `<userTask id="${id}"/>`).join('')

/**
 * The control-flow patterns 1 to 20 of van der Aalst et al., as far as the supported BPMN elements can express them.
 */
describe('workflow control-flow patterns', () => {
  conforms({
    'WCP-1 sequence': {
      process: `<startEvent id="s"/>${users('a', 'b', 'c')}${flows('s -> a -> b -> c')}`,
      steps: [
        ['start', 's | a'],
        ['complete a', 'a | b'],
        ['complete b', 'b | c'],
        ['complete c', 'c | done'],
      ],
    },
    'WCP-2 parallel split': {
      process: `<startEvent id="s"/><parallelGateway id="f"/>${users('a', 'b', 'c')}${flows('s -> f -> a', 'f -> b', 'f -> c')}`,
      steps: [['start', 's f | a b c']],
    },
    'WCP-3 synchronization': {
      process: `<startEvent id="s"/>${users('a', 'b', 'c', 'd')}<parallelGateway id="j"/>${flows('s -> a -> j -> d', 's -> b -> j', 's -> c -> j')}`,
      steps: [
        ['start', 's | a b c'],
        ['complete c', 'c | a b'],
        ['complete a', 'a | b'],
        ['complete b', 'b j | d'],
      ],
    },
    'WCP-4 exclusive choice': {
      process: `<startEvent id="s"/><exclusiveGateway id="x" default="x_b"/>${users('a', 'b')}${flows('s -> x', 'x -> a if amount > 100', 'x -> b')}`,
      variables: { amount: 500 },
      steps: [['start', 's x | a']],
    },
    'WCP-5 simple merge': {
      process: `<startEvent id="s"/><exclusiveGateway id="x" default="x_b"/>${users('a', 'b', 'c')}<exclusiveGateway id="m"/>${flows('s -> x', 'x -> a if true', 'x -> b -> m -> c', 'a -> m')}`,
      steps: [
        ['start', 's x | a'],
        ['complete a', 'a m | c'],
        ['complete c', 'c | done'],
      ],
    },
    'WCP-6 multi-choice': {
      process: `<startEvent id="s"/><inclusiveGateway id="o"/>${users('police', 'fire', 'ambulance')}${flows('s -> o', 'o -> police if true', 'o -> fire if burns', 'o -> ambulance if true')}`,
      variables: { burns: false },
      steps: [['start', 's o | police ambulance']],
    },
    'WCP-7 structured synchronizing merge': {
      process: `<startEvent id="s"/><inclusiveGateway id="o"/>${users('a', 'b', 'c', 'd')}<inclusiveGateway id="j"/>${flows('s -> o', 'o -> a if true', 'o -> b if false', 'o -> c if true', 'a -> j', 'b -> j', 'c -> j -> d')}`,
      steps: [
        ['start', 's o | a c'],
        ['complete c', 'c | a'],
        ['complete a', 'a j | d'],
      ],
    },
    'WCP-8 multi-merge': {
      process: `<startEvent id="s"/><parallelGateway id="f"/>${users('a', 'b', 'c')}<exclusiveGateway id="m"/><endEvent id="e"/>${flows('s -> f -> a -> m -> c -> e', 'f -> b -> m')}`,
      steps: [
        ['start', 's f | a b'],
        ['complete a; complete b', 'a m b m | c c'],
        ['complete c#1', 'c e | c'],
        ['complete c#2', 'c e | done'],
      ],
    },
    'WCP-9 discriminator; the other branches are cancelled': {
      process: `<startEvent id="s"/><subProcess id="sp"><startEvent id="is"/>${users('a', 'b', 'c')}${terminateEnd('ie')}${flows('is -> a -> ie', 'is -> b -> ie', 'is -> c -> ie')}</subProcess>${users('d')}${flows('s -> sp -> d')}`,
      steps: [
        ['start', 's is | a b c'],
        ['complete b', 'b {-a -c} ie sp | d'],
      ],
    },
    'WCP-10 arbitrary cycles': {
      process: `<startEvent id="s"/><exclusiveGateway id="m1"/><exclusiveGateway id="m2"/>${users('a', 'b')}<exclusiveGateway id="x1" default="x1_x2"/><exclusiveGateway id="x2" default="x2_e"/><endEvent id="e"/>${flows('s -> m1 -> a -> m2 -> b -> x1', 'x1 -> m2 if go === "b"', 'x1 -> x2', 'x2 -> m1 if go === "a"', 'x2 -> e')}`,
      variables: { go: 'b' },
      steps: [
        ['start', 's m1 | a'],
        ['complete a', 'a m2 | b'],
        ['complete b', 'b x1 m2 | b'],
        ['complete b {"go": "a"}', 'b x1 x2 m1 | a'],
        ['complete a', 'a m2 | b'],
        ['complete b {"go": ""}', 'b x1 x2 e | done'],
      ],
    },
    'WCP-11 implicit termination': {
      process: `<startEvent id="s"/>${users('a', 'b')}<endEvent id="e"/>${flows('s -> a -> e', 's -> b')}`,
      steps: [
        ['start', 's | a b'],
        ['complete a', 'a e | b'],
        ['complete b', 'b | done'],
      ],
    },
    'WCP-12 multiple instances without synchronization': {
      process: `<startEvent id="s"/><exclusiveGateway id="m"/>${users('decide')}<exclusiveGateway id="x" default="x_f"/><parallelGateway id="f"/>${users('one')}<endEvent id="e"/>${flows('s -> m -> decide -> x', 'x -> e if enough', 'x -> f -> one', 'f -> m')}`,
      variables: { enough: false },
      steps: [
        ['start', 's m | decide'],
        ['complete decide', 'decide x f m | one decide'],
        ['complete decide', 'decide x f m | one one decide'],
        ['complete decide {"enough": true}', 'decide x e | one one'],
        ['complete one#2', 'one | one'],
        ['complete one#1', 'one | done'],
      ],
    },
    'WCP-13 multiple instances known at design time': {
      process: `<startEvent id="s"/><userTask id="sign"><multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics></userTask>${users('d')}${flows('s -> sign -> d')}`,
      steps: [
        ['start', 's | sign[0] sign[1]'],
        ['complete sign[1]', 'sign[1] | sign[0]'],
        ['complete sign[0]', 'sign[0] sign | d'],
      ],
    },
    'WCP-14 multiple instances known at their start': {
      process: `<startEvent id="s"/>${users('plan')}<userTask id="do"><multiInstanceLoopCharacteristics wf:collection="parts"/></userTask>${users('d')}${flows('s -> plan -> do -> d')}`,
      steps: [
        ['start', 's | plan'],
        ['complete plan {"parts": ["x", "y"]}', 'plan | do[0] do[1]'],
        ['complete do[0]; complete do[1]', 'do[0] do[1] do | d'],
      ],
    },
    'WCP-15 multiple instances not known beforehand, in sequence': {
      process: `<startEvent id="s"/><userTask id="do"><standardLoopCharacteristics><loopCondition>more</loopCondition></standardLoopCharacteristics></userTask>${users('d')}${flows('s -> do -> d')}`,
      steps: [
        ['start', 's | do[0]'],
        ['complete do[0] {"more": true}', 'do[0] | do[1]'],
        ['complete do[1] {"more": false}', 'do[1] do | d'],
      ],
    },
    'WCP-16 deferred choice': {
      process: `<startEvent id="s"/><eventBasedGateway id="g"/><receiveTask id="yes"/><receiveTask id="no"/>${users('a', 'b')}${flows('s -> g -> yes -> a', 'g -> no -> b')}`,
      steps: [
        ['start', 's | yes no'],
        ['complete no', 'no -yes g | b'],
      ],
    },
    'WCP-18 milestone: as long as one task is open another may be done': {
      process: `<startEvent id="s"/><subProcess id="sp"><startEvent id="is"/>${users('open', 'may')}${terminateEnd('ie')}${flows('is -> open -> ie', 'is -> may')}</subProcess>${users('d')}${flows('s -> sp -> d')}`,
      steps: [
        ['start', 's is | open may'],
        ['complete open', 'open -may ie sp | d'],
        ['complete may', '(ignored) | d'],
      ],
    },
    'WCP-19 cancel task': {
      process: `<startEvent id="s"/><userTask id="a"/><boundaryEvent id="x" attachedToRef="a"><errorEventDefinition/></boundaryEvent>${users('b', 'c')}${flows('s -> a -> b', 'x -> c')}`,
      steps: [
        ['start', 's | a'],
        ['error a WITHDRAWN', '-a x | c'],
      ],
    },
    'WCP-20 cancel case': {
      process: `<startEvent id="s"/><parallelGateway id="f"/>${users('a', 'b', 'withdraw')}${terminateEnd('e')}${flows('s -> f -> a', 'f -> b', 'f -> withdraw -> e')}`,
      steps: [
        ['start', 's f | a b withdraw'],
        ['complete withdraw', 'withdraw {-a -b} e | done'],
      ],
    },
  })
})
