import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bpmn,
  end,
  eventually,
  flow,
  inARow,
  makeProcess,
  read,
  start,
} from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { checkInvariants } from '../faults/invariants.ts'
import { openWorld, type World } from '../faults/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
  await makeTable(world.service, 'cases', [{ name: 'title', type: 'text' }])
})
afterAll(() => world?.stop())

const candidates = (count: number): string => Array.from({ length: count }, (_, at) => at + 1).join(',')
const forked = (nodes: readonly string[]): string => {
  const ids = nodes.map((_, at) => `t${at}`)
  return [
    start,
    '<parallelGateway id="fork"/><parallelGateway id="join"/>',
    ...nodes,
    end,
    flow('start', 'fork'),
    ...ids.flatMap((id) => [flow('fork', id), flow(id, 'join')]),
    flow('join', 'end'),
  ].join('\n')
}

/** Starts the process on a new record, and answers both ids. */
async function begin(code: string, elements: string) {
  await makeProcess(world.service, 'cases', code, bpmn(elements))
  const recordId = (await world.api('POST', '/api/e/cases', { title: code })).body.data.id as number
  const started = await world.api('POST', '/api/sys/process-instances', { template_code: code, record_id: recordId })
  expect(started.status).toBe(201)
  return { recordId, instanceId: started.body.data.id as number }
}

/** How many tasks of the record there are, by status. */
async function tasksOf(recordId: number): Promise<Record<string, number>> {
  const tasks = await read(world.service, `/api/sys/process-tasks?model=cases&record_id=${recordId}&per_page=1000`)
  return Object.fromEntries(
    [...Map.groupBy(tasks as { status: string }[], ({ status }) => status)].map(([status, some]) => [
      status,
      some.length,
    ]),
  )
}

const incidentsOf = async (instanceId: number): Promise<string[]> =>
  (await read(world.service, `/api/sys/process-instances/${instanceId}`)).incidents.map(
    ({ message }: { message: string }) => message,
  )

describe('one step', { timeout: 240_000 }, () => {
  it('opens 100 tasks with 50 candidates each, and a delete of the record withdraws them all', async () => {
    const nodes = Array.from(
      { length: 100 },
      (_, at) => `<userTask id="t${at}" wf:candidateUsers="${candidates(50)}"/>`,
    )
    const { recordId, instanceId } = await begin('offered', forked(nodes))
    expect(await incidentsOf(instanceId)).toEqual([])
    expect(
      await eventually(
        '100 tasks',
        async () => {
          const found = await tasksOf(recordId)
          return found.pending === 100 ? found : undefined
        },
        30_000,
      ),
    ).toEqual({ pending: 100 })
    await world.drain()
    await checkInvariants(world, ['cases'])

    expect((await world.api('DELETE', `/api/e/cases/${recordId}`)).status).toBe(204)
    await world.drain()
    await world.sweep()
    expect(await tasksOf(recordId)).toEqual({ cancelled: 100 })
    await checkInvariants(world, ['cases'])
  })

  it('begins the 1,000 rounds that a multi-instance may have', async () => {
    const loop =
      '<multiInstanceLoopCharacteristics><loopCardinality>1000</loopCardinality></multiInstanceLoopCharacteristics>'
    const { recordId, instanceId } = await begin('thousand', inARow(start, `<userTask id="t">${loop}</userTask>`, end))
    expect(await incidentsOf(instanceId)).toEqual([])
    expect(await tasksOf(recordId)).toEqual({ pending: 1000 })
  })

  it('refuses a task with more than 1,000 candidates in words that say what to do', async () => {
    const task = `<userTask id="t" wf:candidateUsers="${candidates(1001)}"/>`
    const { recordId, instanceId } = await begin('crowd', inARow(start, task, end))
    expect(await incidentsOf(instanceId)).toEqual([
      'The task has 1001 candidates, and 1000 are possible: offer it to a role.',
    ])
    expect(await tasksOf(recordId)).toEqual({})
  })

  it('completes a task with 1,000 candidates', async () => {
    const task = `<userTask id="t" wf:candidateUsers="${candidates(1000)}"/>`
    const { recordId } = await begin('largest', inARow(start, task, end))
    const [{ id }] = await read(world.service, `/api/sys/process-tasks?model=cases&record_id=${recordId}`)
    expect((await world.api('POST', `/api/sys/process-tasks/${id}/complete`, {})).status).toBe(200)
    await world.drain()
    expect(await tasksOf(recordId)).toEqual({ completed: 1 })
    await checkInvariants(world, ['cases'])
  })
})
