import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import {
  subscribedFields as fields,
  subscriptionsPath as path,
  subscriptionWorld,
  type SubscriptionWorld,
} from '../../make/services/worlds/subscription-world.ts'

let world: SubscriptionWorld
let service: SubscriptionWorld['service']
let receiver: SubscriptionWorld['receiver']
let channel: number

const api: SubscriptionWorld['api'] = (...given) => world.api(...given)
const subscribe = (more: object) => world.subscribe(more)
const settled = () => world.settled()
const create = async (data: object, token?: string) => (await api('POST', '/api/e/requests', data, token)).body.data
const change = (id: number, data: object) => api('PATCH', `/api/e/requests/${id}`, data)
const remove = (id: number) => api('DELETE', `/api/e/requests/${id}`)
const received = () => receiver.received.map(({ body }) => JSON.parse(body))
const bellOf = async (token: string) => (await api('GET', '/api/notifications', undefined, token)).body.data
const deliverAgain = (event: object) => world.deliverAgain(event)

beforeAll(async () => {
  world = await subscriptionWorld()
  ;({ service, receiver, channel } = world)
})
afterAll(() => world?.stop())
beforeEach(() => world.clear())

describe('a change whose history is not written yet', () => {
  it('is told once it is, whatever delays it', async () => {
    await subscribe({ channel_id: channel })
    const record = await create({ title: 'Lamp' })
    await settled()
    receiver.received.length = 0
    const fault = service.cloud.faults.inject({
      operation: 'BatchWriteItem',
      functionName: service.cloud.functions.find((one) => one.startsWith('Audit')) as string,
      action: 'throttle',
      times: 4,
    })
    for (const priority of [1, 2, 3]) await change(record.id, { priority })
    await settled()
    expect(fault.struck).toBe(4)
    expect(
      received()
        .map(({ data }) => data.record.data.priority)
        .toSorted(),
    ).toEqual([1, 2, 3])
  })
})

describe('a channel that is subscribed to a table', () => {
  it('receives every create, update and delete with the change and the record as that version left it', async () => {
    const { id: subscription } = await subscribe({ channel_id: channel })
    const record = await create({ title: 'Lamp', priority: 2 })
    await change(record.id, { priority: 5 })
    await change(record.id, { note: 'Hot' })
    await remove(record.id)
    await settled()

    const { userId } = service.admin
    const actor = { id: userId, name: 'Grace Hopper' }
    const head = { model: 'requests', id: record.id, actor }
    const recordOf = (version: number, data: object) =>
      expect.objectContaining({ id: record.id, version, created_by: userId, updated_by: userId, data })
    const told = received().toSorted((a, b) => a.data.version - b.data.version)
    expect(told.map(({ timestamp, data }) => [timestamp, data.event]).slice(0, 3)).toEqual(
      told.slice(0, 3).map(({ data }) => [data.record.updated_at, data.event]),
    )
    expect(told.map(({ type }) => type)).toEqual([
      'requests.create',
      'requests.update',
      'requests.update',
      'requests.delete',
    ])
    expect(told.map(({ data }) => data)).toEqual([
      {
        ...head,
        event: 'create',
        version: 1,
        changes: { title: { old: null, new: 'Lamp' }, priority: { old: null, new: 2 } },
        record: recordOf(1, { title: 'Lamp', priority: 2 }),
      },
      {
        ...head,
        event: 'update',
        version: 2,
        changes: { priority: { old: 2, new: 5 } },
        record: recordOf(2, { title: 'Lamp', priority: 5 }),
      },
      {
        ...head,
        event: 'update',
        version: 3,
        changes: { note: { old: null, new: 'Hot' } },
        record: recordOf(3, { title: 'Lamp', priority: 5, note: 'Hot' }),
      },
      {
        ...head,
        event: 'delete',
        version: 4,
        changes: {
          title: { old: 'Lamp', new: null },
          priority: { old: 5, new: null },
          note: { old: 'Hot', new: null },
        },
        record: recordOf(3, { title: 'Lamp', priority: 5, note: 'Hot' }),
      },
    ])
    const deliveries = (await api('GET', `/api/sys/deliveries?model=requests&record_id=${record.id}`)).body.data
    const sources = deliveries.map(({ source }: any) => source)
    expect(sources.toSorted((a: any, b: any) => a.record_version - b.record_version)).toEqual(
      [1, 2, 3, 4].map((version) => ({
        model: 'requests',
        record_id: record.id,
        record_version: version,
        subscription_id: subscription,
        user_id: userId,
      })),
    )
  })

  it('receives only what passes its events, its fields and its filter, after the change or before the delete', async () => {
    await subscribe({
      channel_id: channel,
      events: ['update', 'delete'],
      fields: ['priority', 'title'],
      filter: { priority: { _gte: 4 }, updated_by: '$CURRENT_USER' },
    })
    const [low, high] = [await create({ title: 'Low', priority: 1 }), await create({ title: 'High', priority: 4 })]
    await change(low.id, { priority: 3 })
    await change(low.id, { priority: 4 })
    await change(high.id, { note: 'Not one of the fields' })
    await change(high.id, { priority: 1 })
    await remove(high.id)
    await remove(low.id)
    await settled()
    expect(received().map(({ data: { event, id, version } }) => [event, id, version])).toEqual([
      ['update', low.id, 3],
      ['delete', low.id, 4],
    ])
  })

  it('receives a version once, although the change feed delivers it again', async () => {
    const { id, token } = await userWith(service, ['requests.read'])
    await subscribe({ channel_id: channel })
    await subscribe({ users: [id] })
    const record = await create({ title: 'Once' })
    await settled()
    const before = (await bellOf(token)).length
    for (let times = 0; times < 3; times += 1)
      await deliverAgain({ model: 'requests', id: record.id, version: 1, action: 'create' })
    await change(record.id, { note: 'Newer' })
    await settled()
    await deliverAgain({ model: 'requests', id: record.id, version: 1, action: 'create' })
    await settled()
    expect(received().map(({ data }) => data.version)).toEqual([1, 2])
    expect([before, (await bellOf(token)).length]).toEqual([1, 2])
  })

  it('is told nothing while the subscription is not active, or once it is deleted', async () => {
    const { id, version } = await subscribe({ channel_id: channel, is_active: false })
    await create({ title: 'Silent' })
    await api('PUT', `${path}/${id}`, { is_active: true, version })
    await create({ title: 'Told' })
    await settled()
    await api('DELETE', `${path}/${id}`)
    await create({ title: 'Silent again' })
    await settled()
    expect(received().map(({ data }) => data.record.data.title)).toEqual(['Told'])
  })

  it('is not told what was changed before it subscribed or was switched on, however late the feed brings it', async () => {
    const record = await create({ title: 'Early' })
    const early = { model: 'requests', id: record.id, version: 1, action: 'create', at: record.created_at }
    const { id, version } = await subscribe({ channel_id: channel })
    await deliverAgain(early)
    await api('PUT', `${path}/${id}`, { is_active: false, version })
    const later = await create({ title: 'While it is off' })
    await api('PUT', `${path}/${id}`, { is_active: true })
    await deliverAgain({ ...early, id: later.id, at: later.created_at })
    await create({ title: 'Now' })
    await settled()
    expect(received().map(({ data }) => data.record.data.title)).toEqual(['Now'])
  })

  it('is not told what another tenant does', async () => {
    await subscribe({ channel_id: channel })
    const { token } = await otherTenant(service)
    await makeTable(service, 'requests', fields, token)
    await create({ title: 'Elsewhere' }, token)
    expect((await api('GET', path, undefined, token)).body.data).toEqual([])
    await settled()
    expect(received()).toEqual([])
  })
})
