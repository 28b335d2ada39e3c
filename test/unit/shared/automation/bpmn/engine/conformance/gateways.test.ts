import { describe } from 'vitest'
import { flows } from '../../../../../../make/builders/processes/engine-documents.ts'
import { conforms } from './runner.ts'

describe('exclusive gateways', () => {
  const choice = `<startEvent id="s"/><exclusiveGateway id="g" default="g_c"/><userTask id="a"/><userTask id="b"/><userTask id="c"/>${flows('s -> g', 'g -> a if x > 5', 'g -> b if x > 1', 'g -> c')}`
  conforms({
    'take the first flow whose condition holds': {
      process: choice,
      variables: { x: 6 },
      steps: [['start', 's g | a']],
    },
    'skip flows whose conditions do not hold': {
      process: choice,
      variables: { x: 3 },
      steps: [
        ['start', 's g | b'],
        ['complete b', 'b | done'],
      ],
    },
    'take the default flow when no condition holds': {
      process: choice,
      variables: { x: 0 },
      steps: [['start', 's g | c']],
    },
    'fail when no condition holds and there is no default flow': {
      process: `<startEvent id="s"/><exclusiveGateway id="g" name="Urgent?"/><userTask id="a"/>${flows('s -> g', 'g -> a if x > 5')}`,
      variables: { x: 1 },
      steps: [['start', "| fails at g: No flow out of 'Urgent?' (g) holds"]],
    },
    'fail the step when a condition throws': {
      process: `<startEvent id="s"/><userTask id="u"/><exclusiveGateway id="g"/><userTask id="a"/>${flows('s -> u -> g', 'g -> a if nobody.knows')}`,
      steps: [
        ['start', 's | u'],
        ['complete u', "| fails at g: The condition of the flow 'g_a' of 'g' fails: nobody is not defined"],
        ['complete u {"nobody": {"knows": true}}', 'u g | a'],
      ],
    },
    'merge without waiting': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><exclusiveGateway id="m"/><userTask id="c"/>${flows('s -> f -> a -> m -> c', 'f -> b -> m')}`,
      steps: [
        ['start', 's f | a b'],
        ['complete a', 'a m | b c'],
        ['complete b', 'b m | c c'],
        ['complete c#1', 'c | c'],
        ['complete c#2', 'c | done'],
      ],
    },
    'accept conditions written as ${...}': {
      process: `<startEvent id="s"/><exclusiveGateway id="g"/><userTask id="a"/>${flows('s -> g', 'g -> a if ${variables.x === 1}')}`,
      variables: { x: 1 },
      steps: [['start', 's g | a']],
    },
    'see the variables that the task before them set': {
      process: `<startEvent id="s"/><userTask id="u"/><exclusiveGateway id="g" default="g_b"/><userTask id="a"/><userTask id="b"/>${flows('s -> u -> g', 'g -> a if ok', 'g -> b')}`,
      variables: { ok: false },
      steps: [
        ['start', 's | u'],
        ['complete u {"ok": true}', 'u g | a'],
      ],
    },
  })
})

describe('parallel gateways', () => {
  const both = `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><parallelGateway id="j"/><userTask id="c"/>${flows('s -> f -> a -> j -> c', 'f -> b -> j')}`
  conforms({
    'split into all flows and join them': {
      process: both,
      steps: [
        ['start', 's f | a b'],
        ['complete a', 'a | b'],
        ['complete b', 'b j | c'],
        ['complete c', 'c | done'],
      ],
    },
    'join tokens that arrive in one step': {
      process: both,
      steps: [
        ['start', 's f | a b'],
        ['complete b; complete a', 'b a j | c'],
      ],
    },
    'wait for a branch that passed an exclusive gateway': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="up"/><exclusiveGateway id="x1" default="skip"/><userTask id="low"/><exclusiveGateway id="x2"/><parallelGateway id="j"/><userTask id="after"/>${flows('s -> f -> up -> j', 'f -> x1', 'x1 -> low if true', 'x1 -> x2 as skip', 'low -> x2 -> j -> after')}`,
      steps: [
        ['start', 's f x1 | up low'],
        ['complete up', 'up | low'],
        ['complete low', 'low x2 j | after'],
      ],
    },
    'join once although the other branch of an exclusive gateway was skipped': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="up"/><exclusiveGateway id="x1" default="skip"/><userTask id="low"/><exclusiveGateway id="x2"/><parallelGateway id="j"/><userTask id="after"/>${flows('s -> f -> up -> j', 'f -> x1', 'x1 -> low if false', 'x1 -> x2 as skip', 'low -> x2 -> j -> after')}`,
      steps: [
        ['start', 's f x1 x2 | up'],
        ['complete up', 'up j | after'],
        ['complete after', 'after | done'],
      ],
    },
    'join after other joins': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="u1"/><parallelGateway id="f2"/><userTask id="u2"/><userTask id="u3"/><parallelGateway id="j2"/><parallelGateway id="j"/><userTask id="after"/>${flows('s -> f -> u1 -> j', 'f -> f2 -> u2 -> j2', 'f2 -> u3 -> j2 -> j -> after')}`,
      steps: [
        ['start', 's f f2 | u1 u2 u3'],
        ['complete u1', 'u1 | u2 u3'],
        ['complete u2', 'u2 | u3'],
        ['complete u3', 'u3 j2 j | after'],
      ],
    },
    'join again in each iteration of a loop': {
      process: `<startEvent id="s"/><exclusiveGateway id="m"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><parallelGateway id="j"/><exclusiveGateway id="x" default="x_e"/><endEvent id="e"/>${flows('s -> m -> f -> a -> j -> x -> e', 'f -> b -> j', 'x -> m if again')}`,
      variables: { again: true },
      steps: [
        ['start', 's m f | a b'],
        ['complete a', 'a | b'],
        ['complete b', 'b j x m f | a b'],
        ['complete b#2', 'b | a'],
        ['complete a#2', 'a j x m f | a b'],
        ['complete a {"again": false}', 'a | b'],
        ['complete b', 'b j x e | done'],
      ],
    },
    'consume one token of each flow and keep the others': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><userTask id="c"/><exclusiveGateway id="m"/><parallelGateway id="j"/><userTask id="after"/>${flows('s -> f -> a -> m -> j -> after', 'f -> b -> m', 'f -> c -> j')}`,
      steps: [
        ['start', 's f | a b c'],
        ['complete a', 'a m | b c'],
        ['complete b', 'b m | c'],
        ['complete c', 'c j | after'],
        ['complete after', "| fails at j: 'j' waits for tokens that can never come"],
      ],
    },
    'count two flows from one source as two': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><parallelGateway id="j"/><userTask id="after"/>${flows('s -> f', 'f -> j as one', 'f -> j as two', 'j -> after')}`,
      steps: [
        ['start', 's f j | after'],
        ['complete after', 'after | done'],
      ],
    },
    'that can never join fail the step, naming the gateway': {
      process: `<startEvent id="s"/><exclusiveGateway id="x" default="x_b"/><task id="a"/><task id="b"/><parallelGateway id="j"/>${flows('s -> x', 'x -> a if false', 'x -> b -> j', 'a -> j')}`,
      steps: [['start', "| fails at j: 'j' waits for tokens that can never come"]],
    },
    'split and join at once': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><task id="a"/><task id="b"/><parallelGateway id="j"/><userTask id="c"/><userTask id="d"/>${flows('s -> f -> a -> j -> c', 'f -> b -> j -> d')}`,
      steps: [['start', 's f a b j | c d']],
    },
  })
})

describe('inclusive gateways', () => {
  const some = `<startEvent id="s"/><inclusiveGateway id="f" default="f_c"/><userTask id="a"/><userTask id="b"/><userTask id="c"/><inclusiveGateway id="j"/><userTask id="after"/>${flows('s -> f', 'f -> a if x > 1', 'f -> b if x > 2', 'f -> c', 'a -> j', 'b -> j', 'c -> j -> after')}`
  conforms({
    'take every flow whose condition holds, and wait for exactly those': {
      process: some,
      variables: { x: 3 },
      steps: [
        ['start', 's f | a b'],
        ['complete a', 'a | b'],
        ['complete b', 'b j | after'],
        ['complete after', 'after | done'],
      ],
    },
    'wait for one branch when one was taken': {
      process: some,
      variables: { x: 2 },
      steps: [
        ['start', 's f | a'],
        ['complete a', 'a j | after'],
      ],
    },
    'take the default flow when no condition holds': {
      process: some,
      variables: { x: 0 },
      steps: [
        ['start', 's f | c'],
        ['complete c', 'c j | after'],
      ],
    },
    'fail when no condition holds and there is no default flow': {
      process: `<startEvent id="s"/><inclusiveGateway id="f"/><userTask id="a"/>${flows('s -> f', 'f -> a if false')}`,
      steps: [['start', "| fails at f: No flow out of 'f' holds"]],
    },
    'do not wait for a branch that ended elsewhere': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><exclusiveGateway id="x" default="x_e"/><endEvent id="e"/><inclusiveGateway id="j"/><userTask id="after"/>${flows('s -> f -> a -> j -> after', 'f -> b -> x -> e', 'x -> j if go')}`,
      variables: { go: false },
      steps: [
        ['start', 's f | a b'],
        ['complete a', 'a | b'],
        ['complete b', 'b x e j | after'],
      ],
    },
    'do not wait for tokens that cannot reach them': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="far"/><inclusiveGateway id="g" default="g_b"/><userTask id="a"/><userTask id="b"/><inclusiveGateway id="j"/><userTask id="after"/>${flows('s -> f -> far', 'f -> g', 'g -> a if true', 'g -> b -> j -> after', 'a -> j')}`,
      steps: [
        ['start', 's f g | far a'],
        ['complete a', 'a j | far after'],
      ],
    },
    'wait for a token several steps away': {
      process: `<startEvent id="s"/><inclusiveGateway id="f"/><userTask id="a"/><userTask id="b1"/><userTask id="b2"/><inclusiveGateway id="j"/><userTask id="after"/>${flows('s -> f', 'f -> a if true', 'f -> b1 if true', 'b1 -> b2 -> j', 'a -> j -> after')}`,
      steps: [
        ['start', 's f | a b1'],
        ['complete a', 'a | b1'],
        ['complete b1', 'b1 | b2'],
        ['complete b2', 'b2 j | after'],
      ],
    },
    'join again in each iteration of a loop': {
      process: `<startEvent id="s"/><exclusiveGateway id="m"/><inclusiveGateway id="f" default="f_b"/><userTask id="a"/><userTask id="b"/><inclusiveGateway id="j"/><exclusiveGateway id="x" default="x_e"/><endEvent id="e"/>${flows('s -> m -> f', 'f -> a if both', 'f -> b', 'a -> j', 'b -> j -> x', 'x -> m if again', 'x -> e')}`,
      variables: { both: true, again: true },
      steps: [
        ['start', 's m f | a'],
        ['complete a {"both": false}', 'a j x m f | b'],
        ['complete b {"again": false}', 'b j x e | done'],
      ],
    },
    'wait for a token that a timer boundary event may still send': {
      process: `<startEvent id="s"/><inclusiveGateway id="f"/><userTask id="a"/><userTask id="b"/><boundaryEvent id="t" attachedToRef="b"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent><endEvent id="e"/><inclusiveGateway id="j"/><userTask id="after"/>${flows('s -> f', 'f -> a if true', 'f -> b if true', 'a -> j -> after', 'b -> e', 't -> j')}`,
      steps: [
        ['start', 's f | a b t@01:00'],
        ['complete a', 'a | b t@01:00'],
        ['timer t', '-b t j | after'],
      ],
    },
    'join after an inclusive join that is waiting itself': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><userTask id="c"/><inclusiveGateway id="j1"/><inclusiveGateway id="j2"/><userTask id="after"/>${flows('s -> f -> a -> j1 -> j2 -> after', 'f -> b -> j1', 'f -> c -> j2')}`,
      steps: [
        ['start', 's f | a b c'],
        ['complete c', 'c | a b'],
        ['complete a', 'a | b'],
        ['complete b', 'b j1 j2 | after'],
      ],
    },
    'with a single incoming flow pass through at once': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><inclusiveGateway id="g"/><userTask id="b"/>${flows('s -> f -> a', 'f -> g', 'g -> b if true')}`,
      steps: [['start', 's f g | a b']],
    },
  })
})

describe('event-based gateways', () => {
  const race = `<startEvent id="s"/><eventBasedGateway id="g"/><intermediateCatchEvent id="m"><messageEventDefinition/></intermediateCatchEvent><intermediateCatchEvent id="t"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></intermediateCatchEvent><receiveTask id="r"/><userTask id="answered"/><userTask id="late"/><userTask id="other"/>${flows('s -> g -> m -> answered', 'g -> t -> late', 'g -> r -> other')}`
  conforms({
    'continue with the message and cancel the other events': {
      process: race,
      steps: [
        ['start', 's | m t@01:00 r'],
        ['complete m', 'm -t -r g | answered'],
        ['timer t', '(ignored) | answered'],
      ],
    },
    'continue with the timer': {
      process: race,
      steps: [
        ['start', 's | m t@01:00 r'],
        ['timer t @01:00', 't -m -r g | late'],
      ],
    },
    'continue with the receive task': {
      process: race,
      steps: [
        ['start', 's | m t@01:00 r'],
        ['complete r', 'r -m -t g | other'],
      ],
    },
    'let the first of two events in one step win': {
      process: race,
      steps: [
        ['start', 's | m t@01:00 r'],
        ['complete m; timer t', '(ignored) m -t -r g | answered'],
      ],
    },
    'wait for all events again when they are reached again': {
      process: `<startEvent id="s"/><exclusiveGateway id="x"/><eventBasedGateway id="g"/><intermediateCatchEvent id="m"><messageEventDefinition/></intermediateCatchEvent><intermediateCatchEvent id="t"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></intermediateCatchEvent><endEvent id="e"/>${flows('s -> x -> g -> m -> e', 'g -> t -> x')}`,
      steps: [
        ['start', 's x | m t@01:00'],
        ['timer t @01:00', 't -m g x | m t@02:00'],
        ['complete m#1', '(ignored) | m t@02:00'],
        ['complete m', 'm -t g e | done'],
      ],
    },
  })
})

describe('complex gateways', () => {
  const activation = (text: string): string =>
    `<activationCondition xsi:type="tFormalExpression">${text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</activationCondition>`
  const three = (condition: string, more = ''): string =>
    `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><userTask id="c"/><complexGateway id="g"${more}>${condition}</complexGateway><userTask id="z"/>${flows('s -> f -> a -> g -> z', 'f -> b -> g', 'f -> c -> g')}`
  conforms({
    'continue with the first token, and let the others end': {
      process: three(activation('activationCount >= 1')),
      steps: [
        ['start', 's f | a b c'],
        ['complete b', 'b g | a c z'],
        ['complete z', 'z | a c'],
        ['complete a', 'a | c'],
        ['complete c', 'c | done'],
      ],
    },
    'continue when enough tokens have come': {
      process: three(activation('activationCount >= 2')),
      steps: [
        ['start', 's f | a b c'],
        ['complete a', 'a | b c'],
        ['complete c', 'c g | b z'],
        ['complete b', 'b | z'],
        ['complete z', 'z | done'],
      ],
    },
    'continue once although all tokens come in one step': {
      process: three(activation('activationCount >= 2')),
      steps: [
        ['start', 's f | a b c'],
        ['complete a; complete b; complete c', 'a b g c | z'],
      ],
    },
    'ask again with each token': {
      process: three(activation('enough && activationCount >= 2')),
      variables: { enough: false },
      steps: [
        ['start', 's f | a b c'],
        ['complete a', 'a | b c'],
        ['complete b', 'b | c'],
        ['complete c {"enough": true}', 'c g | z'],
      ],
    },
    'take the flows whose condition holds, or their default': {
      process: `<startEvent id="s"/><complexGateway id="g" default="g_c"/><userTask id="a"/><userTask id="b"/><userTask id="c"/>${flows('s -> g', 'g -> a if x > 1', 'g -> b if x > 2', 'g -> c')}`,
      variables: { x: 3 },
      steps: [['start', 's g | a b']],
    },
    'take their default flow when no condition holds': {
      process: `<startEvent id="s"/><complexGateway id="g" default="g_c"/><userTask id="a"/><userTask id="c"/>${flows('s -> g', 'g -> a if x > 1', 'g -> c')}`,
      variables: { x: 0 },
      steps: [['start', 's g | c']],
    },
    'fail when no condition holds and there is no default flow': {
      process: `<startEvent id="s"/><complexGateway id="g"/><userTask id="a"/>${flows('s -> g', 'g -> a if false')}`,
      steps: [['start', "| fails at g: No flow out of 'g' holds"]],
    },
    'tell by another flow when the last token has come': {
      process: `${three(activation('activationCount >= 1')).replace('<sequenceFlow id="g_z"', '<userTask id="y"/><sequenceFlow id="g_y" sourceRef="g" targetRef="y"><conditionExpression xsi:type="tFormalExpression">!waitingForStart</conditionExpression></sequenceFlow>$&')}`,
      steps: [
        ['start', 's f | a b c'],
        ['complete a', 'a g | b c z'],
        ['complete b', 'b | c z'],
        ['complete c', 'c | z y'],
      ],
    },
    'begin again in each iteration of a loop': {
      process: `<startEvent id="s"/><exclusiveGateway id="m"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><complexGateway id="g">${activation('activationCount >= 1')}</complexGateway><userTask id="z"/><exclusiveGateway id="x" default="x_e"/><endEvent id="e"/>${flows('s -> m -> f -> a -> g -> z -> x -> e', 'f -> b -> g', 'x -> m if again')}`,
      variables: { again: true },
      steps: [
        ['start', 's m f | a b'],
        ['complete a', 'a g | b z'],
        ['complete b', 'b | z'],
        ['complete z', 'z x m f | a b'],
        ['complete b', 'b g | a z'],
        ['complete z {"again": false}', 'z x e | a'],
        ['complete a', 'a | done'],
      ],
    },
    'do not wait for a branch that ended elsewhere': {
      process: `<startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><exclusiveGateway id="x" default="x_e"/><endEvent id="e"/><complexGateway id="g">${activation('activationCount >= 1')}</complexGateway><userTask id="z"/>${flows('s -> f -> a -> g -> z', 'f -> b -> x -> e', 'x -> g if false')}`,
      steps: [
        ['start', 's f | a b'],
        ['complete a', 'a g | b z'],
        ['complete b', 'b x e | z'],
        ['complete z', 'z | done'],
      ],
    },
    'without a condition wait for all that can still come': {
      process: three(''),
      steps: [
        ['start', 's f | a b c'],
        ['complete a; complete b', 'a b | c'],
        ['complete c', 'c g | z'],
      ],
    },
    'that can never continue fail the step': {
      process: three(activation('activationCount > 3')),
      steps: [
        ['start', 's f | a b c'],
        ['complete a; complete b', 'a b | c'],
        ['complete c', "| fails at g: 'g' waits for tokens that can never come"],
      ],
    },
    'end with their sub-process while they wait': {
      process: `<startEvent id="s"/><subProcess id="p"><startEvent id="ps"/><parallelGateway id="f"/><userTask id="a"/><userTask id="b"/><complexGateway id="g">${activation('activationCount >= 1')}</complexGateway><endEvent id="pe"><terminateEventDefinition/></endEvent>${flows('ps -> f -> a -> g -> pe', 'f -> b -> g')}</subProcess><userTask id="z"/>${flows('s -> p -> z')}`,
      steps: [
        ['start', 's ps f | a b'],
        ['complete a', 'a g -b pe p | z'],
      ],
    },
  })
})
