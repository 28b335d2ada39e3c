/**
 * Messages that functions send over HTTP to real addresses: webhooks, and text messages through a gateway. Node
 * publishes every request of the process, so the senders need not know that somebody looks.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { currentScope, type Scope } from '../lambda/invocation-scope.ts'
import type { EntryType } from './entry.ts'
import type { Outbox } from './outbox.ts'

type Body = readonly (Buffer | string)[]

/**
 * Puts the messages of functions into the outbox. `belongs`: whether a function is of this cloud, as several may run in a
 * process. Returns a function that ends it.
 */
export function watchWebRequests(outbox: Pick<Outbox, 'add'>, belongs: (scope: Scope) => boolean): () => void {
  const bodies = new WeakMap<ClientRequest, Body>()

  const created = (message: unknown): void => {
    const { request } = message as { request: ClientRequest }
    const scope = currentScope()
    if (scope && belongs(scope) && typeOf(request)) bodies.set(request, keepBody(request))
  }
  const answered = (message: unknown): void => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage }
    const body = bodies.get(request)
    if (body) add(request, body, { status: response.statusCode ?? 0 })
  }
  const failed = (message: unknown): void => {
    const { request, error } = message as { request: ClientRequest; error: NodeJS.ErrnoException }
    const body = bodies.get(request)
    if (body) add(request, body, { error: error.code ?? error.message })
  }

  function add(request: ClientRequest, chunks: Body, meta: Readonly<Record<string, string | number>>): void {
    // An error may follow the answer.
    bodies.delete(request)
    const text = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString()
    outbox.add({
      type: typeOf(request) as EntryType,
      provider: 'http',
      to: [`${request.protocol}//${request.getHeader('host')?.toString()}${request.path}`],
      ...subjectOf(text),
      text,
      source: `${request.method} ${request.path}\n${headersOf(request)}\n\n${text}`,
      meta,
    })
  }

  const channels = {
    'http.client.request.created': created,
    'http.client.response.finish': answered,
    'http.client.request.error': failed,
  }
  for (const [name, receive] of Object.entries(channels)) subscribe(name, receive)
  return () => {
    for (const [name, receive] of Object.entries(channels)) unsubscribe(name, receive)
  }
}

/** A webhook carries an id (Standard Webhooks); a text message names its sender. */
function typeOf(request: ClientRequest): EntryType | undefined {
  if (request.hasHeader('webhook-id')) return 'webhook'
  return request.getHeader('user-agent') === 'entity-workflow-sms' ? 'sms' : undefined
}

/** Keeps what is written to a request. */
function keepBody(request: ClientRequest): Body {
  const chunks: (Buffer | string)[] = []
  for (const name of ['write', 'end'] as const) {
    const original = request[name] as (...given: unknown[]) => unknown
    Object.assign(request, {
      [name](...given: unknown[]) {
        const [chunk] = given
        if (typeof chunk === 'string' || chunk instanceof Buffer) chunks.push(chunk)
        return original.apply(request, given)
      },
    })
  }
  return chunks
}

/** The others may hold secrets of a channel, which lie encrypted elsewhere. */
const plainHeaders = /^(content-.*|host|user-agent|webhook-.*)$/

const headersOf = (request: ClientRequest): string =>
  Object.entries(request.getHeaders())
    .map(([name, value]) => `${name}: ${plainHeaders.test(name) ? String(value) : '********'}`)
    .join('\n')

/** The type of event of a webhook. */
function subjectOf(text: string): { subject?: string } {
  try {
    const { type } = JSON.parse(text) as { type?: unknown }
    return typeof type === 'string' ? { subject: type } : {}
  } catch {
    return {}
  }
}
