import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createUser as createUserAs,
  person,
  tokenOf as tokenOfPerson,
} from '../../make/builders/administered-people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type ApiCall, type TestService, sharedService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'clients', [])
  await makeTable(service, 'requests', [])
})
afterAll(() => service.stop())

const asAdmin: ApiCall = (method, path, body) => service.api(method, path, { token: service.admin.token, body })
const createUser = (more?: object) => createUserAs(asAdmin, more)
const tokenOf = (email: string) => tokenOfPerson(service, email)

describe('users', () => {
  it('are created with the default role and answered without the password hash', async () => {
    const { status, body } = await asAdmin(
      'POST',
      '/api/sys/users',
      person({ name: 'Ada', email: 'Ada@Administration.test', locale: 'en' }),
    )
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.any(Number),
      name: 'Ada',
      email: 'ada@administration.test',
      roles: ['user'],
      is_active: true,
      company_id: null,
      org_unit_ids: [],
      locale: 'en',
      mfa_enabled: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.data.created_at,
      version: 1,
    })
    expect((await asAdmin('GET', `/api/sys/users/${body.data.id}`)).body.data).toEqual(body.data)
  })

  it('are listed newest first, by page and by cursor', async () => {
    for (let count = 0; count < 5; count += 1) await createUser()
    const { body: all } = await asAdmin('GET', '/api/sys/users?per_page=1000')
    const ids = all.data.map(({ id }: { id: number }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    expect(all.meta).toMatchObject({
      total: ids.length,
      current_page: 1,
      from: 1,
      to: ids.length,
      last_page: 1,
      next_cursor: null,
    })

    const second = (await asAdmin('GET', '/api/sys/users?per_page=2&page=2')).body
    expect(second.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(2, 4))
    expect(second.meta).toMatchObject({ from: 3, to: 4, total: ids.length })

    const byCursor: number[] = []
    for (let cursor: string | null = '', pages = 0; cursor !== null && pages < 50; pages += 1) {
      const { body }: { body: { data: { id: number }[]; meta: { next_cursor: string | null } } } = await asAdmin(
        'GET',
        `/api/sys/users?per_page=2${cursor ? `&cursor=${cursor}` : ''}`,
      )
      byCursor.push(...body.data.map(({ id }) => id))
      cursor = body.meta.next_cursor
    }
    expect(byCursor).toEqual(ids)

    const past = (await asAdmin('GET', '/api/sys/users?page=900')).body
    expect([past.data, past.meta.from, past.meta.to]).toEqual([[], null, null])
    expect((await asAdmin('GET', '/api/sys/users?cursor=nonsense')).status).toBe(422)
    expect((await asAdmin('GET', '/api/sys/users?page=x')).body.errors).toEqual({
      page: ['The page must be an integer.'],
    })
  })

  it('have unique e-mail addresses, even when several are created at once', async () => {
    const { email } = await createUser()
    const taken = await asAdmin('POST', '/api/sys/users', person({ email: email.toUpperCase() }))
    expect([taken.status, taken.body.errors]).toEqual([422, { email: ['The email has already been taken.'] }])
    const twins = await Promise.all(
      [1, 2, 3].map(() => asAdmin('POST', '/api/sys/users', person({ email: 'twin@administration.test' }))),
    )
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  })

  it('can change their e-mail address, which frees the old one', async () => {
    const user = await createUser()
    expect(
      (await asAdmin('PUT', `/api/sys/users/${user.id}`, { email: 'moved@administration.test' })).body.data.email,
    ).toBe('moved@administration.test')
    expect(
      (await asAdmin('PUT', `/api/sys/users/${user.id}`, { email: service.admin.email })).body.errors,
    ).toHaveProperty('email')
    expect((await asAdmin('POST', '/api/sys/users', person({ email: user.email }))).status).toBe(201)
    expect(await tokenOf('moved@administration.test')).toBeDefined()
  })

  it('can only refer to roles, companies and organisational units that exist', async () => {
    const { status, body } = await asAdmin('POST', '/api/sys/users', person({ roles: ['user', 'wizard'] }))
    expect([status, body.errors]).toEqual([
      422,
      { 'roles.1': ['The selected roles.1 is invalid: there is no such role. There are: admin, user.'] },
    ])
    const unknown = await asAdmin(
      'POST',
      '/api/sys/users',
      person({ company_id: 77, org_unit_ids: [78, 79], roles: ['user', 'wizard'] }),
    )
    expect(Object.keys(unknown.body.errors)).toEqual(['company_id', 'org_unit_ids.0', 'org_unit_ids.1', 'roles.1'])
  })

  it('keep every one of several concurrent changes', async () => {
    const { id } = await createUser()
    const changes = [{ name: 'Changed' }, { locale: 'fr' }, { roles: [] }, { password: 'something else again' }]
    const answers = await Promise.all(changes.map((body) => asAdmin('PUT', `/api/sys/users/${id}`, body)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { body } = await asAdmin('GET', `/api/sys/users/${id}`)
    expect(body.data).toMatchObject({ name: 'Changed', locale: 'fr', roles: [], version: 5 })
  })

  it('can be sent back as they were read, and answer 412 when the version is stale', async () => {
    const user = await createUser()
    const path = `/api/sys/users/${user.id}`
    expect((await asAdmin('PUT', path, { ...user, name: 'Renamed' })).body.data).toMatchObject({
      name: 'Renamed',
      version: 2,
    })
    expect((await asAdmin('PUT', path, { ...user, name: 'Stale' })).status).toBe(412)
    expect((await asAdmin('GET', path)).body.data.name).toBe('Renamed')
  })

  it('keep their version when nothing changes', async () => {
    const user = await createUser()
    expect((await asAdmin('PUT', `/api/sys/users/${user.id}`, { name: user.name })).body.data).toEqual(user)
  })

  it('answer 404 for an unknown id', async () => {
    for (const id of ['999999', '0', 'x', '-1', '9007199254740993']) {
      expect([id, (await asAdmin('GET', `/api/sys/users/${id}`)).status]).toEqual([id, 404])
    }
    expect((await asAdmin('DELETE', '/api/sys/users/999999')).status).toBe(404)
  })

  it('can be administered by administrators only', async () => {
    const token = await tokenOf((await createUser()).email)
    for (const [method, path] of [
      ['GET', '/api/sys/users'],
      ['GET', '/api/sys/users/999999'],
      ['POST', '/api/sys/users'],
      ['PUT', '/api/sys/users/1'],
      ['DELETE', '/api/sys/users/1'],
      ['GET', '/api/sys/roles'],
      ['POST', '/api/sys/roles'],
    ] as const) {
      expect([method, path, (await service.api(method, path, { token })).status]).toEqual([method, path, 403])
      expect([method, path, (await service.api(method, path)).status]).toEqual([method, path, 401])
    }
  })
})

describe('the last administrator', () => {
  it('cannot be disabled or lose the role', async () => {
    const own = `/api/sys/users/${service.admin.userId}`
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PUT', { is_active: false }],
      ['PUT', { roles: ['user'] }],
    ] as const) {
      const answer = await asAdmin(method, own, body)
      expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('last administrator')])
    }
    expect((await service.api('GET', '/api/user', { token: service.admin.token })).body.data.roles).toEqual(['admin'])
  })

  it('remains when two administrators take the role from each other at once', async () => {
    const other = await createUser({ roles: ['admin'] })
    const token = await tokenOf(other.email)
    const [first, second] = await Promise.all([
      service.api('PUT', `/api/sys/users/${other.id}`, { token: service.admin.token, body: { roles: ['user'] } }),
      service.api('PUT', `/api/sys/users/${service.admin.userId}`, { token, body: { roles: ['user'] } }),
    ])
    const statuses = [first.status, second.status]
    // The loser is refused by the count, or is no administrator any more when its request arrives.
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409 || status === 403)).toHaveLength(1)
    const winner = first.status === 200 ? service.admin.token : token
    const loser = first.status === 200 ? other.id : service.admin.userId
    expect(
      (await service.api('PUT', `/api/sys/users/${loser}`, { token: winner, body: { roles: ['admin'] } })).status,
    ).toBe(200)
    expect((await asAdmin('DELETE', `/api/sys/users/${other.id}`)).status).toBe(204)
  })

  it('is counted without disabled administrators', async () => {
    const other = await createUser({ roles: ['admin'], is_active: false })
    expect((await asAdmin('DELETE', `/api/sys/users/${service.admin.userId}`)).status).toBe(409)
    expect((await asAdmin('PUT', `/api/sys/users/${other.id}`, { is_active: true })).status).toBe(200)
    expect((await asAdmin('PUT', `/api/sys/users/${other.id}`, { is_active: false })).status).toBe(200)
  })
})
