import { readFailure } from '../../shared/client/api-error.ts'
import type { components } from '../../shared/client/api.d.ts'
import { createClient } from '../../shared/client/index.ts'

export { ApiError, ifMatch } from '../../shared/client/index.ts'

/** The shapes of the API, as its document has them. */
export type Schemas = components['schemas']

/** The service was not reached: no network, or the request was cut off. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/**
 * The API, with the session of this browser. Answers the body of a success; throws ApiError for a failure and Unreachable
 * without an answer.
 */
export const api = createClient({ baseUrl: window.location.origin, fetch: send })

async function send(request: Request): Promise<Response> {
  // Without this header the service does not count the cookie (contract §16).
  request.headers.set('x-requested-by', 'app')
  return reach(request)
}

/** Sends a request as it is; throws Unreachable without an answer. */
export async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (cause) {
    if (request.signal.aborted) throw cause
    throw new Unreachable('The service was not reached.', { cause })
  }
}

/** The last answer at each address that is followed. */
const followed = new Map<string, { readonly etag: string; readonly body: unknown }>()

/** Asks for what is followed: while it is as before, the service answers so with one read, and the body is the same object. */
export async function follow<Body>(path: string, signal: AbortSignal): Promise<Body> {
  const before = followed.get(path)
  const headers = before ? { 'if-none-match': before.etag } : undefined
  const response = await send(
    new Request(new URL(path, window.location.origin), { signal, ...(headers && { headers }) }),
  )
  if (response.status === 304 && before) return before.body as Body
  if (!response.ok) throw await readFailure(response)
  const body = (await response.json()) as Body
  const etag = response.headers.get('etag')
  if (etag !== null) followed.set(path, { etag, body })
  return body
}
