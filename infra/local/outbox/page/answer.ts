/** How the pages of a local cloud answer. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

export interface Answer {
  readonly status: number
  /** Default: JSON. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export type Page = (request: IncomingMessage, response: ServerResponse) => void

/** Sends an answer, without its body to a HEAD, and discards what is left of the request. */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type = 'application/json', headers = {}, body = '' }: Answer,
): void {
  request.resume()
  response.writeHead(status, {
    ...(status !== 204 && status !== 304 && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

export const isRead = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD'

export const json = (
  body: object,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Answer => ({ status, headers, body: JSON.stringify(body) })

export const failure = (status: number, code: string, message: string): Answer =>
  json({ success: false, code, message }, { status })

/** Their own files, the answers of this service, and mails in a frame. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** HTML for people, where a program would get JSON. */
export const htmlPage = (body: string): Answer => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  headers: { vary: 'accept', 'content-security-policy': policy },
  body,
})

const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' } as const
const files = /^(index\.html|page\.css|(page|elements|message|write|start)\.js)$/

/** A file of the pages by its name; undefined when there is none. */
export function pageFile(name: string): Answer | undefined {
  if (!files.test(name)) return undefined
  const body = readFileSync(join(import.meta.dirname, 'browser', name), 'utf8')
  const type = types[name.slice(name.indexOf('.') + 1) as keyof typeof types]
  return { status: 200, type: `${type}; charset=utf-8`, headers: { 'content-security-policy': policy }, body }
}
