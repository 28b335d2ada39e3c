import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel, ChannelModel, GetMessage } from 'amqplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { prepareRabbitMq, type RabbitMq } from '../support/rabbitmq.ts'

/* A channel to a real broker, through the service as its users see it. */

let broker: RabbitMq
let model: ChannelModel
let queues: Channel
let service: TestService

const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const channelTo = async (name: string, config: object, more: object = {}): Promise<number> => {
  const made = await api('POST', '/api/sys/channels', { name, type: 'amqp', config, ...more })
  expect(made.status).toBe(201)
  expect(made.body.data.config.url).toBe('********')
  return made.body.data.id
}
const test = async (id: number) => (await api('POST', `/api/sys/channels/${id}/test`, {})).body.data

beforeAll(async () => {
  broker = await prepareRabbitMq()
  const starting = startService({ log: () => {} })
  await broker.start()
  model = await broker.connect()
  queues = await model.createChannel()
  await queues.assertQueue('orders')
  service = await starting
  await makeTable(service, 'posts', [{ name: 'title', type: 'text' }])
})
afterAll(async () => {
  await service?.stop()
  await model?.close()
  await broker?.remove()
})

it('sends a test message to the queue', async () => {
  const id = await channelTo('broker', { url: broker.url(), exchange: '', routing_key: 'orders' })
  expect(await test(id)).toEqual({ ok: true })
  const got = (await queues.get('orders', { noAck: true })) as GetMessage
  expect(JSON.parse(got.content.toString())).toMatchObject({
    id: got.properties.messageId,
    type: 'channel.test',
    tenant: 'acme',
    data: { message: 'A test of the channel broker.' },
  })
})

it('says why a test message did not arrive, without the password', async () => {
  const wrong = await channelTo('wrong', { url: broker.url('desk:hunter2'), exchange: '' })
  const answer = await test(wrong)
  expect(answer).toEqual({ ok: false, code: '403', error: expect.stringContaining('refused the login') })
  const nowhere = await channelTo('nowhere', { url: broker.url(), exchange: 'missing' })
  expect(await test(nowhere)).toEqual({ ok: false, code: '404', error: expect.stringContaining('"missing"') })
  const changed = await api('PUT', `/api/sys/channels/${wrong}`, { config: { url: '********', exchange: 'x' } })
  expect(JSON.stringify([answer, changed.body])).not.toContain('hunter2')
})

it('gets what scripts publish to its id, its name and its type, and follows the delivery', async () => {
  await queues.assertExchange('events', 'direct')
  await queues.assertQueue('events')
  await queues.bindQueue('events', 'events', 'posts')
  const config = { url: broker.url(), exchange: 'events', routing_key: 'posts' }
  const id = await channelTo('events', config, { is_default: true })
  const script = [id, "'events'", "'amqp'"].map((named) => `$api.publish({ by: ${named} }, ${named})`).join('\n')
  await setHooks(service, 'posts', [['after_create', script]])
  const record = (await api('POST', '/api/e/posts', { title: 'Lamp' })).body.data
  await service.cloud.idle()

  const deliveries = (await api('GET', `/api/sys/deliveries?channel_id=${id}`)).body.data
  expect(deliveries.map((one: Record<string, unknown>) => [one.status, one.recipient, one.source])).toEqual(
    Array.from({ length: 3 }, () => [
      'delivered',
      'events',
      { model: 'posts', record_id: record.id, hook: 'after_create' },
    ]),
  )
  const bodies = []
  for (let got = await queues.get('events', { noAck: true }); got; got = await queues.get('events', { noAck: true }))
    bodies.push(JSON.parse(got.content.toString()))
  expect(bodies.map(({ data }) => String(data.by)).toSorted()).toEqual([String(id), 'amqp', 'events'])
  expect(bodies[0]).toMatchObject({ type: 'posts.after_create', tenant: 'acme' })
})

it('gets a message once a queue is bound that was missing', async () => {
  const config = {
    url: broker.url(),
    exchange: 'events',
    retry_schedule: Array.from({ length: 16 }, (_, n) => Math.min(n, 1)),
  }
  const id = await channelTo('late', config)
  await setHooks(service, 'posts', [['after_create', "$api.publish({ title: $data.title }, 'late', 'later')"]])
  await api('POST', '/api/e/posts', { title: 'Desk' })
  const delivery = () => api('GET', `/api/sys/deliveries?channel_id=${id}`).then(({ body }) => body.data[0])
  await until(async () => (await delivery())?.status === 'retrying')
  expect((await delivery()).last_error).toContain(
    'no queue is bound to the exchange "events" for the routing key "later"',
  )

  await queues.bindQueue('events', 'events', 'later')
  await until(async () => (await delivery()).status === 'delivered')
  const got = (await queues.get('events', { noAck: true })) as GetMessage
  expect(JSON.parse(got.content.toString()).data).toEqual({ title: 'Desk' })
  expect(await queues.get('events', { noAck: true })).toBe(false)
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (await holds()) return
    await sleep(100)
  }
  throw new Error('it did not happen within 20 s')
}
