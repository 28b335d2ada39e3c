/** The part of an SDK request that is read here. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string | null | readonly string[]>>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** An SDK answer. The body is bytes, or a stream from a real connection. */
export interface WireAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}
