import createFetchClient, { type FetchOptions, type FetchResponse, type Middleware } from 'openapi-fetch'
import { readFailure } from './api-error.ts'
import type { paths as GenericPaths } from './api.d.ts'
import { querySerializer } from './query.ts'

export type { paths as GenericPaths } from './api.d.ts'
export { ApiError } from './api-error.ts'
export { everyRow, idempotencyKey, ifMatch } from './requests.ts'

export interface ClientOptions {
  /** The address of the service, such as `https://api.example.com`, without a slash at its end. */
  readonly baseUrl: string
  /** The token of a login or an API key; a function is asked before each request. Left out: only open routes answer. */
  readonly token?: string | (() => string | Promise<string>)
  /** Instead of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
}

type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Operation = Record<string | number, unknown>

/** The paths of a document that have a method. */
type PathsWith<Paths, Method extends HttpMethod> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Method, Operation> ? Path : never
}[keyof Paths]

type OperationAt<Paths, Path extends keyof Paths, Method extends HttpMethod> =
  Paths[Path] extends Record<Method, infer Found extends Operation> ? Found : never

/** Parameters and body; needed where the operation needs any. */
type Init<Op> = object extends FetchOptions<Op> ? [init?: FetchOptions<Op>] : [init: FetchOptions<Op>]

/** The body of the successful answer; undefined where there is none (204). */
type Answer<Op extends Operation> =
  FetchResponse<Op, object, `${string}/${string}`> extends infer Response
    ? Response extends { readonly data: infer Body }
      ? Body
      : never
    : never

/** Sends a request and answers the body of a success. Throws ApiError for a failure. */
type Send<Paths, Method extends HttpMethod> = <Path extends PathsWith<Paths, Method>>(
  path: Path,
  ...init: Init<OperationAt<Paths, Path, Method>>
) => Promise<Answer<OperationAt<Paths, Path, Method>>>

/** A client of one tenant. `Paths`: those of any tenant, or of your own tables (`npm run client`). */
export type Client<Paths> = { readonly [Method in HttpMethod]: Send<Paths, Method> }

/** Creates a client. It keeps nothing but the token, and tries nothing twice. */
export function createClient<Paths extends object = GenericPaths>({
  baseUrl,
  token,
  fetch,
}: ClientOptions): Client<Paths> {
  const http = createFetchClient<GenericPaths>({ baseUrl: baseUrl.replace(/\/+$/, ''), querySerializer, fetch })
  http.use(authorization(token), failures)
  type AnyCall = (path: string, init?: object) => Promise<{ data?: unknown }>
  const send = (call: unknown) => async (path: string, init?: object) => (await (call as AnyCall)(path, init)).data
  return {
    get: send(http.GET),
    post: send(http.POST),
    put: send(http.PUT),
    patch: send(http.PATCH),
    delete: send(http.DELETE),
  } as unknown as Client<Paths>
}

const authorization = (token: ClientOptions['token']): Middleware => ({
  async onRequest({ request }) {
    const current = typeof token === 'function' ? await token() : token
    if (current !== undefined) request.headers.set('authorization', `Bearer ${current}`)
    return request
  },
})

const failures: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await readFailure(response)
  },
}
