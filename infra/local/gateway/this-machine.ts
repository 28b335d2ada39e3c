/** What is for this machine alone: under a name that somebody else points to it, or by a tunnel, it shows and takes nothing. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { discard } from './request-body.ts'

const names = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/** Whether the request named another host. Then it was answered 403, before anything of it but its head was read. */
export function refusesOtherHost(request: IncomingMessage, response: ServerResponse): boolean {
  const { host = '' } = request.headers
  if (names.test(host)) return false
  discard(request)
  const [path = ''] = (request.url ?? '').split('?')
  const message = `${path} is for localhost and 127.0.0.1 only, not for ${host}.`
  response.writeHead(403, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
  response.end(JSON.stringify({ success: false, code: 'forbidden', message }))
  return true
}
