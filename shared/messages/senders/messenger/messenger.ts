import { say } from '../../../kernel/failures/sentence.ts'
import { maxMessengerCharacters, maxMessengerParts } from '../../../kernel/limits/messages.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import type { OpenedChannel } from '../../channels/channel.ts'
import type { Progress, Sender } from '../../deliveries/sender.ts'
import type { Outcome } from '../../deliveries/state/outcome.ts'
import type { Pace } from '../../deliveries/state/pace.ts'
import type { BotAnswer } from '../../messenger/bot-api.ts'
import { requestFailure } from '../http/request-failure.ts'
import type { SenderContext } from '../sender-context.ts'
import { splitText } from './split-text.ts'

/** Telegram takes a message a second in a chat, and is patient with one that comes a little early. */
const spacingMs = 1000
/** No part is begun later than this in an attempt. */
const maxAttemptMs = 15_000

/** The least time between two messages of a bot in one instance, whose attempts may be late together. */
const leastGapMs = 40
const maxBots = 1000

/** The limits of Telegram: 30 messages a second for a bot, of which some are left for others; 20 a minute in a group. */
const ofBot = { count: 1, windowMs: 40 }
const ofGroup = { count: 20, windowMs: 61_000 }
const ofChat = { count: 1, windowMs: spacingMs }

const noProgress: Progress = { partsAccepted: 0, accept: async () => true }

/**
 * Sends texts to chats through the Bot API of Telegram. A text that is too long for a message is sent as several, in
 * order; an attempt continues behind the parts that earlier ones delivered. The Bot API knows no idempotency: a part whose
 * answer was lost may arrive twice.
 */
export function messengerSender({
  clock,
  callBot,
  botTimeoutMs,
  unlinkChat,
}: Pick<SenderContext, 'clock' | 'callBot' | 'botTimeoutMs' | 'unlinkChat'>): Sender<'messenger'> {
  /** When each bot may send again, by its token. */
  const free = new Map<string, number>()
  async function waitForGap(token: string): Promise<void> {
    const now = clock.now()
    const atMs = Math.max(now, free.get(token) ?? 0)
    if (free.size > maxBots) free.clear()
    free.set(token, atMs + leastGapMs)
    if (atMs > now) await clock.sleep(atMs - now)
  }

  /** Sends one part; a group that became a supergroup has a new id. */
  async function sendPart(config: OpenedChannel<'messenger'>['config'], chat: string, text: string) {
    await waitForGap(config.bot_token)
    const answer = await callBot(config, 'sendMessage', { chat_id: chat, text })
    const { movedToChat } = answer
    if (movedToChat === undefined) return { answer, chat }
    return { answer: await callBot(config, 'sendMessage', { chat_id: movedToChat, text }), chat: movedToChat }
  }

  return {
    paceOf: ({ recipient, body }, partsAccepted): Pace => ({
      parts: Math.min(Math.max(partsOf(body).length - partsAccepted, 1), maxMessengerParts),
      spacingMs,
      channel: ofBot,
      recipient: isPrivate(recipient) ? ofChat : ofGroup,
    }),

    async send({ tenant, recipient, body }, { config }, { partsAccepted, accept } = noProgress) {
      const parts = partsOf(body)
      const problem = problemOf(recipient, parts)
      if (problem !== undefined) return { kind: 'refused', by: 'service', error: problem }
      const startMs = clock.now()
      const first = Math.min(partsAccepted, parts.length - 1)
      let chat = recipient
      for (let n = first; ; n++) {
        await clock.sleep(Math.max(0, startMs + (n - first) * spacingMs - clock.now()))
        if (clock.now() - startMs > maxAttemptMs)
          return {
            kind: 'failed',
            error: `The Bot API is slow: it took ${n} of ${parts.length} parts; the others follow.`,
          }
        let answer: BotAnswer
        try {
          ;({ answer, chat } = await sendPart(config, chat, parts[n] as string))
        } catch (cause) {
          return requestFailure(cause, botTimeoutMs)
        }
        if (isLost(answer)) await mayFail('unlink a chat', () => unlinkChat(tenant, recipient))
        const outcome = outcomeOf(answer)
        if (outcome.kind !== 'delivered' || n + 1 === parts.length) return outcome
        if (!(await accept(n + 1))) return { kind: 'failed', by: 'service', error: 'Another attempt has taken over.' }
      }
    },
  }
}

const partsOf = (body: string): string[] => splitText(body.toWellFormed(), maxMessengerCharacters)

/** Private chats have positive ids; groups negative ones, and channels names. */
const isPrivate = (chat: string): boolean => /^\d/.test(chat)

function problemOf(recipient: string, parts: readonly string[]): string | undefined {
  if (!/^(-?[1-9]\d{0,19}|@\w{4,64})$/.test(recipient))
    return `${JSON.stringify(recipient.slice(0, 100))} is not the id of a chat, such as 123456789 or -1001234567890.`
  if (parts.length === 0) return 'A message needs a text.'
  if (parts.length > maxMessengerParts)
    return `The text would be ${parts.length} messages, and ${maxMessengerParts} are allowed (${maxMessengerCharacters} characters each): shorten it.`
  return undefined
}

/** Whether the chat will take no message of this bot any more: blocked, kicked, or its user is deactivated. */
const isLost = ({ status, description }: BotAnswer): boolean =>
  status === 403 && /blocked|kicked|deactivated/i.test(description)

const messageIdOf = (result: unknown): string => {
  const { message_id: id } = (result ?? {}) as { message_id?: unknown }
  return typeof id === 'number' ? `message_id ${id}` : ''
}

function outcomeOf({ status, isOk, result, description, retryAfterMs }: BotAnswer): Outcome {
  const answer = { code: String(status), excerpt: isOk ? messageIdOf(result) : description }
  if (isOk) return { kind: 'delivered', ...answer }
  const said = description === '' ? '' : `: ${description}`
  switch (status) {
    case 400:
      return { kind: 'refused', by: 'receiver', error: `The Bot API refused the message${said}.`, ...answer }
    case 401:
    case 404:
      return {
        kind: 'failed',
        error: `The Bot API does not know the bot (${status}): enter the current token of BotFather in config.bot_token, and check config.api_base.`,
        ...answer,
      }
    case 403:
      return { kind: 'refused', by: 'receiver', error: say('chat_refused', { said }).message, ...answer }
    case 429:
      return {
        kind: 'failed',
        error: `The Bot API asked the bot to pause${said}.`,
        pausesChannel: true,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
        ...answer,
      }
    default:
      return { kind: 'failed', error: `The Bot API answered ${status}${said}.`, ...answer }
  }
}
