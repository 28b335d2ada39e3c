import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Conflict } from '../../../../../../shared/kernel/failures/faults.ts'
import { log } from '../../../../../../shared/kernel/runtime/log.ts'
import { Throttled } from '../../../../../../shared/kernel/throttling/throttled.ts'
import { incidentKey } from '../../../../../../shared/platform/store/keys/processes.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { end, flow, inARow, setFields, start, timer } from '../../../../../make/builders/processes/processes.ts'
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
afterEach(() => vi.restoreAllMocks())

const version = async () => (await plan.stored())?.version
const userTask = (extensions: string, attributes = '') =>
  `<userTask id="look" ${attributes}><extensionElements>${extensions}</extensionElements></userTask>`
const told = () => plan.sent.map(([method, title, text]) => [method, title, text])
/** The incident of the step that the instance is stopped by, and how many of its steps the history shows. */
const stopped = async (id: number) => {
  const { status, steps, stepIncidents } = await plan.instance(id)
  const [incident] = stepIncidents
  const item = incident && (await single.store.get(plan.tenant, incidentKey(plan.tenant, incident)))
  return { status, steps, element: item && item.element_id, message: item && item.message }
}
/** The table, whose first transaction fails. */
const failingOnce = (error: Error) => {
  let isFirst = true
  return single.storeThrough(async (operation, call) => {
    if (operation !== 'TransactWriteItems' || !isFirst) return call()
    isFirst = false
    throw error
  })
}
/** How many writes and transactions `act` costs. */
const writesOf = async (act: (store: Store) => Promise<void>): Promise<number> => {
  let writes = 0
  await act(
    single.storeThrough((operation, call) => {
      if (['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'].includes(operation)) writes += 1
      return call()
    }),
  )
  return writes
}

describe('the notifications of a task', () => {
  const both = ['create', 'complete']
    .map((on) => `<wf:notify on="${on}" channel="push" to="user:3" title="${on}d" text="plan"/>`)
    .join('')

  it('are sent when it opens, and when it is completed', async () => {
    const id = await plan.run(inARow(start, userTask(both), end))
    expect(told()).toEqual([['sendPushNotification', 'created', 'plan']])
    const [task] = await plan.tasks(id)
    await plan.complete(task!)
    expect(told().slice(1)).toEqual([['sendPushNotification', 'completed', 'plan']])
  })

  it('need no lease: their step reserves the id of the task, and is stored', async () => {
    const id = await plan.make(inARow(start, userTask(both), end))
    expect(await writesOf((store) => plan.advance(id, store))).toBe(2)
    const [task] = await plan.tasks(id)
    expect(await writesOf((store) => plan.complete(task!, null, store))).toBe(1)
  })
})

describe('a step that cannot open its task', () => {
  it('names the task, and what was wrong with it', async () => {
    expect(await stopped(await plan.run(inARow(start, userTask('', 'wf:assignee="nobody"'), end)))).toEqual({
      status: 'incident',
      steps: 1,
      element: 'look',
      message: expect.stringContaining('wf:assignee is "nobody"'),
    })
  })
})

describe('a step that does not end', () => {
  it('names the element at which it was stopped', async () => {
    const id = await plan.run(`${inARow(start, '<serviceTask id="again"/>')}${flow('again', 'again')}`)
    expect(await stopped(id)).toMatchObject({ status: 'incident', element: 'again' })
  })
})

describe('what a step sets', () => {
  const sets = (on: string) => userTask(`<wf:setFields on="${on}"><wf:set field="status" value="set"/></wf:setFields>`)
  /** After ten minutes `follows` takes the place of the task `old`. */
  const replacing = (follows: string) =>
    [
      inARow(start, '<userTask id="old"/>', end),
      `<boundaryEvent id="late" attachedToRef="old">${timer('timeDuration', 'PT10M')}</boundaryEvent>`,
      follows,
      flow('late', 'look'),
    ].join('')
  const onWrite = async (id: number, act: (store: Store) => Promise<unknown>) => {
    const found: object[] = []
    const watched = single.storeThrough(async (operation, call) => {
      if (operation !== 'TransactWriteItems') return call()
      const before = await version()
      const { lease } = await plan.instance(id)
      const tasks = (await plan.tasks(id)).map(({ elementId, status }) => `${elementId} ${status}`)
      const answer = await call()
      if ((await version()) !== before) found.push({ isLeased: lease !== undefined, tasks })
      return answer
    })
    await act(watched)
    return found
  }

  it.each([
    ['by work', setFields('look', { status: 'set' })],
    ['for a task that opens', sets('create')],
  ])('%s is written under the lease, once the tasks that it ends are cancelled', async (_title, follows) => {
    const id = await plan.run(replacing(follows))
    plan.clock.advance(10 * 60_000)
    expect(await onWrite(id, (store) => plan.advance(id, store))).toEqual([
      { isLeased: true, tasks: ['old cancelled'] },
    ])
    // Nobody but who started the process has led to it.
    expect((await plan.stored())?.updated_by).toBe(3)
  })

  it('for a task that is completed is written under the lease', async () => {
    const id = await plan.run(inARow(start, sets('complete'), end))
    const [task] = await plan.tasks(id)
    expect(await onWrite(id, (store) => plan.complete(task!, null, store))).toEqual([
      { isLeased: true, tasks: ['look completed'] },
    ])
  })

  it.each([
    [
      { amount: '5', done: 'true' },
      { amount: 5, done: true },
    ],
    [
      { amount: '-1', done: 'false' },
      { amount: -1, done: false },
    ],
    [
      { amount: '', status: '5' },
      { amount: null, status: '5' },
    ],
  ])('is converted into the type of its field: %j', async (fields, expected) => {
    await plan.run(inARow(start, setFields('look', fields), end))
    expect(await plan.data()).toMatchObject(expected)
  })

  it.each([
    ['amount', 'many'],
    ['done', 'perhaps'],
  ])('is refused when it has another type: %s = %s', async (field, value) => {
    const logged = vi.spyOn(log, 'error').mockReturnValue()
    const id = await plan.run(inARow(start, setFields('look', { [field]: value, status: 'set' }), end))
    const { waits } = await plan.instance(id)
    expect(waits).toMatchObject([{ kind: 'failed', elementId: 'look', incidentId: expect.any(Number) }])
    const { incidentId } = waits[0] as { readonly incidentId: number }
    const incident = await single.store.get(plan.tenant, incidentKey(plan.tenant, incidentId))
    expect(incident?.message).toContain(field)
    expect([await plan.data(), logged.mock.calls]).toEqual([{ version: 1, status: 'new' }, []])
  })

  it('is written in the name of who completed the task, and of the administrator behind them', async () => {
    const id = await plan.run(inARow(start, '<userTask id="old"/>', setFields('set', { status: 'set' }), end))
    const [{ executionId } = { executionId: '' }] = await plan.tasks(id)
    const task = { id: 1, element_id: 'old', name: null, outcome: null, completed_by: 4 }
    const by = { userId: 4, impersonatorId: 9 }
    await plan.command(id, { kind: 'complete', executionId, task, variables: {}, hops: 0 }, by)
    await plan.advance(id)
    expect(await plan.stored()).toMatchObject({ updated_by: 4, impersonator_id: 9 })
  })

  it('leaves the tasks beside it', async () => {
    const beside = [
      inARow(start, '<parallelGateway id="split"/>', '<userTask id="first"/>', sets('create')),
      '<userTask id="other"/>',
      flow('split', 'other'),
    ].join('')
    const id = await plan.run(beside)
    await plan.complete((await plan.tasks(id)).find(({ elementId }) => elementId === 'first')!)
    const left = (await plan.tasks(id)).map(({ elementId, status }) => `${elementId} ${status}`)
    expect(left.toSorted()).toEqual(['first completed', 'look pending', 'other pending'])
    const pending = (await plan.tasks(id)).filter(({ status }) => status === 'pending')
    const { waits } = await plan.instance(id)
    const waited = waits.flatMap((wait) => (wait.kind === 'task' ? [[wait.elementId, wait.taskId]] : []))
    expect(waited.toSorted()).toEqual(pending.map((task) => [task.elementId, task.id]).toSorted())
  })
})

describe('the work of a step', () => {
  const branches = [
    start,
    '<parallelGateway id="split"/>',
    setFields('first', { status: 'seen' }),
    setFields('second', { amount: '5' }),
    flow('start', 'split'),
    flow('split', 'first'),
    flow('split', 'second'),
  ].join('')

  it('costs no write when it is nothing', async () => {
    const id = await plan.make(inARow(start, '<serviceTask id="pass"/>', end))
    expect(await writesOf((store) => plan.advance(id, store))).toBe(1)
  })

  it.each([
    ['the database cannot be reached', Object.assign(new Error('away'), { name: 'TimeoutError' })],
    ['a service refuses a call', Object.assign(new Error('away'), { $metadata: {} })],
    ['a call may be repeated', Object.assign(new Error('away'), { $retryable: {} })],
    ['the network is away', Object.assign(new Error('away'), { syscall: 'connect' })],
    ['a function has crashed', Object.assign(new Error('away'), { name: 'FunctionCrashed' })],
    ['a provider throttles', new Throttled()],
  ])('stops when %s: nothing of the step is stored, and it is repeated', async (_title, away) => {
    const id = await plan.make(branches)
    await expect(plan.advance(id, failingOnce(away))).rejects.toBe(away)
    expect([await version(), await plan.open(id)]).toEqual([1, ['start']])
    await plan.advance(id)
    expect([await version(), (await plan.instance(id)).status]).toEqual([3, 'completed'])
  })

  it('is left for a wake-up when other writes of its record were faster for too long', async () => {
    const id = await plan.make(branches)
    await plan.advance(id, failingOnce(new Conflict('write_conflict', 'Try again.')))
    expect([await version(), await plan.open(id), plan.wakes]).toEqual([1, ['start'], [21]])
  })

  it('that fails with an error of ours leaves an incident, and the error for the operator', async () => {
    const logged = vi.spyOn(log, 'error').mockReturnValue()
    const id = await plan.make(inARow(start, setFields('broken', { status: 'seen' }), end))
    const broken = new TypeError('a mistake of ours')
    await plan.advance(id, failingOnce(broken))
    expect([(await plan.instance(id)).status, logged.mock.calls]).toEqual([
      'incident',
      [['a process met an unexpected error', broken, { instance_id: id }]],
    ])
  })
})
