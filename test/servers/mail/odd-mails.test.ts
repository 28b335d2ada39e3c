import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mailOf, multipart, partsOf, text, file } from '../../make/loads/mails/mail-shape.ts'
import { oddMails } from '../../make/loads/mails/odd-mails.ts'
import { type ServiceProcess, startProcess } from '../../make/services/service-process.ts'
import { type Dovecot, mailboxPassword, startDovecot } from '../support/dovecot.ts'

/* Odd mails in a mailbox, and a service that is killed while it fetches them and makes a record of each. */

const administrator = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'brass gears 1843' }
const firstMs = Date.UTC(2026, 9, 1)
const mails = [
  ...oddMails(),
  mailOf(multipart('mixed'), partsOf('b', [text('Hi'), file('large.bin', Buffer.alloc(17 * 1024 * 1024))])),
  mailOf({}, 'x\r\n'.repeat(8 * 1024 * 1024)),
]
let dovecot: Dovecot
let folder: string
let running: ServiceProcess
let token = ''

async function api(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${running.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'odd-mails-'))
  ;[dovecot, running] = await Promise.all([startDovecot(), startProcess(folder, administrator)])
  mails.forEach((mail, n) => dovecot.put('desk', mail, { at: new Date(firstMs + n * 1000) }))
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator
  token = (await api('POST', '/api/login-local', { email, password })).body.token
  const fields = { title: 'text', body: 'textarea', sent_at: 'datetime', came_at: 'datetime' }
  const table_fields = [
    ...Object.entries(fields).map(([name, type]) => ({ name, type })),
    { name: 'files', type: 'file', multiple: true },
  ]
  await api('POST', '/api/sys/entities', { name: 'requests', table_fields })
  const rule = await api('POST', '/api/sys/incoming-actions', {
    name: 'All',
    channel: 'email',
    target_model: 'requests',
    is_automatic: true,
    condition: { _or: [{ 'payload.auto': null }, { _not: { 'payload.auto': null } }] },
    field_mapping: {
      title: 'subject',
      body: 'body',
      sent_at: 'payload.date',
      came_at: 'received_at',
      files: 'attachments',
    },
  })
  if (rule.status !== 201) throw new Error(JSON.stringify(rule.body))
  const mailbox = { IMAP_HOST: '127.0.0.1', IMAP_PORT: dovecot.port, IMAP_USERNAME: 'desk' }
  await api('PUT', '/api/sys/settings', { ...mailbox, IMAP_PASSWORD: mailboxPassword })
})
afterAll(async () => {
  await running?.kill()
  await dovecot?.close()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

const fetchMails = () => api('POST', '/api/sys/settings/fetch-imap').catch(() => ({ status: 0, body: {} }))

async function everything(path: string): Promise<any[]> {
  const found: any[] = []
  for (let next: string | null = ''; next !== null;) {
    const { body } = await api('GET', `${path}per_page=50${next && `&cursor=${encodeURIComponent(next)}`}`)
    found.push(...body.data)
    next = body.meta.next_cursor
  }
  return found
}
/** The numbers of the mails that arrived at these times. */
const numbers = (times: readonly string[]): number[] =>
  times.map((time) => (Date.parse(time) - firstMs) / 1000).toSorted((a, b) => a - b)

it('makes one message and one record of each, however often it is killed', async () => {
  for (const afterMs of [900, 2_500, 4_000]) {
    const fetching = fetchMails()
    await sleep(afterMs)
    await running.kill()
    await fetching
    running = await startProcess(folder)
  }
  await expect.poll(async () => (await fetchMails()).body.data?.remaining, { timeout: 120_000, interval: 500 }).toBe(0)
  const expected = mails.map((_mail, n) => n)
  const messages = await everything('/api/sys/incoming_messages?channel=email&')
  expect(numbers(messages.map(({ received_at }) => received_at))).toEqual(expected)
  const madeOf = async () => numbers((await everything('/api/e/requests?')).map(({ data }) => data.came_at))
  await expect.poll(madeOf, { timeout: 60_000, interval: 500 }).toEqual(expected)
}, 240_000)
