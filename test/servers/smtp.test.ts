import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { MailSettings } from '../../shared/mail/mail-settings.ts'
import { createMailSender, MailDelayed, MailRefused } from '../../shared/mail/send-mail.ts'
import { type Mailbox, type MailboxOptions, openMailbox } from '../make/services/mailbox.ts'

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
const mail = { id: 'mail-7', to: 'ada@example.com', subject: 'Grüße', text: 'Hello Ada', html: '<p>Hello Ada</p>' }
const loopbackOnly = { loopbackAllowed: true, resolve: async () => [{ address: '127.0.0.1' }] }

async function open(options: MailboxOptions = {}): Promise<Mailbox> {
  return (mailbox = await openMailbox(options))
}
const settingsFor = ({ port }: { port: number }, more: Partial<MailSettings> = {}): MailSettings => ({
  host: 'localhost',
  port,
  fromAddress: 'desk@acme.test',
  fromName: 'Acme desk',
  ...more,
})
const sender = (timeoutMs?: number) => createMailSender({ ...loopbackOnly, tls: { ca: cert }, timeoutMs })
const errorOf = (sending: Promise<void>): Promise<Error> =>
  sending.then(
    () => Promise.reject(new Error('the mail was accepted')),
    (error: Error) => error,
  )

describe('a mail', () => {
  it('arrives with STARTTLS and a login, in one envelope to one recipient', async () => {
    const server = await open({ key, cert, login })
    await sender()(settingsFor(server, { ...login, encryption: 'tls' }), mail)
    expect(server.received).toMatchObject([{ from: 'desk@acme.test', to: [mail.to], user: 'desk', secure: true }])
    expect(server.received[0]?.raw).toMatch(/^From: Acme desk <desk@acme\.test>\r$/m)
    expect(server.textFor(mail.to)).toContain('Hello Ada')
  })

  it('arrives over TLS from the start', async () => {
    const server = await open({ key, cert, secure: true })
    await sender()(settingsFor(server, { encryption: 'ssl' }), mail)
    expect(server.received).toMatchObject([{ secure: true }])
  })

  it('is sent without encryption only when none is asked for', async () => {
    const server = await open()
    await sender()(settingsFor(server), mail)
    expect(server.received).toMatchObject([{ secure: false, user: undefined }])
    expect(await errorOf(sender()(settingsFor(server, { encryption: 'tls' }), mail))).toBeInstanceOf(Error)
    expect(server.received).toHaveLength(1)
  })

  it('is not sent to a server whose certificate is not trusted', async () => {
    const server = await open({ key, cert, secure: true })
    const strangers = createMailSender(loopbackOnly)
    expect(await errorOf(strangers(settingsFor(server, { encryption: 'ssl' }), mail))).toBeInstanceOf(MailDelayed)
    expect(server.received).toEqual([])
  })

  it.each([
    ['mail', 550, MailRefused],
    ['rcpt', 550, MailRefused],
    ['data', 554, MailRefused],
    ['mail', 451, MailDelayed],
    ['rcpt', 451, MailDelayed],
    ['data', 421, MailDelayed],
  ] as const)('that the server answers at %s with %i is refused or delayed', async (at, code, kind) => {
    const server = await open()
    server.script = { refuse: { at, code, text: 'not now: https://app.test/reset/SECRET' } }
    const error = await errorOf(sender()(settingsFor(server), mail))
    expect(error).toBeInstanceOf(kind)
    expect(error.message).toMatch(new RegExp(`^the mail server answered ${code} to (MAIL|RCPT|DATA)$`))
  })

  it('whose connection drops after the message may be sent again', async () => {
    const server = await open()
    server.script = { drop: true }
    expect(await errorOf(sender()(settingsFor(server), mail))).toBeInstanceOf(MailDelayed)
  })

  it('is refused when the login is wrong, without the password in the error', async () => {
    const server = await open({ login })
    const error = await errorOf(sender()(settingsFor(server, { ...login, password: 'wrong guess' }), mail))
    expect(error).toBeInstanceOf(MailRefused)
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toMatch(/wrong guess|d3JvbmcgZ3Vlc3M/)
  })

  it('is delayed when nobody listens and when the server stays silent', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const startedAt = Date.now()
    expect(await errorOf(sender(300)(settingsFor({ port }), mail))).toBeInstanceOf(MailDelayed)
    expect(Date.now() - startedAt).toBeLessThan(3_000)
    silent.close()
    await once(silent, 'close')
    expect(await errorOf(sender()(settingsFor({ port }), mail))).toBeInstanceOf(MailDelayed)
  })

  it('is never sent to a second address that CR LF smuggles in', async () => {
    const server = await open()
    const smuggled = { ...mail, to: 'ada@example.com\r\nRCPT TO:<eve@example.com>' }
    expect(await errorOf(sender()(settingsFor(server), smuggled))).toBeInstanceOf(MailRefused)
    await sender()(settingsFor(server, { fromName: 'Acme\r\nBcc: eve@example.com' }), {
      ...mail,
      subject: 'Hello\r\nBcc: eve@example.com',
    })
    expect(server.received).toMatchObject([{ to: [mail.to] }])
    expect(server.received[0]?.raw).not.toMatch(/^Bcc:/im)
  })

  it('is refused for a server in a private network, and on this machine outside the local cloud', async () => {
    const server = await open()
    const deployed = createMailSender({ ...loopbackOnly, loopbackAllowed: false })
    expect(await errorOf(deployed(settingsFor(server), mail))).toBeInstanceOf(MailRefused)
    expect(await errorOf(sender()(settingsFor(server, { host: '169.254.169.254' }), mail))).toBeInstanceOf(MailRefused)
    expect(server.received).toEqual([])
  })
})
