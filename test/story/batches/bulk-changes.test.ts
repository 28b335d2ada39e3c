import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeRequests, makeTable } from '../../make/builders/records/tables.ts'
import { runs } from '../../make/depth.ts'
import { sharedService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

let service: TestService
let token: string
const api = (method: string, path: string, body?: unknown, as = token): Promise<ApiAnswer> =>
  service.api(method, path, { token: as, body })
const bulk = (body: object, as = token, model = 'requests'): Promise<ApiAnswer> =>
  api('POST', `/api/e/${model}/bulk`, body, as)
const undo = (id: number, as = token): Promise<ApiAnswer> => api('POST', `/api/sys/batches/${id}/undo`, undefined, as)

async function make(rows: readonly object[], model = 'requests'): Promise<number[]> {
  const { status, body } = await api('POST', `/api/e/${model}/import`, { rows })
  if (status !== 200 || body.data.failed > 0) throw new Error(JSON.stringify(body))
  return body.data.ids
}
const read = async (id: number, model = 'requests') => (await api('GET', `/api/e/${model}/${id}`)).body.data
async function all(filter: object): Promise<any[]> {
  const { body } = await api('POST', '/api/e/requests/list-server', { filter, per_page: 1000, sort: ['id'] })
  return body.data
}

beforeAll(async () => {
  service = await sharedService()
  token = service.admin.token
  await makeRequests(service)
  await makeTable(service, 'notes', [
    { name: 'text', type: 'text', required: true },
    { name: 'parent', type: 'model_list', target_table: 'notes', on_delete: 'set_null' },
  ])
})
afterAll(() => service?.stop())

const many = runs(200, 60)

describe(`${many} requests given to somebody else`, () => {
  it('are undone after three were edited: the three keep what was edited, the others return', async () => {
    const [ann, bob, eve] = await make([{ name: 'Ann' }, { name: 'Bob' }, { name: 'Eve' }], 'clients')
    const ids = await make(
      Array.from({ length: many }, (_, n) => ({ title: `Reassign ${n}`, client_id: ann, source: 'mail' })),
    )
    const given = await bulk({ ids, set: { client_id: bob, source: 'phone' }, expect: many })
    expect(given).toMatchObject({
      status: 200,
      body: { data: { matched: many, changed: many, unchanged: 0, failed: 0, errors: [] } },
    })
    const batch = given.body.data.batch_id
    const edited = ids.slice(0, 3)
    for (const id of edited) await api('PATCH', `/api/e/requests/${id}`, { client_id: eve })
    const dry = await api('POST', `/api/sys/batches/${batch}/undo`, { dry_run: true })
    expect(dry.body.data).toMatchObject({ batch_id: null, matched: many, changed: many, failed: 0 })
    expect(dry.body.data.kept).toHaveLength(3)
    expect((await read(ids[10] as number)).data.client_id).toBe(bob)
    const undone = await undo(batch)
    expect(undone).toMatchObject({
      status: 200,
      body: { data: { matched: many, changed: many, failed: 0, errors: [] } },
    })
    expect(undone.body.data.kept.toSorted((a: { id: number }, b: { id: number }) => a.id - b.id)).toEqual(
      edited.map((id) => ({ id, fields: ['client_id'], by: service.admin.userId })),
    )
    const now = await all({ id: { _in: ids } })
    expect(now.map(({ data }) => [data.client_id, data.source])).toEqual(ids.map((_, n) => [n < 3 ? eve : ann, 'mail']))
    const history = await api('GET', `/api/sys/history/requests/${ids[10]}`)
    expect(history.body.data.map((one: any) => [one.source, one.batch_id])).toEqual([
      ['undo', undone.body.data.batch_id],
      ['bulk', batch],
      ['import', expect.any(Number)],
    ])
    expect((await api('GET', `/api/sys/batches/${batch}`)).body.data).toMatchObject({
      kind: 'bulk',
      model: 'requests',
      status: 'done',
      matched: many,
      undone_by: undone.body.data.batch_id,
    })
  })
})

describe('a bulk change', () => {
  it('finds its records by a filter, and settles which they are before it changes the first', async () => {
    const ids = await make(Array.from({ length: 120 }, (_, n) => ({ title: `Sweep ${n}`, code: `sweep-${n}` })))
    const changed = await bulk({ filter: { title: { _starts_with: 'Sweep' } }, set: { title: 'Swept' } })
    expect(changed.body.data).toMatchObject({ matched: 120, changed: 120 })
    expect(await all({ id: { _in: ids }, title: 'Swept' })).toHaveLength(120)
    const again = await bulk({ ids, set: { title: 'Swept' } })
    expect(again.body.data).toMatchObject({ matched: 120, changed: 0, unchanged: 120 })
  })

  it('finds its records by a view', async () => {
    const ids = await make([{ title: 'Seen 1' }, { title: 'Seen 2', priority: 5 }])
    const filter = { id: { _in: ids }, priority: 5 }
    const view = await api('POST', '/api/sys/views', { name: 'Seen', model: 'requests', columns: ['title'], filter })
    const changed = await bulk({ view: view.body.data.id, set: { note: 'by view' } })
    expect(changed.body.data).toMatchObject({ matched: 1, changed: 1 })
    expect((await read(ids[1] as number)).data.note).toBe('by view')
    expect((await bulk({ view: 999_999, set: { note: 'x' } })).status).toBe(404)
  })

  it('does nothing when another number of records matches than expected', async () => {
    const ids = await make([{ title: 'One' }, { title: 'Two' }])
    const refused = await bulk({ ids, set: { priority: 1 }, expect: 3 })
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'count_differs',
        message: '2 records match, and 3 were expected. Nothing was changed.',
        data: { matched: 2 },
      },
    })
    expect((await all({ id: { _in: ids } })).map(({ version }) => version)).toEqual([1, 1])
  })

  it('reports the records that are refused, changes the others, and says the same before', async () => {
    const ids = await make([{ title: 'New' }, { title: 'Open' }, { title: 'Done' }])
    await bulk({ ids: ids.slice(1), set: { status: 'open' } })
    await bulk({ ids: ids.slice(2), set: { status: 'closed' } })
    const asked = { ids: [...ids, 999_999], set: { status: 'open' } }
    const counts = { matched: 4, changed: 1, unchanged: 1, failed: 2 }
    const errors = [
      { id: ids[2], message: 'Validation error', errors: { status: [expect.stringContaining('closed')] } },
      { id: 999_999, message: 'The record was not found.', errors: null },
    ]
    const dry = await bulk({ ...asked, dry_run: true })
    expect(dry.body.data).toEqual({ batch_id: null, ...counts, errors })
    expect((await all({ id: { _in: ids } })).map(({ data }) => data.status)).toEqual(['new', 'open', 'closed'])
    const done = await bulk(asked)
    expect(done.body.data).toEqual({ batch_id: expect.any(Number), ...counts, errors })
  })

  it.each([
    [{ ids: [1] }, { set: ['Send one of set, delete and macro: what is done with the records.'] }],
    [{ set: { priority: 1 } }, { ids: ['Send one of ids, filter and view: which records it is about.'] }],
    [{ ids: [1], set: {} }, { set: ['The set must name at least one field.'] }],
    [{ ids: [1], set: { titel: 'x' } }, { 'set.titel': ['The titel field is unknown. Did you mean title?'] }],
    [{ ids: [1], set: { priority: 'x' } }, { 'set.priority': [expect.any(String)] }],
    [{ ids: [1], sett: { priority: 1 } }, { sett: ['The sett field is unknown. Did you mean set?'] }],
    [{ filter: { titel: 'x' }, set: { priority: 1 } }, { 'filter.titel': [expect.stringContaining('title')] }],
  ])('refuses %j as a whole', async (body, errors) => {
    expect(await bulk(body)).toMatchObject({ status: 422, body: { errors } })
  })
})

describe('somebody with fewer rights', () => {
  it('changes what single writes would, and undoes no more', async () => {
    const ids = await make([
      { title: 'Low', priority: 1 },
      { title: 'High', priority: 5 },
    ])
    const user = await userWith(
      service,
      ['requests.read', 'requests.update'],
      [{ table: 'requests', action: 'update', filter: { priority: { _lt: 4 } } }],
    )
    const changed = await bulk({ ids, set: { note: 'seen' } }, user.token)
    expect(changed.body.data).toMatchObject({ matched: 2, changed: 1, failed: 1, errors: [{ id: ids[1] }] })
    expect((await bulk({ ids, delete: true }, user.token)).status).toBe(403)
    const batch = changed.body.data.batch_id
    expect((await api('GET', '/api/sys/batches', undefined, user.token)).body.data).toMatchObject([{ id: batch }])
    await api('PATCH', `/api/e/requests/${ids[0]}`, { priority: 5 })
    expect((await undo(batch, user.token)).body.data).toMatchObject({ changed: 0, failed: 1, errors: [{ id: ids[0] }] })
    const others = await bulk({ ids, set: { note: 'mine' } })
    expect((await undo(others.body.data.batch_id, user.token)).status).toBe(404)
  })
})

describe('an undo', () => {
  it('brings deleted records back under their ids, with the references to them', async () => {
    const [root, leaf, other] = await make([{ text: 'root' }, { text: 'leaf' }, { text: 'other' }], 'notes')
    await api('PATCH', `/api/e/notes/${leaf}`, { parent: root })
    await api('PATCH', `/api/e/notes/${other}`, { parent: root })
    const removed = await bulk({ ids: [root, leaf], delete: true }, token, 'notes')
    expect(removed.body.data).toMatchObject({ matched: 2, changed: 2 })
    expect((await read(other as number, 'notes')).data.parent).toBeNull()
    const undone = await undo(removed.body.data.batch_id)
    expect(undone.body.data).toMatchObject({ failed: 0, errors: [], kept: [] })
    const notes = await Promise.all([root, leaf, other].map((id) => read(id as number, 'notes')))
    expect(notes.map(({ data }) => [data.text, data.parent ?? null])).toEqual([
      ['root', null],
      ['leaf', root],
      ['other', root],
    ])
    const redone = await undo(undone.body.data.batch_id)
    expect(redone.body.data).toMatchObject({ failed: 0, errors: [], kept: [] })
    expect((await api('GET', `/api/e/notes/${root}`)).status).toBe(404)
    expect((await api('GET', `/api/e/notes/${leaf}`)).status).toBe(404)
    expect((await read(other as number, 'notes')).data.parent).toBeNull()
  })

  it('of an import removes what it created, but for what somebody changed, and can be undone', async () => {
    const { headers, body } = await api('POST', '/api/e/requests/import', {
      rows: [{ title: 'First' }, {}, { title: 'Second' }, { title: 'Third' }],
    })
    const batch = Number(headers.get('x-batch-id'))
    const [first, , second, third] = body.data.ids
    await api('PATCH', `/api/e/requests/${third}`, { note: 'kept' })
    const undone = await undo(batch)
    expect(undone.body.data).toMatchObject({
      matched: 3,
      changed: 2,
      unchanged: 1,
      kept: [{ id: third, fields: ['note'], by: service.admin.userId }],
    })
    expect((await all({ id: { _in: [first, second, third] } })).map(({ id }) => id)).toEqual([third])
    await undo(undone.body.data.batch_id)
    expect((await all({ id: { _in: [first, second, third] } })).map(({ data }) => data.title)).toEqual([
      'First',
      'Second',
      'Third',
    ])
  })
})
