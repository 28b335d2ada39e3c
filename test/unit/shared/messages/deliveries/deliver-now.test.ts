import { afterAll, beforeAll, expect, it } from 'vitest'
import { listDeliveries } from '../../../../../shared/messages/deliveries/administer/list-deliveries.ts'
import { getDelivery } from '../../../../../shared/messages/deliveries/administer/operate-deliveries.ts'
import { attemptDelivery } from '../../../../../shared/messages/deliveries/attempt/attempt-delivery.ts'
import { deliverNow } from '../../../../../shared/messages/deliveries/attempt/deliver-now.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'
import { type DeliveryWorld, deliveryWorld, testChannel } from '../../../../make/services/worlds/delivery-world.ts'

let table: SingleTable
let tenants = 0
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const message = {
  channel: testChannel,
  recipient: 'ada@example.com',
  content: { body: 'Hello' },
  source: { model: null, record_id: null, user_id: 1 },
}
/** A receiver that answers 500 to the first `failures` messages of an id, then 200. */
const newWorld = (failures = 0): Promise<DeliveryWorld> =>
  deliveryWorld(table, ++tenants, (_, n) =>
    n <= failures ? { kind: 'failed', error: 'HTTP 500', code: '500' } : { kind: 'delivered', code: '200' },
  )

it('makes the first attempt at once, and wakes nobody for it', async () => {
  const world = await newWorld()
  const { services, woken } = world.startProcess()
  const delivery = await deliverNow(services, world.tenant, message)
  expect(delivery).toMatchObject({ status: 'delivered', attemptCount: 1, recipient: 'ada@example.com' })
  expect([woken, world.received.length]).toEqual([[], 1])
})

it('leaves later attempts to the queue', async () => {
  const world = await newWorld(1)
  const { services, woken } = world.startProcess()
  const { id, status, lastError } = await deliverNow(services, world.tenant, message)
  expect([status, lastError, woken]).toEqual(['retrying', 'HTTP 500', [id]])
  await world.sweepUntilIdle()
  expect(await getDelivery(services, world.tenant, id)).toMatchObject({ status: 'delivered', attempt_count: 2 })
})

it('waits for an attempt that the queue was faster with', async () => {
  const world = await newWorld()
  const [own, other] = [world.startProcess(), world.startProcess()]
  const claimed = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const send: typeof other.services.sender.send = async (...given) => {
    claimed.resolve()
    await answered.promise
    return other.services.sender.send(...given)
  }
  let elsewhere: Promise<void> | undefined
  const delivery = await deliverNow(
    {
      ...own.services,
      gate: {
        ...own.services.gate,
        async pass(...given) {
          elsewhere = attemptDelivery({ ...other.services, sender: { send } }, world.tenant, 1)
          await claimed.promise
          return own.services.gate.pass(...given)
        },
      },
      clock: {
        ...own.services.clock,
        async sleep(ms) {
          answered.resolve()
          await elsewhere
          await own.services.clock.sleep(ms)
        },
      },
    },
    world.tenant,
    message,
  )
  expect([delivery.status, delivery.attemptCount, world.received.length]).toEqual(['delivered', 1, 1])
})

it('loses nothing and repeats under the same id, wherever the process crashes', async () => {
  const sound = await newWorld(1)
  const counted = sound.startProcess()
  await deliverNow(counted.services, sound.tenant, message)
  expect(counted.operations()).toBeGreaterThan(10)
  for (const when of ['before', 'after'] as const) {
    for (let crashAt = 1; crashAt <= counted.operations(); crashAt++) {
      const world = await newWorld(1)
      const process = world.startProcess(crashAt, when)
      await deliverNow(process.services, world.tenant, message).catch(() => {})
      const at = `crash ${when} operation ${crashAt}`
      expect([at, process.crashed()]).toEqual([at, true])
      await world.sweepUntilIdle()
      const { items } = await listDeliveries({ store: table.store }, world.tenant, { page: 1, per_page: 100 })
      // Before the intent is stored nothing was asked for.
      const isAsked = crashAt > 1 || when === 'after'
      expect([at, items.map(({ status }) => status)]).toEqual([at, isAsked ? ['delivered'] : []])
      expect([at, new Set(world.received.map(({ id }) => id)).size]).toEqual([at, items.length])
    }
  }
})
