import { describe, expect, test } from 'vitest'
import { upgradeState } from '../../../../../../../shared/automation/bpmn/engine/stored-state.ts'
import { advanceProcess, startProcess } from '../../../../../../../shared/automation/bpmn/process.ts'
import { compileOnly, flows } from '../../../../../../make/builders/processes/engine-documents.ts'
import { conforms, hostWith, readBack } from './runner.ts'

const several = (attributes: string, content = ''): string =>
  `<multiInstanceLoopCharacteristics ${attributes}>${content}</multiInstanceLoopCharacteristics>`
const inside = (id: string, elements: string, loop = ''): string =>
  `<subProcess id="${id}">${loop}<startEvent id="${id}s"/>${elements}</subProcess>`

describe('variables', () => {
  conforms({
    'of a pass stay in it, also where passes take turns': {
      process: `<startEvent id="s"/>${inside(
        'sp',
        `<scriptTask id="set"/><userTask id="u"/><scriptTask id="say"/>${flows('sps -> set -> u -> say')}`,
        several('wf:collection="teams" wf:elementVariable="team"'),
      )}<userTask id="after"/>${flows('s -> sp -> after')}`,
      variables: { teams: ['IT', 'HR', 'Facilities'], said: '' },
      work: {
        set: ({ variables }) => ({ name: variables.team }),
        say: ({ variables }) => ({ said: `${variables.said}${variables.name} ` }),
      },
      steps: [
        ['start', 's { sps#1 set#1 sps#2 set#2 sps#3 set#3 } | u u#2 u#3'.replaceAll(/#\d/g, '')],
        ['complete u#2', 'u say sp[1] | u u'],
        ['complete u#1', 'u say sp[0] | u'],
        ['complete u#3', 'u say sp[2] sp | after'],
      ],
    },
    'of a sub-process end with it, and those around it are changed': {
      process: `<startEvent id="s"/>${inside('sp', `<scriptTask id="w"/>${flows('sps -> w')}`)}<exclusiveGateway id="g"/><userTask id="yes"/>${flows('s -> sp -> g')}${flows('g -> yes if typeof mine === "undefined" && known === 2')}`,
      variables: { known: 1 },
      work: { w: () => ({ known: 2, mine: 1 }) },
      steps: [['start', 's sps w sp g | yes']],
    },
    'are given to an activity and handed over by it': {
      process: `<startEvent id="s"/><serviceTask id="w"/><exclusiveGateway id="g"/><userTask id="yes"/>${flows('s -> w -> g')}${flows('g -> yes if total === "2mine" && typeof result === "undefined" && known === 1')}`,
      variables: { known: 1 },
      mappings: {
        w: {
          in: [
            { target: 'input', value: 'known + 1' },
            { target: 'known', value: '"mine"' },
          ],
          out: [{ target: 'total', value: 'result' }],
        },
      },
      work: { w: ({ variables }) => ({ result: `${String(variables.input)}${String(variables.known)}` }) },
      steps: [['start', 's w g | yes']],
    },
    'of passes are collected': {
      process: `<startEvent id="s"/><userTask id="u">${several('wf:collection="teams" wf:outputCollection="answers" wf:outputElement="${variables.answer}"')}</userTask><exclusiveGateway id="g"/><userTask id="yes"/>${flows('s -> u -> g')}${flows('g -> yes if answers.join() === "a,b" && typeof answer === "undefined"')}`,
      variables: { teams: ['IT', 'HR'] },
      steps: [
        ['start', 's | u[0] u[1]'],
        ['complete u[1] {"answer": "b"}', 'u[1] | u[0]'],
        ['complete u[0] {"answer": "a"}', 'u[0] u g | yes'],
      ],
    },
    'tell each pass where it is': {
      process: `<startEvent id="s"/><scriptTask id="w">${several('isSequential="true" wf:collection="teams"')}</scriptTask><exclusiveGateway id="g"/><userTask id="yes"/>${flows('s -> w -> g')}${flows('g -> yes if said === "0/2:0 1/2:1 " && typeof loopCounter === "undefined"')}`,
      variables: { teams: ['IT', 'HR'], said: '' },
      work: {
        w: ({ variables: { said, loopCounter, numberOfInstances, numberOfCompletedInstances } }) => ({
          said: `${said}${loopCounter}/${numberOfInstances}:${numberOfCompletedInstances} `,
        }),
      },
      steps: [['start', 's w[0] w[1] w g | yes']],
    },
    'and the loop are known to a completion condition': {
      process: `<startEvent id="s"/><userTask id="u">${several('wf:collection="teams"', '<completionCondition xsi:type="tFormalExpression">loop.item === "HR" &amp;&amp; task.outcome === "no" &amp;&amp; loopCounter === 1</completionCondition>')}</userTask><userTask id="after"/>${flows('s -> u -> after')}`,
      variables: { teams: ['IT', 'HR', 'Facilities'] },
      steps: [
        ['start', 's | u[0] u[1] u[2]'],
        ['complete u[1] {"outcome": "no"}', 'u[1] -u[0] -u[2] u | after'],
      ],
    },
  })
})

describe('completed tasks', () => {
  const fork = (id: string): string =>
    `<userTask id="${id}"/><exclusiveGateway id="${id}g" default="${id}d"/><userTask id="${id}yes"/><userTask id="${id}no"/>${flows(`f -> ${id} -> ${id}g`)}${flows(`${id}g -> ${id}yes if task.outcome === "yes"`)}<sequenceFlow id="${id}d" sourceRef="${id}g" targetRef="${id}no"/>`
  conforms({
    'belong to their branch': {
      process: `<startEvent id="s"/><parallelGateway id="f"/>${flows('s -> f')}${fork('a')}${fork('b')}`,
      steps: [
        ['start', 's f | a b'],
        ['complete a {"outcome": "yes"}; complete b {"outcome": "no"}', 'a ag b bg | ayes bno'],
      ],
    },
    'are known by their elements, and by the last one of a sub-process': {
      process: `<startEvent id="s"/>${inside('sp', `<userTask id="inner"/>${flows('sps -> inner')}`)}<userTask id="outer"/><exclusiveGateway id="g"/><exclusiveGateway id="h"/><userTask id="yes"/>${flows('s -> sp -> g')}${flows('g -> outer if task.element_id === "inner" && tasks.inner === undefined')}${flows('outer -> h')}${flows('h -> yes if tasks.outer.outcome === "done" && tasks.outer.completed_by === 3')}`,
      steps: [
        ['start', 's sps | inner'],
        ['complete inner', 'inner sp g | outer'],
        ['complete outer {"outcome": "done"}', 'outer h | yes'],
      ],
    },
  })

  test('of an instance that was stored before are those of all of its tokens', async () => {
    const compiled = await compileOnly(
      `<startEvent id="s"/><userTask id="u"/><userTask id="v"/><exclusiveGateway id="g"/><userTask id="yes"/>${flows('s -> u -> v -> g')}${flows('g -> yes if task.outcome === "old" && tasks.u.outcome === "old" && each === 1')}`,
    )
    const host = hostWith({ now: 0 })
    const started = await startProcess(compiled, host, { each: 1 })
    const next = await advanceProcess(compiled, host, started.state, [{ kind: 'complete', executionId: 'u#1' }])
    const { standing, reached, variables } = readBack(next.state) as Record<string, unknown>
    const before = { v: 1, standing, reached, variables }
    const state = upgradeState(before, { id: 1, element_id: 'u', name: null, outcome: 'old', completed_by: 3 })
    const last = await advanceProcess(compiled, host, state, [{ kind: 'complete', executionId: 'v#1' }])
    expect(last).toMatchObject({ status: 'running', waits: [{ elementId: 'yes' }], state: { v: 2 } })
  })
})

test('a step that is stopped goes on in the next one, and loses nothing', async () => {
  const compiled = await compileOnly(
    `<startEvent id="s"/><scriptTask id="w">${several('', '<loopCardinality xsi:type="tFormalExpression">40</loopCardinality>')}</scriptTask><userTask id="after"/>${flows('s -> w -> after')}`,
  )
  const performed: string[] = []
  const host = {
    ...hostWith({ now: 0 }),
    isOverdue: () => true,
    perform: async ({ executionId }: { executionId: string }) => (performed.push(executionId), undefined),
  }
  let advance = await startProcess(compiled, host)
  let steps = 1
  for (; advance.isUnfinished && steps < 500; steps++)
    advance = await advanceProcess(compiled, host, readBack(advance.state), [])
  expect(steps).toBeGreaterThan(40)
  expect(performed).toEqual(Array.from({ length: 40 }, (_, index) => `w#1.${index}`))
  expect(advance).toMatchObject({ status: 'running', waits: [{ elementId: 'after' }] })
})
