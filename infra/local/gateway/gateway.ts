/**
 * The gateway on 127.0.0.1: an HTTP API (payload format 2.0) with routes, CORS and limits, and the function URLs. A
 * malformed request or a failing function costs that request an error, never the process.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { LocalFunction } from '../lambda/local-function.ts'
import type { Meter } from '../sdk/meter/meter.ts'
import type { Cors } from './cors.ts'
import { readHead, toEvent } from './http-event.ts'
import type { EventContext, RequestHead } from './http-event.ts'
import { BadResult, gatewayResponse, toResponse, writeResponse } from './http-response.ts'
import { MalformedPath, compileRoutes, decodePath } from './http-routes.ts'
import { portProblem } from './port-problem.ts'
import { collectBody, discard, hasBody, type HeldBodies, maxBodyBytes } from './request-body.ts'

export interface HttpApi {
  readonly accountId: string
  readonly apiId: string
  readonly routes: readonly { readonly routeKey: string; readonly target: LocalFunction }[]
  readonly cors?: Cors
  /** Functions with a function URL, by path (with a trailing slash). */
  readonly functionUrls: ReadonlyMap<string, LocalFunction>
  readonly now: () => number
  readonly meter?: Meter
  /** What the local cloud answers itself, by the start of the path (`/`: alone): pages that no deployed API has. */
  readonly pages?: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>
  /** Called for every function that failed to answer. */
  readonly onFailure: (functionName: string, requestId: string, error: unknown) => void
}

export interface Gateway {
  readonly port: number
  /** Starts to serve. Requests that arrived earlier have waited for it. */
  serve(api: HttpApi): void
  /** Resolves when the requests in flight are answered, or after the grace period. */
  close(graceMs: number): Promise<void>
}

/** Limit of HTTP API, for the request line and the headers together. */
const maxHeadBytes = 10_240
/** Lambda's limit on an event, as JSON. */
const maxEventBytes = 6_291_556

/** Starts to listen. Throws a one-line message for the operator when the port cannot be used. */
export async function listen(port: number): Promise<Gateway> {
  const server = createServer({ maxHeaderSize: 16_384, keepAliveTimeout: 60_000, noDelay: true })
  let handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  const early: [IncomingMessage, ServerResponse][] = []
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    if (handle) handle(request, response)
    else early.push([request, response])
  }
  server.on('request', receive)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (Number(request.headers['content-length'] ?? 0) <= maxBodyBytes) response.writeContinue()
    receive(request, response)
  })
  server.on('clientError', refuseMalformed)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new Error(portProblem(port, cause), { cause })))
    server.listen(port, '127.0.0.1', resolve)
  })
  const bound = (server.address() as AddressInfo).port
  return {
    port: bound,
    serve(api) {
      handle = serve(api, bound)
      for (const [request, response] of early.splice(0)) handle(request, response)
    },
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // Connections become idle once their requests are answered.
      const sweep = setInterval(() => server.closeIdleConnections(), 10)
      const force = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearInterval(sweep)
      clearTimeout(force)
    },
  }
}

const isAt = (url: string, path: string): boolean => (path === '/' ? /^\/(\?|$)/.test(url) : url.startsWith(path))

function serve(api: HttpApi, port: number): (request: IncomingMessage, response: ServerResponse) => void {
  const match = compileRoutes(api.routes)
  const pages = Object.entries(api.pages ?? {})
  const held: HeldBodies = { bytes: 0 }
  const context: EventContext = { accountId: api.accountId, apiId: api.apiId, port }

  return (request, response) => {
    const { url = '/' } = request
    // A function URL is a deployed address: a tunnel may lead to it.
    const isDeployed = !url.startsWith('/_local') || [...api.functionUrls.keys()].some((path) => url.startsWith(path))
    if (!isDeployed && refusesOtherHost(request, response)) return
    const page = pages.find(([path]) => isAt(url, path))?.[1]
    if (page) return page(request, response)
    const head = readHead(request)
    const requestId = randomUUID()
    const target = refusalOf(head) ?? destination(head)
    if ('status' in target) {
      discard(request)
      return send(response, target, head, requestId)
    }
    if (!hasBody(head)) return void run(target, undefined)
    collectBody(request, response, held, (body) => {
      if (body === 'too large') send(response, tooLarge(), head, requestId)
      else if (body === 'too many') send(response, busy(), head, requestId)
      else void run(target, body)
    })

    async function run(
      { routeKey, target: chosen, rawPath, pathParameters }: Destination,
      body: Buffer | undefined,
    ): Promise<void> {
      const sourceIp = request.socket.remoteAddress ?? '127.0.0.1'
      const event = toEvent(context, {
        head,
        body,
        routeKey,
        rawPath,
        pathParameters,
        requestId,
        sourceIp,
        now: api.now(),
      })
      if (body && body.length > maxEventBytes / 6 && Buffer.byteLength(JSON.stringify(event)) > maxEventBytes) {
        return send(response, tooLarge(), head, requestId)
      }
      const answer = await chosen
        .invoke(event, requestId)
        .then(toResponse)
        .catch((error) => {
          api.onFailure(chosen.definition.name, requestId, error)
          return failed()
        })
      api.meter?.countExchange(chosen.definition.name, head.bytes + (body?.length ?? 0), answer.body)
      send(response, answer, head, requestId)
    }
  }

  interface Destination {
    readonly routeKey: string
    readonly target: LocalFunction
    readonly rawPath: string
    readonly pathParameters: Record<string, string> | undefined
  }

  function destination(head: RequestHead): Destination | ReturnType<typeof gatewayResponse> {
    for (const [path, target] of api.functionUrls) {
      if (!head.path.startsWith(path)) continue
      // A function URL passes the path as received; an HTTP API decodes it first.
      return { routeKey: '$default', target, rawPath: head.path.slice(path.length - 1), pathParameters: undefined }
    }
    const origin = head.headers['origin']
    if (
      api.cors &&
      origin !== undefined &&
      head.method === 'OPTIONS' &&
      head.headers['access-control-request-method'] !== undefined
    ) {
      return { status: 204, headers: api.cors.preflight(origin), body: '' }
    }
    try {
      const matched = match(head.method, head.path)
      if (!matched) return gatewayResponse(404, { message: 'Not Found' })
      return { ...matched, rawPath: decodePath(head.path) }
    } catch (error) {
      if (!(error instanceof MalformedPath)) throw error
      return refusal(400, 'malformed_request', 'Bad Request: the path holds a malformed escape.')
    }
  }

  function send(
    response: ServerResponse,
    answer: ReturnType<typeof gatewayResponse>,
    head: RequestHead,
    requestId: string,
  ): void {
    if (response.destroyed || response.headersSent) return
    answer.headers['apigw-requestid'] = requestId
    // The service sets this header itself; responses of the gateway get it here.
    answer.headers['x-request-id'] ??= requestId
    const origin = head.headers['origin']
    if (api.cors && origin !== undefined) Object.assign(answer.headers, api.cors.headers(origin))
    try {
      writeResponse(response, answer, head.method === 'HEAD')
    } catch (error) {
      // Nothing was sent yet, so the response can still become a 500.
      const message = `The response to ${head.method} ${head.path} has a header that HTTP does not allow.`
      api.onFailure('', requestId, new BadResult(message, { cause: error }))
      for (const name of response.getHeaderNames()) response.removeHeader(name)
      writeResponse(response, failed(), head.method === 'HEAD')
    }
  }
}

function refusalOf(head: RequestHead): ReturnType<typeof gatewayResponse> | undefined {
  if (head.bytes > maxHeadBytes) return refusal(431, 'headers_too_large', 'Request Header Fields Too Large')
  if (Number(head.headers['content-length'] ?? 0) > maxBodyBytes) return tooLarge()
  return undefined
}

/** A refusal in the error envelope of the service. */
const refusal = (status: number, code: string, message: string) =>
  gatewayResponse(status, { success: false, code, message })
const tooLarge = () => refusal(413, 'body_too_large', 'Request Entity Too Large')
const busy = () => {
  const answer = refusal(503, 'throttled', 'Service Unavailable')
  answer.headers['retry-after'] = '1'
  return answer
}
const failed = () => refusal(500, 'internal_error', 'Internal Server Error')

function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, code, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'headers_too_large', 'Request Header Fields Too Large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'request_timeout', 'Request Timeout']
        : ['400 Bad Request', 'malformed_request', 'Bad Request']
  const body = JSON.stringify({ success: false, code, message })
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}

const ownNames = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * What is for this machine alone: under a name that somebody else points to it, or by a tunnel, it shows and takes nothing.
 * Whether the request named another host. Then it was answered 403, before anything of it but its
 * head was read.
 */
function refusesOtherHost(request: IncomingMessage, response: ServerResponse): boolean {
  const { host = '' } = request.headers
  if (ownNames.test(host)) return false
  discard(request)
  const [path = ''] = (request.url ?? '').split('?')
  const message = `${path} is for localhost and 127.0.0.1 only, not for ${host}.`
  response.writeHead(403, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
  response.end(JSON.stringify({ success: false, code: 'forbidden', message }))
  return true
}
