import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../../../functions/api/api-docs/all-routes.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'callers', [
    { name: 'call', type: 'text' },
    { name: 'answer', type: 'textarea' },
  ])
})
afterAll(() => service?.stop())

/** Longer than a sort key, and longer than a partition key. */
const lengths = [1500, 5000]
const named = allRoutes.flatMap((route) =>
  /\{model\}/.test(route.path) ? lengths.map((length) => ({ key: route.key, route, length })) : [],
)

it.each(named)('$key answers a name of $length characters as unknown', async ({ route, length }) => {
  const path = route.path.replace('{model}', 'x'.repeat(length)).replaceAll(/\{\w+\}/g, '1')
  const { body: example, query } = (route.example ?? {}) as { body?: unknown; query?: Record<string, string> }
  const search = query ? `?${new URLSearchParams(query)}` : ''
  const { status, body } = await service.api(route.method, `${path}${search}`, {
    token: service.admin.token,
    body: example,
  })
  expect([status, body?.code]).toEqual([404, 'table_not_found'])
})

describe('a script that names a table with too many characters', () => {
  it.each([
    ['get', "$api.get('x'.repeat(n), 1)"],
    ['find', "$api.find('x'.repeat(n), 'title', 'a')"],
    ['query', "$api.query('x'.repeat(n), {})"],
    ['count', "$api.count('x'.repeat(n), {})"],
  ])('learns from $api.%s that there is none', async (_method, call) => {
    for (const length of lengths) {
      await setHooks(service, 'callers', [
        ['before_create', `try { ${call.replace('n)', `${length})`)} } catch (e) { $data.answer = e.message }`],
      ])
      const { status, body } = await service.api('POST', '/api/e/callers', { token: service.admin.token, body: {} })
      expect(status).toBe(201)
      expect(body.data.data.answer).toEqual(expect.stringContaining(`There is no table ${'x'.repeat(80)}….`))
    }
  })
})

describe('an after hook that writes to a table with too many characters', () => {
  it.each([
    ['create', "$api.create('x'.repeat(n), { call: 'a' })"],
    ['update', "$api.update('x'.repeat(n), 1, { call: 'a' })"],
    ['remove', "$api.remove('x'.repeat(n), 1)"],
  ])('learns from $api.%s that there is none', async (_method, call) => {
    const { token } = service.admin
    for (const length of lengths) {
      const told = "$api.update('callers', $context.id, { answer: e.message })"
      await setHooks(service, 'callers', [
        ['after_create', `try { ${call.replace('n)', `${length})`)} } catch (e) { ${told} }`],
      ])
      const { id } = (await service.api('POST', '/api/e/callers', { token, body: {} })).body.data
      await service.cloud.idle()
      const { body } = await service.api('GET', `/api/e/callers/${id}`, { token })
      expect(body.data.data.answer).toEqual(expect.stringContaining(`There is no table ${'x'.repeat(80)}….`))
    }
  })
})

it.each(['/api/sys/audit?model=', '/api/processes?model=', '/api/tasks?model=', '/api/sys/users?search='])(
  'GET %s answers a long name with an empty list or a clear error',
  async (path) => {
    for (const length of lengths) {
      const { status } = await service.api('GET', `${path}${'x'.repeat(length)}`, { token: service.admin.token })
      expect([200, 404, 422]).toContain(status)
    }
  },
)
