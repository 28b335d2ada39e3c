import { describe, expect, it, test } from 'vitest'
import { migrateState } from '../../../../../../shared/automation/bpmn/changes/migrate-state.ts'
import { modifyTokens, type TokenChange } from '../../../../../../shared/automation/bpmn/changes/modify-tokens.ts'
import { graphOf } from '../../../../../../shared/automation/bpmn/engine/graph-of.ts'
import { advanceProcess, startProcess } from '../../../../../../shared/automation/bpmn/process.ts'
import type { Advance, EngineHost, EngineState, Wait } from '../../../../../../shared/automation/bpmn/schema.ts'
import { compileOnly, flows } from '../../../../../make/builders/processes/engine-documents.ts'

type Compiled = Awaited<ReturnType<typeof compileOnly>>

const host: EngineHost = { now: () => 0, evaluate: async () => 3, perform: async () => undefined }
const users = (...ids: readonly string[]): string => ids.map((id) => `<userTask id="${id}"/>`).join('')
const timer = '<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>'
const late = (on: string) =>
  `<boundaryEvent id="late" attachedToRef="${on}">${timer}</boundaryEvent><userTask id="chase"/>`
const threeTimes =
  '<multiInstanceLoopCharacteristics><loopCardinality>3</loopCardinality></multiInstanceLoopCharacteristics>'

const inARow = `<startEvent id="s"/>${users('a', 'b', 'c')}${flows('s -> a -> b -> c')}`
const inside = `<startEvent id="s"/>${users('a', 'z')}<subProcess id="sub"><startEvent id="si"/>${users('x', 'y')}${flows('si -> x -> y')}</subProcess>${flows('s -> a -> sub -> z')}`
const parallel = `<startEvent id="s"/><parallelGateway id="f"/>${users('a', 'b', 'd')}<parallelGateway id="j"/>${flows('s -> f -> a -> j -> d', 'f -> b -> j')}`
const several = `<startEvent id="s"/>${users('a', 'z')}<userTask id="m">${threeTimes}</userTask>${flows('s -> a -> m -> z')}`
const passes = `<startEvent id="s"/>${users('a', 'z')}<subProcess id="sub">${threeTimes}<startEvent id="si"/>${users('x', 'y')}${flows('si -> x -> y')}</subProcess>${flows('s -> a -> sub -> z')}`
const bordered = `<startEvent id="s"/>${users('a', 'b')}${late('a')}${flows('s -> a -> b', 'late -> chase')}`
const withEventBody = `<startEvent id="s"/>${users('a', 'b')}<subProcess id="alarm" triggeredByEvent="true"><startEvent id="when">${timer}</startEvent>${users('x', 'y')}${flows('when -> x -> y')}</subProcess>${flows('s -> a -> b')}`
const gate = `<startEvent id="s"/><eventBasedGateway id="g"/><intermediateCatchEvent id="t">${timer}</intermediateCatchEvent><intermediateCatchEvent id="u">${timer}</intermediateCatchEvent>${users('a', 'b')}${flows('s -> g -> t -> a', 'g -> u -> b')}`

const namesOf = (waits: readonly Wait[]): string =>
  waits
    .map(({ elementId }) => elementId)
    .toSorted()
    .join(' ')

/** Starts a process and completes elements, one token of each name; a timer fires. */
async function reached(compiled: Compiled, ...elements: readonly string[]): Promise<Advance> {
  let now = await startProcess(compiled, host, {})
  for (const element of elements) now = await completeOne(compiled, now, element)
  return now
}

function completeOne(compiled: Compiled, { state, waits }: Advance, element: string): Promise<Advance> {
  const wait = waits.find(({ elementId }) => elementId === element)
  if (wait === undefined) throw new Error(`nothing waits at ${element}`)
  const { executionId } = wait
  return advanceProcess(compiled, host, state, [
    wait.kind === 'timer' ? { kind: 'timer', executionId } : { kind: 'complete', executionId },
  ])
}

const carriedOn = (compiled: Compiled, state: EngineState): Promise<Advance> =>
  advanceProcess(compiled, host, state, [])

/** Completes whatever waits, tasks first, until the process ends. Answers how often what was completed. */
async function runToEnd(compiled: Compiled, from: Advance): Promise<string> {
  const done: string[] = []
  let now = from
  for (let steps = 0; now.status !== 'completed'; steps += 1) {
    const next = now.waits.find(({ kind }) => kind === 'task') ?? now.waits[0]
    if (next === undefined || now.status === 'failed' || steps > 50)
      throw new Error(`the process does not end: ${JSON.stringify([now.status, now.waits, done])}`)
    done.push(next.elementId)
    now = await completeOne(compiled, now, next.elementId)
  }
  return done.join(' ')
}

const change = (text: string): TokenChange => {
  const parts = text.split(', ')
  return {
    move: parts
      .filter((one) => one.includes(' to '))
      .map((one) => ({ from: one.split(' to ')[0] as string, to: one.split(' to ')[1] as string })),
    cancel: parts.filter((one) => one.startsWith('cancel ')).map((one) => one.slice('cancel '.length)),
  }
}

describe('moves that are accepted', () => {
  test.each([
    ['forwards', inARow, [], 'a to c', 'c', 'c'],
    ['backwards', inARow, ['a', 'b'], 'c to a', 'a', 'a b c'],
    ['to itself', inARow, [], 'a to a', 'a', 'a b c'],
    ['into a sub-process', inside, [], 'a to y', 'y', 'y z'],
    ['out of a sub-process, which ends', inside, ['a'], 'x to z', 'z', 'z'],
    ['within a sub-process', inside, ['a'], 'x to y', 'y', 'y z'],
    ['to a sub-process as a whole', inside, [], 'a to sub', 'x', 'x y z'],
    ['of a sub-process as a whole', inside, ['a', 'x'], 'sub to a', 'a', 'a x y z'],
    ['of what has arrived at a join', parallel, ['a'], 'j to a', 'a b', 'b a d'],
    ['of the branch that a half arrived join waits for, onto its other one', parallel, ['a'], 'b to b', 'b', 'b d'],
    ['of a multi-instance activity as a whole', several, ['a', 'm'], 'm to z', 'z', 'z'],
    ['to a multi-instance activity', several, [], 'a to m', 'm m m', 'm m m z'],
    ['of all passes of a sub-process', passes, ['a', 'x'], 'sub to z', 'z', 'z'],
    ['of a task with a timer on its border, which ends', bordered, [], 'a to b', 'b', 'b'],
    ['to a task with a timer on its border, which begins', bordered, ['a'], 'b to a', 'a late', 'a b'],
    ['within an event sub-process that runs', withEventBody, ['when'], 'x to y', 'y', 'y'],
    ['of an event-based gateway with its events', gate, [], 'g to b', 'b', 'b'],
    ['of one branch, and the end of the other', parallel, [], 'a to d, cancel b', 'd', 'd'],
  ] as const)('%s', async (_, process, before, text, waits, rest) => {
    const compiled = await compileOnly(process)
    const { state } = await reached(compiled, ...before)
    const changed = modifyTokens(compiled, state, change(text), 0)
    expect(changed.problems).toEqual([])
    const next = await carriedOn(compiled, changed.state)
    expect(namesOf(next.waits)).toBe(waits)
    expect(await runToEnd(compiled, next)).toBe(rest)
  })
})

it('a token that is moved past a join leaves the other branch to be cancelled, and says so when that arrives', async () => {
  const compiled = await compileOnly(parallel)
  const { state } = await reached(compiled)
  const changed = modifyTokens(compiled, state, change('a to d'), 0)
  const past = await completeOne(compiled, await carriedOn(compiled, changed.state), 'd')
  const stuck = await completeOne(compiled, past, 'b')
  expect([stuck.status, stuck.failure?.message]).toEqual([
    'failed',
    expect.stringContaining('waits for tokens that can never come'),
  ])
})

describe('moves that are refused', () => {
  test.each([
    ['an element without a token', inARow, [], 'b to c', 'move.0.from', 'No token is at b. Did you mean a?'],
    ['an element that does not exist', inARow, [], 'a to cc', 'move.0.to', 'Did you mean c?'],
    ['a flow', inARow, [], 'a to b_c', 'move.0.to', 'b_c is a flow: name the element that it leads to, c.'],
    ['the same element twice', inARow, [], 'a to b, cancel a', 'cancel.0', 'a is named twice'],
    ['the last token', inARow, [], 'cancel a', 'cancel', 'Nothing would be left of the process'],
    ['an event on a border', bordered, [], 'a to late', 'move.0.to', 'late is on the border of a'],
    ['a join', parallel, [], 'a to j', 'move.0.to', 'j joins 2 flows'],
    ['one pass of several', passes, ['a'], 'x to z', 'move.0.to', 'outside of one pass of sub'],
    [
      'into one of several passes',
      passes,
      [],
      'a to y',
      'move.0.to',
      'sub, which runs several times: move to sub itself',
    ],
    ['an event sub-process', withEventBody, [], 'a to alarm', 'move.0.to', 'is started by its event alone'],
    [
      'into an event sub-process that does not run',
      withEventBody,
      [],
      'a to x',
      'move.0.to',
      'cannot be begun from outside',
    ],
    ['an event of an event-based gateway', gate, [], 't to a', 'move.0.from', 't waits with the gateway g'],
    ['what is inside of what moves', inside, ['a'], 'sub to a, cancel x', 'cancel.0', 'x is inside of sub'],
  ] as const)('of %s', async (_, process, before, text, path, message) => {
    const compiled = await compileOnly(process)
    const { state } = await reached(compiled, ...before)
    const { problems } = modifyTokens(compiled, state, change(text), 0)
    expect(problems.map((one) => one.path)).toContain(path)
    expect(problems.map((one) => one.message).join('\n')).toContain(message)
  })
})

describe('whatever move is accepted', () => {
  const processes = { inARow, inside, several, passes, bordered, withEventBody, gate }
  it.each(Object.entries(processes))('%s loses and doubles no token, and ends', async (_, process) => {
    const compiled = await compileOnly(process)
    let accepted = 0
    for (const state of await allStates(compiled)) {
      const standing = [...new Set(state.waits.map(({ elementId }) => elementId))]
      for (const from of standing)
        for (const [to, { type }] of graphOf(compiled).nodes) {
          const changed = modifyTokens(compiled, state.state, { move: [{ from, to }], cancel: [] }, 0)
          if (changed.problems.length > 0) continue
          accepted += 1
          const next = await carriedOn(compiled, changed.state)
          // What enters something else, or a loop, does not become one task for each token.
          const isComparable = type === 'userTask' && from !== 'm' && to !== 'm'
          const others = tasks(state.waits).filter((one) => one !== from)
          const moved = state.waits.filter(({ elementId }) => elementId === from).map(() => to)
          expect(tasks(next.waits), `${from} to ${to}`).toEqual(
            isComparable ? [...others, ...moved].toSorted() : tasks(next.waits),
          )
          if (next.status !== 'completed') await runToEnd(compiled, next)
        }
    }
    expect(accepted).toBeGreaterThan(0)
  })

  const tasks = (waits: readonly Wait[]): string[] =>
    waits
      .filter(({ kind }) => kind === 'task')
      .map(({ elementId }) => elementId)
      .toSorted()

  /** Every state of a process, by what it waits for. */
  async function allStates(compiled: Compiled): Promise<readonly Advance[]> {
    const states = new Map<string, Advance>()
    const open = [await startProcess(compiled, host, {})]
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (one.status === 'completed' || states.has(namesOf(one.waits))) continue
      states.set(namesOf(one.waits), one)
      for (const { elementId } of one.waits) open.push(await completeOne(compiled, one, elementId))
    }
    return [...states.values()]
  }
})

describe('migrations', () => {
  test.each([
    ['that changes nothing', inARow, inARow, ['a'], {}, 'b', 'b c'],
    ['with a renamed task', inARow, inARow.replaceAll('"b"', '"bb"'), ['a'], { b: 'bb' }, 'bb', 'bb c'],
    ['with a renamed sub-process', inside, inside.replaceAll('"sub"', '"box"'), ['a', 'x'], { sub: 'box' }, 'y', 'y z'],
    ['with a join that has half arrived', parallel, parallel, ['a'], {}, 'b', 'b d'],
    ['with a loop that has begun', several, several, ['a', 'm'], {}, 'm m', 'm m z'],
    ['with passes of a sub-process', passes, passes, ['a', 'x'], {}, 'x x y', 'x x y y y z'],
    [
      'to a timer on the border',
      bordered.replace(timer, timer.replace('PT1H', 'PT9H')),
      bordered,
      [],
      {},
      'a late',
      'a b',
    ],
    ['in an event sub-process', withEventBody, withEventBody, ['when'], {}, 'x', 'x y'],
  ] as const)('%s', async (_, from, to, before, mapping, waits, rest) => {
    const [old, next] = [await compileOnly(from), await compileOnly(to)]
    const { state } = await reached(old, ...before)
    const changed = migrateState(old, next, state, { mapping, version: 2, nowMs: 0 })
    expect(changed.problems).toEqual([])
    if (!('state' in changed)) throw new Error('the migration has no state')
    const after = await carriedOn(next, changed.state)
    expect(namesOf(after.waits)).toBe(waits)
    const orders = (text: string) => text.split(' ').toSorted()
    expect(orders(await runToEnd(next, after))).toEqual(orders(rest))
  })

  test.each([
    [
      'an element that is gone',
      inARow,
      inARow.replaceAll('"b"', '"bb"'),
      ['a'],
      {},
      'mapping.b',
      'Map it to the one that takes its place',
    ],
    ['a mapping to nothing', inARow, inARow, ['a'], { b: 'cc' }, 'mapping.b', 'Did you mean c?'],
    ['a mapping of nothing', inARow, inARow, ['a'], { bb: 'c' }, 'mapping.bb', 'bb: there is no such element'],
    [
      'an element of another kind',
      inARow,
      inARow.replace('<userTask id="b"/>', '<manualTask id="b"/>'),
      ['a'],
      {},
      'mapping.b',
      'b is a userTask',
    ],
    ['another loop', several, several.replace(threeTimes, ''), ['a'], {}, 'mapping.m', 'runs several times at once'],
    ['another sub-process', inside, inside, ['a'], { x: 'z' }, 'mapping.x', 'is in sub'],
  ] as const)('of %s are refused', async (_, from, to, before, mapping, path, message) => {
    const [old, next] = [await compileOnly(from), await compileOnly(to)]
    const { state } = await reached(old, ...before)
    const { problems } = migrateState(old, next, state, { mapping, version: 2, nowMs: 0 })
    expect(problems.map((one) => one.path)).toContain(path)
    expect(problems.map((one) => one.message).join('\n')).toContain(message)
  })
})
