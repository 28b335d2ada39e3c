import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

/* A forward: a conversation with somebody outside, which is for the team alone. */

let service: TestService
let box: number
let agent: { token: string; id: number }
let reader: { token: string; id: number }
const addressOf = (name: string): string => `${name}@${service.tenant.slug}.test`
const customer = 'cora@customer.test'
const vendor = 'vera@vendor.test'

const send = (method: string, path: string, body?: unknown, token = service.admin.token, headers = {}) =>
  service.api(method, path, { token, body, headers })
const api = async (method: string, path: string, body?: unknown, token?: string) => {
  const answer = await send(method, path, body, token)
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}

let mails = 0
interface Arriving {
  readonly subject?: string
  readonly reply?: string
  readonly references?: string
  readonly body?: string
  readonly cc?: string
}
/** A mail that arrives; answers its `Message-ID`. */
async function receive(from: string, { subject, reply, references = reply, body, cc }: Arriving = {}) {
  mails += 1
  const id = `<forward.${mails}@${from.split('@')[1]}>`
  const mail = [
    `From: ${from.split('@')[0]} <${from}>`,
    `To: ${addressOf('support')}`,
    ...(cc ? [`Cc: ${cc}`] : []),
    `Subject: ${subject ?? `Mail ${mails}`}`,
    `Message-ID: ${id}`,
    ...(reply ? [`In-Reply-To: ${reply}`, `References: ${references}`] : []),
    '',
    body ?? `Text ${mails}.`,
    '',
  ].join('\r\n')
  await fetch(`${service.url}/_local/mailbox?to=${encodeURIComponent(addressOf('support'))}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: mail,
  })
  await api('POST', `/api/sys/mailboxes/${box}/fetch`)
  await service.cloud.idle()
  return id
}
/** A request that a customer's mail made, and the message of that mail. */
async function request(subject: string) {
  const mailId = await receive(customer, { subject, body: `The customer says ${subject}.` })
  const all = await api('GET', '/api/sys/incoming_messages?per_page=100')
  const message = all.find((one: { subject: string }) => one.subject === subject)
  return { id: message.records[0].id as number, message: message.id as number, mailId }
}
async function lastMailTo(address: string) {
  await service.cloud.idle()
  const [found] = service.cloud.outbox.list({ type: 'mail', to: address })
  return found && { ...found, mailId: /^Message-ID:\s*(<[^>]+>)/im.exec(found.source)?.[1] as string }
}
const forward = (id: number, body: object, token?: string, headers = {}) =>
  send('POST', `/api/e/tickets/${id}/forward`, { to: vendor, body: 'Please look.', ...body }, token, headers)
const comments = (id: number, token = agent.token) => api('GET', `/api/e/tickets/${id}/comments`, undefined, token)
const options = (id: number, token = agent.token) => api('GET', `/api/e/tickets/${id}/reply-options`, undefined, token)
const conversation = async (id: number) => (await send('GET', `/api/e/tickets/${id}`)).body.meta.conversation
const mailsTo = (address: string) => service.cloud.outbox.list({ type: 'mail', to: address })

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'tickets', [
    { name: 'title', type: 'text', required: true },
    { name: 'description', type: 'textarea' },
  ])
  const config = { transport: 'local', from_address: addressOf('desk') }
  await api('POST', '/api/sys/channels', { name: 'Desk', type: 'email', is_default: true, config })
  const made = { name: 'Support', address: addressOf('support'), incoming: { protocol: 'local' }, table: 'tickets' }
  box = (await api('POST', '/api/sys/mailboxes', made)).id
  agent = await userWith(service, ['tickets.read', 'tickets.update', 'tickets.comment_internal'])
  reader = await userWith(service, ['tickets.read', 'tickets.update'])
})
afterAll(() => service?.stop())

describe('a forward', () => {
  it('sends the named messages to somebody outside, who and when they were written by above them', async () => {
    const { id, message } = await request('Printer smokes')
    const note = await api('POST', `/api/e/tickets/${id}/comments`, { body: 'Serial 4711.', is_internal: true })
    const { status, body } = await forward(id, { message_ids: [message], comment_ids: [note.id] }, agent.token)
    expect([status, body.data]).toMatchObject([
      201,
      {
        body: 'Please look.',
        is_internal: true,
        to: vendor,
        conversation: -body.data.id,
        forwarded: { message_ids: [message], comment_ids: [note.id], subject: 'Fwd: Printer smokes' },
      },
    ])
    const mail = await lastMailTo(vendor)
    expect(mail).toMatchObject({ from: addressOf('support'), to: [vendor], subject: 'Fwd: Printer smokes' })
    expect(mail?.text).toMatch(
      /Please look\.[\s\S]*Forwarded message[\s\S]*From: cora <cora@customer\.test>\s+Date: .*\s+Subject: Printer smokes\s+To: support@[\s\S]*The customer says Printer smokes\.[\s\S]*Serial 4711\./,
    )
    expect(mailsTo(customer)).toEqual([])
  })

  it('is answered to the team alone, and only the one who is asked reads the answers', async () => {
    const { id, message, mailId } = await request('Scanner stuck')
    await forward(id, { message_ids: [message] }, agent.token)
    const before = await conversation(id)
    const asked = await lastMailTo(vendor)
    const answer = await receive(vendor, {
      reply: asked?.mailId as string,
      subject: 'Re: Scanner',
      body: 'A new roller.',
    })
    // Another one that refers to nothing but the answer, and one with nothing but the number.
    await receive(vendor, { reply: answer, subject: 'Also', body: 'Price is 40.' })
    await receive(vendor, { subject: `Offer [#${id}]`, body: 'The offer.' })
    // Somebody to whom it was passed on.
    await receive('tom@other.test', { reply: asked?.mailId as string, subject: 'Re: Fwd', body: 'I am Tom.' })
    const seen = await comments(id)
    expect(seen.slice(0, 4)).toMatchObject(
      ['I am Tom.', 'The offer.', 'Price is 40.', 'A new roller.'].map((body) => ({ body, is_internal: true })),
    )
    expect(seen[3]).toMatchObject({ from: { email: vendor }, conversation: seen[4].conversation })
    // Whoever may not read internal comments, as the customer in the portal, reads nothing of it.
    expect(await comments(id, reader.token)).toEqual([])
    const timeline = await api('GET', `/api/e/tickets/${id}/timeline`, undefined, reader.token)
    expect(JSON.stringify(timeline)).not.toMatch(/roller|Price is|The offer|I am Tom|vendor/)
    expect(await conversation(id)).toEqual(before)
    // The customer is still who is answered, and what they write reaches the team alone.
    expect(await options(id)).toMatchObject({ to: customer, email: { to: customer } })
    await receive(customer, { reply: mailId, subject: 'Re: Scanner stuck', body: 'Still stuck.' })
    expect((await comments(id))[0]).toMatchObject({ body: 'Still stuck.', is_internal: false })
    expect(mailsTo(vendor).filter(({ text }) => text.includes('Still stuck'))).toEqual([])
    await api('POST', `/api/e/tickets/${id}/comments`, { body: 'We order a part.', send: 'email' }, agent.token)
    expect((await lastMailTo(customer))?.text).toMatch(/We order a part/)
    expect((await lastMailTo(customer))?.text).not.toMatch(/roller|vendor|40/)
    expect((await conversation(id)).awaits).toBe('customer')
    expect((await comments(id, reader.token)).map(({ body }: { body: string }) => body)).toEqual([
      'We order a part.',
      'Still stuck.',
    ])
  })

  it('is a conversation that an agent answers in, with whoever answered last, and there alone', async () => {
    const { id, message } = await request('Laptop slow')
    const { body } = await forward(id, { message_ids: [message] }, agent.token)
    const own = body.data.conversation as number
    const asked = await lastMailTo(vendor)
    await receive(vendor, { reply: asked?.mailId as string, subject: 'Re: Laptop', body: 'Which model?' })
    const { conversations } = await options(id)
    expect(conversations).toMatchObject([
      { id, kind: 'customer', to: customer, is_default: true },
      { id: own, kind: 'forward', to: vendor, subject: 'Re: Laptop', is_default: false },
    ])
    expect((await options(id, reader.token)).conversations).toMatchObject([{ id, kind: 'customer' }])
    const said = { body: 'Model X.', send: 'email', conversation: own }
    const answered = await send('POST', `/api/e/tickets/${id}/comments`, said, agent.token)
    expect(answered.body.data).toMatchObject({ is_internal: true, conversation: own, to: vendor })
    expect((await lastMailTo(vendor))?.text).toMatch(/Model X\.[\s\S]*> Which model\?/)
    expect(mailsTo(customer).filter(({ text }) => text.includes('Model X'))).toEqual([])
    const refused = await send('POST', `/api/e/tickets/${id}/comments`, said, reader.token)
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('comment_internal')])
    const public_ = { is_internal: false }
    const path = `/api/e/tickets/${id}/comments/${answered.body.data.id}`
    expect((await send('PUT', path, public_, agent.token)).body.errors).toEqual({
      is_internal: [expect.stringContaining('never public')],
    })
  })

  it('hears a customer who is drawn in by whoever was asked', async () => {
    const { id, message } = await request('Phone dead')
    await forward(id, { message_ids: [message] }, agent.token)
    const asked = await lastMailTo(vendor)
    const answer = await receive(vendor, {
      reply: asked?.mailId as string,
      cc: customer,
      body: 'Cora, is it plugged in?',
    })
    const references = `${asked?.mailId} ${answer}`
    await receive(customer, { reply: answer, references, subject: 'Re: Phone', body: 'It is plugged in.' })
    expect((await comments(id)).slice(0, 2)).toMatchObject([
      { body: 'It is plugged in.', is_internal: false },
      { body: 'Cora, is it plugged in?', is_internal: true },
    ])
    expect((await conversation(id)).awaits).toBe('team')
  })

  it('is sent once, also when it is asked for again', async () => {
    const { id, message } = await request('Only once')
    const again = { 'idempotency-key': 'once' }
    const [one, two] = [
      await forward(id, { message_ids: [message] }, agent.token, again),
      await forward(id, { message_ids: [message] }, agent.token, again),
    ]
    await service.cloud.idle()
    expect(two.body.data.id).toBe(one.body.data.id)
    expect(mailsTo(vendor).filter(({ subject }) => subject === 'Fwd: Only once')).toHaveLength(1)
    const other = await forward(id, { message_ids: [message], body: 'Other' }, agent.token, again)
    expect(other.status).toBe(422)
  })

  it('is refused for what its writer may not read, for customers and for ourselves', async () => {
    const { id, message } = await request('Refusals')
    const elsewhere = await request('Elsewhere')
    const note = await api('POST', `/api/e/tickets/${id}/comments`, { body: 'Secret', is_internal: true })
    const errors = async (body: object, token = agent.token) => (await forward(id, body, token)).body.errors
    expect(await errors({ message_ids: [elsewhere.message] })).toEqual({
      'message_ids.0': [expect.stringContaining('There is no incoming message')],
    })
    expect(await errors({ message_ids: [message], comment_ids: [note.id] }, reader.token)).toEqual({
      'comment_ids.0': [expect.stringContaining('There is no comment')],
    })
    expect(await errors({ message_ids: [] })).toEqual({ message_ids: [expect.stringContaining('Name at least one')] })
    expect(await errors({ message_ids: [message], to: customer.toUpperCase() })).toEqual({
      to: [expect.stringContaining('answer them with a reply')],
    })
    expect(await errors({ message_ids: [message], cc: [addressOf('support')] })).toEqual({
      'cc.0': [expect.stringContaining('an address of your own')],
    })
    expect(Object.keys(await errors({ message_ids: [message], to: 'nobody' }))).toEqual(['to'])
    const asker = await userWith(service, ['tickets.read', 'tickets.comment'])
    expect((await forward(id, { message_ids: [message] }, asker.token)).status).toBe(403)
    await service.cloud.idle()
    expect(mailsTo(vendor).filter(({ subject }) => subject === 'Fwd: Refusals')).toEqual([])
  })
})
