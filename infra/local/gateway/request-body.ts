/** The body of a request: collected up to a limit, or discarded. */
import type { IncomingMessage } from 'node:http'
import type { RequestHead } from './http-event.ts'

/** Of HTTP API. */
export const maxBodyBytes = 10 * 1024 * 1024
/** How long the rest of an oversized body is read and discarded, so that the client gets the response. */
const discardMs = 10_000

/** Whether a body follows the head. */
export function hasBody({ headers }: RequestHead): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Collects the body. Over the limit it keeps nothing. `done` is not called when the client disconnects. */
export function collectBody(request: IncomingMessage, done: (body: Buffer | undefined | 'too large') => void): void {
  let chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    if (bytes > maxBodyBytes) return
    bytes += chunk.length
    if (bytes <= maxBodyBytes) return void chunks.push(chunk)
    chunks = []
    discard(request)
    done('too large')
  })
  request.on('end', () => {
    if (bytes <= maxBodyBytes)
      done(bytes === 0 ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes))
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
