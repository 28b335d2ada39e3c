import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let request: any
let client: any
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const read = async (query: string, token?: string) =>
  (await api('GET', `/api/e/requests/${request.id}?${query}`, undefined, token)).body.data

beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service)
  client = (await api('POST', '/api/e/clients', { name: 'Ann' })).body.data
  request = (await api('POST', '/api/e/requests', { title: 'Lamp', priority: 2, client_id: client.id })).body.data
})
afterAll(() => service?.stop())

describe('one record', () => {
  it('is reduced to fields, as in lists', async () => {
    expect(await read('fields=title,version')).toEqual({ id: request.id, version: 1, data: { title: 'Lamp' } })
    const { status, headers } = await api('GET', `/api/e/requests/${request.id}?fields=title`)
    expect([status, headers.get('etag')]).toEqual([200, '"1"'])
  })

  it('expands references, whole or by field', async () => {
    expect(await read('expand=client_id')).toEqual({ ...request, expanded: { client_id: client } })
    expect(await read('fields=title,client_id.name')).toEqual({
      id: request.id,
      data: { title: 'Lamp' },
      expanded: { client_id: { id: client.id, data: { name: 'Ann' } } },
    })
    expect((await read('expand=created_by')).expanded.created_by).toMatchObject({ name: 'Grace Hopper' })
  })

  it('answers the same as a list of it', async () => {
    const query = 'fields=title,client_id.name,created_at&expand=created_by'
    const filter = encodeURIComponent(JSON.stringify({ id: request.id }))
    const { body } = await api('GET', `/api/e/requests?${query}&filter=${filter}`)
    expect([await read(query)]).toEqual(body.data)
  })

  it('does both as of a point in time', async () => {
    const past = request.updated_at
    await new Promise((resolve) => setTimeout(resolve, 3))
    await api('PATCH', `/api/e/requests/${request.id}`, { title: 'Bulb' })
    expect(await read(`fields=title&expand=client_id&as_of=${past}`)).toEqual({
      id: request.id,
      data: { title: 'Lamp' },
      expanded: { client_id: client },
    })
  })

  it('shows no field and no reference that the reader may not see', async () => {
    const clerk = await userWith(service, ['requests.read'], [], { requests: { read: ['title'] } })
    expect(await read('fields=title,priority&expand=client_id', clerk.token)).toMatchObject({ data: { title: 'Bulb' } })
    expect(await read('fields=title,priority&expand=client_id', clerk.token)).not.toHaveProperty('expanded')
    const reader = await userWith(service, ['requests.read'])
    expect(await read('fields=title,client_id.name', reader.token)).toEqual({ id: request.id, data: { title: 'Bulb' } })
  })

  it('refuses fields that do not exist', async () => {
    const { status, body } = await api('GET', `/api/e/requests/${request.id}?fields=titel&expand=title`)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['fields.0', 'expand.0']])
  })
})
