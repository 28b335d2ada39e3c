import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../../../functions/api/api-docs/all-routes.ts'
import type { Route } from '../../../shared/platform/http/routing/define-route.ts'
import { unlike } from '../../make/oracles/resembles.ts'
import { type DemoService, startDemo } from '../../make/services/demo-service.ts'
import { elsewhere, prepared } from './prepared-examples.ts'

/**
 * Routes that need what others made, or that take away what others need, in the order in which they run. All others run
 * before them: reads, then what creates, changes and deletes.
 */
const last = [
  'GET /api/sys/jobs/{id}',
  'GET /api/sys/jobs',
  'GET /api/sys/incidents',
  'POST /api/sys/process-instances/{id}/retry',
  'GET /api/sys/script-runs',
  'GET /api/sys/api-keys',
  'GET /api/tenant/invitations',
  'POST /api/sys/process-instances/{id}/cancel',
  'POST /api/impersonate/{user_id}',
  'PUT /api/user',
  'POST /api/e/{model}/{id}/restore',
  'DELETE /api/e/{model}/{id}',
  'DELETE /api/user/sessions/{id}',
  'DELETE /api/user/sessions',
  'DELETE /api/sys/users/{id}/mfa',
  'DELETE /api/sys/users/{id}',
  'POST /api/sys/users/{id}/erase',
  'POST /api/logout',
  'POST /api/tenant/export',
  'DELETE /api/tenant',
  'POST /api/tenant/restore',
]
/** Changing it first: a channel that is disabled is a problem of its subscriptions. */
const early = 'PUT /api/sys/subscriptions/{id}'
const ofMethod = { GET: 0, POST: 1, PUT: 2, PATCH: 2, DELETE: 3 }
const turn = ({ key, method }: Route): number =>
  key === early ? 1.5 : last.includes(key) ? 10 + last.indexOf(key) : ofMethod[method]
/** A task is claimed before it is completed; comments and watchers go before their record. */
const inOrder = allRoutes
  .toSorted(
    (one, other) =>
      turn(one) - turn(other) || Number(other.path.endsWith('/claim')) - Number(one.path.endsWith('/claim')),
  )
  .filter(({ key }) => !(key in elsewhere))

/** Whose own account an example is about: the agent's. */
const isOwn = ({ path, method }: Route): boolean => /^\/api\/user(\/|$)/.test(path) && !(method === 'DELETE')

let demo: DemoService
const tokens = { admin: '', ada: '' }
const signInBoth = async () => {
  tokens.admin = await demo.signIn('admin@example.com')
}
const data = async (method: string, path: string, body?: object) => {
  const { status, body: answer } = await demo.api(method, path, { token: tokens.admin, body })
  if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer.data
}

beforeAll(async () => {
  demo = await startDemo()
  await signInBoth()
  tokens.ada = await demo.signIn('ada@example.com')
})
afterAll(() => demo?.stop())

describe('the example of the reference', () => {
  it.each(inOrder)('$key answers what the page shows', async (route) => {
    const filled = await prepared[route.key]?.(demo, data)
    const params: Readonly<Record<string, unknown>> = { ...route.example?.params, ...filled?.params }
    const query = Object.entries({ ...route.example?.query, ...filled?.query }).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    )
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
    const body = filled?.body ?? route.example?.body
    const token = isOwn(route) ? tokens.ada : tokens.admin
    const answer = await demo.api(route.method, query.length === 0 ? path : `${path}?${query.join('&')}`, {
      ...(!route.open && { token }),
      ...(body !== undefined && { body }),
    })
    expect([route.status, ...(route.accepted ? [202] : [])], JSON.stringify(answer.body)).toContain(answer.status)
    await demo.cloud.idle()
    if (route.key === 'POST /api/logout') await signInBoth()
    const example = route.example?.answer
    const payload = route.shape === 'raw' || route.shape === 'login' ? answer.body : answer.body?.data
    if (example === undefined || answer.status === 204 || typeof example === 'string') return
    expect(unlike(example, payload)).toBeUndefined()
  })
})

it.each(Object.entries(elsewhere))('the example of %s needs a server: test/story/%s', (key, story) => {
  expect(allRoutes.some((route) => route.key === key)).toBe(true)
  expect(existsSync(join(import.meta.dirname, `../${story}.test.ts`))).toBe(true)
})
