import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type SmtpSettings, smtpSettings } from '../../../shared/platform/mail/mail-settings.ts'
import type { Mail } from '../../../shared/platform/mail/mail.ts'
import { createMailSender } from '../../../shared/platform/mail/send-mail.ts'
import { type Mailbox, type MailboxOptions, openMailbox } from '../../make/services/mailboxes/mailbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'smtp-'))
let key: string
let cert: string
let mailbox: Mailbox | undefined

beforeAll(() => {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  execFileSync('openssl', [...request, ...subject, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' })
  key = readFileSync(keyFile, 'utf8')
  cert = readFileSync(certFile, 'utf8')
})
afterEach(() => mailbox?.close())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const login = { username: 'desk', password: 'secret of the desk' }
const mail: Mail = {
  id: 'mail-7',
  createdAtMs: 0,
  to: 'ada@example.com',
  subject: 'Grüße',
  text: 'Hello Ada',
  html: '<p>Hello Ada</p>',
}
const loopbackOnly = { loopbackAllowed: true, resolve: async () => [{ address: '127.0.0.1' }] }

async function open(options: MailboxOptions = {}): Promise<Mailbox> {
  return (mailbox = await openMailbox(options))
}
const settingsFor = ({ port }: { port: number }, more: Partial<SmtpSettings> = {}): SmtpSettings =>
  smtpSettings({ host: 'localhost', port, fromAddress: 'desk@acme.test', fromName: 'Acme desk', ...more })
const sender = () => createMailSender({ ...loopbackOnly, tls: { ca: cert } })

describe('a mail', () => {
  it('arrives with STARTTLS and a login, in one envelope to one recipient', async () => {
    const server = await open({ key, cert, login })
    const outcome = await sender()(settingsFor(server, { ...login, encryption: 'tls' }), mail)
    expect(outcome).toMatchObject({ kind: 'delivered', code: '250' })
    expect(server.received).toMatchObject([{ from: 'desk@acme.test', to: [mail.to], user: 'desk', secure: true }])
    expect(server.received[0]?.raw).toMatch(/^From: Acme desk <desk@acme\.test>\r$/m)
    expect(server.textFor(mail.to)).toContain('Hello Ada')
  })

  it('arrives over TLS from the start', async () => {
    const server = await open({ key, cert, secure: true })
    await sender()(settingsFor(server, { encryption: 'ssl' }), mail)
    expect(server.received).toMatchObject([{ secure: true }])
  })

  it('is encrypted as the settings say', async () => {
    const [plain, both] = [await openMailbox(), await open({ key, cert })]
    const toBoth = async (encryption: SmtpSettings['encryption']) => [
      (await sender()(settingsFor(plain, { encryption }), mail)).kind,
      (await sender()(settingsFor(both, { encryption }), mail)).kind,
    ]
    expect(await toBoth('tls')).toEqual(['failed', 'delivered'])
    expect(await toBoth('opportunistic')).toEqual(['delivered', 'delivered'])
    expect(await toBoth('none')).toEqual(['delivered', 'delivered'])
    expect(plain.received.map(({ secure }) => secure)).toEqual([false, false])
    expect(both.received.map(({ secure }) => secure)).toEqual([true, true, false])
    await plain.close()
  })

  it('is not sent to a server whose certificate is not trusted, or is for another name', async () => {
    const server = await open({ key, cert })
    const strangers = createMailSender(loopbackOnly)
    for (const encryption of ['tls', 'opportunistic'] as const)
      expect(await strangers(settingsFor(server, { ...login, encryption }), mail)).toEqual({
        kind: 'failed',
        error: 'TLS with the mail server failed: self-signed certificate.',
      })
    expect(await sender()(settingsFor(server, { host: 'mail.acme.test', encryption: 'tls' }), mail)).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(
        /^TLS with the mail server failed: Hostname\/IP does not match certificate's altnames/,
      ),
    })
    expect(server.received).toEqual([])
  })

  it('fails with the reason when the server offers no STARTTLS, or no TLS at all', async () => {
    const server = await open()
    const outcomes = [
      await sender()(settingsFor(server, { encryption: 'tls' }), mail),
      await sender()(settingsFor(server, { encryption: 'ssl' }), mail),
    ]
    expect(outcomes).toMatchObject([
      { kind: 'failed', error: expect.stringMatching(/^The mail server answered 500 to STARTTLS/) },
      { kind: 'failed', error: expect.stringMatching(/^TLS with the mail server failed/) },
    ])
  })

  it.each([
    ['rcpt', 451, 'failed'],
    ['rcpt', 550, 'refused'],
    ['data', 421, 'failed'],
    ['data', 554, 'refused'],
    ['connect', 554, 'failed'],
  ] as const)('that the server answers at %s with %i over TLS has %s', async (at, code, kind) => {
    const server = await open({ key, cert, login })
    server.script = { refuse: { at, code, text: 'not now' } }
    const settings = settingsFor(server, { ...login, encryption: 'tls' })
    expect(await sender()(settings, mail)).toMatchObject({ kind, code: String(code), excerpt: `${code} not now` })
  })

  it('whose connection drops after the message has the same Message-ID in the next attempt', async () => {
    const server = await open({ key, cert, login })
    const settings = settingsFor(server, { ...login, encryption: 'tls' })
    server.script = { drop: true }
    expect(await sender()(settings, mail)).toMatchObject({ kind: 'failed', error: expect.stringMatching(/not known/) })
    server.script = {}
    await sender()(settings, mail)
    expect(server.received).toHaveLength(1)
    expect(server.received[0]?.raw).toMatch(/^Message-ID: <mail-7@acme\.test>\r$/m)
  })

  it('waits for a right login when it is wrong, without the password in the outcome', async () => {
    const server = await open({ key, cert, login })
    const wrong = settingsFor(server, { ...login, password: 'wrong guess', encryption: 'tls' })
    const outcome = await sender()(wrong, mail)
    expect(outcome).toMatchObject({ kind: 'failed', code: '535' })
    expect(JSON.stringify(outcome)).not.toMatch(/wrong guess|d3JvbmcgZ3Vlc3M/)
  })

  it('goes through an encrypted connection that is used again, and through another one when that was ended', async () => {
    const server = await open({ key, cert, login })
    const settings = settingsFor(server, { ...login, encryption: 'tls' })
    const send = sender()
    await send(settings, mail)
    await send(settings, mail)
    expect(server.connections).toBe(1)
    server.hangUp()
    expect((await send(settings, mail)).kind).toBe('delivered')
    expect([server.connections, server.received.length]).toEqual([2, 3])
  })
})
