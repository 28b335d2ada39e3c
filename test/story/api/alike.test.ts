import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../../../functions/api/api-docs/all-routes.ts'
import { tableDocument } from '../../make/builders/decision-document.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
  service.api(method, path, { token: service.admin.token, body, headers })

/** What a new object of each kind needs; `in` is where it is made when that is not its own address. */
const made: Readonly<Record<string, { readonly in?: string; readonly body: () => object; readonly key?: string }>> = {
  '/api/sys/users/{id}': {
    body: () => ({ name: 'Grace', email: 'grace.alike@example.com', password: 'a compiler in 1952', roles: [] }),
  },
  '/api/sys/roles/{id}': { body: () => ({ name: 'alike' }) },
  '/api/sys/auth-mappings/{id}': { body: () => ({ group: 'alike', org_unit_id: unit }) },
  '/api/sys/entities/name/{model}': {
    in: '/api/sys/entities',
    key: 'name',
    body: () => ({ name: 'alike', table_fields: [{ name: 'title', type: 'text', required: true }] }),
  },
  '/api/e/{model}/{id}': { in: '/api/e/things', body: () => ({ title: 'One' }) },
  '/api/e/{model}/{id}/comments/{comment_id}': { in: '/api/e/things/1/comments', body: () => ({ body: 'One' }) },
  '/api/sys/relations/{id}': { body: () => ({ name: 'alike', l_table: 'things', r_table: 'things' }) },
  '/api/sys/process-templates/{id}': {
    body: () => ({
      name: 'Alike',
      table: 'things',
      bpmn_xml: `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><process id="p" isExecutable="true"><startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="e"/><endEvent id="e"/></process></definitions>`,
    }),
  },
  '/api/sys/channels/{id}': {
    body: () => ({
      name: 'alike',
      type: 'webhook',
      config: { url: 'https://crm.example.com', auth: { type: 'none' } },
    }),
  },
  '/api/sys/notification_templates/{id}': {
    body: () => ({ name: 'Alike', code: 'alike', subject: 'Hello', body: '<p>Hello</p>' }),
  },
  '/api/sys/subscriptions/{id}': {
    body: () => ({ name: 'Alike', table: 'things', events: ['create'], users: [service.admin.userId] }),
  },
  '/api/sys/incoming-actions/{id}': {
    body: () => ({ name: 'Alike', channel: 'api', target_model: 'things', field_mapping: { title: 'subject' } }),
  },
  '/api/sys/views/{id}': { body: () => ({ model: 'things', name: 'Alike', columns: ['title'] }) },
  '/api/sys/import-mappings/{id}': { body: () => ({ name: 'Alike', model: 'things', mapping: { Title: 'title' } }) },
  '/api/sys/decisions/{id}': {
    body: () => ({ name: 'Alike', dmn_xml: tableDocument({ inputs: ['n'], outputs: ['x'], rules: [['1', '2']] }) }),
  },
  '/api/sys/macros/{id}': { body: () => ({ model: 'things', name: 'Alike', set: { title: 'Two' } }) },
  '/api/sys/snippets/{id}': { body: () => ({ name: 'Alike', body: 'Hello' }) },
  '/api/sys/portal/items/{id}': { body: () => ({ name: 'Alike', model: 'things', fields: ['title'] }) },
  '/api/sys/mailboxes/{id}': {
    body: () => ({ name: 'Alike', address: 'alike@example.com', incoming: { protocol: 'local' } }),
  },
  '/api/sys/inbound-sources/{id}': {
    body: () => ({ name: 'Alike', hmac: { scheme: 'header', header: 'x-signature', secret: 'a-long-shared-secret' } }),
  },
}
/** What a stale `version` in a body answers: of a table 409 (contract 2), and a record ignores it (contract 1). */
const staleBody = (path: string): number =>
  ({ '/api/sys/entities/name/{model}': 409, '/api/e/{model}/{id}': 200 })[path] ?? 412

const changed = [
  ...new Set(
    allRoutes
      .filter(({ method, path }) => method === 'PUT' && /\{(id|model|comment_id)\}$/.test(path))
      .map((one) => one.path),
  ),
]

let unit: number
beforeAll(async () => {
  service = await sharedService()
  await api('POST', '/api/sys/entities', {
    name: 'things',
    table_fields: [{ name: 'title', type: 'text', required: true }],
  })
  unit = (await api('POST', '/api/e/sys_org_units', { name: 'Alike' })).body.data.id
  await api('POST', '/api/e/things', { title: 'The first' })
})
afterAll(() => service?.stop())

it('every route that changes an object is tried here', () => {
  expect(changed.filter((path) => !(path in made))).toEqual([])
})

describe.each(Object.entries(made))('an object at %s', (path, { body, key = 'id', ...more }) => {
  const collection = more.in ?? path.replace(/\/\{id\}$/, '')

  it('changes by a change alone: not when nothing, or what was read, is sent back', async () => {
    const created = await api('POST', collection, body())
    expect([created.status, created.body]).toMatchObject([201, { data: { version: 1 } }])
    const one = `${key === 'name' ? `${collection}/name` : collection}/${created.body.data[key]}`
    const { token: _token, url: _url, ...stored } = created.body.data
    const has = { version: 1, created_at: stored.created_at, updated_at: stored.updated_at }
    for (const nothing of [{}, path.startsWith('/api/e/') ? {} : stored]) {
      const same = await api('PUT', one, nothing)
      expect([same.status, same.body, same.headers.get('etag')]).toMatchObject([200, { data: has }, '"1"'])
    }
    const isRead = allRoutes.some((route) => route.key === `GET ${path}`)
    const read = isRead ? await api('GET', one) : await api('PUT', one, {})
    expect([read.body.data, read.headers.get('etag')]).toMatchObject([has, '"1"'])

    const stale = { 'if-match': '"7"' }
    const refused = await api('PUT', one, {}, stale)
    expect([refused.status, refused.body]).toMatchObject([412, { code: 'version_mismatch', data: { version: 1 } }])
    expect((await api('DELETE', one, undefined, stale)).status).toBe(412)
    expect((await api('PUT', one, { version: 7 })).status).toBe(staleBody(path))
    expect((await api('DELETE', one, undefined, { 'if-match': '"1"' })).status).toBe(204)
  })
})

const lists = allRoutes.filter(({ method, shape, path }) => method === 'GET' && shape === 'page' && !path.includes('{'))

describe.each(lists)('the list $path', ({ path, query }) => {
  it('has 25 rows unless asked otherwise, a total, and clamps per_page', async () => {
    const asked = await api('GET', `${path}?per_page=100000&page=1`)
    expect(asked.status).toBe(200)
    expect([100, 1000]).toContain(asked.body.meta.per_page)
    expect(asked.body.meta).toMatchObject({ current_page: 1, total: expect.any(Number) })
    const { body } = await api('GET', path)
    expect([25, 1000]).toContain(body.meta.per_page)
    expect(body.links).toMatchObject({ first: expect.any(String), last: expect.any(String) })
  })

  it('is sorted and searched, and says by what it can be sorted', async () => {
    if (!('sort' in (query as unknown as { shape: object }).shape)) return
    const found = await api('GET', `${path}?search=nothing-is-called-so`)
    expect([found.status, found.body.data, found.body.meta.total]).toEqual([200, [], 0])
    const wrong = await api('GET', `${path}?sort=no_such_member`)
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['sort']])
    if (path === '/api/sys/incoming-actions/models') return
    const ids = async (sort: string): Promise<number[]> =>
      (await api('GET', `${path}?per_page=100&sort=${sort}`)).body.data.map(({ id }: any) => id)
    const upwards = await ids('id')
    expect(upwards).toEqual(upwards.toSorted((a, b) => a - b))
    expect((await ids('-id')).toReversed()).toEqual(upwards)
  })
})

describe('relations', () => {
  it('are listed and read, by the id or the name of a table too', async () => {
    const { data } = (await api('POST', '/api/sys/relations', { name: 'Parts', l_table: 'things', r_table: 'things' }))
      .body
    const { id: table } = (await api('GET', '/api/sys/entities/name/things')).body.data
    expect((await api('GET', '/api/sys/relations?search=part')).body.data).toEqual([data])
    expect((await api('GET', `/api/sys/relations/${data.id}`)).body.data).toEqual(data)
    for (const one of [table, 'things'])
      expect((await api('GET', `/api/sys/relations/all/${one}`)).body.data).toEqual([data])
    expect((await api('GET', '/api/sys/relations/all/nowhere')).body.code).toBe('table_not_found')
    expect((await api('GET', '/api/sys/relations/999999')).body.code).toBe('relation_not_found')
  })
})

describe('what is in use', () => {
  it('is 422 with what uses it, but for a table with records', async () => {
    await api('POST', '/api/sys/entities', {
      name: 'parts',
      table_fields: [{ name: 'thing', type: 'model_list', target_table: 'things', on_delete: 'restrict' }],
    })
    await api('POST', '/api/e/parts', { thing: 1 })
    await api('POST', '/api/sys/roles', { name: 'used' })
    await api('POST', '/api/sys/users', {
      name: 'Ada',
      email: 'ada.alike@example.com',
      password: 'an engine of 1843',
      roles: ['used'],
    })
    const role = (await api('GET', '/api/sys/roles?search=used')).body.data[0].id
    const answers = await Promise.all(
      ['/api/e/things/1', `/api/sys/roles/${role}`, '/api/sys/entities/name/parts'].map((path) => api('DELETE', path)),
    )
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [422, 'in_use'],
      [422, 'in_use'],
      [409, 'table_not_empty'],
    ])
  })
})
