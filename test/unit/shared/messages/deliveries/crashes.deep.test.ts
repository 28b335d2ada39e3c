import { afterAll, beforeAll, expect, it } from 'vitest'
import { listDeliveries } from '../../../../../shared/messages/deliveries/administer/list-deliveries.ts'
import { getDelivery } from '../../../../../shared/messages/deliveries/administer/operate-deliveries.ts'
import { attemptDelivery } from '../../../../../shared/messages/deliveries/attempt/attempt-delivery.ts'
import { expandIntent } from '../../../../../shared/messages/deliveries/expand/expand-intent.ts'
import { stride } from '../../../../make/depth.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'
import { type DeliveryWorld, deliveryWorld } from '../../../../make/services/worlds/delivery-world.ts'

let table: SingleTable
let tenants = 0
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const recipients = ['https://a.example.com', 'https://b.example.com']

/** A receiver that answers 500 twice to every message, then 200. */
const newWorld = (): Promise<DeliveryWorld> =>
  deliveryWorld(table, ++tenants, (_, n) =>
    n < 3 ? { kind: 'failed', error: 'HTTP 500', code: '500' } : { kind: 'delivered', code: '200' },
  )

/** Expands the intent and makes all attempts in one process, as the functions do, until it crashes. */
async function run(world: DeliveryWorld, intent: string, process: ReturnType<DeliveryWorld['startProcess']>) {
  const { services, woken } = process
  try {
    await expandIntent(services, world.tenant, intent)
    for (let id = woken.shift(); id !== undefined; id = woken.shift()) {
      world.clock.advance(400_000)
      await attemptDelivery(services, world.tenant, id)
    }
  } catch (error) {
    if (!process.crashed()) throw error
  }
}

async function outcomeOf(world: DeliveryWorld) {
  const query = { page: 1, per_page: 100 }
  const { items } = await listDeliveries({ store: table.store }, world.tenant, query)
  return Promise.all(items.map(({ id }) => getDelivery(world.startProcess().services, world.tenant, id)))
}

it('delivers after two failures, with the same id in every attempt', async () => {
  const world = await newWorld()
  await run(world, await world.ask(recipients), world.startProcess())
  const found = await outcomeOf(world)
  expect(found.map(({ status, attempts }) => [status, attempts.map(({ outcome }) => outcome)])).toEqual(
    recipients.map(() => ['delivered', ['failed', 'failed', 'delivered']]),
  )
  expect(world.received.map(({ id }) => id).toSorted()).toEqual(
    found.flatMap(({ message_id }) => [message_id, message_id, message_id]).toSorted(),
  )
})

it('loses nothing and repeats under the same id, wherever a process crashes', async () => {
  const sound = await newWorld()
  const counted = sound.startProcess()
  await run(sound, await sound.ask(recipients), counted)
  expect(counted.operations()).toBeGreaterThan(50)
  for (const when of ['before', 'after'] as const) {
    for (let crashAt = 1; crashAt <= counted.operations(); crashAt += stride) {
      const world = await newWorld()
      const intent = await world.ask(recipients)
      const process = world.startProcess(crashAt, when)
      await run(world, intent, process)
      await world.sweepUntilIdle()
      const found = await outcomeOf(world)
      const at = `crash ${when} operation ${crashAt}`
      expect([at, process.crashed()]).toEqual([at, true])
      expect([at, found.map(({ recipient, status }) => [recipient, status])]).toEqual([
        at,
        recipients.toReversed().map((recipient) => [recipient, 'delivered']),
      ])
      const ids = new Set(found.map(({ message_id }) => message_id))
      expect([at, ids.size, world.received.filter(({ id }) => !ids.has(id))]).toEqual([at, 2, []])
      for (const { message_id, attempts } of found) {
        const count = world.received.filter(({ id }) => id === message_id).length
        // The receiver accepts the third message. A crash repeats one attempt at most.
        expect([at, count >= 3 && count <= 4, attempts.length >= count]).toEqual([at, true, true])
        expect([at, attempts.filter(({ outcome }) => outcome === 'in_flight')]).toEqual([at, []])
      }
    }
  }
})
