import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bpmn, end, inARow, makeProcess, start } from '../../make/builders/processes/processes.ts'
import { sample, upload } from '../../make/builders/records/uploads.ts'
import { messagesPath, rulesPath, type RuleWorld, ruleWorld } from '../../make/services/worlds/rule-world.ts'

let world: RuleWorld
let service: RuleWorld['service']
const api: RuleWorld['api'] = (...given) => world.api(...given)
const rule: RuleWorld['rule'] = (...given) => world.rule(...given)
const send: RuleWorld['send'] = (...given) => world.send(...given)
const recordOf: RuleWorld['recordOf'] = (...given) => world.recordOf(...given)
const countOf: RuleWorld['countOf'] = (...given) => world.countOf(...given)

beforeAll(async () => {
  world = await ruleWorld()
  ;({ service } = world)
})
afterAll(() => service?.stop())
beforeEach(() => world.clear())

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

describe('a rule that tells a process', () => {
  const messages = '<message id="Paid" name="bank paid"/><message id="Asked" name="asked"/>'
  const process = async (code: string, elements: string) =>
    (await makeProcess(service, 'requests', code, bpmn(elements).replace('<process ', `${messages}<process `))).id
  const instances = async (template: number, record: number) =>
    (await api('GET', `/api/sys/process-instances?template_id=${template}&model=requests&record_id=${record}`)).body
      .data

  it('sends each message once, with its values, and makes no record when it replaces that', async () => {
    const template = await process('paying', inARow(start, '<receiveTask id="pay" messageRef="Paid"/>', end))
    const { id: record } = (await api('POST', '/api/e/requests', { title: 'A chair' })).body.data
    const begin = async () =>
      (await api('POST', '/api/sys/process-instances', { template_id: template, model: 'requests', record_id: record }))
        .body.data.id
    const first = await begin()
    const { id } = await rule({
      process_message: {
        name: 'bank paid',
        correlation_key: 'payload.request',
        variables: { amount: 'payload.amount', from: '=bank', missing: 'payload.nothing' },
        is_instead_of_record: true,
      },
    })
    const before = await countOf()
    const message = await send({ body: 'Paid', payload: { request: record, amount: 250 } })
    expect(message).toMatchObject({ is_processed: true, errors: [], records: [] })
    const paid = (await api('GET', `/api/sys/process-instances/${first}`)).body.data
    expect(paid).toMatchObject({ status: 'completed', variables: { amount: 250, from: 'bank' } })
    expect(paid.variables).not.toHaveProperty('missing')
    expect(await countOf()).toBe(before)

    const second = await begin()
    await api('POST', `${messagesPath}/${message.id}/reprocess`)
    await service.cloud.idle()
    expect((await api('GET', `/api/sys/process-instances/${second}`)).body.data.status).toBe('running')

    const lacking = await send({ body: 'Paid', payload: { amount: 1 } })
    expect(lacking).toMatchObject({ is_processed: false, errors: [{ action_id: id }] })
    expect(lacking.errors[0].message).toContain('its correlation_key, payload.request, has no value')
    const shown = await api('POST', `${rulesPath}/${id}/prepare`, { message_id: message.id })
    expect(shown.body).toMatchObject({
      data: {},
      meta: { process_message: { name: 'bank paid', correlation_key: String(record), variables: { amount: 250 } } },
    })
  })

  it('starts the process that begins with its message, for the record that it makes', async () => {
    const begins = '<startEvent id="asked"><messageEventDefinition messageRef="Asked"/></startEvent>'
    const template = await process('asking', inARow(begins, '<userTask id="answer"/>', end))
    const { id } = await rule({
      field_mapping: { title: 'subject' },
      process_message: { name: 'asked', variables: { what: 'record.title', body: 'body' } },
    })
    const message = await send({ subject: 'A desk', body: 'Please' })
    const [made] = await instances(template, message.records[0].id)
    expect((await api('GET', `/api/sys/process-instances/${made?.id}`)).body.data).toMatchObject({
      status: 'running',
      variables: { what: 'A desk', body: 'Please' },
    })
    const shown = await api('POST', `${rulesPath}/${id}/prepare`, { message_id: message.id })
    expect(shown.body.meta.process_message).toEqual({ name: 'asked', variables: { body: 'Please' } })
  })

  it('is refused when it has no record for what it names, or nothing to name it by', async () => {
    const problems = async (more: object) =>
      (await api('POST', rulesPath, { name: 'Wrong', channel: 'api', target_model: 'requests', ...more })).body.errors
    expect(
      await problems({
        process_message: {
          name: 'paid',
          is_instead_of_record: true,
          variables: { 'a b': 'record.title', who: 'payload' },
        },
      }),
    ).toEqual({
      'process_message.is_instead_of_record': [
        'Only an automatic rule may do without a record: a button answers the one that it made.',
      ],
      'process_message.correlation_key': [
        'The rule makes no record whose id could be the key: say where the key comes from.',
      ],
      'process_message.variables': ['"a b" is no name for a variable.'],
      'process_message.variables.a b': ['The rule makes no record, so there is no record.title.'],
    })
    expect(
      await problems({ process_message: { name: 'paid', correlation_key: 'record.titel', variables: { a: 'bodi' } } }),
    ).toEqual({
      'process_message.correlation_key': ['There is no field titel of requests. Did you mean title?'],
      'process_message.variables.a': ['A message has no member bodi. Did you mean body?'],
    })
  })
})
