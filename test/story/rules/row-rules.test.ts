import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
/**
 * May read requests of priority 3 or more and clients that are not secret, update own requests, and delete new ones.
 */
let agent: Awaited<ReturnType<typeof userWith>>
const high = { table: 'requests', action: 'read', filter: { priority: { _gte: 3 } } }
const own = { table: 'requests', action: 'update', filter: { created_by: '$CURRENT_USER' } }
const fresh = { table: 'requests', action: 'delete', filter: { note: 'new' } }
const open = { table: 'clients', action: 'read', filter: { secret: false } }
const permissions = ['requests.*', 'clients.read', 'clients.update']

const api = (method: string, path: string, body?: unknown, token = agent.token, headers?: Record<string, string>) =>
  service.api(method, path, { token, body, headers })
const asAdmin = (method: string, path: string, body?: unknown) => api(method, path, body, service.admin.token)
async function create(model: string, data: object, token = service.admin.token): Promise<number> {
  const { status, body } = await api('POST', `/api/e/${model}`, data, token)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data.id
}
const idsOf = ({ body }: { body: any }): number[] => body.data.map(({ id }: { id: number }) => id)
const statusOf = async (...request: Parameters<typeof api>) => (await api(...request)).status

let low: number
let seen: number
let mine: number
let relation: number
const clients = { open: 0, secret: 0 }

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'clients', [
    { name: 'name', type: 'text', indexed: true },
    { name: 'secret', type: 'boolean', default: false },
  ])
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text' },
    { name: 'priority', type: 'integer' },
    { name: 'note', type: 'text' },
    { name: 'client_id', type: 'model_list', target_table: 'clients' },
    { name: 'photo', type: 'file' },
  ])
  agent = await userWith(service, permissions, [high, own, fresh, open])
  clients.open = await create('clients', { name: 'Ann', secret: false })
  clients.secret = await create('clients', { name: 'Bond', secret: true })
  low = await create('requests', { title: 'Low printer', priority: 1, client_id: clients.open, note: 'new' })
  seen = await create('requests', { title: 'High printer', priority: 5, client_id: clients.secret, note: 'new' })
  mine = await create('requests', { title: 'Mine', priority: 4, client_id: clients.open }, agent.token)
  const made = await asAdmin('POST', '/api/sys/relations', { name: 'uses', l_table: 'requests', r_table: 'clients' })
  relation = made.body.data.id
  for (const id of [low, seen, mine])
    await asAdmin('POST', `/api/sys/add_related_instances/${relation}/l_table/${id}`, { ids: Object.values(clients) })
  await service.cloud.idle()
})
afterAll(() => service?.stop())

describe('the row rules of a role', () => {
  it('are answered as they were sent, and replaced as a whole', async () => {
    const made = await asAdmin('POST', '/api/sys/roles', {
      name: 'ruled',
      permissions: ['requests.read'],
      rules: [high],
    })
    expect([made.status, made.body.data.rules]).toEqual([201, [high]])
    const path = `/api/sys/roles/${made.body.data.id}`
    expect((await asAdmin('PUT', path, { permissions: ['requests.*'] })).body.data).toMatchObject({
      permissions: ['requests.*'],
      rules: [high],
      version: 2,
    })
    expect((await asAdmin('PUT', path, { rules: [] })).body.data).toMatchObject({ rules: [], version: 3 })
    expect((await asAdmin('PUT', path, { rules: [] })).body.data.version).toBe(3)
  })

  it('are checked against the tables, and every error is named by its path', async () => {
    const { status, body } = await asAdmin('POST', '/api/sys/roles', {
      name: 'wrong',
      rules: [
        { table: 'nothing', action: 'read', filter: {} },
        {
          table: 'requests',
          action: 'read',
          filter: { colour: 'red', priority: { _like: 1 }, _or: [{ priority: 'many' }] },
        },
        { table: 'requests', action: 'update', filter: { 'client_id.colour': 1 } },
      ],
    })
    expect([status, Object.keys(body.errors).sort()]).toEqual([
      422,
      [
        'rules.0.table',
        'rules.1.filter._or.0.priority',
        'rules.1.filter.colour',
        'rules.1.filter.priority._like',
        'rules.2.filter.client_id.colour',
      ],
    ])
    const action = await asAdmin('POST', '/api/sys/roles', { name: 'wrong', rules: [{ ...high, action: 'create' }] })
    expect([action.status, Object.keys(action.body.errors)]).toEqual([422, ['rules.0.action']])
  })

  it('are part of the configuration, and may refer to a table of the same document', async () => {
    const document = (await asAdmin('GET', '/api/sys/config')).body.data
    expect(document.roles).toContainEqual({
      name: agent.role,
      permissions: permissions.toSorted(),
      rules: [high, own, fresh, open],
      fields: {},
      mfa_required: false,
    })
    const boxes = { name: 'boxes', table_fields: [{ name: 'size', type: 'integer' }], automations: [] }
    const wrong = await asAdmin('PUT', '/api/sys/config', {
      tables: [boxes],
      roles: [{ name: 'packer', rules: [{ table: 'boxes', action: 'read', filter: { weight: 1 } }] }],
    })
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['roles.0.rules.0.filter.weight']])
    const rules = [{ table: 'boxes', action: 'read', filter: { size: { _lt: 3 } } }]
    const right = await asAdmin('PUT', '/api/sys/config', {
      tables: [boxes],
      roles: [{ name: 'packer', permissions: ['boxes.read'], rules }],
    })
    expect([right.status, right.body.data.created]).toEqual([200, ['tables.boxes', 'roles.packer']])
    const again = await asAdmin('PUT', '/api/sys/config', { roles: [{ name: 'packer', permissions: ['boxes.*'] }] })
    expect(again.body.data.changed).toEqual(['roles.packer'])
    expect((await asAdmin('GET', '/api/sys/config')).body.data.roles).toContainEqual({
      name: 'packer',
      permissions: ['boxes.*'],
      rules,
      fields: {},
      mfa_required: false,
    })
  })
})

describe('a record that a row rule hides', () => {
  it('answers 404 on every route', async () => {
    const path = `/api/e/requests/${low}`
    expect(await statusOf('GET', path)).toBe(404)
    expect(await statusOf('GET', `${path}?as_of=2099-01-01`)).toBe(404)
    expect(await statusOf('GET', `/api/sys/history/requests/${low}`)).toBe(404)
    expect(await statusOf('PATCH', path, { title: 'x' })).toBe(404)
    expect(await statusOf('PUT', path, { title: 'x' }, agent.token, { 'if-match': '"99"' })).toBe(404)
    expect(await statusOf('DELETE', path, undefined, agent.token, { 'if-match': '"99"' })).toBe(404)
    expect(await statusOf('POST', `${path}/restore`, { as_of: '2099-01-01' })).toBe(404)
    expect(await statusOf('GET', `/api/sys/related_instances/${relation}/requests/${low}`)).toBe(404)
    expect(
      await statusOf('POST', `/api/sys/add_related_instances/${relation}/l_table/${low}`, { ids: [clients.open] }),
    ).toBe(404)
    expect((await asAdmin('GET', path)).body.data.version).toBe(1)
  })

  it('is neither listed nor counted', async () => {
    const list = await api('GET', '/api/e/requests')
    expect([idsOf(list), list.body.meta.total]).toEqual([[mine, seen], 2])
    const search = await api('GET', '/api/e/requests?search=printer')
    expect([idsOf(search), search.body.meta.total]).toEqual([[seen], 1])
    const filtered = await api('POST', '/api/e/requests/list-server', {
      filter: { _or: [{ priority: 1 }, { note: 'new' }] },
    })
    expect([idsOf(filtered), filtered.body.meta.total]).toEqual([[seen], 1])
    const grid = await api('POST', '/api/e/requests/list-server', {
      startRow: 0,
      endRow: 10,
      sortModel: [{ colId: 'priority', sort: 'asc' }],
    })
    expect([idsOf(grid), grid.body.rowCount]).toEqual([[mine, seen], 2])
    const groups = await api('POST', '/api/e/requests/list-server', {
      group_by: ['note'],
      aggregate: { count: '*', min: ['priority'] },
    })
    expect(groups.body.data).toEqual([
      { group: { note: 'new' }, count: 1, min: { priority: 5 } },
      { group: { note: null }, count: 1, min: { priority: 4 } },
    ])
    expect((await api('GET', '/api/e/requests/export?fields=title&sort=id')).body).toBe(
      `id,title\r\n${seen},High printer\r\n${mine},Mine\r\n`,
    )
  })

  it('counts as missing where another record refers to it: in expand, filter, sort and group', async () => {
    const one = (body: object) => api('POST', '/api/e/requests/list-server', { filter: { id: seen }, ...body })
    expect((await one({ expand: ['client_id'] })).body.data[0]).toMatchObject({
      data: { client_id: clients.secret },
      expanded: { client_id: null },
    })
    expect((await one({ fields: ['id', 'client_id.name'] })).body.data[0].expanded).toEqual({ client_id: null })
    expect((await one({ filter: { 'client_id.name': 'Bond' } })).body.meta.total).toBe(0)
    expect((await one({ filter: { client_id: { name: { _starts_with: 'A' } } } })).body.meta.total).toBe(1)
    expect((await one({ filter: { _not: { 'client_id.name': 'Bond' } } })).body.meta.total).toBe(2)
    expect(idsOf(await one({ filter: {}, sort: ['client_id.name'] }))).toEqual([mine, seen])
    expect(idsOf(await one({ filter: {}, sort: ['-client_id.name'] }))).toEqual([mine, seen])
    const groups = await one({ filter: {}, group_by: ['client_id.name'] })
    expect(groups.body.data).toEqual([
      { group: { 'client_id.name': 'Ann' }, count: 1 },
      { group: { 'client_id.name': null }, count: 1 },
    ])
  })

  it('is neither listed nor counted among related records, and cannot be linked or unlinked', async () => {
    const list = await api('GET', `/api/sys/related_instances/${relation}/requests/${seen}`)
    expect([idsOf(list), list.body.meta.total]).toEqual([[clients.open], 1])
    const back = await api('GET', `/api/sys/related_instances/${relation}/clients/${clients.open}?per_page=1`)
    expect([idsOf(back), back.body.meta.total]).toEqual([[mine], 2])
    const next = await api(
      'GET',
      `/api/sys/related_instances/${relation}/clients/${clients.open}?per_page=1&cursor=${back.body.meta.next_cursor}`,
    )
    expect([idsOf(next), next.body.meta.total, next.body.meta.next_cursor]).toEqual([[seen], 2, null])
    const added = await api('POST', `/api/sys/add_related_instances/${relation}/l_table/${mine}`, {
      ids: [clients.open, clients.secret],
    })
    expect([added.status, added.body.errors]).toEqual([422, { 'ids.1': ['The selected ids.1 is invalid.'] }])
    expect(
      await statusOf('POST', `/api/sys/add_related_instances/${relation}/l_table/${seen}`, { ids: [clients.open] }),
    ).toBe(403)
    expect(await statusOf('POST', `/api/sys/relations/unlink/${relation}/l_table/${clients.secret}`, {})).toBe(404)
    expect(
      await statusOf('POST', `/api/sys/relations/unlink/${relation}/l_table/${clients.open}`, { ids: [seen] }),
    ).toBe(403)
    expect(await statusOf('POST', `/api/sys/relations/unlink/${relation}/l_table/${clients.open}`)).toBe(403)
    const removed = await api('POST', `/api/sys/relations/unlink/${relation}/l_table/${clients.open}`, {
      ids: [low, mine],
    })
    expect([removed.status, removed.body.data]).toEqual([200, { removed: 1 }])
    expect(
      (await asAdmin('GET', `/api/sys/related_instances/${relation}/clients/${clients.open}`)).body.meta.total,
    ).toBe(2)
  })

  it('cannot be referred to by the user', async () => {
    const invalid = { client_id: ['The selected client_id is invalid.'] }
    expect(
      (await api('POST', '/api/e/requests', { title: 'x', priority: 4, client_id: clients.secret })).body.errors,
    ).toEqual(invalid)
    expect((await api('PATCH', `/api/e/requests/${mine}`, { client_id: clients.secret })).body.errors).toEqual(invalid)
    const imported = await api('POST', '/api/e/requests/import', {
      rows: [{ client_id: clients.open }, { client_id: clients.secret }],
    })
    expect(imported.body.data).toMatchObject({ created: 1, failed: 1, errors: [{ row: 1, errors: invalid }] })
  })

  it('has files that answer 404', async () => {
    const path = await upload(service)
    const holder = await create('requests', { title: 'With photo', priority: 1, photo: path })
    const file = `/api/files?path=${encodeURIComponent(path)}`
    expect(await statusOf('GET', file)).toBe(404)
    await asAdmin('PATCH', `/api/e/requests/${holder}`, { priority: 3 })
    expect(await statusOf('GET', file)).toBe(200)
    await asAdmin('DELETE', `/api/e/requests/${holder}`)
  })
})

describe('a write under row rules', () => {
  it('answers 403 for a record that the user may read but not write, before anything else is checked', async () => {
    expect((await api('PATCH', `/api/e/requests/${seen}`, { title: 'x' })).body).toEqual({
      success: false,
      code: 'record_forbidden',
      message: 'Your roles do not allow you to update this record.',
    })
    expect(
      await statusOf('PATCH', `/api/e/requests/${seen}`, { title: 'x' }, agent.token, { 'if-match': '"99"' }),
    ).toBe(403)
    expect(await statusOf('POST', `/api/e/requests/${seen}/restore`, { as_of: '2099-01-01' })).toBe(403)
    expect(await statusOf('DELETE', `/api/e/requests/${mine}`)).toBe(403)
    expect(
      await statusOf('PATCH', `/api/e/requests/${mine}`, { title: 'x' }, agent.token, { 'if-match': '"99"' }),
    ).toBe(412)
    expect(await statusOf('PATCH', `/api/e/requests/${mine}`, { title: 'Mine still' })).toBe(200)
  })

  it('our choice: answers the written record even when the write hides it from its user', async () => {
    const id = await create('requests', { title: 'Slips away', priority: 3 }, agent.token)
    const { status, body } = await api('PATCH', `/api/e/requests/${id}`, { priority: 2 })
    expect([status, body.data.data.priority]).toEqual([200, 2])
    expect(await statusOf('GET', `/api/e/requests/${id}`)).toBe(404)
    const key = { 'idempotency-key': 'once' }
    const first = await api('POST', '/api/e/requests', { title: 'Low at birth', priority: 1 }, agent.token, key)
    expect([
      first.status,
      (await api('POST', '/api/e/requests', { title: 'Low at birth', priority: 1 }, agent.token, key)).body,
    ]).toEqual([201, first.body])
    expect(await statusOf('GET', `/api/e/requests/${first.body.data.id}`)).toBe(404)
  })
})

describe('the history of a record under row rules', () => {
  it('shows a past state when the rule holds for it and for the current state', async () => {
    const id = await create('requests', { title: 'Grows', priority: 1 })
    const then = new Date().toISOString()
    await new Promise((resolve) => setTimeout(resolve, 5))
    await asAdmin('PATCH', `/api/e/requests/${id}`, { priority: 5 })
    const now = new Date().toISOString()
    expect((await api('GET', `/api/e/requests/${id}?as_of=${now}`)).body.data.data.priority).toBe(5)
    expect(await statusOf('GET', `/api/e/requests/${id}?as_of=${then}`)).toBe(404)
    expect((await api('GET', `/api/sys/history/requests/${id}`)).body.data).toHaveLength(2)
  })

  it('is decided by the last state when the record is deleted', async () => {
    const [kept, hidden] = [
      await create('requests', { title: 'Gone', priority: 5 }, agent.token),
      await create('requests', { title: 'Gone low', priority: 5 }, agent.token),
    ]
    const then = new Date().toISOString()
    await new Promise((resolve) => setTimeout(resolve, 5))
    await asAdmin('PATCH', `/api/e/requests/${hidden}`, { priority: 1 })
    for (const id of [kept, hidden]) await asAdmin('DELETE', `/api/e/requests/${id}`)
    expect((await api('GET', `/api/sys/history/requests/${kept}`)).body.data[0]).toMatchObject({ action: 'delete' })
    expect(await statusOf('GET', `/api/sys/history/requests/${hidden}`)).toBe(404)
    expect((await api('GET', `/api/e/requests/${kept}?as_of=${then}`)).body.data.data.title).toBe('Gone')
    expect(await statusOf('GET', `/api/e/requests/${hidden}?as_of=${then}`)).toBe(404)
    expect(await statusOf('POST', `/api/e/requests/${hidden}/restore`, { as_of: then })).toBe(404)
    expect((await api('POST', `/api/e/requests/${kept}/restore`, { as_of: then })).body.data).toMatchObject({
      id: kept,
      data: { title: 'Gone' },
    })
  })
})

describe('roles with row rules', () => {
  it('reach together what any of their rules reaches; a role without a rule lifts the limits, a role without the permission does not', async () => {
    const role = async (name: string, body: object) =>
      (await asAdmin('POST', '/api/sys/roles', { name, ...body })).status
    await role('lows', {
      permissions: ['requests.read'],
      rules: [{ table: 'requests', action: 'read', filter: { title: { _starts_with: 'Low pr' } } }],
    })
    await role('writer', { permissions: ['requests.create'] })
    await role('auditor', { permissions: ['*.read'] })
    const give = (...roles: string[]) => asAdmin('PUT', `/api/sys/users/${agent.id}`, { roles: [agent.role, ...roles] })
    const totals: number[] = []
    for (const roles of [['writer'], ['lows'], ['auditor', 'lows'], []]) {
      await give(...roles)
      totals.push(
        (await api('POST', '/api/e/requests/list-server', { filter: { id: [low, seen, mine] } })).body.meta.total,
      )
    }
    expect(totals).toEqual([2, 3, 3, 2])
    expect((await asAdmin('GET', `/api/e/requests/${low}`)).status).toBe(200)
  })

  it('cannot be bypassed with an update permission alone', async () => {
    const blind = await userWith(service, ['requests.update'], [{ ...high, filter: { created_by: '$CURRENT_USER' } }])
    expect(await statusOf('PATCH', `/api/e/requests/${seen}`, {}, blind.token)).toBe(404)
  })
})

describe('a row rule', () => {
  it('reads its variables from the request: user, organisational units, time', async () => {
    const unit = await create('sys_org_units', { name: 'Support' })
    const filter = {
      _or: [{ created_by: '$CURRENT_USER' }, { updated_at: { _gt: '$NOW(+1 day)' } }, { id: '$CURRENT_ORG_UNITS' }],
    }
    const user = await userWith(service, ['sys_org_units.read'], [{ table: 'sys_org_units', action: 'read', filter }])
    expect((await api('GET', '/api/e/sys_org_units', undefined, user.token)).body.meta.total).toBe(0)
    await asAdmin('PUT', `/api/sys/users/${user.id}`, { org_unit_ids: [unit] })
    expect(idsOf(await api('GET', '/api/e/sys_org_units', undefined, user.token))).toEqual([unit])
  })

  it('may test a field of a referenced record, even of one that its user may not see', async () => {
    const user = await userWith(
      service,
      ['requests.read', 'clients.read'],
      [{ table: 'requests', action: 'read', filter: { 'client_id.name': 'Bond' } }, open],
    )
    const { body } = await api('POST', '/api/e/requests/list-server', { expand: ['client_id'] }, user.token)
    expect([idsOf({ body }), body.meta.total, body.data[0].expanded]).toEqual([[seen], 1, { client_id: null }])
    expect(await statusOf('GET', `/api/e/requests/${seen}`, undefined, user.token)).toBe(200)
    expect(await statusOf('GET', `/api/e/requests/${mine}`, undefined, user.token)).toBe(404)
  })

  it('that no longer fits its table hides every record', async () => {
    await makeTable(service, 'parcels', [
      { name: 'weight', type: 'integer' },
      { name: 'label', type: 'text' },
    ])
    const id = await create('parcels', { weight: 3, label: 'x' })
    const user = await userWith(
      service,
      ['parcels.*'],
      [{ table: 'parcels', action: 'read', filter: { _not: { weight: 9 } } }],
    )
    expect(await statusOf('GET', `/api/e/parcels/${id}`, undefined, user.token)).toBe(200)
    await asAdmin('PUT', '/api/sys/entities/name/parcels', {
      name: 'parcels',
      table_fields: [{ name: 'label', type: 'text' }],
    })
    expect(await statusOf('GET', `/api/e/parcels/${id}`, undefined, user.token)).toBe(404)
    const { body } = await api('GET', '/api/e/parcels', undefined, user.token)
    expect([body.data, body.meta.total]).toEqual([[], 0])
  })

  it('does not apply to scripts, like the permissions of their user', async () => {
    const { table_fields } = (await asAdmin('GET', '/api/sys/entities/name/requests')).body.data
    const hooked = (...automations: object[]) =>
      asAdmin('PUT', '/api/sys/entities/name/requests', { name: 'requests', table_fields, automations })
    const script =
      "$data.note = $api->get('clients', " + clients.secret + ").name + ' ' + $api->count('requests', { priority: 1 })"
    await hooked({ kind: 'before_create', script })
    const made = await api('POST', '/api/e/requests', { title: 'By script', priority: 4 })
    expect(made.body.data.data.note).toMatch(/^Bond [1-9]/)
    await hooked()
  })

  it('keeps hidden records out of the message that a record is still in use', async () => {
    await makeTable(service, 'holds', [
      { name: 'of', type: 'model_list', target_table: 'requests', on_delete: 'restrict' },
    ])
    const id = await create('requests', { title: 'Held', priority: 5, note: 'new' })
    await create('holds', { of: id })
    await service.cloud.idle()
    const { status, body } = await api('DELETE', `/api/e/requests/${id}`)
    expect([status, body.errors]).toEqual([422, { 'holds.of': ['The record is still in use in holds.'] }])
    expect(await statusOf('DELETE', `/api/e/requests/${low}`)).toBe(404)
  })

  it('invalidates existing cursors when it changes', async () => {
    const { body } = await api('GET', '/api/e/requests?per_page=1')
    const next = `/api/e/requests?per_page=1&cursor=${body.meta.next_cursor}`
    expect(await statusOf('GET', next)).toBe(200)
    await asAdmin('PUT', `/api/sys/roles/${agent.roleId}`, {
      rules: [{ ...high, filter: { priority: { _gte: 4 } } }, own, fresh, open],
    })
    expect([(await api('GET', next)).status, Object.keys((await api('GET', next)).body.errors)]).toEqual([
      422,
      ['cursor'],
    ])
    await asAdmin('PUT', `/api/sys/roles/${agent.roleId}`, { rules: [high, own, fresh, open] })
  })
})

it('an export in the background holds only records that its user may see', async () => {
  const text = 'x'.repeat(190_000)
  const ids: number[] = []
  for (let n = 0; n < 26; n += 1)
    ids.push(await create('requests', { title: `Big ${n}`, note: text, priority: n % 13 === 0 ? 1 : 3 }))
  const { status, body } = await api(
    'GET',
    '/api/e/requests/export?format=ndjson&sort=id&filter={"title":{"_starts_with":"Big"}}',
  )
  expect(status).toBe(202)
  const { result } = await finishedJob(service, body.data.job_id)
  const lines = (await (await fetch(result.url)).text()).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids.filter((_, n) => n % 13 !== 0))
})
