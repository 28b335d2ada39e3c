import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { userWith } from '../../make/builders/people.ts'
import { type WebhookWorld, webhookWorld } from '../../make/services/worlds/webhook-world.ts'

let world: WebhookWorld
let service: WebhookWorld['service']
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

describe('many deliveries', () => {
  it('are retried by filter once their receiver works again', async () => {
    let isDown = true
    const receiver = await world.openReceiver(() => ({ status: isDown ? 500 : 200 }))
    const config = { url: receiver.url, retry_schedule: [0] }
    const id = idOf(await api('POST', '/api/sys/channels', { name: 'many', type: 'webhook', config }))
    await hook('after_create', "for (let i = 0; i < 4; i++) $api.sendWebhook({ i }, 'many')")
    await post()
    await eventually(async () => (await deliveriesOf(`channel_id=${id}&status=failed`)).length === 4)
    isDown = false
    expect((await api('POST', '/api/sys/deliveries/retry', { chanel_id: id })).status).toBe(422)
    const { status, body } = await api('POST', '/api/sys/deliveries/retry', { channel_id: id })
    expect(status).toBe(202)
    expect(await finishedJob(service, body.data.job_id)).toMatchObject({ status: 'done', result: { changed: 4 } })
    await eventually(async () => (await deliveriesOf(`channel_id=${id}&status=delivered`)).length === 4)
  })

  it('are cancelled by filter while they wait', async () => {
    const { id } = await channelTo('waiting', [{ status: 500 }], {}, { retry_schedule: [0, 3600] })
    await hook('after_create', "for (let i = 0; i < 3; i++) $api.sendWebhook({ i }, 'waiting')")
    const { id: record } = await post()
    await eventually(async () => (await deliveriesOf(`channel_id=${id}&status=retrying`)).length === 3)
    const { body } = await api('POST', '/api/sys/deliveries/cancel', { model: 'posts', record_id: record })
    expect(await finishedJob(service, body.data.job_id)).toMatchObject({ status: 'done', result: { changed: 3 } })
    expect(await deliveriesOf(`channel_id=${id}&status=cancelled`)).toHaveLength(3)
  })
})

describe('what a fault leaves behind', () => {
  const named = (name: string) => service.cloud.functions.find((one) => one.includes(name)) as string
  afterEach(() => service.cloud.faults.clear())

  it.each(['crash-before', 'crash-after', 'lose-answer', 'repeat', 'throttle'] as const)(
    'is expanded to one delivery after %s of its expansion',
    async (action) => {
      const { id, received } = await channelTo(`expanded ${action}`, [{ status: 200 }])
      const fault = service.cloud.faults.inject({
        operation: 'PutItem',
        functionName: named('DeliveryExpansion'),
        action,
      })
      await hook('after_create', `$api.sendWebhook({}, ${id})`)
      await post()
      await ended(`channel_id=${id}`, 'delivered')
      expect([fault.struck, (await deliveriesOf(`channel_id=${id}`)).length, received.length]).toEqual([1, 1, 1])
    },
  )

  it('is found by the sweeper when the wake-up of a delivery was lost', async () => {
    const { id } = await channelTo('unwoken', [{ status: 200 }])
    const fault = service.cloud.faults.inject({
      operation: 'SendMessageBatch',
      functionName: named('DeliveryExpansion'),
      action: 'throttle',
      times: Infinity,
    })
    await hook('after_create', "$api.sendWebhook({}, 'unwoken')")
    await post()
    const queued = await ended(`channel_id=${id}`, 'queued')
    await service.cloud.idle()
    expect(fault.struck).toBeGreaterThan(0)
    service.cloud.faults.clear()
    expect(await service.cloud.invoke('due-sweeper')).toMatchObject({ intents: 0, deliveries: 1 })
    await api('POST', `/api/sys/deliveries/${queued.id}/retry`)
    expect(await ended(`channel_id=${id}`, 'delivered')).toMatchObject({ id: queued.id, attempt_count: 1 })
  })
})

describe('the list of deliveries', () => {
  it('is filtered by channel, status and record, for administrators', async () => {
    const { id } = await channelTo('listed', [{ status: 200 }])
    await hook('after_create', "$api.sendWebhook({ n: 1 }, 'listed'); $api.sendWebhook({ n: 2 }, 'listed')")
    const [first, second] = [await post(), await post()]
    await eventually(async () => (await deliveriesOf(`channel_id=${id}&status=delivered`)).length === 4)
    const ofRecord = await deliveriesOf(`model=posts&record_id=${second.id}`)
    expect(ofRecord.map(({ source }) => source.record_id)).toEqual([second.id, second.id])
    expect(ofRecord.map(({ body }) => body).toSorted()).toEqual(['{"n":1}', '{"n":2}'])
    const page = await api('GET', `/api/sys/deliveries?channel_id=${id}&per_page=3`)
    expect(page.body.meta).toMatchObject({ total: 4, per_page: 3 })
    const next = await deliveriesOf(`channel_id=${id}&per_page=3&cursor=${page.body.meta.next_cursor}`)
    expect(next.map(({ source }) => source.record_id)).toEqual([first.id])
    expect(await deliveriesOf(`channel_id=${id}&status=failed`)).toEqual([])
    expect((await api('GET', '/api/sys/deliveries?record_id=1')).body.errors).toHaveProperty('model')
    const { token } = await userWith(service, ['posts.read'])
    expect((await api('GET', '/api/sys/deliveries', undefined, token)).status).toBe(403)
  })
})

describe('the source of a delivery', () => {
  it('names the administrator and the person when somebody acts as somebody else', async () => {
    const { id } = await channelTo('traced', [{ status: 200 }])
    const user = await userWith(service, ['posts.create'])
    const { token } = (await api('POST', `/api/impersonate/${user.id}`)).body
    await hook('after_create', "$api.sendWebhook({ big: 'x'.repeat(10) }, 'traced')")
    expect((await api('POST', '/api/e/posts', { title: 'Lamp' }, token)).status).toBe(201)
    expect((await ended(`channel_id=${id}`, 'delivered')).source).toMatchObject({
      hook: 'after_create',
      user_id: user.id,
      impersonator_id: service.admin.userId,
    })
  })
})
