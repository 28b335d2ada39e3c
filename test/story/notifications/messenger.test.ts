import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { linkChat } from '../../../shared/messages/messenger/link-chat.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type BotCall, type BotScript, scriptedBotApi } from '../../make/services/servers/scripted-bot-api.ts'
import { scriptedReceiver } from '../../make/services/servers/scripted-receiver.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { everyItem } from '../../make/services/stores/whole-store.ts'

const token = '4711:AAE-secret_of_the_bot'
const acme = { id: 1 }
let service: TestService
let server: Awaited<ReturnType<typeof scriptedBotApi>>
let gateway: Awaited<ReturnType<typeof scriptedReceiver>>
let script: ((call: BotCall) => BotScript) | undefined
const logged: string[] = []

const api = (method: string, path: string, body?: unknown, as = service.admin.token) =>
  service.api(method, path, { token: as, body })
const hook = (text: string) => setHooks(service, 'posts', [['after_create', text]])
const post = async () => (await api('POST', '/api/e/posts', { title: 'Lamp' })).body.data
const deliveriesOf = async (query: string): Promise<any[]> =>
  (await api('GET', `/api/sys/deliveries?${query}`)).body.data
const isLinked = async (as: string) => (await api('GET', '/api/user', undefined, as)).body.data.messenger_linked

/** Polls until all deliveries of a record have ended, oldest first. */
async function ended(recordId: number, count = 1): Promise<any[]> {
  for (let tries = 0; tries < 900; tries++) {
    const found = await deliveriesOf(`model=posts&record_id=${recordId}`)
    if (found.length === count && found.every(({ status }) => status === 'delivered' || status === 'failed'))
      return found.toReversed()
    await sleep(100)
  }
  throw new Error(`not ended: ${JSON.stringify(await deliveriesOf(`model=posts&record_id=${recordId}`))}`)
}

/** What the bot does with `/start <code>` of a chat. */
const start = (code: string, chatId: string, tenant = acme) =>
  linkChat({ store: service.store, clock }, tenant, code, chatId)
const linkOf = async (as: string) => (await api('POST', '/api/user/messenger-link', undefined, as)).body.data
const linked = async (chatId: string) => {
  const user = await userWith(service, [])
  expect(await start((await linkOf(user.token)).code, chatId)).toEqual({ kind: 'linked', userId: user.id })
  return user
}

beforeAll(async () => {
  server = await scriptedBotApi({ script: (_, call) => script?.(call) })
  gateway = await scriptedReceiver(() => ({ status: 202 }))
  service = await startService({ log: (line) => logged.push(JSON.stringify(line)) })
  await makeTable(service, 'posts', [{ name: 'title', type: 'text' }])
  const retry_schedule = [0, 1, 1]
  const channels = [
    ['desk', 'messenger', true, { bot_token: token, api_base: server.url, retry_schedule }],
    ['texts', 'sms', true, { provider: 'http', url: gateway.url, sender_id: 'ACME', retry_schedule }],
  ] as const
  for (const [name, type, is_default, config] of channels)
    await api('POST', '/api/sys/channels', { name, type, is_default, config })
})
afterEach(() => {
  script = undefined
})
afterAll(async () => {
  await service?.stop()
  await server?.close()
  await gateway?.close()
})

describe('the link of a chat', () => {
  it('is made by a code that the user sends to the bot, once', async () => {
    const user = await userWith(service, [])
    expect(await isLinked(user.token)).toBe(false)
    const link = await linkOf(user.token)
    expect(link).toEqual({
      code: expect.stringMatching(/^[\w-]{22}$/),
      url: `https://t.me/desk_bot?start=${link.code}`,
      expires_at: expect.any(String),
    })
    expect(await start(link.code, '501')).toEqual({ kind: 'linked', userId: user.id })
    expect(await isLinked(user.token)).toBe(true)
    expect(await start(link.code, '502')).toEqual({ kind: 'unknown code' })

    expect((await api('DELETE', '/api/user/messenger-link', undefined, user.token)).status).toBe(204)
    expect(await isLinked(user.token)).toBe(false)
    expect((await api('DELETE', '/api/user/messenger-link', undefined, user.token)).status).toBe(204)
  })

  it('belongs to the person: not to an administrator who acts as them, and not to programs', async () => {
    const user = await userWith(service, [])
    const acting = (await api('POST', `/api/impersonate/${user.id}`)).body.token
    const key = (await api('POST', '/api/sys/api-keys', { name: 'script', roles: [user.role] })).body.data.token
    for (const as of [acting, key])
      for (const method of ['POST', 'DELETE'])
        expect((await api(method, '/api/user/messenger-link', undefined, as)).status).toBe(403)
  })

  it('is of one tenant, where no other bot is asked', async () => {
    const other = await otherTenant(service)
    const link = await linkOf(other.token)
    expect(link.url).toBeNull()
    expect(await start(link.code, '503')).toEqual({ kind: 'unknown code' })
  })

  it('goes with the person', async () => {
    const user = await linked('504')
    expect((await api('POST', `/api/sys/users/${user.id}/erase`)).status).toBe(202)
    await service.cloud.idle()
    const rows = (await everyItem(service)).filter(({ kind }) => kind === 'messenger_chat')
    expect(rows.filter(({ user_id }) => user_id === user.id)).toEqual([])
    await linked('504')
  })
})

describe('sendMessenger', () => {
  it('reaches users with a linked chat, and says why it reaches no others', async () => {
    const [ada, other] = [await linked('601'), await userWith(service, [])]
    await hook(`$api.sendMessenger('New: ' + $data.title, [${ada.id}, ${other.id}])`)
    const { id } = await post()
    const [reached, unreached] = await ended(id, 2)
    expect(reached).toMatchObject({
      channel_type: 'messenger',
      recipient: '601',
      body: 'New: Lamp',
      status: 'delivered',
      attempt_count: 1,
    })
    expect(unreached).toMatchObject({
      status: 'failed',
      attempt_count: 0,
      last_error: `The user ${other.id} has linked no chat of the messenger.`,
    })
    expect(server.delivered.filter(({ chat }) => chat === '601')).toMatchObject([{ token, text: 'New: Lamp' }])
  })

  it('unlinks a chat that has blocked the bot', async () => {
    const user = await linked('602')
    script = () => ({ status: 403, description: 'Forbidden: bot was blocked by the user' })
    await hook(`$api.sendMessenger('Hi', [${user.id}])`)
    const [refused] = await ended((await post()).id)
    expect(refused).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      last_error: expect.stringContaining('blocked'),
    })
    expect(await isLinked(user.token)).toBe(false)
    const [unlinked] = await ended((await post()).id)
    expect(unlinked).toMatchObject({ attempt_count: 0, last_error: expect.stringContaining('linked no chat') })
  })

  it('is tried again after a failure, and sends a long text in order', async () => {
    const user = await linked('603')
    let failures = 1
    script = ({ text }) => (text.startsWith('b') && failures-- > 0 ? { status: 500, description: 'down' } : undefined)
    await hook(`$api.sendMessenger('a'.repeat(4096) + 'b'.repeat(100), [${user.id}])`)
    const [one] = await ended((await post()).id)
    expect(one).toMatchObject({ status: 'delivered', attempt_count: 2 })
    expect(server.delivered.filter(({ chat }) => chat === '603').map(({ text }) => text[0])).toEqual(['a', 'b'])
  })
})

describe('replyMessenger and sendToChannel', () => {
  it('send to chats by their ids', async () => {
    const { id: channel } = (await api('GET', '/api/sys/channels')).body.data.find((one: any) => one.name === 'desk')
    await hook(
      `$api.replyMessenger(701, 'Yes'); $api.sendToChannel(${channel}, { recipients: [702, '-703'], body: 'All' })`,
    )
    const found = await ended((await post()).id, 3)
    expect(new Set(found.map(({ status, recipient, body }) => `${status} ${recipient} ${body}`))).toEqual(
      new Set(['delivered 701 Yes', 'delivered 702 All', 'delivered -703 All']),
    )
  })
})

describe('sendSms', () => {
  it('reaches the gateway of the channel, and names a number that is none', async () => {
    await hook("$api.sendSms(['+49 151 12345678', '0151'], 'Ready: ' + $data.title)")
    const [sent, refused] = await ended((await post()).id, 2)
    expect(sent).toMatchObject({ channel_type: 'sms', status: 'delivered', recipient: '+49 151 12345678' })
    expect(refused).toMatchObject({ status: 'failed', last_error: expect.stringContaining('"0151"') })
    expect(gateway.received.map(({ body }) => JSON.parse(body))).toEqual([
      { id: sent.message_id, to: '+4915112345678', text: 'Ready: Lamp', sender_id: 'ACME' },
    ])
  })
})

describe('on one machine', () => {
  it('bots without an address of their own and SMS through SNS arrive in the outbox', async () => {
    const made = [
      { name: 'local bot', type: 'messenger', config: { bot_token: token } },
      { name: 'aws', type: 'sms', config: { provider: 'sns', sender_id: 'ACME' } },
    ]
    for (const channel of made) expect((await api('POST', '/api/sys/channels', channel)).status).toBe(201)
    const { id: channel } = (await api('GET', '/api/sys/channels')).body.data.find(
      (one: any) => one.name === 'local bot',
    )
    await hook(
      `$api.sendToChannel(${channel}, { recipients: [710], body: 'To the bot' }); $api.sendSms('+49 151 12345670', 'By SNS', 'aws')`,
    )
    const found = await ended((await post()).id, 2)
    expect(found.map(({ status, last_error }) => [status, last_error])).toEqual([
      ['delivered', null],
      ['delivered', null],
    ])
    const [bot] = service.cloud.outbox.list({ type: 'messenger', to: '710' })
    expect(bot).toMatchObject({ provider: 'bot-api', text: 'To the bot' })
    const [sms] = service.cloud.outbox.list({ type: 'sms', to: '12345670' })
    expect(sms).toMatchObject({ provider: 'sns', from: 'ACME', to: ['+4915112345670'], text: 'By SNS' })
  })
})

describe('a test of a channel', () => {
  it.each([
    ['desk', '801'],
    ['texts', '+49 151 12345679'],
  ])('needs a recipient: %s', async (name, to) => {
    const { id } = (await api('GET', '/api/sys/channels')).body.data.find((one: any) => one.name === name)
    const without = await api('POST', `/api/sys/channels/${id}/test`)
    expect([without.status, without.body.errors]).toEqual([422, { to: [expect.stringContaining('required')] }])
    const { body } = await api('POST', `/api/sys/channels/${id}/test`, { to })
    expect(body.data).toMatchObject({ ok: true })
    const texts = [
      ...server.delivered.map(({ text }) => text),
      ...gateway.received.map((one) => JSON.parse(one.body).text),
    ]
    expect(texts).toContain(`A test of the channel ${name}.`)
  })
})

it('the token of the bot is in no log, no answer, no row and no outbox', async () => {
  script = () => ({ status: 401, description: `Unauthorized: bot${token}` })
  await hook("$api.replyMessenger(901, 'x')")
  const [failed] = await ended((await post()).id)
  const { body } = await api('GET', `/api/sys/deliveries/${failed.id}`)
  expect(body.data.attempts).toHaveLength(3)
  const everywhere = [...logged, JSON.stringify([body, await everyItem(service), service.cloud.outbox.list()])]
  expect(everywhere.filter((text) => text.includes('secret_of_the_bot'))).toEqual([])
})

describe('a notification', () => {
  it('goes to the messenger, besides the bell, where its user wants that for the category', async () => {
    const [wants, other] = [await linked('771'), await linked('772')]
    const preferences = { notifications: { message: { messenger: true } } }
    expect((await api('PUT', '/api/user/preferences', preferences, wants.token)).status).toBe(200)
    await hook(`$api.sendPushNotification('Lamp', 'It is dark.', [${wants.id}, ${other.id}], 'message')`)
    const { id } = await post()
    expect(await ended(id)).toMatchObject([{ recipient: '771', status: 'delivered' }])
    expect(server.calls.filter(({ chat }) => chat === '771').map(({ text }) => text)).toEqual(['Lamp\n\nIt is dark.'])
    expect(server.calls.filter(({ chat }) => chat === '772')).toEqual([])
    for (const { token: as } of [wants, other])
      expect((await api('GET', '/api/notifications', undefined, as)).body.data).toMatchObject([{ title: 'Lamp' }])
  })
})
