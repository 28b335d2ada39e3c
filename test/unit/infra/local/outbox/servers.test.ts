import { createConnection } from 'node:net'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openOutbox, type Outbox } from '../../../../../infra/local/outbox/outbox.ts'
import { openBotApi } from '../../../../../infra/local/outbox/servers/bot-api.ts'
import type { LoopbackServer } from '../../../../../infra/local/outbox/servers/loopback-server.ts'
import { openMailServer } from '../../../../../infra/local/outbox/servers/mail-server.ts'
import { openStorage } from '../../../../../infra/local/runtime/storage/storage.ts'

let outbox: Outbox
let server: LoopbackServer
const now = () => 1_795_000_000_000
beforeEach(async () => {
  outbox = await openOutbox({ storage: await openStorage(':memory:'), now, log: () => {} })
})
afterEach(() => server.close())

describe('the mail server', () => {
  beforeEach(async () => {
    server = await openMailServer(outbox)
  })
  const transport = (more: object = {}) => createTransport({ host: '127.0.0.1', port: server.port, ...more })

  it('keeps a mail to those of its envelope, with and without a login', async () => {
    const mail = {
      envelope: { from: 'desk@acme.test', to: ['ada@example.com'] },
      from: 'Desk <desk@acme.test>',
      to: 'Somebody <else@example.com>',
      subject: 'Invitation',
      text: 'Join us',
    }
    await transport().sendMail(mail)
    await transport({ auth: { user: 'desk', pass: 'secret of the desk' } }).sendMail(mail)
    expect(outbox.list()).toMatchObject([
      { meta: { login: 'desk' } },
      {
        type: 'mail',
        provider: 'smtp',
        from: 'Desk <desk@acme.test>',
        to: ['ada@example.com'],
        subject: 'Invitation',
        text: 'Join us',
      },
    ])
    expect(JSON.stringify(outbox.list())).not.toContain('secret of the desk')
  })

  it('takes many connections at once while its library loads', async () => {
    const subjects = Array.from({ length: 10 }, (_, index) => `mail ${index}`)
    await Promise.all(
      subjects.map((subject) => transport().sendMail({ from: 'a@b.test', to: 'c@d.test', subject, text: 'x' })),
    )
    expect(
      outbox
        .list()
        .map((entry) => entry.subject)
        .toSorted(),
    ).toEqual(subjects)
  })

  it('survives a client that hangs up, and closes while one is connected', async () => {
    const hasty = createConnection(server.port, '127.0.0.1')
    hasty.on('connect', () => hasty.resetAndDestroy())
    await transport().sendMail({ from: 'a@b.test', to: 'c@d.test', text: 'x' })
    expect(outbox.list()).toHaveLength(1)
    const idle = createConnection(server.port, '127.0.0.1').on('error', () => {})
    await new Promise((resolve) => idle.once('data', resolve))
  })
})

describe('the Bot API', () => {
  beforeEach(async () => {
    server = await openBotApi(outbox, now)
  })
  interface BotAnswer {
    readonly ok: boolean
    readonly result?: Readonly<Record<string, unknown>>
    readonly description?: string
    readonly error_code?: number
  }
  async function call(method: string, parameters?: object, bot = 'bot123:local-token') {
    const answer = await fetch(`http://127.0.0.1:${server.port}/${bot}/${method}`, {
      method: 'POST',
      ...(parameters && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(parameters) }),
    })
    return { status: answer.status, body: (await answer.json()) as BotAnswer }
  }

  it('keeps a text and answers the message', async () => {
    const { status, body } = await call('sendMessage', { chat_id: 42, text: 'Hello *Ada*', parse_mode: 'MarkdownV2' })
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        result: {
          message_id: 1,
          from: { id: 123, is_bot: true, first_name: 'Local bot', username: 'local_123_bot' },
          chat: { id: 42, type: 'private' },
          date: 1_795_000_000,
          text: 'Hello *Ada*',
        },
      },
    ])
    expect(outbox.list()).toMatchObject([
      { type: 'messenger', from: 'bot 123', to: ['42'], text: 'Hello *Ada*', meta: { parse_mode: 'MarkdownV2' } },
    ])
    expect(JSON.stringify(outbox.list())).not.toContain('local-token')
  })

  it('reads parameters of a form and of the query', async () => {
    const base = `http://127.0.0.1:${server.port}/bot1:abc/sendmessage`
    await fetch(`${base}?chat_id=-100200&text=query`)
    await fetch(base, { method: 'POST', body: new URLSearchParams({ chat_id: '7', text: 'form' }) })
    expect(outbox.list().map(({ to, text }) => [...to, text])).toEqual([
      ['7', 'form'],
      ['-100200', 'query'],
    ])
  })

  it.each([
    [{ text: 'x' }, 400, 'Bad Request: chat_id is empty'],
    [{ chat_id: 'nobody', text: 'x' }, 400, 'Bad Request: chat not found'],
    [{ chat_id: 1, text: ' ' }, 400, 'Bad Request: message text is empty'],
    [{ chat_id: 1, text: 'x'.repeat(4097) }, 400, 'Bad Request: message is too long'],
  ])('refuses the message %j as Telegram does', async (parameters, status, description) => {
    expect(await call('sendMessage', parameters)).toEqual({
      status,
      body: { ok: false, error_code: status, description },
    })
    expect(outbox.list()).toEqual([])
  })

  it('refuses malformed tokens, unknown methods and malformed JSON', async () => {
    expect((await call('getMe', {}, 'botnone')).status).toBe(401)
    expect((await call('flyToTheMoon')).status).toBe(404)
    expect((await call('getMe', {}, 'favicon')).status).toBe(404)
    const answer = await fetch(`http://127.0.0.1:${server.port}/bot1:abc/getMe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    expect(answer.status).toBe(400)
  })

  it('remembers the web address of each bot', async () => {
    const url = 'https://acme.test/hook'
    expect((await call('setWebhook', { url, allowed_updates: ['message'] })).body.result).toBe(true)
    const info = async (bot?: string) => (await call('getWebhookInfo', undefined, bot)).body.result
    expect(await info()).toMatchObject({ url, pending_update_count: 0, allowed_updates: ['message'] })
    expect((await info('bot9:other'))?.url).toBe('')
    await call('deleteWebhook')
    expect((await info())?.url).toBe('')
    expect((await call('setWebhook', { url: 'nowhere' })).status).toBe(400)
  })
})
