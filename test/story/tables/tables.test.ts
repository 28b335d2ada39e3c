import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable, requestFields } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const change = (name: string, body: object) => api('PUT', `/api/sys/entities/name/${name}`, { name, ...body })

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'clients', [{ name: 'name', type: 'text' }])
})
afterAll(() => service?.stop())

describe('tables', () => {
  it('can be created, listed and read', async () => {
    await api('POST', '/api/sys/roles', { name: 'agent' })
    const made = await api('POST', '/api/sys/entities', {
      name: 'requests',
      label: 'Requests',
      table_fields: requestFields,
    })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      name: 'requests',
      label: 'Requests',
      is_system: false,
      title_field: 'title',
      version: 1,
      automations: [],
    })
    expect(made.body.data.table_fields).toEqual(requestFields)
    const { body } = await api('GET', '/api/sys/entities')
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual([
      'clients',
      'requests',
      'sys_articles',
      'sys_companies',
      'sys_org_units',
      'sys_ratings',
    ])
    expect(body.data[1]).toEqual({
      id: made.body.data.id,
      name: 'requests',
      label: 'Requests',
      is_system: false,
      fields_count: requestFields.length,
    })
    expect((await api('GET', '/api/sys/entities/name/requests')).body.data).toEqual(made.body.data)
    expect((await api('GET', '/api/sys/entities/name/nowhere')).status).toBe(404)
  })

  it('are refused with the path of every error, and nothing is stored', async () => {
    const { status, body } = await api('POST', '/api/sys/entities', {
      name: 'broken',
      table_fields: [
        { name: 'id', type: 'text' },
        { name: 'a', type: 'nonsense' },
        { name: 'b', type: 'value_list', options: [{ label: 'no slug' }] },
        { name: 'c', type: 'text', color: 'red' },
      ],
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual([
      'table_fields.1.type',
      'table_fields.2.options.0.slug',
      'table_fields.3.color',
    ])
    expect((await api('GET', '/api/sys/entities/name/broken')).status).toBe(404)
  })

  it.each([
    [{ name: 'sys_mine' }, 422],
    [{ name: 'Upper' }, 422],
    [{ name: 'x'.repeat(64) }, 422],
    [{}, 422],
    [{ name: 'clients' }, 409],
  ])('are refused with the name in %j', async (body, status) =>
    expect((await api('POST', '/api/sys/entities', body)).status).toBe(status),
  )

  const options = (color: string) => ({ type: 'value_list', options: [{ slug: 'a', color }] })
  const states = (color: string) => ({ type: 'state_model', states: [{ slug: 'a', is_initial: true, color }] })
  it.each([
    ['table_fields.0.prefix', { type: 'auto_number', prefix: 'INC\r\nBcc: eve@evil.test' }],
    ['table_fields.0.prefix', { type: 'auto_number', prefix: 'INC\u0000-' }],
    ['table_fields.0.prefix', { type: 'auto_number', prefix: 'INC\u2028-' }],
    ['table_fields.0.label', { type: 'text', label: 'One\ntwo' }],
    ['table_fields.0.options.0.label', { type: 'value_list', options: [{ slug: 'a', label: 'One\ttwo' }] }],
    ['table_fields.0.options.0.color', options('red; background: url(//evil.test)')],
    ['table_fields.0.options.0.color', options('url(//evil.test/a.png)')],
    ['table_fields.0.options.0.color', options('var(--x)')],
    ['table_fields.0.options.0.color', options('#12345')],
    ['table_fields.0.options.0.color', options('#1677ff\n')],
    ['table_fields.0.options.0.color', options('urgent')],
    ['table_fields.0.options.0.color', options('')],
    ['table_fields.0.states.0.color', states('expression(1)')],
  ])('are refused with text where it does not belong: %s of %j', async (path, field) => {
    const { status, body } = await api('POST', '/api/sys/entities', {
      name: 'texts',
      table_fields: [{ name: 'a', ...field }],
    })
    expect([status, Object.keys(body.errors)]).toEqual([422, [path]])
  })

  it('take colours in hexadecimal and by name, and say which name was meant', async () => {
    const colors = ['#fff', '#FFF8', '#1677ff', '#1677FF80', 'blue', 'RebeccaPurple']
    const field = { name: 'a', type: 'value_list', options: colors.map((color, n) => ({ slug: `o${n}`, color })) }
    const made = await api('POST', '/api/sys/entities', { name: 'colours', table_fields: [field] })
    expect(made.body.data.table_fields[0].options.map(({ color }: any) => color)).toEqual(colors)
    const wrong = { ...field, options: [{ slug: 'a', color: 'bleu' }] }
    const { body } = await api('POST', '/api/sys/entities', { name: 'colours2', table_fields: [wrong] })
    expect(body.errors['table_fields.0.options.0.color']).toEqual([
      'Use a colour such as #1677ff, or the name of one such as blue. Did you mean blue?',
    ])
  })

  it.each([
    ['user', '$NOW'],
    ['company', 'Acme'],
    ['integer', 'one'],
    ['value_list', 'b'],
  ])('are refused with a default that is no valid %s', async (type, value) => {
    const field = { name: 'a', type, default: value, ...(type === 'value_list' && { options: [{ slug: 'a' }] }) }
    expect(
      (await api('POST', '/api/sys/entities', { name: 'defaults', table_fields: [field] })).body.errors,
    ).toHaveProperty(['table_fields.0.default'])
  })

  it('are changed as a whole, and a stale version answers 409', async () => {
    await makeTable(service, 'things', [{ name: 'a', type: 'text' }])
    const renamed = await change('things', { label: 'My things', version: 1 })
    expect(renamed.body.data).toMatchObject({
      label: 'My things',
      version: 2,
      table_fields: [{ name: 'a', type: 'text' }],
    })
    expect((await change('things', { version: 1 })).status).toBe(409)
    const same = await api('PUT', '/api/sys/entities/name/things', { label: 'My things' })
    expect([same.status, same.body.data.version, same.body.data.updated_at]).toEqual([
      200,
      2,
      renamed.body.data.updated_at,
    ])
    expect((await api('PUT', '/api/sys/entities/name/things', { name: 'sys_things' })).body.errors).toHaveProperty(
      'name',
    )
    const racing = await Promise.all([1, 2, 3].map((n) => change('things', { label: `n${n}`, version: 2 })))
    expect(racing.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  it('keep the values of a removed field, and the type of its name', async () => {
    const [a, b] = [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'integer' },
    ]
    await makeTable(service, 'fading', [a, b])
    const { id } = (await api('POST', '/api/e/fading', { a: 'x', b: 1 })).body.data
    await change('fading', { table_fields: [a] })
    expect((await api('GET', `/api/e/fading/${id}`)).body.data.data).toEqual({ a: 'x' })
    expect((await api('PATCH', `/api/e/fading/${id}`, { b: 2 })).body.errors).toHaveProperty('b')
    await api('PATCH', `/api/e/fading/${id}`, { a: 'y' })
    expect((await change('fading', { table_fields: [a, { name: 'b', type: 'text' }] })).body.errors).toHaveProperty([
      'table_fields.1.type',
    ])
    await change('fading', { table_fields: [a, b] })
    expect((await api('GET', `/api/e/fading/${id}`)).body.data.data).toEqual({ a: 'y', b: 1 })
  })

  it('keep the values of a removed unique field unique for when it is added again', async () => {
    const [n, code] = [
      { name: 'n', type: 'integer' },
      { name: 'code', type: 'text', unique: true },
    ]
    await makeTable(service, 'coded', [n, code])
    const { id } = (await api('POST', '/api/e/coded', { code: 'A' })).body.data
    await change('coded', { table_fields: [n] })
    await change('coded', { table_fields: [n, code] })
    expect((await api('POST', '/api/e/coded', { code: 'A' })).status).toBe(422)
    await change('coded', { table_fields: [n] })
    await api('DELETE', `/api/e/coded/${id}`)
    await change('coded', { table_fields: [n, code] })
    expect((await api('POST', '/api/e/coded', { code: 'A' })).status).toBe(201)
  })

  it('keep the type of a field once they hold records, and not before', async () => {
    await makeTable(service, 'solid', [{ name: 'a', type: 'text' }])
    expect((await change('solid', { table_fields: [{ name: 'a', type: 'integer', unique: true }] })).status).toBe(200)
    await api('POST', '/api/e/solid', { a: 1 })
    const { status, body } = await change('solid', { table_fields: [{ name: 'a', type: 'float', unique: true }] })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['table_fields.0.type']])
  })

  it('keep the ids of their hooks, and show scripts to administrators only', async () => {
    await makeTable(service, 'hooked', [])
    const first = await change('hooked', { automations: [{ kind: 'before_create', name: 'one', script: 'return' }] })
    const [one] = first.body.data.automations
    expect(one).toEqual({
      id: expect.any(Number),
      kind: 'before_create',
      name: 'one',
      script: 'return',
      is_active: true,
      position: 1,
    })
    const second = await change('hooked', {
      automations: [
        { kind: 'after_create', script: '' },
        { ...one, is_active: false },
      ],
    })
    expect(second.body.data.automations[1]).toEqual({ ...one, is_active: false })
    expect(second.body.data.automations[0].id).not.toBe(one.id)
    const user = await userWith(service, [])
    const seen = await service.api('GET', '/api/sys/entities/name/hooked', { token: user.token })
    expect(seen.body.data.automations[1]).not.toHaveProperty('script')
  })

  it('can be changed by administrators only', async () => {
    const { token } = await userWith(service, ['*'])
    expect((await service.api('POST', '/api/sys/entities', { token, body: { name: 'mine' } })).status).toBe(403)
    expect(
      (await service.api('PUT', '/api/sys/entities/name/clients', { token, body: { name: 'clients' } })).status,
    ).toBe(403)
    expect((await service.api('DELETE', '/api/sys/entities/name/clients', { token })).status).toBe(403)
    expect((await service.api('GET', '/api/sys/entities', { token })).status).toBe(200)
  })

  it('include companies and organisational units, which accept further fields and cannot be deleted', async () => {
    const { body } = await api('GET', '/api/sys/entities/name/sys_companies')
    const fields = [...body.data.table_fields, { name: 'vat_number', type: 'text' }]
    expect((await change('sys_companies', { table_fields: fields, version: body.data.version })).status).toBe(200)
    expect((await api('POST', '/api/e/sys_companies', { name: 'Acme', vat_number: 'X1' })).status).toBe(201)
    expect((await api('DELETE', '/api/sys/entities/name/sys_companies')).status).toBe(409)
  })

  it('cannot be deleted while another table refers to them', async () => {
    await makeTable(service, 'target', [])
    await makeTable(service, 'pointing', [{ name: 't', type: 'model_list', target_table: 'target' }])
    expect((await api('DELETE', '/api/sys/entities/name/target')).body.code).toBe('in_use')
    await api('DELETE', '/api/sys/entities/name/pointing')
    expect((await api('DELETE', '/api/sys/entities/name/target')).status).toBe(204)
  })
})
