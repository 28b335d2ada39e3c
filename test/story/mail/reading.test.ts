import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startDemo, type DemoService } from '../../make/services/demo-service.ts'

/* What people write in mails is what others read of them, and it is where it belongs. */

let service: DemoService
let admin: string
let ada: string
beforeAll(async () => {
  service = await startDemo()
  admin = await service.signIn('admin@example.com')
  ada = await service.signIn('ada@example.com')
})
afterAll(() => service?.stop())

let mails = 0
let sender = ''
beforeEach(() => {
  sender = `cora${(mails += 1)}@field${mails}.example`
})

const api = async (token: string, method: string, path: string, body?: unknown): Promise<any> => {
  const answer = await service.api(method, path, { token, body })
  expect([path, answer.status, answer.body]).toEqual([path, expect.toSatisfy((s) => s < 300), expect.anything()])
  return answer.body.data
}

/** A mail arrives; answers the message that it became. */
async function arrives(headers: Record<string, string>, content: string): Promise<any> {
  mails += 1
  const all = {
    From: `Cora Field <${sender}>`,
    To: 'support@demo.example',
    Subject: 'Coffee machine leaks',
    'Message-ID': `<m${mails}@cust.example>`,
    Date: 'Mon, 23 Nov 2026 10:00:00 +0000',
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return raw(`${head.join('\r\n')}\r\n\r\n${content.replaceAll('\n', '\r\n')}`)
}

async function raw(mail: string): Promise<any> {
  const stored = await fetch(`${service.url}/_local/mailbox?to=support@demo.example`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: mail,
  })
  expect(stored.status).toBe(201)
  await api(admin, 'POST', '/api/sys/settings/fetch-imap')
  await service.cloud.idle()
  return (await api(admin, 'GET', '/api/sys/incoming_messages?channel=email&per_page=1'))[0]
}

/** The newest mail to somebody, as it left. */
async function newestTo(to: string): Promise<{ readonly id: string; readonly source: string }> {
  await service.cloud.idle()
  const [mail] = service.cloud.outbox.list({ type: 'mail', to })
  const source = await (await fetch(`${service.url}/_local/outbox/${mail?.id}/source`)).text()
  return { id: /\r\nMessage-ID:\s*(<[^>]+>)/i.exec(source)?.[1] ?? '', source }
}

const commentsOf = (id: number) => api(ada, 'GET', `/api/e/requests/${id}/comments`)

/** A request by mail, which Ada answered. */
async function answered(question: string): Promise<{ readonly id: number; readonly mailId: string }> {
  const { records } = await arrives({}, 'Please have a look.')
  await api(ada, 'POST', `/api/e/requests/${records[0].id}/comments`, { body: question })
  return { id: records[0].id, mailId: (await newestTo(sender)).id }
}

it.each([
  ['marked lines of their own', 'It printed this:\n\n> E17 pump dry\n> E22 valve stuck', undefined],
  [
    'an answer inside of the quote',
    'In red.\n\nFrom: Demo\nSent: Monday\nTo: Cora\nSubject: Re: x\n\nWhich model is it? The B7.',
    undefined,
  ],
  [
    'history in Arabic',
    'B7.\n\nفي الاثنين، 23 نوفمبر 2026 في 10:00 كتب Demo <support@demo.example>:\n\nWhich model is it?',
    'B7.',
  ],
  [
    'history and a scanner',
    'B7.\n\nOn Mon, 23 Nov 2026 at 10:00, Demo <support@demo.example> wrote:\n> Which model is it?\n\n-- \nScanned for viruses.',
    'B7.',
  ],
])('an answer with %s', async (_, body, said = body) => {
  const { id, mailId } = await answered('Which model is it?')
  const message = await arrives({ Subject: 'Re: Coffee machine leaks', 'In-Reply-To': mailId }, body)
  expect(message).toMatchObject({ body, body_new: said, reply_to: { id } })
  expect(await commentsOf(id)).toMatchObject([{ body: said }, {}])
})

it('an answer without headers is known by what it quotes, of the same person only', async () => {
  const { id } = await answered('Somebody from the second floor is on the way.')
  const quote = 'Still leaks.\n\n> Somebody from the second floor is on the way.'
  expect(await arrives({ Subject: 'Re: Coffee machine leaks' }, quote)).toMatchObject({ reply_to: { id } })
  expect(await commentsOf(id)).toMatchObject([{ body: 'Still leaks.' }, {}])
  expect(await arrives({ From: 'eve@stranger.example', Subject: 'Re: x' }, quote)).toMatchObject({ reply_to: null })
})

it('an answer to a notice of an internal comment is an internal comment, and nothing for anybody else', async () => {
  await api(ada, 'PUT', '/api/user/preferences', { notifications: { mention: { email: true } } })
  const { records } = await arrives({}, 'May I cancel early?')
  const [{ id }] = records
  const secret = 'she owes us 900. May we let her go?'
  await api(admin, 'POST', `/api/e/requests/${id}/comments`, { body: `@[2] ${secret}`, is_internal: true })
  const notice = await newestTo('ada@example.com')
  expect(notice.source).toContain('900')
  const said = `No, keep her.\n\nOn Mon, 23 Nov 2026 at 10:00, Demo <support@demo.example> wrote:\n> @Ada Lovelace ${secret}`
  const answer = { Subject: 'Re: mentioned', 'In-Reply-To': notice.id, References: notice.id }
  const made = (await api(ada, 'GET', '/api/e/requests?per_page=1'))[0].id
  await arrives({ ...answer, From: 'Ada <ada@example.com>' }, said)
  expect(await commentsOf(id)).toMatchObject([{ body: 'No, keep her.', is_internal: true, user: { id: 2 } }, {}])
  // Somebody else who has the notice makes nothing of it.
  expect(await arrives({ ...answer, From: 'eve@stranger.example' }, said)).toMatchObject({
    records: [],
    reply_to: null,
  })
  expect((await api(ada, 'GET', '/api/e/requests?per_page=1'))[0].id).toBe(made)
  // It comes back by a rule of her mailbox.
  expect(await raw(notice.source)).toMatchObject({ records: [], payload: { auto: 'own' } })
})

it('a mail of ours that comes back is joined to its request without a comment', async () => {
  const { id } = await answered('Which floor?')
  const { source } = await newestTo(sender)
  expect(await raw(source)).toMatchObject({ payload: { auto: 'own' }, reply_to: { id }, records: [] })
  expect(await commentsOf(id)).toHaveLength(1)
})

it('answers to one mail of somebody else find one request, in any order', async () => {
  const outside = `<outside${mails}@partner.example>`
  const first = await arrives({ Cc: 'max@partner.example', Subject: 'Re: Pump', 'In-Reply-To': outside }, 'I can come.')
  const second = await arrives({ From: 'max@partner.example', Subject: 'Re: Pump', References: outside }, 'Me too.')
  const itself = await arrives({ From: 'max@partner.example', Subject: 'Pump', 'Message-ID': outside }, 'Who can come?')
  const [{ id }] = first.records
  expect([second.records, itself.records]).toMatchObject([[{ id }], [{ id }]])
  expect(await arrives({ From: 'eve@stranger.example', References: outside }, 'Hi')).toMatchObject({ reply_to: null })
})

it.each([
  [
    'inside of theirs',
    { Subject: 'WG: Dock light' },
    (from: string) =>
      `Can somebody look? They owe us.\n\nVon: Petra Holt <${from}>\nGesendet: Montag, 23. November 2026 09:00\nAn: ada@example.com\nBetreff: Dock light\n\nThe dock light is off.`,
  ],
  [
    'attached',
    { Subject: 'Fwd: Dock light', 'Content-Type': 'multipart/mixed; boundary=b' },
    (from: string) =>
      `--b\nContent-Type: text/plain\n\nCan somebody look? They owe us.\n--b\nContent-Type: message/rfc822\nContent-Disposition: attachment\n\nFrom: Petra Holt <${from}>\nSubject: Dock light\nMessage-ID: <orig-${from}>\n\nThe dock light is off.\n--b--`,
  ],
])('a mail that an agent forwards %s is of whoever wrote it', async (_, headers, content) => {
  const petra = `petra${mails}@holt.example`
  const message = await arrives({ ...headers, From: 'Ada Lovelace <ada@example.com>' }, content(petra))
  expect(message).toMatchObject({ from_name: 'Petra Holt', from_email: petra, subject: 'Dock light' })
  expect(message.body).toBe('The dock light is off.')
  expect(message.payload.forwarded).toMatchObject({
    by: { email: 'ada@example.com' },
    note: expect.stringMatching(/owe/),
  })
  const [{ id }] = message.records
  const options = await api(ada, 'GET', `/api/e/requests/${id}/reply-options`)
  expect(options).toMatchObject({ to: petra, cc: [] })
  expect((await api(ada, 'GET', `/api/e/requests/${id}`)).data).toMatchObject({
    title: 'Dock light',
    description: 'The dock light is off.',
  })
  // A customer who forwards something writes it themselves.
  expect(await arrives(headers, content(`x${petra}`))).toMatchObject({ from_email: sender })
})

it('what a person made a request of can be answered, whatever program sent it', async () => {
  const form = { 'Auto-Submitted': 'auto-generated', 'Reply-To': `Hal <hal${mails}@pine.example>` }
  const message = await arrives(form, 'Name: Hal')
  expect(message).toMatchObject({ records: [], payload: { auto: 'reply' } })
  const made = await api(ada, 'POST', `/api/sys/incoming_messages/${message.id}/records`, {
    model: 'requests',
    data: { title: 'Form' },
  })
  const options = await api(ada, 'GET', `/api/e/requests/${made.id}/reply-options`)
  expect(options.to).toMatch(/^hal\d+@pine\.example$/)
})
