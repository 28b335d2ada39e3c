import { afterEach, describe, expect, test, vi } from 'vitest'
import { advanceProcess, startProcess } from '../../../../../shared/automation/bpmn/process.ts'
import { type Advance, BpmnError, type EngineHost, type Work } from '../../../../../shared/automation/bpmn/schema.ts'
import { maxCompensableActivities } from '../../../../../shared/kernel/limits/processes.ts'
import { compileDocument, compileOnly, flows } from '../../../../make/builders/processes/engine-documents.ts'
import { readBack } from './engine/conformance/runner.ts'

const idle: EngineHost = { now: () => 0, evaluate: async () => undefined, perform: async () => undefined }
const oneTask = `<startEvent id="s"/><userTask id="u"/><endEvent id="e"/>${flows('s -> u -> e')}`
const complete = (advance: Advance, elementId = 'u') => ({
  kind: 'complete' as const,
  executionId: advance.waits.find((wait) => wait.elementId === elementId)?.executionId ?? '',
})

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}

afterEach(() => void vi.restoreAllMocks())

describe('a step', () => {
  test('answers what happened, in order, with type and time', async () => {
    const started = await startProcess(await compileOnly(oneTask), {
      ...idle,
      now: () => Date.parse('2026-05-01T08:00:00Z'),
    })
    const at = '2026-05-01T08:00:00.000Z'
    expect(started.events).toEqual([
      { elementId: 's', type: 'startEvent', executionId: 's#1', what: 'entered', at },
      { elementId: 's', type: 'startEvent', executionId: 's#1', what: 'completed', at },
      { elementId: 'u', type: 'userTask', executionId: 'u#1', what: 'entered', at },
    ])
    expect(started.waits).toEqual([{ kind: 'task', elementId: 'u', executionId: 'u#1' }])
  })

  test('fails when it completes more activities that may be compensated than an instance keeps', async () => {
    const compiled = await compileOnly(
      `<startEvent id="s"/><exclusiveGateway id="m"/><task id="a"><multiInstanceLoopCharacteristics isSequential="true"><loopCardinality>1000</loopCardinality></multiInstanceLoopCharacteristics></task><boundaryEvent id="ca" attachedToRef="a"><compensateEventDefinition/></boundaryEvent><task id="ua" isForCompensation="true"/><association id="as" sourceRef="ca" targetRef="ua"/><userTask id="u"/>${flows('s -> m -> a -> u -> m')}`,
      '',
      {},
      true,
    )
    const host = { ...idle, evaluate: async () => 1000 }
    let advance = await startProcess(compiled, host)
    for (let rounds = 1; rounds < maxCompensableActivities / 1000; rounds++)
      advance = await advanceProcess(compiled, host, advance.state, [complete(advance)])
    expect(advance.status).toBe('running')
    const failed = await advanceProcess(compiled, host, advance.state, [complete(advance)])
    expect([failed.status, failed.failure]).toEqual([
      'failed',
      {
        elementId: 'a',
        message:
          "'a' cannot be kept for its compensation: an instance keeps 5000 completed activities that may be compensated, with 4 MB of variables. Compensate them from time to time, or take the compensation out of what is repeated without end.",
      },
    ])
  })

  test('does not change its arguments', async () => {
    const compiled = freeze(await compileOnly(oneTask))
    const started = freeze(await startProcess(compiled, idle, freeze({ a: { b: [1] } })))
    const ended = await advanceProcess(compiled, idle, started.state, [{ ...complete(started), variables: { c: 2 } }])
    expect([started.variables, ended.variables, ended.status]).toEqual([
      { a: { b: [1] } },
      { a: { b: [1] }, c: 2 },
      'completed',
    ])
  })

  test('repeated from the same state does the same work under the same ids', async () => {
    const compiled = await compileOnly(
      `<startEvent id="s"/><userTask id="u"/><serviceTask id="a"/><serviceTask id="b"/><userTask id="v"/>${flows('s -> u -> a -> v', 'u -> b -> v')}`,
    )
    const worked: string[] = []
    const host = { ...idle, perform: async ({ executionId }: Work) => void worked.push(executionId) }
    const started = await startProcess(compiled, host as unknown as EngineHost)
    const [once, again] = [
      await advanceProcess(compiled, idle, started.state, [complete(started)]),
      await advanceProcess(readBack(compiled), host as unknown as EngineHost, readBack(started.state), [
        complete(started),
      ]),
    ]
    expect(worked).toEqual(['a#1', 'b#1'])
    expect(again).toEqual(once)
  })

  test('starts no timer and writes nothing', async () => {
    const spies = [
      vi.spyOn(globalThis, 'setTimeout'),
      vi.spyOn(globalThis, 'setImmediate'),
      vi.spyOn(console, 'log'),
      vi.spyOn(console, 'error'),
      vi.spyOn(console, 'warn'),
    ]
    const compiled = await compileOnly(
      `<startEvent id="s"/><userTask id="u"/><boundaryEvent id="t" attachedToRef="u"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent><endEvent id="e"/>${flows('s -> u', 't -> e')}`,
    )
    const started = await startProcess(compiled, idle)
    await advanceProcess(compiled, idle, started.state, [{ kind: 'timer', executionId: 't#1' }])
    expect(spies.map((spy) => spy.mock.calls)).toEqual([[], [], [], [], []])
  })

  test('that fails keeps the waits and variables before it', async () => {
    const compiled = await compileOnly(
      `<startEvent id="s"/><userTask id="u"/><exclusiveGateway id="g"/><endEvent id="e"/>${flows('s -> u -> g', 'g -> e if false')}`,
    )
    const started = await startProcess(compiled, idle, { a: 1 })
    const failed = await advanceProcess(compiled, idle, started.state, [{ ...complete(started), variables: { a: 2 } }])
    expect(failed).toMatchObject({
      status: 'failed',
      state: started.state,
      waits: started.waits,
      variables: { a: 1 },
      failure: { elementId: 'g' },
    })
  })

  test('changes nothing in a completed process', async () => {
    const compiled = await compileOnly(oneTask)
    const started = await startProcess(compiled, idle)
    const ended = await advanceProcess(compiled, idle, started.state, [complete(started)])
    const command = complete(started)
    expect(await advanceProcess(compiled, idle, ended.state, [command])).toEqual({
      ...ended,
      events: [],
      ignored: [command],
    })
  })

  test('counts its activations separately for each command', async () => {
    const chain = Array.from({ length: 400 }, (_, i) => `<task id="t${i}"/>`).join('')
    const compiled = await compileOnly(
      `<startEvent id="s"/><userTask id="u"/>${chain}${flows('s -> u', 's -> u as two', 's -> u as three', ['u', ...Array.from({ length: 400 }, (_, i) => `t${i}`)].join(' -> '))}`,
    )
    const started = await startProcess(compiled, idle)
    const ended = await advanceProcess(
      compiled,
      idle,
      started.state,
      started.waits.map(({ executionId }) => ({ kind: 'complete', executionId })),
    )
    expect([ended.status, ended.events.length]).toEqual(['completed', 3 + 3 * 800])
  })

  test('passes on a defect of the engine itself', async () => {
    const compiled = await compileOnly(oneTask)
    await expect(startProcess(compiled, { ...idle, now: () => Number.NaN })).rejects.toThrow(RangeError)
  })
})

describe('work', () => {
  const work = `<startEvent id="s"/><serviceTask id="w"/>${flows('s -> w')}`

  test.each<[string, unknown, object]>([
    ['an error', new Error('down'), { message: 'down' }],
    ['an error with a code', Object.assign(new Error('down'), { code: 'E_DOWN' }), { message: 'down', code: 'E_DOWN' }],
    ['a text', 'down', { message: 'down' }],
    ['nothing', undefined, { message: 'undefined' }],
  ])('that throws %s waits as failed', async (_, thrown, expected) => {
    const started = await startProcess(await compileOnly(work), { ...idle, perform: () => Promise.reject(thrown) })
    expect([started.status, started.waits]).toEqual([
      'running',
      [{ kind: 'failed', elementId: 'w', executionId: 'w#1', ...expected }],
    ])
  })

  test('that throws a BPMN error which is not caught fails the step, naming its code', async () => {
    const started = await startProcess(await compileOnly(work), {
      ...idle,
      perform: () => Promise.reject(new BpmnError('NO_STOCK', 'none left')),
    })
    expect(started.failure).toEqual({
      elementId: 'w',
      message: "The error 'NO_STOCK' of 'w' is caught nowhere (none left).",
    })
  })

  test('gets its element, executionId, type and variables', async () => {
    const performed: Work[] = []
    await startProcess(
      await compileOnly(work),
      { ...idle, perform: async (each) => (performed.push(each), undefined) },
      { a: 1 },
    )
    expect(performed).toEqual([
      { elementId: 'w', executionId: 'w#1', type: 'serviceTask', variables: { a: 1 }, task: null, tasks: {} },
    ])
  })
})

describe('a document', () => {
  test('may have pools, lanes, messages, data and notes around its process', async () => {
    const xml = `<definitions id="D" xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x"><message id="M" name="m"/><signal id="S" name="s"/><itemDefinition id="I"/><interface id="If" name="i"><operation id="Op" name="o"><inMessageRef>M</inMessageRef></operation></interface><dataStore id="DS"/><category id="C"/><resource id="R" name="r"/>
      <collaboration id="K"><participant id="us" processRef="P"/><participant id="them" name="Supplier"/><participant id="others" processRef="Q"/><messageFlow id="mf" sourceRef="u" targetRef="them"/><messageFlow id="mg" sourceRef="them" targetRef="inner"/><messageFlow id="mh" sourceRef="u" targetRef="q"/></collaboration>
      <process id="Q" isExecutable="true"><userTask id="q"/></process>
      <process id="P" isExecutable="true"><ioSpecification/><property id="pp" name="p"/><laneSet id="ls"><lane id="l1"><flowNodeRef>u</flowNodeRef></lane></laneSet><startEvent id="s"/><userTask id="u"><property id="up"/><dataInputAssociation id="da"><sourceRef>dr</sourceRef><targetRef>up</targetRef></dataInputAssociation></userTask><subProcess id="sp"><userTask id="inner"/></subProcess>
      <dataObject id="d"/><dataObjectReference id="dr" dataObjectRef="d"/><dataStoreReference id="dsr" dataStoreRef="DS"/><textAnnotation id="n"><text>note</text></textAnnotation><association id="as" sourceRef="u" targetRef="n"/><group id="gr"/>${flows('s -> u -> sp')}</process></definitions>`
    const compiled = await compileDocument(xml)
    const started = await startProcess(compiled, idle)
    const next = await advanceProcess(readBack(compiled), idle, readBack(started.state), [complete(started)])
    const ended = await advanceProcess(compiled, idle, next.state, [complete(next, 'inner')])
    expect([
      started.waits.map((wait) => wait.elementId),
      next.waits.map((wait) => wait.elementId),
      ended.status,
    ]).toEqual([['u'], ['inner'], 'completed'])
  })

  test('whose process is not marked executable runs, too', async () => {
    const xml = `<definitions id="D" xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x"><process id="P">${oneTask}</process></definitions>`
    const compiled = await compileDocument(xml)
    expect((await startProcess(compiled, idle)).waits).toHaveLength(1)
  })
})

test('the state of twenty parallel tasks is smaller than six kilobytes', async () => {
  const tasks = Array.from({ length: 20 }, (_, i) => `approval_of_department_${i}`)
  const compiled = await compileOnly(
    `<startEvent id="s"/>${tasks.map((id) => `<userTask id="${id}"/>${flows(`s -> ${id}`)}`).join('')}`,
  )
  expect(JSON.stringify((await startProcess(compiled, idle)).state).length).toBeLessThan(6_000)
})
