import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { type ApiCall } from '../../make/services/service.ts'
import {
  type FieldRuleWorld,
  fieldRuleWorld,
  limits,
  permissions,
} from '../../make/services/worlds/field-rule-world.ts'

let world: FieldRuleWorld
let service: FieldRuleWorld['service']
let clerk: FieldRuleWorld['clerk']
let client: number
let record: number

const api: ApiCall = (method, path, body, token = clerk.token) => service.api(method, path, { token, body })
const asAdmin: ApiCall = (method, path, body) => api(method, path, body, service.admin.token)
const create = (model: string, data: object) => world.create(model, data)

beforeAll(async () => {
  world = await fieldRuleWorld()
  ;({ service, clerk, client, record } = world)
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

describe('a row rule', () => {
  it('may use a field that field rules hide', async () => {
    const rich = { table: 'requests', action: 'read', filter: { salary: { _gte: 9000 } } }
    const user = await userWith(service, permissions, [rich], { requests: { read: ['title'] } })
    const paid = await create('requests', { title: 'Paid', salary: 9000 })
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
