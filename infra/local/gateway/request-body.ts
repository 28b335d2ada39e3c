/** The body of a request: collected up to a limit, or discarded. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHead } from './http-event.ts'

/** Of HTTP API. */
export const maxBodyBytes = 10 * 1024 * 1024
/** All bodies in memory together: Lambda would run more instances, one process refuses. */
export const maxHeldBytes = 128 * 1024 * 1024
/** How long the rest of an oversized body is read and discarded, so that the client gets the response. */
const discardMs = 10_000

/** Whether a body follows the head. */
export function hasBody({ headers }: RequestHead): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** The bodies that the gateway has in memory: of requests that arrive, and of those that are not answered yet. */
export interface HeldBodies {
  bytes: number
}

/**
 * Collects the body, which counts as held until the response is closed. Over `maxBytes`, and while all bodies together are
 * over theirs, it keeps nothing. `done` is not called when the client disconnects.
 */
export function collectBody(
  request: IncomingMessage,
  response: ServerResponse,
  held: HeldBodies,
  done: (body: Buffer | undefined | 'too large' | 'too many') => void,
  maxBytes = maxBodyBytes,
): void {
  let chunks: Buffer[] = []
  let bytes = 0
  let isRefused = false
  const release = (): void => {
    held.bytes -= bytes
    bytes = 0
  }
  const refuse = (why: 'too large' | 'too many'): void => {
    isRefused = true
    chunks = []
    release()
    discard(request)
    done(why)
  }
  response.once('close', release)
  request.on('data', (chunk: Buffer) => {
    if (isRefused) return
    bytes += chunk.length
    held.bytes += chunk.length
    chunks.push(chunk)
    if (bytes > maxBytes) refuse('too large')
    else if (held.bytes > maxHeldBytes) refuse('too many')
  })
  request.on('end', () => {
    if (!isRefused) done(bytes === 0 ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes))
  })
  request.on('error', () => {})
}

/** Discards the rest of the request, for a limited time, then closes the connection. */
export function discard(request: IncomingMessage): void {
  const timer = setTimeout(() => request.socket.destroy(), discardMs)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
  request.resume()
}
