import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedService, type TestService } from '../../make/services/service.ts'

/* What becomes of the mails of a mailbox, and as whom answers to them leave. */

let service: TestService
const addressOf = (name: string): string => `${name}@${service.tenant.slug}.test`
const box: Record<string, number> = {}

const api = async (method: string, path: string, body?: unknown) => {
  const answer = await service.api(method, path, { token: service.admin.token, body })
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}
const mailbox = async (name: string, more: object) => {
  const made = { name, address: addressOf(name), incoming: { protocol: 'local' }, ...more }
  box[name] = (await api('POST', '/api/sys/mailboxes', made)).id as number
}

beforeAll(async () => {
  service = await sharedService()
  await api('POST', '/api/sys/entities', {
    name: 'tickets',
    label: 'Ticket',
    title_field: 'title',
    table_fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'description', type: 'textarea' },
      { name: 'sender', type: 'email' },
      { name: 'priority', type: 'integer' },
    ],
  })
  const config = { transport: 'local', from_address: addressOf('desk') }
  await api('POST', '/api/sys/channels', { name: 'Desk', type: 'email', is_default: true, config })
  const own = { transport: 'local', from_address: addressOf('billing-out') }
  const channel = await api('POST', '/api/sys/channels', { name: 'Billing', type: 'email', config: own })
  await mailbox('support', { table: 'tickets', values: { priority: 3 }, aliases: [addressOf('help')] })
  await mailbox('billing', { table: 'tickets', channel_id: channel.id })
  await mailbox('plain', {})
})
afterAll(() => service.stop())

let mails = 0
/** A mail that arrives at a mailbox; answers the message that it became. */
async function receive(
  name: string,
  { to = addressOf(name), cc = '', subject = '', reply = '', from = 'ada@customer.test' } = {},
) {
  mails += 1
  const title = subject || `Mail ${mails}`
  const mail = [
    `From: Ada <${from}>`,
    `To: ${to}`,
    ...(cc ? [`Cc: ${cc}`] : []),
    `Subject: ${title}`,
    `Message-ID: <answers.${mails}@customer.test>`,
    ...(reply ? [`In-Reply-To: ${reply}`, `References: ${reply}`] : []),
    '',
    `The text of ${title}.`,
    '',
  ].join('\r\n')
  await fetch(`${service.url}/_local/mailbox?to=${encodeURIComponent(addressOf(name))}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: mail,
  })
  await api('POST', `/api/sys/mailboxes/${box[name]}/fetch`)
  await service.cloud.idle()
  const all = await api('GET', '/api/sys/incoming_messages?per_page=100')
  return all.find((one: { subject: string }) => one.subject === title) as {
    id: number
    records: { model: string; id: number; action_id: number }[]
    is_processed: boolean
  }
}
const answer = async (record: number, text: string, more: object = {}) => {
  await api('POST', `/api/e/tickets/${record}/comments`, { body: text, ...more })
  await service.cloud.idle()
  return service.cloud.outbox.list({ type: 'mail' }).find(({ text: sent }) => sent?.includes(text))
}

describe('a mailbox with a table', () => {
  it('makes a record of a mail that no rule matches, with its values', async () => {
    const { records, is_processed } = await receive('support')
    expect([is_processed, records]).toMatchObject([true, [{ model: 'tickets', action_id: -(box.support as number) }]])
    expect((await api('GET', `/api/e/tickets/${records[0]?.id}`)).data).toMatchObject({
      title: `Mail ${mails}`,
      description: expect.stringContaining('The text of'),
      sender: 'ada@customer.test',
      priority: 3,
    })
  })

  it('adds an answer to the record that it answers, also where it arrives at another mailbox', async () => {
    const { records } = await receive('support')
    const reply = `<answers.${mails}@customer.test>`
    expect((await receive('billing', { reply })).records).toMatchObject([{ id: records[0]?.id }])
    const { length } = await api('GET', `/api/e/tickets/${records[0]?.id}/comments`)
    expect(length).toBe(1)
  })

  it('leaves a mail to the rules where one matches; these may name mailboxes', async () => {
    const rule = { channel: 'email', is_automatic: true, target_model: 'tickets', field_mapping: { title: '=by rule' } }
    const { id } = await api('POST', '/api/sys/incoming-actions', {
      ...rule,
      name: 'Billing only',
      mailbox_ids: [box.billing],
    })
    const title = async (name: string) => {
      const [record] = (await receive(name)).records
      return (await api('GET', `/api/e/tickets/${record?.id}`)).data.title as string
    }
    expect([await title('billing'), await title('support')]).toEqual(['by rule', `Mail ${mails}`])
    const refused = await service.api('DELETE', `/api/sys/mailboxes/${box.billing}`, { token: service.admin.token })
    expect([refused.status, refused.body.code]).toEqual([422, 'in_use'])
    await api('DELETE', `/api/sys/incoming-actions/${id}`)
    for (const [given, path] of [
      [{ mailbox_ids: [9_999] }, 'mailbox_ids.0'],
      [{ mailbox_ids: [box.billing], channel: 'api' }, 'mailbox_ids'],
    ] as const) {
      const body = { ...rule, name: 'Wrong', ...given }
      const wrong = await service.api('POST', '/api/sys/incoming-actions', { token: service.admin.token, body })
      expect(Object.keys(wrong.body.errors)).toEqual([path])
    }
  })

  it('leaves what it cannot make open, with the reason, and makes it when that is put right', async () => {
    const change = (values: object) => api('PUT', `/api/sys/mailboxes/${box.billing}`, { values })
    await change({ priority: 'high' })
    const message = await receive('billing')
    expect(message).toMatchObject({
      is_processed: false,
      records: [],
      errors: [{ action_id: -(box.billing as number) }],
    })
    await change({ priority: 1 })
    const again = await api('POST', `/api/sys/incoming_messages/${message.id}/reprocess`)
    expect(again).toMatchObject({ is_processed: true, records: [{ model: 'tickets' }], errors: [] })
  })

  it('that has none lets its mails wait', async () => {
    expect(await receive('plain')).toMatchObject({ is_processed: false, records: [] })
  })
})

describe('an answer', () => {
  it.each([
    ['support', 'support'],
    ['support', 'help'],
    ['billing', 'billing'],
  ])('to a mail at %s leaves from %s, to which the customer wrote', async (name, written) => {
    const cc = [addressOf('support'), addressOf('billing'), 'bob@customer.test'].join(', ')
    const [record] = (await receive(name, { to: addressOf(written), cc })).records
    const options = await api('GET', `/api/e/tickets/${record?.id}/reply-options`)
    expect(options).toMatchObject({ from: [addressOf(written)], to: 'ada@customer.test', cc: ['bob@customer.test'] })
    const text = `Answer of ${name} ${written}`
    expect(await answer(record?.id as number, text)).toMatchObject({
      from: addressOf(written),
      to: ['ada@customer.test'],
    })
  })

  it('to a mail that names none of our addresses leaves from the mailbox where it arrived', async () => {
    const [record] = (await receive('support', { to: 'undisclosed@customer.test' })).records
    expect(await answer(record?.id as number, 'Hidden copy')).toMatchObject({ from: addressOf('support') })
  })

  it('takes no mailbox of ours as a copy', async () => {
    const [record] = (await receive('support')).records
    const body = { body: 'Copy', send: 'email', cc: [addressOf('help')] }
    const path = `/api/e/tickets/${record?.id}/comments`
    const refused = await service.api('POST', path, { token: service.admin.token, body })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['cc.0']])
  })
})
