import fc from 'fast-check'
import { describe, test } from 'vitest'
import { BpmnError } from '../../../../../../shared/automation/bpmn/schema.ts'
import { flows } from '../../../../../make/builders/processes/engine-documents.ts'
import { anyBlock, drawProcess, type Block } from '../../../../../make/builders/processes/process-blocks.ts'
import { runs } from '../../../../../make/depth.ts'
import type { Scenario, Variables } from '../../../../../make/oracles/bpmn-engine.ts'
import { runBoth, runInEveryOrder } from './run-both.ts'

/*
 * bpmn-engine is independent of our engine, so what both do is likely what BPMN says. Not tested is what bpmn-engine
 * 25.0.1 gets wrong (clauses of BPMN 2.0.2):
 * - inclusive joins of several tokens: it does not wait for the others (13.4.3)
 * - several tokens that arrive at one activity: it runs the activity once, not once per token (13.3.1)
 * - error end events that are not caught, or caught two levels up: it completes their sub-process (13.5.6)
 * - event sub-processes that start with an error: it does not start them (13.5.4)
 * - timers: it uses the clock of this machine
 */

const tasks = (...ids: readonly string[]): string => ids.map((id) => `<userTask id="${id}"/>`).join('')
const gateways = (kind: string, ...ids: readonly string[]): string =>
  ids.map((id) => `<${kind}Gateway id="${id}"/>`).join('')
const sub = (id: string, content: string): string => `<subProcess id="${id}">${content}</subProcess>`
const start = (id = 's'): string => `<startEvent id="${id}"/>`
const end = (id: string, definition = ''): string => `<endEvent id="${id}">${definition}</endEvent>`
const terminate = '<terminateEventDefinition/>'
const error = (ref?: string): string => `<errorEventDefinition${ref === undefined ? '' : ` errorRef="${ref}"`}/>`
const border = (id: string, host: string, ref?: string): string =>
  `<boundaryEvent id="${id}" attachedToRef="${host}">${error(ref)}</boundaryEvent>`
const message = (id: string, ref: string): string =>
  `<intermediateCatchEvent id="${id}"><messageEventDefinition messageRef="${ref}"/></intermediateCatchEvent>`
const times = (total: number, isSequential: boolean, until = ''): string =>
  `<multiInstanceLoopCharacteristics isSequential="${isSequential}"><loopCardinality>${total}</loopCardinality>${until}</multiInstanceLoopCharacteristics>`
const roots =
  '<error id="E" errorCode="REJECTED"/><error id="F" errorCode="LATE"/><message id="M" name="m"/><message id="N" name="n"/>'

const fails = (code: string) => (): never => {
  throw new BpmnError(code, 'said so')
}
const risky = `${start()}<serviceTask id="w"/>${border('c', 'w', 'E')}${border('d', 'w', 'F')}${tasks('ok', 'bad', 'late')}${flows('s -> w -> ok', 'c -> bad', 'd -> late')}`
const count = ({ n }: Variables): Variables => ({ n: Number(n) + 1 })
const someX: readonly Variables[] = [0, 1, 2, 3].map((x) => ({ x }))

/** `given`: each entry is a run with these variables. */
const scenarios: Readonly<Record<string, Scenario & { readonly given?: readonly Variables[] }>> = {
  'tasks for machines and people run in sequence': {
    process: `${start()}<serviceTask id="a"/><sendTask id="b"/><scriptTask id="c"/><businessRuleTask id="d"/><task id="t"/><manualTask id="m"/><receiveTask id="r" messageRef="M"/><userTask id="u"/>${end('e')}${flows('s -> a -> b -> c -> d -> t -> m -> r -> u -> e')}`,
    roots,
  },
  'a process begins at the node without incoming flows': { process: tasks('a', 'b') + flows('a -> b') },
  'events without a kind and links pass through': {
    process: `${start()}<intermediateThrowEvent id="t"/><intermediateThrowEvent id="go"><linkEventDefinition name="L"/></intermediateThrowEvent><intermediateCatchEvent id="come"><linkEventDefinition name="L"/></intermediateCatchEvent>${tasks('a')}${flows('s -> t -> go', 'come -> a')}`,
  },
  'an exclusive gateway takes the first flow whose condition holds, or its default': {
    process: `${start()}<exclusiveGateway id="g" default="g_c"/>${tasks('a', 'b', 'c')}${flows('s -> g', 'g -> c', 'g -> a if x > 2', 'g -> b if x > 1')}`,
    given: someX,
  },
  'an exclusive gateway fails when no condition holds': {
    process: `${start()}${tasks('u', 'a')}${gateways('exclusive', 'g')}${flows('s -> u -> g', 'g -> a if x > 1')}`,
    given: someX,
  },
  'a condition that throws fails': {
    process: `${start()}${tasks('u', 'a')}${gateways('exclusive', 'g')}${flows('s -> u -> g', 'g -> a if nobody.knows')}`,
  },
  'conditions see the variables of work and answers': {
    process: `${start()}<serviceTask id="w"/>${tasks('u', 'a', 'b')}<exclusiveGateway id="g" default="g_b"/>${flows('s -> w -> u -> g', 'g -> a if x + y === 3', 'g -> b')}`,
    work: { w: ({ x }) => ({ x: Number(x) + 1 }) },
    answers: { u: { y: 1 } },
    given: someX,
  },
  'a parallel join waits for all branches': {
    process: `${start()}${gateways('parallel', 'f', 'j')}${tasks('a', 'b', 'c', 'z')}${flows('s -> f -> a -> j -> z', 'f -> b -> j', 'f -> c -> j')}`,
  },
  'a parallel join counts two flows from one source as two': {
    process: `${start()}${gateways('parallel', 'f', 'j')}${tasks('z')}${flows('s -> f', 'f -> j as one', 'f -> j as two', 'j -> z')}`,
  },
  'a parallel gateway joins and splits at once': {
    process: `${start()}${gateways('parallel', 'f', 'j')}${tasks('a', 'b', 'c', 'd')}${flows('s -> f -> a -> j -> c', 'f -> b -> j -> d')}`,
  },
  'parallel joins can follow each other': {
    process: `${start()}${gateways('parallel', 'f', 'g', 'k', 'j')}${tasks('a', 'b', 'c', 'd', 'z')}${flows('s -> f -> a -> j -> z', 'f -> g -> b -> k -> j', 'g -> c -> d -> k')}`,
  },
  'a parallel join waits once for a branch with an exclusive gateway': {
    process: `${start()}${gateways('parallel', 'f', 'j')}${tasks('a', 'b', 'c', 'z')}${gateways('exclusive', 'g', 'm')}${flows('s -> f -> a -> j -> z', 'f -> g', 'g -> b if x > 1', 'g -> c if x === 1', 'g -> m if true', 'b -> m', 'c -> m -> j')}`,
    given: someX,
  },
  'an inclusive gateway takes every flow whose condition holds, or its default': {
    process: `${start()}<inclusiveGateway id="f" default="f_c"/>${tasks('a', 'b', 'c')}${end('e')}${flows('s -> f', 'f -> c -> e', 'f -> a if x > 1', 'f -> b if x > 2')}`,
    given: someX,
  },
  'an activity takes every flow whose condition holds, or its default': {
    process: `${start()}<userTask id="u" default="u_c"/>${tasks('a', 'b', 'c')}${flows('s -> u -> c', 'u -> a if x > 1', 'u -> b if x > 2')}`,
    given: someX,
  },
  'an activity takes every flow without a condition': {
    process: `${start()}${tasks('u', 'a', 'b', 'c')}${flows('s -> u -> c', 'u -> a if x > 1', 'u -> b')}`,
    given: someX,
  },
  'the first message decides at an event-based gateway': {
    process: `${start()}${gateways('eventBased', 'g')}${message('m', 'M')}${message('n', 'N')}${tasks('a', 'b')}${flows('s -> g -> m -> a', 'g -> n -> b')}`,
    roots,
  },
  'a process is completed when its last end event is reached': {
    process: `${start()}${gateways('parallel', 'f')}${tasks('a', 'b')}<exclusiveGateway id="g" default="g_e2"/>${end('e1')}${end('e2')}${end('e3')}${flows('s -> f -> a -> g', 'g -> e1 if x > 1', 'g -> e2', 'f -> b -> e3')}`,
    given: someX,
  },
  'a terminate end ends everything': {
    process: `${start()}${gateways('parallel', 'f')}${tasks('a', 'b', 'c')}${end('x', terminate)}${end('y')}${flows('s -> f -> a -> x', 'f -> b -> c -> y')}`,
  },
  'a terminate end ends its sub-process only': {
    process: `${start()}${gateways('parallel', 'h')}${sub('p', start('ps') + gateways('parallel', 'f') + tasks('a', 'b') + end('x', terminate) + flows('ps -> f -> a -> x', 'f -> b'))}${tasks('z', 'o')}${flows('s -> h -> p -> z', 'h -> o')}`,
  },
  'nested sub-processes are completed from the inside out': {
    process: `${start()}${sub('p', start('ps') + sub('q', start('qs') + gateways('parallel', 'f') + tasks('a', 'b') + end('e1') + end('e2') + flows('qs -> f -> a -> e1', 'f -> b -> e2')) + tasks('c') + flows('ps -> q -> c'))}${tasks('z')}${flows('s -> p -> z')}`,
  },
  'parallel sub-processes are joined': {
    process: `${start()}${gateways('parallel', 'f', 'j')}${['p', 'q'].map((p) => sub(p, start(`${p}s`) + tasks(`${p}1`, `${p}2`) + flows(`${p}s -> ${p}1 -> ${p}2`))).join('')}${tasks('z')}${flows('s -> f -> p -> j -> z', 'f -> q -> j')}`,
  },
  'work without an error continues': { process: risky, roots },
  'an error of work is caught by its boundary event': { process: risky, roots, work: { w: fails('REJECTED') } },
  'an error of work is caught by its code': { process: risky, roots, work: { w: fails('LATE') } },
  'an error that is not caught fails': { process: risky, roots, work: { w: fails('OTHER') } },
  'a boundary event without a code catches any error': {
    process: `${start()}<serviceTask id="w"/>${border('c', 'w')}${tasks('ok', 'bad')}${flows('s -> w -> ok', 'c -> bad')}`,
    work: { w: fails('OTHER') },
  },
  'an error ends the whole sub-process whose boundary event catches it': {
    process: `${start()}${sub('p', `${start('ps')}${gateways('parallel', 'f')}${tasks('a', 'b')}<serviceTask id="w"/>${flows('ps -> f -> a -> w', 'f -> b')}`)}${border('c', 'p', 'E')}${tasks('ok', 'bad')}${flows('s -> p -> ok', 'c -> bad')}`,
    roots,
    work: { w: fails('REJECTED') },
  },
  'an error end event is caught by the boundary event of its sub-process': {
    process: `${start()}${sub('p', start('ps') + gateways('parallel', 'f') + gateways('exclusive', 'g') + tasks('a', 'b') + end('y') + end('x', error('E')) + flows('ps -> f -> a -> g', 'g -> x if x > 1', 'g -> y if true', 'f -> b -> y'))}${border('c', 'p', 'E')}${tasks('ok', 'bad')}${flows('s -> p -> ok', 'c -> bad')}`,
    roots,
    given: someX,
  },
  'a task runs several times in parallel': {
    process: `${start()}<userTask id="v">${times(3, false)}</userTask>${tasks('z')}${flows('s -> v -> z')}`,
  },
  'a task runs several times in sequence, or never': {
    process: `${start()}<userTask id="u">${times(0, true)}</userTask><userTask id="v">${times(3, true)}</userTask><serviceTask id="w">${times(2, true)}</serviceTask>${tasks('z')}${flows('s -> u -> v -> w -> z')}`,
  },
  'a task runs until its completion condition holds': {
    process: `${start()}<userTask id="v">${times(3, true, '<completionCondition xsi:type="tFormalExpression">enough</completionCondition>')}</userTask>${tasks('z')}${flows('s -> v -> z')}`,
    answers: { v: { enough: true } },
    given: [{ enough: false }],
  },
  'a sub-process runs several times': {
    process: `${start()}${[true, false].map((isSequential, i) => sub(`p${i}`, times(2, isSequential) + start(`ps${i}`) + tasks(`a${i}`, `b${i}`) + flows(`ps${i} -> a${i} -> b${i}`))).join('')}${tasks('z')}${flows('s -> p0 -> p1 -> z')}`,
  },
  'branches are joined again in each iteration of a loop': {
    process: `${start()}${gateways('exclusive', 'm')}${gateways('parallel', 'f', 'j')}${tasks('a', 'b', 'z')}<scriptTask id="t"/><exclusiveGateway id="g" default="g_z"/>${flows('s -> m -> f -> a -> j -> t -> g -> z', 'f -> b -> j', 'g -> m if n < 3')}`,
    work: { t: count },
    given: [{ n: 0 }],
  },
}

describe('same steps as bpmn-engine in every order of completion:', () => {
  for (const [sentence, { given = [{}], ...scenario }] of Object.entries(scenarios))
    test(`${sentence}`, async () => {
      for (const variables of given) await runInEveryOrder({ ...scenario, variables })
    })
})

/** Changes a block so that bpmn-engine can run it: work succeeds, and inclusive gateways take one flow. */
function tame(block: Block): Block {
  if (block.kind === 'work') return { ...block, fails: 0 }
  if ('body' in block) return { ...block, body: tame(block.body) }
  if (!('parts' in block)) return block
  const parts = block.parts.map(tame)
  if (block.kind !== 'inclusive') return { ...block, parts }
  const one = block.taken.indexOf(true, 1)
  return { ...block, parts, taken: block.taken.map((_, i) => i === one) }
}

const loopsIn = (block: Block): string[] => [
  ...(block.kind === 'loop' ? [block.id] : []),
  ...('parts' in block ? block.parts : 'body' in block ? [block.body] : []).flatMap(loopsIn),
]

test('any process of blocks takes the same steps as in bpmn-engine', async () => {
  await fc.assert(
    fc.asyncProperty(anyBlock.map(tame), fc.infiniteStream(fc.nat(1_000)), async (block, choices) => {
      const work = loopsIn(block).flatMap((id): [string, (variables: Variables) => Variables][] => [
        [`${id}_begin`, () => ({ [id]: 0 })],
        [`${id}_turn`, (variables) => ({ [id]: Number(variables[id]) + 1 })],
      ])
      const scenario = { process: drawProcess(block), work: Object.fromEntries(work) }
      await runBoth(scenario, (many) => (choices.next().value as number) % many)
    }),
    { numRuns: runs(120), seed: 20260503 },
  )
})

const anyDecision = fc
  .record({
    source: fc.constantFrom('exclusiveGateway', 'inclusiveGateway', 'userTask'),
    conditions: fc.array(fc.constantFrom('x > 1', 'x < y', 'y === 2', '!x', 'x && y', ''), {
      minLength: 1,
      maxLength: 4,
    }),
    byDefault: fc.option(fc.nat(3), { nil: -1 }),
    x: fc.nat(3),
    y: fc.nat(3),
  })
  .map(({ conditions, byDefault, ...rest }) => ({
    ...rest,
    byDefault: conditions.length > 1 && byDefault < conditions.length ? byDefault : -1,
    conditions: conditions.map((condition, i) => (i === byDefault ? '' : condition)),
  }))
  // bpmn-engine takes no default flow when there are unconditional flows, although these are always taken (13.3.1).
  .filter(
    ({ source, conditions, byDefault }) =>
      !(source === 'userTask' && byDefault >= 0 && conditions.some((each, i) => each === '' && i !== byDefault)),
  )

test('any gateway decides as in bpmn-engine', async () => {
  await fc.assert(
    fc.asyncProperty(anyDecision, async ({ source, conditions, byDefault, x, y }) => {
      const ways = conditions.map((condition, i) => `d -> t${i}${condition === '' ? '' : ` if ${condition}`}`)
      const preferred = byDefault < 0 ? '' : ` default="d_t${byDefault}"`
      const process = `${start()}${tasks('u', ...conditions.map((_, i) => `t${i}`))}<${source} id="d"${preferred}/>${flows('s -> u -> d', ...ways)}`
      await runBoth({ process, variables: { x, y: 0 }, answers: { u: { y } } }, () => 0)
    }),
    { numRuns: runs(120), seed: 20260504 },
  )
})
