import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getDelivery } from '../../../../../shared/messages/deliveries/administer/operate-deliveries.ts'
import { attemptDelivery } from '../../../../../shared/messages/deliveries/attempt/attempt-delivery.ts'
import { expandIntent } from '../../../../../shared/messages/deliveries/expand/expand-intent.ts'
import { dueIntents, findDueDeliveries } from '../../../../../shared/messages/deliveries/find-due.ts'
import { takeDueWork } from '../../../../../shared/platform/store/due/due-work.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'
import { type DeliveryWorld, deliveryWorld } from '../../../../make/services/worlds/delivery-world.ts'

let table: SingleTable
let tenants = 0
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const minute = 60_000
const newWorld = (): Promise<DeliveryWorld> => deliveryWorld(table, ++tenants, () => ({ kind: 'delivered' }))

/** At which minutes `isTaken` holds, looking once a minute. */
async function minutesOf(world: DeliveryWorld, isTaken: () => Promise<boolean>): Promise<number[]> {
  const taken: number[] = []
  for (let at = 0; at < 200; at += 1) {
    if (await isTaken()) taken.push(at)
    world.clock.advance(minute + 1)
  }
  return taken
}

describe('an intent whose expansion always fails', () => {
  it('is sent again after 2, 4, 8 minutes, up to an hour, and expanded when it can be', async () => {
    const world = await newWorld()
    const { services } = world.startProcess()
    const intent = await world.ask(['https://a.example.com'])
    const broken = { ...services, wake: () => Promise.reject(new Error('no queue')) }
    const failures: unknown[] = []
    const [first = 0, ...more] = await minutesOf(world, async () => {
      const due = await takeDueWork(dueIntents, services, 100)
      for (const { wake } of due)
        await expandIntent(broken, world.tenant, wake.intent).catch((error) => failures.push(error))
      return due.length > 0
    })
    expect(failures).toHaveLength(8)
    expect([first, ...more.map((at) => at - first)]).toEqual([1, 2, 6, 14, 30, 62, 122, 182])
    await world.sweepUntilIdle()
    expect(world.received).toHaveLength(1)
    expect(
      await table.store.get(world.tenant, {
        pk: `T#${world.tenant.id}#DI#${intent}`,
        sk: `T#${world.tenant.id}#DI#${intent}`,
      }),
    ).toMatchObject({ is_expanded: true })
  })

  it('hides no other of its shard', async () => {
    const world = await newWorld()
    const { services } = world.startProcess()
    const asked = []
    for (let n = 0; n < 12; n += 1) asked.push(await world.ask(['https://a.example.com']))
    world.clock.advance(2 * minute)
    const found: string[] = []
    for (let round = 0; round < asked.length; round += 1)
      found.push(...(await takeDueWork(dueIntents, services, 1)).map(({ wake }) => wake.intent))
    expect(found.toSorted()).toEqual(asked.toSorted())
    await world.sweepUntilIdle()
  })
})

describe('a delivery whose attempt never begins', () => {
  it('is woken again after 2, 4, 8 minutes, up to an hour, and made when it can be', async () => {
    const world = await newWorld()
    const { services, woken } = world.startProcess()
    await expandIntent(services, world.tenant, await world.ask(['https://a.example.com']))
    const id = woken[0] as number
    const [first = 0, ...more] = await minutesOf(
      world,
      async () => (await findDueDeliveries(services, 100, 0)).length > 0,
    )
    expect([first, ...more.map((at) => at - first)]).toEqual([1, 2, 6, 14, 30, 62, 122, 182])
    await attemptDelivery(services, world.tenant, id)
    expect(await getDelivery(services, world.tenant, id)).toMatchObject({ status: 'delivered', attempt_count: 1 })
    await world.sweepUntilIdle()
    expect(world.received).toHaveLength(1)
  })

  it('hides no other of its shard, and is woken once for one due time by overlapping looks ahead', async () => {
    const world = await newWorld()
    const { services, woken } = world.startProcess()
    await expandIntent(
      services,
      world.tenant,
      await world.ask(Array.from({ length: 12 }, (_, n) => `https://${n}.example.com`)),
    )
    const found: number[] = []
    for (let round = 0; round < 4; round += 1)
      found.push(...(await findDueDeliveries(services, 1, 75_000)).map(({ id }) => id))
    expect(found.toSorted((a, b) => a - b)).toEqual(woken.toSorted((a, b) => a - b))
  })
})
