import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { scriptRuns } from '../../make/builders/records/hooks.ts'
import { itemsOf } from '../../make/services/stores/items-of.ts'
import { type WebhookWorld, webhookWorld } from '../../make/services/worlds/webhook-world.ts'

let world: WebhookWorld
let service: WebhookWorld['service']
const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const hook: WebhookWorld['hook'] = (...given) => world.hook(...given)
const api: WebhookWorld['api'] = (...given) => world.api(...given)
const post: WebhookWorld['post'] = (...given) => world.post(...given)
const deliveriesOf: WebhookWorld['deliveriesOf'] = (...given) => world.deliveriesOf(...given)
const channelTo: WebhookWorld['channelTo'] = (...given) => world.channelTo(...given)
const ended: WebhookWorld['ended'] = (...given) => world.ended(...given)
const eventually = <T>(look: () => Promise<T | undefined | false>) => world.eventually(look)
const idOf = (made: { body: { data: { id: number } } }) => made.body.data.id

beforeAll(async () => {
  world = await webhookWorld()
  ;({ service } = world)
})
afterEach(() => hook('after_create', ''))
afterAll(() => world?.stop())

describe('a webhook that a hook sends', () => {
  it('is followed from queued through two failures to delivered', async () => {
    const answers = [
      { status: 500, body: 'down' },
      { status: 500, body: 'still down' },
      { status: 200, body: 'thanks' },
    ]
    const { id, received } = await channelTo('crm', answers, {}, { secret })
    await hook('after_create', "$api.sendWebhook({ title: $data.title, id: $data.id }, 'crm')")
    const record = await post()

    const statuses: string[] = []
    const delivered = await eventually(async () => {
      const [one] = await deliveriesOf(`channel_id=${id}`)
      if (one && statuses.at(-1) !== one.status) statuses.push(one.status)
      return one?.status === 'delivered' && one
    })
    expect(statuses).toEqual(expect.arrayContaining(['retrying', 'delivered']))

    const { body } = await api('GET', `/api/sys/deliveries/${delivered.id}`)
    expect(body.data).toMatchObject({
      channel_id: id,
      channel_type: 'webhook',
      recipient: expect.stringMatching(/\/hooks$/),
      body: JSON.stringify({ title: 'Lamp', id: record.id }),
      status: 'delivered',
      attempt_count: 3,
      next_attempt_at: null,
      delivered_at: expect.any(String),
      last_error: null,
      source: { model: 'posts', record_id: record.id, hook: 'after_create' },
    })
    expect(
      body.data.attempts.map(({ n, outcome, code, response_excerpt }: any) => [n, outcome, code, response_excerpt]),
    ).toEqual([
      [1, 'failed', '500', 'down'],
      [2, 'failed', '500', 'still down'],
      [3, 'delivered', '200', 'thanks'],
    ])

    expect(received).toHaveLength(3)
    expect(new Set(received.map((one) => one.body)).size).toBe(1)
    for (const { headers, body: sent, path } of received) {
      expect([path, headers['webhook-id']]).toEqual(['/hooks?key=hidden', body.data.message_id])
      // The library that receivers use, which is not ours.
      expect(new Webhook(secret).verify(sent, headers as Record<string, string>)).toEqual(JSON.parse(sent))
      expect(() => new Webhook(secret).verify(`${sent} `, headers as Record<string, string>)).toThrow('signature')
    }
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      id: body.data.message_id,
      type: 'posts.after_create',
      timestamp: body.data.created_at,
      tenant: 'acme',
      data: { title: 'Lamp', id: record.id },
    })
  })

  it('fails after the last attempt of its schedule, and can be delivered again by hand', async () => {
    const { id } = await channelTo('flaky', [{ status: 503 }, { status: 200 }], {}, { retry_schedule: [0] })
    await hook('after_create', "$api.sendWebhook([1], 'flaky')")
    await post()
    const failed = await ended(`channel_id=${id}`, 'failed')
    expect(failed).toMatchObject({ attempt_count: 1, last_error: 'The receiver answered 503.' })
    expect((await api('POST', `/api/sys/deliveries/${failed.id}/cancel`)).body.code).toBe('delivery_ended')
    const retried = await api('POST', `/api/sys/deliveries/${failed.id}/retry`)
    expect(retried.status).toBe(200)
    expect(await ended(`channel_id=${id}`, 'delivered')).toMatchObject({ id: failed.id, attempt_count: 2 })
    expect((await api('POST', `/api/sys/deliveries/${failed.id}/retry`)).body.code).toBe('delivery_ended')
  })

  it('is cancelled by hand while it waits', async () => {
    const { id, received } = await channelTo('slow', [{ status: 500 }], {}, { retry_schedule: [0, 3600] })
    await hook('after_create', "$api.sendWebhook({}, 'slow')")
    await post()
    const waiting = await ended(`channel_id=${id}`, 'retrying')
    const { body } = await api('POST', `/api/sys/deliveries/${waiting.id}/cancel`)
    expect(body.data).toMatchObject({ status: 'cancelled', next_attempt_at: null })
    expect(await deliveriesOf('status=cancelled')).toMatchObject([{ id: waiting.id }])
    expect(received).toHaveLength(1)
  })

  it('is not sent when the operation fails', async () => {
    const { id, received } = await channelTo('never', [{ status: 200 }])
    await hook(
      'before_create',
      "$api.sendWebhook({}, 'never'); if ($data.n === 1) throw new Error('no'); if ($data.n === 2) $data.n = 9",
    )
    for (const n of [1, 2]) expect((await api('POST', '/api/e/posts', { n })).status).toBe(422)
    await service.cloud.idle()
    expect([
      await deliveriesOf(`channel_id=${id}`),
      (await itemsOf(service, 'T#1#DI#')).filter(({ channel_id }) => channel_id === id),
      received,
    ]).toEqual([[], [], []])
    const { body } = await api('POST', '/api/e/posts', { n: 3 })
    expect(await ended(`channel_id=${id}`, 'delivered')).toMatchObject({
      source: { hook: 'before_create', model: 'posts', record_id: body.data.id },
    })
  })

  it('goes to a public address only', async () => {
    const made = await api('POST', '/api/sys/channels', {
      name: 'inside',
      type: 'webhook',
      config: { url: 'http://169.254.169.254/latest/meta-data' },
    })
    await hook('after_create', "$api.sendWebhook({}, 'inside')")
    await post()
    expect(await ended(`channel_id=${idOf(made)}`, 'failed')).toMatchObject({
      attempt_count: 1,
      last_error: 'The address 169.254.169.254 is not public.',
    })
  })

  it('that is gone disables its channel and tells administrators', async () => {
    const { id } = await channelTo('gone', [{ status: 410 }])
    await hook('after_create', "$api.sendWebhook({}, 'gone')")
    await post()
    await ended(`channel_id=${id}`, 'failed')
    await service.cloud.idle()
    expect((await api('GET', `/api/sys/channels/${id}`)).body.data).toMatchObject({ is_enabled: false })
    const bell = (await api('GET', '/api/notifications?unread=true')).body
    expect(bell.data[0]).toMatchObject({ title: 'The channel gone was disabled', category: 'system' })
    expect(bell.meta.unread).toBeGreaterThan(0)
  })
})

describe('the channel of a send', () => {
  const answersOf = async (calls: string): Promise<unknown> => {
    await hook('before_create', `$data.title = JSON.stringify([${calls}])`)
    return JSON.parse((await post()).data.title)
  }

  it('is the default of its type without an argument, and the one that is named with one', async () => {
    const standard = await channelTo('standard', [{ status: 200 }], { is_default: true })
    const other = await channelTo('other', [{ status: 200 }])
    expect(
      await answersOf(`$api.sendWebhook(1), $api.sendWebhook(2, 'other'), $api.sendWebhook(3, ${other.id})`),
    ).toEqual([true, true, true])
    await eventually(async () => standard.received.length + other.received.length === 3)
    const dataOf = ({ received }: typeof other) => received.map(({ body }) => JSON.parse(body).data).toSorted()
    expect([dataOf(standard), dataOf(other)]).toEqual([[1], [2, 3]])
  })

  it('gets no message when it is missing, disabled or of another type, and no other channel does', async () => {
    const standard = await channelTo('usual', [{ status: 200 }], { is_default: true })
    const off = await channelTo('off', [{ status: 200 }], { is_enabled: false })
    await api('POST', '/api/sys/channels', { name: 'texts', type: 'sms', config: { provider: 'sns' } })
    const calls = "$api.sendWebhook({}, 'none'), $api.sendWebhook({}, 'off'), $api.sendWebhook({}, 'texts')"
    expect(await answersOf(calls)).toEqual([false, false, false])
    const [run] = await scriptRuns(service, '&model=posts')
    expect(run.log.map(({ level, message }: any) => `${level}: ${message}`)).toEqual([
      'error: sendWebhook: there is no webhook channel "none"; nothing was sent.',
      'error: sendWebhook: the channel "off" is disabled; nothing was sent.',
      'error: sendWebhook: the channel "texts" is of type sms, not webhook; nothing was sent.',
    ])
    await service.cloud.idle()
    expect([standard.received, off.received]).toEqual([[], []])
  })

  it('takes addresses as they are with sendToChannel', async () => {
    const { id, received } = await channelTo('direct', [{ status: 200 }])
    expect(await answersOf(`$api.sendToChannel(${id}, { recipients: ['a', 7], body: 'hi' })`)).toEqual([null])
    await eventually(async () => received.length === 1)
    expect(JSON.parse(received[0]?.body ?? '').data).toEqual({ recipients: ['a', '7'], body: 'hi' })
  })
})

describe('a test message', () => {
  it('is sent at once, and answers what the receiver said', async () => {
    const { id, received } = await channelTo('tested', [{ status: 200 }, { status: 401 }], { is_enabled: false })
    const test = () => api('POST', `/api/sys/channels/${id}/test`)
    expect((await test()).body.data).toEqual({ ok: true, code: '200' })
    expect((await test()).body.data).toEqual({ ok: false, code: '401', error: 'The receiver answered 401.' })
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(['channel.test', 'channel.test'])
    expect(await deliveriesOf(`channel_id=${id}`)).toEqual([])
  })
})

describe('a payload over 64 KB', () => {
  it('arrives whole, and is shown whole', async () => {
    const { id, received } = await channelTo('large', [{ status: 500 }, { status: 200 }])
    const script = `
      let seed = 1
      const next = () => (seed = (seed * 16807) % 2147483647).toString(36)
      $api.sendWebhook({ words: Array.from({ length: 20000 }, next) }, 'large')`
    await hook('after_create', script)
    await post()
    const { id: delivery } = await ended(`channel_id=${id}`, 'delivered')
    const bodies = received.map(({ body }) => body)
    expect(JSON.parse(bodies[0] as string).data.words).toHaveLength(20_000)
    expect(new Set(bodies).size).toBe(1)
    const whole = (await api('GET', `/api/sys/deliveries/${delivery}`)).body.data
    expect(JSON.parse(whole.body).words).toHaveLength(20_000)
  })
})
