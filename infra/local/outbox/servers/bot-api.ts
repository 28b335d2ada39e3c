/** The Bot API of Telegram, as far as a bot that sends texts needs it. Every well-formed token is a bot. */
import { createServer, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import type { Outbox } from '../outbox.ts'
import { botMethods, BotApiError, type BotParameters } from './bot-methods.ts'
import { listenOnLoopback, type LoopbackServer } from './loopback-server.ts'
import type { Webhooks } from './webhooks.ts'

/** Serves `/bot<token>/<method>`, with parameters as JSON, as a form or in the query. */
export async function openBotApi(
  outbox: Pick<Outbox, 'add'>,
  now: () => number,
  webhooks: Webhooks = new Map(),
): Promise<LoopbackServer> {
  const call = botMethods(outbox, now, webhooks)
  const server = createServer((request, response) => {
    const send = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    answer(request).then(
      (result) => send(200, { ok: true, result }),
      ({ status = 500, message }: Partial<BotApiError>) =>
        send(status, { ok: false, error_code: status, description: message }),
    )
  })

  async function answer(request: IncomingMessage): Promise<unknown> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const [, bot, method] = /^\/bot(\d{1,20}):[\w-]{3,100}\/(\w+)$/.exec(url.pathname) ?? []
    const body = await readText(request)
    if (bot === undefined || method === undefined)
      throw url.pathname.startsWith('/bot') ? new BotApiError(401, 'Unauthorized') : new BotApiError(404, 'Not Found')
    return call(Number(bot), method, { ...Object.fromEntries(url.searchParams), ...parametersOf(request, body) })
  }

  return listenOnLoopback(server, () => server.closeAllConnections())
}

function parametersOf({ headers }: IncomingMessage, body: string): BotParameters {
  if (body === '') return {}
  if (!headers['content-type']?.startsWith('application/json'))
    return Object.fromEntries(new URLSearchParams(body)) as BotParameters
  try {
    return JSON.parse(body) as BotParameters
  } catch {
    throw new BotApiError(400, "Bad Request: can't parse the JSON object")
  }
}
