import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenApiDocument } from '../../../shared/platform/http/openapi/document-types.ts'
import { userWith } from '../../make/builders/people.ts'
import { answerRules } from '../../make/oracles/answer-rules.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown, token = service.admin.token, headers = {}) =>
  service.api(method, path, { token, body, headers })
const documentOf = async (token = service.admin.token, query = '') => {
  const answer = await api('GET', `/api/openapi.json${query}`, undefined, token)
  expect(answer.status).toBe(200)
  return {
    etag: answer.headers.get('etag') as string,
    document: answer.body as OpenApiDocument,
    headers: answer.headers,
  }
}
const fields = [
  { name: 'title', type: 'text', required: true },
  { name: 'vault_code', type: 'text' },
  { name: 'kind', type: 'value_list', options: [{ slug: 'lamp' }, { slug: 'desk' }] },
  { name: 'owner', type: 'user' },
]

beforeAll(async () => {
  service = await sharedService()
  for (const name of ['things', 'gadgets']) await api('POST', '/api/sys/entities', { name, table_fields: fields })
})
afterAll(() => service?.stop())

describe('the OpenAPI document with a token', () => {
  it('is valid and describes the tables of the caller, without one those of nobody', async () => {
    const { document, headers } = await documentOf()
    expect(await new Validator().validate({ ...structuredClone(document) })).toEqual({ valid: true })
    expect(document.paths['/api/e/things/{id}']).toBeDefined()
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('vary')).toBe('authorization')
    const open = await service.api('GET', '/api/openapi.json')
    expect(JSON.stringify(open.body)).not.toContain('/api/e/things')
    expect(open.headers.get('vary')).toBe('authorization')
  })

  it('describes what the service then answers', async () => {
    const { document } = await documentOf()
    const { problem } = answerRules(document)
    const walk: [string, string, string, unknown?][] = [
      ['POST', '/api/e/things', '/api/e/things', { title: 'Lamp', kind: 'lamp', owner: service.admin.userId }],
      ['POST', '/api/e/things', '/api/e/things', { vault_code: 'no title' }],
      ['GET', '/api/e/things', '/api/e/things?expand=owner,created_by&sort=-title'],
      ['GET', '/api/e/things', '/api/e/things?fields=title'],
      ['GET', '/api/e/things/{id}', '/api/e/things/1'],
      ['PATCH', '/api/e/things/{id}', '/api/e/things/1', { title: 'Lamp 2' }],
      ['POST', '/api/e/things/list-server', '/api/e/things/list-server', { filter: { kind: 'lamp' } }],
      ['POST', '/api/e/things/list-server', '/api/e/things/list-server', { group_by: ['kind'] }],
      ['POST', '/api/e/things/list-server', '/api/e/things/list-server', { startRow: 0, endRow: 10 }],
      ['POST', '/api/e/things/import', '/api/e/things/import', { rows: [{ title: 'Desk' }, {}] }],
      ['GET', '/api/sys/history/things/{id}', '/api/sys/history/things/1'],
      ['DELETE', '/api/e/things/{id}', '/api/e/things/1'],
      ['GET', '/api/e/things/{id}', '/api/e/things/1'],
    ]
    for (const [method, path, address, body] of walk)
      expect(problem(method, path, await api(method, address, body)), `${method} ${address}`).toBeUndefined()
  })

  it('shows what the roles of the caller allow: neither other tables nor hidden fields', async () => {
    await api('POST', '/api/sys/roles', {
      name: 'reader',
      permissions: ['things.read'],
      fields: { things: { read: ['title'] } },
    })
    const { id, token } = await userWith(service, [])
    expect((await api('PUT', `/api/sys/users/${id}`, { roles: ['reader'] })).status).toBe(200)
    const { document } = await documentOf(token)
    expect(Object.keys(document.paths['/api/e/things'] ?? {})).toEqual(['get'])
    expect(Object.keys(document.components.schemas.ThingsData?.properties ?? {})).toEqual(['title'])
    const text = JSON.stringify(document)
    expect(['vault_code', 'gadgets', 'Gadgets'].filter((hidden) => text.includes(hidden))).toEqual([])
  })

  it('is answered 304 until a table or a role of the caller changes', async () => {
    const { etag } = await documentOf()
    const again = (known: string) =>
      api('GET', '/api/openapi.json', undefined, service.admin.token, { 'if-none-match': known })
    const same = await again(etag)
    expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, undefined, etag])
    const changed = [...fields, { name: 'weight', type: 'float' }]
    expect((await api('PUT', '/api/sys/entities/name/gadgets', { table_fields: changed })).status).toBe(200)
    const next = await again(etag)
    expect(next.status).toBe(200)
    expect(next.body.components.schemas.GadgetsData.properties.weight).toEqual({ type: ['number', 'null'] })
    const open = await service.api('GET', '/api/openapi.json')
    const unchanged = { headers: { 'if-none-match': open.headers.get('etag') as string } }
    expect((await service.api('GET', '/api/openapi.json', unchanged)).status).toBe(304)
  })

  it('can be limited to some tables', async () => {
    const { document } = await documentOf(service.admin.token, '?tables=gadgets')
    expect(document.paths['/api/e/gadgets']).toBeDefined()
    expect(document.paths['/api/e/things']).toBeUndefined()
    expect(document.paths['/api/e/{model}']).toBeDefined()
  })

  it('refuses a table that the caller does not have, and any without a token', async () => {
    const unknown = await api('GET', '/api/openapi.json?tables=thigns')
    expect([unknown.status, unknown.body.errors]).toEqual([
      422,
      { tables: ['There is no table thigns that you may use. Did you mean things?'] },
    ])
    const open = await service.api('GET', '/api/openapi.json?tables=things')
    expect([open.status, open.body.errors]).toEqual([422, { tables: ['Tables can only be asked for with a token.'] }])
  })

  it('refuses a token that is not valid, instead of answering as without one', async () => {
    const { status, body } = await api('GET', '/api/openapi.json', undefined, '1|wrong')
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
  })
})
