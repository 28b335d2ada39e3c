import { afterAll, beforeAll, expect, it } from 'vitest'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { storeMessage } from '../../../shared/messages/incoming-messages/receive/store-message.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { startService, type TestService } from '../../make/services/service.ts'

/* What leaves with a reply by mail: its files, the mail that it answers, the signature. */

let service: TestService
let request: string

const api = async (method: string, address: string, body?: unknown) =>
  (await service.api(method, address, { token: service.admin.token, body })).body?.data

/** The newest mail as it was sent, with its lines put together. */
async function sent(): Promise<string> {
  await service.cloud.idle()
  const [mail] = ((await (await fetch(`${service.url}/_local/outbox?type=mail`)).json()) as { data: any[] }).data
  return (await fetch(`${service.url}/_local/outbox/${mail.id}/source`)).text()
}
const text = (type: string, content: string | Buffer, name: string) =>
  upload(service, { name, type, content: Buffer.from(content), size: content.length })

beforeAll(async () => {
  service = await startService({ log: () => {} })
  await makeTable(service, 'requests', [{ name: 'title', type: 'text', required: true }])
  const config = { transport: 'ses', from_address: 'desk@acme.test' }
  await api('POST', '/api/sys/channels', { name: 'mail', type: 'email', is_default: true, config })
  await api('POST', '/api/sys/incoming-actions', {
    name: 'Mails',
    channel: 'email',
    target_model: 'requests',
    is_automatic: true,
    field_mapping: { title: 'subject' },
  })
  const stored = await storeMessage(
    { store: service.store, clock, putObject: async () => {} },
    { id: 1 },
    {
      channel: 'email',
      channelId: null,
      fromName: 'Cora <b>Field</b>',
      fromEmail: 'cora@example.com',
      fromId: null,
      subject: 'Tray 2',
      mailId: '<tray@example.com>',
      body: 'Is there a manual?\n\n> as I asked before',
      payload: {},
      attachments: [],
      receivedAtMs: Date.parse('2026-07-01T22:30:00.000Z'),
    },
  )
  await service.cloud.idle()
  const { records } = await api('GET', `/api/sys/incoming_messages/${(stored as { id: number }).id}`)
  request = `/api/e/requests/${records[0].id}`
  await api('PUT', '/api/sys/settings', { TIMEZONE: 'Europe/Berlin' })
})
afterAll(() => service?.stop())

const reply = (more: object) => api('POST', `${request}/comments`, { body: 'See the manual.', send: 'email', ...more })

it('the files of a reply are parts of the mail, and the mail that it answers is quoted below', async () => {
  const file = await text('text/plain', 'Open tray 2.\n', 'manual ü.txt')
  await reply({ attachments: [file] })
  const source = await sent()
  expect(source).toContain(Buffer.from('Open tray 2.\n').toString('base64'))
  expect(source).toMatch(/Content-Disposition: attachment; filename\*0?\*?=utf-8''manual%20%C3%BC\.txt/i)
  expect(source).not.toContain('Attachments:')
  expect(source).toContain(
    [
      'See the manual.',
      '',
      'Grace Hopper',
      '',
      'On 2 July 2026, 00:30, Cora <b>Field</b> wrote:',
      '> Is there a manual?',
      '>',
      '>> as I asked before',
    ].join('\r\n'),
  )
  const html = source.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  expect(html).toContain('Cora &lt;b&gt;Field&lt;/b&gt; wrote:</div><blockquote class="gmail_quote" type="cite"')
})

it('too many bytes leave as links, which work without a session until the comment is deleted', async () => {
  const { files } = await api('GET', `${request}/reply-options`)
  expect(files).toEqual({ limit_bytes: 15_325_341, links_days: 30 })
  const large = await text('application/octet-stream', Buffer.alloc(files.limit_bytes, 7), 'large.bin')
  const one = await text('text/plain', 'x', 'one.txt')
  const { id } = await reply({ attachments: [large, one] })
  const source = (await sent()).replaceAll('=\r\n', '')
  expect(source).toContain('Files, to download until ')
  expect(source).not.toContain('Content-Disposition: attachment')
  const [first, second] = [...source.matchAll(/^http\S+\/api\/files\/sent\/\S+/gm)].map(([url]) => url)
  const got = await fetch(second as string)
  expect([got.status, got.headers.get('content-disposition'), await got.text()]).toEqual([
    200,
    expect.stringMatching(/^attachment; filename="one\.txt"/),
    'x',
  ])
  expect((await fetch(first as string, { redirect: 'manual' })).status).toBe(302)
  const [head, mac] = [(second as string).slice(0, -32), (second as string).slice(-32)]
  const changed = await fetch(`${head}${mac.startsWith('a') ? 'b' : 'a'}${mac.slice(1)}`)
  await api('DELETE', `${request}/comments/${id}`)
  const afterwards = await fetch(second as string)
  for (const refused of [changed, afterwards]) {
    expect(refused.status).toBe(404)
    expect(await refused.json()).toMatchObject({ code: 'file_not_found', message: /Ask whoever sent it/ })
  }
})

it('files that fill the mail to its limit leave inside it', async () => {
  const full = await text('application/octet-stream', Buffer.alloc(15_325_341, 7), 'full.bin')
  await reply({ attachments: [full] })
  expect((await sent()).match(/Content-Disposition: attachment; filename=full\.bin/)).not.toBe(null)
})

it('ends with the signature of the company', async () => {
  await api('PUT', '/api/sys/settings', { MAIL_SIGNATURE: 'Acme desk, {{user.name}}\n+43 1 234' })
  await reply({})
  expect(await sent()).toMatch(/See the manual\.\r\n\r\n-- \r\nAcme desk, \S.*\r\n\+43 1 234\r\n/)
  await api('PUT', '/api/sys/settings', { MAIL_SIGNATURE: null })
})

it('a comment as long as it may be, of any script, is sent whole', async () => {
  let seed = 7
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647)
  const body = Array.from({ length: 20_000 }, () => String.fromCodePoint(0x4e00 + (next() % 20_000))).join('')
  await reply({ body })
  const source = await sent()
  const encoded =
    /Content-Type: text\/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(
      source,
    )?.[1]
  expect(Buffer.from(encoded ?? '', 'base64').toString()).toContain(body)
})
