import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  bpmn,
  end,
  flow,
  inARow,
  makeProcess,
  read,
  scriptTask,
  start,
} from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { brokenProcesses } from './process-invariants.ts'
import { openWorld, type World } from './world.ts'

let world: World
let evaluation: string
let processes: string
let count = 0

beforeAll(async () => {
  world = await openWorld({ PROCESS_LEASE_MS: '400' })
  const named = (pattern: RegExp) => world.service.cloud.functions.find((name) => pattern.test(name)) as string
  ;[evaluation, processes] = [named(/evaluation/i), named(/^processes/i)]
})
afterAll(() => world?.stop())
beforeEach(() => world.service.cloud.faults.clear())

/** A table whose records start this process. */
async function tableWith(elements: string): Promise<string> {
  const model = `orders_${++count}`
  await makeTable(world.service, model, [
    { name: 'title', type: 'text' },
    { name: 'amount', type: 'integer' },
  ])
  await makeProcess(world.service, model, `order_${count}`, bpmn(elements), { is_auto_start: true })
  return model
}
const create = async (model: string): Promise<number> =>
  (await world.ask('POST', `/api/e/${model}`, { title: 'A' })).body.data.id
const tasksOf = (model: string): Promise<any[]> =>
  read(world.service, `/api/sys/process-tasks?model=${model}&per_page=100`)
const complete = (id: number) => world.api('POST', `/api/sys/process-tasks/${id}/complete`, {})
/** Waits until the service is quiet, and answers what is wrong with the instances of this table. */
async function remainingProblems(model: string): Promise<string[]> {
  await world.drain()
  await world.sweep()
  return brokenProcesses(
    (await world.items()).filter(({ kind, model: of }) => kind !== 'process_instance' || of === model),
  )
}

it('a task that is completed while the other tasks of its step are written stays completed', async () => {
  const model = await tableWith(
    inARow(
      start,
      '<userTask id="each" wf:candidateUsers="user:1" wf:complete_on_field_amount="1"><multiInstanceLoopCharacteristics wf:collection="${Array(40).fill(1)}"/></userTask>',
      end,
    ),
  )
  let answered: any
  world.service.cloud.faults.inject({
    functionName: evaluation,
    operation: 'PutItem',
    when: ({ input }: any) => input.Item?.kind?.S === 'process_task',
    skip: 4,
    action: { delay: async () => (answered = await complete((await tasksOf(model))[0].id)) },
  })
  await create(model)
  expect(await remainingProblems(model)).toEqual([])
  expect(answered.status).toBe(200)
  expect((await tasksOf(model)).filter(({ status }) => status === 'completed').map(({ id }) => id)).toEqual([
    answered.body.data.id,
  ])
})

it('every task of a step gets its candidate row and its wait row, even when one is written late', async () => {
  const model = await tableWith(
    inARow(
      start,
      '<userTask id="each" wf:candidateUsers="user:1" wf:complete_on_field_amount="1"><multiInstanceLoopCharacteristics wf:collection="${Array(40).fill(1)}"/></userTask>',
      end,
    ),
  )
  world.service.cloud.faults.inject({
    functionName: evaluation,
    operation: 'PutItem',
    when: ({ input }: any) => input.Item?.kind?.S === 'process_task',
    skip: 4,
    action: { delay: 100 },
  })
  await create(model)
  expect(await remainingProblems(model)).toEqual([])
  const items = await world.items()
  const ids = items.filter(({ kind, model: of }) => kind === 'process_task' && of === model).map(({ sk }) => sk)
  expect(items.filter(({ kind, sk }) => kind === 'task_candidate' && ids.includes(sk))).toHaveLength(40)
  expect(items.filter(({ kind, sk }) => kind === 'process_wait' && ids.includes(sk.slice(2)))).toHaveLength(40)
})

it.each([
  [150, 10, 'are all written', { status: 'running', tasks: 150, incidents: [] }],
  [420, 10, 'are all written, though they are too many for commands', { status: 'running', tasks: 420, incidents: [] }],
  [60, 290, 'are all written, though few fit in a transaction', { status: 'running', tasks: 60, incidents: [] }],
  [
    1,
    310,
    'become an incident, for no item can hold it',
    {
      status: 'incident',
      tasks: 0,
      incidents: ['The task has 305 KB with its form, and 300 KB are possible: shorten the form.'],
    },
  ],
  [
    1000,
    290,
    'become an incident, for a worker cannot hold them',
    {
      status: 'incident',
      tasks: 0,
      incidents: [
        'The step opens 1000 tasks, whose forms and names are over 20 MB together. Shorten the forms, or open fewer tasks at once.',
      ],
    },
  ],
])('%d tasks with forms of %d KB %s', async (number, kilobytes, _what, wanted) => {
  const label = 'x'.repeat(kilobytes * 50)
  const fields = Array.from({ length: 20 }, (_, at) => `<wf:formField name="f${at}" label="${label}"/>`).join('')
  const each = `<userTask id="each"><extensionElements><wf:form>${fields}</wf:form></extensionElements><multiInstanceLoopCharacteristics wf:collection="\${Array(${number}).fill(1)}"/></userTask>`
  const model = await tableWith(inARow(start, each, end))
  await create(model)
  expect(await remainingProblems(model)).toEqual([])
  const [instance] = await read(world.service, `/api/sys/process-instances?model=${model}`)
  const { incidents } = await read(world.service, `/api/sys/process-instances/${instance.id}`)
  expect({
    status: instance.status,
    incidents: incidents.map(({ message }: { message: string }) => message),
    tasks: (await world.items()).filter(({ kind, model: of }) => kind === 'process_task' && of === model).length,
  }).toEqual(wanted)
  expect((await world.api('POST', `/api/sys/process-instances/${instance.id}/cancel`)).body.data.status).toBe(
    'cancelled',
  )
  expect(await remainingProblems(model)).toEqual([])
})

it('an instance that another worker starts between two reads is not started again', async () => {
  const model = await tableWith(inARow(start, '<userTask id="work"/>', end))
  const startIt = async () => {
    const [{ id }] = await read(world.service, `/api/sys/process-instances?model=${model}`)
    await world.service.cloud.invoke('process-runner', {
      Records: [{ messageId: '1', body: JSON.stringify({ v: 1, tenant_id: 1, instance_id: id }) }],
    })
  }
  world.service.cloud.faults.inject({
    functionName: evaluation,
    operation: 'GetItem',
    when: ({ input }: any) => input.Key.pk.S.startsWith('T#1#PI#'),
    action: { delay: startIt },
  })
  await create(model)
  expect(await remainingProblems(model)).toEqual([])
  expect(await tasksOf(model)).toHaveLength(1)
})

it('a failed step that waits for a retry is dropped when its instance ends', async () => {
  const model = await tableWith(
    [
      inARow(start, '<parallelGateway id="fork"/>', '<userTask id="decide"/>', '<exclusiveGateway id="way"/>'),
      end,
      inARow('<userTask id="other"/>', '<endEvent id="over"><terminateEventDefinition/></endEvent>'),
      flow('fork', 'other'),
      flow('way', 'end', "record.amount.toFixed() === '5'"),
    ].join(''),
  )
  await create(model)
  await world.drain()
  const tasks = await tasksOf(model)
  for (const element of ['decide', 'other'])
    expect((await complete(tasks.find(({ element_id }) => element_id === element).id)).status).toBe(200)
  expect(await remainingProblems(model)).toEqual([])
  expect((await read(world.service, `/api/sys/process-instances?model=${model}`))[0].status).toBe('completed')
})

it('the first of two completions decides, even when it cancels the task of the second', async () => {
  await makeTable(world.service, 'ended', [{ name: 'what', type: 'text' }])
  const model = await tableWith(
    inARow(
      start,
      '<userTask id="any"><multiInstanceLoopCharacteristics wf:collection="${[1, 2]}"><completionCondition>true</completionCondition></multiInstanceLoopCharacteristics></userTask>',
      scriptTask('script', "$api.create('ended', { what: 'once' })"),
      end,
    ),
  )
  await create(model)
  await world.drain()
  const [one, other] = await tasksOf(model)
  const { faults } = world.service.cloud
  // Nobody goes on with the first completion before the second one is there.
  const { promise: isThere, resolve: letGoOn } = Promise.withResolvers<void>()
  faults.inject({ service: 'lambda', functionName: evaluation, action: { delay: isThere }, times: 10 })
  faults.inject({ functionName: processes, operation: 'TransactWriteItems', action: 'crash-after' })
  await complete(one.id)
  const second = await complete(other.id)
  letGoOn()
  expect(second.status).toBe(200)
  expect(await remainingProblems(model)).toEqual([])
  expect((await read(world.service, `/api/sys/process-instances?model=${model}`))[0].status).toBe('completed')
  expect(await read(world.service, '/api/e/ended')).toHaveLength(1)
})

it.each([
  ['before', 'the delete finishes'],
  ['after', 'the delete finishes'],
])('a script that deletes a record it created can run again after a crash %s %s', async (when) => {
  const { faults, functions } = world.service.cloud
  const drafts = `drafts_${when}`
  await makeTable(world.service, drafts, [{ name: 'what', type: 'text' }])
  const script = `const { id, what } = $api.create('${drafts}', { what: 'passing' }); $api.remove('${drafts}', id); $api.create('${drafts}', { what: what + ' by' })`
  const model = await tableWith(inARow(start, scriptTask('script', script), '<userTask id="work"/>', end))
  // Delays the audit function: no other consumer writes the history of the delete before the script is repeated.
  if (when === 'before')
    faults.inject({
      service: 'lambda',
      functionName: functions.find((name) => /^audit/i.test(name)) as string,
      action: { delay: 400 },
      times: 100,
    })
  let deletes = 0
  const fault = faults.inject({
    functionName: evaluation,
    // Counts the calls from the one that marks the record; the next one removes it.
    when({ input }) {
      if (deletes > 0) deletes += 1
      else if (JSON.stringify(input).includes('"deleted_at"')) deletes = 1
      return deletes === (when === 'before' ? 2 : 4)
    },
    action: 'crash-before',
  })
  await create(model)
  await world.drain()
  faults.clear()
  expect(await remainingProblems(model)).toEqual([])
  expect(fault.struck).toBe(1)
  expect((await read(world.service, `/api/sys/process-instances?model=${model}`))[0].status).toBe('running')
  expect((await read(world.service, `/api/e/${drafts}`)).map(({ data }: any) => data.what)).toEqual(['passing by'])
})
