/** An HTTP server on this machine that keeps what it receives and answers as a test says. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ScriptedAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The body begins, and never ends. */
  readonly isEndless?: true
}

/** `answer`: what to answer to the nth request, from 1; undefined never answers. */
export async function scriptedReceiver(answer: (n: number, request: ReceivedRequest) => ScriptedAnswer | undefined) {
  const received: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const one = { method, path: url, headers, body: await text(request) }
    received.push(one)
    const answered = answer(received.length, one)
    if (!answered) return
    response.writeHead(answered.status, answered.headers)
    if (answered.isEndless) response.write(answered.body)
    else response.end(answered.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
