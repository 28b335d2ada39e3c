/** Serves the page at `/_local/start`, its style and its script. For this machine only. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type FrontPageFacts, frontPageHtml, frontPageJson } from './front-page.ts'

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The handlers by address. `facts` is asked for each page. */
export function serveFrontPage(
  facts: () => FrontPageFacts,
): Record<string, (request: IncomingMessage, response: ServerResponse) => void> {
  return {
    '/_local/start': handler(({ host = '', accept = '' }) => page(facts(), host, accept)),
    '/_local/front-page.css': handler(() => file('front-page.css', 'text/css')),
    '/_local/front-page.js': handler(() => file('front-page.js', 'text/javascript')),
  }
}

const file = (name: string, type: string): Answer => ({
  status: 200,
  type: `${type}; charset=utf-8`,
  body: readFileSync(join(import.meta.dirname, name), 'utf8'),
})

function page(facts: FrontPageFacts, host: string, accept: string): Answer {
  if (!accept.includes('text/html'))
    return {
      status: 200,
      type: 'application/json',
      body: JSON.stringify(frontPageJson(facts)),
      headers: { vary: 'accept' },
    }
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    body: frontPageHtml(facts, `http://${host}`),
    headers: { vary: 'accept', 'content-security-policy': policy },
  }
}

const handler =
  (answerTo: (headers: IncomingMessage['headers']) => Answer) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const { status, type, body, headers } = isRead ? answerTo(request.headers) : notAllowed(request.method ?? '')
    request.resume()
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...headers,
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

const failure = (status: number, code: string, message: string): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify({ success: false, code, message }),
})
const notAllowed = (method: string): Answer => ({
  ...failure(405, 'method_not_allowed', `This page is read with GET, not with ${method}.`),
  headers: { allow: 'GET, HEAD' },
})
