import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Channel, ChannelModel, GetMessage } from 'amqplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { OpenedChannel } from '../../../shared/messages/channels/channel.ts'
import { amqpSender } from '../../../shared/messages/senders/amqp/amqp.ts'
import { prepareRabbitMq, type RabbitMq } from '../support/rabbitmq.ts'
import { relayTo } from '../support/relay.ts'

let broker: RabbitMq
let model: ChannelModel
let queues: Channel

beforeAll(async () => {
  broker = await prepareRabbitMq()
  await broker.start()
  await observe()
})
afterAll(async () => {
  await model?.close().catch(() => undefined)
  await broker?.remove()
})

/** Looks at the queues with a connection of the test's own. */
async function observe(): Promise<void> {
  model = await broker.connect()
  model.on('error', () => undefined)
  queues = await model.createChannel()
  await queues.assertExchange('orders', 'direct', { durable: true })
  await queues.assertQueue('orders', { durable: true })
  await queues.bindQueue('orders', 'orders', 'new')
}

const newSender = (options: Partial<Parameters<typeof amqpSender>[0]> = {}) =>
  amqpSender({ clock, loopbackAllowed: true, ...options })

let count = 0
const message = (more: object = {}) => ({
  id: `msg_${(count += 1)}_0`,
  tenant: { id: 1, slug: 'acme' },
  recipient: 'orders',
  event: 'orders.after_create',
  body: '{"title":"Lämp"}',
  createdAt: '2026-11-20T08:00:00.500Z',
  ...more,
})
const channel = (config: object = {}): OpenedChannel<'amqp'> => ({
  id: 3,
  name: 'broker',
  config: { url: broker.url(), exchange: 'orders', routing_key: 'new', ...config },
  signingSecrets: [],
})
const next = async (queue = 'orders'): Promise<GetMessage | false> => queues.get(queue, { noAck: true })

describe('a message', () => {
  it('reaches the queue, persistent and with its id', async () => {
    const sent = message()
    expect(await newSender().send(sent, channel())).toEqual({ kind: 'delivered' })
    const got = (await next()) as GetMessage
    expect(got.properties).toMatchObject({
      messageId: sent.id,
      deliveryMode: 2,
      contentType: 'application/json',
      type: 'orders.after_create',
      timestamp: Date.parse('2026-11-20T08:00:00Z') / 1000,
      appId: 'entity-workflow',
    })
    expect(JSON.parse(got.content.toString())).toEqual({
      id: sent.id,
      type: 'orders.after_create',
      timestamp: sent.createdAt,
      tenant: 'acme',
      data: { title: 'Lämp' },
    })
  })

  it('is routed by its own key before that of the channel', async () => {
    expect(await newSender().send(message({ key: 'new' }), channel({ routing_key: 'other' }))).toEqual({
      kind: 'delivered',
    })
    expect(await next()).not.toBe(false)
    const direct = channel({ exchange: '', routing_key: undefined })
    expect(await newSender().send(message({ key: 'orders' }), direct)).toEqual({ kind: 'delivered' })
    expect(await next()).not.toBe(false)
  })

  it('that no queue takes fails, and arrives once a queue is bound', async () => {
    const sender = newSender()
    const sent = message({ key: 'late' })
    expect(await sender.send(sent, channel())).toEqual({
      kind: 'failed',
      code: '312',
      error: expect.stringMatching(/no queue is bound to the exchange "orders" for the routing key "late"/),
    })
    await queues.bindQueue('orders', 'orders', 'late')
    expect(await sender.send(sent, channel())).toEqual({ kind: 'delivered' })
    expect(((await next()) as GetMessage).properties.messageId).toBe(sent.id)
    expect(await next()).toBe(false)
  })

  it('that its queue rejects fails', async () => {
    await queues.assertQueue('full', { arguments: { 'x-max-length': 1, 'x-overflow': 'reject-publish' } })
    const sender = newSender()
    const full = channel({ exchange: '', routing_key: 'full' })
    expect(await sender.send(message(), full)).toEqual({ kind: 'delivered' })
    expect(await sender.send(message(), full)).toMatchObject({ kind: 'failed', code: 'nack' })
  })

  it('of a megabyte arrives whole', async () => {
    const body = JSON.stringify({ text: 'ö'.repeat(600_000) })
    expect(await newSender().send(message({ body }), channel())).toEqual({ kind: 'delivered' })
    expect(JSON.stringify(JSON.parse(((await next()) as GetMessage).content.toString()).data)).toBe(body)
  })

  it('is not lost by others on the same connection that fail', async () => {
    const sender = newSender()
    const keys = ['new', 'nowhere', 'new', 'new', 'nowhere', 'new', 'new', 'new']
    const outcomes = await Promise.all(keys.map((key) => sender.send(message({ key }), channel())))
    expect(outcomes.map(({ kind }) => kind)).toEqual(keys.map((key) => (key === 'new' ? 'delivered' : 'failed')))
    const wrong = sender.send(message(), channel({ exchange: 'missing' }))
    const right = sender.send(message(), channel())
    expect([(await wrong).kind, (await right).kind]).toEqual(['failed', 'delivered'])
    await queues.purgeQueue('orders')
  })
})

describe('an administrator reads what is wrong', () => {
  it('when an alarm blocks the broker, and messages arrive when it is over', async () => {
    const sender = newSender({ timeoutMs: 1000 })
    broker.control('set_vm_memory_high_watermark', '0.00001')
    expect(await sender.send(message(), channel())).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('its memory or its disk is full'),
    })
    broker.control('set_vm_memory_high_watermark', '0.4')
    expect(await sender.send(message(), channel())).toEqual({ kind: 'delivered' })
    await queues.purgeQueue('orders')
  })

  it.each<[string, { exchange?: string; login?: string; vhost?: string }, string, RegExp]>([
    ['the exchange is missing', { exchange: 'missing' }, '404', /create it, or correct config\.exchange/],
    ['the user may not write', { login: 'reader:reader' }, '403', /may not publish to the exchange "orders"/],
    ['the password is wrong', { login: 'desk:hunter2' }, '403', /refused the login/],
    ['the user is unknown', { login: 'nobody:hunter2' }, '403', /refused the login/],
    ['the virtual host is missing', { vhost: 'nowhere' }, '530', /virtual host "nowhere"/],
    ['the user may not use the virtual host', { login: 'reader:reader', vhost: 'acme%2Fit' }, '530', /"acme\/it"/],
  ])('when %s', async (_what, { exchange = 'orders', login, vhost }, code, error) => {
    const outcome = await newSender().send(message(), channel({ url: broker.url(login, vhost), exchange }))
    expect(outcome).toEqual({ kind: 'failed', code, error: expect.stringMatching(error) })
    expect(JSON.stringify(outcome)).not.toContain('hunter2')
  })
})

describe('a connection', () => {
  it('logs in with an encoded password to an encoded virtual host', async () => {
    const there = channel({ url: broker.url('desk:p%40ss%2Fw%25rd%3A1', 'acme%2fit'), exchange: '' })
    expect(await newSender().send(message({ key: 'none' }), there)).toMatchObject({ kind: 'failed', code: '312' })
  })

  it('is verified over TLS by the name, although it goes to an address', async () => {
    const trusting = newSender({ tls: { ca: broker.certificate } })
    const secure = (host: string) => channel({ url: `amqps://guest:guest@${host}:${broker.tlsPort}` })
    expect(await trusting.send(message(), secure('localhost'))).toEqual({ kind: 'delivered' })
    expect(await next()).not.toBe(false)
    expect(await trusting.send(message(), secure('127.0.0.1'))).toMatchObject({
      kind: 'failed',
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    expect(await newSender().send(message(), secure('localhost'))).toMatchObject({
      kind: 'failed',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
  })

  it('is shared by messages of a channel, and closed when nothing is sent', async () => {
    const through = await relayTo(broker.port)
    const url = `amqp://localhost:${through.port}`
    const sender = newSender({ idleMs: 200 })
    await Promise.all(Array.from({ length: 5 }, () => sender.send(message(), channel({ url }))))
    await sender.send(message(), channel({ url }))
    expect(through.sockets).toHaveLength(1)
    await once(through.sockets[0] as Socket, 'close')
    expect(await sender.send(message(), channel({ url }))).toEqual({ kind: 'delivered' })
    expect(through.sockets).toHaveLength(2)
    through.close()
    await queues.purgeQueue('orders')
  })

  it('that was frozen for long is not used again', async () => {
    const through = await relayTo(broker.port)
    const url = `amqp://localhost:${through.port}`
    let nowMs = 0
    const sender = newSender({ clock: { now: () => nowMs } })
    await sender.send(message(), channel({ url }))
    nowMs = 29_000
    await sender.send(message(), channel({ url }))
    expect(through.sockets).toHaveLength(1)
    nowMs = 60_000
    expect(await sender.send(message(), channel({ url }))).toEqual({ kind: 'delivered' })
    expect(through.sockets).toHaveLength(2)
    through.close()
    await queues.purgeQueue('orders')
  })

  it('that is dropped before the confirm is ambiguous: the next attempt carries the same id', async () => {
    const through = await relayTo(broker.port)
    const url = `amqp://localhost:${through.port}`
    const sender = newSender()
    await sender.send(message(), channel({ url }))
    await queues.purgeQueue('orders')

    through.answersPass = false
    const sent = message()
    const attempt = sender.send(sent, channel({ url }))
    let first: GetMessage | false = false
    while (!first) first = await next()
    through.sockets[0]?.destroy()
    expect(await attempt).toEqual({ kind: 'failed', error: expect.stringContaining('it may have it or not') })

    through.answersPass = true
    expect(await sender.send(sent, channel({ url }))).toEqual({ kind: 'delivered' })
    const second = (await next()) as GetMessage
    expect(second.properties.messageId).toBe(first.properties.messageId)
    expect(second.content.equals(first.content)).toBe(true)
    through.close()
  })

  it('is made anew after the broker was restarted, which keeps the messages', async () => {
    const sender = newSender()
    const [before, during, after] = [message(), message(), message()]
    expect(await sender.send(before, channel())).toEqual({ kind: 'delivered' })
    await broker.stop()
    expect(await sender.send(during, channel())).toMatchObject({ kind: 'failed', code: 'ECONNREFUSED' })
    await broker.start()
    await observe()
    expect(await sender.send(during, channel())).toEqual({ kind: 'delivered' })
    expect(await sender.send(after, channel())).toEqual({ kind: 'delivered' })
    const ids = [await next(), await next(), await next()].map((got) => got && got.properties.messageId)
    expect(ids).toEqual([before.id, during.id, after.id])
  })
})
