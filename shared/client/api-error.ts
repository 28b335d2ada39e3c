/** The body of a failure. */
interface Failure {
  readonly code?: string
  readonly message?: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly data?: unknown
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
  /** What helps to continue, such as the current `version` of a 412. */
  readonly data: unknown
  /** Finds the request in the log of the service. */
  readonly requestId: string | null
  /** After how many seconds to try again, when the service says so. */
  readonly retryAfterSeconds: number | null

  constructor(response: Response, { code = 'unreadable_answer', message, errors = {}, data }: Failure) {
    super(message ?? `The service answered ${response.status}.`)
    this.status = response.status
    this.code = code
    this.errors = errors
    this.data = data
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
