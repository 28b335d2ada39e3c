import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Fault, Invalid } from '../../../../../../shared/kernel/faults.ts'
import { maxProcessHops } from '../../../../../../shared/kernel/limits/processes.ts'
import { incidentKey } from '../../../../../../shared/store/keys/processes.ts'
import { recordKey } from '../../../../../../shared/store/keys/records.ts'
import type { FrozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { end, flow, inARow, setFields, start, timer } from '../../../../../make/builders/processes/processes.ts'
import { openPlan } from '../../../../../make/services/plan-world.ts'
import type { processRunner } from '../../../../../make/services/process-runner.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/single-table.ts'

let single: SingleTable
let clock: FrozenClock
let runner: ReturnType<typeof processRunner>
let record = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  record += 1
  ;({ clock, runner } = await openPlan(single, record))
})

const make = (elements: string, hops?: number) => runner.make(elements, 'plans', record, hops)
/** An instance that has run until it waits. */
async function run(elements: string): Promise<number> {
  const id = await make(elements)
  await runner.advance(id)
  return id
}
const data = async () => {
  const item = await runner.record('plans', record)
  return { version: item?.version, ...JSON.parse(String(item?.data)) }
}
const statuses = async (id: number) =>
  Object.fromEntries((await runner.tasks(id)).map(({ elementId, status }) => [elementId, status]))
const onlyTask = async (id: number) => (await runner.tasks(id)).find(({ status }) => status === 'pending')!
const look = '<userTask id="look"/>'
const away = Object.assign(new Error('the database cannot be reached'), { name: 'TimeoutError' })
/** The table without its nth transaction from now on, made or not when it is lost. */
const losing = (nth: number, isMade: boolean) => {
  let count = 0
  return single.storeThrough(async (operation, call) => {
    if (operation !== 'TransactWriteItems' || (count += 1) !== nth) return call()
    if (isMade) await call()
    throw away
  })
}

describe('an instance', () => {
  it('runs until it waits for a person, and to its end after that', async () => {
    const id = await run(inARow(start, setFields('set', { status: 'seen' }), look, end))
    expect(await runner.instance(id)).toMatchObject({ status: 'running', steps: 1, rev: 2, endedAt: null })
    expect([await data(), await statuses(id), await runner.open(id)]).toEqual([
      { version: 2, status: 'seen' },
      { look: 'pending' },
      [],
    ])
    clock.advance(1000)
    await runner.complete(await onlyTask(id), 'good')
    expect(await runner.instance(id)).toMatchObject({
      status: 'completed',
      steps: 2,
      waits: [],
      endedAt: '2026-11-20T08:00:01.000Z',
      lastTask: { element_id: 'look', outcome: 'good', completed_by: 3 },
      variables: { outcome: 'good' },
    })
    expect(await runner.open(id)).toEqual([])
  })

  it('keeps the variables that it was started with', async () => {
    const id = await runner.make(inARow(start, look, end), 'plans', record, 0, { amount: 5 })
    await runner.advance(id)
    expect((await runner.instance(id)).variables).toEqual({ amount: 5 })
  })

  it('counts no step for a command that comes too late', async () => {
    const id = await run(inARow(start, look, end))
    const task = { id: 1, element_id: 'gone', name: null, outcome: null, completed_by: 3 }
    await runner.command(id, { kind: 'complete', executionId: 'gone', task, variables: {}, hops: 0 })
    await runner.advance(id)
    expect([await runner.instance(id), await runner.open(id)]).toMatchObject([{ status: 'running', steps: 1 }, []])
  })

  it('sets what its task sets when it opens, and when it is completed', async () => {
    const sets = (on: string, value: string) =>
      `<wf:setFields on="${on}"><wf:set field="status" value="${value}"/></wf:setFields>`
    const task = `<userTask id="look"><extensionElements>${sets('create', 'open')}${sets('complete', 'closed')}</extensionElements></userTask>`
    const id = await run(inARow(start, task, end))
    expect((await data()).status).toBe('open')
    await runner.complete(await onlyTask(id))
    expect((await data()).status).toBe('closed')
  })

  it('is cancelled when its record is gone', async () => {
    const id = await run(inARow(start, look, end))
    await single.store.write(runner.tenant, { remove: recordKey(runner.tenant, 'plans', record) })
    await runner.complete(await onlyTask(id))
    expect([(await runner.instance(id)).status, await runner.open(id)]).toEqual(['cancelled', []])
  })

  it('that processes have led to too often stops, until somebody retries it', async () => {
    const id = await make(inARow(start, look, end), maxProcessHops + 1)
    await runner.advance(id)
    const { status, stepIncidents } = await runner.instance(id)
    expect([status, stepIncidents.length, await runner.open(id)]).toEqual(['incident', 1, ['(start)']])
    await runner.retry(id)
    expect(await runner.instance(id)).toMatchObject({ status: 'running', stepIncidents: [], hops: 0 })
    expect(await statuses(id)).toEqual({ look: 'pending' })
  })

  it('that processes have led to as often as they may goes on, and counts', async () => {
    const id = await make(inARow(start, look, end), maxProcessHops)
    await runner.advance(id)
    expect(await runner.instance(id)).toMatchObject({ status: 'running', hops: maxProcessHops })
    await runner.complete(await onlyTask(id))
    expect(await runner.instance(id)).toMatchObject({ status: 'completed', hops: 0 })
    const other = await run(inARow(start, look, end))
    await runner.complete(await onlyTask(other), null, single.store, maxProcessHops + 1)
    expect([(await runner.instance(other)).status, await runner.open(other)]).toEqual(['incident', ['(complete)']])
  })
})

describe('an instance of which one step has failed', () => {
  const twoBranches = [
    start,
    '<parallelGateway id="split"/>',
    '<userTask id="first"/>',
    '<userTask id="second"/>',
    '<userTask id="third"/>',
    '<endEvent id="stop"><terminateEventDefinition id="all"/></endEvent>',
    end,
    flow('start', 'split'),
    flow('split', 'first'),
    flow('split', 'second'),
    flow('first', 'end'),
    flow('second', 'third'),
    flow('third', 'stop'),
  ].join('')
  const complete = async (id: number, elementId: string, hops = 0) => {
    const task = (await runner.tasks(id)).find((one) => one.elementId === elementId)!
    await runner.complete(task, null, single.store, hops)
  }

  it('goes on elsewhere, keeps its incident until a retry, and ends without it', async () => {
    const id = await run(twoBranches)
    await complete(id, 'first', maxProcessHops + 1)
    const { stepIncidents } = await runner.instance(id)
    expect(stepIncidents).toHaveLength(1)
    await complete(id, 'second')
    expect(await runner.instance(id)).toMatchObject({ status: 'incident', stepIncidents })
    expect(await runner.open(id)).toEqual(['(complete)'])
    await complete(id, 'third')
    expect(await runner.instance(id)).toMatchObject({ status: 'completed', stepIncidents: [], waits: [] })
    expect(await runner.open(id)).toEqual([])
    const [incident] = stepIncidents
    expect((await single.store.get(runner.tenant, incidentKey(runner.tenant, incident!)))?.status).toBe('resolved')
  })
})

describe('a step whose results are too large to be stored', () => {
  it.each([
    ['here', new Invalid({}, { code: 'record_too_large' })],
    ['in the database', Object.assign(new Error('Item size has exceeded'), { name: 'ValidationException' })],
  ])('becomes an incident, because a repeat would be refused again: %s', async (_title, refusal) => {
    const id = await make(inARow(start, look, end))
    let isFirst = true
    const refusing = single.storeThrough(async (operation, call) => {
      if (operation !== 'TransactWriteItems' || !isFirst) return call()
      isFirst = false
      throw refusal
    })
    await runner.advance(id, refusing)
    expect([(await runner.instance(id)).status, await runner.open(id)]).toEqual(['incident', ['(start)']])
    await runner.retry(id)
    expect([(await runner.instance(id)).status, await statuses(id)]).toEqual(['running', { look: 'pending' }])
  })
})

describe('a step that is cut off', () => {
  const work = inARow(start, setFields('first', { status: 'seen' }), setFields('second', { amount: '5' }), look, end)

  it.each([
    ['before its first write', 1, false],
    ['after its first write', 1, true],
    ['before its second write', 2, false],
    ['after its second write', 2, true],
    ['before it is stored', 3, false],
    ['after it is stored', 3, true],
  ])('%s makes each write and each task once', async (_title, nth, isMade) => {
    const id = await make(work)
    await expect(runner.advance(id, losing(nth, isMade))).rejects.toBe(away)
    // Nobody has to wait until a lease expires.
    expect((await runner.instance(id)).lease).toBeUndefined()
    await runner.advance(id)
    expect([await data(), await statuses(id), await runner.open(id)]).toEqual([
      { version: 3, status: 'seen', amount: 5 },
      { look: 'pending' },
      [],
    ])
    expect(await runner.instance(id)).toMatchObject({ status: 'running', steps: 1, rev: 2 })
  })

  it('leaves what somebody has changed in between', async () => {
    const id = await make(work)
    await expect(runner.advance(id, losing(2, false))).rejects.toBe(away)
    const item = (await runner.record('plans', record))!
    await single.store.write(runner.tenant, {
      put: { ...item, data: JSON.stringify({ status: 'by a person' }), version: 3 } as never,
    })
    await runner.advance(id)
    expect(await data()).toEqual({ version: 4, status: 'by a person', amount: 5 })
  })
})

describe('work that fails', () => {
  const failing = inARow(start, setFields('wrong', { amount: 'many' }), look, end)

  it('leaves an incident that says why, and is repeated by a retry', async () => {
    const id = await run(failing)
    const { status, waits } = await runner.instance(id)
    expect([status, waits.length]).toEqual(['incident', 1])
    const [{ incidentId }] = waits as unknown as [{ incidentId: number }]
    const incident = () => single.store.get(runner.tenant, incidentKey(runner.tenant, incidentId))
    expect(await incident()).toMatchObject({ status: 'open', message: expect.stringContaining('amount') })
    await runner.retry(id)
    const again = (await runner.instance(id)).waits as unknown as [{ incidentId: number }]
    expect([again.length, again[0].incidentId > incidentId, (await incident())?.status]).toEqual([1, true, 'resolved'])
    expect(await data()).toEqual({ version: 1, status: 'new' })
  })

  it('does not stop what runs beside it', async () => {
    const beside = [
      start,
      '<parallelGateway id="split"/>',
      setFields('wrong', { amount: 'many' }),
      look,
      flow('start', 'split'),
      flow('split', 'wrong'),
      flow('split', 'look'),
    ].join('')
    const id = await run(beside)
    expect([(await runner.instance(id)).status, await statuses(id)]).toEqual(['incident', { look: 'pending' }])
    await runner.complete(await onlyTask(id))
    expect((await runner.instance(id)).status).toBe('incident')
  })

  it('is no notification that cannot be sent', async () => {
    runner.refuseNotifications(new Fault('validation_failed', 'There is no such channel.'))
    const id = await run(inARow(start, '<userTask id="look" wf:assignee="3"/>', end))
    expect([(await runner.instance(id)).status, await statuses(id)]).toEqual(['running', { look: 'pending' }])
  })

  it('is a notification that may succeed later: the step is repeated', async () => {
    runner.refuseNotifications(away)
    const id = await make(inARow(start, '<userTask id="look" wf:assignee="3"/>', end))
    await expect(runner.advance(id)).rejects.toBe(away)
    expect([await statuses(id), await runner.open(id)]).toEqual([{}, ['start']])
    runner.refuseNotifications(undefined)
    await runner.advance(id)
    expect(await statuses(id)).toEqual({ look: 'pending' })
    expect(runner.sent).toMatchObject([
      ['sendPushNotification', 'New task: look', `plans ${record}`, null, [3], 'system'],
    ])
  })
})

describe('a task that its record may complete', () => {
  const until = (status: string) =>
    `<userTask id="look" wf:candidateUsers="7,8"><extensionElements><wf:completeOn outcome="seen"><wf:fieldCondition field="status" op="eq" value="${status}"/></wf:completeOn></extensionElements></userTask>`
  /** The rows by which the task is found under its record and in the lists of people. */
  const offers = async (task: number) =>
    (await single.itemsOf('T#1#'))
      .filter(({ kind, sk }) => ['process_wait', 'task_candidate'].includes(String(kind)) && sk.endsWith(`${task}`))
      .map(({ kind }) => kind)
      .toSorted()

  it('is completed at once when the record is so already', async () => {
    const id = await run(inARow(start, until('new'), end))
    expect(await runner.instance(id)).toMatchObject({ status: 'completed', lastTask: { outcome: 'seen' } })
    expect(await statuses(id)).toEqual({ look: 'completed' })
  })

  it('waits where people and changes of the record find it, until it ends', async () => {
    const id = await run(inARow(start, until('done'), end))
    const task = await onlyTask(id)
    expect(await offers(task.id)).toEqual(['process_wait', 'task_candidate', 'task_candidate'])
    await runner.command(id, { kind: 'cancel' })
    await runner.advance(id)
    expect([await statuses(id), await offers(task.id)]).toEqual([{ look: 'cancelled' }, []])
  })

  it('that people alone complete waits where they find it', async () => {
    const id = await run(inARow(start, '<userTask id="look" wf:candidateUsers="7"/>', end))
    expect(await offers((await onlyTask(id)).id)).toEqual(['task_candidate'])
  })
})

describe('timers', () => {
  const late = (cancels: boolean, after = 'PT10M') =>
    [
      inARow(start, look, end),
      `<boundaryEvent id="late" attachedToRef="look" cancelActivity="${cancels}">${timer('timeDuration', after)}</boundaryEvent>`,
      setFields('told', { status: 'late' }),
      '<endEvent id="over"/>',
      flow('late', 'told'),
      flow('told', 'over'),
    ].join('')

  it.each([
    ['within 15 minutes', 'PT15M', [900]],
    ['later', 'PT15M0.001S', []],
  ])('that are due %s wake the instance, or the sweeper does', async (_title, after, seconds) => {
    const id = await run(late(true, after))
    expect([await runner.open(id), runner.wakes]).toEqual([['late'], seconds])
  })

  it('that are due cancel the task that they limit, once', async () => {
    const id = await run(late(true))
    clock.advance(10 * 60_000 - 1)
    await runner.advance(id)
    expect(await statuses(id)).toEqual({ look: 'pending' })
    clock.advance(1)
    await runner.advance(id)
    expect([await statuses(id), await data(), await runner.open(id)]).toEqual([
      { look: 'cancelled' },
      { version: 2, status: 'late' },
      [],
    ])
    expect((await runner.instance(id)).status).toBe('completed')
  })

  it('that only tell of a delay leave the task, which ends them when it is completed', async () => {
    const id = await run(late(false))
    clock.advance(10 * 60_000)
    await runner.advance(id)
    expect([await statuses(id), (await data()).status]).toEqual([{ look: 'pending' }, 'late'])
    await runner.complete(await onlyTask(id))
    expect([(await runner.instance(id)).status, await runner.open(id)]).toEqual(['completed', []])
    const other = await run(late(false))
    await runner.complete(await onlyTask(other))
    expect([(await runner.instance(other)).status, await runner.open(other)]).toEqual(['completed', []])
  })

  it('give way to a task that was completed first, although its command comes later', async () => {
    const id = await run(late(true))
    const task = await onlyTask(id)
    clock.advance(10 * 60_000)
    await runner.complete(task)
    expect([await statuses(id), (await data()).status, (await runner.instance(id)).status]).toEqual([
      { look: 'completed' },
      'new',
      'completed',
    ])
  })
})
