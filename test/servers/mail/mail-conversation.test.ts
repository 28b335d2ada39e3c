import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sample, upload } from '../../make/builders/records/uploads.ts'
import { mailOf, partsOf, text } from '../../make/loads/mails/mail-shape.ts'
import { type Mailbox, openMailbox } from '../../make/services/mailboxes/mailbox.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { type Dovecot, mailboxPassword, startDovecot } from '../support/dovecot.ts'

/*
 * A desk that works by mail: Ann is a client, Alan an agent. What the desk sends goes to a real SMTP server, what people
 * write to it lies in a real mailbox. Each test continues where the one before ended.
 */

const ann = 'ann@example.com'
const desk = 'desk@acme.test'
let dovecot: Dovecot
let outbound: Mailbox
let service: TestService
let alan: { readonly id: number; readonly token: string; readonly email: string }
/** The request that Ann's first mail became. */
let request: string

const api = async (method: string, path: string, body?: unknown, token = service.admin.token) => {
  const answer = await service.api(method, path, { token, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}

beforeAll(async () => {
  ;[dovecot, outbound, service] = await Promise.all([startDovecot(), openMailbox(), startService({ log: () => {} })])
  await api('PUT', '/api/sys/settings', {
    MAIL_MAILER: 'smtp',
    MAIL_HOST: '127.0.0.1',
    MAIL_PORT: outbound.port,
    MAIL_FROM_ADDRESS: desk,
    IMAP_HOST: '127.0.0.1',
    IMAP_PORT: dovecot.port,
    IMAP_USERNAME: desk,
    IMAP_PASSWORD: mailboxPassword,
  })
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text', required: true },
    { name: 'description', type: 'textarea' },
  ])
  await api('POST', '/api/sys/notification_templates', {
    name: 'Received',
    code: 'received',
    subject: 'We have it {{record_token}}',
    body: '<p>We have your request {{title}}.</p>',
  })
  await api('POST', '/api/sys/incoming-actions', {
    name: 'Mail to request',
    channel: 'email',
    is_automatic: true,
    target_model: 'requests',
    field_mapping: { title: 'subject', description: 'body' },
    script: "$api->sendEmail('received', $incoming->from_email, { title: $data->title })",
    send_comments: true,
  })
  const user = await userWith(service, ['requests.read', 'requests.update'])
  alan = { ...user, email: (await api('GET', '/api/user', undefined, user.token)).email }
  const preferences = { notifications: { comment: { email: true } } }
  await api('PUT', '/api/user/preferences', preferences, alan.token)
})
afterAll(async () => {
  await service?.stop()
  await Promise.all([dovecot?.close(), outbound?.close()])
})

type Headers = Parameters<typeof mailOf>[0]
let received = 0
/** A mail reaches the mailbox and is fetched; answers its message once the rules have run. */
async function arrives(headers: Headers, body?: string) {
  // Mail servers note arrivals to the second: what the mail answers is to be older.
  await sleep(1000 - (Date.now() % 1000))
  dovecot.put(
    desk,
    mailOf({ From: `Ann Carter <${ann}>`, To: desk, 'Message-ID': `<${++received}@example.com>`, ...headers }, body),
  )
  expect(await api('POST', '/api/sys/settings/fetch-imap')).toMatchObject({ created: 1 })
  await service.cloud.idle()
  return (await api('GET', '/api/sys/incoming_messages?per_page=1'))[0]
}

/** The headers of a mail that the desk sent to an address, by name in lower case, once it has sent so many there. */
async function sentTo(address: string, count: number): Promise<Record<string, string>> {
  const sent = () => outbound.received.filter(({ to }) => to.includes(address))
  for (let tries = 0; tries < 1200 && sent().length < count; tries += 1) await sleep(50)
  await service.cloud.idle()
  expect(sent()).toHaveLength(count)
  const [head = ''] = (sent().at(-1)?.raw ?? '').replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n\r\n')
  return Object.fromEntries(
    head.split('\r\n').map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*: /, '')]),
  )
}
/** What a mail program sets when its user answers a mail. */
const answerTo = (mail: Record<string, string>): Headers => ({
  'In-Reply-To': mail['message-id'] as string,
  References: [mail.references, mail['message-id']].filter(Boolean).join(' '),
  Subject: `Re: ${mail.subject?.replace(/^Re: /, '')}`,
})
const newestComment = async () => (await api('GET', `${request}/comments?per_page=1`))[0]
const countOfRequests = async () => (await service.api('GET', '/api/e/requests', service.admin)).body.meta.total

it("a client's mail becomes a request by a rule, and is acknowledged", async () => {
  const message = await arrives({ Subject: 'The lamp is broken' }, 'It is dark here.')
  expect(message).toMatchObject({ is_processed: true, errors: [], records: [{ model: 'requests' }] })
  request = `/api/e/requests/${message.records[0].id}`
  expect((await api('GET', request)).data).toEqual({ title: 'The lamp is broken', description: 'It is dark here.' })
  expect((await sentTo(ann, 1)).subject).toMatch(/^We have it \[#requests-\d+-[a-z2-7]{8}\]$/)
})

it('her answer to the acknowledgement, from a program that keeps only the subject, becomes a comment of hers', async () => {
  const { subject } = await sentTo(ann, 1)
  await arrives({ Subject: `AW: ${subject}` }, 'It is the one in the hall.')
  expect(await newestComment()).toMatchObject({
    body: 'It is the one in the hall.',
    from: { name: 'Ann Carter', email: ann },
    user: null,
  })
  expect(await countOfRequests()).toBe(1)
})

it("an agent's comment goes out as an answer to her latest mail, with its files inside, quoting hers; her answer is a comment", async () => {
  const file = await upload(service, {
    name: 'lamps.pdf',
    type: 'application/pdf',
    content: sample.pdf,
    token: alan.token,
  })
  await api('POST', `${request}/comments`, { body: 'Which lamp shall it be?', attachments: [file] }, alan.token)
  const mail = await sentTo(ann, 2)
  expect(mail).toMatchObject({
    subject: expect.stringMatching(/^Re: AW: We have it \[#requests-/),
    'in-reply-to': '<2@example.com>',
    references: expect.stringMatching(/^<2@example\.com> <thread\.1\.requests\.\d+\.[a-z2-7]{16}@acme\.test>$/),
  })
  expect(outbound.textFor(ann)).toContain('Which lamp shall it be?')
  expect(outbound.textFor(ann)).toContain('> It is the one in the hall.')
  await arrives(answerTo(mail), 'The brass one.')
  expect(await newestComment()).toMatchObject({ body: 'The brass one.', from: { email: ann } })
  expect(await countOfRequests()).toBe(1)
})

it('a watcher gets her answer by mail, and what he answers from his own address is his comment, which goes to her', async () => {
  const mail = await sentTo(alan.email, 1)
  expect(mail.subject).toBe(`Ann Carter commented on Requests ${request.split('/').at(-1)}`)
  const before = outbound.received.filter(({ to }) => to.includes(ann)).length
  await arrives({ From: alan.email, ...answerTo(mail) }, 'It is on its way.')
  const comment = await newestComment()
  expect(comment).toMatchObject({ body: 'It is on its way.', user: { id: alan.id } })
  expect(comment).not.toHaveProperty('from')
  await sentTo(ann, before + 1)
  expect(outbound.textFor(ann)).toContain('It is on its way.')
})

it('an automatic reply is kept and marked, and nothing answers it', async () => {
  const [mail, sent, comment] = [await sentTo(ann, 3), outbound.received.length, await newestComment()]
  // A mailbox keeps when mails came in whole seconds: in the same second it would stand before the comment.
  const secondOf = (ms: number): number => Math.floor(ms / 1000)
  await expect.poll(() => secondOf(Date.now())).toBeGreaterThan(secondOf(Date.parse(comment.created_at)))
  const message = await arrives({ ...answerTo(mail), 'Auto-Submitted': 'auto-replied' }, 'I am on holiday.')
  expect(message).toMatchObject({
    body: 'I am on holiday.',
    payload: { auto: 'reply' },
    records: [],
    is_processed: false,
  })
  expect(message.reply_to).toEqual({ model: 'requests', id: Number(request.split('/').at(-1)) })
  expect(outbound.received).toHaveLength(sent)
  expect(await newestComment()).toEqual(comment)
})

it('a mail that comes back fails its delivery, with the reason', async () => {
  const mail = await sentTo(ann, 3)
  const report = `Final-Recipient: rfc822; ${ann}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 no such user\r\n`
  const returned = text(`Message-ID: ${mail['message-id']}\r\n`, 'message/rfc822')
  const message = await arrives(
    {
      From: 'Mail Delivery System <MAILER-DAEMON@mx.test>',
      Subject: 'Undelivered Mail Returned to Sender',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
    },
    partsOf('b', [text('It could not be delivered.'), text(report, 'message/delivery-status'), returned]),
  )
  expect(message).toMatchObject({ payload: { auto: 'bounce' }, records: [] })
  const [delivery] = (await api('GET', '/api/sys/deliveries?status=failed')) as readonly object[]
  expect(delivery).toMatchObject({
    recipient: ann,
    subject: expect.stringMatching(/^Re: AW: We have it \[#requests-/),
    last_error: 'The mail came back: status 5.1.1, code 550.',
  })
})

it('the timeline of the request shows it all in order', async () => {
  const entries = (await api('GET', `${request}/timeline?per_page=50`)).toReversed()
  expect(entries.map(({ kind, summary }: any) => `${kind}: ${summary}`)).toEqual([
    'message: Mail from Ann Carter made this record',
    'change: Record created by a rule',
    `delivery: Mail to ${ann} delivered`,
    'message: Mail from Ann Carter received',
    'comment: Ann Carter commented',
    'comment: User 1 commented',
    `delivery: Mail to ${ann} delivered`,
    'message: Mail from Ann Carter received',
    'comment: Ann Carter commented',
    `delivery: Mail to ${alan.email} delivered`,
    `message: Mail from ${alan.email} received`,
    'comment: User 1 commented',
    `delivery: Mail to ${ann} failed after 1 attempt`,
    'message: Automatic mail from Ann Carter received',
  ])
})
