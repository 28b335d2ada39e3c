import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newUser } from '../../../shared/accounts/people/new-user.ts'
import { userItem } from '../../../shared/accounts/people/user.ts'
import { bellPartition } from '../../../shared/platform/store/keys/messages/bell.ts'
import { userWith } from '../../make/builders/people.ts'
import {
  subscriptionsPath as path,
  subscriptionWorld,
  type SubscriptionWorld,
} from '../../make/services/worlds/subscription-world.ts'

let world: SubscriptionWorld
let service: SubscriptionWorld['service']

const api: SubscriptionWorld['api'] = (...given) => world.api(...given)
const subscribe = (more: object) => world.subscribe(more)
const settled = () => world.settled()
const create = async (data: object, token?: string) => (await api('POST', '/api/e/requests', data, token)).body.data
const change = (id: number, data: object) => api('PATCH', `/api/e/requests/${id}`, data)
const remove = (id: number) => api('DELETE', `/api/e/requests/${id}`)
const bellOf = async (token: string) => (await api('GET', '/api/notifications', undefined, token)).body.data
const deliverAgain = (event: object) => world.deliverAgain(event)

beforeAll(async () => {
  world = await subscriptionWorld()
  ;({ service } = world)
})
afterAll(() => world?.stop())
beforeEach(() => world.clear())

describe('people who are subscribed to a table', () => {
  it('are told in the bell, once each, by user or by role', async () => {
    const [named, byRole] = [await userWith(service, ['requests.read']), await userWith(service, ['requests.read'])]
    await subscribe({ name: 'Urgent', users: [named.id, byRole.id], roles: [byRole.role], filter: { priority: 5 } })
    const record = await create({ title: 'Fire', priority: 5 })
    await change(record.id, { note: 'Still burning', title: 'Big fire' })
    await create({ title: 'Smoke', priority: 1 })
    await settled()
    for (const { token } of [named, byRole])
      expect((await bellOf(token)).map(({ title, text, category }: any) => [title, text, category])).toEqual([
        ['Urgent', `Requests ${record.id} "Big fire" was changed by Grace Hopper: Title, Note.`, 'subscription'],
        ['Urgent', `Requests ${record.id} "Fire" was created by Grace Hopper.`, 'subscription'],
      ])
  })

  it('are told by several messages when they are many', async () => {
    const [tenant, { role }] = [service.tenant, await userWith(service, ['requests.read'])]
    const ids = Array.from({ length: 120 }, (_, index) => 5000 + index)
    const at = '2026-11-20T08:00:00.000Z'
    await Promise.all(
      ids.map((id) => {
        const user = newUser(id, { name: `User ${id}`, email: `${id}@example.com` }, { roles: [role] }, at)
        return service.store.write(tenant, { put: userItem(tenant, user) })
      }),
    )
    await subscribe({ name: 'Many', roles: [role] })
    await create({ title: 'Everybody', priority: 1 })
    await settled()
    const bells = await Promise.all(ids.map((id) => service.store.query(tenant, { pk: bellPartition(tenant, id) })))
    expect(bells.filter(({ items }) => items.length === 1)).toHaveLength(120)
  })

  it('are told nothing about records and fields that they may not read, or when they do not want it', async () => {
    const rule = { table: 'requests', action: 'read', filter: { priority: { _gte: 3 } } }
    const stranger = await userWith(service, [])
    const limited = await userWith(service, ['requests.read'], [rule])
    const blind = await userWith(service, ['requests.read'], [], { requests: { read: ['priority'] } })
    const tired = await userWith(service, ['requests.read'])
    await api('PUT', '/api/user/preferences', { notifications: { subscription: { bell: false } } }, tired.token)
    await subscribe({ name: 'All', users: [stranger.id, limited.id, blind.id, tired.id] })
    const low = await create({ title: 'Low', priority: 1 })
    const high = await create({ title: 'High', priority: 3 })
    await change(high.id, { title: 'Higher', priority: 4 })
    await remove(high.id)
    await settled()
    const texts = async ({ token }: { token: string }) => (await bellOf(token)).map(({ text }: any) => text)
    expect(await texts(stranger)).toEqual([])
    expect(await texts(tired)).toEqual([])
    expect(await texts(limited)).toEqual([
      `Requests ${high.id} "Higher" was deleted by Grace Hopper.`,
      `Requests ${high.id} "Higher" was changed by Grace Hopper: Title, Priority.`,
      `Requests ${high.id} "High" was created by Grace Hopper.`,
    ])
    expect(await texts(blind)).toEqual([
      `Requests ${high.id} was deleted by Grace Hopper.`,
      `Requests ${high.id} was changed by Grace Hopper: Priority.`,
      `Requests ${high.id} was created by Grace Hopper.`,
      `Requests ${low.id} was created by Grace Hopper.`,
    ])
  })
})

describe('mails to people who are subscribed', () => {
  const deliveriesOf = async (status = '') =>
    (await api('GET', `/api/sys/deliveries?per_page=100${status}`)).body.data.filter(
      (one: any) => one.channel_type === 'email',
    )
  const template = {
    name: 'Changed',
    code: 'changed',
    subject: '{{record.data.title}} {{event}}d by {{actor.name}}',
    body: '<p>{{changes.note.old}} to {{changes.note.new}}</p>',
  }

  it('are sent by a template, with the fields that each may read, once', async () => {
    expect((await api('POST', '/api/sys/notification_templates', template)).status).toBe(201)
    const reader = await userWith(service, ['requests.read'])
    const blind = await userWith(service, ['requests.read'], [], { requests: { read: ['priority'] } })
    const one = await subscribe({ users: [reader.id, blind.id], template: 'changed', events: ['update'] })
    const problemOf = async () => (await api('GET', `${path}/${one.id}`)).body.data.problem
    expect(await problemOf()).toContain('No mail can be sent')
    const config = { transport: 'ses', from_address: 'it@acme.test' }
    await api('POST', '/api/sys/channels', { name: 'post', type: 'email', is_default: true, config })
    expect(await problemOf()).toBeNull()

    const { id } = await create({ title: 'Lamp', note: 'old' })
    await change(id, { note: 'new' })
    await settled()
    await deliverAgain({ model: 'requests', id, version: 2, action: 'update' })
    await settled()
    const sent = await deliveriesOf()
    const texts = sent.map(({ subject, body }: any) => [subject, body])
    expect(texts.toSorted()).toEqual([
      ['Lamp updated by Grace Hopper', '<p>old to new</p>'],
      ['updated by Grace Hopper', '<p> to </p>'],
    ])
    expect(await bellOf(reader.token)).toEqual([])
  })

  it('follow their preferences where there is no template', async () => {
    const { id, token } = await userWith(service, ['requests.read'])
    await api('PUT', '/api/user/preferences', { notifications: { subscription: { email: true } } }, token)
    await subscribe({ name: 'By mail too', users: [id] })
    const before = (await deliveriesOf()).length
    await create({ title: '<b>Bold</b>' })
    await settled()
    const [mail, ...others] = await deliveriesOf()
    expect([mail.subject, others.length]).toEqual(['By mail too', before])
    expect(mail.body).toContain('&lt;b&gt;Bold')
    expect((await bellOf(token)).map(({ title }: any) => title)).toEqual(['By mail too'])
  })
})
