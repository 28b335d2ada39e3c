import { afterAll, beforeAll, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  service.api(method, path, { token: service.admin.token, body, ...(headers && { headers }) })

const fields = (total = 'price * quantity') => [
  { name: 'title', type: 'text' },
  { name: 'price', type: 'float' },
  { name: 'quantity', type: 'integer', default: 1 },
  { name: 'total', type: 'computed', formula: total, result: 'float' },
  { name: 'is_large', type: 'computed', formula: 'total > 100', result: 'boolean' },
]

beforeAll(async () => {
  service = await startService({ log: () => {}, environment: { SETTLE_MS: '100' } })
  await makeTable(service, 'items', fields())
})
afterAll(() => service?.stop())

it('a computed value follows every write, and lists filter, sort and sum it', async () => {
  const created = await api('POST', '/api/e/items', { title: 'A', price: 60 })
  expect(created.body.data.data).toMatchObject({ total: 60, is_large: false })
  const { id } = created.body.data
  const changed = await api('PATCH', `/api/e/items/${id}`, { quantity: 2 })
  expect(changed.body.data).toMatchObject({ version: 2, data: { total: 120, is_large: true } })
  const imported = await api('POST', '/api/e/items/import', { rows: [{ price: 1 }, { price: 2, quantity: 100 }] })
  expect(imported.body.data).toMatchObject({ created: 2, failed: 0 })
  const filter = encodeURIComponent(JSON.stringify({ total: { _gt: 50 }, is_large: true }))
  const list = await api('GET', `/api/e/items?filter=${filter}&sort=-total&fields=total`)
  expect(list.body.data.map((one: any) => one.data.total)).toEqual([200, 120])
  const sums = await api('POST', '/api/e/items/list-server', { aggregate: { sum: ['total'] } })
  expect(sums.body.data[0].sum.total).toBe(321)
  const cleared = await api('PATCH', `/api/e/items/${id}`, { price: null })
  expect(cleared.body.data.data).toMatchObject({ total: null, is_large: null })
})

it('nobody sends a computed value, but a record may be sent back as it was read', async () => {
  expect((await api('POST', '/api/e/items', { price: 1, total: 5 })).body.errors).toEqual({
    total: ['The total field is read-only: the service makes its value. Leave it out.'],
  })
  const { id, data } = (await api('POST', '/api/e/items', { price: 2 })).body.data
  expect((await api('PATCH', `/api/e/items/${id}`, { total: 7 })).status).toBe(422)
  expect((await api('PATCH', `/api/e/items/${id}`, { total: null })).status).toBe(422)
  const sent = await api('PUT', `/api/e/items/${id}`, { ...data, price: 3 })
  expect([sent.status, sent.body.data.data.total]).toEqual([200, 3])
  const imported = await api('POST', '/api/e/items/import', { rows: [{ price: 1, total: 1 }] })
  expect(imported.body.data.errors[0].errors.total[0]).toMatch(/read-only/)
})

it('hooks see computed values, and may change what they are made of', async () => {
  const automations = [
    { kind: 'before_create', script: 'if ($data.total > 1000) $data.price = 1; $data.title = "was " + $data.total' },
    { kind: 'before_update', script: 'if ($data.title === "set") $data.total = 1' },
  ]
  await makeTable(service, 'hooked', fields())
  expect((await api('PUT', '/api/sys/entities/name/hooked', { automations })).status).toBe(200)
  const { id, data } = (await api('POST', '/api/e/hooked', { price: 2000, quantity: 2 })).body.data
  expect(data).toMatchObject({ title: 'was 4000', price: 1, total: 2 })
  const refused = await api('PATCH', `/api/e/hooked/${id}`, { title: 'set' })
  expect([refused.status, refused.body.errors?.total?.[0]]).toEqual([422, expect.stringMatching(/read-only/)])
})

it('a restore makes the value of today of the fields of then', async () => {
  const { id, updated_at } = (await api('POST', '/api/e/items', { price: 5, quantity: 2 })).body.data
  await api('PATCH', `/api/e/items/${id}`, { price: 6 })
  const restored = await api('POST', `/api/e/items/${id}/restore`, { as_of: updated_at })
  expect([restored.status, restored.body.data.data.total]).toEqual([200, 10])
  expect((await api('DELETE', `/api/e/items/${id}`)).status).toBe(204)
  const back = await api('POST', `/api/e/items/${id}/restore`, { as_of: updated_at })
  expect([back.status, back.body.data.data.total]).toEqual([200, 10])
})

it('a formula is checked when the table is saved', async () => {
  const put = async (formula: string) =>
    (await api('PUT', '/api/sys/entities/name/items', { table_fields: fields(formula) })).body
  expect((await put('price *')).errors['table_fields.3.formula'][0]).toMatch(/cannot be read at line 1, column 8/)
  expect((await put('pirce * 2')).errors['table_fields.3.formula'][0]).toMatch(/Did you mean price\?/)
  expect((await put('today()')).errors['table_fields.3.formula'][0]).toMatch(/depends on the moment/)
  expect((await put('if is_large then 1 else 2')).errors['table_fields.3.formula'][0]).toMatch(/circle/)
  const foreign = [{ name: 'title', type: 'text', formula: '1' }]
  expect((await api('PUT', '/api/sys/entities/name/items', { table_fields: foreign })).body.errors).toEqual({
    'table_fields.0.formula': ['The formula setting belongs to fields of type computed.'],
  })
})

it('a changed formula makes the values of all records anew, in a job, as a change of nobody', async () => {
  await makeTable(service, 'parts', fields())
  const ids: number[] = []
  for (const price of [1, 2, 3]) ids.push((await api('POST', '/api/e/parts', { price })).body.data.id)
  const [id] = ids
  const before = (await api('GET', `/api/e/parts/${id}`)).body.data
  const changed = await api('PUT', '/api/sys/entities/name/parts', { table_fields: fields('price * 100') })
  expect(changed.status).toBe(200)
  const job = await finishedJob(service, changed.body.data.rebuilding.job_id)
  expect(job).toMatchObject({ status: 'done', done: 3, total: 3 })
  const after = (await api('GET', `/api/e/parts/${id}`)).body.data
  expect(after).toMatchObject({ version: 2, updated_at: before.updated_at, data: { total: 100, is_large: false } })
  const list = await api('GET', '/api/e/parts?sort=total&fields=total')
  expect(list.body.data.map((one: any) => one.data.total)).toEqual([100, 200, 300])
  const history = (await api('GET', `/api/sys/history/parts/${id}`)).body.data
  expect(history[0]).toMatchObject({
    id: 2,
    source: 'formula',
    user: { id: 0 },
    changes: { total: { old: 1, new: 100 } },
  })
  // Who read the record before saves a change of it still; who read it before somebody's change does not.
  const match = { 'if-match': '"1"' }
  expect((await api('PATCH', `/api/e/parts/${id}`, { title: 'mine' }, match)).status).toBe(200)
  expect((await api('PATCH', `/api/e/parts/${id}`, { title: 'stale' }, match)).status).toBe(412)
  expect(
    (await api('PUT', '/api/sys/entities/name/parts', { table_fields: fields('price * 100') })).body.data.rebuilding,
  ).toBeUndefined()
})

it('a computed decimal is exact in answers, lists, sums, groups, exports, and after its formula changed', async () => {
  const amounts = (gross = 'round half up(net * 1.19, 2)') => [
    { name: 'title', type: 'text' },
    { name: 'price', type: 'decimal', scale: 4 },
    { name: 'quantity', type: 'integer' },
    { name: 'net', type: 'computed', formula: 'price * quantity', result: 'decimal', scale: 4 },
    { name: 'gross', type: 'computed', formula: gross, result: 'decimal' },
  ]
  await makeTable(service, 'bills', amounts())
  const { data } = (await api('POST', '/api/e/bills', { price: '12345678901234.5678', quantity: 10 })).body.data
  expect(data).toMatchObject({ net: '123456789012345.6780', gross: '146913578924691.36' })
  const rows = Array.from({ length: 10 }, () => ({ title: 'ten', price: '0.1', quantity: 1 }))
  expect((await api('POST', '/api/e/bills/import', { rows })).body.data).toMatchObject({ created: 10, failed: 0 })
  await service.cloud.idle()
  const sums = async (filter: object) =>
    (await api('POST', '/api/e/bills/list-server', { filter, aggregate: { sum: ['net', 'gross'], avg: ['net'] } })).body
      .data[0]
  expect(await sums({ title: 'ten' })).toMatchObject({
    sum: { net: '1.0000', gross: '1.20' },
    avg: { net: '0.1000' },
  })
  expect((await sums({ net: { _gte: '0.1' } })).sum.net).toBe('123456789012346.6780')
  const first = await api('GET', '/api/e/bills?sort=-gross&per_page=1&fields=gross')
  expect(first.body.data[0].data.gross).toBe('146913578924691.36')
  const csv = await fetch(`${service.url}/api/e/bills/export?fields=net&sort=-net`, {
    headers: { authorization: `Bearer ${service.admin.token}` },
  })
  expect((await csv.text()).split('\r\n').slice(0, 3)).toEqual(['id,net', '1,123456789012345.6780', '11,0.1000'])
  const changed = await api('PUT', '/api/sys/entities/name/bills', { table_fields: amounts('net * 2') })
  expect(await finishedJob(service, changed.body.data.rebuilding.job_id)).toMatchObject({ status: 'done', done: 11 })
  expect((await sums({})).sum.gross).toBe('246913578024693.36')
  const floats = [...amounts(), { name: 'weight', type: 'float' }]
  const refused = await api('PUT', '/api/sys/entities/name/bills', {
    table_fields: floats.map((field) => (field.name === 'gross' ? { ...field, formula: 'net * weight' } : field)),
  })
  expect(refused.body.errors['table_fields.4.formula'][0]).toMatch(/weight is a float, which is not exact/)
  const scaled = amounts().map((field) => (field.name === 'net' ? { ...field, result: 'float' } : field))
  expect((await api('PUT', '/api/sys/entities/name/bills', { table_fields: scaled })).body.errors).toHaveProperty([
    'table_fields.3.scale',
  ])
})
