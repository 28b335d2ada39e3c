import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { NewMessage } from '../../../shared/messages/incoming-messages/message.ts'
import { storeMessage } from '../../../shared/messages/incoming-messages/receive/store-message.ts'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

const tenant = { id: 1 }
let service: TestService
beforeAll(async () => {
  service = await startService({ log: () => {} })
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text', required: true },
    { name: 'assignee', type: 'user' },
    {
      name: 'status',
      type: 'state_model',
      states: [
        { slug: 'open', label: 'Open', is_initial: true },
        { slug: 'closed', label: 'Closed', is_final: true },
      ],
      transitions: [
        { from: 'open', to: 'closed' },
        { from: 'closed', to: 'open' },
      ],
    },
  ])
  const config = { transport: 'ses', from_address: 'desk@acme.test' }
  await api('POST', '/api/sys/channels', { name: 'mail', type: 'email', is_default: true, config })
  await api('POST', '/api/sys/incoming-actions', {
    name: 'Mails',
    channel: 'email',
    target_model: 'requests',
    is_automatic: true,
    send_comments: true,
    field_mapping: { title: 'subject' },
  })
})
afterAll(() => service?.stop())

const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })

let mails = 0
/** A mail arrives, as the mailbox stores it; answers the record that it made or joined. */
async function arrives(from: string, more: Partial<NewMessage> = {}): Promise<number> {
  mails += 1
  const stored = await storeMessage({ store: service.store, clock, putObject: async () => {} }, tenant, {
    channel: 'email',
    channelId: null,
    fromName: from,
    fromEmail: `${from}@customer.test`,
    fromId: null,
    subject: 'Printer jam',
    body: 'It is jammed.',
    payload: { message_id: `<${mails}@customer.test>` },
    attachments: [],
    receivedAtMs: clock.now(),
    ...more,
  })
  await service.cloud.idle()
  const message = (await api('GET', `/api/sys/incoming_messages/${(stored as { id: number }).id}`)).body.data
  expect(message.errors).toEqual([])
  return message.records[0]?.id ?? 0
}
const answers = (from: string, id: number, more: Partial<NewMessage> = {}) =>
  arrives(from, { replyTo: { model: 'requests', id }, ...more })
const comment = async (id: number, more: object = {}) => {
  const { status, body } = await api('POST', `/api/e/requests/${id}/comments`, { body: 'We look into it.', ...more })
  expect([status, body.errors]).toEqual([201, undefined])
  return body.data
}
const conversationOf = async (id: number) => (await api('GET', `/api/e/requests/${id}`)).body.meta?.conversation
const listed = async (filter: object, more: object = {}): Promise<any[]> => {
  await service.cloud.idle()
  return (await api('POST', '/api/e/requests/list-server', { filter, sort: ['id'], ...more })).body.data
}
const ids = async (filter: object): Promise<number[]> => (await listed(filter)).map(({ id }) => id)

describe('the conversation with the customer of a record', () => {
  it('says whose turn it is, and a note or a program changes nothing about that', async () => {
    const id = await arrives('ann')
    expect(await conversationOf(id)).toMatchObject({ awaits: 'team', last_by: 'customer', messages: 1 })
    await comment(id, { is_internal: true })
    expect(await conversationOf(id)).toMatchObject({ awaits: 'team', messages: 1 })
    await comment(id, { send: 'none' })
    expect(await conversationOf(id)).toMatchObject({ awaits: 'team', messages: 1 })
    const sent = await comment(id)
    const answered = await conversationOf(id)
    expect(answered).toMatchObject({ awaits: 'customer', last_by: 'team', messages: 2, last_at: sent.created_at })
    await answers('ann', id, { auto: 'reply' })
    expect(await conversationOf(id)).toEqual(answered)
    await answers('ann', id)
    expect(await conversationOf(id)).toMatchObject({ awaits: 'team', last_by: 'customer', messages: 3 })
  })

  it('is asked for in lists, their sort, columns and views, nested or by its path', async () => {
    const waiting = await arrives('ben')
    const answered = await arrives('cora')
    await comment(answered)
    const none = (await api('POST', '/api/e/requests', { title: 'By hand' })).body.data.id
    const both = { id: { _in: [waiting, answered, none] } }
    expect(await ids({ ...both, 'conversation.awaits': 'team' })).toEqual([waiting])
    expect(await ids({ ...both, conversation: { awaits: { _eq: 'customer' } } })).toEqual([answered])
    expect(await ids({ ...both, 'conversation.last_at': { _null: true } })).toEqual([none])
    const rows = await listed(both, { sort: ['-conversation.last_at'], fields: ['title', 'conversation.awaits'] })
    expect(rows.map(({ id, conversation }) => [id, conversation?.awaits])).toEqual([
      [answered, 'customer'],
      [waiting, 'team'],
      [none, undefined],
    ])
    const view = await api('POST', '/api/sys/views', {
      name: 'Waiting',
      model: 'requests',
      columns: ['title', 'conversation.last_at'],
      filter: { ...both, 'conversation.awaits': { _eq: 'team' } },
      sort: ['conversation.last_at'],
    })
    expect([view.status, view.body.errors]).toEqual([201, undefined])
    const found = (await api('GET', `/api/e/requests?view=${view.body.data.id}`)).body.data
    expect(found).toMatchObject([{ id: waiting, conversation: { awaits: 'team' } }])
    const { errors } = (await api('POST', '/api/e/requests/list-server', { filter: { 'conversation.who': 1 } })).body
    expect(Object.values(errors).flat().join()).toContain('conversation.awaits')
  })

  it('waits for nobody once the record is closed, until the customer writes again', async () => {
    const id = await arrives('dan')
    await api('PATCH', `/api/e/requests/${id}`, { status: 'closed' })
    expect(await conversationOf(id)).toMatchObject({ awaits: null, last_by: 'customer' })
    await answers('dan', id)
    expect(await conversationOf(id)).toMatchObject({ awaits: 'team' })
    await comment(id)
    expect(await conversationOf(id)).toMatchObject({ awaits: null, last_by: 'team' })
    await api('PATCH', `/api/e/requests/${id}`, { status: 'open' })
    expect(await conversationOf(id)).toMatchObject({ awaits: 'customer' })
  })

  it('keeps the version that somebody has open good, and stands in the timeline once', async () => {
    const id = await arrives('eve')
    const { version } = (await api('GET', `/api/e/requests/${id}`)).body.data
    await answers('eve', id)
    const changed = await service.api('PATCH', `/api/e/requests/${id}`, {
      token: service.admin.token,
      body: { title: 'Jam' },
      headers: { 'if-match': `"${version}"` },
    })
    expect(changed.status).toBe(200)
    await service.cloud.idle()
    const kinds = (await api('GET', `/api/e/requests/${id}/timeline`)).body.data.map(
      ({ kind, summary }: { kind: string; summary: string }) => (kind === 'change' ? summary : kind),
    )
    expect(kinds.toSorted()).toEqual(
      [
        'message',
        'message',
        'comment',
        'Record created by a rule',
        'title changed from "Printer jam" to "Jam"',
      ].toSorted(),
    )
  })

  it('loses what is deleted, and what becomes an internal note', async () => {
    const id = await arrives('fay')
    const first = await comment(id)
    const second = await comment(id)
    const hidden = await api('PUT', `/api/e/requests/${id}/comments/${second.id}`, { is_internal: true })
    expect(hidden.status).toBe(200)
    expect(await conversationOf(id)).toMatchObject({ last_at: first.created_at, awaits: 'customer', messages: 2 })
    await api('DELETE', `/api/e/requests/${id}/comments/${first.id}`)
    expect(await conversationOf(id)).toMatchObject({ last_by: 'customer', awaits: 'team', messages: 1 })
  })

  it('of two records that are merged waits while one customer does, and is divided again', async () => {
    const [into, from] = [await arrives('gil'), await arrives('hal')]
    await comment(into)
    await api('POST', `/api/e/requests/${from}/merge`, { into })
    expect(await conversationOf(into)).toMatchObject({ awaits: 'team', messages: 3 })
    await comment(into, { send: 'email', conversation: from })
    expect(await conversationOf(into)).toMatchObject({ awaits: 'customer', messages: 4 })
    await answers('hal', into, { replyThrough: from })
    expect(await conversationOf(into)).toMatchObject({ awaits: 'team', messages: 5 })
    const unmerged = await api('POST', `/api/e/requests/${from}/unmerge`)
    expect([200, 202]).toContain(unmerged.status)
    await service.cloud.idle()
    expect(await conversationOf(into)).toMatchObject({ awaits: 'customer', messages: 2 })
    expect(await conversationOf(from)).toMatchObject({ awaits: 'team', messages: 3 })
  })

  it('counts every one of many comments at the same time', async () => {
    const id = await arrives('ida')
    await Promise.all(Array.from({ length: 3 }, () => comment(id)))
    expect(await conversationOf(id)).toMatchObject({ messages: 4, awaits: 'customer' })
  })
})

it('an address of the type email is the same in whichever case: to filters, find, unique and keys of imports', async () => {
  await makeTable(service, 'clients', [
    { name: 'name', type: 'text' },
    { name: 'email', type: 'email', unique: true },
    { name: 'other_email', type: 'email' },
  ])
  const bob = { name: 'Bob Kay', email: 'Bob@Northwind.Example', other_email: 'Bob@Home.Example' }
  const made = await api('POST', '/api/e/clients', bob)
  expect(made.body.data.data).toEqual(bob)
  await service.cloud.idle()
  const found = async (filter: object) =>
    (await api('POST', '/api/e/clients/list-server', { filter })).body.data.map(({ id }: { id: number }) => id)
  expect(await found({ email: 'bob@northwind.example' })).toEqual([made.body.data.id])
  expect(await found({ other_email: { _in: ['ann@home.example', 'BOB@home.example'] } })).toEqual([made.body.data.id])
  expect(await found({ email: { _neq: 'BOB@NORTHWIND.EXAMPLE' } })).toEqual([])
  const again = await api('POST', '/api/e/clients', { name: 'Bob', email: 'bob@northwind.example' })
  expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['email']])
  for (const [key, row] of [
    ['email', { email: 'BOB@northwind.example', name: 'By email' }],
    ['other_email', { other_email: 'bob@HOME.example', name: 'By other' }],
  ] as const) {
    await service.cloud.idle()
    const { body } = await api('POST', '/api/e/clients/import', { mode: 'upsert', key, rows: [row] })
    expect([body.errors, body.data]).toMatchObject([undefined, { updated: 1 }])
  }
})

describe('a message of a customer', () => {
  it('ends what was snoozed, and an answer of the team does not', async () => {
    const id = await arrives('jim')
    const views = { name: 'All', model: 'requests', filter: { id } }
    const view = (await api('POST', '/api/sys/views', views)).body.data.id
    const shown = async () => {
      await service.cloud.idle()
      return (await api('GET', `/api/e/requests?view=${view}`)).body.data.length
    }
    await api('PUT', `/api/e/requests/${id}/snooze`, { until: new Date(clock.now() + 86_400_000).toISOString() })
    expect(await shown()).toBe(0)
    await comment(id)
    expect(await shown()).toBe(0)
    await answers('jim', id)
    expect(await shown()).toBe(1)
  })

  it('that changes the record instead of becoming a comment counts once, and tells the assignee', async () => {
    const rule = await api('POST', '/api/sys/incoming-actions', {
      name: 'Updates',
      channel: 'email',
      target_model: 'requests',
      is_automatic: false,
      on_reply: 'update',
      field_mapping: { title: '=Printer jam' },
    })
    const all = (await api('GET', '/api/sys/incoming-actions')).body.data as { id: number; name: string }[]
    const mailsRule = all.find(({ name }) => name === 'Mails')?.id
    const agent = await userWith(service, ['requests.read', 'requests.update', 'requests.comment'])
    const id = await arrives('kim')
    await api('PATCH', `/api/e/requests/${id}`, { assignee: agent.id })
    const updates = rule.body.data
    await api('PUT', `/api/sys/incoming-actions/${mailsRule}`, { is_automatic: false })
    await api('PUT', `/api/sys/incoming-actions/${updates.id}`, { is_automatic: true })
    await answers('kim', id, { body: 'More facts' })
    expect(await conversationOf(id)).toMatchObject({ awaits: 'team', messages: 2 })
    const bell = (await api('GET', '/api/notifications', undefined, agent.token)).body.data
    expect(bell.map(({ title }: { title: string }) => title)).toContain(`kim commented on Requests ${id}`)
    await api('DELETE', `/api/sys/incoming-actions/${updates.id}`)
    await api('PUT', `/api/sys/incoming-actions/${mailsRule}`, { is_automatic: true })
  })
})

describe('an answer to a record that is done', () => {
  const ruleOf = async () => (await api('GET', '/api/sys/incoming-actions')).body.data[0]
  const close = async (id: number) =>
    expect((await api('PATCH', `/api/e/requests/${id}`, { status: 'closed' })).status).toBe(200)
  const stateOf = async (id: number) => (await api('GET', `/api/e/requests/${id}`)).body.data.data.status
  const commentsOf = async (id: number) => (await api('GET', `/api/e/requests/${id}/comments`)).body.data.length

  it('reopens it where the rule says so, and not when the team or a program writes', async () => {
    const { id: rule } = await ruleOf()
    expect(
      (await api('PUT', `/api/sys/incoming-actions/${rule}`, { reopen: { state: 'open', within_days: 7 } })).status,
    ).toBe(200)
    const id = await arrives('rosa')
    await close(id)
    await answers('rosa', id, { auto: 'reply' })
    expect(await stateOf(id)).toBe('closed')
    const agent = await userWith(service, ['requests.*'])
    await answers('agent', id, { userId: agent.id })
    expect(await stateOf(id)).toBe('closed')
    expect(await answers('rosa', id)).toBe(id)
    expect([await stateOf(id), (await conversationOf(id)).awaits]).toEqual(['open', 'team'])
  })

  it('makes a record of its own once it comes too late, which later answers join', async () => {
    const id = await arrives('sven')
    await close(id)
    const row = recordKey(tenant, 'requests', id)
    const long = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000).toISOString()
    await service.store.write(tenant, {
      update: row,
      change: { expression: 'SET updated_at = :at', values: { ':at': long } },
    })
    const before = await commentsOf(id)
    const next = await answers('sven', id)
    expect(next).not.toBe(id)
    expect([await stateOf(id), await stateOf(next), await commentsOf(id)]).toEqual(['closed', 'open', before])
  })

  it('is checked when the rule is saved', async () => {
    const { id: rule } = await ruleOf()
    const wrong = async (change: object) => (await api('PUT', `/api/sys/incoming-actions/${rule}`, change)).body.errors
    expect(await wrong({ reopen: { state: 'opened' } })).toEqual({
      'reopen.state': ['The field status has no state opened. Did you mean open?'],
    })
    expect((await wrong({ reopen: { state: 'closed' } }))['reopen.state'][0]).toMatch(/final/)
    expect((await wrong({ reopen: { state: 'open', from: ['clsed'] } }))['reopen.from.0'][0]).toMatch(/closed/)
    expect((await wrong({ reopen: { state: 'open' }, on_reply: 'none' })).reopen[0]).toMatch(/on_reply: comment/)
  })
})
