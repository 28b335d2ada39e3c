import middy, { type Request as MiddyRequest } from '@middy/core'
import { refuseDeletedTenant } from '../../kernel/deleted-tenant.ts'
import { Forbidden, NotFound } from '../../kernel/faults.ts'
import { addToLogScope, inLogScope, log } from '../../kernel/log.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller, TokenKind } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { answerFault } from './answer-fault.ts'
import type { Route } from './define-route.ts'
import { Accepted, NotModified, Redirect, Reply, wrap } from './envelope.ts'
import type { HttpEvent, HttpResult, InvocationContext } from './http-event.ts'
import type { CallerRequest, Implementation, ItemKey, Preloaded } from './implement.ts'
import { readJsonBody } from './json-body.ts'
import { parseInput } from './parse-input.ts'

/**
 * Resolves the `Authorization` header to a caller, and reads the rows of `reads` in the same call. Throws
 * Unauthenticated.
 */
export type Authenticate = (
  authorization: string | undefined,
  reads: (tenant: TenantRef, userId: number) => readonly ItemKey[],
) => Promise<{ caller: Caller; preloaded: Preloaded }>

/** The state of one request, which its stages share. */
interface Progress {
  bound?: Implementation
  caller?: Caller
  preloaded?: Preloaded
}
interface StageContext extends InvocationContext {
  readonly progress: Progress
}
type Stage = MiddyRequest<HttpEvent, HttpResult, Error, StageContext>

/**
 * The handler of one API function. For each request it finds the route, authenticates, checks the permission, parses
 * the input, calls the implementation and wraps its payload. An error at any stage becomes the failure envelope.
 */
export function endpointGroup(
  dependencies: { authenticate: Authenticate },
  implementations: readonly Implementation[],
) {
  const bindings = new Map(implementations.map((bound) => [bound.route.key, bound]))

  // The types of middy refer to the aws-lambda package, which is not installed.
  const stages = middy<HttpEvent, HttpResult, Error, never>({ timeoutEarlyInMillis: 0 })
    .use({ before: findRoute(bindings) as never, onError: answerWithFault as never })
    .use({ before: identify(dependencies.authenticate) as never })
    .use({ before: permit as never })
    .handler(callRoute as never) as unknown as (event: HttpEvent, context: StageContext) => Promise<HttpResult>

  return (event: HttpEvent, context: InvocationContext): Promise<HttpResult> =>
    inLogScope({ request_id: event.requestContext.requestId, route: keyOf(event) }, async () => {
      const startedAt = performance.now()
      const answered = await stages(event, {
        awsRequestId: context.awsRequestId,
        getRemainingTimeInMillis: () => context.getRemainingTimeInMillis(),
        progress: {},
      })
      log.info('request', { status: answered.statusCode, ms: Math.round(performance.now() - startedAt) })
      return answered
    })
}

const findRoute =
  (bindings: ReadonlyMap<string, Implementation>) =>
  ({ event, context }: Stage): void => {
    context.progress.bound = bindings.get(keyOf(event))
    if (!context.progress.bound) throw unknownAddress(event)
  }

/** API Gateway routes several methods of a path by one key, `ANY` and the path. */
const keyOf = ({ routeKey, requestContext }: HttpEvent): string =>
  routeKey.replace(/^ANY /, `${requestContext.http.method} `)

const identify =
  (authenticate: Authenticate) =>
  async ({ event, context: { progress } }: Stage): Promise<void> => {
    const { route, reads } = progress.bound as Implementation
    if (route.open) return
    const params = reads && parseParams(route, event)
    const wanted = (tenant: TenantRef, userId: number) =>
      reads && params?.success ? reads(tenant, params.data as never, userId) : []
    const { caller, preloaded } = await authenticate(event.headers.authorization, wanted)
    if (!route.whenDeleted) refuseDeletedTenant(caller.tenant)
    progress.caller = caller
    progress.preloaded = preloaded
    addToLogScope({ tenant_id: caller.tenant.id, user_id: caller.userId, impersonator_id: caller.impersonatorId })
  }

function permit({ event, context: { progress } }: Stage): void {
  const { permission, refusedTo, beforeMfa } = (progress.bound as Implementation).route
  const { caller } = progress
  if (!permission || !caller) return
  if (refusedTo?.includes(caller.tokenKind)) throw refusedToken(caller.tokenKind)
  if (caller.mustSetUpMfa && !beforeMfa)
    throw new Forbidden('mfa_setup_required', 'Your role demands a second factor: set one up with POST /api/user/mfa.')
  if (permission.kind === 'signed-in') return
  const allowed =
    permission.kind === 'administrator'
      ? caller.isAdministrator
      : mayOnTable(caller, event.pathParameters?.[permission.param] ?? '', permission.action)
  if (!allowed) throw new Forbidden()
}

const refusedToken = (kind: TokenKind): Forbidden =>
  new Forbidden('person_required', refusalOfKind[kind] ?? 'Only the person may do this.')
const refusalOfKind: Partial<Record<TokenKind, string>> = {
  impersonation: 'You may not do this while you act as somebody else.',
  tenant_session: 'You signed in with the identity provider of this company: sign in with your password to do this.',
  api_key: 'An API key may not do this.',
}

async function callRoute(event: HttpEvent, context: StageContext): Promise<HttpResult> {
  const { bound, caller, preloaded } = context.progress
  const { route, answer } = bound as Implementation
  const params = parseParams(route, event)
  if (!params.success) throw unknownAddress(event)
  const query = event.queryStringParameters ?? {}
  const request = {
    params: params.data,
    query: route.query ? parseInput(route.query, query, 'query') : {},
    body: route.body
      ? parseInput(
          route.body,
          readJsonBody(event.body, event.isBase64Encoded === true, { eachRow: route.eachRow === true }),
        )
      : undefined,
    headers: event.headers,
    cookies: event.cookies ?? [],
    sourceIp: event.requestContext.http.sourceIp,
    requestId: event.requestContext.requestId,
    remainingMs: () => context.getRemainingTimeInMillis(),
    caller,
    preloaded,
  } as unknown as CallerRequest<Route>
  const answered = await answer(request as never)
  if (answered instanceof Accepted)
    return result(event, 202, {}, undefined, wrap('data', answered.payload, { path: event.rawPath, query }))
  if (answered instanceof Redirect) return result(event, 302, answered.headers, undefined, undefined)
  if (answered instanceof NotModified) return result(event, 304, answered.headers, undefined, undefined)
  const { payload, headers } = answered instanceof Reply ? answered : { payload: answered, headers: {} }
  return result(event, route.status, headers, route, wrap(route.shape, payload, { path: event.rawPath, query }))
}

const unknownAddress = ({ rawPath }: HttpEvent): NotFound =>
  new NotFound('endpoint', { path: rawPath }, 'The address was not found.')

const parseParams = (route: Route, event: HttpEvent) =>
  route.params ? route.params.safeParse(event.pathParameters ?? {}) : { success: true as const, data: {} }

function answerWithFault(stage: Stage): void {
  const { event, error } = stage
  const answered = answerFault(error)
  if (answered.status === 500) log.error('defect', error)
  stage.response = result(event, answered.status, answered.headers, undefined, answered.body)
}

function result(
  event: HttpEvent,
  statusCode: number,
  headers: Readonly<Record<string, string>>,
  route: Route | undefined,
  body: unknown,
): HttpResult {
  const isBodiless = statusCode === 204 || statusCode === 302 || statusCode === 304
  const raw = route?.shape === 'raw' && typeof body === 'string'
  return {
    statusCode,
    headers: {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(isBodiless ? {} : { 'content-type': route?.contentType ?? 'application/json; charset=utf-8' }),
      'x-request-id': event.requestContext.requestId,
      ...headers,
    },
    ...(isBodiless ? {} : { body: raw ? body : JSON.stringify(body) }),
  }
}
