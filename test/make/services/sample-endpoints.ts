/** Routes for tests of what an endpoint group does with a request, and a way to send one. */
import { vi } from 'vitest'
import * as z from 'zod'
import { Unauthenticated } from '../../../shared/kernel/failures/faults.ts'
import type { Caller } from '../../../shared/kernel/principal.ts'
import { log } from '../../../shared/kernel/runtime/log.ts'
import { defineRoute, onTable, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { endpointGroup, type Authenticate } from '../../../shared/platform/http/routing/endpoint-group.ts'
import type { HttpEvent } from '../../../shared/platform/http/routing/http-event.ts'
import { type Implementation } from '../../../shared/platform/http/routing/implement.ts'
import { IdParam } from '../../../shared/platform/http/routing/input/path-params.ts'

vi.stubEnv('TABLE_NAME', 'test')
vi.stubEnv('PUBLIC_URL', 'https://api.example.com')

export const logged = { error: vi.spyOn(log, 'error').mockReturnValue(), info: vi.spyOn(log, 'info').mockReturnValue() }

export const ada: Caller = {
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
export const tokens: Record<string, Caller> = {
  'Bearer ada': ada,
  'Bearer root': { ...ada, isAdministrator: true },
  'Bearer nobody': { ...ada, permissions: [] },
}
export const preloaded = { get: () => undefined }
export const authenticate = vi.fn<Authenticate>(async (authorization, reads) => {
  const caller = tokens[authorization ?? '']
  if (!caller) throw new Unauthenticated('unauthenticated', 'No token.')
  reads(caller.tenant, caller.userId)
  return { caller, preloaded }
})

export const changeNote = defineRoute({
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
export const openRoute = <A extends z.ZodType>(answer: A, more: Partial<Route> = {}) =>
  defineRoute({
    method: 'GET',
    path: '/api/open',
    open: true,
    tag: 'Open',
    summary: 'Open',
    answer,
    ...(more as object),
  }) as Route

export function event(route: Pick<Route, 'key' | 'path' | 'method'>, more: Partial<HttpEvent> = {}): HttpEvent {
  const path = route.path.replace('{model}', 'notes').replace('{id}', '1')
  return {
    routeKey: route.key,
    rawPath: path,
    headers: {},
    requestContext: { requestId: 'request-9', http: { method: route.method, path, sourceIp: '192.0.2.1' } },
    ...more,
  }
}

export async function send(implementation: Implementation, more: Partial<HttpEvent> = {}) {
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
