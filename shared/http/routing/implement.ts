import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from './define-route.ts'
import type { Accepted, Page, Reply } from './envelope.ts'

export interface ItemKey {
  readonly pk: string
  readonly sk: string
}

/** Rows that were read together with the caller, so that they cost no round trip of their own. */
export interface Preloaded {
  /** undefined: was not asked for; null: does not exist. */
  get(key: ItemKey): Readonly<Record<string, unknown>> | null | undefined
}

/** A request to an open route, parsed and checked against the route's schemas. */
export interface OpenRequest<R extends Route> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly sourceIp: string
  readonly requestId: string
  remainingMs(): number
}

/** A request whose caller is known and holds the route's permission. */
export interface CallerRequest<R extends Route> extends OpenRequest<R> {
  readonly caller: Caller
  readonly preloaded: Preloaded
}

type PayloadOf<R extends Route> = R['shape'] extends 'page' ? Page<AnswerOf<R>> : AnswerOf<R>
/** A route that answers nothing may return nothing. */
type Nothing<R extends Route> = undefined extends AnswerOf<R> ? void : never
type Answer<R extends Route> = Promise<PayloadOf<R> | Reply<PayloadOf<R>> | Page<AnswerOf<R>> | Accepted | Nothing<R>>

export interface Implementation {
  readonly route: Route
  readonly answer: (request: never) => Promise<unknown>
  /** Keys the route surely needs, read in one call with user and tenant. */
  readonly reads?: (tenant: TenantRef, params: never) => readonly ItemKey[]
}

/** Binds a protected route to the code that answers it. */
export function implement<R extends Route>(
  route: R,
  answer: (request: CallerRequest<R>) => Answer<R>,
  reads?: (tenant: TenantRef, params: ParamsOf<R>) => readonly ItemKey[],
): Implementation {
  if (route.open) throw new Error(`${route.key} is open: it has no caller`)
  return { route, answer, reads }
}

/** Binds a route that anyone may call. */
export function implementOpen<R extends Route>(
  route: R,
  answer: (request: OpenRequest<R>) => Answer<R>,
): Implementation {
  if (!route.open) throw new Error(`${route.key} is protected: use implement`)
  return { route, answer }
}
