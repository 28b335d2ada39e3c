import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let agent: Awaited<ReturnType<typeof userWith>>
let lead: Awaited<ReturnType<typeof userWith>>
const ids: number[] = []

type Given = { readonly body?: unknown; readonly as?: string; readonly headers?: Record<string, string> }
const api = (method: string, path: string, { body, as, headers }: Given = {}): Promise<ApiAnswer> =>
  service.api(method, path, { token: as ?? service.admin.token, body, ...(headers && { headers }) })
async function made(path: string, body: object, as?: string): Promise<any> {
  const answer = await api('POST', path, { body, ...(as !== undefined && { as }) })
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}
const save = (body: object, as?: string) => made('/api/sys/views', { model: 'requests', ...body }, as)
const idsOf = ({ body }: ApiAnswer): number[] => body.data.map(({ id }: { id: number }) => id)

beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service)
  agent = await userWith(service, ['requests.*', 'clients.read'])
  lead = await userWith(service, ['requests.read', 'views.share'])
  const client = (await made('/api/e/clients', { name: 'Ann' })).id
  for (const priority of [1, 2, 3, 4, 5])
    ids.push((await made('/api/e/requests', { title: `Printer ${priority}`, priority, client_id: client })).id)
  await made('/api/e/requests', { title: 'Mine', priority: 5 }, agent.token)
  await service.cloud.idle()
})
afterAll(() => service?.stop())

describe('a private view', () => {
  it('is seen, changed and deleted by its owner alone', async () => {
    const view = await save({ name: 'Urgent', filter: { priority: { _gte: 4 } }, sort: ['-priority'] }, agent.token)
    expect(view).toMatchObject({
      scope: 'private',
      roles: null,
      columns: [],
      owner: agent.id,
      is_default: false,
      problem: null,
      version: 1,
    })
    for (const as of [service.admin.token, lead.token]) {
      expect((await api('GET', `/api/sys/views/${view.id}`, { as })).status).toBe(404)
      expect((await api('GET', `/api/e/requests?view=${view.id}`, { as })).body.code).toBe('view_not_found')
      expect((await api('PUT', `/api/sys/views/${view.id}`, { as, body: { name: 'Taken' } })).status).toBe(404)
      expect((await api('DELETE', `/api/sys/views/${view.id}`, { as })).status).toBe(404)
    }
    const renamed = await api('PUT', `/api/sys/views/${view.id}`, { as: agent.token, body: { ...view, name: 'Hot' } })
    expect(renamed.body.data).toEqual({
      ...view,
      name: 'Hot',
      version: 2,
      updated_at: expect.stringMatching(/^20/),
    })
    const stale = { as: agent.token, body: { name: 'Late', version: 1 } }
    expect((await api('PUT', `/api/sys/views/${view.id}`, stale)).status).toBe(412)
    expect((await api('DELETE', `/api/sys/views/${view.id}`, { as: agent.token })).status).toBe(204)
    expect((await api('GET', `/api/sys/views/${view.id}`, { as: agent.token })).status).toBe(404)
  })

  it('takes the name of no other of the same person and table', async () => {
    const view = await save({ name: 'Twice' }, agent.token)
    const again = { model: 'requests', name: 'Twice' }
    expect((await api('POST', '/api/sys/views', { as: agent.token, body: again })).body.code).toBe('name_taken')
    expect((await api('POST', '/api/sys/views', { as: lead.token, body: again })).status).toBe(201)
    await api('DELETE', `/api/sys/views/${view.id}`, { as: agent.token })
  })

  it('is the default of its table alone', async () => {
    const first = await save({ name: 'First', is_default: true }, agent.token)
    const second = await save({ name: 'Second', is_default: true }, agent.token)
    const listed = await api('GET', '/api/sys/views?model=requests', { as: agent.token })
    expect(listed.body.data.map((one: any) => [one.id, one.is_default])).toEqual([
      [second.id, true],
      [first.id, false],
    ])
    for (const { id } of [first, second]) await api('DELETE', `/api/sys/views/${id}`, { as: agent.token })
  })

  it('names what the table has, and says what was meant', async () => {
    const wrong = {
      model: 'requests',
      name: 'Wrong',
      columns: ['title', 'priorty'],
      filter: { statis: 'new' },
      sort: ['-prioritty'],
      group_by: ['clint_id'],
      roles: ['agent'],
    }
    const { status, body } = await api('POST', '/api/sys/views', { as: agent.token, body: wrong })
    expect([status, body.errors]).toEqual([
      422,
      {
        'columns.1': ['There is no field priorty in requests. Did you mean priority?'],
        'filter.statis': ['There is no field statis in requests. Did you mean status?'],
        sort: ['There is no field prioritty in requests. Did you mean priority?'],
        'group_by.0': ['There is no field clint_id in requests. Did you mean client_id?'],
        roles: ['Only a shared view is for roles: set scope to shared, or leave roles out.'],
      },
    ])
    const nowhere = await api('POST', '/api/sys/views', { body: { model: 'request', name: 'x' } })
    expect(nowhere.body.errors).toEqual({ model: ['There is no table request. Did you mean requests?'] })
    const unread = await api('POST', '/api/sys/views', { as: lead.token, body: { model: 'clients', name: 'x' } })
    expect(unread.body).toMatchObject({ code: 'forbidden', message: expect.stringContaining('clients.read') })
  })
})

describe('a shared view', () => {
  it('needs views.share, and is seen by everybody who may read the table, or by its roles', async () => {
    const asked = { model: 'requests', name: 'For all', scope: 'shared' }
    const refused = await api('POST', '/api/sys/views', { as: agent.token, body: asked })
    expect(refused.body.message).toContain('views.share')
    const all = await save({ ...asked, columns: ['title'] }, lead.token)
    const few = await save({ name: 'For leads', scope: 'shared', roles: [lead.role] }, lead.token)
    const stranger = await userWith(service, ['clients.read'])
    const seenBy = async (as: string) => idsOf(await api('GET', '/api/sys/views?scope=shared', { as }))
    expect([await seenBy(agent.token), await seenBy(lead.token), await seenBy(stranger.token)]).toEqual([
      [all.id],
      [few.id, all.id],
      [],
    ])
    expect((await api('GET', `/api/sys/views/${few.id}`, { as: agent.token })).status).toBe(404)
    const change = await api('PUT', `/api/sys/views/${all.id}`, { as: agent.token, body: { name: 'Mine now' } })
    expect([change.status, change.body.message]).toEqual([403, expect.stringContaining('views.share')])
    const sharer = await userWith(service, ['requests.read', 'views.share'])
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { filter: null, scope: 'private' } : undefined
      const answer = await api(method, `/api/sys/views/${all.id}`, { as: sharer.token, body })
      expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('owner and administrators')])
    }
    expect((await api('GET', `/api/sys/views/${all.id}`)).body.data.version).toBe(1)
    expect((await api('PUT', `/api/sys/views/${all.id}`, { body: { sort: ['-id'] } })).body.data).toMatchObject({
      sort: ['-id'],
      owner: lead.id,
      version: 2,
    })
    const kept = await api('DELETE', `/api/sys/roles/${lead.roleId}`)
    expect(kept.body.message).toContain('The shared view For leads is for it.')
    for (const { id } of [all, few]) expect((await api('DELETE', `/api/sys/views/${id}`)).status).toBe(204)
  })

  it('was a private one, and becomes one again, under the same id', async () => {
    const view = await save({ name: 'Growing', filter: { status: 'new' } }, lead.token)
    const change = (body: object, as = lead.token) => api('PUT', `/api/sys/views/${view.id}`, { as, body })
    const shared = (await change({ scope: 'shared' })).body.data
    expect(shared).toMatchObject({ id: view.id, scope: 'shared', filter: { status: 'new' }, version: 2 })
    expect((await api('GET', `/api/sys/views/${view.id}`, { as: agent.token })).status).toBe(200)
    const own = (await change({ scope: 'private' }, service.admin.token)).body.data
    expect(own).toMatchObject({ id: view.id, scope: 'private', owner: lead.id, version: 3 })
    expect((await api('GET', `/api/sys/views/${view.id}`, { as: agent.token })).status).toBe(404)
    expect((await api('GET', `/api/sys/views/${view.id}`, { as: lead.token })).body.data).toEqual(own)
    await api('DELETE', `/api/sys/views/${view.id}`, { as: lead.token })
  })

  it('is a part of the configuration, and private ones are not', async () => {
    const shared = await save({ name: 'As code', scope: 'shared', filter: { priority: 5 }, columns: ['title'] })
    const own = await save({ name: 'My own' })
    const document = (await api('GET', '/api/sys/config')).body.data
    expect(document.views).toEqual([
      {
        name: 'requests.As code',
        roles: null,
        columns: ['title'],
        filter: { priority: 5 },
        search: null,
        sort: null,
        group_by: null,
        is_default: false,
      },
    ])
    const apply = (views: object[], as?: string) =>
      api('PUT', '/api/sys/config', { body: { views }, ...(as !== undefined && { as }) })
    expect((await apply(document.views)).body.data).toMatchObject({ created: [], changed: [], unchanged: 1 })
    const more = { name: 'requests.Added', sort: ['-priority'] }
    expect((await apply([more, { ...document.views[0], columns: [] }])).body.data).toMatchObject({
      created: ['views.requests.Added'],
      changed: ['views.requests.As code'],
    })
    expect((await apply([{ name: 'requests.Off', filter: { prio: 1 } }, { name: 'nowhere.X' }])).body.errors).toEqual({
      'views.0.filter.prio': [expect.stringContaining('There is no field prio in requests.')],
      'views.1.model': [expect.stringContaining('There is no table nowhere.')],
    })
    const other = await otherTenant(service)
    const copied = {
      tables: document.tables.filter(({ name }: any) => name === 'requests' || name === 'clients'),
      roles: [{ name: 'agent', permissions: [] }],
      views: document.views,
    }
    const applied = await api('PUT', '/api/sys/config', { as: other.token, body: copied })
    expect(applied.body.data.created).toContain('views.requests.As code')
    const added = (await api('GET', '/api/sys/views?scope=shared')).body.data
    for (const { id } of [...added, shared, own]) await api('DELETE', `/api/sys/views/${id}`)
  })
})

describe('a list through a view', () => {
  it('has its columns, filter and sort, and what the request names itself wins', async () => {
    const { id } = await save({
      name: 'Urgent first',
      columns: ['title', 'client_id.name'],
      filter: { priority: { _gte: 4 }, client_id: { _nnull: true } },
      sort: ['priority'],
      group_by: ['priority'],
    })
    const listed = await api('GET', `/api/e/requests?view=${id}&per_page=1`)
    expect([listed.body.data, listed.body.meta.total]).toEqual([
      [
        {
          id: ids[3],
          data: { title: 'Printer 4' },
          expanded: { client_id: { id: expect.any(Number), data: { name: 'Ann' } } },
        },
      ],
      2,
    ])
    const { pathname, search } = new URL(listed.body.links.next)
    expect(idsOf(await api('GET', pathname + search))).toEqual([ids[4]])
    expect(idsOf(await api('GET', `/api/e/requests?view=${id}&sort=-priority`))).toEqual([ids[4], ids[3]])
    expect(idsOf(await api('GET', `/api/e/requests?view=${id}&filter={"priority":1}`))).toEqual([ids[0]])
    const grouped = await api('POST', '/api/e/requests/list-server', { body: { view: id } })
    expect(grouped.body.data).toEqual([
      { group: { priority: 4 }, count: 1 },
      { group: { priority: 5 }, count: 1 },
    ])
    const records = await api('POST', `/api/e/requests/list-server?view=${id}`, { body: { group_by: null } })
    expect(idsOf(records)).toEqual([ids[3], ids[4]])
    const grid = await api('POST', '/api/e/requests/list-server', {
      body: {
        view: id,
        startRow: 0,
        endRow: 10,
        filterModel: { priority: { filterType: 'number', type: 'equals', filter: 4 } },
      },
    })
    expect([idsOf(grid), grid.body.rowCount]).toEqual([[ids[3]], 1])
    const sorted = await api('POST', '/api/e/requests/list-server', { body: { view: id, startRow: 0, endRow: 10 } })
    expect(idsOf(sorted)).toEqual([ids[3], ids[4]])
    expect((await api('GET', `/api/e/requests/export?format=csv&view=${id}`)).body).toBe(
      `id,title,client_id.name\r\n${ids[3]},Printer 4,Ann\r\n${ids[4]},Printer 5,Ann\r\n`,
    )
    const body = { view: id, fields: ['title'], filter: { priority: 2 } }
    expect((await api('POST', '/api/e/requests/export', { body })).body).toBe(`id,title\r\n${ids[1]},Printer 2\r\n`)
    expect((await api('GET', `/api/e/clients?view=${id}`)).body.errors).toEqual({
      view: [`The view ${id} (Urgent first) is one of requests, not of clients.`],
    })
    expect((await api('GET', '/api/e/requests?view=one')).status).toBe(422)
    await api('DELETE', `/api/sys/views/${id}`)
  })

  it('is that of who looks: of their person, their time and their rules', async () => {
    const { id } = await save({
      name: 'Mine of today',
      scope: 'shared',
      filter: { created_by: '$CURRENT_USER', created_at: { _gte: '$NOW(-1 days)' } },
    })
    expect((await api('GET', `/api/e/requests?view=${id}`, { as: agent.token })).body.meta.total).toBe(1)
    expect((await api('GET', `/api/e/requests?view=${id}`)).body.meta.total).toBe(5)
    await api('DELETE', `/api/sys/views/${id}`)
  })

  it('goes on without columns that the table lost, says so, and refuses a filter that it lost', async () => {
    const table = (fields: object[]) => ({ name: 'shelves', table_fields: fields })
    const [name, colour, size] = ['name', 'colour', 'size'].map((one) => ({ name: one, type: 'text' }))
    await made('/api/sys/entities', table([name!, colour!, size!]))
    const shelf = await made('/api/e/shelves', { name: 'Oak', colour: 'brown', size: 'L' })
    const view = { model: 'shelves', columns: ['name', 'colour'], sort: ['colour'] }
    const [loose, strict] = [
      await made('/api/sys/views', { ...view, name: 'Loose' }),
      await made('/api/sys/views', { ...view, name: 'Strict', scope: 'shared', filter: { colour: 'brown' } }),
    ]
    const without = { body: table([name!, size!]) }
    const preview = await api('PUT', '/api/sys/entities/name/shelves?dry_run=true', without)
    expect(preview.body.data.named_by).toEqual(
      ['filter.colour', 'sort', 'columns.1'].map((path) => ({
        kind: 'view',
        id: strict.id,
        name: 'shelves.Strict',
        path,
      })),
    )
    expect((await api('PUT', '/api/sys/entities/name/shelves', without)).status).toBe(200)
    const listed = await api('GET', `/api/e/shelves?view=${loose.id}`)
    expect([listed.body.data, listed.body.meta.warnings]).toEqual([
      [{ id: shelf.id, data: { name: 'Oak' } }],
      [
        { path: 'view.columns', code: 'dangling', message: 'There is no field colour in shelves.' },
        { path: 'view.sort', code: 'dangling', message: 'There is no field colour in shelves.' },
      ],
    ])
    const refused = await api('GET', `/api/e/shelves?view=${strict.id}`)
    expect(refused.body.errors).toEqual({
      view: [`The view ${strict.id} (Strict) no longer fits its table: There is no field colour in shelves.`],
    })
    expect((await api('GET', `/api/e/shelves?view=${strict.id}&filter={"name":"Oak"}`)).status).toBe(200)
    expect((await api('GET', `/api/sys/views/${strict.id}`)).body.data.problem).toContain('There is no field colour')
    expect((await api('GET', '/api/sys/views/counts?model=shelves')).body.data).toEqual([
      { id: strict.id, name: 'Strict', count: null, problem: 'There is no field colour in shelves.' },
      { id: loose.id, name: 'Loose', count: 1, problem: null },
    ])
    const saved = await api('PUT', `/api/sys/views/${strict.id}`, { body: { sort: ['name'] } })
    expect(Object.keys(saved.body.errors).sort()).toEqual(['columns.1', 'filter.colour'])
  })
})

describe('counts of views', () => {
  it('are the totals of their lists, for each caller', async () => {
    const views = [
      await save({ name: 'All of it', scope: 'shared' }),
      await save({ name: 'Found', scope: 'shared', search: 'printer' }),
      await save({ name: 'High', scope: 'shared', filter: { priority: { _gte: 4 } } }),
      await save({ name: 'Own', scope: 'shared', filter: { created_by: '$CURRENT_USER' } }),
      await save({ name: 'Of Ann', scope: 'shared', filter: { 'client_id.name': 'Ann' } }),
    ]
    const limited = await userWith(
      service,
      ['requests.read', 'clients.read'],
      [{ table: 'requests', action: 'read', filter: { priority: { _lte: 4 } } }],
    )
    for (const as of [service.admin.token, agent.token, limited.token]) {
      const counts = (await api('GET', '/api/sys/views/counts?model=requests', { as })).body.data
      const totals = []
      for (const { id } of views.toReversed())
        totals.push((await api('GET', `/api/e/requests?view=${id}`, { as })).body.meta.total)
      expect(counts.map(({ count }: any) => count)).toEqual(totals)
    }
    expect((await api('GET', '/api/sys/views/counts', {})).status).toBe(422)
    expect((await api('GET', '/api/sys/views/counts?model=clients', { as: lead.token })).status).toBe(403)
    for (const { id } of views) await api('DELETE', `/api/sys/views/${id}`)
  })
})

describe('a person who is erased', () => {
  it('leaves no private view, and shared ones stay', async () => {
    const person = await userWith(service, ['requests.read', 'views.share'])
    const own = await save({ name: 'Secret plans' }, person.token)
    const shared = await save({ name: 'Left behind', scope: 'shared' }, person.token)
    const exported = async () => {
      const rows = await service.store.query(
        { id: service.tenant.id },
        { pk: `T#${service.tenant.id}#VIEWS#${person.id}` },
      )
      return rows.items.map(({ id }) => id)
    }
    expect(await exported()).toEqual([own.id])
    await api('POST', `/api/sys/users/${person.id}/erase`)
    await expect.poll(exported).toEqual([])
    expect((await api('GET', `/api/sys/views/${shared.id}`)).body.data.owner).toBe(person.id)
    await api('DELETE', `/api/sys/views/${shared.id}`)
  })
})
