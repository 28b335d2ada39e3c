import * as z from 'zod'
import type { SendGuarded } from '../../platform/net/guarded-request.ts'
import type { OpenedChannel } from '../channels/channel.ts'

/** How long one call may take, and how large its answer may be: it holds the whole text that was sent. */
export const botApiLimits = { timeoutMs: 10_000, maxAnswerBytes: 64 * 1024 } as const

const defaultBase = 'https://api.telegram.org'

/** The configuration of a channel: the bot, and the server of the Bot API if it is not that of Telegram. */
type Bot = Pick<OpenedChannel<'messenger'>['config'], 'bot_token' | 'api_base'>

/** What the Bot API answered. */
export interface BotAnswer {
  readonly status: number
  readonly isOk: boolean
  readonly result?: unknown
  /** What went wrong. */
  readonly description: string
  /** For how long the bot may send nothing. */
  readonly retryAfterMs?: number
  /** The new id of a group that became a supergroup. */
  readonly movedToChat?: string
}

/**
 * Calls a method of the Bot API (https://core.telegram.org/bots/api). Answers every answer, also a refusal; throws the
 * errors of `SendGuarded`. The token, which is a part of the address, is in neither.
 */
export type CallBot = (bot: Bot, method: string, parameters: object) => Promise<BotAnswer>

const Answer = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().optional(),
  parameters: z
    .object({
      retry_after: z.number().min(0).optional(),
      migrate_to_chat_id: z.union([z.int(), z.string()]).optional(),
    })
    .optional(),
})

/** A token as BotFather makes it: the id of the bot and a secret. Anything else could change the address. */
const tokenShape = /^\d{1,20}:[\w-]{3,200}$/

/** `base`: the server of channels that name none. */
export const botApi =
  ({ send, base = defaultBase }: { readonly send: SendGuarded; readonly base?: string | undefined }): CallBot =>
  async ({ bot_token: token, api_base: ownBase = base }, method, parameters) => {
    if (!tokenShape.test(token))
      return { status: 401, isOk: false, description: 'the token is not one that BotFather makes' }
    const body = JSON.stringify(parameters)
    const { status, excerpt } = await send({
      method: 'POST',
      url: `${ownBase.replace(/\/+$/, '')}/bot${token}/${method}`,
      headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) },
      body,
    })
    const said = Answer.safeParse(jsonOf(excerpt)).data
    const { retry_after: seconds, migrate_to_chat_id: movedTo } = said?.parameters ?? {}
    return {
      status,
      isOk: status === 200 && said?.ok === true,
      result: said?.result,
      description: (said?.description ?? '').replaceAll(token, '***').slice(0, 500).toWellFormed(),
      ...(seconds !== undefined && { retryAfterMs: seconds * 1000 }),
      ...(movedTo !== undefined && { movedToChat: String(movedTo) }),
    }
  }

/**
 * The address of a file of a bot, by the path that `getFile` answered; undefined for a token or a path that would lead
 * elsewhere. It holds the token: it belongs into no log.
 */
export type BotFileAddress = (bot: Bot, path: string) => string | undefined

export const botFileAddresses =
  (base: string = defaultBase): BotFileAddress =>
  ({ bot_token: token, api_base: ownBase = base }, path) => {
    if (!tokenShape.test(token) || !/^[\w./ -]{1,500}$/.test(path) || path.split('/').includes('..')) return undefined
    return `${ownBase.replace(/\/+$/, '')}/file/bot${token}/${path.split('/').map(encodeURIComponent).join('/')}`
  }

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
