import type { VersionMatch } from '../../../kernel/failures/concurrent-change.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from './define-route.ts'
import type { Accepted, NotModified, Page, Redirect, Reply } from './envelope.ts'

export interface ItemKey {
  readonly pk: string
  readonly sk: string
}

type Headers = Readonly<Record<string, string | undefined>>

/** Rows that were read in the same round trip as the caller. */
export interface Preloaded {
  /** undefined: was not requested; null: does not exist. */
  get(key: ItemKey): Readonly<Record<string, unknown>> | null | undefined
}

/** A request to an open route, parsed with the schemas of the route. */
export interface OpenRequest<R extends Route> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  /** Whose token it is, on an open route that takes one. */
  readonly caller?: Caller
  /** The body as it was sent, for routes that take any. Throws TooLarge when it is larger than the route takes. */
  bytes(): Buffer
  readonly headers: Headers
  /** Each as `name=value`. */
  readonly cookies: readonly string[]
  readonly sourceIp: string
  readonly requestId: string
  remainingMs(): number
}

/** A request whose caller has the permission of the route. */
export interface CallerRequest<R extends Route> extends OpenRequest<R> {
  readonly caller: Caller
  readonly preloaded: Preloaded
  /** Which version the caller agrees to change, on a route that takes `If-Match`; undefined: whichever it is. */
  readonly ifMatch: VersionMatch | undefined
}

type PayloadOf<R extends Route> = R['shape'] extends 'page' ? Page<AnswerOf<R>> : AnswerOf<R>
/** The implementation of a route without a payload may return nothing. */
type Nothing<R extends Route> = undefined extends AnswerOf<R> ? void : never
/** What the implementation of a route answers. */
export type Answer<R extends Route> = Promise<
  PayloadOf<R> | Reply<PayloadOf<R>> | Page<AnswerOf<R>> | Accepted | NotModified | Redirect | Nothing<R>
>

/** A route with the code that answers it. */
export interface Implementation {
  readonly route: Route
  readonly answer: (request: never) => Promise<unknown>
  /** Keys of rows that every request reads. They are read in one call with user and tenant. */
  readonly reads?: (tenant: TenantRef, params: never, userId: number, headers: Headers) => readonly ItemKey[]
}

/** Binds a protected route to the code that answers it. Throws when the route is open. */
export function implement<R extends Route>(
  route: R,
  answer: (request: CallerRequest<R>) => Answer<R>,
  reads?: (tenant: TenantRef, params: ParamsOf<R>, userId: number, headers: Headers) => readonly ItemKey[],
): Implementation {
  if (route.open) throw new Error(`${route.key} is open: it has no caller`)
  return { route, answer, reads }
}

/** Binds an open route to the code that answers it. Throws when the route is protected. */
export function implementOpen<R extends Route>(
  route: R,
  answer: (request: OpenRequest<R>) => Answer<R>,
): Implementation {
  if (!route.open) throw new Error(`${route.key} is protected: use implement`)
  return { route, answer }
}
