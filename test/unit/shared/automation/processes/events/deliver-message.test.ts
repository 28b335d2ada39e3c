import { afterAll, beforeAll, expect, it } from 'vitest'
import { deliverMessage } from '../../../../../../shared/automation/processes/events/deliver-message.ts'
import { inARow } from '../../../../../make/builders/processes/processes.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { openPlan } from '../../../../../make/services/worlds/plan-world.ts'

let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

it('gives a message with a key to an instance that begins to wait before it is kept', async () => {
  const plan = await openPlan(single, 1)
  const waits = inARow(
    '<startEvent id="s"/>',
    '<intermediateCatchEvent id="c" name="paid"><messageEventDefinition/></intermediateCatchEvent>',
    '<userTask id="after"/>',
  )
  let id = 0
  const store = interruptedStore(single, 'TransactWriteItems', async () => {
    id = await plan.run(waits)
  })
  const message = { name: 'paid', key: '1', variables: {}, messageId: undefined, ttlSeconds: 60, by: { userId: 3 } }
  const services = { store, clock: plan.clock, config: { list: async () => [] } as never }
  expect(await deliverMessage(services, plan.tenant, { ...message, hops: 0, wakesRunner: false })).toEqual({
    delivered: [id],
    kept: false,
  })
  await plan.settle()
  expect((await plan.pendingTask(id)).elementId).toBe('after')
})
