import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  changeTask,
  type TaskDependencies,
} from '../../../../../../../shared/automation/processes/tasks/assignment/change-task.ts'
import type { Caller } from '../../../../../../../shared/kernel/principal.ts'
import { inARow } from '../../../../../../make/builders/processes/processes.ts'
import { administrator } from '../../../../../../make/builders/records/record-dependencies.ts'
import { interruptedStore } from '../../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../../make/services/stores/single-table.ts'
import { openPlan } from '../../../../../../make/services/worlds/plan-world.ts'

let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

it('changes a task as it is now, when somebody else was faster', async () => {
  const plan = await openPlan(single, 1)
  const id = await plan.run(inARow('<startEvent id="s"/>', '<userTask id="ask" wf:candidateUsers="3"/>'))
  const task = await plan.pendingTask(id)
  const caller = { ...administrator, tenant: plan.tenant, userId: 3, permissions: ['*'] } as unknown as Caller
  const services = (store: TaskDependencies['store']) =>
    ({ store, clock: plan.clock, config: { list: async () => [] } }) as unknown as TaskDependencies
  const rename = (store: TaskDependencies['store'], name: string, seen: (string | null)[] = []) =>
    changeTask(services(store), caller, task.id, async (before) => {
      seen.push(before.name)
      return { task: { ...before, name } }
    })
  const seen: (string | null)[] = []
  await rename(
    interruptedStore(single, 'PutItem', () => rename(single.store, 'By the faster')),
    'By the slower',
    seen,
  )
  expect(seen).toEqual([task.name, 'By the faster'])
  expect(await plan.pendingTask(id)).toMatchObject({ name: 'By the slower', version: 3 })
})
