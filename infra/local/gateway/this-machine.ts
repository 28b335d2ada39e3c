/** Pages for this machine alone: a name that somebody else points to it, or a tunnel, shows and sends nothing. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { discard } from './request-body.ts'

const names = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

type Page = (request: IncomingMessage, response: ServerResponse) => void

/** The page, which answers 403 to other hosts before it reads anything of a request but its head. */
export const forThisMachine =
  (page: Page): Page =>
  (request, response) => {
    const { host = '' } = request.headers
    if (names.test(host)) return page(request, response)
    discard(request)
    const [path = ''] = (request.url ?? '').split('?')
    const message = `${path} is for localhost and 127.0.0.1 only, not for ${host}.`
    response.writeHead(403, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
    response.end(JSON.stringify({ success: false, code: 'forbidden', message }))
  }
