/** A loopback endpoint for DynamoDB and DynamoDB Streams (AWS JSON 1.0). */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import type { DynamoDb } from './open.ts'
import { ServiceError, unknownOperation } from './service-error.ts'

const maxRequestBytes = 16 * 1024 * 1024

export interface HttpEndpoint {
  /** e.g. `http://127.0.0.1:43210/`, followed by the secret if there is one. */
  url: string
  close(): Promise<void>
}

/**
 * Answers a request to another service. `path` has no secret. Returns false when the request is not for this service.
 */
export type OtherService = (path: string, request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/**
 * Serves on 127.0.0.1, by default on a free port. Signatures are not checked. With a `secret`, paths must start with
 * it, which keeps out other users of the machine and web pages. `others` gets every request first.
 */
export async function serveHttp(
  dynamoDb: DynamoDb,
  { port = 0, secret = '', others }: { port?: number; secret?: string; others?: OtherService } = {},
): Promise<HttpEndpoint> {
  const server = createServer((request, response) => {
    if (secret !== '' && !request.url?.startsWith(`/${secret}`)) return void response.writeHead(403).end()
    const path = (request.url ?? '/').slice(secret === '' ? 0 : secret.length + 1)
    const serve = async (): Promise<void> => {
      if (!(await others?.(path, request, response))) await answer(dynamoDb, request, response)
    }
    serve().catch((error: unknown) => {
      // Only fault points throw anything else: the caller loses the connection.
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      await closed
    },
  }
}

async function answer(dynamoDb: DynamoDb, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const [service, operation = ''] = String(request.headers['x-amz-target']).split('.')
    const input = await readBody(request)
    send(response, 200, await callFor(dynamoDb, service)(operation, input))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    send(response, error.statusCode, error.body)
  }
}

function callFor(dynamoDb: DynamoDb, service: string | undefined): DynamoDb['call'] {
  if (service === 'DynamoDB_20120810') return dynamoDb.call
  if (service === 'DynamoDBStreams_20120810') return dynamoDb.callStreams
  throw unknownOperation()
}

async function readBody(request: IncomingMessage): Promise<object> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxRequestBytes)
      throw new ServiceError(413, { __type: 'com.amazon.coral.service#RequestEntityTooLargeException', message: '' })
    chunks.push(chunk)
  }
  const input = parseJson(Buffer.concat(chunks).toString())
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input
  throw new ServiceError(400, { __type: 'com.amazon.coral.service#SerializationException', message: '' })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The SDK verifies the checksum if there is one. */
function send(response: ServerResponse, statusCode: number, body: object): void {
  const text = JSON.stringify(body)
  response
    .writeHead(statusCode, {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': Buffer.byteLength(text),
      'x-amzn-requestid': randomUUID(),
      'x-amz-crc32': crc32(text),
    })
    .end(text)
}
