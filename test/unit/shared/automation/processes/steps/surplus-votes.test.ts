import { afterAll, beforeAll, expect, it } from 'vitest'
import { inARow, start } from '../../../../../make/builders/processes/processes.ts'
import { crashing } from '../../../../../make/services/stores/crashing-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { openPlan } from '../../../../../make/services/worlds/plan-world.ts'

let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

it('counts as many votes as the quorum of five that are given at once, and cancels the others', async () => {
  const plan = await openPlan(single, 1)
  const votes =
    '<userTask id="vote"><multiInstanceLoopCharacteristics><loopCardinality>5</loopCardinality><completionCondition>numberOfCompletedInstances >= 2</completionCondition></multiInstanceLoopCharacteristics></userTask>'
  const id = await plan.run(inARow(start, votes, '<userTask id="after"/>', '<endEvent id="end"/>'))
  // Each is stored before the first of them is counted.
  for (const task of await plan.tasks(id))
    await plan.complete(task, null, crashing(single.store, 1, 'before').store).catch(() => undefined)
  expect((await plan.tasks(id)).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'completed'))
  plan.clock.advance(30_000)
  await plan.advance(id)
  const statuses = (await plan.tasks(id)).map(({ elementId, status }) => `${elementId} ${status}`)
  expect(statuses.toSorted()).toEqual([
    'after pending',
    'vote cancelled',
    'vote cancelled',
    'vote cancelled',
    'vote completed',
    'vote completed',
  ])
})
