import { afterEach, describe, expect, it } from 'vitest'
import { clock } from '../../../../../../shared/kernel/time/clock.ts'
import type { OpenedChannel } from '../../../../../../shared/messages/channels/channel.ts'
import { botApi, botApiLimits } from '../../../../../../shared/messages/messenger/bot-api.ts'
import { messengerSender } from '../../../../../../shared/messages/senders/messenger/messenger.ts'
import { guardedRequests } from '../../../../../../shared/platform/net/guarded-request.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { type BotCall, type BotScript, scriptedBotApi } from '../../../../../make/services/servers/scripted-bot-api.ts'

const token = '4711:AAE-secret_of_the_bot'
const message = (body: string, recipient = '900') => ({
  id: 'msg_1_0',
  tenant: { id: 1, slug: 'acme' },
  recipient,
  createdAt: '2026-11-20T08:00:00.000Z',
  body,
})

const servers: Awaited<ReturnType<typeof scriptedBotApi>>[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function bot(
  script: (n: number, call: BotCall) => BotScript = () => undefined,
  { bot_token = token, timeoutMs = 500 } = {},
) {
  const time = frozenClock()
  const server = await scriptedBotApi({ script, now: time.now })
  servers.push(server)
  const unlinked: string[] = []
  const sender = messengerSender({
    botTimeoutMs: botApiLimits.timeoutMs,
    clock: time,
    callBot: botApi({ send: guardedRequests({ ...botApiLimits, timeoutMs, allowLoopback: true }), base: server.url }),
    unlinkChat: async (_, chat) => void unlinked.push(chat),
  })
  const channel: OpenedChannel<'messenger'> = { id: 3, name: 'desk', config: { bot_token }, signingSecrets: [] }
  return { ...server, sender, channel, unlinked, time }
}

describe('a text', () => {
  it('is sent to the chat as it is, without formatting', async () => {
    const { sender, channel, calls } = await bot()
    expect(await sender.send(message('*Lämp* <b>'), channel)).toEqual({
      kind: 'delivered',
      code: '200',
      excerpt: 'message_id 1',
    })
    expect(calls).toMatchObject([{ token, method: 'sendMessage', chat: '900', text: '*Lämp* <b>' }])
  })

  it('goes to the server of its channel when it names one', async () => {
    const [own, other] = [await bot(), await bot()]
    await own.sender.send(message('hi'), { ...own.channel, config: { bot_token: token, api_base: `${other.url}/` } })
    expect([own.calls.length, other.calls.length]).toEqual([0, 1])
  })

  it('that is too long for a message is sent as several, in order and a second apart', async () => {
    const { sender, channel, delivered, exceeded } = await bot()
    const text = ['one ', 'two ', 'three '].map((word) => word.repeat(900).trim()).join('\n\n')
    expect(await sender.send(message(text), channel)).toMatchObject({ kind: 'delivered' })
    expect(delivered.map((one) => one.text.slice(0, 5))).toEqual(['one o', 'two t', 'three', 'three'])
    expect(
      delivered
        .map((one) => one.text)
        .join(' ')
        .split(/\s+/),
    ).toEqual(text.split(/\s+/))
    expect(exceeded).toEqual([])
  })

  it('goes on behind the parts that were accepted before', async () => {
    const { sender, channel, delivered } = await bot((n) =>
      n === 2 ? { status: 500, description: 'down' } : undefined,
    )
    const text = `${'a'.repeat(4096)}${'b'.repeat(4096)}${'c'.repeat(10)}`
    let partsAccepted = 0
    const accept = async (parts: number) => {
      partsAccepted = parts
      return true
    }
    expect(await sender.send(message(text), channel, { partsAccepted, accept })).toMatchObject({ kind: 'failed' })
    expect(partsAccepted).toBe(1)
    expect(sender.paceOf?.(message(text), partsAccepted).parts).toBe(2)
    expect(await sender.send(message(text), channel, { partsAccepted, accept })).toMatchObject({ kind: 'delivered' })
    expect(delivered.map((one) => one.text[0])).toEqual(['a', 'b', 'c'])
  })

  it('stops when another attempt has taken over', async () => {
    const { sender, channel, delivered } = await bot()
    const progress = { partsAccepted: 0, accept: async () => false }
    expect(await sender.send(message('x'.repeat(5000)), channel, progress)).toMatchObject({ kind: 'failed' })
    expect(delivered).toHaveLength(1)
  })

  it.each([
    ['', '900', 'needs a text'],
    [' \n ', '900', 'needs a text'],
    ['x'.repeat(40_961), '900', '11 messages, and 10 are allowed'],
    ['hi', 'ada@example.com', '"ada@example.com" is not the id of a chat'],
    ['hi', '', '"" is not the id of a chat'],
    ['hi', '-', '"-" is not'],
  ])('is refused when it is %j to %j', async (text, chat, error) => {
    const { sender, channel, calls } = await bot()
    const outcome = await sender.send(message(text, chat), channel)
    expect(outcome).toEqual({ kind: 'refused', by: 'service', error: expect.stringContaining(error) })
    expect(calls).toEqual([])
  })
})

describe('the outcome', () => {
  it.each([
    [400, 'Bad Request: chat not found', 'refused'],
    [403, 'Forbidden: bot was blocked by the user', 'refused'],
    [401, 'Unauthorized', 'failed'],
    [404, 'Not Found', 'failed'],
    [409, 'Conflict', 'failed'],
    [500, 'Internal Server Error', 'failed'],
    [502, 'Bad Gateway', 'failed'],
  ])('of %i %s is %s', async (status, description, kind) => {
    const { sender, channel } = await bot(() => ({ status, description }))
    expect(await sender.send(message('hi'), channel)).toMatchObject({
      kind,
      code: String(status),
      excerpt: description,
    })
  })

  it('of a wrong token says what to enter', async () => {
    const { sender, channel } = await bot(() => ({ status: 401, description: 'Unauthorized' }))
    expect(await sender.send(message('hi'), channel)).toMatchObject({
      error: expect.stringContaining('config.bot_token'),
    })
  })

  it('of too many requests pauses the channel for as long as the bot is asked to', async () => {
    const { sender, channel } = await bot(() => ({
      status: 429,
      description: 'Too Many Requests: retry after 35',
      parameters: { retry_after: 35 },
    }))
    expect(await sender.send(message('hi'), channel)).toMatchObject({
      kind: 'failed',
      pausesChannel: true,
      retryAfterMs: 35_000,
    })
  })

  it.each([
    ['Forbidden: bot was blocked by the user', ['900']],
    ['Forbidden: bot was kicked from the group chat', ['900']],
    ['Forbidden: user is deactivated', ['900']],
    ["Forbidden: bot can't initiate conversation with a user", []],
  ])('%s unlinks the chat: %j', async (description, chats) => {
    const { sender, channel, unlinked } = await bot(() => ({ status: 403, description }))
    await sender.send(message('hi'), channel)
    expect(unlinked).toEqual(chats)
  })

  it('of a group that became a supergroup is that of its new id', async () => {
    const parameters = { migrate_to_chat_id: -10042 }
    const upgraded = { status: 400, description: 'Bad Request: group chat was upgraded', parameters }
    const { sender, channel, calls } = await bot((_, { chat }) => (chat === '-42' ? upgraded : undefined))
    expect(await sender.send(message('x'.repeat(5000), '-42'), channel)).toMatchObject({ kind: 'delivered' })
    expect(calls.map(({ chat }) => chat)).toEqual(['-42', '-10042', '-10042'])
  })

  it('of an answer that is lost, late or no answer of the Bot API is failed', async () => {
    const dropped = await bot(() => ({ drop: true }))
    expect(await dropped.sender.send(message('hi'), dropped.channel)).toMatchObject({ kind: 'failed' })
    const slow = await bot(() => ({ delayMs: 300 }), { timeoutMs: 50 })
    expect(await slow.sender.send(message('hi'), slow.channel)).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('did not answer'),
    })
    const portal = botApi({ send: async () => ({ status: 200, headers: {}, excerpt: '<html>' }) })
    const sender = messengerSender({
      botTimeoutMs: botApiLimits.timeoutMs,
      clock,
      callBot: portal,
      unlinkChat: async () => undefined,
    })
    expect(await sender.send(message('hi'), slow.channel)).toMatchObject({ kind: 'failed', code: '200' })
  })

  it.each([`Unauthorized: ${token}`, `Not Found /bot${token}/sendMessage`])(
    'never holds the token, even when the server answers %s',
    async (description) => {
      for (const status of [400, 401, 403, 429, 500]) {
        const { sender, channel } = await bot(() => ({ status, description }))
        expect(JSON.stringify(await sender.send(message('hi'), channel))).not.toContain('secret_of_the_bot')
      }
    },
  )

  it.each(['', '4711', '4711:a/../x', '4711:a b', 'https://evil.example'])(
    'of the token %j is failed, and nothing is sent',
    async (bot_token) => {
      const { sender, channel, calls } = await bot(() => undefined, { bot_token })
      expect(await sender.send(message('hi'), channel)).toMatchObject({ kind: 'failed', code: '401' })
      expect(calls).toEqual([])
    },
  )

  it('of a server on a private network is refused', async () => {
    const { sender, channel } = await bot()
    const config = { bot_token: token, api_base: 'http://169.254.169.254' }
    expect(await sender.send(message('hi'), { ...channel, config })).toMatchObject({ kind: 'refused', by: 'service' })
  })
})
