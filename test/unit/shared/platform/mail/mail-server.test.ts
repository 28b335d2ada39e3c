import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SmtpSettings } from '../../../../../shared/platform/mail/mail-settings.ts'
import type { MailOutcome } from '../../../../../shared/platform/mail/mail.ts'
import { createMailSender } from '../../../../../shared/platform/mail/send-mail.ts'
import { headersOf, mail, newSender, settingsFor } from '../../../../make/builders/messages/mails.ts'
import { type Mailbox, type MailboxOptions, openMailbox } from '../../../../make/services/mailboxes/mailbox.ts'

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

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function open(options: MailboxOptions): Promise<Mailbox> {
  const opened = await openMailbox(options)
  closing.push(() => opened.close())
  return opened
}

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
    const outcome = await newSender()(settingsFor(mailbox), mail)
    expect(outcome).toMatchObject({ kind, code: String(code), error })
    expect(mailbox.received).toEqual([])
  })

  it('is kept on one line, cut, and without the login', async () => {
    const server = await open({ login: { username: 'desk-user', password: 'pa55 word' } })
    const login = Buffer.from('\0desk-user\0pa55 word').toString('base64')
    server.script = { refuse: { at: 'rcpt', code: 550, text: `desk-user pa55 word ${login} ${'x'.repeat(900)}` } }
    const { excerpt } = await newSender()(
      settingsFor(server, { username: 'desk-user', password: 'pa55 word', encryption: 'none' }),
      mail,
    )
    expect(excerpt).toMatch(/^550 \*{3} \*{3} \*{3} x+$/)
    expect(excerpt).toHaveLength(500)
  })

  it('to the login is a failure that an administrator mends, without words of the server', async () => {
    const server = await open({ login: { username: 'desk', password: 'right' } })
    const outcome = await newSender()(
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
    expect(await newSender()(settingsFor(server), { ...mail, text: 'x'.repeat(2000) })).toEqual({
      kind: 'refused',
      by: 'receiver',
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
    newSender(300)(settingsFor(await listen(first), more), mail)

  it('at all fails in time', async () => {
    const startedAt = Date.now()
    expect(await failure(() => {})).toEqual({ kind: 'failed', error: 'The mail server did not answer within 0.3 s.' })
    expect(Date.now() - startedAt).toBeLessThan(30_000)
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
    expect(await newSender()(settingsFor({ port }), mail)).toEqual({
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
    expect(await newSender()(settingsFor(mailbox), mail)).toEqual({
      kind: 'failed',
      error: 'The mail server ended the connection. Whether it accepted the mail is not known.',
    })
    mailbox.script = {}
    await newSender()(settingsFor(mailbox), mail)
    expect(headersOf(mailbox)).toContain('Message-ID: <msg_1_0@acme.test>')
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
        by: 'service',
        error: `The mail server ${host} is not on the public internet.`,
      })
    expect(await newSender()(settingsFor(mailbox, { host: '169.254.169.254' }), mail)).toMatchObject({
      kind: 'refused',
    })
    expect(mailbox.connections).toBe(0)
  })
})

describe('connections', () => {
  it('are used again by the next mail, also after a refused one, and not by other settings', async () => {
    const send = newSender()
    await send(settingsFor(mailbox), mail)
    mailbox.script = { refuse: { at: 'rcpt', code: 550, text: 'unknown', times: 1 } }
    expect((await send(settingsFor(mailbox), mail)).kind).toBe('refused')
    expect((await send(settingsFor(mailbox), mail)).kind).toBe('delivered')
    expect([mailbox.connections, mailbox.received.length]).toEqual([1, 2])
    await send(settingsFor(mailbox, { fromName: 'Other' }), mail)
    expect(mailbox.connections).toBe(2)
  })

  it('that the server ended meanwhile cost no attempt', async () => {
    const send = newSender()
    await send(settingsFor(mailbox), mail)
    mailbox.hangUp()
    expect((await send(settingsFor(mailbox), mail)).kind).toBe('delivered')
    expect([mailbox.connections, mailbox.received.length]).toEqual([2, 2])
  })

  it('are shared by mails at the same time', async () => {
    const send = newSender()
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => send(settingsFor(mailbox), mail)))
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['delivered']))
    await Promise.all(Array.from({ length: 5 }, () => send(settingsFor(mailbox), mail)))
    expect([mailbox.connections, mailbox.received.length]).toEqual([8, 13])
  })
})
