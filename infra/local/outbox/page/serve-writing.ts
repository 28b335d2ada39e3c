/** What somebody writes to the service is posted: mails to its mailboxes, texts to its bots. */
import type { IncomingMessage } from 'node:http'
import * as z from 'zod'
import { collectBody } from '../../gateway/request-body.ts'
import type { teller } from '../servers/webhooks.ts'
import { type Answer, failure, json, type Page, sendAnswer } from './answer.ts'

const maxBytes = 25 * 1024 * 1024

/** Answers requests with their whole body, up to 25 MB. What `answer` throws is about JSON. */
export function serveWriting(answer: (request: IncomingMessage, body: Buffer) => Promise<Answer>): Page {
  const held = { bytes: 0 }
  return (request, response) => {
    const send = (given: Answer): void => sendAnswer(request, response, given)
    const done = (body: Buffer | undefined | 'too large' | 'too many'): void => {
      if (body === 'too large') return send(failure(413, 'body_too_large', 'A mail has 25 MB at most.'))
      if (body === 'too many') return send(failure(503, 'service_unavailable', 'Too much at once: try again.'))
      answer(request, body ?? Buffer.alloc(0)).then(send, (error: Error) =>
        send(failure(400, 'malformed_json', error.message)),
      )
    }
    collectBody(request, response, held, done, maxBytes)
  }
}

export const invalid = (message: string): Answer => failure(422, 'validation_failed', message)

/** What is wrong with a body, and what it may have. */
export const problemOf = ({ issues }: z.ZodError, { shape }: z.ZodObject): string => {
  const problems = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
  return `${problems.join('. ')}. The body may have ${Object.keys(shape).join(', ')}.`
}

const Said = z.strictObject({
  bot: z.int().positive().optional(),
  chat: z.int().default(1001),
  text: z.string().max(4096).default(''),
  update: z.record(z.string(), z.unknown()).optional(),
})

/** `POST /_local/messenger`: somebody writes to a bot of this machine. */
export const serveMessenger = (tell: ReturnType<typeof teller>): Page =>
  serveWriting(async ({ method, headers }, given) => {
    // Pages of other sites cannot send JSON here.
    if (method !== 'POST' || !headers['content-type']?.startsWith('application/json'))
      return failure(405, 'method_not_allowed', 'POST {"chat": 1001, "text": "Hello"} as application/json.')
    const body = Said.safeParse(JSON.parse(given.toString()))
    if (!body.success) return invalid(problemOf(body.error, Said))
    const told = await tell(body.data)
    return 'problem' in told ? failure(409, 'no_webhook', told.problem) : json({ data: told })
  })
