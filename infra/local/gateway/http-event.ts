/** An HTTP request as the event of payload format 2.0, which HTTP APIs and function URLs share. */
import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'

export interface RequestHead {
  readonly method: string
  /** As received. */
  readonly path: string
  readonly query: string
  /** Names in lower case; repeated headers joined by a comma; without cookies. */
  readonly headers: Record<string, string>
  readonly cookies: readonly string[] | undefined
  /** Of the request line and the headers together. */
  readonly bytes: number
}

export function readHead({ method = 'GET', url = '/', rawHeaders }: IncomingMessage): RequestHead {
  const mark = url.indexOf('?')
  const headers: Record<string, string> = {}
  let cookies: string[] | undefined
  let bytes = method.length + url.length
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    const value = rawHeaders[at + 1]!
    bytes += name.length + value.length
    if (name === 'cookie') (cookies ??= []).push(...value.split(/; */))
    else headers[name] = Object.hasOwn(headers, name) ? `${headers[name]},${value}` : value
  }
  return {
    method,
    path: mark === -1 ? url : url.slice(0, mark),
    query: mark === -1 ? '' : url.slice(mark + 1),
    headers,
    cookies,
    bytes,
  }
}

export interface EventContext {
  readonly accountId: string
  readonly apiId: string
  readonly port: number
}

export interface EventParts {
  readonly head: RequestHead
  readonly body: Buffer | undefined
  readonly routeKey: string
  readonly rawPath: string
  readonly pathParameters: Record<string, string> | undefined
  readonly requestId: string
  readonly sourceIp: string
  readonly now: number
}

/** Builds a new event, which the function may change. */
export function toEvent({ accountId, apiId, port }: EventContext, parts: EventParts): Record<string, unknown> {
  const { head, body, routeKey, rawPath, pathParameters, requestId, sourceIp, now } = parts
  const { headers } = head
  const host = headers['host'] ?? 'localhost'
  headers['x-forwarded-for'] = headers['x-forwarded-for'] ? `${headers['x-forwarded-for']}, ${sourceIp}` : sourceIp
  headers['x-forwarded-port'] = String(port)
  headers['x-forwarded-proto'] = 'http'
  const event: Record<string, unknown> = { version: '2.0', routeKey, rawPath, rawQueryString: head.query }
  if (head.cookies) event['cookies'] = head.cookies
  event['headers'] = headers
  if (head.query !== '') event['queryStringParameters'] = parseQuery(head.query)
  event['requestContext'] = {
    accountId,
    apiId,
    domainName: host,
    domainPrefix: host.split('.', 1)[0],
    http: {
      method: head.method,
      path: rawPath,
      protocol: 'HTTP/1.1',
      sourceIp,
      userAgent: headers['user-agent'] ?? '',
    },
    requestId,
    routeKey,
    stage: '$default',
    time: requestTime(now),
    timeEpoch: now,
  }
  if (pathParameters) event['pathParameters'] = pathParameters
  if (body) {
    const isText = isTextType(headers['content-type'])
    event['body'] = isText ? body.toString() : body.toString('base64')
    event['isBase64Encoded'] = !isText
  } else {
    event['isBase64Encoded'] = false
  }
  return event
}

function parseQuery(query: string): Record<string, string> {
  const parameters: Record<string, string> = {}
  for (const [name, value] of Object.entries(parse(query, '&', '=', { maxKeys: 0 }))) {
    if (value !== undefined) parameters[name] = typeof value === 'string' ? value : value.join(',')
  }
  return parameters
}

const textTypes = new Map<string, boolean>()

/** API Gateway passes forms in base64. */
function isTextType(contentType: string | undefined): boolean {
  if (contentType === undefined) return true
  const known = textTypes.get(contentType)
  if (known !== undefined) return known
  const isText = /^(text\/|application\/(json|javascript|xml)\b|application\/[\w.-]+\+(json|xml)\b)/i.test(contentType)
  if (textTypes.size < 1000) textTypes.set(contentType, isText)
  return isText
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
let lastSecond = 0
let lastTime = ''

/** e.g. `20/Nov/2026:09:13:44 +0000` */
function requestTime(now: number): string {
  const second = Math.floor(now / 1000)
  if (second === lastSecond) return lastTime
  const iso = new Date(now).toISOString()
  lastSecond = second
  lastTime = `${iso.slice(8, 10)}/${months[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`
  return lastTime
}
