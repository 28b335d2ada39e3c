import type { Outbox } from '../outbox.ts'
import type { Webhooks } from './webhooks.ts'

/** As received: members of any type. */
export type BotParameters = Readonly<Record<string, unknown>>

/** An error as the Bot API words it. */
export class BotApiError extends Error {
  override readonly name = 'BotApiError'
  readonly status: number

  constructor(status: number, description: string) {
    super(description)
    this.status = status
  }
}

/** The limit on the text of a message (Bot API, sendMessage). */
const maxText = 4096

/** The methods of the Bot API by name. Texts go into the outbox, web addresses of bots into `webhooks`. */
export function botMethods(outbox: Pick<Outbox, 'add'>, now: () => number, webhooks: Webhooks) {
  let lastMessage = 0

  const nameOf = (bot: number) => ({ id: bot, is_bot: true, first_name: 'Local bot', username: `local_${bot}_bot` })
  const isPrivate = (chat: string): boolean => !/^[-@]/.test(chat)

  function sendMessage(bot: number, parameters: BotParameters): object {
    const chat = String(parameters['chat_id'] ?? '')
    const text = String(parameters['text'] ?? '')
    if (chat === '') throw new BotApiError(400, 'Bad Request: chat_id is empty')
    if (!/^(-?[1-9]\d{0,15}|@[A-Za-z]\w{3,})$/.test(chat)) throw new BotApiError(400, 'Bad Request: chat not found')
    if (text.trim() === '') throw new BotApiError(400, 'Bad Request: message text is empty')
    if ([...text].length > maxText) throw new BotApiError(400, 'Bad Request: message is too long')
    const message_id = ++lastMessage
    const parseMode = parameters['parse_mode']
    outbox.add({
      type: 'messenger',
      provider: 'bot-api',
      from: `bot ${bot}`,
      to: [chat],
      text,
      source: JSON.stringify(parameters, null, 2),
      meta: { message_id, ...(parseMode !== undefined && { parse_mode: String(parseMode) }) },
    })
    return {
      message_id,
      from: nameOf(bot),
      chat: chat.startsWith('@')
        ? { id: -1, username: chat.slice(1), type: 'channel' }
        : { id: Number(chat), type: isPrivate(chat) ? 'private' : 'group' },
      date: Math.floor(now() / 1000),
      text,
    }
  }

  function setWebhook(bot: number, parameters: BotParameters): true {
    const { url = '', allowed_updates, max_connections = 40, secret_token: secret = '' } = parameters
    if (url === '') return deleteWebhook(bot)
    if (!URL.canParse(String(url))) throw new BotApiError(400, 'Bad Request: bad webhook: invalid url')
    webhooks.set(bot, {
      url: String(url),
      secret: String(secret),
      allowed_updates,
      max_connections: Number(max_connections),
    })
    return true
  }

  function deleteWebhook(bot: number): true {
    webhooks.delete(bot)
    return true
  }

  function getWebhookInfo(bot: number): object {
    const { secret: _, ...shown } = webhooks.get(bot) ?? { url: '', secret: '' }
    return { has_custom_certificate: false, pending_update_count: 0, ...shown }
  }

  const methods: Readonly<Record<string, (bot: number, parameters: BotParameters) => unknown>> = {
    getme: nameOf,
    sendmessage: sendMessage,
    setwebhook: setWebhook,
    deletewebhook: deleteWebhook,
    getwebhookinfo: getWebhookInfo,
    answercallbackquery(_, { callback_query_id = '' }) {
      if (callback_query_id === '') throw new BotApiError(400, 'Bad Request: query ID is empty')
      return true
    },
    getfile(_, { file_id = '' }) {
      if (file_id === '') throw new BotApiError(400, 'Bad Request: file_id not specified')
      throw new BotApiError(400, 'Bad Request: invalid file_id')
    },
  }

  /** Calls a method, whose name may have any case. Throws BotApiError. */
  return (bot: number, method: string, parameters: BotParameters): unknown => {
    const found = methods[method.toLowerCase()]
    if (!found) throw new BotApiError(404, 'Not Found')
    return found(bot, parameters)
  }
}
