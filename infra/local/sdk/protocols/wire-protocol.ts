import type { WireAnswer, WireRequest } from '../wire-messages.ts'

/** How the SDK and a service put a call, its output and its errors into HTTP messages. */
export interface WireProtocol {
  read(request: WireRequest): { readonly operation: string; readonly input: object }
  answer(operation: string, output: object): WireAnswer
  failure(failed: { readonly statusCode: number; readonly body: unknown }): WireAnswer
}

/** The body of a request as text. */
export function bodyText(body: unknown): string {
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
  return typeof body === 'string' ? body : ''
}

/** The name of an error, without its namespace, and its message. */
export function nameOfFailure(body: unknown): { readonly code: string; readonly message: string } {
  const { __type = 'InternalFailure', message = '' } = body as { __type?: string; message?: string }
  return { code: __type.slice(__type.indexOf('#') + 1), message }
}

/** AWS REST JSON: the operation is the method and path, the input is the body. `operations`: names by `POST /path`. */
export const restJson = (operations: Readonly<Record<string, string>>): WireProtocol => ({
  read({ method, path, body }) {
    const route = `${method} ${path}`
    return { operation: operations[route] ?? route, input: JSON.parse(bodyText(body) || '{}') as object }
  },
  answer: (_, output) => answer(200, output, {}),
  failure({ statusCode, body }) {
    const { code, message } = nameOfFailure(body)
    return answer(statusCode, { message }, { 'x-amzn-errortype': code })
  },
})

const answer = (statusCode: number, body: object, headers: Readonly<Record<string, string>>) => ({
  statusCode,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify(body)),
})
