import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { end, inARow, start } from '../../../../../make/builders/processes/processes.ts'
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

describe('a service task', () => {
  const serviceTask = (action: string, extensions: string, attributes = '') =>
    `<serviceTask id="work" wf:action="${action}" ${attributes}><extensionElements>${extensions}</extensionElements></serviceTask>`
  const created = '<wf:createRecord table="plans"><wf:set field="status" value="made"/></wf:createRecord>'

  it('sends its notifications', async () => {
    const notify = '<wf:notify to="user:3" title="Late" text="Look at it."/>'
    await plan.run(inARow(start, serviceTask('notify', notify), end))
    expect(plan.sent.map(([method, title, text]) => [method, title, text])).toEqual([
      ['sendPushNotification', 'Late', 'Look at it.'],
    ])
  })

  it.each([
    [
      'in the variable that it names',
      'wf:resultVariable="made"',
      { made: expect.objectContaining({ status: 'made' }) },
    ],
    ['nowhere when it names none', '', {}],
  ])('keeps the record that it created %s', async (_title, attributes, variables) => {
    const id = await plan.run(inARow(start, serviceTask('createRecord', created, attributes), '<userTask id="look"/>'))
    expect((await plan.instance(id)).variables).toEqual(variables)
  })
})
