import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { rulesPath, type RuleWorld, ruleWorld } from '../../make/services/rule-world.ts'

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
