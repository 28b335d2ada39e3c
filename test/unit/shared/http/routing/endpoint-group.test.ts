import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import {
  administrator,
  allButThePerson,
  allButTheWholePerson,
  defineRoute,
  onTable,
  signedIn,
  type Route,
} from '../../../../../shared/http/routing/define-route.ts'
import { endpointGroup, type Authenticate } from '../../../../../shared/http/routing/endpoint-group.ts'
import { Accepted, Reply } from '../../../../../shared/http/routing/envelope.ts'
import type { HttpEvent } from '../../../../../shared/http/routing/http-event.ts'
import {
  implement,
  implementOpen,
  type Implementation,
  type ItemKey,
} from '../../../../../shared/http/routing/implement.ts'
import { IdParam } from '../../../../../shared/http/routing/path-params.ts'
import {
  Conflict,
  Forbidden,
  Invalid,
  NotFound,
  PreconditionFailed,
  TooLarge,
  TooManyRequests,
  Unauthenticated,
} from '../../../../../shared/kernel/faults.ts'
import { log } from '../../../../../shared/kernel/log.ts'
import type { Caller, TokenKind } from '../../../../../shared/kernel/principal.ts'
import { Throttled } from '../../../../../shared/kernel/throttling/throttled.ts'

vi.stubEnv('TABLE_NAME', 'test')
vi.stubEnv('PUBLIC_URL', 'https://api.example.com')

const logged = { error: vi.spyOn(log, 'error').mockReturnValue(), info: vi.spyOn(log, 'info').mockReturnValue() }
beforeEach(() => vi.clearAllMocks())

const ada: Caller = {
  tenant: { id: 7, slug: 'demo', name: 'Demo', configVersion: 1 },
  userId: 3,
  name: 'Ada',
  email: 'ada@example.com',
  roles: ['agent'],
  permissions: ['notes.update', 'notes.read'],
  grants: [],
  isAdministrator: false,
  orgUnitIds: [],
  companyId: null,
  locale: null,
  tokenNumber: 1,
  tokenKind: 'session',
  mfaEnabled: false,
  mustSetUpMfa: false,
}
const tokens: Record<string, Caller> = {
  'Bearer ada': ada,
  'Bearer root': { ...ada, isAdministrator: true },
  'Bearer nobody': { ...ada, permissions: [] },
}
const preloaded = { get: () => undefined }
const authenticate = vi.fn<Authenticate>(async (authorization, reads) => {
  const caller = tokens[authorization ?? '']
  if (!caller) throw new Unauthenticated('unauthenticated', 'No token.')
  reads(caller.tenant, caller.userId)
  return { caller, preloaded }
})

const changeNote = defineRoute({
  method: 'PUT',
  path: '/api/e/{model}/{id}',
  permission: onTable('update'),
  tag: 'Notes',
  summary: 'Change',
  params: z.object({ model: z.string(), id: IdParam }),
  query: z.object({ dry: z.enum(['yes', 'no']).optional() }),
  body: z.strictObject({ title: z.string() }),
  answer: z.object({ title: z.string() }),
})
const openRoute = <A extends z.ZodType>(answer: A, more: Partial<Route> = {}) =>
  defineRoute({
    method: 'GET',
    path: '/api/open',
    open: true,
    tag: 'Open',
    summary: 'Open',
    answer,
    ...(more as object),
  }) as Route

function event(route: Pick<Route, 'key' | 'path' | 'method'>, more: Partial<HttpEvent> = {}): HttpEvent {
  const path = route.path.replace('{model}', 'notes').replace('{id}', '1')
  return {
    routeKey: route.key,
    rawPath: path,
    headers: {},
    requestContext: { requestId: 'request-9', http: { method: route.method, path, sourceIp: '192.0.2.1' } },
    ...more,
  }
}

async function send(implementation: Implementation, more: Partial<HttpEvent> = {}) {
  const handler = endpointGroup({ authenticate }, [implementation])
  const result = await handler(event(implementation.route, more), {
    awsRequestId: 'invocation',
    getRemainingTimeInMillis: () => 29_000,
  })
  const isJson = result.headers['content-type']?.startsWith('application/json')
  return {
    status: result.statusCode,
    headers: result.headers,
    text: result.body,
    body: isJson ? JSON.parse(result.body ?? '') : undefined,
  }
}

/** The checks of a request in their order, each with requests that fail it. */
describe('the checks of a request', () => {
  const found = vi.fn<() => Promise<{ title: string }>>(async () => ({ title: 'new' }))
  const gone = vi.fn<() => Promise<never>>(async () => Promise.reject(new NotFound('record')))
  const good: Partial<HttpEvent> = {
    headers: { authorization: 'Bearer ada' },
    pathParameters: { model: 'notes', id: '1' },
    body: '{"title":"new"}',
  }
  const everythingWrong: Partial<HttpEvent> = {
    pathParameters: { model: 'notes', id: 'x' },
    queryStringParameters: { dry: 'maybe' },
    body: '{',
  }

  it.each<[string, Partial<HttpEvent>, number]>([
    ['without a token', { ...everythingWrong, headers: {} }, 401],
    ['with an unknown token', { ...everythingWrong, headers: { authorization: 'Bearer x' } }, 401],
    ['without the permission', { ...everythingWrong, headers: { authorization: 'Bearer nobody' } }, 403],
    [
      'with the permission on another table',
      { ...everythingWrong, headers: { authorization: 'Bearer ada' }, pathParameters: { model: 'tasks', id: 'x' } },
      403,
    ],
    ['with an id that is none', { ...everythingWrong, headers: { authorization: 'Bearer ada' } }, 404],
    ['with a wrong query', { ...good, queryStringParameters: { dry: 'maybe' }, body: '{' }, 422],
    ['with a body that is no JSON', { ...good, body: '{' }, 400],
    ['with a body of the wrong shape', { ...good, body: '{"title":1}' }, 422],
    ['without a body', { ...good, body: undefined }, 422],
  ])('do not let it reach the route %s', async (_, request, status) => {
    const answered = await send(implement(changeNote, found), request)
    expect(answered.status).toBe(status)
    expect(answered.body).toMatchObject({ success: false, message: expect.any(String) })
    expect(found).not.toHaveBeenCalled()
  })

  it('end at the route, which answers 404 when the record does not exist', async () => {
    expect(await send(implement(changeNote, gone), good)).toMatchObject({
      status: 404,
      body: { success: false, code: 'record_not_found', message: 'The record was not found.' },
    })
    expect(gone).toHaveBeenCalledOnce()
  })

  it('hand the parsed input and the caller to the route', async () => {
    await send(implement(changeNote, found), { ...good, queryStringParameters: { dry: 'yes' } })
    expect(found).toHaveBeenCalledWith(
      expect.objectContaining({
        params: { model: 'notes', id: 1 },
        query: { dry: 'yes' },
        body: { title: 'new' },
        caller: ada,
        preloaded,
        sourceIp: '192.0.2.1',
        requestId: 'request-9',
      }),
    )
  })

  it('read the rows of the route together with the caller, but nothing for an invalid id', async () => {
    const reads = vi.fn<() => ItemKey[]>(() => [{ pk: 'a', sk: 'b' }])
    await send(implement(changeNote, found, reads), good)
    expect(reads).toHaveBeenCalledExactlyOnceWith(ada.tenant, { model: 'notes', id: 1 }, ada.userId)
    expect(
      (await send(implement(changeNote, found, reads), { ...good, pathParameters: { model: 'notes', id: 'x' } }))
        .status,
    ).toBe(404)
    expect(reads).toHaveBeenCalledOnce()
  })

  it.each([
    [signedIn, 'Bearer nobody', 200],
    [administrator, 'Bearer ada', 403],
    [administrator, 'Bearer root', 200],
  ])('answer the permission %j with %s by %d', async (permission, authorization, status) => {
    const route = defineRoute({
      method: 'GET',
      path: '/api/x',
      permission,
      tag: 'X',
      summary: 'X',
      answer: z.undefined(),
    })
    expect(
      (
        await send(
          implement(route, async () => undefined),
          { headers: { authorization } },
        )
      ).status,
    ).toBe(status)
  })

  it.each<[TokenKind, readonly TokenKind[] | undefined, number]>([
    ['session', allButTheWholePerson, 200],
    ['tenant_session', allButThePerson, 200],
    ['tenant_session', allButTheWholePerson, 403],
    ['impersonation', allButThePerson, 403],
    ['impersonation', undefined, 200],
    ['api_key', allButThePerson, 403],
  ])('answer a token of the kind %s, on a route that refuses %j, by %d', async (tokenKind, refusedTo, status) => {
    const route = defineRoute({
      method: 'GET',
      path: '/api/x',
      permission: signedIn,
      refusedTo,
      tag: 'X',
      summary: 'X',
      answer: z.undefined(),
    })
    authenticate.mockResolvedValueOnce({ caller: { ...ada, tokenKind }, preloaded })
    const answer = await send(
      implement(route, async () => undefined),
      { headers: { authorization: 'Bearer ada' } },
    )
    expect([answer.status, answer.body.code]).toEqual([status, status === 403 ? 'person_required' : undefined])
  })

  it('require no token on an open route', async () => {
    expect(await send(implementOpen(openRoute(z.string()), async () => 'hello'))).toMatchObject({
      status: 200,
      body: { success: true, data: 'hello', message: 'OK' },
    })
    expect(authenticate).not.toHaveBeenCalled()
  })
})

describe('an address that no route has', () => {
  it.each(['$default', 'GET /api/nothing', 'toString', '__proto__'])(
    'answers 404 in the envelope: %s',
    async (routeKey) => {
      const answered = await send(
        implementOpen(openRoute(z.string()), async () => 'hello'),
        { routeKey, rawPath: '/api/nothing' },
      )
      expect(answered).toMatchObject({
        status: 404,
        body: { success: false, code: 'endpoint_not_found', message: 'The address was not found.' },
      })
      expect(answered.headers['x-request-id']).toBe('request-9')
      expect(authenticate).not.toHaveBeenCalled()
    },
  )
})

describe('an answer', () => {
  it('has the request id, and forbids caching and content sniffing', async () => {
    expect((await send(implementOpen(openRoute(z.string()), async () => 'x'))).headers).toEqual({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'request-9',
    })
  })

  it('has the headers of its route, which override the defaults', async () => {
    const reply = new Reply('x', { etag: '"5"', 'cache-control': 'public' })
    expect((await send(implementOpen(openRoute(z.string()), async () => reply))).headers).toMatchObject({
      etag: '"5"',
      'cache-control': 'public',
    })
  })

  it('is a 202 in the envelope when the work continues in the background, even for a raw route', async () => {
    const answered = await send(
      implementOpen(
        openRoute(z.string(), { shape: 'raw', contentType: 'text/csv' }),
        async () => new Accepted({ job_id: 7 }),
      ),
    )
    expect(answered.status).toBe(202)
    expect(answered.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answered.body).toEqual({ success: true, data: { job_id: 7 }, message: 'OK' })
  })

  it('has no body and no type when it is a 204', async () => {
    const answered = await send(implementOpen(openRoute(z.undefined(), { status: 204 }), async () => undefined))
    expect(answered.status).toBe(204)
    expect(answered.text).toBeUndefined()
    expect(answered.headers).not.toHaveProperty('content-type')
  })

  it('of a raw route is its text, or its JSON without the envelope', async () => {
    const page = openRoute(z.string(), { shape: 'raw', contentType: 'text/html; charset=utf-8' })
    expect(await send(implementOpen(page, async () => '<p>'))).toMatchObject({
      text: '<p>',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
    const health = openRoute(z.object({ status: z.string() }), { shape: 'raw' })
    expect((await send(implementOpen(health, async () => ({ status: 'ok' })))).body).toEqual({ status: 'ok' })
  })

  it('links a page to the address of the request', async () => {
    const list = openRoute(z.int(), { shape: 'page', query: z.object({ sort: z.string() }) })
    const page = { items: [1], total: 3, perPage: 1, page: 1, offset: 0, nextCursor: null }
    const { body } = await send(
      implementOpen(list, async () => page),
      { rawPath: '/api/open', queryStringParameters: { sort: 'id' } },
    )
    expect(body.links.next).toBe('https://api.example.com/api/open?sort=id&page=2&per_page=1')
  })
})

it('a list that Lambda could not carry is refused, with the number of rows that fit', async () => {
  const list = openRoute(z.string(), { shape: 'page', query: z.object({}) })
  const items = Array.from({ length: 60 }, () => 'x\n'.repeat(50_000))
  const page = { items, total: 60, perPage: 60, page: 1, offset: 0, nextCursor: null }
  const { status, body } = await send(implementOpen(list, async () => page))
  expect([status, body.code]).toEqual([422, 'page_too_large'])
  expect(body.errors.per_page[0]).toMatch(/\d+ fit/)
})

describe('a failure', () => {
  const fail = (error: unknown) => send(implementOpen(openRoute(z.string()), async () => Promise.reject(error)))

  it.each<[unknown, number, Record<string, string>, object]>([
    [
      new Unauthenticated('unauthenticated', 'No token.'),
      401,
      { 'www-authenticate': 'Bearer' },
      { code: 'unauthenticated' },
    ],
    [new Forbidden('registration_closed', 'Closed.'), 403, {}, { code: 'registration_closed', message: 'Closed.' }],
    [
      new NotFound('process_template'),
      404,
      {},
      { code: 'process_template_not_found', message: 'The process template was not found.' },
    ],
    [new Conflict('name_taken', 'Taken.'), 409, {}, { code: 'name_taken', message: 'Taken.' }],
    [new PreconditionFailed(6), 412, { etag: '"6"' }, { code: 'version_mismatch', data: { version: 6 } }],
    [new TooLarge('Too large.'), 413, {}, { code: 'body_too_large' }],
    [
      new Invalid({}, { code: 'refused_by_hook', message: 'No.' }),
      422,
      {},
      { code: 'refused_by_hook', message: 'No.' },
    ],
    [
      new Invalid({ a: ['b'] }, { details: { line: 2 } }),
      422,
      {},
      { code: 'validation_failed', message: 'Validation error', errors: { a: ['b'] }, data: { line: 2 } },
    ],
    [new Throttled(), 503, { 'retry-after': '2' }, { code: 'throttled' }],
    [new TooManyRequests(30), 429, { 'retry-after': '30' }, { code: 'too_many_attempts' }],
  ])('%s answers %d', async (error, status, headers, body) => {
    const answered = await fail(error)
    expect(answered.status).toBe(status)
    expect(answered.headers).toMatchObject({
      ...headers,
      'x-request-id': 'request-9',
      'content-type': 'application/json; charset=utf-8',
    })
    expect(answered.body).toMatchObject({ success: false, ...body })
    expect(logged.error).not.toHaveBeenCalled()
  })

  it.each([
    ['an error', new Error('secret-inside', { cause: 'secret-cause' })],
    ['a type error', new TypeError('secret-inside')],
    ['a string', 'secret-inside'],
    ['nothing', undefined],
    ['an object that looks like a fault', { code: 'not_found', message: 'secret-inside', data: {} }],
  ])('that is a defect (%s) reveals no internals, and is logged', async (_, thrown) => {
    const answered = await fail(thrown)
    expect(answered).toMatchObject({
      status: 500,
      body: { success: false, code: 'internal_error', message: 'Server error' },
    })
    expect(answered.headers['x-request-id']).toBe('request-9')
    expect(JSON.stringify(answered)).not.toContain('secret')
    expect(logged.error).toHaveBeenCalledOnce()
  })

  it.each([
    ['one key of 3 MB', { ['語'.repeat(1_000_000)]: 1 }],
    [
      '10,000 long keys',
      Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`${index}${'語'.repeat(120)}`, 1])),
    ],
  ])('that names what was sent is small: %s', async (_, sent) => {
    const strict = openRoute(z.undefined(), { method: 'POST', body: z.strictObject({}) })
    const answered = await send(
      implementOpen(strict, async () => undefined),
      { body: JSON.stringify(sent) },
    )
    expect(answered.status).toBe(422)
    expect(Buffer.byteLength(answered.text ?? '')).toBeLessThan(2_000_000)
    expect(Object.keys(answered.body.errors)[0]).toMatch(/^\d*語+…?$/)
  })

  it('of a raw route is in the envelope', async () => {
    const page = openRoute(z.string(), { shape: 'raw', contentType: 'text/html; charset=utf-8' })
    const answered = await send(implementOpen(page, async () => Promise.reject(new Conflict('in_use', 'No.'))))
    expect(answered).toMatchObject({ status: 409, body: { success: false, code: 'in_use', message: 'No.' } })
  })

  it('of the authentication itself is a 500', async () => {
    authenticate.mockRejectedValueOnce(new Error('secret-inside'))
    const answered = await send(implement(changeNote, async () => ({ title: '' })))
    expect(answered).toMatchObject({
      status: 500,
      body: { success: false, code: 'internal_error', message: 'Server error' },
    })
  })

  it('to serialize the answer is a 500', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    expect((await send(implementOpen(openRoute(z.unknown()), async () => circular))).status).toBe(500)
  })
})

describe('the log', () => {
  it('has one line per request with its status, and no body, header or token', async () => {
    await send(
      implement(changeNote, async () => ({ title: 'secret' })),
      {
        headers: { authorization: 'Bearer ada' },
        pathParameters: { model: 'notes', id: '1' },
        body: '{"title":"secret"}',
      },
    )
    expect(logged.info).toHaveBeenCalledExactlyOnceWith('request', {
      path: expect.stringMatching(/^\//),
      status: 200,
      ms: expect.any(Number),
    })
  })
})

describe('binding', () => {
  it('a route to the wrong kind of handler throws at start', () => {
    expect(() => implement(openRoute(z.string()), async () => 'x')).toThrow('is open')
    expect(() => implementOpen(changeNote, async () => ({ title: '' }))).toThrow('is protected')
  })
})
