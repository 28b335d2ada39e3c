import { bodyText, nameOfFailure, type WireProtocol } from './wire-protocol.ts'

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
