import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { NewMessage } from '../../../shared/messages/incoming-messages/message.ts'
import { storeMessage } from '../../../shared/messages/incoming-messages/receive/store-message.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

const rulesPath = '/api/sys/incoming-actions'
const tenant = { id: 1 }
let service: TestService
let rules: number[] = []

const api = (method: string, address: string, body?: unknown, token = service.admin.token) =>
  service.api(method, address, { token, body })

async function rule(more: object) {
  const body = {
    name: `Rule ${rules.length + 1}`,
    channel: 'email',
    target_model: 'requests',
    is_automatic: true,
    field_mapping: { title: 'subject', note: 'body' },
    ...more,
  }
  const created = await api('POST', rulesPath, body)
  expect(created.body).toMatchObject({ success: true })
  rules.push(created.body.data.id)
  return created.body.data
}

/** A mail arrives, as the mailbox stores it. Answers the message once its rules have run. */
async function receive(more: Partial<NewMessage>) {
  const putObject = async () => {}
  const stored = await storeMessage({ store: service.store, clock, putObject }, tenant, {
    channel: 'email',
    channelId: null,
    fromName: 'Ann Carter',
    fromEmail: 'ann@example.com',
    fromId: null,
    subject: 'Printer jam',
    body: 'It is jammed.',
    payload: { message_id: '<a@example.com>' },
    attachments: [],
    receivedAtMs: clock.now(),
    ...more,
  })
  await service.cloud.idle()
  return (await api('GET', `/api/sys/incoming_messages/${(stored as { id: number }).id}`)).body.data
}

const newRequest = async () => (await api('POST', '/api/e/requests', { title: 'Printer' })).body.data.id as number
const commentsOn = async (id: number) => (await api('GET', `/api/e/requests/${id}/comments`)).body.data
const mails = async (): Promise<any[]> => {
  const answer = await fetch(`${service.url}/_local/outbox?type=mail`)
  return ((await answer.json()) as { data: any[] }).data
}

beforeAll(async () => {
  service = await startService({ log: () => {} })
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text', required: true },
    { name: 'note', type: 'textarea' },
  ])
  const config = { transport: 'ses', from_address: 'desk@acme.test' }
  await api('POST', '/api/sys/channels', { name: 'mail', type: 'email', is_default: true, config })
})
afterAll(() => service?.stop())
beforeEach(async () => {
  for (const id of rules) await api('DELETE', `${rulesPath}/${id}`)
  rules = []
  await service.cloud.outbox.clear()
})

describe('a reply to a record of the table of a rule', () => {
  it('becomes a comment of somebody who is no user, once whatever number of rules match, and watchers are told', async () => {
    const [first, second] = [await rule({}), await rule({})]
    const id = await newRequest()
    const message = await receive({ replyTo: { model: 'requests', id }, body: 'Still jammed @[1]' })
    expect(message.records).toEqual([
      { model: 'requests', id, action_id: first.id },
      { model: 'requests', id, action_id: second.id },
    ])
    expect(await commentsOn(id)).toMatchObject([
      {
        body: 'Still jammed @[1]',
        is_internal: false,
        user: null,
        from: { name: 'Ann Carter', email: 'ann@example.com' },
        message_id: message.id,
        mentions: [],
      },
    ])
    const [bell] = (await api('GET', '/api/notifications')).body.data
    expect(bell).toMatchObject({ title: `Ann Carter commented on Requests ${id}`, category: 'comment' })
  })

  it('is the comment of a user whose reply is proved', async () => {
    await rule({})
    const id = await newRequest()
    const user = await userWith(service, ['requests.read'])
    await receive({ replyTo: { model: 'requests', id }, userId: user.id, body: '' })
    const [comment] = await commentsOn(id)
    expect(comment).toMatchObject({ user: { id: user.id }, body: 'A message without text.' })
    expect(comment).not.toHaveProperty('from')
    const watching = (await api('GET', `/api/e/requests/${id}/watchers`)).body.data.watchers
    expect(watching.map((one: { id: number }) => one.id)).toContain(user.id)
  })

  it('updates the record by mapping and script, with $old, when the rule says so', async () => {
    await rule({ on_reply: 'update', script: "$data->title = $old->title + ' again'" })
    const id = await newRequest()
    const message = await receive({ replyTo: { model: 'requests', id }, body: 'New facts' })
    const record = (await api('GET', `/api/e/requests/${id}`)).body.data
    expect(record).toMatchObject({ version: 2, data: { title: 'Printer again', note: 'New facts' } })
    expect(message).toMatchObject({ is_processed: true, records: [{ model: 'requests', id }] })
  })

  it('is noted when the update changes nothing', async () => {
    await rule({ on_reply: 'update', field_mapping: { title: '=Printer' } })
    const id = await newRequest()
    const message = await receive({ replyTo: { model: 'requests', id } })
    expect(message).toMatchObject({ is_processed: true, records: [{ model: 'requests', id }], errors: [] })
    // The message is one of the conversation, which the version after it has.
    expect((await api('GET', `/api/e/requests/${id}`)).body.data).toMatchObject({ version: 2, updated_by: 1 })
  })

  it('is noted, with what the script sends, when the script updates the record itself', async () => {
    const script = `
      $api.update('requests', $old.id, { note: 'Reopened' })
      $api.sendPushNotification('Reopened', 'x', null, [${service.admin.userId}])`
    const made = await rule({ on_reply: 'update', field_mapping: {}, script })
    const id = await newRequest()
    const message = await receive({ replyTo: { model: 'requests', id } })
    expect(message).toMatchObject({ is_processed: true, is_waiting: false, errors: [] })
    expect(message.records).toEqual([{ model: 'requests', id, action_id: made.id }])
    const record = (await api('GET', `/api/e/requests/${id}`)).body.data
    expect(record).toMatchObject({ version: 3, data: { note: 'Reopened' } })
    const told = async () =>
      (await api('GET', '/api/notifications')).body.data.filter((one: any) => one.title === 'Reopened')
    expect(await told()).toHaveLength(1)
    await api('POST', `/api/sys/incoming_messages/${message.id}/reprocess`)
    await service.cloud.idle()
    expect(await told()).toHaveLength(1)
  })

  it('makes another record, or nothing, when the rule says so', async () => {
    const create = await rule({ on_reply: 'create' })
    await rule({ on_reply: 'none' })
    const id = await newRequest()
    const message = await receive({ replyTo: { model: 'requests', id } })
    expect(message.records).toEqual([{ model: 'requests', id: expect.any(Number), action_id: create.id }])
    expect(message.records[0].id).not.toBe(id)
    expect(await commentsOn(id)).toEqual([])
  })

  it('is an ordinary message when the record is gone, or belongs to another table', async () => {
    await rule({})
    const id = await newRequest()
    await api('DELETE', `/api/e/requests/${id}`)
    const gone = await receive({ replyTo: { model: 'requests', id } })
    expect(gone.records).toEqual([{ model: 'requests', id: expect.any(Number), action_id: rules[0] }])
    const other = await receive({ replyTo: { model: 'clients', id: 1 } })
    expect(other.records).toHaveLength(1)
  })
})

describe('a message that a program sent', () => {
  it('matches only a rule whose condition names payload.auto', async () => {
    const auto = { auto: 'reply', payload: { auto: 'reply' } }
    await rule({})
    expect((await receive(auto)).records).toEqual([])
    const named = await rule({ condition: { 'payload.auto': { _eq: 'reply' } } })
    expect((await receive(auto)).records).toMatchObject([{ action_id: named.id }])
  })

  it('is never answered, neither by the script nor by the hooks behind it', async () => {
    await api('POST', '/api/sys/notification_templates', {
      name: 'T',
      code: 'thanks',
      subject: 'Thanks',
      body: 'Thanks',
    })
    await api('PUT', '/api/sys/entities/name/requests', {
      automations: ['before_create', 'after_create'].map((kind) => ({
        kind,
        name: kind,
        script: "$api.sendEmail('thanks', 'Ann@example.com', {}); $api.sendEmail('thanks', 'ops@acme.test', {})",
      })),
    })
    const script = "$api->sendEmail('thanks', $incoming->from_email, {})"
    await rule({ script, condition: { 'payload.auto': { _in: ['reply'] } } })
    const message = await receive({ auto: 'reply', payload: { auto: 'reply' } })
    await service.cloud.idle()
    expect(message.records).toHaveLength(1)
    expect((await mails()).flatMap(({ to }) => to)).toEqual(['ops@acme.test', 'ops@acme.test'])
    await service.cloud.outbox.clear()
    await rule({ name: 'Answers', script })
    await receive({})
    await service.cloud.idle()
    expect((await mails()).flatMap(({ to }) => to).toSorted()).toEqual([
      'Ann@example.com',
      'Ann@example.com',
      'ann@example.com',
      'ops@acme.test',
      'ops@acme.test',
    ])
    await api('PUT', '/api/sys/entities/name/requests', { automations: [] })
  })
})

describe('a rule that sends comments', () => {
  const write = (id: number, body: object) => api('POST', `/api/e/requests/${id}/comments`, body)

  it('sends public comments of users to whoever sent the mail, and nothing else', async () => {
    await rule({ send_comments: true })
    const message = await receive({})
    const { id } = message.records[0]
    await write(id, { body: `We are on it, @[${service.admin.userId}] looks at it.` })
    await write(id, { body: 'An idiot', is_internal: true })
    await receive({ replyTo: { model: 'requests', id }, body: 'Thanks' })
    await service.cloud.idle()
    const sent = (await mails()).filter(({ to }) => to.includes('ann@example.com'))
    expect(sent).toMatchObject([
      {
        subject: 'Re: Printer jam',
        text: expect.stringContaining('We are on it, @Grace Hopper looks at it.'),
      },
    ])
    const deliveries = (await api('GET', `/api/sys/deliveries?model=requests&record_id=${id}`)).body.data
    expect(deliveries[0]).toMatchObject({ recipient: 'ann@example.com', source: { user_id: service.admin.userId } })
    expect(await commentsOn(id)).toHaveLength(3)
  })

  it('does not send comments on other records, nor when it is not asked to', async () => {
    await rule({ send_comments: true, name: 'Sends' })
    await write(await newRequest(), { body: 'Nobody hears' })
    await api('PUT', `${rulesPath}/${rules[0]}`, { send_comments: false })
    const message = await receive({})
    await write(message.records[0].id, { body: 'Kept here' })
    await service.cloud.idle()
    expect((await mails()).filter(({ to }) => to.includes('ann@example.com'))).toEqual([])
  })
})
