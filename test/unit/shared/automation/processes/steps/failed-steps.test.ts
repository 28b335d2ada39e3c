import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Fault, Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import { maxProcessHops } from '../../../../../../shared/kernel/limits/processes.ts'
import { incidentKey } from '../../../../../../shared/platform/store/keys/processes.ts'
import { end, flow, inARow, setFields, start } from '../../../../../make/builders/processes/processes.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { openPlan, type Plan } from '../../../../../make/services/worlds/plan-world.ts'

let single: SingleTable
let plan: Plan
let record = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  record += 1
  plan = await openPlan(single, record)
})

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
    const task = (await plan.tasks(id)).find((one) => one.elementId === elementId)!
    await plan.complete(task, null, single.store, hops)
  }

  it('goes on elsewhere, keeps its incident until a retry, and ends without it', async () => {
    const id = await plan.run(twoBranches)
    await complete(id, 'first', maxProcessHops + 1)
    const { stepIncidents } = await plan.instance(id)
    expect(stepIncidents).toHaveLength(1)
    await complete(id, 'second')
    expect(await plan.instance(id)).toMatchObject({ status: 'incident', stepIncidents })
    expect(await plan.open(id)).toEqual(['(complete)'])
    await complete(id, 'third')
    expect(await plan.instance(id)).toMatchObject({ status: 'completed', stepIncidents: [], waits: [] })
    expect(await plan.open(id)).toEqual([])
    const [incident] = stepIncidents
    expect((await single.store.get(plan.tenant, incidentKey(plan.tenant, incident!)))?.status).toBe('resolved')
  })
})

describe('a step whose results are too large to be stored', () => {
  it.each([
    ['here', new Invalid({}, { code: 'record_too_large' })],
    ['in the database', Object.assign(new Error('Item size has exceeded'), { name: 'ValidationException' })],
  ])('becomes an incident, because a repeat would be refused again: %s', async (_title, refusal) => {
    const id = await plan.make(inARow(start, look, end))
    let isFirst = true
    const refusing = single.storeThrough(async (operation, call) => {
      if (operation !== 'TransactWriteItems' || !isFirst) return call()
      isFirst = false
      throw refusal
    })
    await plan.advance(id, refusing)
    expect([(await plan.instance(id)).status, await plan.open(id)]).toEqual(['incident', ['(start)']])
    await plan.retry(id)
    expect([(await plan.instance(id)).status, await plan.statuses(id)]).toEqual(['running', { look: 'pending' }])
  })
})

it('a step that is refused for another reason stays to be repeated', async () => {
  const id = await plan.make(inARow(start, look, end))
  const refusal = new Invalid({ title: ['The title is taken.'] })
  let isFirst = true
  const refusing = single.storeThrough(async (operation, call) => {
    if (operation !== 'TransactWriteItems' || !isFirst) return call()
    isFirst = false
    throw refusal
  })
  await expect(plan.advance(id, refusing)).rejects.toBe(refusal)
  expect([(await plan.instance(id)).status, await plan.open(id)]).toEqual(['running', ['start']])
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
    const id = await plan.make(work)
    await expect(plan.advance(id, losing(nth, isMade))).rejects.toBe(away)
    // Nobody has to wait until a lease expires.
    expect((await plan.instance(id)).lease).toBeUndefined()
    await plan.advance(id)
    expect([await plan.data(), await plan.statuses(id), await plan.open(id)]).toEqual([
      { version: 3, status: 'seen', amount: 5 },
      { look: 'pending' },
      [],
    ])
    expect(await plan.instance(id)).toMatchObject({ status: 'running', steps: 1, rev: 2 })
  })

  it('leaves what somebody has changed in between', async () => {
    const id = await plan.make(work)
    await expect(plan.advance(id, losing(2, false))).rejects.toBe(away)
    const item = (await plan.stored())!
    await single.store.write(plan.tenant, {
      put: { ...item, data: JSON.stringify({ status: 'by a person' }), version: 3 } as never,
    })
    await plan.advance(id)
    expect(await plan.data()).toEqual({ version: 4, status: 'by a person', amount: 5 })
  })
})

describe('work that fails', () => {
  const failing = inARow(start, setFields('wrong', { amount: 'many' }), look, end)

  it('leaves an incident that says why, and is repeated by a retry', async () => {
    const id = await plan.run(failing)
    const { status, waits } = await plan.instance(id)
    expect([status, waits.length]).toEqual(['incident', 1])
    const [{ incidentId }] = waits as unknown as [{ incidentId: number }]
    const incident = () => single.store.get(plan.tenant, incidentKey(plan.tenant, incidentId))
    expect(await incident()).toMatchObject({ status: 'open', message: expect.stringContaining('amount') })
    await plan.retry(id)
    const again = (await plan.instance(id)).waits as unknown as [{ incidentId: number }]
    expect([again.length, again[0].incidentId > incidentId, (await incident())?.status]).toEqual([1, true, 'resolved'])
    expect(await plan.data()).toEqual({ version: 1, status: 'new' })
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
    const id = await plan.run(beside)
    expect([(await plan.instance(id)).status, await plan.statuses(id)]).toEqual(['incident', { look: 'pending' }])
    await plan.complete(await plan.pendingTask(id))
    expect((await plan.instance(id)).status).toBe('incident')
  })

  it('is no notification that cannot be sent', async () => {
    plan.refuseNotifications(new Fault('validation_failed', 'There is no such channel.'))
    const id = await plan.run(inARow(start, '<userTask id="look" wf:assignee="3"/>', end))
    expect([(await plan.instance(id)).status, await plan.statuses(id)]).toEqual(['running', { look: 'pending' }])
  })

  it('is a notification that may succeed later: the step is repeated', async () => {
    plan.refuseNotifications(away)
    const id = await plan.make(inARow(start, '<userTask id="look" wf:assignee="3"/>', end))
    await expect(plan.advance(id)).rejects.toBe(away)
    expect([await plan.statuses(id), await plan.open(id)]).toEqual([{}, ['start']])
    plan.refuseNotifications(undefined)
    await plan.advance(id)
    expect(await plan.statuses(id)).toEqual({ look: 'pending' })
    expect(plan.sent).toMatchObject([
      ['sendPushNotification', 'New task: look', `plans ${record}`, null, [3], 'system'],
    ])
  })
})

it('a retry of a failed gateway does not write again what was written before it', async () => {
  const gateway = '<exclusiveGateway id="way"/>'
  const id = await plan.run(
    [
      inARow(start, setFields('raise', { status: 'changed' }), gateway),
      look,
      end,
      flow('way', 'look', '${nobody.knows}'),
      flow('look', 'end'),
    ].join(''),
  )
  const before = await plan.record('plans', record)
  expect((await plan.instance(id)).stepIncidents).toHaveLength(1)
  await plan.retry(id)
  expect((await plan.instance(id)).stepIncidents).toHaveLength(1)
  expect((await plan.record('plans', record))?.version).toBe(before?.version)
})
