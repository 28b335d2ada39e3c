import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channelObjects } from '../../../../../../shared/messages/channels/administer-channels.ts'
import { channelOf } from '../../../../../../shared/messages/channels/channel.ts'
import { getDelivery } from '../../../../../../shared/messages/deliveries/administer/operate-deliveries.ts'
import { attemptDelivery } from '../../../../../../shared/messages/deliveries/attempt/attempt-delivery.ts'
import { expandIntent } from '../../../../../../shared/messages/deliveries/expand/expand-intent.ts'
import type { Outcome } from '../../../../../../shared/messages/deliveries/state/outcome.ts'
import { smsSender } from '../../../../../../shared/messages/senders/sms/sms.ts'
import { createConfig } from '../../../../../../shared/platform/store/config.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { type DeliveryWorld, deliveryWorld, testChannel } from '../../../../../make/services/worlds/delivery-world.ts'

let table: SingleTable
let tenants = 0
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const hourMs = 3_600_000
const failed: Outcome = { kind: 'failed', error: 'HTTP 500', code: '500' }
const delivered: Outcome = { kind: 'delivered' }
const paused = (retryAfterMs: number): Outcome => ({ ...failed, pausesChannel: true, retryAfterMs })
const newWorld = (receive: () => Outcome = () => delivered, channel = testChannel) =>
  deliveryWorld(table, ++tenants, receive, channel)

/** A world with its gate, and passes of it. */
async function newGate() {
  const world = await newWorld()
  const { gate } = world.startProcess().services
  const { tenant, clock } = world
  const pass = async (channel = testChannel) => {
    const answer = await gate.pass(tenant, channel)
    return 'waitUntilMs' in answer ? { waitsMs: answer.waitUntilMs - clock.now() } : answer
  }
  const attempt = async (outcome: Outcome, channel = testChannel) => {
    const given = await gate.pass(tenant, channel)
    if ('waitUntilMs' in given) throw new Error('the gate is closed')
    await gate.count(tenant, channel, outcome, given)
  }
  const open = async () => {
    for (let n = 0; n < 5; n++) await attempt(failed)
  }
  return { ...world, gate, pass, attempt, open }
}

/** Sends one message each to some recipients, and answers the ids of their deliveries. */
async function deliver(world: DeliveryWorld, recipients: readonly string[], sender?: object): Promise<number[]> {
  const { services, woken } = world.startProcess()
  await expandIntent(services, world.tenant, await world.ask(recipients))
  const ids = woken.splice(0)
  for (const id of ids) await attemptDelivery({ ...services, ...(sender && ({ sender } as object)) }, world.tenant, id)
  return ids
}

const storedChannel = async ({ tenant, clock }: Pick<DeliveryWorld, 'tenant' | 'clock'>) => {
  const row = await createConfig(table.store, clock).getFresh(tenant, 'CHANNEL', '000000000003')
  if (!row) throw new Error('there is no channel')
  return channelOf(row)
}

/** Changes the channel as an administrator does, and answers it. */
function change(
  { tenant, clock }: Pick<DeliveryWorld, 'tenant' | 'clock'>,
  input: Parameters<typeof channelObjects.change>[3],
) {
  const secrets = { seal: () => Promise.reject(new Error('no secret is sealed')) }
  const services = { store: table.store, config: createConfig(table.store, clock), clock, secrets }
  return channelObjects.change(services, { tenant, userId: 1 }, testChannel.id, input)
}

describe('an outcome by the service itself', () => {
  const sms = { ...testChannel, type: 'sms' as const, config: { provider: 'http', url: 'https://sms.example.com' } }

  it('closes no breaker: a malformed number says nothing about a dead gateway', async () => {
    let contacts = 0
    const dead = async (): Promise<Outcome> => {
      contacts += 1
      return failed
    }
    const sender = smsSender({ http: dead, sns: dead })
    const world = await newWorld(undefined, sms)
    await deliver(
      world,
      ['0', '1', '2', '3', '4'].map((n) => `+491511234567${n}`),
      sender,
    )
    expect([contacts, world.notices.map(({ kind }) => kind)]).toEqual([5, ['paused']])
    world.clock.advance(61_000)
    const [id = 0] = await deliver(world, ['not a number'], sender)
    expect(await getDelivery(world.startProcess().services, world.tenant, id)).toMatchObject({
      status: 'failed',
      attempts: [{ outcome: 'refused' }],
    })
    expect([contacts, world.notices.map(({ kind }) => kind)]).toEqual([5, ['paused']])
    // The probe that it took is free again.
    await deliver(world, ['+4915112345670'], sender)
    expect(contacts).toBe(6)
  })

  it('opens no breaker: what the service fails at is not the fault of the receiver', async () => {
    const world = await newWorld(() => {
      throw new Error('broken seal')
    })
    await deliver(
      world,
      Array.from({ length: 12 }, (_, n) => `https://${n}.example.com`),
    )
    expect([world.received.length, world.notices]).toEqual([12, []])
  })

  it('does not count for the hours after which a channel is disabled', async () => {
    const { attempt, clock, notices } = await newGate()
    for (let hours = 0; hours <= 120; hours += 40) {
      await attempt(failed)
      await attempt({ kind: 'refused', by: 'service', error: 'bad number' })
      clock.advance(40 * hourMs)
    }
    expect(notices.map(({ kind }) => kind)).toEqual(['disabled'])
  })

  it('a refusal of the receiver shows that it works', async () => {
    const { attempt, open, clock, notices, pass } = await newGate()
    await open()
    clock.advance(61_000)
    await attempt({ kind: 'refused', by: 'receiver', error: 'HTTP 404' })
    expect(notices.map(({ kind }) => kind)).toEqual(['paused', 'resumed'])
    expect(await pass()).toMatchObject({ isProbe: false })
  })
})

describe('a channel that an administrator changes', () => {
  it('starts afresh when it is enabled after 120 hours of failures', async () => {
    const world = await newWorld(() => failed)
    await deliver(world, ['https://0.example.com', 'https://1.example.com'])
    for (let n = 0; n < 3; n++) {
      world.clock.advance(41 * hourMs)
      await deliver(world, [`https://${n}.example.com`])
    }
    expect(await storedChannel(world)).toMatchObject({ isEnabled: false })
    await change(world, { is_enabled: true })
    world.clock.advance(hourMs)
    const tenant = { ...world.tenant, configVersion: 99 }
    await deliver({ ...world, tenant }, ['https://9.example.com'])
    expect(await storedChannel(world)).toMatchObject({ isEnabled: true })
  })

  it('has neither the pause nor the failures of before', async () => {
    const { attempt, open, pass } = await newGate()
    await open()
    expect(await pass()).toEqual({ waitsMs: 60_000 })
    const changed = { ...testChannel, version: 2 }
    for (let n = 0; n < 4; n++) await attempt(failed, changed)
    expect(await pass(changed)).toMatchObject({ isProbe: false })
    await attempt(paused(90_000), changed)
    expect(await pass(changed)).toEqual({ waitsMs: 90_000 })
    expect(await pass({ ...testChannel, version: 3 })).toMatchObject({ isProbe: false })
  })

  it('is not judged by attempts that began before', async () => {
    const { gate, tenant, attempt, pass, notices } = await newGate()
    const early = await Promise.all(Array.from({ length: 6 }, () => gate.pass(tenant, testChannel)))
    const changed = { ...testChannel, version: 2 }
    await attempt(delivered, changed)
    for (const given of early) if (!('waitUntilMs' in given)) await gate.count(tenant, testChannel, failed, given)
    expect([await pass(changed), notices]).toMatchObject([{ isProbe: false }, []])
    // An instance that still reads the channel as it was waits as the others do, and does not reset them.
    for (let n = 0; n < 5; n++) await attempt(failed, changed)
    expect(await pass(testChannel)).toEqual({ waitsMs: 60_000 })
    expect(await pass(changed)).toEqual({ waitsMs: 60_000 })
  })

  it('is not disabled by a 410 of the address that it had before', async () => {
    const world = await newGate()
    const given = await world.gate.pass(world.tenant, testChannel)
    await change(world, { config: { url: 'https://new.example.com' } })
    if ('waitUntilMs' in given) throw new Error('the gate is closed')
    await world.gate.count(world.tenant, testChannel, { kind: 'gone', error: 'HTTP 410' }, given)
    expect([(await storedChannel(world)).isEnabled, world.notices]).toEqual([true, []])
  })
})

describe('the hours after which a failing channel is disabled', () => {
  it.each([
    ['a failure at each 40 hours', [0, 40, 80, 120], true],
    ['failures at most 60 hours apart', [0, 60, 120], true],
    ['failures until just before', [0, 60, 119], false],
    ['a failure at hour 0 and one at hour 121', [0, 121], false],
    ['a gap of 61 hours', [0, 50, 111, 121], false],
    ['120 hours after a gap', [0, 100, 150, 200, 220], true],
  ] as const)('%s', async (_what, hours, isDisabled) => {
    const { attempt, clock, notices } = await newGate()
    let now = 0
    for (const at of hours) {
      clock.advance((at - now) * hourMs)
      now = at
      await attempt(failed)
    }
    expect(notices.some(({ kind }) => kind === 'disabled')).toBe(isDisabled)
  })
})

describe('a pass that is given back', () => {
  it('lets another probe begin at once', async () => {
    const { gate, tenant, open, clock, pass } = await newGate()
    await open()
    clock.advance(60_000)
    const probe = await gate.pass(tenant, testChannel)
    if ('waitUntilMs' in probe) throw new Error('there was no probe')
    expect([probe.isProbe, await pass()]).toEqual([true, { waitsMs: 60_000 }])
    await gate.giveBack(tenant, testChannel, probe)
    expect(await pass()).toMatchObject({ isProbe: true })
  })

  it('frees its place in the lane', async () => {
    const { gate, tenant, pass } = await newGate()
    const passes = []
    for (let n = 0; n < 8; n++) passes.push(await gate.pass(tenant, testChannel))
    expect(await pass()).toEqual({ waitsMs: 1000 })
    const [first] = passes
    if (!first || 'waitUntilMs' in first) throw new Error('there was no place')
    await gate.giveBack(tenant, testChannel, first)
    expect(await pass()).toMatchObject({ isProbe: false })
  })
})

it('a shorter pause that the receiver asks for does not end a longer one', async () => {
  const { gate, tenant, pass } = await newGate()
  const passes = [await gate.pass(tenant, testChannel), await gate.pass(tenant, testChannel)]
  for (const [index, seconds] of [60, 5].entries()) {
    const given = passes[index]
    if (!given || 'waitUntilMs' in given) throw new Error('the gate is closed')
    await gate.count(tenant, testChannel, paused(seconds * 1000), given)
  }
  expect(await pass()).toEqual({ waitsMs: 60_000 })
})
