import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { channelOf } from '../../../../../../shared/messages/channels/channel.ts'
import { listDeliveries } from '../../../../../../shared/messages/deliveries/administer/list-deliveries.ts'
import {
  cancelDelivery,
  getDelivery,
  retryDelivery,
} from '../../../../../../shared/messages/deliveries/administer/operate-deliveries.ts'
import { attemptDelivery } from '../../../../../../shared/messages/deliveries/attempt/attempt-delivery.ts'
import { expandIntent } from '../../../../../../shared/messages/deliveries/expand/expand-intent.ts'
import type { Outcome } from '../../../../../../shared/messages/deliveries/state/outcome.ts'
import { createConfig } from '../../../../../../shared/platform/store/config.ts'
import { configKey } from '../../../../../../shared/platform/store/keys/configuration.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { type DeliveryWorld, deliveryWorld, testChannel } from '../../../../../make/services/worlds/delivery-world.ts'

let table: SingleTable
let tenants = 0
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const failed: Outcome = { kind: 'failed', error: 'HTTP 500', code: '500' }
const worldWith = (receive: () => Outcome, channel = testChannel) => deliveryWorld(table, ++tenants, receive, channel)
const stored = (world: DeliveryWorld, id: number) => getDelivery(world.startProcess().services, world.tenant, id)

/** Asks for messages and expands them; answers a process and the ids of the deliveries. */
async function expanded(world: DeliveryWorld, count = 1) {
  const process = world.startProcess()
  const intent = await world.ask(Array.from({ length: count }, (_, n) => `https://${n}.example.com`))
  await expandIntent(process.services, world.tenant, intent)
  return { ...process, intent, ids: process.woken.splice(0) }
}
const attempt = (
  world: DeliveryWorld,
  { services: deliveries }: { services: Parameters<typeof attemptDelivery>[0] },
  id: number,
) => attemptDelivery(deliveries, world.tenant, id)

describe('an intent', () => {
  it('is expanded once, whatever is asked again at the same time', async () => {
    const world = await worldWith(() => ({ kind: 'delivered' }))
    const intent = await world.ask(['a', 'b', 'c'])
    await Promise.all([1, 2, 3].map(() => expandIntent(world.startProcess().services, world.tenant, intent)))
    const { items } = await listDeliveries({ store: table.store }, world.tenant, { page: 1, per_page: 10 })
    expect(items.map(({ recipient }) => recipient)).toEqual(['c', 'b', 'a'])
    expect(await world.sweep()).toBe(3)
    expect(await world.sweep()).toBe(0)
  })
})

describe('a delivery', () => {
  it('is attempted by one of several processes', async () => {
    const world = await worldWith(() => ({ kind: 'delivered' }))
    const { ids } = await expanded(world)
    await Promise.all([1, 2, 3, 4].map(() => attempt(world, world.startProcess(), ids[0] as number)))
    expect([world.received.length, (await stored(world, ids[0] as number)).attempt_count]).toEqual([1, 1])
  })

  it('is attempted when it is due, not before', async () => {
    const world = await worldWith(() => failed)
    const process = await expanded(world)
    const id = process.ids[0] as number
    await attempt(world, process, id)
    await attempt(world, process, id)
    expect(world.received).toHaveLength(1)
    world.clock.advance(7000)
    await attempt(world, process, id)
    expect(world.received).toHaveLength(2)
    expect(process.woken).toEqual([id, id])
  })

  it('fails with the reason when its channel is disabled or deleted', async () => {
    const world = await worldWith(() => ({ kind: 'delivered' }), { ...testChannel, isEnabled: false })
    const process = await expanded(world)
    await attempt(world, process, process.ids[0] as number)
    expect(await stored(world, process.ids[0] as number)).toMatchObject({
      status: 'failed',
      last_error: 'The channel crm is disabled.',
      attempt_count: 0,
    })
    expect(world.received).toEqual([])
  })

  it('waits while its tenant is deleted, and goes on after a restore', async () => {
    const world = await worldWith(() => ({ kind: 'delivered' }))
    const { ids, services } = await expanded(world)
    const [id] = ids as [number]
    const deleteAt = new Date(world.clock.now() + 86_400_000).toISOString()
    await attemptDelivery(services, { ...world.tenant, deleteAt }, id)
    await attempt(world, { services }, id)
    expect(await stored(world, id)).toMatchObject({ status: 'queued', attempt_count: 0 })
    world.clock.advance(3_600_000)
    await attempt(world, { services }, id)
    expect([world.received.length, (await stored(world, id)).status]).toEqual([1, 'delivered'])
  })

  it.each([
    ['says that it was overtaken when its subscription has delivered', 1, 3],
    ['says nothing when another subscription has delivered', 2, undefined],
  ])('%s a newer version of the record', async (_title, other, newer) => {
    let isDown = true
    const world = await worldWith(() => (isDown ? failed : { kind: 'delivered' }))
    const { services, woken } = world.startProcess()
    const make = async (subscription: number, version: number): Promise<number> => {
      await expandIntent(services, world.tenant, await world.askVersion(subscription, version))
      return woken.at(-1) as number
    }
    const second = await make(1, 2)
    await attempt(world, { services }, second)
    isDown = false
    const third = await make(other, 3)
    world.clock.advance(60_000)
    await attempt(world, { services }, third)
    await attempt(world, { services }, second)
    expect(world.received.map(({ change, supersededBy }) => [change?.version, supersededBy])).toEqual([
      [2, undefined],
      [3, undefined],
      [2, newer],
    ])
    const { status, superseded_by: shown, source } = await stored(world, second)
    expect([status, shown, source]).toEqual([
      'delivered',
      newer,
      { model: 'requests', record_id: 42, record_version: 2, subscription_id: 1 },
    ])
    expect(await stored(world, third)).not.toHaveProperty('superseded_by')
  })

  it('records a failure when sending throws', async () => {
    const world = await worldWith(() => {
      throw new Error('broken seal')
    })
    const process = await expanded(world)
    await attempt(world, process, process.ids[0] as number)
    expect(await stored(world, process.ids[0] as number)).toMatchObject({
      status: 'retrying',
      attempts: [{ n: 1, outcome: 'failed', error: expect.stringContaining('its log has the reason') }],
    })
  })

  it.each([
    ['its channel is paused', 'retrying', {}],
    ['its tenant was deleted', 'retrying', { deleteAt: '2099-12-20T08:00:00.000Z' }],
    ['its channel was deleted', 'failed', { configVersion: 2 }],
  ] as const)('keeps the row of a lost attempt when %s', async (_when, status, change) => {
    const world = await worldWith(() => ({
      kind: 'failed',
      error: 'slow down',
      pausesChannel: true,
      retryAfterMs: 90_000,
    }))
    const { ids, services } = await expanded(world, 2)
    const [lost, other] = ids as [number, number]
    const dead: typeof services.sender = { send: () => new Promise(() => {}) }
    void attemptDelivery({ ...services, sender: dead }, world.tenant, lost)
    await vi.waitFor(async () => expect((await stored(world, lost)).status).toBe('sending'), { timeout: 60_000 })
    await attempt(world, { services }, other)
    if ('configVersion' in change)
      await table.store.write(world.tenant, { remove: configKey(world.tenant, 'CHANNEL', '000000000003') })
    world.clock.advance(61_000)
    await attemptDelivery(services, { ...world.tenant, ...change }, lost)
    expect(await stored(world, lost)).toMatchObject({
      status,
      attempt_count: 1,
      attempts: [{ n: 1, outcome: 'unknown', error: expect.stringContaining('interrupted') }],
    })
  })

  it('obeys the schedule of its channel, and can be retried by hand afterwards', async () => {
    const config = { ...testChannel.config, retry_schedule: [0, 1] }
    const world = await worldWith(() => failed, { ...testChannel, config })
    const process = await expanded(world)
    const id = process.ids[0] as number
    await attempt(world, process, id)
    world.clock.advance(2000)
    await attempt(world, process, id)
    expect(await stored(world, id)).toMatchObject({ status: 'failed', attempt_count: 2, next_attempt_at: null })
    await expect(cancelDelivery(process.services, world.tenant, id)).rejects.toMatchObject({ code: 'delivery_ended' })
    await retryDelivery(process.services, world.tenant, id)
    expect(await stored(world, id)).toMatchObject({ status: 'queued', attempt_count: 2 })
    await attempt(world, process, id)
    expect(await stored(world, id)).toMatchObject({ status: 'retrying', attempt_count: 3 })
    await cancelDelivery(process.services, world.tenant, id)
    world.clock.advance(60_000)
    await attempt(world, process, id)
    expect([world.received.length, (await stored(world, id)).status]).toEqual([3, 'cancelled'])
  })
})

describe('a channel whose receiver is slow', () => {
  it('has eight attempts in flight; the other deliveries wait without using attempts', async () => {
    const answers: (() => void)[] = []
    const world = await worldWith(() => ({ kind: 'delivered' }))
    const process = await expanded(world, 12)
    const { sender } = process.services
    const slow = {
      ...process.services,
      sender: {
        async send(...given: Parameters<typeof sender.send>) {
          await new Promise<void>((resolve) => answers.push(resolve))
          return sender.send(...given)
        },
      },
    }
    const attempts: Promise<void>[] = []
    for (const id of process.ids.slice(0, 8)) {
      attempts.push(attemptDelivery(slow, world.tenant, id))
      await vi.waitFor(() => expect(answers).toHaveLength(attempts.length), { timeout: 60_000 })
    }
    for (const id of process.ids.slice(8)) {
      await attemptDelivery(slow, world.tenant, id)
      expect(await stored(world, id)).toMatchObject({ status: 'queued', attempt_count: 0 })
    }
    expect(answers).toHaveLength(8)
    for (const answer of answers) answer()
    await Promise.all(attempts)
    await world.sweepUntilIdle()
    expect(world.received).toHaveLength(12)
  })
})

describe('a channel that keeps failing', () => {
  it('is paused: its deliveries wait without using attempts, until one probe succeeds', async () => {
    let isDown = true
    const world = await worldWith(() => (isDown ? failed : { kind: 'delivered' }))
    const process = await expanded(world, 9)
    for (const id of process.ids) await attempt(world, process, id)
    expect(world.received).toHaveLength(5)
    expect(world.notices).toMatchObject([{ kind: 'paused', reason: 'HTTP 500' }])
    const waiting = process.ids.slice(5)
    for (const id of waiting) expect(await stored(world, id)).toMatchObject({ status: 'queued', attempt_count: 0 })

    world.clock.advance(75_000)
    await Promise.all(waiting.map((id) => attempt(world, world.startProcess(), id)))
    expect(world.received).toHaveLength(6)

    isDown = false
    for (let round = 0; round < 12; round++) await world.sweep()
    for (const id of process.ids) expect(await stored(world, id)).toMatchObject({ status: 'delivered' })
    expect(world.notices.map(({ kind }) => kind)).toEqual(['paused', 'resumed'])
  })

  it('is not paused while most attempts succeed, also when they run at the same time', async () => {
    let count = 0
    const world = await worldWith(() => (++count % 4 === 0 ? failed : { kind: 'delivered' }))
    const process = await expanded(world, 60)
    await Promise.all(process.ids.map((id) => attempt(world, process, id)))
    await world.sweepUntilIdle()
    for (const id of process.ids) expect(await stored(world, id)).toMatchObject({ status: 'delivered' })
    expect([world.received.length > 60, world.notices]).toEqual([true, []])
  })

  it('is disabled at once when its receiver is gone', async () => {
    const world = await worldWith(() => ({ kind: 'gone', error: 'HTTP 410', code: '410' }))
    const process = await expanded(world)
    await attempt(world, process, process.ids[0] as number)
    expect(await stored(world, process.ids[0] as number)).toMatchObject({
      status: 'failed',
      attempts: [{ outcome: 'refused', code: '410' }],
    })
    const row = await createConfig(table.store, world.clock).getFresh(world.tenant, 'CHANNEL', '000000000003')
    expect(row && channelOf(row)).toMatchObject({ isEnabled: false, version: 2 })
    expect(world.notices).toMatchObject([{ kind: 'disabled', reason: 'HTTP 410' }])
  })

  it('is disabled when it only failed for 120 hours', async () => {
    const world = await worldWith(() => failed)
    for (let round = 0; round < 3; round++) {
      const process = await expanded(world)
      await attempt(world, process, process.ids[0] as number)
      world.clock.advance(60 * 60 * 60_000)
    }
    expect(world.notices).toMatchObject([{ kind: 'disabled' }])
  })
})
