/** `POST /_local/messenger`: somebody writes to a bot of this machine. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import * as z from 'zod'
import type { teller } from '../servers/webhooks.ts'

const Body = z.strictObject({
  bot: z.int().positive().optional(),
  chat: z.int().default(1001),
  text: z.string().max(4096).default(''),
  update: z.record(z.string(), z.unknown()).optional(),
})

/** Answers every request whose path starts with `/_local/messenger`. */
export function serveMessenger(tell: ReturnType<typeof teller>) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const send = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    answer(request).then(
      ([status, body]) => send(status, body),
      (error: Error) => send(400, failure('malformed_json', error.message)),
    )
  }

  async function answer(request: IncomingMessage): Promise<readonly [number, object]> {
    const { 'content-type': type = '' } = request.headers
    const given = await readText(request)
    // Pages of other sites cannot send JSON here.
    if (request.method !== 'POST' || !type.startsWith('application/json'))
      return [405, failure('method_not_allowed', 'POST {"chat": 1001, "text": "Hello"} as application/json.')]
    const body = Body.safeParse(JSON.parse(given))
    if (!body.success) return [422, failure('validation_failed', problemOf(body.error))]
    const told = await tell(body.data)
    return 'problem' in told ? [409, failure('no_webhook', told.problem)] : [200, { data: told }]
  }
}

const problemOf = ({ issues }: z.ZodError): string => {
  const problems = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
  return `${problems.join('. ')}. The body may have ${Object.keys(Body.shape).join(', ')}.`
}

const failure = (code: string, message: string): object => ({ success: false, code, message })
