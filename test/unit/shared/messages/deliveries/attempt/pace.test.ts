import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { getDelivery } from '../../../../../../shared/messages/deliveries/administer/operate-deliveries.ts'
import { attemptDelivery } from '../../../../../../shared/messages/deliveries/attempt/attempt-delivery.ts'
import { expandIntent } from '../../../../../../shared/messages/deliveries/expand/expand-intent.ts'
import { botApi, botApiLimits } from '../../../../../../shared/messages/messenger/bot-api.ts'
import { messengerSender } from '../../../../../../shared/messages/senders/messenger/messenger.ts'
import { guardedRequests } from '../../../../../../shared/platform/net/guarded-request.ts'
import { type BotCall, type BotScript, scriptedBotApi } from '../../../../../make/services/servers/scripted-bot-api.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { type DeliveryWorld, deliveryWorld, testChannel } from '../../../../../make/services/worlds/delivery-world.ts'

let table: SingleTable
let tenants = 500
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const servers: Awaited<ReturnType<typeof scriptedBotApi>>[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const bot = {
  ...testChannel,
  type: 'messenger' as const,
  config: { bot_token: '4711:AAE-x', retry_schedule: [0, 5, 5] },
}

/** Deliveries through a bot, whose server keeps the limits of Telegram by the clock of the world. */
async function botWorld(script?: (n: number, call: BotCall) => BotScript) {
  const world = await deliveryWorld(table, ++tenants, () => ({ kind: 'delivered' }), bot)
  const server = await scriptedBotApi({ now: world.clock.now, ...(script && { script }) })
  servers.push(server)
  const sender = messengerSender({
    botTimeoutMs: botApiLimits.timeoutMs,
    clock: world.clock,
    callBot: botApi({ send: guardedRequests({ ...botApiLimits, allowLoopback: true }), base: server.url }),
    unlinkChat: async () => false,
  })

  /** A process, and what it wakes when. */
  function start(crashAt?: number, when?: 'before' | 'after') {
    const process = world.startProcess(crashAt, when)
    const due: { id: number; atMs: number }[] = []
    const services = {
      ...process.services,
      sender,
      wake: async (_tenant: object, _channel: object, ids: readonly number[], delayMs = 0) =>
        void due.push(...ids.map((id) => ({ id, atMs: world.clock.now() + Math.ceil(delayMs / 1000) * 1000 }))),
    }
    return { ...process, services, due }
  }
  return { ...world, ...server, start }
}

/** Attempts what is due, at its time, until nothing is. Answers how many attempts were made or put off. */
async function deliverAll(
  world: DeliveryWorld,
  { services, due }: ReturnType<Awaited<ReturnType<typeof botWorld>>['start']>,
) {
  let handled = 0
  for (; due.length > 0; handled++) {
    due.sort((a, b) => a.atMs - b.atMs)
    const next = due.shift() as (typeof due)[number]
    world.clock.advance(Math.max(0, next.atMs - world.clock.now()))
    await attemptDelivery(services, world.tenant, next.id)
  }
  return handled
}

const ask = async (
  world: DeliveryWorld,
  services: Parameters<typeof expandIntent>[0],
  recipients: readonly string[],
  text?: string,
) => expandIntent(services, world.tenant, await world.ask(recipients, text))
const stored = (world: DeliveryWorld, id: number) => getDelivery(world.startProcess().services, world.tenant, id)

describe('messages through a bot', () => {
  it('keep the limits of the Bot API without using attempts, in the order of their chats', async () => {
    const world = await botWorld()
    const process = world.start()
    const chats = Array.from({ length: 40 }, (_, n) => String(1000 + n))
    await ask(world, process.services, [...chats, ...chats.slice(0, 5), ...Array<string>(25).fill('-42')])
    const ids = process.due.map(({ id }) => id)
    const before = process.operations()
    const handled = await deliverAll(world, process)
    expect(world.exceeded).toEqual([])
    expect(world.delivered).toHaveLength(70)
    const deliveries = await Promise.all(ids.map((id) => stored(world, id)))
    expect(new Set(deliveries.map(({ status, attempt_count }) => `${status} ${attempt_count}`))).toEqual(
      new Set(['delivered 1']),
    )
    const ofGroup = deliveries.filter(({ recipient }) => recipient === '-42').map((one) => String(one.delivered_at))
    expect(ofGroup).toEqual(ofGroup.toSorted())
    // Not once a second until the minute of the group is over.
    expect(handled).toBeLessThan(2.5 * ids.length)
    expect((process.operations() - before) / handled).toBeLessThan(8)
  })

  it('cost two more calls of the store than a webhook', async () => {
    const world = await botWorld()
    const process = world.start()
    const [paced, plain] = [process.services, { ...process.services, sender: { send: process.services.sender.send } }]
    const callsWith = async (services: typeof plain, chat: string) => {
      await ask(world, process.services, [chat])
      world.clock.advance(1000)
      const before = process.operations()
      await attemptDelivery(services, world.tenant, process.due.pop()?.id ?? 0)
      return process.operations() - before
    }
    await callsWith(paced, '1')
    expect([await callsWith(plain, '2'), await callsWith(paced, '3')]).toEqual([5, 7])
    expect(world.delivered).toHaveLength(3)
  })

  it('wait all together while the bot is asked to pause', async () => {
    const tooMany = { status: 429, description: 'Too Many Requests', parameters: { retry_after: 40 } }
    const world = await botWorld((n, { chat }) => (chat === '1' && n === 1 ? tooMany : undefined))
    const process = world.start()
    await ask(world, process.services, ['1', '2', '3', '4', '5', '6', '7'])
    const ids = process.due.map(({ id }) => id)
    const startMs = world.clock.now()
    await deliverAll(world, process)
    const [refused, ...others] = world.calls
    expect(refused).toMatchObject({ chat: '1' })
    expect(Math.min(...others.map(({ atMs }) => atMs)) - startMs).toBeGreaterThanOrEqual(40_000)
    const counts = (await Promise.all(ids.map((id) => stored(world, id)))).map((one) => one.attempt_count)
    expect(counts.toSorted()).toEqual([1, 1, 1, 1, 1, 1, 2])
    expect([world.delivered.length, world.notices]).toEqual([7, []])
  })

  it('with several parts send none twice after a failure, and at most one after a crash', async () => {
    const text = ['a', 'b', 'c'].map((letter) => letter.repeat(4096)).join('')
    const failing = await botWorld((n) => (n === 3 ? { status: 500, description: 'down' } : undefined))
    const process = failing.start()
    await ask(failing, process.services, ['900'], text)
    await deliverAll(failing, process)
    expect(failing.delivered.map((one) => one.text[0])).toEqual(['a', 'b', 'c'])

    for (const when of ['before', 'after'] as const) {
      for (let crashAt = 1; ; crashAt++) {
        const world = await botWorld()
        await ask(world, world.start().services, ['900'], text)
        const crashing = world.start(crashAt, when)
        await attemptDelivery(crashing.services, world.tenant, 1).catch(() => undefined)
        await world.sweepUntilIdle(world.start().services)
        const arrived = world.delivered.map((one) => one.text[0]).join('')
        expect(['abc', 'aabc', 'abbc', 'abcc']).toContain(arrived)
        expect(await stored(world, 1)).toMatchObject({ status: 'delivered' })
        if (!crashing.crashed()) break
      }
    }
  })
})
