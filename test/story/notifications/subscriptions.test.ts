import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/tables.ts'
import { scriptedReceiver } from '../../make/services/scripted-receiver.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let receiver: Awaited<ReturnType<typeof scriptedReceiver>>
let channel: number
let count = 0
const path = '/api/sys/subscriptions'
const fields = [
  { name: 'title', type: 'text', label: 'Title' },
  { name: 'priority', type: 'integer', label: 'Priority' },
  { name: 'note', type: 'textarea', label: 'Note' },
]

const api = (method: string, address: string, body?: unknown, token = service.admin.token) =>
  service.api(method, address, { token, body })
const subscribe = async (more: object) => {
  const body = { name: `subscription ${++count}`, table: 'requests', events: ['create', 'update', 'delete'], ...more }
  const made = await api('POST', path, body)
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  return made.body.data
}
const create = async (data: object, token?: string) => (await api('POST', '/api/e/requests', data, token)).body.data
const change = (id: number, data: object) => api('PATCH', `/api/e/requests/${id}`, data)
const remove = (id: number) => api('DELETE', `/api/e/requests/${id}`)
const received = () => receiver.received.map(({ body }) => JSON.parse(body))
const bellOf = async (token: string) => (await api('GET', '/api/notifications', undefined, token)).body.data

/** Invokes the evaluation with an event that the queue delivered before. */
async function deliverAgain(event: object) {
  const name = service.cloud.functions.find((one) => one.startsWith('SubscriptionEvaluation')) as string
  const body = JSON.stringify({ v: 1, tenant_id: 1, actor: service.admin.userId, source: null, ...event })
  const Records = [{ messageId: 'again', body, attributes: { ApproximateReceiveCount: '2' } }]
  expect(await service.cloud.invoke(name, { Records })).toEqual({ batchItemFailures: [] })
}

/** Waits until the change feed and the deliveries have come to rest. */
async function settled() {
  for (let quiet = 0, seen = -1; quiet < 3; await sleep(30)) {
    await service.cloud.idle()
    quiet = receiver.received.length === seen ? quiet + 1 : 0
    seen = receiver.received.length
  }
}

beforeAll(async () => {
  service = await startService({ log: () => {} })
  receiver = await scriptedReceiver(() => ({ status: 200 }))
  await makeTable(service, 'requests', fields)
  const config = { url: receiver.url }
  channel = (await api('POST', '/api/sys/channels', { name: 'crm', type: 'webhook', config })).body.data.id
})
afterAll(async () => {
  await service?.stop()
  await receiver?.close()
})
beforeEach(async () => {
  await settled()
  for (const { id } of (await api('GET', path)).body.data) await api('DELETE', `${path}/${id}`)
  receiver.received.length = 0
})

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
    expect(deliveries.map(({ source }: any) => source)).toEqual(
      Array.from({ length: 4 }, () => ({
        model: 'requests',
        record_id: record.id,
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
      'subscriptions.0.users': [`There is no active user ${service.admin.email}.`],
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
      version: 1,
    })
    const one = `${path}/${made.id}`
    expect((await api('GET', one)).body.data).toEqual(made)
    expect((await api('PUT', one, made)).body.data).toEqual(made)
    const changed = (await api('PUT', one, { filter: null, events: ['delete'] })).body.data
    expect(changed).toEqual({ ...made, filter: null, events: ['delete'], version: 2 })
    expect((await api('PUT', one, { ...made, version: 1 })).body.code).toBe('stale_version')
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
    expect(await errors({})).toEqual({ channel_id: ['Say who is told: a channel_id, or users, or roles.'] })
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
      'filter.priority._like': ['There is no operator _like.'],
    })
    expect(await errors({ users: [4711], roles: ['admn'] })).toEqual({
      'users.0': ['There is no active user with this id.'],
      'roles.0': ['There is no such role. Did you mean admin?'],
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

  it('says what is missing once a channel, a role or a field was removed, and keeps the table', async () => {
    await makeTable(service, 'plans', [
      { name: 'title', type: 'text' },
      { name: 'cost', type: 'integer' },
    ])
    const gone = (
      await api('POST', '/api/sys/channels', { name: 'gone', type: 'webhook', config: { url: receiver.url } })
    ).body.data.id
    const role = (await api('POST', '/api/sys/roles', { name: 'watcher', permissions: [] })).body.data
    const table = { table: 'plans', filter: { cost: { _gt: 1 } }, fields: ['cost'] }
    const toChannel = await subscribe({ ...table, channel_id: gone })
    const toRole = await subscribe({ table: 'plans', roles: ['watcher'] })
    await api('POST', '/api/e/plans', { title: 'Kept', cost: 3 })
    await settled()
    await api('DELETE', `/api/sys/channels/${gone}`)
    expect((await api('DELETE', `/api/sys/roles/${role.id}`)).status).toBe(204)
    await api('PUT', '/api/sys/entities/name/plans', { name: 'plans', table_fields: [{ name: 'title', type: 'text' }] })

    const problemOf = async ({ id }: { id: number }) => (await api('GET', `${path}/${id}`)).body.data.problem
    const problem = await problemOf(toChannel)
    expect(problem).toContain(`There is no channel ${gone}.`)
    expect(problem).toContain('There is no field cost of plans.')
    expect(problem).toContain('cost')
    expect(await problemOf(toRole)).toBe('roles watcher: There is no such role.')
    const listed = (await api('GET', path)).body.data
    expect(listed.map(({ id, problem: said }: any) => [id, said])).toEqual([
      [toRole.id, 'roles watcher: There is no such role.'],
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
    expect([refused.status, refused.body.message]).toEqual([409, `The subscription ${name} is about the table empty.`])
  })
})
