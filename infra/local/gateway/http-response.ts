/** A function's result as an HTTP response, by the rules of payload format 2.0. */
import type { ServerResponse } from 'node:http'

/** Lambda's limit on a result, as JSON. */
const maxResultBytes = 6_291_556

export class BadResult extends Error {
  override readonly name = 'BadResult'
}

interface HttpResponse {
  readonly status: number
  readonly headers: Record<string, string | readonly string[]>
  readonly body: string | Buffer
}

/**
 * The response for a function's result. Without a status code the result is the JSON body of a 200. Throws BadResult.
 */
export function toResponse(result: unknown): HttpResponse {
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    const body = typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null')
    if (Buffer.byteLength(body) > maxResultBytes) throw tooLarge()
    return { status: 200, headers: { 'content-type': 'application/json' }, body }
  }
  const { statusCode, headers: given, cookies, body, isBase64Encoded } = result as Record<string, any>
  const status = Number(statusCode)
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new BadResult(`The function answered with the status ${String(statusCode)}.`)
  if (body !== undefined && body !== null && typeof body !== 'string')
    throw new BadResult('The function answered with a body that is no text.')
  // JSON escapes make a text at most six times as long, so only long bodies are measured.
  if (body && body.length > maxResultBytes / 6 && Buffer.byteLength(JSON.stringify(result)) > maxResultBytes)
    throw tooLarge()
  const headers: HttpResponse['headers'] = {}
  for (const name in given) {
    const value = given[name]
    if (value !== undefined && value !== null) headers[name.toLowerCase()] = String(value)
  }
  for (const name of ownedByGateway) delete headers[name]
  if (Array.isArray(cookies) && cookies.length > 0) headers['set-cookie'] = cookies.map(String)
  if (status === 204 || status === 304) return { status, headers, body: '' }
  headers['content-type'] ??= 'text/plain; charset=utf-8'
  return { status, headers, body: isBase64Encoded ? Buffer.from(body ?? '', 'base64') : (body ?? '') }
}

const ownedByGateway = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'] as const

const tooLarge = (): BadResult => new BadResult(`The function's result is larger than ${maxResultBytes} bytes.`)

/** Writes a response. Throws, before anything is sent, when node:http refuses a header. */
export function writeResponse(
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
  isHead: boolean,
): void {
  if (status !== 204 && status !== 304)
    headers['content-length'] = String(typeof body === 'string' ? Buffer.byteLength(body) : body.length)
  response.writeHead(status, headers as Record<string, string | string[]>)
  response.end(isHead ? undefined : body)
}

/** A response of the gateway itself. */
export function gatewayResponse(status: number, message: object): HttpResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(message) }
}
