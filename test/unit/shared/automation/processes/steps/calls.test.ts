import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { inARow, start } from '../../../../../make/builders/processes/processes.ts'
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

const end = '<endEvent id="end"/>'
const after = '<userTask id="after"/>'
const call = (more = ''): string => `<callActivity id="call" calledElement="child">${more}</callActivity>`
const rowsOf = (prefix: string) => single.itemsOf(`T#${plan.tenant.id}#${prefix}`)

it('is refused, naming it, when processes call each other without end', async () => {
  await plan.define('child', 'plans', inARow(start, call(), end))
  const id = await plan.make(inARow(start, call(), end))
  await plan.settle()
  expect((await plan.instance(id)).status).toBe('incident')
  const incidents = (await rowsOf('PN')).map(({ message }) => String(message))
  expect(incidents).toContain(
    'child cannot call child: processes have called each other 20 times, one inside of another. Find and break the circle.',
  )
})

it('counts a loop over calls as one step that leads to others', async () => {
  await plan.define('child', 'plans', inARow(start, end))
  const id = await plan.make(
    inARow(
      start,
      call(
        '<multiInstanceLoopCharacteristics isSequential="true"><loopCardinality>3</loopCardinality></multiInstanceLoopCharacteristics>',
      ),
      after,
      end,
    ),
  )
  await plan.settle()
  const called = (await rowsOf(`PX#${id}`)).filter(({ kind }) => kind === 'process_called')
  const instances = await Promise.all(called.map(({ called_id }) => plan.instance(Number(called_id))))
  expect(instances.map(({ hops, caller }) => [hops, caller?.isPass])).toEqual([
    [1, true],
    [1, true],
    [1, true],
  ])
  expect((await plan.pendingTask(id)).elementId).toBe('after')
})

it('takes its first steps with its caller, which continues at once when it has ended', async () => {
  await plan.define('child', 'plans', inARow(start, end))
  const id = await plan.run(inARow(start, call(), call().replace('"call"', '"again"'), after, end))
  expect((await plan.pendingTask(id)).elementId).toBe('after')
})

it('has its caller continue at once when its task is completed', async () => {
  await plan.define('child', 'plans', inARow(start, '<userTask id="work"/>', end))
  const id = await plan.run(inARow(start, call(), after, end))
  const [called] = (await rowsOf(`PX#${id}`)).filter(({ kind }) => kind === 'process_called')
  await plan.complete(await plan.pendingTask(Number(called?.called_id)))
  expect((await plan.pendingTask(id)).elementId).toBe('after')
})
