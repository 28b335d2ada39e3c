import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let user: { token: string; id: number }
const trail = async (query = '', token = service.admin.token) => service.api('GET', `/api/sys/audit${query}`, { token })
const summariesOf = ({
  body,
}: {
  body: { data: { model: string; record_id: number; version: number; action: string }[] }
}) => body.data.map(({ model, record_id, version, action }) => `${model} ${record_id}.${version} ${action}`)

beforeAll(async () => {
  service = await sharedService()
  for (const name of ['notes', 'tasks']) await makeTable(service, name, [{ name: 'text', type: 'text' }])
  user = await userWith(service, ['*'])
  const { token } = service.admin
  await service.api('POST', '/api/e/notes', { token, body: { text: 'a' } })
  await service.api('POST', '/api/e/tasks', { token: user.token, body: { text: 'b' } })
  await service.api('PATCH', '/api/e/notes/1', { token: user.token, body: { text: 'c' } })
  await service.api('DELETE', '/api/e/tasks/1', { token })
  await service.cloud.idle()
})
afterAll(() => service?.stop())

describe('the trail of a tenant', () => {
  it('lists the changes of every table, newest first, with user and values', async () => {
    const answer = await trail('?per_page=4')
    expect(summariesOf(answer)).toEqual([
      'tasks 1.2 delete',
      'notes 1.2 update',
      'tasks 1.1 create',
      'notes 1.1 create',
    ])
    expect(answer.body.data[1]).toMatchObject({ user: { id: user.id }, changes: { text: { old: 'a', new: 'c' } } })
  })

  it.each([
    ['?model=notes', ['notes 1.2 update', 'notes 1.1 create']],
    ['?action=delete', ['tasks 1.2 delete']],
    ['?model=tasks&action=delete', ['tasks 1.2 delete']],
    ['?from=2999-01-01', []],
    ['?to=2000-01-01', []],
  ])('selects the right entries for %s', async (query, lines) => expect(summariesOf(await trail(query))).toEqual(lines))

  it('can be limited to one user and to a period', async () => {
    expect(summariesOf(await trail(`?user_id=${user.id}`))).toEqual([
      'notes 1.2 update',
      'tasks 1.1 create',
      `sys_users ${user.id}.0 login`,
    ])
    const { created_at } = (await trail('?model=tasks&action=create')).body.data[0]
    expect(summariesOf(await trail(`?from=${created_at}`))).toEqual([
      'tasks 1.2 delete',
      'notes 1.2 update',
      'tasks 1.1 create',
    ])
    expect(summariesOf(await trail(`?to=${created_at}&per_page=2`))).toEqual(['tasks 1.1 create', 'notes 1.1 create'])
  })

  it('can be read by page and by cursor', async () => {
    const whole = await trail('?per_page=1000')
    expect(whole.body.meta.total).toBe(whole.body.data.length)
    expect(summariesOf(await trail('?per_page=3&page=2'))).toEqual(summariesOf(whole).slice(3, 6))
    const byCursor: string[] = []
    for (let cursor = ''; ;) {
      const { body } = await trail(`?per_page=3${cursor}`)
      byCursor.push(...body.data.map(({ id }: { id: string }) => id))
      if (body.meta.next_cursor === null) break
      cursor = `&cursor=${body.meta.next_cursor}`
    }
    expect(byCursor).toEqual(whole.body.data.map(({ id }: { id: string }) => id))
    expect(new Set(byCursor).size).toBe(byCursor.length)
  })

  it('is readable by administrators only, and only that of their own tenant', async () => {
    expect((await trail('', user.token)).status).toBe(403)
    const { body } = await trail('', (await otherTenant(service)).token)
    expect(summariesOf({ body })).toEqual(['sys_users 1.0 login', 'sys_users 1.1 create'])
  })

  it.each(['user_id=x', 'action=nonsense', 'from=yesterday', 'cursor=abc'])('refuses %s', async (query) => {
    const { status, body } = await trail(`?${query}`)
    expect([status, Object.keys(body.errors)]).toEqual([422, [query.split('=')[0]]])
  })

  it('refuses a user_id that is no integer, with the message that every list uses', async () => {
    expect((await trail('?user_id=1.5')).body.errors).toEqual({ user_id: ['The user_id must be an integer.'] })
  })
})

describe('besides changes of records, the trail lists', () => {
  const asAdmin = (method: string, path: string, body?: unknown) =>
    service.api(method, path, { token: service.admin.token, body })
  const newest = async (query: string, count = 1) => (await trail(`?${query}&per_page=${count}`)).body.data

  it('logins and logouts, without the token', async () => {
    const person = await userWith(service, [])
    const [made] = await newest(`user_id=${person.id}`)
    expect(made).toMatchObject({
      action: 'login',
      model: 'sys_users',
      record_id: person.id,
      version: 0,
      user: { id: person.id },
      changes: {},
    })
    expect((await service.api('POST', '/api/logout', { token: person.token })).status).toBe(200)
    const [out] = await newest(`user_id=${person.id}&action=logout`)
    expect(out).toMatchObject({ action: 'logout', record_id: person.id })
    expect(JSON.stringify([made, out])).not.toContain(person.token.split('|')[0])
    const failed = await service.api('POST', '/api/login-local', {
      body: { email: service.admin.email, password: 'wrong guess' },
    })
    expect([
      failed.status,
      (await newest('action=login', 5)).map(({ record_id }: { record_id: number }) => record_id)[0],
    ]).toEqual([401, person.id])
  })

  it('changes of users and who made them, without passwords, names and addresses', async () => {
    const body = {
      name: 'Sensitive Name',
      email: 'sensitive@acme.test',
      password: 'sufficiently long 8',
      roles: ['user'],
    }
    const { id } = (await asAdmin('POST', '/api/sys/users', body)).body.data
    await asAdmin('PUT', `/api/sys/users/${id}`, {
      roles: [],
      password: 'sufficiently long 9',
      email: 'other@acme.test',
    })
    await asAdmin('PUT', `/api/sys/users/${id}`, { roles: [] })
    await asAdmin('DELETE', `/api/sys/users/${id}`)
    const entries = await newest('model=sys_users', 3)
    const by = { id: service.admin.userId, name: 'Grace Hopper' }
    const [was, hidden] = [null, '********']
    expect(entries).toMatchObject([
      { action: 'update', record_id: id, version: 3, user: by, changes: { is_active: { old: true, new: false } } },
      {
        action: 'update',
        record_id: id,
        version: 2,
        user: by,
        changes: {
          roles: { old: ['user'], new: [] },
          password: { old: hidden, new: hidden },
          email: { old: hidden, new: hidden },
        },
      },
      {
        action: 'create',
        record_id: id,
        version: 1,
        user: by,
        changes: {
          roles: { old: was, new: ['user'] },
          password: { old: was, new: hidden },
          name: { old: was, new: hidden },
        },
      },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/argon2|ensitive|other@/)
  })

  it('changes of tables, roles and relations with the changed settings', async () => {
    const fields = [{ name: 'size', type: 'integer', max: 5 }]
    await makeTable(service, 'boxes', fields)
    await asAdmin('PUT', '/api/sys/entities/name/boxes', {
      name: 'boxes',
      table_fields: [{ ...fields[0], max: 9 }],
      automations: [{ kind: 'before_create', name: 'long', script: `// ${'x'.repeat(2000)}` }],
    })
    const relation = (
      await asAdmin('POST', '/api/sys/relations', { name: 'packed', l_table: 'boxes', r_table: 'notes' })
    ).body.data
    await asAdmin('PUT', `/api/sys/relations/${relation.id}`, { name: 'stacked' })
    const role = (await asAdmin('POST', '/api/sys/roles', { name: 'packer', permissions: ['boxes.read'] })).body.data
    await asAdmin('PUT', `/api/sys/roles/${role.id}`, {
      rules: [{ table: 'boxes', action: 'read', filter: { size: 1 } }],
    })
    await asAdmin('PUT', `/api/sys/roles/${role.id}`, { permissions: ['boxes.read'] })
    await asAdmin('DELETE', `/api/sys/roles/${role.id}`)
    await asAdmin('DELETE', `/api/sys/relations/${relation.id}`)
    await asAdmin('DELETE', '/api/sys/entities/name/boxes')
    const entries = await newest(`user_id=${service.admin.userId}`, 9)
    expect(entries.map(({ model, action, name, version }: any) => `${model} ${action} ${name} ${version}`)).toEqual([
      'sys_entities delete boxes 2',
      'sys_relations delete stacked 2',
      'sys_roles delete packer 2',
      'sys_roles update packer 2',
      'sys_roles create packer 1',
      'sys_relations update stacked 2',
      'sys_relations create packed 1',
      'sys_entities update boxes 2',
      'sys_entities create boxes 1',
    ])
    expect(entries[7].changes['table_fields.size.max']).toEqual({ old: 5, new: 9 })
    expect(String(entries[7].changes['automations.before_create long'].new)).toMatch(
      /^\{"kind":"before_create","name":"long".{200,300}…$/,
    )
    expect(entries[5].changes).toEqual({ name: { old: 'packed', new: 'stacked' } })
    expect(entries[3].changes).toEqual({
      rules: { old: [], new: [{ table: 'boxes', action: 'read', filter: { size: 1 } }] },
    })
  })

  it('no change that was refused', async () => {
    const before = (await trail()).body.meta.total
    await asAdmin('POST', '/api/sys/roles', { name: 'user' })
    await asAdmin('POST', '/api/sys/users', { name: 'x', email: service.admin.email, password: 'sufficiently long 8' })
    await asAdmin('DELETE', `/api/sys/users/${service.admin.userId}`)
    expect((await trail()).body.meta.total).toBe(before)
  })
})
