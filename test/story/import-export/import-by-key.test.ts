import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { runs } from '../../make/depth.ts'
import { sharedService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

let service: TestService
let token: string
const api = (method: string, path: string, body?: unknown, as = token): Promise<ApiAnswer> =>
  service.api(method, path, { token: as, body })
const load = (model: string, body: object, as = token): Promise<ApiAnswer> =>
  api('POST', `/api/e/${model}/import`, body, as)
/** The answer of an import, also when a job had to finish it. */
async function loaded(body: object): Promise<{ readonly data: any; readonly batch: number }> {
  const { status, body: answer, headers } = await load('customers', body)
  const data = status === 202 ? (await finishedJob(service, answer.data.job_id)).result : answer.data
  return { data, batch: Number(headers.get('x-batch-id')) }
}
const read = async (model: string, id: number) => (await api('GET', `/api/e/${model}/${id}`)).body.data
const countOf = async (filter: object): Promise<number> =>
  (await api('POST', '/api/e/customers/list-server', { filter })).body.meta.total
const upsert = { mode: 'upsert', key: 'code' }

beforeAll(async () => {
  service = await sharedService()
  token = service.admin.token
  await makeTable(service, 'customers', [
    { name: 'name', type: 'text', required: true },
    { name: 'code', type: 'text', unique: true },
    { name: 'town', type: 'text' },
    { name: 'visits', type: 'integer', default: 1, max: 1000 },
    { name: 'secret', type: 'text' },
  ])
  await makeTable(service, 'cases', [
    { name: 'number', type: 'auto_number', prefix: 'C-', digits: 4 },
    { name: 'title', type: 'text', required: true },
    {
      name: 'status',
      type: 'state_model',
      states: [
        { slug: 'new', is_initial: true },
        { slug: 'closed', is_final: true },
      ],
      transitions: [{ from: 'new', to: 'closed', roles: ['nobody'] }],
    },
  ])
})
afterAll(() => service?.stop())

/** More than the rows of several transactions; every five hundredth is edited. */
const many = runs(5000, 1500)
const edited = many / 500

describe('thousands of clients that are imported by key', () => {
  it('are created, unchanged the second time, changed where they differ the third time, and undone', async () => {
    const rows = Array.from({ length: many }, (_, n) => ({ name: `Client ${n}`, code: `K${n}`, town: 'Ulm' }))
    const first = await loaded({ ...upsert, rows })
    expect(first.data).toMatchObject({ total: many, created: many, updated: 0, unchanged: 0, failed: 0 })
    const { ids } = first.data
    const second = await loaded({ ...upsert, rows })
    expect(second.data).toMatchObject({ created: 0, updated: 0, unchanged: many, failed: 0, ids })
    expect((await read('customers', ids[17])).version).toBe(1)
    const third = await loaded({
      ...upsert,
      rows: rows.map((row, n) => (n % 500 === 3 ? { ...row, town: 'Bonn' } : row)),
    })
    expect(third.data).toMatchObject({ created: 0, updated: edited, unchanged: many - edited, failed: 0, ids })
    expect(await read('customers', ids[503])).toMatchObject({ version: 2, data: { town: 'Bonn', visits: 1 } })
    const batch = third.batch
    expect((await api('GET', `/api/sys/batches/${batch}`)).body.data).toMatchObject({
      kind: 'import',
      matched: many,
      changed: edited,
      unchanged: many - edited,
    })
    const undone = await api('POST', `/api/sys/batches/${batch}/undo`)
    expect(undone).toMatchObject({
      status: 200,
      body: { data: { matched: edited, changed: edited, failed: 0, kept: [] } },
    })
    expect((await read('customers', ids[503])).data.town).toBe('Ulm')
    const history = await api('GET', `/api/sys/history/customers/${ids[503]}`)
    expect(history.body.data.map(({ source }: any) => source)).toEqual(['undo', 'import', 'import'])
  })
})

describe('an import by key', () => {
  it('reports rows without a key, with one twice, unknown ones and wrong values, and changes only what rows name', async () => {
    await load('customers', { rows: [{ name: 'Ann', code: 'A', town: 'Kiel', visits: 5 }] })
    const { status, body } = await load('customers', {
      mode: 'update',
      key: 'code',
      rows: [
        { code: 'A', town: 'Jena' },
        { town: 'x' },
        { code: 'A', town: 'Rom' },
        { code: 'B1', town: 'x' },
        { code: 'K7', visits: 9999 },
      ],
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ total: 5, created: 0, updated: 1, unchanged: 0, failed: 4 })
    expect(
      body.data.errors.map(({ row, errors }: any) => [row, Object.keys(errors), Object.values(errors)[0]]),
    ).toEqual([
      [1, ['code'], ['The row needs its key: code names the record.']],
      [2, ['code'], ['Row 0 has the same code. Send each record once.']],
      [3, ['code'], ['No record that you may change has this code.']],
      [4, ['visits'], [expect.stringContaining('1000')]],
    ])
    expect((await read('customers', body.data.ids[0])).data).toMatchObject({ name: 'Ann', town: 'Jena', visits: 5 })
  })

  it('finds records by id and by a searchable field, where several with one value are an error', async () => {
    const made = await load('customers', { rows: [{ name: 'Twin' }, { name: 'Twin' }, { name: 'Single' }] })
    const { ids } = made.body.data
    await expect.poll(async () => await countOf({ name: 'Twin' })).toBe(2)
    const named = await load('customers', {
      mode: 'upsert',
      key: 'name',
      rows: [
        { name: 'Twin', town: 'x' },
        { name: 'Single', town: 'Graz' },
        { name: 'Fresh', town: 'Linz' },
      ],
    })
    expect(named.body.data).toMatchObject({
      created: 1,
      updated: 1,
      failed: 1,
      ids: [null, ids[2], expect.any(Number)],
    })
    expect(named.body.data.errors[0].errors.name[0]).toContain(`Several records have this name: ${ids[0]}, ${ids[1]}`)
    const again = await load('customers', { mode: 'upsert', key: 'name', rows: [{ name: 'Fresh', town: 'Linz' }] })
    expect(again.body.data).toMatchObject({ created: 0, unchanged: 1, ids: [named.body.data.ids[2]] })
    const byId = await load('customers', {
      mode: 'update',
      key: 'id',
      rows: [
        { id: ids[0], town: 'Wien' },
        { id: 999_999, town: 'x' },
      ],
    })
    expect(byId.body.data).toMatchObject({ updated: 1, failed: 1, ids: [ids[0], null] })
  })

  it('refuses a request without its key, with a field that is none, and permissions that are missing', async () => {
    const wrong = async (body: object, as = token) => {
      const answer = await load('customers', { rows: [{ code: 'A' }], ...body }, as)
      return [answer.status, answer.body.errors?.key?.[0] ?? answer.body.message]
    }
    expect(await wrong({ mode: 'update' })).toEqual([422, expect.stringContaining('needs a key')])
    expect(await wrong({ mode: 'upsert', key: 'coed' })).toEqual([422, expect.stringContaining('Did you mean code?')])
    expect(await wrong({ mode: 'upsert', key: 'visits' })).toEqual([
      422,
      expect.stringContaining('neither unique nor searchable'),
    ])
    expect(await wrong({ key: 'code' })).toEqual([422, expect.stringContaining('Leave out the key')])
    const reader = await userWith(service, ['customers.read', 'customers.update'])
    expect(await wrong({ ...upsert }, reader.token)).toEqual([403, expect.stringContaining('customers.create')])
    expect(
      (await load('customers', { mode: 'update', key: 'code', rows: [{ code: 'A', town: 'Ulm' }] }, reader.token)).body
        .data.updated,
    ).toBe(1)
    expect(await wrong({ legacy: true }, reader.token)).toEqual([403, expect.any(String)])
  })

  it('leaves alone what row rules hide, and does not tell it from what is not there', async () => {
    await load('customers', {
      rows: [
        { name: 'Hidden', code: 'H', town: 'Area 51' },
        { name: 'Open', code: 'O', town: 'Ulm' },
      ],
    })
    const user = await userWith(
      service,
      ['customers.*'],
      ['read', 'update'].map((action) => ({ table: 'customers', action, filter: { town: 'Ulm' } })),
    )
    const { body } = await load(
      'customers',
      {
        mode: 'update',
        key: 'code',
        rows: [
          { code: 'H', name: 'x' },
          { code: 'none', name: 'x' },
          { code: 'O', name: 'Opened' },
        ],
      },
      user.token,
    )
    expect(body.data).toMatchObject({ updated: 1, failed: 2 })
    expect(body.data.errors[0].errors).toEqual(body.data.errors[1].errors)
  })

  it('says in a dry run what would happen, and writes nothing', async () => {
    const rows = [
      { code: 'A', town: 'Dry' },
      { code: 'K7', town: 'Ulm' },
      { name: 'New', code: 'dry' },
      { code: 'dry2' },
    ]
    const { body } = await load('customers', { ...upsert, rows, dry_run: true })
    expect(body.data).toMatchObject({ created: 1, updated: 1, unchanged: 1, failed: 1, ids: [null, null, null, null] })
    expect(await countOf({ code: 'dry' })).toBe(0)
  })

  it.each(['code', 'name'])('creates one record when two upsert the same %s at once', async (key) => {
    const rows = Array.from({ length: 60 }, (_, n) => ({ name: `Race ${key} ${n}`, code: `R-${key}-${n}`, visits: 2 }))
    const both = await Promise.all(
      [0, 1, 2].map((n) =>
        load('customers', { mode: 'upsert', key, rows: rows.map((row) => ({ ...row, visits: n })) }),
      ),
    )
    const answers = both.map(({ body }) => body.data)
    expect(answers.map(({ failed }) => failed)).toEqual([0, 0, 0])
    expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(60)
    expect(answers[1].ids).toEqual(answers[0].ids)
    expect(answers[2].ids).toEqual(answers[0].ids)
  })

  it('looks up keys in batches: calls per row stay far below one read', async () => {
    const rows = Array.from({ length: 980 }, (_, n) => ({ code: `K${n}`, town: 'Ulm' }))
    service.cloud.recordCalls()
    const answer = await load('customers', { mode: 'update', key: 'code', rows })
    const { calls } = service.cloud.callsOf(answer.headers.get('apigw-requestid') as string)
    service.cloud.recordCalls(false)
    expect(answer.body.data).toMatchObject({ unchanged: 980 })
    expect(calls.length).toBeLessThan(100)
  })
})

describe('an import of legacy data', () => {
  it('keeps who made a record and when, its state and its number, and says so in history', async () => {
    const someone = await userWith(service, ['cases.read'])
    const { body } = await load('cases', {
      legacy: true,
      rows: [
        {
          number: 'C-0900',
          title: 'Old',
          status: 'closed',
          created_at: '2019-03-31T09:00:00Z',
          created_by: someone.id,
          updated_at: '2019-04-01',
        },
        { title: 'Bad', created_at: 'yesterday', created_by: 999_999 },
        { number: 'C-0900', title: 'Twice' },
        { title: 'Plain' },
      ],
    })
    expect(body.data).toMatchObject({ created: 2, failed: 2 })
    expect(body.data.errors.map(({ row, errors }: any) => [row, Object.keys(errors)])).toEqual([
      [1, ['created_at', 'created_by']],
      [2, ['number']],
    ])
    const [old, , , plain] = body.data.ids
    expect(await read('cases', old)).toMatchObject({
      created_at: '2019-03-31T09:00:00.000Z',
      created_by: someone.id,
      updated_at: '2019-04-01T00:00:00.000Z',
      data: { number: 'C-0900', status: 'closed' },
    })
    expect(Number((await read('cases', plain)).data.number.slice(2))).toBeGreaterThan(900)
    const { body: history } = await api('GET', `/api/sys/history/cases/${old}`)
    expect(history.data).toMatchObject([
      { action: 'create', source: 'legacy_import', user: { id: service.admin.userId } },
    ])
    const again = await load('cases', {
      legacy: true,
      mode: 'upsert',
      key: 'number',
      rows: [{ number: 'C-0900', title: 'Old', status: 'closed' }],
    })
    expect(again.body.data).toMatchObject({ unchanged: 1, failed: 0, ids: [old] })
  })
})
