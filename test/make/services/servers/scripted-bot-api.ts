/** The Bot API of Telegram on this machine: keeps the limits of the real one, and fails as a test says. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { botWebhooks } from './bot-webhooks.ts'

export interface BotCall {
  readonly token: string
  readonly method: string
  readonly chat: string
  readonly text: string
  /** All of them. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly atMs: number
}

/** A file that somebody sent to a bot. */
export interface BotFile {
  readonly path: string
  readonly bytes: Uint8Array
  /** What `getFile` says; the size of `bytes` when left out. */
  readonly size?: number
}

/** What happens to a message in place of its delivery. `drop`: it arrives, and its answer is lost. */
export type BotScript =
  | { readonly status: number; readonly description: string; readonly parameters?: object }
  | { readonly drop: true }
  | { readonly delayMs: number }
  | undefined

/** What `getFile` answers at most. */
const maxFileBytes = 20 * 1024 * 1024
const perBot = 30
const perGroupAMinute = 20
/** A message a second in a chat; short bursts pass. */
const perChat = { count: 3, windowMs: 2_900 }

/**
 * `script` decides what happens to the nth call, from 1, of one method to one chat; undefined answers as Telegram does.
 * `now` is the clock of the limits. A message over a limit is answered 429, and everything of the bot for as long as that
 * said.
 */
export async function scriptedBotApi({
  script = () => undefined,
  now = () => Date.now(),
  webhooks: webhookOptions,
}: {
  readonly script?: (n: number, call: BotCall) => BotScript
  readonly now?: () => number
  readonly webhooks?: Parameters<typeof botWebhooks>[0]
} = {}) {
  const webhooks = botWebhooks(webhookOptions)
  const files = new Map<string, BotFile>()
  const calls: BotCall[] = []
  const delivered: BotCall[] = []
  /** Why each 429 was answered. */
  const exceeded: string[] = []
  let pausedUntilMs = 0

  /** For how many seconds the bot has to pause; undefined when the message keeps the limits. */
  function excess({ chat, atMs, token }: BotCall): number | undefined {
    const within = (ms: number) => delivered.filter((one) => one.token === token && atMs - one.atMs < ms)
    const toChat = (ms: number) => within(ms).filter((one) => one.chat === chat).length
    const reason =
      pausedUntilMs > atMs
        ? 'paused'
        : within(1000).length >= perBot
          ? 'bot'
          : toChat(perChat.windowMs) >= perChat.count
            ? 'chat'
            : chat.startsWith('-') && toChat(60_000) >= perGroupAMinute
              ? 'group'
              : undefined
    if (reason === undefined) return undefined
    exceeded.push(reason)
    if (reason === 'paused') return Math.ceil((pausedUntilMs - atMs) / 1000)
    const seconds = reason === 'group' ? 30 : 3
    pausedUntilMs = atMs + seconds * 1000
    return seconds
  }

  const server = createServer(async (request, response) => {
    const path = /^\/file\/bot[^/]+\/(.+)$/.exec(request.url ?? '')?.[1]
    if (path !== undefined) {
      const found = [...files.values()].find((file) => file.path === path)
      return void response
        .writeHead(found ? 200 : 404, { 'content-type': 'application/octet-stream' })
        .end(found?.bytes)
    }
    const body = await readText(request)
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    const parameters = body === '' ? {} : (JSON.parse(body) as { chat_id?: unknown; text?: unknown; file_id?: unknown })
    const call = {
      token,
      method,
      chat: String(parameters.chat_id ?? ''),
      text: String(parameters.text ?? ''),
      parameters,
      atMs: now(),
    }
    calls.push(call)
    const n = calls.filter((one) => one.method === method && one.chat === call.chat).length
    const scripted = script(n, call)
    const answer = (status: number, more: object): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ok: status === 200, ...(status !== 200 && { error_code: status }), ...more }))
    if (scripted && 'status' in scripted) {
      const { status, ...more } = scripted
      return answer(status, more)
    }
    if (scripted && 'delayMs' in scripted) await new Promise((resolve) => setTimeout(resolve, scripted.delayMs))
    if (!/^\d+:[\w-]+$/.test(token)) return answer(401, { description: 'Unauthorized' })
    if (method === 'getMe')
      return answer(200, { result: { id: 1, is_bot: true, first_name: 'Desk', username: 'desk_bot' } })
    const webhookMethod = webhooks.methods[method]
    if (webhookMethod) return answer(200, { result: webhookMethod(token, parameters) })
    if (method === 'answerCallbackQuery') return answer(200, { result: true })
    if (method === 'getFile') {
      const file = files.get(String(parameters.file_id))
      if (!file) return answer(400, { description: 'Bad Request: invalid file_id' })
      const { path: file_path, bytes, size: file_size = bytes.length } = file
      if (file_size > maxFileBytes) return answer(400, { description: 'Bad Request: file is too big' })
      return answer(200, { result: { file_id: parameters.file_id, file_unique_id: file_path, file_size, file_path } })
    }
    if (method !== 'sendMessage') return answer(404, { description: 'Not Found' })
    const seconds = excess(call)
    if (seconds !== undefined)
      return answer(429, {
        description: `Too Many Requests: retry after ${seconds}`,
        parameters: { retry_after: seconds },
      })
    if (call.text.trim() === '') return answer(400, { description: 'Bad Request: message text is empty' })
    if (call.text.length > 4096) return answer(400, { description: 'Bad Request: message is too long' })
    delivered.push(call)
    if (scripted && 'drop' in scripted) return void response.destroy()
    answer(200, { result: { message_id: delivered.length, chat: { id: Number(call.chat) }, text: call.text } })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    delivered,
    exceeded,
    webhooks,
    /** Files by their id. */
    files,
    close: () => {
      webhooks.close()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
