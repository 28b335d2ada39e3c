import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, inARow, makeProcess, start, taskOf } from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
/** Reads title, status and client; writes title and, unseen, secret and stage. */
let clerk: Awaited<ReturnType<typeof userWith>>
const limits = {
  requests: { read: ['title', 'status', 'client_id'], write: ['title', 'secret', 'stage'] },
  clients: { read: ['name'] },
}
const permissions = ['requests.*', 'clients.*']
const unchangeable = ['You may not change this field.']

const api = (method: string, path: string, body?: unknown, token = clerk.token) =>
  service.api(method, path, { token, body })
const asAdmin = (method: string, path: string, body?: unknown) => api(method, path, body, service.admin.token)
async function create(model: string, data: object): Promise<number> {
  const { status, body } = await asAdmin('POST', `/api/e/${model}`, data)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data.id
}

let client: number
let record: number

beforeAll(async () => {
  service = await startService({ log: () => {} })
  await makeTable(service, 'clients', [
    { name: 'name', type: 'text' },
    { name: 'debts', type: 'float' },
  ])
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text', required: true },
    { name: 'status', type: 'value_list', options: [{ slug: 'new' }, { slug: 'old' }], default: 'new', required: true },
    { name: 'client_id', type: 'model_list', target_table: 'clients' },
    { name: 'secret', type: 'text', unique: true },
    { name: 'salary', type: 'float' },
    {
      name: 'stage',
      type: 'state_model',
      states: [{ slug: 'open', is_initial: true }, { slug: 'signed' }, { slug: 'shut' }],
      transitions: [{ from: 'open', to: 'signed' }],
    },
  ])
  clerk = await userWith(service, permissions, [], limits)
  client = await create('clients', { name: 'Ann', debts: 12 })
  record = await create('requests', { title: 'Rise', client_id: client, secret: 'one', salary: 5000 })
})
afterAll(() => service?.stop())

describe('the field rules of a role', () => {
  it('are answered as they were sent, replaced as a whole, and part of the configuration document', async () => {
    const made = await asAdmin('POST', '/api/sys/roles', { name: 'ruled', permissions, fields: limits })
    expect([made.status, made.body.data.fields]).toEqual([201, limits])
    const path = `/api/sys/roles/${made.body.data.id}`
    expect((await asAdmin('PUT', path, { permissions: ['requests.*'] })).body.data).toMatchObject({
      fields: limits,
      version: 2,
    })
    expect((await asAdmin('PUT', path, (await asAdmin('GET', path)).body.data)).body.data.version).toBe(2)
    const document = (await asAdmin('GET', '/api/sys/config')).body.data
    expect(document.roles.find(({ name }: any) => name === 'ruled').fields).toEqual(limits)
    const again = await asAdmin('PUT', '/api/sys/config', { roles: document.roles })
    expect(again.body.data).toMatchObject({ created: [], changed: [] })
    const changed = [{ name: 'ruled', fields: { requests: { read: [] } } }]
    expect((await asAdmin('PUT', '/api/sys/config?dry_run=true', { roles: changed })).body.data.changed).toEqual([
      'roles.ruled',
    ])
    expect((await asAdmin('PUT', path, { fields: {} })).body.data).toMatchObject({ fields: {}, version: 3 })
  })

  it('are checked against the tables, with the nearest right word', async () => {
    const fields = {
      request: { read: ['title'] },
      requests: { read: ['titel', 'id'], write: ['salery'] },
      nothing_like_it: {},
    }
    const { status, body } = await asAdmin('POST', '/api/sys/roles', { name: 'wrong', fields })
    expect([status, body.errors]).toEqual([
      422,
      {
        'fields.request': ['There is no table request. Did you mean requests?'],
        'fields.requests.read.0': ['There is no field titel in requests. Did you mean title?'],
        'fields.requests.read.1': ['The field id can always be read and never be set: leave it out.'],
        'fields.requests.write.0': ['There is no field salery in requests. Did you mean salary?'],
        'fields.nothing_like_it': ['There is no table nothing_like_it.'],
      },
    ])
    const inDocument = await asAdmin('PUT', '/api/sys/config', { roles: [{ name: 'wrong', fields }] })
    expect(inDocument.body.errors['roles.0.fields.requests.read.0']).toEqual([
      'There is no field titel in requests. Did you mean title?',
    ])
  })

  it('stay valid when a table loses a field, and take effect with the next request', async () => {
    const user = await userWith(service, permissions, [], { requests: { read: ['title'] } })
    const shown = async () => (await api('GET', `/api/e/requests/${record}`, undefined, user.token)).body.data.data
    expect(await shown()).toEqual({ title: 'Rise' })
    await asAdmin('PUT', `/api/sys/roles/${user.roleId}`, { fields: { requests: { read: ['title', 'salary'] } } })
    expect(await shown()).toEqual({ title: 'Rise', salary: 5000 })
    await asAdmin('PUT', `/api/sys/roles/${user.roleId}`, { fields: {} })
    expect(await shown()).toMatchObject({ secret: 'one' })
  })
})

describe('answers', () => {
  it('leave hidden fields out, also when they are asked for', async () => {
    const shown = { title: 'Rise', status: 'new', client_id: client }
    const one = await api('GET', `/api/e/requests/${record}`)
    expect([one.body.data.data, one.headers.get('etag')]).toEqual([shown, '"1"'])
    const query = '?fields=title,salary,client_id.name,client_id.debts'
    const [listed] = (await api('GET', `/api/e/requests${query}`)).body.data
    expect(listed.data).toEqual({ title: 'Rise' })
    expect(listed.expanded.client_id.data).toEqual({ name: 'Ann' })
  })

  it('of several roles show what either may see', async () => {
    const roles = [clerk.role, (await userWith(service, permissions, [], { requests: { read: ['salary'] } })).role]
    await asAdmin('PUT', `/api/sys/users/${clerk.id}`, { roles })
    const { data } = (await api('GET', `/api/e/requests/${record}`)).body.data
    await asAdmin('PUT', `/api/sys/users/${clerk.id}`, { roles: [clerk.role] })
    expect(data).toEqual({ title: 'Rise', status: 'new', client_id: client, salary: 5000 })
  })
})

describe('a query that names a hidden field', () => {
  const hidden = ['You may not read the field salary of requests.']
  const hiddenOfClient = ['You may not read the field debts of clients.']
  const listServer = '/api/e/requests/list-server'

  it.each<[string, object, object]>([
    ['a filter', { filter: { salary: 1 } }, { 'filter.salary': hidden }],
    [
      'a nested filter',
      { filter: { _or: [{ _not: { salary: { _gt: 1 } } }] } },
      { 'filter._or.0._not.salary': hidden },
    ],
    [
      'a filter through a reference',
      { filter: { 'client_id.debts': 1 } },
      { 'filter.client_id.debts': hiddenOfClient },
    ],
    ['the same as an object', { filter: { client_id: { debts: 1 } } }, { 'filter.client_id.debts': hiddenOfClient }],
    ['a sort', { sort: ['-salary'] }, { sort: hidden }],
    ['a sort through a reference', { sort: ['client_id.debts'] }, { sort: hiddenOfClient }],
    ['a group', { group_by: ['salary'] }, { 'group_by.0': hidden }],
    ['a measure', { aggregate: { avg: ['salary'] } }, { 'aggregate.avg.0': hidden }],
    [
      'a filter of the grid',
      { startRow: 0, endRow: 9, filterModel: { salary: { filterType: 'number', type: 'blank' } } },
      { 'filterModel.salary': hidden },
    ],
    [
      'a sort of the grid',
      { startRow: 0, endRow: 9, sortModel: [{ colId: 'salary', sort: 'asc' }] },
      { sortModel: hidden },
    ],
    [
      'a group of the grid',
      { startRow: 0, endRow: 9, rowGroupCols: [{ id: 'salary', field: 'salary' }] },
      { 'rowGroupCols.0': hidden },
    ],
    [
      'a value column of the grid',
      {
        startRow: 0,
        endRow: 9,
        rowGroupCols: [{ id: 'title', field: 'title' }],
        valueCols: [{ id: 'salary', field: 'salary', aggFunc: 'sum' }],
      },
      { 'valueCols.0': hidden },
    ],
  ])('is refused: %s', async (_, body, errors) => {
    const answer = await api('POST', listServer, body)
    expect([answer.status, answer.body.errors]).toEqual([422, errors])
  })

  it('is refused in lists and exports by parameters', async () => {
    for (const path of ['/api/e/requests?sort=salary', '/api/e/requests/export?filter={"salary":1}'])
      expect((await api('GET', path)).status).toBe(422)
  })
})

describe('writes', () => {
  it('of fields outside the rules are refused and name every one, with the other errors', async () => {
    const answer = await api('POST', '/api/e/requests', { title: 7, salary: 1, status: 'old', client_id: client })
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      {
        title: ['The title must be a string.'],
        salary: unchangeable,
        status: unchangeable,
        client_id: unchangeable,
      },
    ])
    const changed = await api('PATCH', `/api/e/requests/${record}`, { salary: 5000 })
    expect([changed.status, changed.body.errors]).toEqual([422, { salary: unchangeable }])
  })

  it('may send a record back as it was read', async () => {
    const { data } = (await api('GET', `/api/e/requests/${record}`)).body.data
    const { status, body } = await api('PUT', `/api/e/requests/${record}`, { ...data, title: 'Raise' })
    expect([status, body.data.data]).toEqual([200, { ...data, title: 'Raise' }])
    const other = await api('PUT', `/api/e/requests/${record}`, { ...data, status: 'old' })
    expect([other.status, other.body.errors]).toEqual([422, { status: unchangeable }])
  })

  it('take defaults for fields that may not be set, and answer without hidden ones', async () => {
    const { status, body } = await api('POST', '/api/e/requests', { title: 'New', secret: 'unseen' })
    expect([status, body.data.data]).toEqual([201, { title: 'New', status: 'new' }])
    const stored = (await asAdmin('GET', `/api/e/requests/${body.data.id}`)).body.data.data
    expect(stored).toMatchObject({ secret: 'unseen', stage: 'open' })
  })

  it('say what to do when a required field has no default and may not be set', async () => {
    const user = await userWith(service, permissions, [], { requests: { write: ['salary'] } })
    const { status, body } = await api('POST', '/api/e/requests', { salary: 1 }, user.token)
    expect([status, body.errors]).toEqual([
      422,
      { title: ['The title field is required, has no default, and you may not set it. Ask an administrator.'] },
    ])
  })

  it('do not name the current state of a hidden field', async () => {
    expect((await api('PATCH', `/api/e/requests/${record}`, { stage: 'shut' })).body.errors).toEqual({
      stage: ['The stage may not move to this state.'],
    })
    expect((await api('PATCH', `/api/e/requests/${record}`, { stage: 'signed' })).status).toBe(200)
  })

  it('are checked row by row in an import', async () => {
    const rows = [{ title: 'Row' }, { title: 'Row', salary: 1 }]
    const { body } = await api('POST', '/api/e/requests/import', { rows })
    expect(body.data).toMatchObject({ created: 1, failed: 1 })
    expect(body.data.errors[0]).toMatchObject({ row: 1, errors: { salary: unchangeable } })
  })

  it('of scripts are not limited', async () => {
    const table = (await asAdmin('GET', '/api/sys/entities/name/requests')).body.data
    const automations = [
      {
        kind: 'before_update',
        name: 'pay',
        script: '$data.salary = $api.query("requests", { filter: { salary: 5000 } }).length',
      },
    ]
    await asAdmin('PUT', '/api/sys/entities/name/requests', { ...table, automations })
    const { status, body } = await api('PATCH', `/api/e/requests/${record}`, { title: 'By script' })
    await asAdmin('PUT', '/api/sys/entities/name/requests', {
      ...(await asAdmin('GET', '/api/sys/entities/name/requests')).body.data,
      automations: [],
    })
    expect([status, Object.keys(body.data.data).sort()]).toEqual([200, ['client_id', 'status', 'title']])
    expect((await asAdmin('GET', `/api/e/requests/${record}`)).body.data.data.salary).toBe(1)
  })

  it('by the form of a task are those of the template for its candidates, and else of the user', async () => {
    const form =
      '<extensionElements><wf:form><wf:formField name="pay" type="float" bind="record.salary"/></wf:form></extensionElements>'
    const ask = (attributes: string) =>
      bpmn(inARow(start, `<userTask id="ask" name="Ask" ${attributes}>${form}</userTask>`, end))
    const own = await makeProcess(service, 'requests', 'own', ask(''))
    const offered = await makeProcess(service, 'requests', 'offered', ask(`wf:candidateUsers="${clerk.id}"`))
    const complete = async (template: number) => {
      const id = await create('requests', { title: 'Task' })
      await asAdmin('POST', '/api/sys/process-instances', { template_id: template, record_id: id })
      const task = await taskOf(service, 'requests', id)
      return api('POST', `/api/sys/process-tasks/${task.id}/complete`, { data: { pay: 9 } })
    }
    const refused = await complete(own.id)
    expect([refused.status, refused.body.errors]).toEqual([422, { 'data.pay': unchangeable }])
    expect((await complete(offered.id)).status).toBe(200)
  })
})

describe('a row rule', () => {
  it('may use a field that field rules hide', async () => {
    const rich = { table: 'requests', action: 'read', filter: { salary: { _gte: 4000 } } }
    const user = await userWith(service, permissions, [rich], { requests: { read: ['title'] } })
    const paid = await create('requests', { title: 'Paid', salary: 4000 })
    const { body } = await api('GET', '/api/e/requests', undefined, user.token)
    expect(body.data.map(({ id }: any) => id)).toEqual([paid])
    expect(body.data[0].data).toEqual({ title: 'Paid' })
  })
})

describe('a restore', () => {
  it('leaves fields as they are that the user may not change', async () => {
    const id = await create('requests', { title: 'First', salary: 1, client_id: client })
    const as_of = new Date().toISOString()
    await asAdmin('PATCH', `/api/e/requests/${id}`, { title: 'Second', salary: 2, client_id: null })
    expect((await api('POST', `/api/e/requests/${id}/restore`, { as_of })).body.data.data).toMatchObject({
      title: 'First',
    })
    const stored = async () => (await asAdmin('GET', `/api/e/requests/${id}`)).body.data.data
    expect(await stored()).toMatchObject({ title: 'First', salary: 2, client_id: null })
    await asAdmin('DELETE', `/api/e/requests/${id}`)
    expect((await api('POST', `/api/e/requests/${id}/restore`, { as_of })).status).toBe(200)
    expect(await stored()).toMatchObject({ title: 'First', salary: 2 })
  })
})
