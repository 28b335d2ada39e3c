import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { otherTenant } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import {
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

beforeAll(async () => {
  world = await subscriptionWorld()
  ;({ service, receiver, channel } = world)
})
afterAll(() => world?.stop())
beforeEach(() => world.clear())

describe('subscriptions in the configuration document', () => {
  it('name their channel, users and roles, and are the same in every tenant', async () => {
    const id = service.admin.userId
    await subscribe({ name: 'to channel', channel_id: channel, filter: { priority: 5 }, fields: ['title'] })
    await subscribe({ name: 'to people', users: [id], roles: ['admin'], events: ['delete'], is_active: false })
    const document = (await api('GET', '/api/sys/config')).body.data
    const none = { filter: null, fields: null, channel: null, users: null, roles: null, template: null }
    const expected = [
      {
        ...none,
        name: 'to channel',
        table: 'requests',
        events: ['create', 'update', 'delete'],
        filter: { priority: 5 },
        fields: ['title'],
        channel: 'crm',
        is_active: true,
      },
      {
        ...none,
        name: 'to people',
        table: 'requests',
        events: ['delete'],
        users: [service.admin.email],
        roles: ['admin'],
        is_active: false,
      },
    ]
    expect(document.subscriptions).toEqual(expected)
    expect((await api('PUT', '/api/sys/config', document)).body.data).toMatchObject({ created: [], changed: [] })

    const { token } = await otherTenant(service)
    const copied = {
      tables: document.tables.filter(({ name }: any) => name === 'requests'),
      channels: document.channels.filter(({ name }: any) => name === 'crm'),
      subscriptions: [expected[0]],
    }
    const wrong = {
      ...copied,
      subscriptions: [
        { ...expected[1], filter: { prio: 1 } },
        { ...expected[0], channel: 'x' },
      ],
    }
    expect((await api('PUT', '/api/sys/config', wrong, token)).body.errors).toEqual({
      'subscriptions.0.filter.prio': [expect.any(String)],
      'subscriptions.0.users.0': [`There is no active user ${service.admin.email}.`],
      'subscriptions.1.channel': ['There is no channel x.'],
    })
    expect((await api('PUT', '/api/sys/config', copied, token)).body.data.created).toEqual([
      'tables.requests',
      'channels.crm',
      'subscriptions.to channel',
    ])
    const changed = { subscriptions: [{ ...expected[0], filter: null, is_active: undefined }] }
    expect((await api('PUT', '/api/sys/config', changed, token)).body.data).toMatchObject({
      changed: ['subscriptions.to channel'],
    })
    expect((await api('GET', path, undefined, token)).body.data).toMatchObject([{ filter: null, problem: null }])
  })
})

describe('the administration of subscriptions', () => {
  it('keeps what a change leaves out, clears by null, and takes a document back as it was read', async () => {
    const made = await subscribe({ channel_id: channel, filter: { priority: 1 }, fields: ['title'] })
    expect(made).toEqual({
      id: expect.any(Number),
      name: expect.any(String),
      table: 'requests',
      events: ['create', 'update', 'delete'],
      filter: { priority: 1 },
      fields: ['title'],
      channel_id: channel,
      users: null,
      roles: null,
      template: null,
      is_active: true,
      problem: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      version: 1,
    })
    const one = `${path}/${made.id}`
    expect((await api('GET', one)).body.data).toEqual(made)
    expect((await api('PUT', one, made)).body.data).toEqual(made)
    const changed = (await api('PUT', one, { filter: null, events: ['delete'] })).body.data
    expect(changed).toEqual({
      ...made,
      filter: null,
      events: ['delete'],
      updated_at: expect.any(String),
      version: 2,
    })
    expect((await api('PUT', one, { ...made, version: 1 })).body.code).toBe('version_mismatch')
    const { userId } = service.admin
    expect((await api('PUT', one, { channel_id: null, users: [userId] })).body.data).toMatchObject({
      channel_id: null,
      users: [userId],
    })
    expect((await api('DELETE', one)).status).toBe(204)
    expect((await api('GET', one)).body.code).toBe('subscription_not_found')
    await settled()
    const trail = (await api('GET', '/api/sys/audit?model=sys_subscriptions')).body.data
    expect(trail.slice(0, 4).map(({ action }: any) => action)).toEqual(['delete', 'update', 'update', 'create'])
  })

  it('names everything that is wrong', async () => {
    const mail = (
      await api('POST', '/api/sys/channels', {
        name: 'mail',
        type: 'email',
        config: { transport: 'ses', from_address: 'a@acme.test' },
      })
    ).body.data.id
    const errors = async (more: object) =>
      (await api('POST', path, { name: 'wrong', table: 'requests', events: ['create'], ...more })).body.errors
    expect(await errors({})).toEqual({ channel_id: ['Say who is notified: a channel_id, or users, or roles.'] })
    expect(await errors({ channel_id: channel, users: [1] })).toHaveProperty('channel_id')
    expect((await errors({ channel_id: mail })).channel_id[0]).toContain('needs recipients')
    expect(
      await errors({
        channel_id: 4711,
        fields: ['titel'],
        filter: { prio: 1, priority: { _like: 2 } },
      }),
    ).toEqual({
      channel_id: ['There is no channel 4711.'],
      fields: ['There is no field titel of requests. Did you mean title?'],
      'filter.prio': [expect.any(String)],
      'filter.priority._like': [expect.stringMatching(/^There is no operator _like\./)],
    })
    expect(await errors({ users: [4711], roles: ['admn'] })).toEqual({
      'users.0': ['There is no active user with this id.'],
      'roles.0': ['There is no role admn. Did you mean admin?'],
    })
    expect(await errors({ users: [1], template: 'nowhere' })).toEqual({
      template: ['There is no notification template nowhere.'],
    })
    expect(await errors({ channel_id: channel, template: 'changed' })).toHaveProperty('template')
    expect(await errors({ table: 'nowhere', channel_id: channel })).toEqual({ table: ['There is no table nowhere.'] })
    expect(await errors({ events: [], channel_id: channel })).toHaveProperty('events')
    expect(await errors({ chanel_id: channel })).toHaveProperty('chanel_id')
    await subscribe({ name: 'taken', channel_id: channel })
    const again = { name: 'taken', table: 'requests', events: ['create'], channel_id: channel }
    expect((await api('POST', path, again)).body.code).toBe('name_taken')
  })

  it('keeps its channel, its roles and its table, and says which field is missing once it was removed', async () => {
    await makeTable(service, 'plans', [
      { name: 'title', type: 'text' },
      { name: 'cost', type: 'integer' },
    ])
    const named = (
      await api('POST', '/api/sys/channels', { name: 'named', type: 'webhook', config: { url: receiver.url } })
    ).body.data.id
    const role = (await api('POST', '/api/sys/roles', { name: 'watcher', permissions: [] })).body.data
    const table = { table: 'plans', filter: { cost: { _gt: 1 } }, fields: ['cost'] }
    const toChannel = await subscribe({ ...table, channel_id: named })
    const toRole = await subscribe({ table: 'plans', roles: ['watcher'] })
    await api('POST', '/api/e/plans', { title: 'Kept', cost: 3 })
    await settled()
    for (const [object, { name }] of [
      [`channels/${named}`, toChannel],
      [`roles/${role.id}`, toRole],
    ] as const) {
      const { body } = await api('DELETE', `/api/sys/${object}`)
      expect(body).toMatchObject({
        code: 'in_use',
        message: expect.stringContaining(`The subscription ${name} names it.`),
      })
    }
    await api('PUT', '/api/sys/entities/name/plans', { name: 'plans', table_fields: [{ name: 'title', type: 'text' }] })

    const problemOf = async ({ id }: { id: number }) => (await api('GET', `${path}/${id}`)).body.data.problem
    const problem = await problemOf(toChannel)
    expect(problem).toContain('There is no field cost of plans.')
    const listed = (await api('GET', path)).body.data
    expect(listed.map(({ id, problem: said }: any) => [id, said])).toEqual([
      [toRole.id, null],
      [toChannel.id, problem],
    ])
    // It stops nothing, and can be switched off.
    expect((await api('POST', '/api/e/plans', { title: 'More' })).status).toBe(201)
    expect((await api('PUT', `${path}/${toChannel.id}`, { is_active: false })).body.data.problem).toBe(problem)
    await settled()
    expect(receiver.received).toHaveLength(1)

    await makeTable(service, 'empty', [{ name: 'title', type: 'text' }])
    const { name } = await subscribe({ table: 'empty', channel_id: channel })
    const refused = await api('DELETE', '/api/sys/entities/name/empty')
    expect(refused.body).toMatchObject({
      code: 'in_use',
      message: `The table empty is in use. The subscription ${name} names it.`,
    })
  })
})
