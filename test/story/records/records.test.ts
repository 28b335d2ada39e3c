import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeRequests, makeTable } from '../../make/builders/records/tables.ts'
import { sample, upload } from '../../make/builders/records/uploads.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'

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

describe('creating a record', () => {
  it('answers 201 with standard fields, data, defaults and the initial state', async () => {
    const { status, body, headers } = await api('POST', '/api/e/requests', { title: 'Printer' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ success: true, message: 'OK' })
    const { id, created_at, ...rest } = body.data
    expect(id).toBeGreaterThan(0)
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(rest).toEqual({
      tenant_id: service.tenant.id,
      created_by: service.admin.userId,
      updated_by: service.admin.userId,
      updated_at: created_at,
      version: 1,
      data: { title: 'Printer', priority: 3, status: 'new' },
    })
    expect(headers.get('etag')).toBe('"1"')
    expect(headers.get('x-request-id')).toBeTruthy()
  })

  it('assigns increasing ids that are never reused', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => (await create({ title: `n${index}` })).id),
    )
    expect(new Set(ids).size).toBe(20)
    await api('DELETE', `/api/e/requests/${Math.max(...ids)}`)
    expect((await create({ title: 'after' })).id).toBeGreaterThan(Math.max(...ids))
  })

  it('names every wrong field in one answer, in the wording of Laravel', async () => {
    const { status, body } = await api('POST', '/api/e/requests', {
      priority: '3',
      source: 'fax',
      client_id: '1',
      nonsense: 1,
    })
    expect(status).toBe(422)
    expect(body).toEqual({
      success: false,
      code: 'validation_failed',
      message: 'Validation error',
      errors: {
        title: ['The title field is required.'],
        priority: ['The priority must be a number.'],
        source: ['The selected source is invalid: there is no such option. There are: mail, phone.'],
        client_id: ['The client_id must be the id of a record in clients, a positive integer.'],
        nonsense: ['The nonsense field is unknown.'],
      },
      field_errors: {
        title: [{ code: 'required', params: { field: 'title' }, message: 'The title field is required.' }],
        priority: [{ code: 'not_number', params: { field: 'priority' }, message: 'The priority must be a number.' }],
        source: [
          {
            code: 'no_such_option',
            params: { field: 'source', allowed: ['mail', 'phone'] },
            message: 'The selected source is invalid: there is no such option. There are: mail, phone.',
          },
        ],
        client_id: [expect.objectContaining({ code: 'not_id' })],
        nonsense: [expect.objectContaining({ code: 'unknown_field', params: { field: 'nonsense' } })],
      },
    })
  })

  it('names invalid references, files and taken values in the same answer', async () => {
    await makeTable(service, 'strict', [
      { name: 'title', type: 'text', required: true },
      { name: 'code', type: 'text', unique: true },
      { name: 'number', type: 'integer', unique: true },
      { name: 'owner', type: 'user' },
      { name: 'client_id', type: 'model_list', target_table: 'clients' },
      { name: 'photo', type: 'image' },
    ])
    const { id } = await create({ title: 'first', code: 'A', number: 1 }, 'strict')
    const wrong = { code: 'A', number: 'x', owner: 999, client_id: 999, photo: 'none.png' }
    const others = ['client_id', 'code', 'owner', 'photo']
    const named = ({ body }: { body: { errors: object } }) => Object.keys(body.errors).toSorted()
    expect(named(await api('POST', '/api/e/strict', wrong))).toEqual([...others, 'number', 'title'].toSorted())
    expect(named(await api('POST', '/api/e/strict', { ...wrong, title: 'x', number: 2 }))).toEqual(others)
    const second = await create({ title: 'second', code: 'B' }, 'strict')
    expect(named(await api('PATCH', `/api/e/strict/${second.id}`, wrong))).toEqual([...others, 'number'].toSorted())
    expect((await api('PATCH', `/api/e/strict/${id}`, { code: 'A', number: 'x' })).body.errors).toEqual({
      number: ['The number must be a number.'],
    })
    const { errors } = (
      await api('POST', '/api/e/strict/import', { rows: [wrong, { title: 'x', code: 'B', client_id: 999 }] })
    ).body.data
    expect(errors.map((row: { errors: object }) => Object.keys(row.errors).toSorted())).toEqual([
      [...others, 'number', 'title'].toSorted(),
      ['client_id', 'code'],
    ])
  })

  it('uses the initial state when null is sent for it', async () => {
    expect((await create({ title: 'x', status: null })).data.status).toBe('new')
  })

  it('our choice: refuses an empty list of files for a required field', async () => {
    await makeTable(service, 'albums', [{ name: 'photos', type: 'file', multiple: true, required: true }])
    expect((await api('POST', '/api/e/albums', { photos: [] })).body.errors).toEqual({
      photos: ['The photos field is required.'],
    })
  })

  it.each([undefined, null, ''])('refuses %j for a required field', async (title) => {
    expect((await api('POST', '/api/e/requests', { title })).body.errors).toEqual({
      title: ['The title field is required.'],
    })
  })

  it('refuses a reference to a record that does not exist, and leaves the total unchanged', async () => {
    const before = (await api('GET', '/api/e/requests')).body.meta.total
    expect((await api('POST', '/api/e/requests', { title: 'x', client_id: 999 })).body.errors).toEqual({
      client_id: ['The selected client_id is invalid.'],
    })
    expect((await api('GET', '/api/e/requests')).body.meta.total).toBe(before)
  })

  it('refuses a state that is not initial', async () => {
    const { status, body } = await api('POST', '/api/e/requests', { title: 'x', status: 'closed' })
    expect(status).toBe(422)
    expect(body.errors).toHaveProperty('status')
  })

  it('ignores standard fields in the body', async () => {
    const record = await create({
      title: 'x',
      id: 1,
      tenant_id: 99,
      created_by: 99,
      version: 7,
      created_at: '2000-01-01T00:00:00.000Z',
    })
    expect(record).toMatchObject({ tenant_id: service.tenant.id, created_by: service.admin.userId, version: 1 })
    expect(record.id).not.toBe(1)
  })

  it('takes every field type of the specification and answers it unchanged', async () => {
    await makeTable(service, 'everything', [
      { name: 'a_text', type: 'text' },
      { name: 'a_textarea', type: 'textarea' },
      { name: 'an_integer', type: 'integer' },
      { name: 'a_float', type: 'float' },
      { name: 'a_boolean', type: 'boolean' },
      { name: 'a_date', type: 'date' },
      { name: 'a_datetime', type: 'datetime' },
      { name: 'a_value', type: 'value_list', options: [{ slug: 'one' }] },
      { name: 'a_state', type: 'state_model', states: [{ slug: 'new', is_initial: true }] },
      { name: 'a_user', type: 'user' },
      { name: 'a_record', type: 'model_list', target_table: 'clients' },
      { name: 'a_company', type: 'company' },
      { name: 'a_unit', type: 'org_unit' },
      { name: 'some_files', type: 'file', multiple: true },
      { name: 'an_image', type: 'image' },
      { name: 'a_point', type: 'point' },
      { name: 'an_email', type: 'email' },
      { name: 'a_url', type: 'url' },
      { name: 'a_phone', type: 'phone' },
      { name: 'a_duration', type: 'duration' },
    ])
    const [client, company, unit] = await Promise.all([
      create({ name: 'Ann' }, 'clients'),
      create({ name: 'Acme' }, 'sys_companies'),
      create({ name: 'IT' }, 'sys_org_units'),
    ])
    const data = {
      a_text: 'x',
      a_textarea: 'two\nlines',
      an_integer: Number.MAX_SAFE_INTEGER,
      a_float: 1.5e-7,
      a_boolean: false,
      a_date: '2024-02-29',
      a_datetime: '2026-11-20T07:17:00.000Z',
      a_value: 'one',
      a_state: 'new',
      a_user: service.admin.userId,
      a_record: client.id,
      a_company: company.id,
      a_unit: unit.id,
      some_files: [
        await upload(service),
        await upload(service, { name: 'a.txt', type: 'text/plain', content: sample.text }),
      ],
      an_image: await upload(service),
      a_point: { lat: 52.5, lng: -13.4 },
      an_email: 'ada@example.com',
      a_url: 'https://example.com',
      a_phone: '+4930123456',
      a_duration: 5400,
    }
    const made = await create(data, 'everything')
    expect(made.data).toEqual(data)
    expect((await api('GET', `/api/e/everything/${made.id}`)).body.data).toEqual(made)
    const wrong = Object.fromEntries(Object.keys(data).map((name) => [name, name === 'a_boolean' ? 'yes' : true]))
    expect(
      Object.keys((await api('POST', '/api/e/everything', { ...wrong, a_boolean: 'yes' })).body.errors).sort(),
    ).toEqual(Object.keys(data).sort())
  })

  it('refuses a record over 350 KB', async () => {
    const { status, body } = await api('POST', '/api/e/requests', { title: 'x', note: 'n'.repeat(360 * 1024) })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['data']])
  })
})

describe('reading records', () => {
  it.each(['0', '-1', 'abc', '1.5', '999999', '9007199254740993', '%20'])('answers 404 for the id %s', async (id) => {
    expect((await api('GET', `/api/e/requests/${id}`)).status).toBe(404)
  })
  it.each(['nowhere', 'Requests', '__proto__', 'requests%2F1'])('answers 404 for the table %s', async (model) => {
    expect((await api('GET', `/api/e/${model}`)).status).toBe(404)
    expect((await api('POST', `/api/e/${model}`, { a: 1 })).status).toBe(404)
  })
  it('answers 401 without a token and 403 without the permission, before it reveals what exists', async () => {
    const user = await userWith(service, ['clients.read'])
    expect((await service.api('GET', '/api/e/requests/1')).status).toBe(401)
    expect((await service.api('GET', '/api/e/requests/1', { token: '1|nonsense' })).status).toBe(401)
    expect((await service.api('GET', '/api/e/requests/1', { token: user.token })).status).toBe(403)
    expect((await service.api('GET', '/api/e/nowhere/1', { token: user.token })).status).toBe(403)
    expect((await service.api('GET', '/api/e/clients/999', { token: user.token })).status).toBe(404)
    expect((await service.api('POST', '/api/e/clients', { token: user.token, body: '{' })).status).toBe(403)
  })
})
