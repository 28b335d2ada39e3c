/** A service whose bots are on a scripted Bot API, and what people do to them, for stories. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { scriptedBotApi } from '../servers/scripted-bot-api.ts'
import { startService } from '../service.ts'

interface Chat {
  readonly id: number
}
interface Bot {
  /** Of its channel. */
  readonly id: number
  readonly token: string
  readonly name: string
}
export type BotWorld = Awaited<ReturnType<typeof openBotWorld>>

/** Every token of a bot ends so. */
export const secretPart = 'secret_of_the_bot'

export async function openBotWorld() {
  const logged: string[] = []
  const server = await scriptedBotApi()
  const service = await startService({ log: (line) => logged.push(JSON.stringify(line)) })
  let bots = 100
  let chats = 5000

  const api = (method: string, path: string, body?: unknown, as = service.admin.token) =>
    service.api(method, path, { token: as, body })

  /** A bot whose messages come in. */
  async function bot(as = service.admin.token): Promise<Bot> {
    const token = `${++bots}:AAE-${secretPart}`
    const config = { bot_token: token, api_base: server.url, retry_schedule: [0, 1, 1] }
    const channel = { name: `bot ${bots}`, direction: 'incoming', type: 'messenger', config }
    const { id } = (await api('POST', '/api/sys/channels', channel, as)).body.data
    expect((await api('POST', '/api/settings/messenger/set-webhook', { channel_id: id }, as)).status).toBe(200)
    return { id, token, name: channel.name }
  }

  const messages = async (as?: string): Promise<any[]> =>
    (await api('GET', '/api/sys/incoming_messages?channel=messenger&per_page=1000', undefined, as)).body.data
  const saidTo = (chat: Chat): string[] =>
    server.delivered.filter((one) => one.chat === String(chat.id)).map(({ text }) => text)

  return {
    service,
    server,
    logged,
    api,
    bot,
    messages,
    saidTo,
    newChat: () => ({ id: ++chats, type: 'private', first_name: 'Ada' }),
    newGroup: () => ({ id: -++chats, type: 'group', title: 'Everybody' }),
    /** What happens at a bot, until it was stored and everything behind it is done. */
    async happens(to: Bot, ...contents: readonly object[]): Promise<void> {
      for (const content of contents) server.webhooks.happen(to.token, content)
      await server.webhooks.settled()
      await service.cloud.idle()
    },
    /** The messages of a chat, oldest first. */
    ofChat: async (chat: Chat, as?: string): Promise<any[]> =>
      (await messages(as)).filter(({ from_id }) => from_id === String(chat.id)).toReversed(),
    /** Calls the webhook. */
    send: (secret: string | undefined, body: string) =>
      fetch(`${service.url}/api/messenger/webhook`, {
        method: 'POST',
        headers: { ...(secret !== undefined && { 'x-telegram-bot-api-secret-token': secret }) },
        body,
      }),
    secretOf: ({ token }: Bot): string => server.webhooks.webhookOf(token)?.secret as string,
    /** Waits until so many texts were delivered to a chat. */
    async answered(chat: Chat, count = 1): Promise<string[]> {
      for (let tries = 0; tries < 1200 && saidTo(chat).length < count; tries++) await sleep(50)
      return saidTo(chat)
    },
    isLinked: async (as: string): Promise<boolean> =>
      (await api('GET', '/api/user', undefined, as)).body.data.messenger_linked,
    linkCode: async (as: string): Promise<string> =>
      (await api('POST', '/api/user/messenger-link', undefined, as)).body.data.code,
    async stop() {
      await service.stop()
      await server.close()
    },
  }
}

/** The content of an update with a text. */
export const textOf = (chat: object, text: string, more: object = {}) => ({
  message: { message_id: 1, date: 1, from: { ...chat, is_bot: false }, chat, text, ...more },
})
