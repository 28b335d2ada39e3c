import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type Mailbox, openMailbox } from '../../make/services/mailboxes/mailbox.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

const login = { username: 'desk', password: 'secret of the desk' }
let service: TestService
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await openMailbox({ login })
  service = await sharedService()
  await makeTable(service, 'posts', [{ name: 'title', type: 'text' }])
})
afterAll(async () => {
  await service?.stop()
  await mailbox?.close()
})
beforeEach(() => {
  mailbox.script = {}
  mailbox.received.length = 0
})

const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const config = () => ({
  transport: 'smtp',
  host: '127.0.0.1',
  port: mailbox.port,
  ...login,
  encryption: 'none',
  from_address: 'desk@acme.test',
  from_name: 'Acme desk',
  retry_schedule: [0, 1, 1],
})
async function makeChannel(name: string, more: object = {}): Promise<number> {
  const made = await api('POST', '/api/sys/channels', { name, type: 'email', ...more, config: config() })
  expect(made.status).toBe(201)
  return made.body.data.id
}
/** Has a hook send a mail, and answers its delivery once it has the status. */
async function mailed(channel: number, recipients: readonly string[], status: string): Promise<any> {
  const message = { recipients, body: '<p>The lamp is <b>broken</b></p>' }
  await setHooks(service, 'posts', [['after_create', `$api.sendToChannel(${channel}, ${JSON.stringify(message)})`]])
  await api('POST', '/api/e/posts', { title: 'Lamp' })
  return eventually(async () => {
    const [one] = (await api('GET', `/api/sys/deliveries?channel_id=${channel}&status=${status}`)).body.data
    return one && deliveryOf(one.id)
  })
}
const deliveryOf = async (id: number) => (await api('GET', `/api/sys/deliveries/${id}`)).body.data
/** Polls until something is there. */
async function eventually<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (let tries = 0; tries < 900; tries++) {
    const found = await look()
    if (found) return found
    await sleep(100)
  }
  throw new Error('nothing happened for 90 s')
}
const test = (to: string) => api('POST', '/api/sys/settings/test-email', { to })

describe('a mail that a hook sends', () => {
  it('arrives through its channel, and its delivery says so', async () => {
    const delivery = await mailed(await makeChannel('mails'), ['ada@example.com'], 'delivered')
    expect(delivery).toMatchObject({ recipient: 'ada@example.com', attempt_count: 1, last_error: null })
    expect(delivery.attempts).toMatchObject([{ n: 1, outcome: 'delivered', code: '250' }])
    expect(mailbox.received).toMatchObject([{ from: 'desk@acme.test', to: ['ada@example.com'], user: 'desk' }])
    const { model, record_id: id } = delivery.source
    const mac = '[a-z2-7]{16}@acme\\.test'
    const raw = (mailbox.received[0]?.raw ?? '').replaceAll(/\r\n[ \t]+/g, ' ')
    expect(raw).toMatch(new RegExp(`^Message-ID: <${delivery.message_id}\\.\\d+\\.${model}\\.${id}\\.${mac}>\r$`, 'm'))
    expect(raw).toMatch(new RegExp(`^References: <thread\\.\\d+\\.${model}\\.${id}\\.${mac}>\r$`, 'm'))
    expect(mailbox.received[0]?.raw).toContain('<b>broken</b>')
  })

  it('is delivered at the third attempt after two answers of 451, with one Message-ID', async () => {
    mailbox.script = { refuse: { at: 'rcpt', code: 451, text: '4.7.1 greylisted', times: 2 } }
    const { attempts, status } = await mailed(await makeChannel('greylisted'), ['ada@example.com'], 'delivered')
    const refused = { outcome: 'failed', code: '451', error: 'The mail server answered 451 to RCPT.' }
    expect([status, attempts]).toMatchObject([
      'delivered',
      [
        { n: 1, ...refused, response_excerpt: '451 4.7.1 greylisted' },
        { n: 2, ...refused },
        { n: 3, outcome: 'delivered', code: '250', error: null },
      ],
    ])
    expect(mailbox.received).toHaveLength(1)
  })

  it('fails at once when the server refuses its recipient for good', async () => {
    mailbox.script = { refuse: { at: 'rcpt', code: 550, text: '5.1.1 no such user' } }
    const delivery = await mailed(await makeChannel('refused'), ['nobody@example.com'], 'failed')
    expect(delivery).toMatchObject({ attempt_count: 1, last_error: 'The mail server answered 550 to RCPT.' })
    expect(delivery.attempts).toMatchObject([{ outcome: 'refused', response_excerpt: '550 5.1.1 no such user' }])
  })

  it('goes to nobody when its address holds a second one', async () => {
    const to = 'ada@example.com\r\nRCPT TO:<eve@example.com>'
    const delivery = await mailed(await makeChannel('tricked'), [to], 'failed')
    expect([delivery.attempts, mailbox.received]).toMatchObject([[{ outcome: 'refused' }], []])
  })
})

describe('a mail through SES', () => {
  it('is the same message to exactly its recipient', async () => {
    const ses = { transport: 'ses', from_address: 'desk@acme.test', from_name: 'Acme desk' }
    const made = await api('POST', '/api/sys/channels', { name: 'ses', type: 'email', config: ses })
    const delivery = await mailed(made.body.data.id, ['ses@example.com'], 'delivered')
    expect(delivery.attempts).toMatchObject([{ outcome: 'delivered', code: '200' }])
    const listed = await fetch(`${service.url}/_local/outbox?type=mail&to=ses@example.com`, {
      headers: { accept: 'application/json' },
    })
    const { data } = (await listed.json()) as { data: { source: string }[] }
    expect(data).toMatchObject([{ provider: 'ses', from: 'Acme desk <desk@acme.test>', to: ['ses@example.com'] }])
    expect(data[0]?.source).toContain(`X-Delivery-ID: ${delivery.message_id}`)
  })
})

describe('a mail by template', () => {
  it('is rendered for its recipient, with HTML and text', async () => {
    await makeChannel('templates')
    const body = '<p>Hello {{name}}, <b>{{title}}</b> is done.</p>'
    const template = { code: 'done', name: 'Done', subject: 'Done: {{title}}', body }
    expect((await api('POST', '/api/sys/notification_templates', template)).status).toBe(201)
    await setHooks(service, 'posts', [
      ['after_create', "$api.sendEmail('done', 'ada@example.com', { name: 'Ada', title: $data.title }, 'templates')"],
    ])
    await api('POST', '/api/e/posts', { title: 'Lamp <5>\r\nBcc: eve@example.com' })
    await eventually(async () => mailbox.received.length > 0)
    const [{ raw, to }] = mailbox.received as [Mailbox['received'][0]]
    expect([to, raw.match(/^Subject: .*(?:\r\n .*)*/m)?.[0]]).toEqual([
      ['ada@example.com'],
      'Subject: Done: Lamp <5> Bcc: eve@example.com',
    ])
    expect(mailbox.textFor('ada@example.com')).toContain('Hello Ada, Lamp <5>')
    expect(raw.replaceAll('=\r\n', '')).toContain('<b>Lamp &lt;5&gt;')
  })
})

describe('the test of a mail channel', () => {
  it('sends a mail and answers what the server said', async () => {
    const id = await makeChannel('tested')
    const to = 'ada@example.com'
    expect((await api('POST', `/api/sys/channels/${id}/test`, { to })).body.data).toEqual({ ok: true, code: '250' })
    expect(mailbox.textFor(to)).toContain('A test of the channel tested.')
    mailbox.script = { refuse: { at: 'rcpt', code: 550, text: 'no' } }
    expect((await api('POST', `/api/sys/channels/${id}/test`, { to })).body.data).toEqual({
      ok: false,
      code: '550',
      error: 'The mail server answered 550 to RCPT.',
    })
    expect((await api('POST', `/api/sys/channels/${id}/test`)).body.data).toMatchObject({ ok: false })
  })
})

describe('a test mail', () => {
  it('is 422 without a channel or settings, and names what to set', async () => {
    const { status, body } = await test('ada@example.com')
    expect([status, body.errors.channel[0]]).toEqual([
      422,
      'Nothing was sent: there is no default email channel. Enable or create a default channel of type email, or set MAIL_HOST and MAIL_FROM_ADDRESS.',
    ])
  })

  it('goes through the settings, else through the default channel, and answers its delivery', async () => {
    await api('PUT', '/api/sys/settings', {
      MAIL_HOST: '127.0.0.1',
      MAIL_PORT: mailbox.port,
      MAIL_USERNAME: login.username,
      MAIL_PASSWORD: login.password,
      MAIL_FROM_ADDRESS: 'settings@acme.test',
    })
    const bySettings = await test('ada@example.com')
    expect([bySettings.status, bySettings.body.data]).toEqual([
      200,
      { delivery_id: expect.any(Number), status: 'delivered', error: null },
    ])
    await makeChannel('default', { is_default: true })
    const { delivery_id: id } = (await test('grace@example.com')).body.data
    expect(mailbox.received.map(({ from, to }) => [from, ...to])).toEqual([
      ['settings@acme.test', 'ada@example.com'],
      ['desk@acme.test', 'grace@example.com'],
    ])
    expect(await deliveryOf(id)).toMatchObject({
      status: 'delivered',
      attempt_count: 1,
      subject: 'Test mail',
      source: { user_id: service.admin.userId },
    })
    await service.cloud.idle()
    expect(mailbox.received).toHaveLength(2)
  })

  it('that fails answers why, and is tried again by itself when that may help', async () => {
    mailbox.script = { refuse: { at: 'rcpt', code: 550, text: 'no' } }
    expect((await test('ada@example.com')).body.data).toMatchObject({
      status: 'failed',
      error: 'The mail server answered 550 to RCPT.',
    })
    mailbox.script = { refuse: { at: 'rcpt', code: 451, text: 'later', times: 1 } }
    const { data } = (await test('ada@example.com')).body
    expect(data).toMatchObject({ status: 'retrying', error: 'The mail server answered 451 to RCPT.' })
    const { attempt_count: attempts } = await eventually(async () => {
      const delivery = await deliveryOf(data.delivery_id)
      return delivery.status === 'delivered' && delivery
    })
    expect(attempts).toBe(2)
  })

  it('is for administrators and one plain address', async () => {
    const { token } = await userWith(service, ['posts.read'])
    const asUser = await service.api('POST', '/api/sys/settings/test-email', { token, body: { to: 'a@example.com' } })
    expect(asUser.status).toBe(403)
    for (const to of ['ada', 'a@example.com,b@example.com', 'a@example.com\r\nBcc: b@example.com', '', 7])
      expect(
        (await service.api('POST', '/api/sys/settings/test-email', { token: service.admin.token, body: { to } })).body
          .errors,
      ).toHaveProperty('to')
  })
})
