import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type SmtpSettings, smtpSettings } from '../../../../shared/mail/mail-settings.ts'
import type { Mail, MailOutcome } from '../../../../shared/mail/mail.ts'
import { createMailSender } from '../../../../shared/mail/send-mail.ts'
import { type Mailbox, type MailboxOptions, openMailbox } from '../../../make/services/mailbox.ts'

const mail: Mail = {
  id: 'msg_1_0',
  createdAtMs: Date.parse('2026-11-20T08:00:00Z'),
  to: 'ada@example.com',
  subject: 'Grüße',
  text: 'Hello Ada',
  html: '<p>Hello <b>Ada</b></p>',
}
const closing: (() => unknown)[] = []
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await openMailbox()
})
afterAll(() => mailbox.close())
beforeEach(() => {
  mailbox.script = {}
  mailbox.connections = 0
  mailbox.received.length = 0
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function open(options: MailboxOptions): Promise<Mailbox> {
  const opened = await openMailbox(options)
  closing.push(() => opened.close())
  return opened
}
const settingsFor = ({ port }: { readonly port: number }, more: Partial<SmtpSettings> = {}) =>
  smtpSettings({ host: '127.0.0.1', port, fromAddress: 'desk@acme.test', fromName: 'Acme desk', ...more })
const sender = (timeoutMs?: number) => createMailSender({ loopbackAllowed: true, timeoutMs })
const rawOf = (): string => mailbox.received.at(-1)?.raw ?? ''
/** The header lines, unfolded. */
const headersOf = (): string[] => (rawOf().split('\r\n\r\n')[0] as string).replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')

describe('a mail', () => {
  it('is one message with text and HTML, the same bytes in every attempt', async () => {
    expect(await sender()(settingsFor(mailbox), mail)).toMatchObject({ kind: 'delivered', code: '250' })
    expect(headersOf().toSorted()).toEqual([
      'Auto-Submitted: auto-generated',
      expect.stringMatching(/^Content-Type: multipart\/alternative; boundary="/),
      'Date: Fri, 20 Nov 2026 08:00:00 +0000',
      'From: Acme desk <desk@acme.test>',
      'MIME-Version: 1.0',
      'Message-ID: <msg_1_0@acme.test>',
      'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
      'To: ada@example.com',
      'X-Delivery-ID: msg_1_0',
    ])
    expect(rawOf()).toContain('<p>Hello <b>Ada</b></p>')
    expect(mailbox.textFor(mail.to)).toContain('Hello Ada')
    await sender()(settingsFor(mailbox), mail)
    const [first, second] = mailbox.received
    expect(second?.raw).toBe(first?.raw)
  })

  it('has no parts that a body could end early', async () => {
    await sender()(settingsFor(mailbox), {
      ...mail,
      html: '--x\r\nSubject: no\r\n\r\n.\r\nRCPT TO:<eve@example.com>\r\n',
    })
    expect(mailbox.received).toMatchObject([{ to: [mail.to] }])
    expect(headersOf().filter((line) => /^subject/i.test(line))).toHaveLength(1)
  })
})

describe('a trick in an address', () => {
  it.each([
    'ada@example.com\r\nRCPT TO:<eve@example.com>',
    'ada@example.com\nBcc: eve@example.com',
    'ada@example.com\u0000',
    'ada@example.com\u2028Bcc: eve@example.com',
    'ada@example.com, eve@example.com',
    'ada@example.com,eve@example.com',
    'ada@example.com;eve@example.com',
    'ada@example.com eve@example.com',
    'ada@example.com>\r\nRCPT TO:<eve@example.com',
    'Ada <eve@example.com>',
    '"ada@example.com" <eve@example.com>',
    '"ada@example.com, " eve@example.com',
    'team: ada@example.com, eve@example.com;',
    'undisclosed-recipients:;',
    '(eve@example.com)ada@example.com',
    'ada@example.com(eve@example.com)',
    '"ada\\"@eve.com,"@example.com',
    '@relay.example:ada@example.com',
    'ada%eve.com@example.com@example.com',
    'ada@example。com',
    'ada@example．com',
    'ada@example｡com',
    'аda@example.com',
    'ada@еxample.com',
    'ada＠example.com',
    'ada@example.com\u200b',
    'ada@[127.0.0.1]',
    'ada@example.com NOTIFY=SUCCESS ORCPT=rfc822;eve@example.com',
    '',
  ])('is refused before anything is sent: %j', async (to) => {
    expect(await sender()(settingsFor(mailbox), { ...mail, to })).toEqual({
      kind: 'refused',
      error: 'The address of the recipient is malformed: one plain address is needed.',
    })
    expect([mailbox.received, mailbox.connections]).toEqual([[], 0])
  })

  it.each([
    'ada%eve.com@example.com',
    'ada!eve@example.com',
    '=?utf-8?q?eve=40example.com?=@example.com',
    "o'neil@x.org",
  ])('that is a plain address reaches exactly this one: %j', async (to) => {
    await sender()(settingsFor(mailbox), { ...mail, to })
    expect(mailbox.received).toMatchObject([{ to: [to] }])
  })
})

describe('a trick in a name or subject', () => {
  const tricks = [
    'Hello\r\nBcc: eve@example.com',
    'Hello\nBcc: eve@example.com',
    'Hello\r\n\r\nBody',
    'Hello\rTo: eve@example.com',
    'Hello\u0000\u0085\u2028\u2029\u000bBcc: eve@example.com',
    'Acme <eve@example.com>',
    'Acme, eve@example.com',
    'Acme" <eve@example.com>, "',
    'group: eve@example.com;',
    'Acme\\" <eve@example.com>',
    '=?utf-8?q?x=0D=0ABcc:_eve=40example.com?=',
    '\u202eevil',
  ]
  it.each(tricks)('adds no recipient and no header: %j', async (text) => {
    const outcome = await sender()(settingsFor(mailbox, { fromName: text }), { ...mail, subject: text })
    expect([outcome.kind, mailbox.received]).toMatchObject(['delivered', [{ from: 'desk@acme.test', to: [mail.to] }]])
    const names = headersOf().map((line) => line.slice(0, line.indexOf(':')))
    expect(names.toSorted()).toEqual([
      'Auto-Submitted',
      'Content-Type',
      'Date',
      'From',
      'MIME-Version',
      'Message-ID',
      'Subject',
      'To',
      'X-Delivery-ID',
    ])
    const from = headersOf().find((line) => line.startsWith('From:')) as string
    // Outside quotes and encoded words there is one address.
    expect(
      from.replaceAll(/"(?:[^"\\]|\\.)*"|=\?[^?]*\?[QB]\?[^?]*\?=/g, '').match(/[^\s<>,;:]+@[^\s<>,;:]+/g),
    ).toEqual(['desk@acme.test'])
  })

  it('in the address of the sender is refused', async () => {
    for (const fromAddress of ['desk@acme.test\r\nBcc: eve@x.org', 'Desk <desk@acme.test>', 'a@x.org,b@x.org'])
      expect((await sender()(settingsFor(mailbox, { fromAddress }), mail)).kind).toBe('refused')
    expect(mailbox.connections).toBe(0)
  })
})

describe('an answer of the server', () => {
  it.each([
    ['mail', 550, 'refused', 'The mail server answered 550 to MAIL.'],
    ['rcpt', 550, 'refused', 'The mail server answered 550 to RCPT.'],
    ['data', 554, 'refused', 'The mail server answered 554 to DATA.'],
    ['mail', 451, 'failed', 'The mail server answered 451 to MAIL.'],
    ['rcpt', 452, 'failed', 'The mail server answered 452 to RCPT.'],
    ['data', 421, 'failed', 'The mail server answered 421 to DATA.'],
    ['connect', 554, 'failed', 'The mail server refused the connection: it answered 554.'],
    ['connect', 421, 'failed', 'The mail server refused the connection: it answered 421.'],
    [
      'mail',
      530,
      'failed',
      'The mail server refused the login: it answered 530. Check username, password and encryption.',
    ],
  ] as const)('to %s with %i: %s', async (at, code, kind, error) => {
    mailbox.script = { refuse: { at, code, text: '5.1.1 so it is' } }
    const outcome = await sender()(settingsFor(mailbox), mail)
    expect(outcome).toMatchObject({ kind, code: String(code), error })
    expect(mailbox.received).toEqual([])
  })

  it('is kept on one line, cut, and without the login', async () => {
    const server = await open({ login: { username: 'desk-user', password: 'pa55 word' } })
    const login = Buffer.from('\0desk-user\0pa55 word').toString('base64')
    server.script = { refuse: { at: 'rcpt', code: 550, text: `desk-user pa55 word ${login} ${'x'.repeat(900)}` } }
    const { excerpt } = await sender()(
      settingsFor(server, { username: 'desk-user', password: 'pa55 word', encryption: 'none' }),
      mail,
    )
    expect(excerpt).toMatch(/^550 \*{3} \*{3} \*{3} x+$/)
    expect(excerpt).toHaveLength(500)
  })

  it('to the login is a failure that an administrator mends, without words of the server', async () => {
    const server = await open({ login: { username: 'desk', password: 'right' } })
    const outcome = await sender()(
      settingsFor(server, { username: 'desk', password: 'wrong guess', encryption: 'none' }),
      mail,
    )
    expect(outcome).toEqual({
      kind: 'failed',
      code: '535',
      error: 'The mail server refused the login: it answered 535. Check username, password and encryption.',
    })
  })

  it('that a mail is too large comes before the mail is sent', async () => {
    const server = await open({ size: 1000 })
    expect(await sender()(settingsFor(server), { ...mail, text: 'x'.repeat(2000) })).toEqual({
      kind: 'refused',
      error: 'The mail is larger than the mail server accepts.',
    })
  })
})

describe('a server that gives no answer', () => {
  /** A server that does `first` with each connection, and nothing else. */
  async function listen(first: (socket: Socket) => void): Promise<{ port: number }> {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}))
      first(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    return server.address() as AddressInfo
  }
  const failure = async (first: (socket: Socket) => void, more?: Partial<SmtpSettings>): Promise<MailOutcome> =>
    sender(300)(settingsFor(await listen(first), more), mail)

  it('at all fails in time', async () => {
    const startedAt = Date.now()
    expect(await failure(() => {})).toEqual({ kind: 'failed', error: 'The mail server did not answer within 0.3 s.' })
    expect(Date.now() - startedAt).toBeLessThan(3000)
  })

  it('after its greeting, in the TLS handshake or drop by drop fails in time', async () => {
    const drip = (socket: Socket): void => {
      const timer = setInterval(() => socket.write('220-wait\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    }
    const timedOut = { kind: 'failed', error: expect.stringMatching(/did not answer within/) }
    expect(await failure((socket) => socket.write('220 hello\r\n'))).toEqual(timedOut)
    expect(await failure(() => {}, { encryption: 'ssl' })).toEqual(timedOut)
    expect(await failure(drip)).toEqual(timedOut)
  })

  it('but hangs up fails', async () => {
    expect(await failure((socket) => socket.destroy())).toMatchObject({
      kind: 'failed',
      error: 'The mail server ended the connection.',
    })
    expect(await failure((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))).toMatchObject({ kind: 'failed' })
  })

  it('because nobody listens, or nobody knows its name, fails', async () => {
    const { port } = await listen(() => {})
    for (const close of closing.splice(0)) await close()
    expect(await sender()(settingsFor({ port }), mail)).toEqual({
      kind: 'failed',
      error: 'The mail server could not be reached: ECONNREFUSED.',
    })
    const resolve = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
    expect(
      await createMailSender({ loopbackAllowed: true, resolve })(
        settingsFor({ port }, { host: 'mail.acme.test' }),
        mail,
      ),
    ).toEqual({ kind: 'failed', error: 'The name of the mail server, mail.acme.test, could not be resolved.' })
  })

  it('after the message is ambiguous, and the next attempt has the same Message-ID', async () => {
    mailbox.script = { drop: true }
    expect(await sender()(settingsFor(mailbox), mail)).toEqual({
      kind: 'failed',
      error: 'The mail server ended the connection. Whether it accepted the mail is not known.',
    })
    mailbox.script = {}
    await sender()(settingsFor(mailbox), mail)
    expect(headersOf()).toContain('Message-ID: <msg_1_0@acme.test>')
    expect(mailbox.received).toHaveLength(1)
  })
})

describe('a server that a tenant names', () => {
  it('must be public, whatever its name resolves to', async () => {
    const resolve = async () => [{ address: '127.0.0.1' }]
    const deployed = createMailSender({ loopbackAllowed: false, resolve })
    for (const host of ['127.0.0.1', '[::1]', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254', 'mail.acme.test'])
      expect(await deployed(settingsFor(mailbox, { host }), mail)).toEqual({
        kind: 'refused',
        error: `The mail server ${host} is not on the public internet.`,
      })
    expect(await sender()(settingsFor(mailbox, { host: '169.254.169.254' }), mail)).toMatchObject({ kind: 'refused' })
    expect(mailbox.connections).toBe(0)
  })
})

describe('connections', () => {
  it('are used again by the next mail, also after a refused one, and not by other settings', async () => {
    const send = sender()
    await send(settingsFor(mailbox), mail)
    mailbox.script = { refuse: { at: 'rcpt', code: 550, text: 'unknown', times: 1 } }
    expect((await send(settingsFor(mailbox), mail)).kind).toBe('refused')
    expect((await send(settingsFor(mailbox), mail)).kind).toBe('delivered')
    expect([mailbox.connections, mailbox.received.length]).toEqual([1, 2])
    await send(settingsFor(mailbox, { fromName: 'Other' }), mail)
    expect(mailbox.connections).toBe(2)
  })

  it('that the server ended meanwhile cost no attempt', async () => {
    const send = sender()
    await send(settingsFor(mailbox), mail)
    mailbox.hangUp()
    expect((await send(settingsFor(mailbox), mail)).kind).toBe('delivered')
    expect([mailbox.connections, mailbox.received.length]).toEqual([2, 2])
  })

  it('are shared by mails at the same time', async () => {
    const send = sender()
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => send(settingsFor(mailbox), mail)))
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['delivered']))
    await Promise.all(Array.from({ length: 5 }, () => send(settingsFor(mailbox), mail)))
    expect([mailbox.connections, mailbox.received.length]).toEqual([8, 13])
  })
})
