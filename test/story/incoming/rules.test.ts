import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/tables.ts'
import { sample, upload } from '../../make/builders/uploads.ts'
import { startService, type TestService } from '../../make/services/service.ts'

const messagesPath = '/api/sys/incoming_messages'
const rulesPath = '/api/sys/incoming-actions'
let service: TestService
let made: number[] = []

const api = (method: string, address: string, body?: unknown, token = service.admin.token) =>
  service.api(method, address, { token, body })
const settled = () => service.cloud.idle()

/** Creates a rule for requests; it is deleted after the test. */
async function rule(more: object) {
  const body = {
    name: `Rule ${made.length + 1}`,
    channel: 'api',
    target_model: 'requests',
    is_automatic: true,
    ...more,
  }
  const created = await api('POST', rulesPath, body)
  expect(created.body).toMatchObject({ success: true })
  made.push(created.body.data.id)
  return created.body.data
}

/** Sends a message in and answers it once its rules have run. */
async function send(body: object) {
  const sent = await api('POST', messagesPath, body)
  expect(sent.status).toBe(201)
  await settled()
  return readMessage(sent.body.data.id)
}
const readMessage = async (id: number) => (await api('GET', `${messagesPath}/${id}`)).body.data
const recordOf = async (message: { records: { model: string; id: number }[] }) => {
  const [{ model, id }] = message.records as [{ model: string; id: number }]
  return (await api('GET', `/api/e/${model}/${id}`)).body.data
}
const countOf = async (model = 'requests') => (await api('GET', `/api/e/${model}`)).body.meta.total as number

beforeAll(async () => {
  service = await startService()
  await makeTable(service, 'clients', [
    { name: 'name', type: 'text', required: true },
    { name: 'email', type: 'text' },
  ])
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text', required: true, max_length: 40 },
    { name: 'description', type: 'textarea' },
    { name: 'priority', type: 'integer', min: 1, max: 5 },
    { name: 'source', type: 'value_list', options: [{ slug: 'mail', label: 'E-mail' }, { slug: 'chat' }] },
    { name: 'client_id', type: 'model_list', target_table: 'clients' },
    { name: 'owner', type: 'user' },
    { name: 'sent_at', type: 'datetime' },
    { name: 'files', type: 'file', multiple: true },
    { name: 'code', type: 'text', unique: true },
  ])
})
afterAll(() => service?.stop())
beforeEach(async () => {
  for (const id of made) await api('DELETE', `${rulesPath}/${id}`)
  made = []
})

describe('an automatic rule', () => {
  it('makes a record of a message, with values in the types of their fields', async () => {
    const file = await upload(service, { name: 'a.pdf', type: 'application/pdf', content: sample.pdf })
    const { id } = await rule({
      field_mapping: {
        title: 'subject',
        description: 'body',
        priority: 'payload.items.0.priority',
        source: '=E-mail',
        sent_at: 'payload.date',
        files: 'attachments',
        owner: 'from_email',
        code: 'payload.missing.code',
      },
    })
    const message = await send({
      from_email: service.admin.email,
      subject: 'The printer on the second floor is jammed again, and again',
      body: 'Help',
      payload: { items: [{ priority: '4' }], date: 'Fri, 20 Nov 2026 13:15:00 +0100' },
      attachments: [file],
    })
    expect(message).toMatchObject({
      is_processed: true,
      is_waiting: false,
      errors: [],
      records: [{ model: 'requests', id: expect.any(Number), action_id: id }],
    })
    expect((await recordOf(message)).data).toEqual({
      title: 'The printer on the second floor is jamm…',
      description: 'Help',
      priority: 4,
      source: 'mail',
      sent_at: '2026-11-20T12:15:00.000Z',
      files: [file],
      owner: service.admin.userId,
    })
    const history = (await api('GET', `/api/sys/history/requests/${message.records[0].id}`)).body.data
    expect(history[0]).toMatchObject({ action: 'create', source: 'rule', user: { id: service.admin.userId } })
  })

  it('runs its script with $incoming, $data and the arrow calls of $api', async () => {
    const client = (await api('POST', '/api/e/clients', { name: 'Ann', email: 'ann@example.com' })).body.data
    await rule({
      field_mapping: { title: 'subject' },
      script: `
        $client = $api->find('clients', 'email', $incoming->from_email)
        if (!$client) $client = $api->create('clients', { name: $incoming->from_name, email: $incoming->from_email })
        $data->client_id = $client->id
        $data->description = [$context.kind, $context.source, $record.id, $user.name, $incoming.channel].join(' ')`,
    })
    const known = await recordOf(await send({ subject: 'Known', from_email: 'ann@example.com' }))
    expect(known.data).toMatchObject({ client_id: client.id, description: 'incoming rule  Grace Hopper api' })
    const fresh = await recordOf(await send({ subject: 'New', from_name: 'Bob', from_email: 'bob@example.com' }))
    expect((await api('GET', `/api/e/clients/${fresh.data.client_id}`)).body.data.data.name).toBe('Bob')
    const runs = (await api('GET', '/api/sys/script-runs?model=requests')).body.data
    expect(runs[0]).toMatchObject({ kind: 'incoming', status: 'ok', calls: 2, model: 'requests' })
  })

  it('makes no record when its script returns, and what it sends is sent once', async () => {
    await rule({
      field_mapping: { title: 'subject' },
      script: `$api->sendPushNotification('Ignored', $incoming->subject, [$user->id]); return`,
    })
    const before = await countOf()
    const message = await send({ subject: 'Nothing to do' })
    expect(message).toMatchObject({ is_processed: true, is_waiting: false, records: [], errors: [] })
    expect(await countOf()).toBe(before)
    const bell = (await api('GET', '/api/notifications')).body.data
    expect(bell.filter(({ text }: { text: string }) => text === 'Nothing to do')).toHaveLength(1)
  })

  it('runs in the order of position, each on its own, and says on the message why one fails', async () => {
    const last = await rule({ name: 'Last', position: 2, field_mapping: { title: 'subject' } })
    const thrown = await rule({ name: 'Thrown', position: 1, script: "\n  throw new Exception('Not today')" })
    const invalid = await rule({ name: 'Invalid', field_mapping: { title: '=x', priority: 'payload.priority' } })
    const message = await send({ subject: 'Three rules', payload: { priority: 'high' } })
    expect(message.errors).toEqual([
      {
        action_id: invalid.id,
        action: 'Invalid',
        message: 'The priority must be a number.',
        line: null,
        column: null,
        at: expect.any(String),
      },
      {
        action_id: thrown.id,
        action: 'Thrown',
        message: 'Not today',
        line: 2,
        column: expect.any(Number),
        at: expect.any(String),
      },
    ])
    expect(message.records).toEqual([{ model: 'requests', id: expect.any(Number), action_id: last.id }])
    expect(message.is_processed).toBe(true)
  })

  it('may leave what could not be converted to its script', async () => {
    await rule({
      field_mapping: { title: 'subject', priority: 'payload.priority' },
      script: "if ($incoming->payload->priority === 'high') $data->priority = 5",
    })
    expect((await recordOf(await send({ subject: 'Urgent', payload: { priority: 'high' } }))).data.priority).toBe(5)
    expect((await send({ subject: 'Urgent', payload: { priority: 'low' } })).errors).toHaveLength(1)
  })

  it('matches by channel and condition', async () => {
    await rule({ channel: 'email', field_mapping: { title: 'subject' } })
    await rule({ is_active: false, field_mapping: { title: 'subject' } })
    const matching = await rule({
      channel: 'all',
      field_mapping: { title: 'subject' },
      condition: { subject: { _istarts_with: 'support' }, 'payload.level': { _gte: 3 } },
    })
    expect((await send({ subject: 'Sales', payload: { level: 3 } })).records).toEqual([])
    expect((await send({ subject: 'Support', payload: { level: 2 } })).records).toEqual([])
    const message = await send({ subject: 'SUPPORT!', payload: { level: '4' } })
    expect(message.records.map(({ action_id }: { action_id: number }) => action_id)).toEqual([matching.id])
  })

  it('refuses a record as the API does, with everything that a hook of the table says', async () => {
    await rule({ field_mapping: { title: 'subject', code: 'payload.code' } })
    expect((await send({ subject: 'One', payload: { code: 'A1' } })).errors).toEqual([])
    const [error] = (await send({ subject: 'Two', payload: { code: 'A1' } })).errors
    expect(error.message).toBe('The code has already been taken.')
    const [missing] = (await send({ body: 'no subject' })).errors
    expect(missing.message).toBe('The title field is required.')
  })
})

describe('reprocessing a message', () => {
  it('runs the rules that have not succeeded, and makes no record twice', async () => {
    await rule({ name: 'Good', field_mapping: { title: 'subject' } })
    const bad = await rule({
      name: 'Bad',
      field_mapping: { title: 'subject' },
      script: "$api->create('clients', { name: 'Made once' }); if ($incoming->payload->fails) throw 'Not yet'",
      condition: { 'payload.fails': true },
    })
    const clients = await countOf('clients')
    const message = await send({ subject: 'Again', payload: { fails: true } })
    expect(message.errors.map(({ action }: { action: string }) => action)).toEqual(['Bad'])
    const again = await api('POST', `${messagesPath}/${message.id}/reprocess`)
    expect(again.status).toBe(200)
    expect(again.body.data).toMatchObject({ records: message.records, errors: [{ message: 'Not yet' }] })
    expect(await countOf('clients')).toBe(clients + 1)
    await api('PUT', `${rulesPath}/${bad.id}`, { script: null })
    const mended = (await api('POST', `${messagesPath}/${message.id}/reprocess`)).body.data
    expect(mended).toMatchObject({ errors: [], is_waiting: false })
    expect(mended.records).toHaveLength(2)
    expect((await api('POST', `${messagesPath}/${message.id}/reprocess`)).body.data.records).toEqual(mended.records)
    expect((await api('POST', `${messagesPath}/999999/reprocess`)).status).toBe(404)
  })
})

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

describe('the administration of rules', () => {
  it('checks everything when a rule is saved', async () => {
    const answer = await api('POST', rulesPath, {
      name: 'Wrong',
      channel: 'email',
      target_model: 'requests',
      field_mapping: { titel: 'subject', priority: '=many', source: 'payload..x', description: 'bdy' },
      script: 'if (',
      condition: { subject: { _like: 'x' } },
    })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject({
      'field_mapping.titel': ['There is no field titel of requests. Did you mean title?'],
      'field_mapping.priority': ['The priority must be a number.'],
      'field_mapping.source': [expect.stringContaining('is not a path')],
      'field_mapping.description': ['A message has no member bdy. Did you mean body?'],
      'condition.subject._like': ['There is no operator _like.'],
      script: [expect.any(String)],
    })
    const table = await api('POST', rulesPath, { name: 'Wrong', channel: 'email', target_model: 'request' })
    expect(table.body.errors.target_model).toEqual(['There is no table request. Did you mean requests?'])
    const shape = await api('POST', rulesPath, {
      name: 'Wrong',
      channel: 'fax',
      target_model: 'requests',
      button_color: 'url(x)',
    })
    expect(Object.keys(shape.body.errors)).toEqual(expect.arrayContaining(['channel', 'button_color']))
  })

  it('creates, reads, changes and deletes, with unique names', async () => {
    const created = await rule({ name: 'Life', field_mapping: { title: 'subject' } })
    expect(created).toMatchObject({
      on_reply: 'comment',
      position: 0,
      is_active: true,
      send_comments: false,
      version: 1,
    })
    const one = `${rulesPath}/${created.id}`
    expect((await api('GET', one)).body.data).toEqual(created)
    expect((await api('POST', rulesPath, { name: 'Life', channel: 'api', target_model: 'requests' })).status).toBe(409)
    const changed = (await api('PUT', one, { ...created, position: 4 })).body.data
    expect(changed).toMatchObject({ position: 4, version: 2 })
    expect((await api('PUT', one, { ...created, position: 5 })).body.code).toBe('stale_version')
    expect((await api('PUT', one, changed)).body.data).toEqual(changed)
    expect((await api('DELETE', '/api/sys/entities/name/requests')).status).toBe(409)
    expect((await api('DELETE', one)).status).toBe(204)
    expect((await api('GET', one)).body.code).toBe('incoming_action_not_found')
  })

  it('is for administrators, and stays inside the tenant', async () => {
    const { id } = await rule({ is_automatic: false, field_mapping: { title: 'subject' } })
    const { id: message } = await send({ subject: 'Ours' })
    const user = await userWith(service, ['requests.*'])
    expect((await api('POST', rulesPath, {}, user.token)).status).toBe(403)
    expect((await api('PUT', `${rulesPath}/${id}`, {}, user.token)).status).toBe(403)
    expect((await api('POST', `${messagesPath}/${message}/reprocess`, undefined, user.token)).status).toBe(403)
    const { token } = await otherTenant(service)
    for (const [method, path, body] of [
      ['GET', `${rulesPath}/${id}`],
      ['PUT', `${rulesPath}/${id}`, { position: 1 }],
      ['DELETE', `${rulesPath}/${id}`],
      ['POST', `${rulesPath}/${id}/prepare`, { message_id: message }],
      ['POST', `${rulesPath}/${id}/execute`, { message_id: message }],
      ['POST', `${messagesPath}/${message}/reprocess`],
    ] as const)
      expect((await api(method, path, body, token)).status).toBe(404)
    expect((await api('GET', rulesPath, undefined, token)).body.data).toEqual([])
  })

  it('lists the tables that the caller may fill', async () => {
    const agent = await userWith(service, ['clients.create'], [], { clients: { read: ['name'], write: ['name'] } })
    expect((await api('GET', `${rulesPath}/models`, undefined, agent.token)).body.data).toEqual([
      { model_class: 'clients', label: expect.any(String), fields: [{ name: 'name', type: 'text' }] },
    ])
    const all = (await api('GET', `${rulesPath}/models`)).body.data
    expect(all.map((one: { model_class: string }) => one.model_class)).toEqual(
      expect.arrayContaining(['clients', 'requests', 'sys_companies']),
    )
  })
})
