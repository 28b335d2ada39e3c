import { beforeAll, describe, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  service.api(method, path, { token: service.admin.token, body, headers })
const made = (answer: ApiAnswer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data as { id: number; data: Record<string, unknown> }
}
const create = async (model: string, body: object) => made(await api('POST', `/api/e/${model}`, body))
const list = (model: string, body: object) => api('POST', `/api/e/${model}/list-server`, body)
const idsOf = (answer: ApiAnswer): number[] => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data.map(({ id }: { id: number }) => id)
}
const matching = async (model: string, filter: object) => idsOf(await list(model, { filter, sort: ['id'] }))
const groupsOf = async (model: string, body: object) => (await list(model, body)).body.data
const importRows = (model: string, csv: string, query = '?coerce=true') =>
  service.api('POST', `/api/e/${model}/import${query}`, {
    token: service.admin.token,
    body: csv,
    headers: { 'content-type': 'text/csv' },
  })

beforeAll(async () => {
  service = await sharedService()
})

describe('a decimal', () => {
  beforeAll(async () => {
    await makeTable(service, 'bills', [
      { name: 'amount', type: 'decimal', scale: 2 },
      { name: 'rate', type: 'decimal', scale: 4, min: 0 },
      { name: 'payer', type: 'text' },
    ])
    const amounts = ['9007199254740993.01', '9007199254740993.02', -2.5, '-10', '0.10', 0.2, 100, null]
    for (const [index, amount] of amounts.entries())
      await create('bills', { amount, payer: index % 2 ? 'odd' : 'even' })
  })

  it('is answered as text with the digits of its scale, and compared as a number', async () => {
    const sorted = await list('bills', { sort: ['amount'] })
    expect(sorted.body.data.map(({ data }: { data: { amount?: string } }) => data.amount ?? null)).toEqual([
      '-10.00',
      '-2.50',
      '0.10',
      '0.20',
      '100.00',
      '9007199254740993.01',
      '9007199254740993.02',
      null,
    ])
    expect(idsOf(await list('bills', { sort: ['-amount'], per_page: 2 }))).toEqual([2, 1])
    expect(await matching('bills', { amount: { _gt: '9007199254740993.01' } })).toEqual([2])
    expect(await matching('bills', { amount: { _between: [-2.5, '0.1'] } })).toEqual([3, 5])
    expect(await matching('bills', { amount: '0.1000' })).toEqual([5])
    expect(await matching('bills', { amount: [100, '0.2'] })).toEqual([6, 7])
    expect(await matching('bills', { amount: { _lt: 0.105 } })).toEqual([3, 4, 5])
    expect((await list('bills', { filter: { amount: 'much' } })).body.errors).toEqual({
      'filter.amount': ['The filter.amount must be a decimal number, such as "12.50".'],
    })
  })

  it('goes on after a cursor where doubles are equal', async () => {
    const first = await list('bills', { sort: ['-amount'], per_page: 1 })
    const { next_cursor: cursor } = first.body.meta
    expect(idsOf(first)).toEqual([2])
    expect(idsOf(await list('bills', { sort: ['-amount'], per_page: 2, cursor }))).toEqual([1, 7])
  })

  it('is summed and averaged exactly', async () => {
    const aggregate = { sum: ['amount'], avg: ['amount'], min: ['amount'], max: ['amount'] }
    expect(await groupsOf('bills', { aggregate })).toEqual([
      {
        group: {},
        sum: { amount: '18014398509482073.83' },
        avg: { amount: '2573485501354581.97571429' },
        min: { amount: '-10.00' },
        max: { amount: '9007199254740993.02' },
      },
    ])
    const groups = await groupsOf('bills', {
      group_by: ['payer'],
      aggregate: { sum: ['amount'] },
      sort: ['-sum.amount'],
    })
    expect(groups.map(({ group, sum }: { group: object; sum: object }) => ({ ...group, ...sum }))).toEqual([
      { payer: 'even', amount: '9007199254741090.61' },
      { payer: 'odd', amount: '9007199254740983.22' },
    ])
    expect(await groupsOf('bills', { aggregate: { sum: ['rate'], avg: ['rate'] } })).toEqual([
      { group: {}, sum: { rate: '0.0000' }, avg: { rate: null } },
    ])
  })

  it('comes back from a file as it went', async () => {
    const csv = await api('GET', '/api/e/bills/export?format=csv&fields=amount&sort=id')
    expect(String(csv.body)).toContain('1,9007199254740993.01\r\n')
    expect(String(csv.body)).toContain('3,-2.50\r\n')
    const { body } = await importRows('bills', 'amount\n9007199254740993.03\n1.005\n')
    expect(body.data).toMatchObject({ created: 1, failed: 1 })
    expect(body.data.errors[0].errors).toEqual({
      amount: ['The amount may not have more than 2 digits after the point.'],
    })
  })
})

describe('several options', () => {
  const options = [{ slug: 'mail', label: 'E-mail' }, { slug: 'phone' }, { slug: 'chat' }]
  beforeAll(async () => {
    await makeTable(service, 'contacts', [{ name: 'ways', type: 'multi_value_list', options }])
    for (const ways of [['phone', 'mail'], ['mail'], [], null, ['chat', 'phone', 'mail']])
      await create('contacts', { ways })
  })

  it('are kept in the order of the options', async () =>
    expect((await api('GET', '/api/e/contacts/1')).body.data.data).toEqual({ ways: ['mail', 'phone'] }))

  it.each([
    [{ _has_any: ['phone', 'chat'] }, [1, 5]],
    [{ _has_all: ['phone', 'mail'] }, [1, 5]],
    [{ _has_all: ['chat', 'mail'] }, [5]],
    [{ _empty: true }, [3, 4]],
    [{ _empty: false }, [1, 2, 5]],
    [{ _eq: ['phone', 'mail'] }, [1]],
    [{ _neq: ['mail'] }, [1, 3, 4, 5]],
    ['chat', [5]],
    [
      ['chat', 'phone'],
      [1, 5],
    ],
  ])('match %j', async (ways, ids) => expect(await matching('contacts', { ways })).toEqual(ids))

  it('refuse operators of one value, and options that there are not', async () => {
    const { body } = await list('contacts', { filter: { _and: [{ ways: { _in: ['mail'] } }, { ways: ['fax'] }] } })
    expect(body.errors).toEqual({
      'filter._and.0.ways._in': [expect.stringContaining('Use one of _eq, _neq, _has_any, _has_all')],
      'filter._and.1.ways.0': [expect.stringContaining('no such option')],
    })
  })

  it('group as a whole', async () =>
    expect(await groupsOf('contacts', { group_by: ['ways'] })).toEqual([
      { group: { ways: ['mail'] }, count: 1 },
      { group: { ways: ['mail', 'phone'] }, count: 1 },
      { group: { ways: ['mail', 'phone', 'chat'] }, count: 1 },
      { group: { ways: null }, count: 2 },
    ]))

  it('are filtered and opened by a grid', async () => {
    const grid = { startRow: 0, endRow: 10, filterModel: {}, sortModel: [{ colId: 'id', sort: 'asc' }] }
    const set = { 'data.ways': { filterType: 'set', values: ['chat'] } }
    expect(idsOf(await list('contacts', { ...grid, filterModel: set }))).toEqual([5])
    const groups = { ...grid, rowGroupCols: [{ id: 'data.ways', field: 'data.ways' }] }
    const rows = (await list('contacts', { ...groups, sortModel: [], groupKeys: [] })).body.data
    expect(rows[1].data).toEqual({ ways: 'mail,phone' })
    expect(idsOf(await list('contacts', { ...groups, groupKeys: ['mail,phone'] }))).toEqual([1])
  })

  it('are one cell of a file', async () => {
    const csv = await api('GET', '/api/e/contacts/export?format=csv&fields=ways&sort=id')
    expect(String(csv.body)).toContain('1,mail;phone')
    const { body } = await importRows('contacts', 'ways\nchat; E-mail\n')
    expect((await api('GET', `/api/e/contacts/${body.data.ids[0]}`)).body.data.data).toEqual({ ways: ['mail', 'chat'] })
  })
})

describe('JSON', () => {
  const settings = { ports: [1, { a: null }], lat: 'no point' }
  beforeAll(async () => {
    await makeTable(service, 'machines', [
      { name: 'settings', type: 'json' },
      { name: 'name', type: 'text' },
    ])
    await create('machines', { name: 'one', settings })
  })

  it('is answered as it was sent, and is one value in history', async () => {
    expect((await api('GET', '/api/e/machines/1')).body.data.data).toEqual({ name: 'one', settings })
    await api('PATCH', '/api/e/machines/1', { settings: [1] })
    const { body } = await api('GET', '/api/sys/history/machines/1')
    expect(body.data[0].changes).toEqual({ settings: { old: settings, new: [1] } })
    expect(await matching('machines', { name: 'one' })).toEqual([1])
  })

  it.each([
    [{ filter: { settings: { _null: true } } }, 'filter.settings'],
    [{ filter: { settings: settings } }, 'filter.settings'],
    [{ sort: ['settings'] }, 'sort'],
    [{ group_by: ['settings'] }, 'group_by.0'],
    [{ aggregate: { min: ['settings'] } }, 'aggregate.min.0'],
  ])('is refused by name in %j', async (query, path) => {
    const { status, body } = await list('machines', query)
    expect([status, body.errors]).toEqual([
      422,
      { [path]: ['The field settings is of type json, which cannot be filtered, sorted, grouped or aggregated.'] },
    ])
  })

  it('is a cell of JSON', async () => {
    const { body } = await importRows('machines', 'name,settings\ntwo,"{""a"":[1]}"\n')
    const id = body.data.ids[0]
    expect((await api('GET', `/api/e/machines/${id}`)).body.data.data.settings).toEqual({ a: [1] })
    const csv = await api('GET', '/api/e/machines/export?format=csv&fields=settings&sort=id')
    expect(String(csv.body)).toContain(`${id},"{""a"":[1]}"`)
  })
})

describe('an automatic number', () => {
  const number = { name: 'number', type: 'auto_number', prefix: 'INC-', digits: 2 }
  beforeAll(async () => {
    await makeTable(service, 'incidents', [number, { name: 'title', type: 'text' }])
  })

  it('is given once each to parallel creates, and to imports', async () => {
    const records = await Promise.all(
      Array.from({ length: 64 }, (_, index) => create('incidents', { title: `n${index}` })),
    )
    const { body } = await importRows('incidents', `title\n${'x\n'.repeat(50)}`)
    expect(body.data).toMatchObject({ created: 50 })
    const all = (await list('incidents', { sort: ['number'], per_page: 200 })).body.data
    const numbers = all.map(({ data }: { data: { number: string } }) => Number(data.number.slice(4)))
    expect(new Set(numbers).size).toBe(114)
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => a - b))
    expect(records.map(({ data }) => data.number)).toContain('INC-01')
    expect(await matching('incidents', { number: { _gt: 'INC-99' } })).toHaveLength(
      numbers.filter((one: number) => one > 99).length,
    )
  })

  it('is refused from clients, and stays', async () => {
    const { id, data } = await create('incidents', { title: 'one' })
    const refused = { number: ['The number field is read-only: the service makes its value. Leave it out.'] }
    expect((await api('POST', '/api/e/incidents', { number: 'INC-7' })).body.errors).toEqual(refused)
    expect((await api('PATCH', `/api/e/incidents/${id}`, { number: 'INC-7' })).body.errors).toEqual(refused)
    expect((await api('PATCH', `/api/e/incidents/${id}`, { number: null })).body.errors).toEqual(refused)
    expect((await api('PUT', `/api/e/incidents/${id}`, { ...data, title: 'two' })).body.data.data).toEqual({
      ...data,
      title: 'two',
    })
    const { body } = await importRows('incidents', 'number\nINC-7\n')
    expect(body.data.errors).toMatchObject([{ row: 0, errors: refused }])
    const at = (await api('GET', `/api/e/incidents/${id}`)).body.data.updated_at
    await api('DELETE', `/api/e/incidents/${id}`)
    const restored = await api('POST', `/api/e/incidents/${id}/restore`, { as_of: at })
    expect(restored.body.data.data.number).toBe(data.number)
  })

  it('is the same for a repeated request', async () => {
    const headers = { 'idempotency-key': 'number-once' }
    const [first, second] = [
      await api('POST', '/api/e/incidents', { title: 'k' }, headers),
      await api('POST', '/api/e/incidents', { title: 'k' }, headers),
    ]
    expect(made(second)).toEqual(made(first))
  })

  it('does not begin anew', async () => {
    const table = (await api('GET', '/api/sys/entities/name/incidents')).body.data
    const table_fields = [{ ...number, start: 5 }, table.table_fields[1]]
    const { status, body } = await api('PUT', '/api/sys/entities/name/incidents', { ...table, table_fields })
    expect([status, body.errors]).toEqual([
      422,
      { 'table_fields.0.start': ['The start of number may not change any more: the table has had records.'] },
    ])
  })

  it('is given to the records that were there before the field', async () => {
    await makeTable(service, 'cases', [{ name: 'title', type: 'text' }])
    for (const title of ['a', 'b', 'c']) await create('cases', { title })
    const table = (await api('GET', '/api/sys/entities/name/cases')).body.data
    await api('PUT', '/api/sys/entities/name/cases', {
      ...table,
      table_fields: [...table.table_fields, { ...number, start: 10 }],
    })
    await expect
      .poll(async () => (await list('cases', { sort: ['id'] })).body.data.map((one: any) => one.data.number), {
        timeout: 30_000,
        interval: 200,
      })
      .toEqual(['INC-10', 'INC-11', 'INC-12'])
    expect((await create('cases', { title: 'd' })).data.number).toBe('INC-13')
  })
})
