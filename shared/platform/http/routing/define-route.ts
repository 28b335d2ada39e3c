import * as z from 'zod'
import type { TableAction } from '../../../kernel/permissions.ts'
import type { TokenKind } from '../../../kernel/principal.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call a route: any signed-in user, an administrator, a user with `<table>.<action>` on the table in the path,
 * or with a permission on something that is no table.
 */
export type RoutePermission =
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'administrator' }
  | { readonly kind: 'table'; readonly action: TableAction; readonly or?: TableAction; readonly param: string }
  | { readonly kind: 'named'; readonly on: string; readonly action: TableAction }

export const signedIn: RoutePermission = { kind: 'signed-in' }
export const administrator: RoutePermission = { kind: 'administrator' }
/** For `refusedTo` of routes of a person's own account: neither an administrator acting as the person nor a program. */
export const delegatedTokens: readonly TokenKind[] = ['impersonation', 'api_key']
/** For `refusedTo` of routes that reach other tenants of the person: a provider of one tenant does not vouch there. */
export const tenantBoundTokens: readonly TokenKind[] = [...delegatedTokens, 'tenant_session']
/** The permission `<table>.<action>`; `param` is the path parameter that names the table. */
export const onTable = (action: TableAction, param = 'model'): RoutePermission => ({ kind: 'table', action, param })

/** One of two permissions on a table; what the request holds decides which, so its implementation checks it. */
export const onTableEither = (action: TableAction, or: TableAction): RoutePermission => ({
  kind: 'table',
  action,
  or,
  param: 'model',
})

/** The permission `<on>.<action>`, where `on` is no table. */
export const named = (on: string, action: TableAction): RoutePermission => ({ kind: 'named', on, action })

/**
 * How the payload is wrapped: `data` in the success envelope, `page` with `meta` and `links`, `login` at the top level
 * and again in `data`, `raw` not at all.
 */
export type AnswerShape = 'data' | 'page' | 'login' | 'raw'

/** For a route that answers 204, without a body. */
export const noContent = { answer: z.undefined(), status: 204 } as const

type Access =
  | { readonly permission: RoutePermission; readonly open?: never }
  | { readonly open: true; readonly permission?: never }

/** An example for the API reference. A test runs the examples against the service where that is possible. */
export interface RouteExample {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  readonly answer?: unknown
}

interface RouteParts<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> {
  readonly method: HttpMethod
  /** With `{name}` for parameters, as API Gateway writes it. */
  readonly path: `/${string}`
  /** What it does, verb first: `linkRecords`. Left out where method and path say it. */
  readonly operationId?: string
  readonly tag: string
  /** One line for the reference. */
  readonly summary: string
  readonly description?: string
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** The payload, which becomes `data`; of a page, one of its rows. */
  readonly answer: A
  readonly shape?: AnswerShape
  readonly status?: 200 | 201 | 202 | 204 | 302
  /** The route may also answer 302, as the description says. */
  readonly mayRedirect?: true
  /** The answer has an `ETag`; a request with it in `If-None-Match` is answered 304 while nothing has changed. */
  readonly hasEtag?: true
  /** The route obeys `If-Match` (412), as those do that write one record or one configured object. */
  readonly takesIfMatch?: true
  /** The media type of a raw answer. */
  readonly contentType?: string
  /** The payload of a 202, which is answered when the work continues in the background. */
  readonly accepted?: z.ZodType
  /** The route answers also while the tenant is deleted; every other one answers 403 `tenant_deleted`. */
  readonly whenDeleted?: true
  /** The route supports an `Idempotency-Key`. */
  readonly idempotent?: true
  /** An open route that answers more to a caller with a token. A token that is not valid is refused (401). */
  readonly takesToken?: true
  /** The route sets the cookie of a browser: pages of other sites are refused (403), and bodies that are not said to be JSON (415). */
  readonly ownPagesOnly?: true
  /** The route takes any body, parameters and all, and reads it itself. */
  readonly anyBody?: true
  /** Media types of a body besides JSON, with an example each; the endpoint group reads them into what the schema checks. */
  readonly alsoTakes?: Readonly<Record<string, string>>
  /** The largest body in bytes; left out, 4 MB, and 16 KB of an open route. */
  readonly maxBytes?: number
  /** The answer may carry `warnings` beside `data`. */
  readonly mayWarn?: true
  /** Members of the body that may stand in the query as well: `dry_run`. */
  readonly flags?: readonly string[]
  /** The limits of a body apply to each of its `rows` separately, and the implementation checks them. */
  readonly eachRow?: true
  /** Each element of the body's lists may have so many keys, instead of 10,000 in the whole body. */
  readonly keysPerElement?: number
  /** The lists of the body may have so many elements together, instead of 100,000. */
  readonly maxElements?: number
  /** Open to somebody who first has to set up a second factor. */
  readonly allowedWithoutMfa?: true
  /** Open while the administrator who registered the tenant has not verified the address. */
  readonly allowedWithoutVerification?: true
  /**
   * Statuses for the reference that do not follow from path and permission, because query, body or a token that the
   * route does not require name further objects.
   */
  readonly alsoFails?: readonly (400 | 401 | 403 | 404 | 409 | 422 | 429 | 503)[]
  /** Tokens that the route refuses (403), whatever their user may do. */
  readonly refusedTo?: readonly TokenKind[]
  readonly example?: RouteExample
}

export type RouteDefinition<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
> = RouteParts<P, Q, B, A> & Access

/** Whether the route reads or writes one record. */
const isOneRecord = ({ permission, shape, path }: Route): boolean =>
  permission?.kind === 'table' && shape === 'data' && path.endsWith('/{id}')

/** Whether the route writes only the version that `If-Match` names. */
export const takesIfMatch = (route: Route): boolean =>
  route.takesIfMatch === true || (isOneRecord(route) && route.method !== 'GET')

/** A route. The HTTP dispatch, the CDK stack, the OpenAPI writer and the isolation tests read it. */
export type Route<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
> = RouteDefinition<P, Q, B, A> & {
  readonly key: string
  readonly status: 200 | 201 | 202 | 204 | 302
  readonly shape: AnswerShape
}

/** Declares an endpoint. A route with neither `permission` nor `open: true` is a type error. */
export function defineRoute<
  P extends z.ZodType = z.ZodObject<Record<never, never>>,
  Q extends z.ZodType = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
  A extends z.ZodType = z.ZodUndefined,
>(definition: RouteDefinition<P, Q, B, A>): Route<P, Q, B, A> {
  return {
    ...definition,
    key: `${definition.method} ${definition.path}`,
    status: definition.status ?? 200,
    shape: definition.shape ?? 'data',
  }
}

export type ParamsOf<R extends Route> = R extends Route<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.output<P> : never
export type QueryOf<R extends Route> = R extends Route<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never
export type BodyOf<R extends Route> = R extends Route<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.output<B> : never
export type AnswerOf<R extends Route> = R extends Route<z.ZodType, z.ZodType, z.ZodType, infer A> ? z.input<A> : never
