import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { NewMessage } from '../../../shared/messages/incoming-messages/message.ts'
import { storeMessage } from '../../../shared/messages/incoming-messages/receive/store-message.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let channel: number
let agent: Awaited<ReturnType<typeof userWith>>
let reader: Awaited<ReturnType<typeof userWith>>

const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const made = async (path: string, body: object): Promise<number> => {
  const answer = await api('POST', path, body)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.data.id
}
const newCase = (fields: object = {}) => made('/api/e/cases', { title: 'Printer jam', ...fields })
const comment = (id: number, body: object, token = agent.token) =>
  api('POST', `/api/e/cases/${id}/comments`, body, token)
const options = async (id: number, token = agent.token) =>
  (await api('GET', `/api/e/cases/${id}/reply-options`, undefined, token)).body.data

/** A message arrives that belongs to a record. */
async function receive(id: number, more: Partial<NewMessage>): Promise<void> {
  const putObject = async () => {}
  await storeMessage({ store: service.store, clock, putObject }, service.tenant, {
    channel: 'email',
    channelId: null,
    fromName: 'Ann Carter',
    fromEmail: 'ann@cases.example',
    fromId: null,
    subject: 'Printer jam',
    mailId: '<jam@cases.example>',
    body: 'It is jammed.',
    payload: {},
    attachments: [],
    receivedAtMs: clock.now(),
    replyTo: { model: 'cases', id },
    ...more,
  })
  await service.cloud.idle()
}

/** The newest delivery about a record, once it ended. */
async function ended(id: number, status: string) {
  await expect
    .poll(
      async () => {
        await service.cloud.idle()
        return (await api('GET', `/api/sys/deliveries?model=cases&record_id=${id}`)).body.data[0]?.status
      },
      { timeout: 240_000 },
    )
    .toBe(status)
  return (await api('GET', `/api/sys/deliveries?model=cases&record_id=${id}`)).body.data[0]
}

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'customers', [
    { name: 'name', type: 'text' },
    { name: 'email', type: 'text' },
  ])
  await makeTable(service, 'cases', [
    { name: 'title', type: 'text' },
    { name: 'note', type: 'text' },
    { name: 'customer_id', type: 'model_list', target_table: 'customers' },
  ])
  await api('PUT', '/api/sys/entities/name/cases', { title_field: 'title' })
  await api('PUT', '/api/sys/entities/name/customers', { title_field: 'name' })
  const config = { transport: 'ses', from_address: 'desk@cases.example' }
  channel = await made('/api/sys/channels', { name: 'mail', type: 'email', is_default: true, config })
  await made('/api/sys/incoming-actions', {
    name: 'Join',
    channel: 'all',
    target_model: 'cases',
    is_automatic: true,
    field_mapping: { title: 'subject' },
  })
  agent = await userWith(service, ['cases.read', 'cases.update', 'cases.comment_internal', 'customers.read'])
  reader = await userWith(service, ['cases.read', 'cases.comment'])
})
afterAll(() => service?.stop())

describe('a reply to whoever a record is about', () => {
  it('goes as a mail to the client that the record names, and its delivery names the comment', async () => {
    const customer = await made('/api/e/customers', { name: 'Ben Okafor', email: 'ben@cases.example' })
    const id = await newCase({ customer_id: customer })
    expect(await options(id)).toEqual({
      email: { to: 'ben@cases.example', name: 'Ben Okafor' },
      messenger: null,
      default: 'none',
      from: ['desk@cases.example'],
      to: 'ben@cases.example',
      cc: [],
      conversations: [
        {
          id,
          kind: 'customer',
          to: 'ben@cases.example',
          name: 'Ben Okafor',
          cc: [],
          subject: null,
          last_at: null,
          is_default: true,
        },
      ],
      files: { limit_bytes: 15_325_341, links_days: 30 },
      templates: [],
    })
    const answer = await comment(id, { body: 'Try tray 2.', send: 'email' })
    expect(answer).toMatchObject({ status: 201, body: { data: { body: 'Try tray 2.' } } })
    const delivery = await ended(id, 'delivered')
    expect(delivery).toMatchObject({
      recipient: 'ben@cases.example',
      subject: 'Printer jam',
      source: { model: 'cases', record_id: id, user_id: agent.id, comment_id: answer.body.data.id },
    })
    expect((await comment(id, { body: 'Said here only.' })).status).toBe(201)
    expect((await ended(id, 'delivered')).id).toBe(delivery.id)
  })

  it('answers the mail that the record got, and a chat where somebody wrote in one', async () => {
    const id = await newCase()
    await receive(id, {})
    expect((await options(id)).email).toEqual({ to: 'ann@cases.example', name: 'Ann Carter' })
    await comment(id, { body: 'On our way.', send: 'email' })
    expect(await ended(id, 'delivered')).toMatchObject({ recipient: 'ann@cases.example', subject: 'Re: Printer jam' })
    expect((await options(id)).messenger).toBeNull()
    const bot = { name: 'bot', type: 'messenger', is_default: true, config: { bot_token: '1:a' } }
    await made('/api/sys/channels', bot)
    await receive(id, { channel: 'messenger', fromEmail: null, fromId: '7701', fromName: 'Ann', subject: null })
    expect((await options(id)).messenger).toEqual({ to: null, name: 'Ann' })
    await comment(id, { body: 'Here, too.', send: 'messenger' })
    const { data } = (await api('GET', `/api/sys/deliveries?model=cases&record_id=${id}`)).body
    await expect
      .poll(async () => {
        await service.cloud.idle()
        return (await api('GET', `/api/sys/deliveries?model=cases&record_id=${id}`)).body.data.length
      })
      .toBeGreaterThan(data.length === 2 ? 1 : data.length)
    const [chat] = (await api('GET', `/api/sys/deliveries?model=cases&record_id=${id}`)).body.data
    expect(chat).toMatchObject({ channel_type: 'messenger', recipient: '7701', body: 'Here, too.' })
  })

  it('reaches the Reply-To of the latest mail from outside, and offers the others of that mail as copies', async () => {
    const id = await newCase()
    const replyTo = [{ name: 'Nils Berg', email: 'nils@berg.example' }]
    const others = ['max@cases.example', 'Desk@cases.example']
    await receive(id, { fromEmail: 'noreply@site.example', addresses: { replyTo, others, takenAt: [] } })
    expect(await options(id)).toMatchObject({
      email: { to: 'nils@berg.example', name: 'Nils Berg' },
      to: 'nils@berg.example',
      cc: ['max@cases.example'],
    })
    const toUs = await comment(id, { body: 'No.', send: 'email', cc: ['max@cases.example', 'DESK@cases.example'] })
    expect([toUs.status, Object.keys(toUs.body.errors ?? {})]).toEqual([422, ['cc.1']])
    expect((await comment(id, { body: 'Here it is.', send: 'email', cc: ['max@cases.example'] })).status).toBe(201)
    expect(await ended(id, 'delivered')).toMatchObject({
      from: 'desk@cases.example',
      recipient: 'nils@berg.example',
      cc: ['max@cases.example'],
    })
    const lea = { fromEmail: 'lea@partner.example', fromName: 'Lea', mailId: '<lea@partner.example>' }
    const payload = {
      to: [{ name: null, email: 'desk@cases.example' }],
      cc: [{ name: 'Cora', email: 'cora@cust.example' }],
    }
    await receive(id, { ...lea, payload })
    expect(await options(id)).toMatchObject({ to: 'lea@partner.example', cc: ['cora@cust.example'] })
    const { data } = (await api('GET', `/api/e/cases/${id}/timeline?kinds=message`, undefined, agent.token)).body
    expect(data[0].data).toMatchObject({ from_email: 'lea@partner.example', ...payload })
  })

  it('answers one customer after a merge: who wrote last, or whom its author names', async () => {
    const [one, two] = [await newCase(), await newCase()]
    await receive(one, { fromEmail: 'ole@one.example', mailId: '<one@one.example>' })
    await receive(two, { fromEmail: 'tia@two.example', mailId: '<two@two.example>' })
    const merged = await api('POST', `/api/e/cases/${two}/merge`, { into: one })
    expect(merged.status).toBe(200)
    expect((await options(one)).to).toBe('ole@one.example')
    await receive(one, { fromEmail: 'tia@two.example', mailId: '<again@two.example>', replyThrough: two })
    const offered = await options(one)
    expect(offered.to).toBe('tia@two.example')
    expect(offered.conversations.map(({ id, to }: { id: number; to: string }) => [id, to])).toEqual([
      [one, 'ole@one.example'],
      [two, 'tia@two.example'],
    ])
    const soon = await comment(one, { body: 'Soon.', send: 'email' })
    expect(soon.body.data).toMatchObject({ conversation: two })
    expect(await ended(one, 'delivered')).toMatchObject({
      recipient: 'tia@two.example',
      source: { record_id: one, conversation_id: two },
    })
    expect((await comment(one, { body: 'You, too.', send: 'email', conversation: one })).status).toBe(201)
    await expect.poll(async () => (await ended(one, 'delivered')).recipient).toBe('ole@one.example')
    const unknown = await comment(one, { body: 'Who?', send: 'email', conversation: 9999 })
    expect([unknown.status, Object.keys(unknown.body.errors ?? {})]).toEqual([422, ['conversation']])
    expect((await comment(one, { body: 'Who?', conversation: two })).status).toBe(422)
  })

  it('has a subject and copies where its author says so, which the mail and the comment show', async () => {
    const customer = await made('/api/e/customers', { name: 'Dot', email: 'dot@cases.example' })
    const id = await newCase({ customer_id: customer })
    const cc = ['Boss@cases.example', 'desk@other.example', 'dot@cases.example']
    const answer = await comment(id, { body: 'As agreed.', send: 'email', cc, subject: 'Your new tray' })
    expect(answer.body.data).toMatchObject({ cc: ['boss@cases.example', 'desk@other.example', 'dot@cases.example'] })
    expect(await ended(id, 'delivered')).toMatchObject({ recipient: 'dot@cases.example', subject: 'Your new tray' })
    for (const wrong of [
      { cc: ['nobody'] },
      { cc, send: 'none' },
      { subject: 'Hi', send: undefined },
      { subject: ' ' },
    ])
      expect([wrong, (await comment(id, { body: 'No.', send: 'email', ...wrong })).status]).toEqual([wrong, 422])
  })

  it('is refused, and stores nothing, where it reaches nobody, is internal, or its author may not update', async () => {
    const id = await newCase()
    const nowhere = await comment(id, { body: 'Hello?', send: 'email' })
    expect(nowhere).toMatchObject({ status: 422 })
    expect(nowhere.body.errors.send[0]).toContain('Nobody is known here whom a mail would reach')
    expect((await comment(id, { body: 'Hello?', send: 'messenger' })).body.errors.send[0]).toContain('in a chat')
    expect((await comment(id, { body: 'Psst', is_internal: true, send: 'email' })).status).toBe(422)
    expect((await comment(id, { body: 'Hello?', send: 'email' }, reader.token)).status).toBe(403)
    expect((await comment(id, { body: 'Hello?', send: 'none' }, reader.token)).status).toBe(201)
    expect((await comment(id, { body: 'Hello?', send: 'fax' })).status).toBe(422)
    expect((await api('GET', `/api/e/cases/${id}/comments`)).body.meta.total).toBe(1)
    expect((await api('GET', `/api/e/cases/${id}/reply-options`, undefined, reader.token)).status).toBe(403)
    expect((await api('GET', '/api/e/cases/9999/reply-options', undefined, agent.token)).status).toBe(404)
  })

  it('is for who may update this record, and not only others of its table', async () => {
    const rules = [{ table: 'cases', action: 'update', filter: { note: 'ours' } }]
    const limited = await userWith(service, ['cases.read', 'cases.update', 'customers.read'], rules)
    const customer = await made('/api/e/customers', { name: 'Eve', email: 'eve@cases.example' })
    const [ours, theirs] = [
      await newCase({ customer_id: customer, note: 'ours' }),
      await newCase({ customer_id: customer }),
    ]
    const text = { name: 'Thanks', code: 'reply_thanks', subject: 'Re', body: '<p>Thanks</p>' }
    const template = await made('/api/sys/notification_templates', text)
    const filled = async (id: number) =>
      (await api('GET', `/api/e/cases/${id}/reply-templates/${template}`, undefined, limited.token)).status
    expect(await options(ours, limited.token)).toMatchObject({ email: { to: 'eve@cases.example' }, templates: [{}] })
    expect(await options(theirs, limited.token)).toEqual({
      email: null,
      messenger: null,
      default: 'none',
      from: [],
      to: null,
      cc: [],
      conversations: [],
      files: { limit_bytes: 15_325_341, links_days: 30 },
      templates: [],
    })
    expect([await filled(ours), await filled(theirs)]).toEqual([200, 403])
    const sent = { body: 'Hello', send: 'email' }
    expect((await comment(theirs, sent, limited.token)).body.code).toBe('record_forbidden')
    expect((await comment(theirs, { body: 'Hello' }, limited.token)).status).toBe(201)
    expect((await comment(ours, sent, limited.token)).status).toBe(201)
    const { id: delivery } = await ended(ours, 'delivered')
    const again = (id: number) => api('POST', `/api/e/cases/${id}/deliveries/${delivery}/retry`, {}, limited.token)
    expect([(await again(ours)).status, (await again(theirs)).status]).toEqual([409, 403])
    await api('DELETE', `/api/sys/notification_templates/${template}`)
  })

  it('that failed is sent again by whoever may update the record, from its timeline', async () => {
    const customer = await made('/api/e/customers', { name: 'Cleo', email: 'cleo@cases.example' })
    const id = await newCase({ customer_id: customer })
    const from_address = 'desk@cases.example'
    const dead = { transport: 'smtp', host: '127.0.0.1', port: 9, encryption: 'none', retry_schedule: [0] }
    await api('PUT', `/api/sys/channels/${channel}`, { config: { ...dead, from_address } })
    const written = (await comment(id, { body: 'Can you hear us?', send: 'email' })).body.data
    const { id: delivery } = await ended(id, 'failed')
    const timeline = await api('GET', `/api/e/cases/${id}/timeline?kinds=delivery`, undefined, agent.token)
    expect(timeline.body.data[0].data).toMatchObject({
      status: 'failed',
      recipient: 'cleo@cases.example',
      source: { comment_id: written.id },
    })
    expect(timeline.body.data[0].data.last_error).toBeTruthy()
    const retry = (record: number, which: number, token = agent.token) =>
      api('POST', `/api/e/cases/${record}/deliveries/${which}/retry`, undefined, token)
    const other = await newCase()
    expect((await retry(id, delivery, reader.token)).status).toBe(403)
    expect((await retry(other, delivery)).status).toBe(404)
    expect((await retry(id, 9999)).status).toBe(404)
    await api('PUT', `/api/sys/channels/${channel}`, { config: { transport: 'ses', from_address } })
    const again = await retry(id, delivery)
    expect(again).toMatchObject({ status: 200, body: { data: { id: delivery } } })
    // A sender may have taken it already.
    expect(['queued', 'sending']).toContain(again.body.data.status)
    await ended(id, 'delivered')
    expect((await retry(id, delivery)).status).toBe(409)
  })

  it('is written with a text that is filled for the record, as far as its author may read it', async () => {
    const customer = await made('/api/e/customers', { name: 'Dora <D>', email: 'dora@cases.example' })
    const id = await newCase({ customer_id: customer, note: 'secret plan' })
    const body =
      '<p>Hello {{requester.name}},</p><p>{{record.title}} of {{record.customer_id.name}}: {{record.note}}{{record.nothing}}</p><p>{{user.name}}</p>'
    const template = await made('/api/sys/notification_templates', {
      name: 'Solved',
      code: 'reply_solved',
      subject: 'Re: {{record.title}}',
      body,
    })
    const own = await made('/api/sys/notification_templates', {
      name: 'Mail',
      code: 'welcome',
      subject: 'x',
      body: 'x',
    })
    expect((await options(id)).templates).toEqual([{ id: template, name: 'Solved', code: 'reply_solved' }])
    const fill = (which: number, token = agent.token) =>
      api('GET', `/api/e/cases/${id}/reply-templates/${which}`, undefined, token)
    const { name } = (await api('GET', '/api/user', undefined, agent.token)).body.data
    expect((await fill(template)).body.data).toMatchObject({
      subject: 'Re: Printer jam',
      text: `Hello Dora <D>,\n\nPrinter jam of Dora <D>: secret plan\n\n${name}`,
      missing: ['record.nothing'],
    })
    const limited = await userWith(service, ['cases.read', 'cases.update'], [], { cases: { read: ['title'] } })
    const filled = (await fill(template, limited.token)).body.data
    expect(filled.text).not.toContain('secret plan')
    expect(filled.missing).toContain('record.note')
    expect((await fill(own)).status).toBe(404)
    expect((await fill(template, reader.token)).status).toBe(403)
  })

  it('offers people for mentions who may read it', async () => {
    const id = await newCase()
    const find = async (query: string, token = agent.token): Promise<number[]> =>
      (await api('GET', `/api/e/cases/${id}/mentionable?${query}`, undefined, token)).body.data.people.map(
        (one: { id: number }) => one.id,
      )
    const stranger = await userWith(service, [])
    const all = await find('search=user')
    expect(all).toContain(reader.id)
    expect(all).not.toContain(agent.id)
    expect(all).not.toContain(stranger.id)
    const internal = await find('search=user&is_internal=true')
    expect(internal).not.toContain(reader.id)
    expect((await api('GET', `/api/e/cases/${id}/mentionable`, undefined, stranger.token)).status).toBe(403)
    expect((await api('GET', `/api/e/cases/${id}/mentionable?is_internal=true`, undefined, reader.token)).status).toBe(
      403,
    )
    expect((await api('GET', '/api/e/cases/9999/mentionable', undefined, agent.token)).status).toBe(404)
  })
})

describe('who looks at a record', () => {
  it('is seen by whoever may read it, until they leave, and costs nothing while nobody comes or goes', async () => {
    const id = await newCase()
    const path = `/api/e/cases/${id}/presence`
    const nobody = await api('GET', path, undefined, agent.token)
    expect(nobody.body.data).toEqual({ present: [] })
    const { name } = (await api('GET', '/api/user', undefined, reader.token)).body.data
    const one = { id: reader.id, name, is_editing: false }
    expect((await api('PUT', path, undefined, reader.token)).body.data).toEqual({ present: [one] })
    const seen = await api('GET', path, undefined, agent.token)
    expect(seen.body.data).toEqual({ present: [one] })
    const etag = seen.headers.get('etag') as string
    expect(etag).not.toBe(nobody.headers.get('etag'))
    const again = await service.api('GET', path, { token: agent.token, headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    await api('PUT', path, { is_editing: true }, reader.token)
    expect((await api('PUT', path, {}, agent.token)).body.data.present).toEqual(
      expect.arrayContaining([{ ...one, is_editing: true }, expect.objectContaining({ id: agent.id })]),
    )
    expect((await api('DELETE', path, undefined, reader.token)).status).toBe(204)
    expect((await api('GET', path, undefined, agent.token)).body.data.present).toMatchObject([{ id: agent.id }])
    const record = (await api('GET', `/api/e/cases/${id}`)).body.data
    expect(record.version).toBe(1)
  })

  it('is hidden from others, and an administrator who acts as somebody is not shown as them', async () => {
    const id = await newCase()
    const path = `/api/e/cases/${id}/presence`
    const stranger = await userWith(service, [])
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect([method, (await api(method, path, undefined, stranger.token)).status]).toEqual([method, 403])
    const own = await userWith(
      service,
      ['cases.read'],
      [{ table: 'cases', action: 'read', filter: { created_by: '$CURRENT_USER' } }],
    )
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect([method, (await api(method, path, undefined, own.token)).status]).toEqual([method, 404])
    const acting = (await api('POST', `/api/impersonate/${reader.id}`)).body.token
    expect((await api('PUT', path, { is_editing: true }, acting)).body.data).toEqual({ present: [] })
    expect((await api('PUT', path, { is_editing: 'yes' }, agent.token)).status).toBe(422)
  })
})
