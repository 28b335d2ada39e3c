/** The body of a failure. */
interface Failure {
  readonly code?: string
  readonly message?: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly field_errors?: Readonly<Record<string, readonly Said[]>>
  readonly reason?: string
  readonly params?: Said['params']
  readonly data?: unknown
}

/** What the service says, by code and values: for programs that say it in another language. `message` is in English. */
export interface Said {
  readonly code: string
  readonly params: Readonly<Record<string, string | number | readonly string[]>>
  readonly message: string
}

/** A request that the service refused. Branch on `code`; `message` is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** The cause, which never changes its name; `unreadable_answer` when the answer is not from the service. */
  readonly code: string
  /** Messages by the path of the value, such as `title` or `filter.priority`. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** What `errors` says, by code and values, in the same order. */
  readonly fieldErrors: Readonly<Record<string, readonly Said[]>>
  /** Which sentence `message` is, where its code may have several or it holds values. */
  readonly said: Said | null
  /** What helps to continue, such as the current `version` of a 412. */
  readonly data: unknown
  /** Finds the request in the log of the service. */
  readonly requestId: string | null
  /** After how many seconds to try again, when the service says so. */
  readonly retryAfterSeconds: number | null

  constructor(response: Response, { code = 'unreadable_answer', message, errors = {}, ...failure }: Failure) {
    super(message ?? `The service answered ${response.status}.`)
    this.status = response.status
    this.code = code
    this.errors = errors
    this.fieldErrors = failure.field_errors ?? {}
    this.said =
      failure.reason === undefined
        ? null
        : { code: failure.reason, params: failure.params ?? {}, message: this.message }
    this.data = failure.data
    this.requestId = response.headers.get('x-request-id')
    this.retryAfterSeconds = secondsIn(response.headers.get('retry-after'))
  }
}

/** The failure in an answer. An answer that is not JSON comes from something in between, such as a proxy. */
export async function readFailure(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  return new ApiError(response, typeof body === 'object' && body !== null ? body : {})
}

function secondsIn(header: string | null): number | null {
  const seconds = header === null ? Number.NaN : Number(header)
  return Number.isFinite(seconds) ? seconds : null
}
