import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { rulesPath, type RuleWorld, ruleWorld } from '../../make/services/worlds/rule-world.ts'

let world: RuleWorld
let service: RuleWorld['service']
const api: RuleWorld['api'] = (...given) => world.api(...given)
const rule: RuleWorld['rule'] = (...given) => world.rule(...given)
const send: RuleWorld['send'] = (...given) => world.send(...given)
const readMessage: RuleWorld['readMessage'] = (...given) => world.readMessage(...given)
const countOf: RuleWorld['countOf'] = (...given) => world.countOf(...given)

beforeAll(async () => {
  world = await ruleWorld()
  ;({ service } = world)
})
afterAll(() => service?.stop())
beforeEach(() => world.clear())

describe('a button rule', () => {
  it('is previewed without effects, and executed once', async () => {
    const button = await rule({
      is_automatic: false,
      button_label: 'Make a request',
      button_color: '#1677ff',
      field_mapping: { title: 'subject', priority: 'payload.priority' },
      script: `
        $data->client_id = $api->create('clients', { name: 'Previewed' }).id
        $api->setBotState('77', 'asked')
        $api->sendPushNotification('Made', 'x', [$user->id])`,
    })
    const message = await send({ subject: 'By button', payload: { priority: '9' } })
    expect(message).toMatchObject({ records: [], is_processed: false })
    const clients = await countOf('clients')
    const preview = await api('POST', `${rulesPath}/${button.id}/prepare`, { message_id: message.id })
    expect(preview.status).toBe(200)
    expect(preview.body.data).toEqual({ title: 'By button', client_id: expect.any(Number) })
    expect(preview.body.meta).toMatchObject({
      model: 'requests',
      errors: { priority: ['The priority may not be greater than 5.'] },
      script: {
        status: 'ok',
        returned: false,
        written: [{ action: 'create', model: 'clients' }],
        sent: [{ method: 'sendPushNotification' }],
      },
    })
    expect(await countOf('clients')).toBe(clients)

    const execute = (data: object) => api('POST', `${rulesPath}/${button.id}/execute`, { message_id: message.id, data })
    const refused = await execute({ description: 'still without a priority' })
    expect(refused).toMatchObject({ status: 422, body: { errors: { priority: [expect.any(String)] } } })
    const done = await execute({ priority: 2, title: 'Edited' })
    expect(done.status).toBe(201)
    expect(done.body.data.data).toMatchObject({ title: 'Edited', priority: 2 })
    expect((await execute({ priority: 3 })).body.data).toEqual(done.body.data)
    expect(await readMessage(message.id)).toMatchObject({
      is_processed: true,
      records: [{ model: 'requests', id: done.body.data.id, action_id: button.id }],
      errors: [],
    })
    expect(await countOf('clients')).toBe(clients + 1)
  })

  it('answers 422 when its script returns', async () => {
    const button = await rule({ is_automatic: false, script: 'return' })
    const { id } = await send({ subject: 'Nothing' })
    const answer = await api('POST', `${rulesPath}/${button.id}/execute`, { message_id: id })
    expect(answer).toMatchObject({ status: 422, body: { code: 'ended_without_record' } })
    expect(await readMessage(id)).toMatchObject({ is_processed: true, records: [] })
  })

  it('makes one record when two people press it at the same time', async () => {
    const button = await rule({ is_automatic: false, field_mapping: { title: 'subject' } })
    const { id } = await send({ subject: 'Race' })
    const before = await countOf()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => api('POST', `${rulesPath}/${button.id}/execute`, { message_id: id })),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await countOf()).toBe(before + 1)
  })

  it('shows its users what the script would do without what it reads', async () => {
    const script =
      "console.log('a secret'); $api->create('clients', { name: 'A secret' }); $api->sendSms('1', 'A secret')"
    const button = await rule({ is_automatic: false, field_mapping: { title: 'subject' }, script })
    const { id } = await send({ subject: 'Look' })
    const agent = await userWith(service, ['incoming_messages.read', 'requests.create', 'requests.read'])
    const preview = await api('POST', `${rulesPath}/${button.id}/prepare`, { message_id: id }, agent.token)
    expect(preview.body.meta.script).toMatchObject({ log: [], written: [{ action: 'create', model: 'clients' }] })
    expect(JSON.stringify(preview.body)).not.toMatch(/secret/)
  })

  it('is for people who may create records of its table and read the message', async () => {
    const button = await rule({ is_automatic: false, field_mapping: { title: 'subject', priority: '=2' } })
    const automatic = await rule({ field_mapping: { title: 'subject' }, condition: { subject: 'never' } })
    const { id } = await send({ subject: 'Press' })
    const body = { message_id: id }
    const agent = await userWith(service, ['incoming_messages.read', 'requests.create', 'requests.read'])
    const reader = await userWith(service, ['incoming_messages.read'])
    const stranger = await userWith(service, ['requests.create'])
    const limited = await userWith(service, ['incoming_messages.read', 'requests.create', 'requests.read'], [], {
      requests: { read: ['title'], write: ['title'] },
    })
    const listed = await api('GET', rulesPath, undefined, agent.token)
    expect(listed.body.data).toEqual([
      {
        id: button.id,
        name: button.name,
        channel: 'api',
        target_model: 'requests',
        button_label: null,
        button_color: null,
      },
    ])
    expect((await api('GET', `${rulesPath}/${automatic.id}`, undefined, agent.token)).status).toBe(404)
    expect((await api('GET', rulesPath, undefined, reader.token)).body.data).toEqual([])
    const execute = `${rulesPath}/${button.id}/execute`
    expect((await api('POST', execute, body, reader.token)).status).toBe(404)
    expect((await api('POST', execute, body, stranger.token)).body.code).toBe('incoming_message_not_found')
    const foreign = await api('POST', execute, { ...body, data: { priority: 1 } }, limited.token)
    expect(foreign.body.errors).toEqual({ 'data.priority': ['You may not change this field.'] })
    const preview = await api('POST', `${rulesPath}/${button.id}/prepare`, body, limited.token)
    expect(preview.body).toMatchObject({ data: { title: 'Press' }, meta: { script: null } })
    expect(preview.body.data).not.toHaveProperty('priority')
    const done = await api('POST', execute, { ...body, data: { title: 'Mine' } }, limited.token)
    expect(done.body.data).toMatchObject({ created_by: limited.id, data: { title: 'Mine' } })
    expect(done.body.data.data).not.toHaveProperty('priority')
  })
})

describe('a button for a reply', () => {
  const reads = ['incoming_messages.read', 'requests.create']
  const own = (action: string): object => ({ table: 'requests', action, filter: { created_by: '$CURRENT_USER' } })
  const button = (more: object = {}) => rule({ is_automatic: false, field_mapping: {}, ...more })
  const requestOf = async (id: number) => (await api('GET', `/api/e/requests/${id}`)).body.data
  const outcomesOf = async (id: number) => (await readMessage(id)).records
  const commentsOn = async (id: number) => (await api('GET', `/api/e/requests/${id}/comments`)).body.data

  /** A reply to a record of the administrator, and what whoever presses a button for it gets. */
  async function reply() {
    const record = (await api('POST', '/api/e/requests', { title: 'Salaries', description: 'The boss earns 9' })).body
      .data
    const message = await world.receive({ replyTo: { model: 'requests', id: record.id } })
    const press = (by: { token: string }, { id }: { id: number }, data?: object) =>
      api('POST', `${rulesPath}/${id}/execute`, { message_id: message.id, ...(data && { data }) }, by.token)
    const preview = (by: { token: string }, { id }: { id: number }) =>
      api('POST', `${rulesPath}/${id}/prepare`, { message_id: message.id }, by.token)
    return { record, message, press, preview }
  }

  it.each([
    ['without update', ['requests.read', 'requests.comment'], [], 403, 'forbidden'],
    ['without read', ['requests.update'], [], 403, 'forbidden'],
    ['from whom the record is hidden', ['requests.read', 'requests.update'], [own('read')], 404, 'record_not_found'],
    ['who may not update it', ['requests.read', 'requests.update'], [own('update')], 403, 'record_forbidden'],
  ])(
    'that updates the record is refused to somebody %s, before anything is done',
    async (_, more, rowRules, status, code) => {
      const { record, message, press, preview } = await reply()
      const script = "$api.create('requests', { title: 'A trace' })"
      const made = await button({ on_reply: 'update', script })
      const user = await userWith(service, [...reads, ...more], rowRules)
      for (const answer of [await press(user, made, { title: 'Mine' }), await preview(user, made)])
        expect(answer).toMatchObject({ status, body: { code } })
      expect(await requestOf(record.id)).toEqual(record)
      expect(await outcomesOf(message.id)).toEqual([])
      const traces = await api('GET', '/api/e/requests?filter={"title":"A trace"}')
      expect(traces.body.data).toEqual([])
    },
  )

  it('updates the record for who may update it, and keeps to the fields that they may write and read', async () => {
    const { record, press } = await reply()
    const made = await button({ on_reply: 'update', field_mapping: { description: '=By the rule' } })
    const fields = { requests: { read: ['title'], write: ['title'] } }
    const user = await userWith(service, [...reads, 'requests.read', 'requests.update'], [], fields)
    const refused = await press(user, made, { description: 'Mine' })
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { 'data.description': ['You may not change this field.'] } },
    })
    expect(await requestOf(record.id)).toEqual(record)
    const done = await press(user, made, { title: 'Edited' })
    expect(done).toMatchObject({ status: 201, body: { data: { id: record.id, version: 2 } } })
    expect(done.body.data.data).toEqual({ title: 'Edited' })
    expect((await requestOf(record.id)).data).toMatchObject({ title: 'Edited', description: 'By the rule' })
    expect((await press(user, made)).body.data).toEqual(done.body.data)
  })

  it.each([
    ['without comment', ['requests.read'], [], 403, 'forbidden'],
    ['without read', ['requests.comment'], [], 403, 'forbidden'],
    ['from whom the record is hidden', ['requests.read', 'requests.comment'], [own('read')], 404, 'record_not_found'],
  ])('that comments on the record is refused to somebody %s', async (_, more, rowRules, status, code) => {
    const { record, message, press } = await reply()
    const made = await button()
    const user = await userWith(service, [...reads, ...more], rowRules)
    expect(await press(user, made)).toMatchObject({ status, body: { code } })
    expect(await commentsOn(record.id)).toEqual([])
    expect(await outcomesOf(message.id)).toEqual([])
  })

  it('comments on the record for who may comment on it', async () => {
    const { record, press } = await reply()
    const made = await button()
    const user = await userWith(service, [...reads, 'requests.read', 'requests.comment'])
    expect(await press(user, made)).toMatchObject({ status: 201, body: { data: { id: record.id, data: record.data } } })
    expect(await commentsOn(record.id)).toMatchObject([{ body: 'It is jammed.' }])
  })

  it('that somebody else has pressed answers its record to those only who may read it', async () => {
    const { record, press } = await reply()
    const made = await button()
    expect((await press(service.admin, made)).status).toBe(201)
    const stranger = await userWith(service, [...reads, 'requests.read'], [own('read')])
    expect(await press(stranger, made)).toMatchObject({ status: 404, body: { code: 'record_not_found' } })
    const creator = await userWith(service, reads)
    expect(await press(creator, made)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const reader = await userWith(service, [...reads, 'requests.read'])
    expect(await press(reader, made)).toMatchObject({ status: 201, body: { data: { id: record.id } } })
  })

  it('that makes a record answers it without fields to those who may not read it', async () => {
    const message = await world.receive({})
    const made = await button({ field_mapping: { title: 'subject' } })
    const user = await userWith(service, reads)
    const press = () => api('POST', `${rulesPath}/${made.id}/execute`, { message_id: message.id }, user.token)
    const done = await press()
    expect(done).toMatchObject({ status: 201, body: { data: { id: expect.any(Number), data: {} } } })
    expect((await requestOf(done.body.data.id)).data).toMatchObject({ title: 'Printer jam' })
    expect((await press()).status).toBe(403)
  })

  it('leaves its record out of the message for readers who may not read it', async () => {
    const { record, message, press } = await reply()
    const made = await button({ on_reply: 'create', field_mapping: { title: 'subject' } })
    const user = await userWith(service, [...reads, 'requests.read'], [own('read')])
    const mine = (await press(user, made)).body.data.id
    expect((await press(service.admin, await button())).status).toBe(201)
    const path = `/api/sys/incoming_messages/${message.id}`
    const whole = (await api('GET', path)).body.data
    expect(whole).toMatchObject({ records: [{ id: mine }, { id: record.id }], reply_to: { id: record.id } })
    expect(whole.payload.reply_to).toEqual({ model: 'requests', id: record.id })
    const { payload, ...seen } = (await api('GET', path, undefined, user.token)).body.data
    expect(seen).toMatchObject({ records: [{ model: 'requests', id: mine }], reply_to: null })
    expect(payload).toEqual({ priority: '2' })
    const ofMine = (await api('GET', `/api/e/requests/${mine}/timeline?kinds=message`, undefined, user.token)).body.data
    expect(ofMine).toMatchObject([{ data: { records: [{ id: mine }], reply_to: null } }])
    const blind = await userWith(service, ['incoming_messages.read'])
    const listed = (await api('GET', '/api/sys/incoming_messages?per_page=5', undefined, blind.token)).body.data
    expect(listed.find(({ id }: { id: number }) => id === message.id)).toMatchObject({ records: [], reply_to: null })
  })
})

describe('a message that no rule took', () => {
  const path = (id: number, what: string) => `/api/sys/incoming_messages/${id}/${what}`

  it('becomes a record by hand, once, and answers to the mail lead there', async () => {
    const file = { name: 'jam.png', content_type: 'image/png', size: 3 }
    const message = await world.receive({
      payload: {},
      mailId: '<jam@example.com>',
      attachments: [{ ...file, path: null }],
    })
    expect(message.is_processed).toBe(false)
    const agent = await userWith(service, ['incoming_messages.read', 'requests.create', 'requests.read'])
    const make = (data: object, token = agent.token) =>
      api('POST', path(message.id, 'records'), { model: 'requests', data }, token)
    const refused = await make({ title: 'Printer jam', priority: 9 })
    expect(refused).toMatchObject({ status: 422, body: { errors: { priority: [expect.any(String)] } } })
    expect(await readMessage(message.id)).toMatchObject({ records: [], is_processed: false })
    const made = await make({ title: 'Printer jam', priority: 3 })
    expect(made).toMatchObject({
      status: 201,
      body: { data: { created_by: agent.id, data: { title: 'Printer jam' } } },
    })
    const { id } = made.body.data
    expect((await make({ title: 'Another' })).body.data.id).toBe(id)
    expect(await readMessage(message.id)).toMatchObject({
      is_processed: true,
      records: [{ model: 'requests', id, action_id: 0 }],
    })
    const timeline = await api('GET', `/api/e/requests/${id}/timeline?kinds=message`)
    expect(timeline.body.data).toMatchObject([{ data: { id: message.id } }])
    const answer = await world.receive({ answers: message.id, subject: 'Re: Printer jam' })
    expect(answer.reply_to).toEqual({ model: 'requests', id })
    const reader = await userWith(service, ['incoming_messages.read'])
    expect((await make({ title: 'Mine' }, reader.token)).status).toBe(403)
    const blind = await userWith(service, ['requests.create'])
    expect((await make({ title: 'Mine' }, blind.token)).body.code).toBe('incoming_message_not_found')
  })

  it('is set aside and taken back, and is left alone once something came of it', async () => {
    const { id } = await send({ subject: 'Spam' })
    const agent = await userWith(service, ['incoming_messages.*'])
    const reader = await userWith(service, ['incoming_messages.read'])
    expect((await api('POST', path(id, 'dismiss'), undefined, reader.token)).status).toBe(403)
    for (let twice = 0; twice < 2; twice += 1)
      expect((await api('POST', path(id, 'dismiss'), undefined, agent.token)).body.data).toMatchObject({
        is_processed: true,
        records: [],
      })
    for (let twice = 0; twice < 2; twice += 1)
      expect((await api('POST', path(id, 'reopen'), undefined, agent.token)).body.data.is_processed).toBe(false)
    await api('POST', path(id, 'dismiss'))
    const made = await api('POST', path(id, 'records'), { model: 'requests', data: { title: 'No spam' } })
    expect(made.status).toBe(201)
    expect((await api('POST', path(id, 'reopen'))).body.data).toMatchObject({
      is_processed: true,
      records: [{ id: made.body.data.id }],
    })
  })
})
