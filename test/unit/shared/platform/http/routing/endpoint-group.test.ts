import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { NotFound } from '../../../../../../shared/kernel/failures/faults.ts'
import type { Caller, TokenKind } from '../../../../../../shared/kernel/principal.ts'
import {
  administrator,
  delegatedTokens,
  tenantBoundTokens,
  defineRoute,
  named,
  onTableEither,
  type Route,
  signedIn,
} from '../../../../../../shared/platform/http/routing/define-route.ts'
import type { HttpEvent } from '../../../../../../shared/platform/http/routing/http-event.ts'
import { implement, implementOpen, type ItemKey } from '../../../../../../shared/platform/http/routing/implement.ts'
import {
  ada,
  authenticate,
  changeNote,
  logged,
  openRoute,
  preloaded,
  send,
} from '../../../../../make/services/sample-endpoints.ts'

beforeEach(() => vi.clearAllMocks())

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
    expect(reads).toHaveBeenCalledExactlyOnceWith(ada.tenant, { model: 'notes', id: 1 }, ada.userId, {
      authorization: 'Bearer ada',
    })
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
    ['session', tenantBoundTokens, 200],
    ['tenant_session', delegatedTokens, 200],
    ['tenant_session', tenantBoundTokens, 403],
    ['impersonation', delegatedTokens, 403],
    ['impersonation', undefined, 200],
    ['api_key', delegatedTokens, 403],
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

  const stateful = { tag: 'X', summary: 'X', method: 'GET', path: '/api/x', answer: z.undefined() } as const
  const deletedTenant = { ...ada.tenant, deleteAt: '2026-12-20T08:00:00.000Z' }
  const unverifiedTenant = { ...ada.tenant, awaitsVerification: true } as const

  it.each<
    [
      string,
      Partial<Caller>,
      Pick<Route, 'whenDeleted' | 'allowedWithoutMfa' | 'allowedWithoutVerification'>,
      string | number,
    ]
  >([
    ['of a deleted tenant', { tenant: deletedTenant }, {}, 'tenant_deleted'],
    ['of a deleted tenant', { tenant: deletedTenant, isAdministrator: true }, {}, 'tenant_deleted'],
    ['of a deleted tenant', { tenant: deletedTenant }, { whenDeleted: true }, 200],
    ['of a tenant that awaits verification', { tenant: unverifiedTenant }, {}, 'email_unverified'],
    [
      'of a tenant that awaits verification',
      { tenant: unverifiedTenant },
      { allowedWithoutMfa: true },
      'email_unverified',
    ],
    ['of a tenant that awaits verification', { tenant: unverifiedTenant }, { allowedWithoutVerification: true }, 200],
    ['who must set up a second factor', { mustSetUpMfa: true }, {}, 'mfa_setup_required'],
    [
      'who must set up a second factor',
      { mustSetUpMfa: true, isAdministrator: true },
      { allowedWithoutVerification: true },
      'mfa_setup_required',
    ],
    ['who must set up a second factor', { mustSetUpMfa: true }, { allowedWithoutMfa: true }, 200],
  ])('answer somebody %s, %j, on a route %j: %s', async (_, more, open, expected) => {
    authenticate.mockResolvedValueOnce({ caller: { ...ada, ...more }, preloaded })
    const route = defineRoute({ ...stateful, ...open, permission: signedIn })
    const { status, body } = await send(
      implement(route, async () => undefined),
      { headers: { authorization: 'Bearer ada' } },
    )
    expect(status === 200 ? status : body.code).toBe(expected)
  })

  it.each<[string, readonly string[], boolean]>([
    ['incoming_messages.create', ['incoming_messages.create'], true],
    ['incoming_messages.create', ['incoming_messages.*'], true],
    ['incoming_messages.create', ['incoming_messages.read'], false],
    ['incoming_messages.create', ['notes.create'], false],
  ])('answer the permission %s with %j: %s', async (_, permissions, allowed) => {
    authenticate.mockResolvedValueOnce({ caller: { ...ada, permissions }, preloaded })
    const route = defineRoute({ ...stateful, permission: named('incoming_messages', 'create') })
    const { status } = await send(
      implement(route, async () => undefined),
      { headers: { authorization: 'Bearer ada' } },
    )
    expect(status).toBe(allowed ? 200 : 403)
  })

  it.each([
    [['notes.comment'], 200],
    [['notes.comment_internal'], 200],
    [['notes.read'], 403],
    [['clients.comment_internal'], 403],
  ])('answer one of two permissions with %j by %d', async (permissions, expected) => {
    authenticate.mockResolvedValueOnce({ caller: { ...ada, permissions }, preloaded })
    const params = z.object({ model: z.string() })
    const path = '/api/e/{model}'
    const route = defineRoute({ ...stateful, path, params, permission: onTableEither('comment', 'comment_internal') })
    const event = { headers: { authorization: 'Bearer ada' }, pathParameters: { model: 'notes' } }
    const { status, body } = await send(
      implement(route, async () => undefined),
      event,
    )
    expect([status, status === 200 || body.message.includes('permission notes.comment,')]).toEqual([expected, true])
  })

  it('read the token of an open route that takes one, when there is one', async () => {
    const whose = (more: Partial<Route>) =>
      implementOpen(openRoute(z.string(), more), async (request) => {
        const { caller } = request as { readonly caller?: Caller }
        return caller?.name ?? 'nobody'
      })
    const headers = { authorization: 'Bearer ada' }
    const answers = [
      await send(whose({ takesToken: true }), { headers }),
      await send(whose({ takesToken: true })),
      await send(whose({}), { headers }),
      await send(whose({ takesToken: true }), { headers: { authorization: 'Bearer x' } }),
    ]
    expect(answers.map(({ status, body }) => [status, body.data])).toEqual([
      [200, 'Ada'],
      [200, 'nobody'],
      [200, 'nobody'],
      [401, undefined],
    ])
  })

  it('require no token on an open route', async () => {
    expect(await send(implementOpen(openRoute(z.string()), async () => 'hello'))).toMatchObject({
      status: 200,
      body: { success: true, data: 'hello', message: 'OK' },
    })
    expect(authenticate).not.toHaveBeenCalled()
  })
})

describe('the body of an open route', () => {
  const route = (more: Partial<Route> = {}) =>
    openRoute(z.int(), { method: 'POST', body: z.object({ text: z.string() }), ...more })
  const answer = vi.fn<() => Promise<number>>(async () => 1)
  const textOf = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) })

  it.each([
    ['of 16 KB is taken', 16 * 1024, {}, 200],
    ['of one byte more is 413', 16 * 1024 + 1, {}, 413],
    ['of as much as the route says is taken', 20_000, { maxBytes: 20_000 }, 200],
    ['of one byte more than the route says is 413', 20_001, { maxBytes: 20_000 }, 413],
  ])('%s', async (_, bytes, more, status) => {
    for (const request of [
      { body: textOf(bytes) },
      { body: Buffer.from(textOf(bytes)).toString('base64'), isBase64Encoded: true },
    ])
      expect((await send(implementOpen(route(more), answer), request)).status).toBe(status)
    expect(answer).toHaveBeenCalledTimes(status === 200 ? 2 : 0)
  })

  it('that the route reads itself has the same limit, and the answer says how much that is', async () => {
    const raw = implementOpen(route({ body: undefined, anyBody: true }), async ({ bytes }) => bytes().length)
    expect((await send(raw, { body: 'x'.repeat(16 * 1024) })).status).toBe(200)
    const refused = await send(raw, { body: 'x'.repeat(16 * 1024 + 1) })
    expect(refused).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
    expect(refused.body.message).toContain('16 KB')
  })

  it('may have 4 MB where the caller is known', async () => {
    const change = implement(changeNote, async ({ body }) => body)
    const answered = await send(change, {
      headers: { authorization: 'Bearer ada' },
      pathParameters: { model: 'notes', id: '1' },
      body: JSON.stringify({ title: 'x'.repeat(3_000_000) }),
    })
    expect(answered.status).toBe(200)
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
