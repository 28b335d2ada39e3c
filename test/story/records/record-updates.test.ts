import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeRequests, makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let token: string
const api = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  service.api(method, path, { token, body, headers })
const create = async (body: object, model = 'requests') => (await api('POST', `/api/e/${model}`, body)).body.data

beforeAll(async () => {
  service = await sharedService()
  token = service.admin.token
  await makeRequests(service)
})
afterAll(() => service?.stop())

describe('a unique field', () => {
  it('has each value in one record only, even with concurrent creates', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api('POST', '/api/e/requests', { title: 'x', code: 'A-1' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 422)])
    expect(answers.find(({ status }) => status === 422)?.body.errors).toEqual({
      code: ['The code has already been taken.'],
    })
  })

  it('frees a value when its record changes it or is deleted', async () => {
    const first = await create({ title: 'x', code: 'B-1' })
    await api('PATCH', `/api/e/requests/${first.id}`, { code: 'B-2' })
    const second = await create({ title: 'y', code: 'B-1' })
    expect((await api('PATCH', `/api/e/requests/${second.id}`, { code: 'B-2' })).body.errors).toEqual({
      code: ['The code has already been taken.'],
    })
    await api('DELETE', `/api/e/requests/${first.id}`)
    expect((await api('PATCH', `/api/e/requests/${second.id}`, { code: 'B-2' })).status).toBe(200)
  })

  it('may be empty in many records', async () => {
    expect((await create({ title: 'x', code: null })).data.code).toBeNull()
    expect((await create({ title: 'y', code: null })).id).toBeGreaterThan(0)
  })
})

describe('updating a record', () => {
  it.each(['PUT', 'PATCH'])('%s merges: supplied fields overwrite, the others stay', async (method) => {
    const { id } = await create({ title: 'x', note: 'kept' })
    const { status, body, headers } = await api(method, `/api/e/requests/${id}`, { priority: 5 })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, version: 2, data: { title: 'x', note: 'kept', priority: 5 } })
    expect(headers.get('etag')).toBe('"2"')
  })

  it('allows required fields to be left out or cleared', async () => {
    const { id } = await create({ title: 'x' })
    expect((await api('PATCH', `/api/e/requests/${id}`, { title: null })).body.data.data.title).toBeNull()
  })

  it('writes nothing when nothing changes', async () => {
    const made = await create({ title: 'x' })
    const { status, body } = await api('PATCH', `/api/e/requests/${made.id}`, { title: 'x', note: null })
    expect([status, body.data]).toEqual([200, made])
    expect((await api('GET', `/api/sys/history/requests/${made.id}`)).body.data).toHaveLength(1)
  })

  it('keeps both of two concurrent updates of different fields', async () => {
    const { id } = await create({ title: 'x' })
    const answers = await Promise.all([
      api('PATCH', `/api/e/requests/${id}`, { note: 'left' }),
      api('PATCH', `/api/e/requests/${id}`, { priority: 1 }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await api('GET', `/api/e/requests/${id}`)).body.data).toMatchObject({
      version: 3,
      data: { note: 'left', priority: 1 },
    })
  })

  it('answers 412 with the current version when If-Match is stale', async () => {
    const { id } = await create({ title: 'x' })
    await api('PATCH', `/api/e/requests/${id}`, { note: 'a' })
    const stale = await api('PATCH', `/api/e/requests/${id}`, { note: 'b' }, { 'if-match': '"1"' })
    expect([stale.status, stale.headers.get('etag'), stale.body.data]).toEqual([412, '"2"', { version: 2 }])
    expect((await api('PATCH', `/api/e/requests/${id}`, { note: 'b' }, { 'if-match': '"2"' })).status).toBe(200)
    expect((await api('DELETE', `/api/e/requests/${id}`, undefined, { 'if-match': '"2"' })).status).toBe(412)
  })

  it('changes states only along transitions, and names both states otherwise', async () => {
    const { id } = await create({ title: 'x' })
    const refused = await api('PATCH', `/api/e/requests/${id}`, { status: 'closed' })
    expect([refused.status, refused.body.errors.status[0]]).toEqual([
      422,
      'The status may not move from new to closed. Allowed: open.',
    ])
    expect((await api('PATCH', `/api/e/requests/${id}`, { status: 'open' })).status).toBe(200)
    const user = await userWith(service, ['requests.*'])
    const denied = await service.api('PATCH', `/api/e/requests/${id}`, {
      token: user.token,
      body: { status: 'closed' },
    })
    expect([denied.status, denied.body.errors.status[0]]).toEqual([
      422,
      'Your roles may not move the status from open to closed. From here it may not move.',
    ])
    expect(
      (await service.api('PATCH', `/api/e/requests/${id}`, { token: user.token, body: { status: 'open' } })).status,
    ).toBe(200)
    expect((await api('PATCH', `/api/e/requests/${id}`, { status: 'closed' })).status).toBe(200)
  })

  it('keeps a removed option valid on records that hold it', async () => {
    const fields = (slugs: string[]) => [
      { name: 'kind', type: 'value_list', options: slugs.map((slug) => ({ slug })) },
      { name: 'n', type: 'integer' },
    ]
    await makeTable(service, 'kinds', fields(['a', 'b']))
    const { id } = await create({ kind: 'a' }, 'kinds')
    expect(
      (await api('PUT', '/api/sys/entities/name/kinds', { name: 'kinds', table_fields: fields(['b']) })).status,
    ).toBe(200)
    expect((await api('PUT', `/api/e/kinds/${id}`, { kind: 'a', n: 1 })).body.data.data).toEqual({ kind: 'a', n: 1 })
    expect((await api('POST', '/api/e/kinds', { kind: 'a' })).status).toBe(422)
  })
})
