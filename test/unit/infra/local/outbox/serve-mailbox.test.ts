import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveMailbox } from '../../../../../infra/local/outbox/page/serve-mailbox.ts'
import { type Mailboxes, openMailboxes } from '../../../../../infra/local/outbox/servers/imap/mailboxes.ts'
import { openStorage } from '../../../../../infra/local/runtime/storage/storage.ts'

let server: Server
let mailboxes: Mailboxes
beforeEach(async () => {
  mailboxes = openMailboxes(await openStorage(':memory:'), Date.now)
  server = createServer(serveMailbox({ find: () => undefined }, mailboxes)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => void server.close())

async function send(body: string | Buffer, query = '', headers: Readonly<Record<string, string>> = {}) {
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/_local/mailbox${query}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', ...headers },
    body: new Uint8Array(Buffer.from(body)),
  })
  return {
    status: answer.status,
    body: (await answer.json()) as { message?: string; data?: { mailboxes: { to: string }[] } },
  }
}
const kept = async (address: string) => (await mailboxes.list(address)).map(({ source }) => source.toString('latin1'))

describe('a mail that is handed over as it is', () => {
  it('is in the mailbox of each recipient once, byte for byte', async () => {
    const mail = Buffer.concat([
      Buffer.from('From: a@b.test\r\nTo: Desk <desk@c.test>, team: x@c.test, y@c.test;\r\n'),
      Buffer.from('Cc: DESK@c.test\r\nBcc: =?utf-8?Q?J=C3=B6rg?= <z@c.test>\r\nSubject: x\r\n\r\n'),
      Buffer.from([0xff, 0x00, 0xfe, 0x0d, 0x0a]),
    ])
    const { status, body } = await send(mail)
    expect([status, body.data?.mailboxes.map(({ to }) => to)]).toEqual([
      201,
      ['desk@c.test', 'x@c.test', 'y@c.test', 'z@c.test'],
    ])
    for (const address of ['desk@c.test', 'x@c.test', 'y@c.test', 'z@c.test'])
      expect(await kept(address)).toEqual([mail.toString('latin1')])
  })

  it('is in the named mailbox alone', async () => {
    const answer = await send('From: a@b.test\r\nTo: real@company.test\r\n\r\nHello', '?to=support@demo.example')
    expect(answer).toMatchObject({ status: 201, body: { data: { to: 'support@demo.example', uid: 1 } } })
    expect([await kept('real@company.test'), await kept('support@demo.example')]).toMatchObject([[], [{}]])
  })

  it.each([
    ['with the line ends of Unix', 'From: a@b.test\nTo: c@d.test\n\nHello\nAda\n'],
    ['from an mbox file', 'From a@b.test Wed Nov 25 02:11:09 2026\nFrom: a@b.test\nTo: c@d.test\n\nHello\nAda\n'],
    ['with a byte order mark', '\ufeffFrom: a@b.test\r\nTo: c@d.test\r\n\r\nHello\r\nAda\r\n'],
  ])('%s is kept as a mail server shows it', async (_, mail) => {
    expect((await send(mail)).status).toBe(201)
    expect(await kept('c@d.test')).toEqual(['From: a@b.test\r\nTo: c@d.test\r\n\r\nHello\r\nAda\r\n'])
  })

  it.each([
    ['nothing', '', '', /^This is no mail/],
    ['a text', 'Hello\nAda\n', '', /^This is no mail/],
    ['a mail whose lines were lost', 'From: a@b.test To: c@d.test', '?to=c@d.test', /Send the file as it is\.$/],
    ['a mail for nobody', 'From: a@b.test\n\nHello', '', /^The mail names no recipient .* \?to=/],
    ['a mailbox without a domain', 'From: a@b.test\n\nHello', '?to=desk', /^to: "desk" is no mail address/],
    [
      'many recipients',
      `To: ${Array.from({ length: 51 }, (_, at) => `a${at}@b.test`).join()}\n\n`,
      '',
      /51 recipients/,
    ],
  ])('is refused when it is %s', async (_, mail, query, message) => {
    expect(await send(mail, query)).toEqual({
      status: 422,
      body: { success: false, code: 'validation_failed', message: expect.stringMatching(message) },
    })
  })

  it('is refused over 25 MB, and from pages of other sites', async () => {
    const mail = 'From: a@b.test\nTo: c@d.test\n\n'
    expect((await send(mail + 'x'.repeat(25 * 1024 * 1024))).status).toBe(413)
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1'])
      expect((await send(mail, '', { 'content-type': 'text/plain', origin })).status).toBe(403)
    expect(await kept('c@d.test')).toEqual([])
    const { port } = server.address() as AddressInfo
    expect((await send(mail, '', { origin: `http://127.0.0.1:${port}` })).status).toBe(201)
  })
})
