import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
  plan = await openPlan(single, (record += 1))
})

const look = '<userTask id="look"/>'

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
    const id = await plan.run(inARow(start, until('new'), end))
    expect(await plan.instance(id)).toMatchObject({ status: 'completed', lastTask: { outcome: 'seen' } })
    expect(await plan.statuses(id)).toEqual({ look: 'completed' })
  })

  it('waits where people and changes of the record find it, until it ends', async () => {
    const id = await plan.run(inARow(start, until('done'), end))
    const task = await plan.pendingTask(id)
    expect(await offers(task.id)).toEqual(['process_wait', 'task_candidate', 'task_candidate'])
    await plan.command(id, { kind: 'cancel' })
    await plan.advance(id)
    expect([await plan.statuses(id), await offers(task.id)]).toEqual([{ look: 'cancelled' }, []])
  })

  it('that people alone complete waits where they find it', async () => {
    const id = await plan.run(inARow(start, '<userTask id="look" wf:candidateUsers="7"/>', end))
    expect(await offers((await plan.pendingTask(id)).id)).toEqual(['task_candidate'])
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
    const id = await plan.run(late(true, after))
    expect([await plan.open(id), plan.wakes]).toEqual([['late'], seconds])
  })

  it('that are due cancel the task that they limit, once', async () => {
    const id = await plan.run(late(true))
    plan.clock.advance(10 * 60_000 - 1)
    await plan.advance(id)
    expect(await plan.statuses(id)).toEqual({ look: 'pending' })
    plan.clock.advance(1)
    await plan.advance(id)
    expect([await plan.statuses(id), await plan.data(), await plan.open(id)]).toEqual([
      { look: 'cancelled' },
      { version: 2, status: 'late' },
      [],
    ])
    expect((await plan.instance(id)).status).toBe('completed')
  })

  it('that only tell of a delay leave the task, which ends them when it is completed', async () => {
    const id = await plan.run(late(false))
    plan.clock.advance(10 * 60_000)
    await plan.advance(id)
    expect([await plan.statuses(id), (await plan.data()).status]).toEqual([{ look: 'pending' }, 'late'])
    await plan.complete(await plan.pendingTask(id))
    expect([(await plan.instance(id)).status, await plan.open(id)]).toEqual(['completed', []])
    const other = await plan.run(late(false))
    await plan.complete(await plan.pendingTask(other))
    expect([(await plan.instance(other)).status, await plan.open(other)]).toEqual(['completed', []])
  })

  it('give way to a task that was completed first, although its command comes later', async () => {
    const id = await plan.run(late(true))
    const task = await plan.pendingTask(id)
    plan.clock.advance(10 * 60_000)
    await plan.complete(task)
    expect([await plan.statuses(id), (await plan.data()).status, (await plan.instance(id)).status]).toEqual([
      { look: 'completed' },
      'new',
      'completed',
    ])
  })
})
