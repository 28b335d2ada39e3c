import middy from '@middy/core'
import type { Request as MiddyRequest } from '@middy/core'
import { refuseDeletedTenant } from '../../../kernel/failures/deleted-tenant.ts'
import { type Fault, Forbidden, type Invalid, MethodNotAllowed } from '../../../kernel/failures/faults.ts'
import { permissionMissing } from '../../../kernel/failures/permission-missing.ts'
import { messagesOf } from '../../../kernel/failures/sentence.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Caller, TokenKind } from '../../../kernel/principal.ts'
import { environment } from '../../../kernel/runtime/environment.ts'
import { addToLogScope, inLogScope, log } from '../../../kernel/runtime/log.ts'
import { type NamesTables, withPublicNames } from '../../../kernel/table-names.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { inTimeLimit } from '../../../kernel/throttling/time-limit.ts'
import { clock } from '../../../kernel/time/clock.ts'
import { pageTooLarge } from '../paging/fit-page.ts'
import { storedParams } from '../table-names/former-name.ts'
import { withStoredNames, withTableNames } from '../table-names/translate-names.ts'
import { answerFault } from './answer-fault.ts'
import { countFitting, isSendable } from './answer-size.ts'
import { type CallerAddress, callerAddress } from './caller-address.ts'
import { type Route, takesIfMatch } from './define-route.ts'
import { Accepted, NotModified, type Page, Redirect, Reply, wrap } from './envelope.ts'
import type { HttpEvent, HttpResult, InvocationContext } from './http-event.ts'
import type { CallerRequest, Implementation, ItemKey, Preloaded } from './implement.ts'
import { etag, readIfMatch } from './input/if-match.ts'
import { fieldErrors } from './input/parse-input.ts'
import { bodyOf, type BodyReaders, largestBodyOf, queryOf } from './input/read-input.ts'
import { bodyBytes } from './json/json-body.ts'
import { routeMatcher } from './match-route.ts'
import { locationOf, loggedPath, methodsOf, unknownAddress } from './request-paths.ts'
import { refuseBareCookie, refuseOtherPages, withSessionToken } from './session-cookie.ts'

/**
 * Resolves the `Authorization` header to a caller, and reads the rows of `reads` in the same call. `model`: the table
 * that the route is about, if it is about one; `sourceIp`: who asks. `reads` are asked for again by the stored names of tables, as `named` has them,
 * once the tenant turns out to have renamed ones. Throws Unauthenticated.
 */
export type Authenticate = (
  authorization: string | undefined,
  reads: (tenant: TenantRef, userId: number, named?: NamesTables) => readonly ItemKey[],
  model?: string,
  sourceIp?: string,
) => Promise<{ caller: Caller; preloaded: Preloaded }>

let readAddress: CallerAddress | undefined
const addressOf: CallerAddress = (event) => (readAddress ??= callerAddress(environment().TRUSTED_PROXIES))(event)

/**
 * Where an address leads that the group does not know; undefined when it leads nowhere. May throw MethodNotAllowed.
 */
type RedirectFor = (event: HttpEvent) => string | undefined

/** The state of one request, which its stages share. */
interface Progress {
  bound?: Implementation
  /** The values of the parameters in the path. */
  params?: HttpEvent['pathParameters']
  caller?: Caller
  preloaded?: Preloaded
  /** The address has a former name of its table. */
  moved?: Fault
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
  {
    authenticate,
    redirectFor,
    readers,
  }: {
    readonly authenticate: Authenticate
    readonly redirectFor?: RedirectFor
    /** For the routes that take bodies of other media types than JSON. */
    readonly readers?: BodyReaders
  },
  implementations: readonly Implementation[],
) {
  // The types of middy refer to the aws-lambda package, which is not installed.
  const stages = middy<HttpEvent, HttpResult, Error, StageContext>({ timeoutEarlyInMillis: 0 })
    .use({ before: findRoute(implementations, redirectFor), onError: answerWithFault })
    .use({ before: identify(authenticate) })
    .use({ before: permit })
    .use({ before: redirectToTable })
    .handler(callRoute(readers))

  return (received: HttpEvent, context: InvocationContext): Promise<HttpResult> =>
    inLogScope({ request_id: received.requestContext.requestId, route: received.routeKey }, async () => {
      const event = withSessionToken(received)
      const startedAt = performance.now()
      const remainingMs = () => context.getRemainingTimeInMillis()
      const answered = await inTimeLimit(remainingMs, () =>
        stages(event, { awsRequestId: context.awsRequestId, getRemainingTimeInMillis: remainingMs, progress: {} }),
      )
      log.info('request', {
        path: loggedPath(event.rawPath),
        status: answered.statusCode,
        ms: Math.round(performance.now() - startedAt),
      })
      if (event.requestContext.http.method !== 'HEAD') return answered
      const { body: _body, isBase64Encoded: _encoded, ...head } = answered
      return head
    })
}

/** Answers the result for an address that leads redirectFor; undefined when its route was found. */
const findRoute = (implementations: readonly Implementation[], redirectFor: RedirectFor = () => undefined) => {
  const bindings = new Map(implementations.map((bound) => [bound.route.key, bound]))
  const match = routeMatcher(implementations.map(({ route }) => route))

  return ({ event, context: { progress } }: Stage): HttpResult | undefined => {
    const { method } = event.requestContext.http
    const exact = bindings.get(event.routeKey)
    if (exact) {
      progress.bound = exact
      progress.params = event.pathParameters ?? {}
      return undefined
    }
    // The gateway knows only the beginning of the path, or one path of several methods; a function URL knows nothing.
    const found = match(method, event.rawPath)
    if (!found) {
      return movedTo(event, redirectFor(event))
    }
    if (!found.route) {
      const methods = methodsOf(event.rawPath, found.methods)
      // The gateway led here because of a slash at the end of a path that several functions serve.
      if (methods.includes(method)) return movedTo(event, withoutSlash(event))
      throw new MethodNotAllowed(method, methods)
    }
    progress.bound = bindings.get(found.route.key)
    progress.params = found.params
    addToLogScope({ route: found.route.key })
    return undefined
  }
}

/** Answers that the address is another one; throws NotFound when it is none. */
function movedTo(event: HttpEvent, location: string | undefined): HttpResult {
  if (location === undefined) throw unknownAddress(event)
  return result(event, 308, { location }, undefined, undefined)
}

const identify =
  (authenticate: Authenticate) =>
  async ({ event, context: { progress } }: Stage): Promise<void> => {
    const { route, reads } = progress.bound as Implementation
    if (route.ownPagesOnly) refuseOtherPages(event)
    if (route.open && !(route.takesToken && event.headers.authorization !== undefined)) return
    refuseBareCookie(event)
    const inStore = (named: NamesTables) => storedParams(named, route.path, progress.params ?? {}, event, clock.now())
    const wanted = (tenant: TenantRef, userId: number, named?: NamesTables) => {
      const params = reads && parseParams(route, named ? inStore(named) : progress)
      return reads && params?.success ? reads(tenant, params.data as never, userId, event.headers) : []
    }
    const { caller, preloaded } = await authenticate(
      event.headers.authorization,
      wanted,
      tableOf(route, progress),
      addressOf(event),
    )
    if (!route.whenDeleted) refuseDeletedTenant(caller.tenant)
    progress.caller = caller
    progress.preloaded = preloaded
    if (caller.tenant.renamedTables) Object.assign(progress, inStore(caller.tenant))
    addToLogScope({
      tenant_id: caller.tenant.id,
      tenant: caller.tenant.slug,
      user_id: caller.userId,
      impersonator_id: caller.impersonatorId,
    })
  }

/** The name of the table that a route is about, as the path has it. */
const tableOf = ({ permission }: Route, { params }: Progress): string | undefined =>
  permission?.kind === 'table' ? params?.[permission.param] : undefined

function permit({ context: { progress } }: Stage): void {
  const { permission, refusedTo, allowedWithoutMfa, allowedWithoutVerification } = (progress.bound as Implementation)
    .route
  const { caller } = progress
  if (!caller) return
  if (refusedTo?.includes(caller.tokenKind)) throw refusedToken(caller.tokenKind)
  if (caller.tenant.awaitsVerification && !allowedWithoutVerification)
    throw new Forbidden(
      'email_unverified',
      'Confirm your e-mail address first: open the link that was mailed to you, or ask for another with POST /api/email/verify/resend.',
    )
  if (caller.mustSetUpMfa && !allowedWithoutMfa)
    throw new Forbidden('mfa_setup_required', 'Your role demands a second factor: set one up with POST /api/user/mfa.')
  if (!permission || permission.kind === 'signed-in') return
  if (permission.kind === 'administrator') {
    if (!caller.isAdministrator) throw new Forbidden('forbidden', 'Only administrators may do this.')
    return
  }
  const on = permission.kind === 'named' ? permission.on : (progress.params?.[permission.param] ?? '')
  if (mayOnTable(caller, on, permission.action)) return
  if (permission.kind === 'table' && permission.or && mayOnTable(caller, on, permission.or)) return
  throw permissionMissing(on, permission.action)
}

/** Who may not see the table does not learn its name. */
function redirectToTable({ context: { progress } }: Stage): void {
  if (progress.moved) throw progress.moved
}

const refusedToken = (kind: TokenKind): Forbidden =>
  new Forbidden('person_required', refusalOfKind[kind] ?? 'Only the person may do this.')
const refusalOfKind: Partial<Record<TokenKind, string>> = {
  impersonation: 'You may not do this while you act as somebody else.',
  tenant_session: 'You signed in with the identity provider of this company: sign in with your password to do this.',
  api_key: 'An API key may not do this.',
}

const callRoute =
  (readers: BodyReaders | undefined) =>
  async (event: HttpEvent, context: StageContext): Promise<HttpResult> => {
    const { bound, caller, preloaded } = context.progress
    const { route, answer } = bound as Implementation
    const params = parseParams(route, context.progress)
    if (!params.success)
      throw unknownAddress(event, Object.values(messagesOf(fieldErrors(params.error.issues)))[0]?.[0])
    const query = event.queryStringParameters ?? {}
    const tenant = caller?.tenant
    const request = {
      params: params.data,
      query: withStoredNames(tenant, route.query, queryOf(route, query)),
      body: withStoredNames(tenant, route.body, await bodyOf(route, event, query, readers)),
      bytes: () => bodyBytes(event.body, event.isBase64Encoded === true, largestBodyOf(route)),
      headers: event.headers,
      cookies: event.cookies ?? [],
      sourceIp: addressOf(event),
      requestId: event.requestContext.requestId,
      remainingMs: () => context.getRemainingTimeInMillis(),
      caller,
      preloaded,
      ifMatch: takesIfMatch(route) ? readIfMatch(event.headers['if-match']) : undefined,
    } as unknown as CallerRequest<Route>
    const answered = await answer(request as never)
    if (answered instanceof Accepted)
      return result(
        event,
        202,
        answered.headers,
        undefined,
        wrap('data', withTableNames(tenant, route.accepted, answered.payload), { path: event.rawPath, query }),
      )
    if (answered instanceof Redirect) return result(event, 302, answered.headers, undefined, undefined)
    if (answered instanceof NotModified) return result(event, 304, answered.headers, undefined, undefined)
    const reply = withNamesIn(tenant, route, answered instanceof Reply ? answered : new Reply(answered, {}))
    const { payload } = reply
    const body = wrap(route.shape, payload, { path: event.rawPath, query }, reply)
    const made = result(event, route.status, { ...etagOf(route, payload), ...reply.headers }, route, body)
    if (route.shape === 'page' && !isSendable(made.body ?? '')) throw tooLargeToSend(payload as Page<unknown>)
    return made
  }

/** An answer with the names that tables have. */
function withNamesIn(tenant: Tenant | undefined, { shape, answer }: Route, reply: Reply<unknown>): Reply<unknown> {
  if (!tenant?.renamedTables) return reply
  const { payload, headers, meta, warnings } = reply
  return new Reply(
    shape === 'page'
      ? {
          ...(payload as Page<unknown>),
          items: withTableNames(tenant, answer.array(), (payload as Page<unknown>).items),
        }
      : withTableNames(tenant, answer, payload),
    headers,
    meta,
    warnings.map((warning) => ({
      ...warning,
      message: withPublicNames(tenant, warning.message),
      ...(warning.path !== undefined && { path: withPublicNames(tenant, warning.path) }),
    })),
  )
}

/** The `ETag` of an object with a version, which is that version. */
function etagOf({ shape }: Route, payload: unknown): Readonly<Record<string, string>> {
  const version: unknown = (payload as { readonly version?: unknown } | null | undefined)?.version
  return shape === 'data' && typeof version === 'number' ? { etag: etag(version) } : {}
}

/** The address of a request without the slash at the end of its path; undefined when there is none. */
export const withoutSlash = ({ rawPath, rawQueryString }: HttpEvent): string | undefined =>
  locationOf(rawPath.replace(/\/+$/, ''), rawQueryString)

/** For lists that are not bounded while they are read, because their rows are small as a rule. */
const tooLargeToSend = ({ perPage, items }: Page<unknown>): Invalid =>
  pageTooLarge(perPage, countFitting(items), 'rows')

const parseParams = (route: Route, { params }: Pick<Progress, 'params'>) =>
  route.params ? route.params.safeParse(params ?? {}, { reportInput: true }) : { success: true as const, data: {} }

function answerWithFault(stage: Stage): void {
  const { event, error, context } = stage
  const answered = answerFault(error, (text) => withPublicNames(context.progress.caller?.tenant ?? {}, text))
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
  const isBodiless =
    statusCode === 204 || statusCode === 302 || statusCode === 304 || (statusCode === 308 && body === undefined)
  const text = route?.shape === 'raw' && typeof body === 'string' ? body : undefined
  const bytes = body instanceof Uint8Array ? Buffer.from(body).toString('base64') : undefined
  return {
    statusCode,
    headers: {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(isBodiless ? {} : { 'content-type': route?.contentType ?? 'application/json; charset=utf-8' }),
      'x-request-id': event.requestContext.requestId,
      ...headers,
    },
    ...(isBodiless ? {} : { body: bytes ?? text ?? JSON.stringify(body) }),
    ...(bytes !== undefined && { isBase64Encoded: true as const }),
  }
}
