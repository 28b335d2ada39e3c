import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { maxProcessHops } from '../../../../../../shared/kernel/limits/processes.ts'
import { recordKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { end, inARow, setFields, start } from '../../../../../make/builders/processes/processes.ts'
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

const matchTasks = '<userTask id="matchTasks"/>'

describe('an instance', () => {
  it('runs until it waits for a person, and to its end after that', async () => {
    const id = await plan.run(inARow(start, setFields('set', { status: 'seen' }), matchTasks, end))
    expect(await plan.instance(id)).toMatchObject({ status: 'running', steps: 1, rev: 2, endedAt: null })
    expect([await plan.data(), await plan.statuses(id), await plan.open(id)]).toEqual([
      { version: 2, status: 'seen' },
      { matchTasks: 'pending' },
      [],
    ])
    plan.clock.advance(1000)
    await plan.complete(await plan.pendingTask(id), 'good')
    expect(await plan.instance(id)).toMatchObject({
      status: 'completed',
      steps: 2,
      waits: [],
      endedAt: '2026-11-20T08:00:01.000Z',
      lastTask: { element_id: 'matchTasks', outcome: 'good', completed_by: 3 },
      variables: { outcome: 'good' },
    })
    expect(await plan.open(id)).toEqual([])
  })

  it('keeps the variables that it was started with', async () => {
    const id = await plan.make(inARow(start, matchTasks, end), 0, { amount: 5 })
    await plan.advance(id)
    expect((await plan.instance(id)).variables).toEqual({ amount: 5 })
  })

  it('counts no step for a command that comes too late', async () => {
    const id = await plan.run(inARow(start, matchTasks, end))
    const task = { id: 1, element_id: 'gone', name: null, outcome: null, completed_by: 3 }
    await plan.command(id, { kind: 'complete', executionId: 'gone', task, variables: {}, hops: 0 })
    await plan.advance(id)
    expect([await plan.instance(id), await plan.open(id)]).toMatchObject([{ status: 'running', steps: 1 }, []])
  })

  it('sets what its task sets when it opens, and when it is completed', async () => {
    const sets = (on: string, value: string) =>
      `<wf:setFields on="${on}"><wf:set field="status" value="${value}"/></wf:setFields>`
    const task = `<userTask id="matchTasks"><extensionElements>${sets('create', 'open')}${sets('complete', 'closed')}</extensionElements></userTask>`
    const id = await plan.run(inARow(start, task, end))
    expect((await plan.data()).status).toBe('open')
    await plan.complete(await plan.pendingTask(id))
    expect((await plan.data()).status).toBe('closed')
  })

  it('is cancelled when its record is gone', async () => {
    const id = await plan.run(inARow(start, matchTasks, end))
    await single.store.write(plan.tenant, { remove: recordKey(plan.tenant, 'plans', record) })
    await plan.complete(await plan.pendingTask(id))
    expect([(await plan.instance(id)).status, await plan.open(id)]).toEqual(['cancelled', []])
  })

  it('that processes have led to too often stops, until somebody retries it', async () => {
    const id = await plan.make(inARow(start, matchTasks, end), maxProcessHops + 1)
    await plan.advance(id)
    const { status, stepIncidents } = await plan.instance(id)
    expect([status, stepIncidents.length, await plan.open(id)]).toEqual(['incident', 1, ['(start)']])
    await plan.retry(id)
    expect(await plan.instance(id)).toMatchObject({ status: 'running', stepIncidents: [], hops: 0 })
    expect(await plan.statuses(id)).toEqual({ matchTasks: 'pending' })
  })

  it('that processes have led to as often as they may goes on, and counts', async () => {
    const id = await plan.make(inARow(start, matchTasks, end), maxProcessHops)
    await plan.advance(id)
    expect(await plan.instance(id)).toMatchObject({ status: 'running', hops: maxProcessHops })
    await plan.complete(await plan.pendingTask(id))
    expect(await plan.instance(id)).toMatchObject({ status: 'completed', hops: 0 })
    const other = await plan.run(inARow(start, matchTasks, end))
    await plan.complete(await plan.pendingTask(other), null, single.store, maxProcessHops + 1)
    expect([(await plan.instance(other)).status, await plan.open(other)]).toEqual(['incident', ['(complete)']])
  })
})
