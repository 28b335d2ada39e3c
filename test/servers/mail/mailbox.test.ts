import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MailboxGuard, openMailbox, type OpenMailbox } from '../../../shared/messages/mailbox/imap/open-mailbox.ts'
import type { MailboxSettings } from '../../../shared/messages/mailboxes/mailbox-settings.ts'
import { pollNow } from '../../make/builders/messages/due-mailbox.ts'
import { otherTenant } from '../../make/builders/people.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { cutAfter } from '../support/cutting-relay.ts'
import { type Dovecot, mailboxPassword, startDovecot } from '../support/dovecot.ts'
import { freePort } from '../support/free-port.ts'

/* A mailbox on a real server, as administrators and the schedule fetch it. */

let dovecot: Dovecot
let service: TestService
let users = 0
let user: string

beforeAll(async () => {
  ;[dovecot, service] = await Promise.all([startDovecot(), startService({ log: () => {} })])
})
afterAll(async () => {
  await service?.stop()
  await dovecot?.close()
})
beforeEach(() => (user = `desk${(users += 1)}`))

const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
/** Every test has a mailbox of its own, and messages of the others stay. */
async function useMailbox(more: object = {}): Promise<void> {
  const set = { IMAP_HOST: '127.0.0.1', IMAP_PORT: dovecot.port, IMAP_USERNAME: user, IMAP_PASSWORD: mailboxPassword }
  expect((await api('PUT', '/api/sys/settings', { ...set, ...more })).status).toBe(200)
}
const fetchMails = () => api('POST', '/api/sys/settings/fetch-imap')
const mail = (n: number, text = ''): string =>
  `From: Ada <ada@example.com>\r\nSubject: ${user} ${n}\r\nMessage-ID: <${n}@example.com>\r\n\r\nMail ${n}\r\n${text}`
/** The numbers of the mails of this test's mailbox that became messages, as often as they did. */
async function messages(): Promise<number[]> {
  const found: { subject: string | null }[] = []
  for (let cursor = ''; ;) {
    const { body } = await api('GET', `/api/sys/incoming_messages?channel=email&per_page=500${cursor}`)
    found.push(...body.data)
    if (!body.meta.next_cursor) break
    cursor = `&cursor=${body.meta.next_cursor}`
  }
  return found
    .flatMap(({ subject }) => (subject?.startsWith(`${user} `) ? [Number(subject.split(' ')[1])] : []))
    .toSorted((a, b) => a - b)
}
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

const guard = (): MailboxGuard => ({ loopbackAllowed: true, tls: { ca: readFileSync(dovecot.certificate, 'utf8') } })
const open = (more: Partial<MailboxSettings> = {}, by = guard(), timeoutMs = 15_000): Promise<OpenMailbox> =>
  openMailbox(
    {
      host: 'localhost',
      port: dovecot.port,
      username: user,
      encryption: 'unset',
      folder: 'INBOX',
      login: { kind: 'password', password: mailboxPassword },
      ...more,
    },
    { password: mailboxPassword },
    by,
    AbortSignal.timeout(timeoutMs),
  )

describe('a mailbox', () => {
  it('of 500 mails becomes 500 messages, and flags stay as they were', async () => {
    for (const n of range(500)) dovecot.put(user, mail(n))
    await useMailbox()
    let left = 500
    while (left > 0) {
      const { status, body } = await fetchMails()
      expect(status).toBe(200)
      left = body.data.remaining
    }
    await service.cloud.idle()
    expect(await messages()).toEqual(range(500))
    expect(dovecot.flags(user)).toEqual([])
    dovecot.put(user, mail(501))
    expect((await fetchMails()).body.data).toEqual({ fetched: 1, created: 1, skipped: 0, remaining: 0 })
  })

  it('is fetched in the background, a part at a time', async () => {
    for (const n of range(120)) dovecot.put(user, mail(n))
    await useMailbox()
    await pollNow(service)
    await service.cloud.idle()
    expect(await messages()).toEqual(range(120))
  })

  it('says how many mails it has, or why it cannot be opened', async () => {
    dovecot.put(user, mail(1))
    await useMailbox()
    const test = async (more: object) => {
      await useMailbox(more)
      const { status, body } = await api('POST', '/api/sys/settings/test-imap')
      return status === 200 ? body.data : [status, body.code, body.message]
    }
    expect(await test({})).toEqual({ ok: true, mailbox: 'INBOX', messages: 1 })
    const refused = (words: string) => [422, 'mailbox_unreachable', expect.stringContaining(words)]
    expect(await test({ IMAP_PASSWORD: 'wrong' })).toEqual(refused('refused the login (AUTHENTICATIONFAILED)'))
    expect(await test({ IMAP_MAILBOX: 'Nowhere/Inbox' })).toEqual(refused('no folder Nowhere/Inbox'))
    expect(await test({ IMAP_MAILBOX: null, IMAP_PORT: await freePort() })).toEqual(refused('refused the connection'))
    expect(await test({ IMAP_HOST: 'nowhere.invalid' })).toEqual(refused('nowhere.invalid, could not be resolved'))
    expect(await test({ IMAP_HOST: '10.0.0.1' })).toEqual(refused('not on the public internet'))
    expect(await test({ IMAP_ENCRYPTION: 'tls' })).toEqual(refused('certificate'))
    expect(await test({ IMAP_ENCRYPTION: 'ssl', IMAP_PORT: dovecot.tlsPort })).toEqual(refused('certificate'))
    expect(await test({ IMAP_ENCRYPTION: 'ssl' })).toEqual(refused('TLS with the mail server failed'))
    await useMailbox({ IMAP_ENCRYPTION: null, IMAP_PASSWORD: null })
    expect(await api('POST', '/api/sys/settings/fetch-imap')).toMatchObject({
      status: 422,
      body: { code: 'mailbox_not_configured', errors: { IMAP_PASSWORD: [expect.any(String)] } },
    })
  })

  it('is opened over TLS and STARTTLS, with a certificate for its name only', async () => {
    dovecot.put(user, mail(1))
    for (const transport of [{ encryption: 'tls' }, { encryption: 'ssl', port: dovecot.tlsPort }] as const) {
      const opened = await open(transport)
      expect(opened.messages).toBe(1)
      await opened.close()
      await expect(open({ ...transport, host: '127.0.0.1' })).rejects.toThrow('not for the name 127.0.0.1')
      await expect(open(transport, { loopbackAllowed: true })).rejects.toThrow('self-signed')
    }
  })
})

describe('mails', () => {
  it('that get new UIDs are not stored again; equal ones without a Message-ID are counted, with one they are one', async () => {
    const bare = (n: number) => mail(n).replace(/^Message-ID: .*\r\n/m, '')
    for (const one of [mail(1), bare(2), bare(2), mail(3)]) dovecot.put(user, one)
    await useMailbox()
    await fetchMails()
    dovecot.renumber(user)
    for (const one of [mail(4), bare(2), mail(3)]) dovecot.put(user, one)
    expect((await fetchMails()).body.data).toEqual({ fetched: 7, created: 2, skipped: 5, remaining: 0 })
    expect(await messages()).toEqual([1, 2, 2, 2, 3, 4])
  })

  it('that are removed while they are fetched are skipped', async () => {
    const files = range(3).map((n) => dovecot.put(user, mail(n)))
    const opened = await open()
    const [first = 0, second = 0, third = 0] = await opened.uids({ after: 0 })
    dovecot.remove(files[1] as string)
    expect(await opened.head(first)).toMatchObject({ uid: first })
    expect(await opened.content(second, 'all', 1000)).toBeUndefined()
    expect(await opened.head(second)).toBeUndefined()
    expect(await opened.content(third, 'headers', 1000)).toEqual(Buffer.from(mail(3).split('Mail 3')[0] as string))
    await opened.close()
  })

  it('of more than 25 MB arrive by their headers, those below whole', async () => {
    dovecot.put(user, mail(1, 'x'.repeat(30 * 1024 * 1024)))
    dovecot.put(user, mail(2, 'x'.repeat(24 * 1024 * 1024)))
    await useMailbox()
    expect((await fetchMails()).body.data).toMatchObject({ created: 2, remaining: 0 })
    expect(await messages()).toEqual([1, 2])
  })

  it('are each stored once when the connection breaks off after any number of bytes', async () => {
    for (const n of range(4)) dovecot.put(user, mail(n, 'x'.repeat(200)))
    const relay = await cutAfter(dovecot.port)
    try {
      await useMailbox({ IMAP_PORT: relay.port })
      for (let bytes = 20; bytes <= 4_000; bytes += 120) {
        relay.bytes = bytes
        await fetchMails()
      }
      relay.bytes = Infinity
      expect((await fetchMails()).status).toBe(200)
    } finally {
      relay.close()
    }
    expect(await messages()).toEqual([1, 2, 3, 4])
  })
})

describe('a mail server that hangs', () => {
  let silent: Server
  beforeAll(async () => {
    silent = createServer((socket) => socket.on('error', () => undefined))
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  })
  afterAll(() => silent?.close())

  it('without a greeting is left after some seconds', async () => {
    const from = performance.now()
    await expect(open({ port: (silent.address() as AddressInfo).port })).rejects.toThrow('sent no greeting')
    expect(performance.now() - from).toBeLessThan(10_000)
  })

  it('delays no other mailbox', async () => {
    const { port } = silent.address() as AddressInfo
    // Ids of tenants follow one another.
    for (let id = 2; id < 10; id += 1) {
      const { token } = await otherTenant(service)
      const body = { IMAP_HOST: '127.0.0.1', IMAP_PORT: port, IMAP_USERNAME: 'desk', IMAP_PASSWORD: 'secret' }
      expect((await service.api('PUT', '/api/sys/settings', { token, body })).status).toBe(200)
      await pollNow(service, { id })
    }
    for (const n of range(20)) dovecot.put(user, mail(n))
    await useMailbox()
    const from = performance.now()
    await pollNow(service)
    await expect.poll(messages).toEqual(range(20))
    // The others wait 8 s for a greeting.
    expect(performance.now() - from).toBeLessThan(5_000)
    await service.cloud.idle()
  })

  it('in the middle of a mail, or that sends it byte by byte, is left when the time is over', async () => {
    dovecot.put(user, mail(1, 'x'.repeat(100_000)))
    const relay = await cutAfter(dovecot.port, { byteByByteAfter: 5_000 })
    try {
      const from = performance.now()
      const opened = await open({ port: relay.port }, guard(), 2_000)
      await expect(opened.content(1, 'all', 1_000_000)).rejects.toThrow('did not answer in time')
      expect(performance.now() - from).toBeLessThan(3_000)
    } finally {
      relay.close()
    }
  })
})
