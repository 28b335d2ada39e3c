import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../../../functions/api/api-docs/all-routes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const addressOf = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'model' ? 'notes' : '1'))

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'notes', [{ name: 'status', type: 'text' }])
  await api('POST', '/api/e/notes', { status: 'new' })
})
afterAll(() => service.stop())

describe('a known address', () => {
  const byPath = Map.groupBy(allRoutes, ({ path }) => path)
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

  it.each([...byPath.keys()])('%s refuses other methods and names its own', async (path) => {
    const own = new Set(byPath.get(path)?.map(({ method }) => method))
    const other = methods.find((method) => !own.has(method)) as string
    const { status, headers, body } = await api(other, addressOf(path))
    const allowed = [...own, ...(own.has('GET') ? ['HEAD'] : [])].toSorted().join(', ')
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', allowed])
  })

  it.each([
    ['/api/e/notes', 200],
    ['/api/e/notes/1', 200],
    ['/api/e/notes/999', 404],
    ['/api/health', 200],
    ['/api/sys/channels', 200],
  ])('%s answers HEAD as GET, without a body', async (path, status) => {
    const answer = await fetch(`${service.url}${path}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${service.admin.token}` },
    })
    expect([answer.status, await answer.text()]).toEqual([status, ''])
  })

  it.each([
    ['GET', '/api/e/notes/', undefined, 200],
    ['GET', '/api/sys/channels/', undefined, 200],
    ['GET', '/api/e/notes/1/?as_of=2100-01-01T00:00:00Z', undefined, 200],
    ['POST', '/api/e/notes/', { status: 'slash' }, 201],
    ['GET', '/api/health/', undefined, 200],
    ['GET', '/api/nowhere/', undefined, 404],
  ])('%s %s leads to the address without the slash', async (method, path, body, status) => {
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.admin.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(answer.status).toBe(status)
  })
})

describe('a parameter that an address does not know', () => {
  it.each(allRoutes.filter(({ anyBody, path }) => !anyBody && !path.includes('callback')).map(({ key }) => key))(
    'is refused by %s',
    async (key) => {
      const [method, path] = key.split(' ') as [string, string]
      const answer = await api(method, `${addressOf(path)}?no_such_parameter=1`, method === 'GET' ? undefined : {})
      // Whether something exists is told first.
      const isRefused = answer.status === 422 && Object.keys(answer.body.errors).includes('no_such_parameter')
      expect([answer.status, isRefused]).toEqual([expect.toBeOneOf([404, 422]), answer.status === 422])
    },
  )

  it.each([
    ['status=new', 'status', 'Did you mean filter={"status":"new"}?'],
    ['filter[status]=new', 'filter[status]', 'Did you mean filter={"status":"new"}?'],
    ['limit=10', 'limit', 'Did you mean per_page?'],
    ['serach=x', 'serach', 'Did you mean search?'],
  ])('names the right one: ?%s', async (query, name, words) => {
    const { status, body } = await api('GET', `/api/e/notes?${query}`)
    expect([status, body.errors[name]?.[0]]).toEqual([422, expect.stringContaining(words)])
  })
})

describe('a flag', () => {
  it('counts in the query as in the body', async () => {
    const before = (await api('GET', '/api/e/notes')).body.meta.total
    const body = { rows: [{ status: 'x' }] }
    expect((await api('POST', '/api/e/notes/import?dry_run=true', body)).status).toBe(200)
    expect((await api('POST', '/api/e/notes/import', { ...body, dry_run: true })).status).toBe(200)
    expect((await api('GET', '/api/e/notes')).body.meta.total).toBe(before)
    const wrong = await api('POST', '/api/e/notes/import?dryrun=true', body)
    expect([wrong.status, wrong.body.errors.dryrun]).toEqual([422, [expect.stringContaining('dry_run')]])
    expect((await api('POST', '/api/e/notes/import?dry_run=maybe', body)).status).toBe(422)
    const config = (await api('GET', '/api/sys/config')).body.data
    const change = { ...config, roles: [{ name: 'auditor', permissions: [] }] }
    for (const [query, document] of [
      ['?dry_run=true', change],
      ['', { ...change, dry_run: true }],
    ] as const)
      expect((await api('PUT', `/api/sys/config${query}`, document)).body.data.created).toEqual(['roles.auditor'])
    expect((await api('GET', '/api/sys/config')).body.data).toEqual(config)
  })
})
