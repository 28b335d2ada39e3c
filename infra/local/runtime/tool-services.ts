/** The services for tools on this machine, next to the tables: queues, objects and functions, in AWS's protocols. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { OtherService } from '../dynamodb/serve-http.ts'
import type { Functions } from '../lambda/functions.ts'
import type { ObjectStore } from '../s3/object-store.ts'
import { QueueError } from '../sqs/queue-error.ts'
import type { Queues } from '../sqs/queues.ts'

export interface ToolServices {
  readonly queues: Queues
  readonly objectStore: ObjectStore
  readonly functions: Functions
  /** Copies all data into a folder. */
  readonly backUp: (to: string, onProgress: (entries: number) => void) => Promise<object>
}

/** S3 under `objects/`, with the bucket in the path; a backup under `backup`; Lambda's Invoke by path; SQS by target header. */
export function toolServices({ queues, objectStore, functions, backUp }: ToolServices): OtherService {
  return async (path, request, response) => {
    const invoked = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(path)?.[1]
    const [service, operation = ''] = String(request.headers['x-amz-target']).split('.')
    if (path.startsWith('/objects/')) await forwardToS3(objectStore, path.slice('/objects'.length), request, response)
    else if (invoked) await invoke(functions, decodeURIComponent(invoked), request, response)
    else if (path === '/backup') await answerBackup(backUp, request, response)
    else if (service === 'AmazonSQS') await callQueue(queues, operation, request, response)
    else return false
    return true
  }
}

/** A backup takes as long as it takes: the answer begins at once, and has a JSON value a line. */
async function answerBackup(
  backUp: ToolServices['backUp'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { to } = JSON.parse(String(await bodyOf(request))) as { to: string }
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const tell = (line: object): boolean => response.write(`${JSON.stringify(line)}\n`)
  try {
    tell({ done: await backUp(to, (entries) => tell({ entries })) })
  } catch (error) {
    tell({ error: error instanceof Error ? error.message : String(error) })
  }
  response.end()
}

async function callQueue(
  queues: Queues,
  operation: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    answer(response, 200, await queues.call(operation, JSON.parse(String(await bodyOf(request)) || '{}')))
  } catch (error) {
    if (!(error instanceof QueueError)) throw error
    answer(response, error.statusCode, error.body)
  }
}

/** A function's failure is a successful call (Lambda API, `X-Amz-Function-Error`). */
async function invoke(
  functions: Functions,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const event = JSON.parse(String(await bodyOf(request))) as object
  try {
    answer(response, 200, (await functions.deliver(name, event)) ?? null)
  } catch (error) {
    const { name: errorType, message: errorMessage } = error instanceof Error ? error : new Error(String(error))
    answer(response, 200, { errorType, errorMessage }, { 'x-amz-function-error': 'Unhandled' })
  }
}

async function forwardToS3(
  objectStore: ObjectStore,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '/', search = ''] = url.split('?', 2)
  const query: Record<string, string> = Object.fromEntries(new URLSearchParams(search))
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const received = await objectStore.request({
    method: request.method ?? 'GET',
    path,
    query,
    headers,
    body: await bodyOf(request),
  })
  response.writeHead(received.statusCode, received.headers)
  await pipeline(received.body as Readable, response)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const answer = (
  response: ServerResponse,
  statusCode: number,
  body: unknown,
  headers: Record<string, string> = {},
): void =>
  void response
    .writeHead(statusCode, { 'content-type': 'application/x-amz-json-1.0', ...headers })
    .end(JSON.stringify(body))
