import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createUser as createUserAs,
  person,
  tokenOf as tokenOfPerson,
} from '../../make/builders/administered-people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type ApiCall, sharedService, type TestService } from '../../make/services/service.ts'

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

describe('roles', () => {
  it('can be created, changed and deleted', async () => {
    const created = await asAdmin('POST', '/api/sys/roles', {
      name: 'agent',
      permissions: ['requests.read', 'requests.create', 'requests.read'],
    })
    expect([created.status, created.body.data]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'agent',
        permissions: ['requests.create', 'requests.read'],
        rules: [],
        fields: {},
        mfa_required: false,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        version: 1,
      },
    ])
    const path = `/api/sys/roles/${created.body.data.id}`
    expect((await asAdmin('GET', path)).body.data).toEqual(created.body.data)
    expect((await asAdmin('PUT', path, { ...created.body.data, permissions: ['requests.*'] })).body.data).toMatchObject(
      { permissions: ['requests.*'], version: 2 },
    )
    expect((await asAdmin('PUT', path, created.body.data)).status).toBe(412)
    expect((await asAdmin('POST', '/api/sys/roles', { name: 'agent' })).status).toBe(409)
    expect((await asAdmin('PUT', path, { name: 'other' })).body.errors).toEqual({
      name: ['The name of a role cannot be changed.'],
    })
    expect((await asAdmin('DELETE', path)).status).toBe(204)
    expect((await asAdmin('GET', path)).status).toBe(404)
    const again = await asAdmin('POST', '/api/sys/roles', { name: 'agent' })
    expect(again.body.data.id).toBeGreaterThan(created.body.data.id)
  })

  it('cannot be deleted while a user holds them', async () => {
    const { id } = (await asAdmin('POST', '/api/sys/roles', { name: 'held' })).body.data
    const user = await createUser({ roles: ['held'] })
    expect((await asAdmin('DELETE', `/api/sys/roles/${id}`)).body.code).toBe('in_use')
    await asAdmin('PUT', `/api/sys/users/${user.id}`, { roles: [] })
    expect((await asAdmin('DELETE', `/api/sys/roles/${id}`)).status).toBe(204)
  })

  it('are either deleted or assigned to a user when both happen at once', async () => {
    const { id } = (await asAdmin('POST', '/api/sys/roles', { name: 'contested' })).body.data
    const [deleted, created] = await Promise.all([
      asAdmin('DELETE', `/api/sys/roles/${id}`),
      asAdmin('POST', '/api/sys/users', person({ roles: ['contested'] })),
    ])
    expect([
      [204, 422],
      [422, 201],
    ]).toContainEqual([deleted.status, created.status])
  })

  it('include admin and the default role, which cannot be deleted', async () => {
    const roles: { id: number; name: string }[] = (await asAdmin('GET', '/api/sys/roles')).body.data
    const idOf = (wanted: string) => roles.find(({ name }) => name === wanted)?.id
    expect((await asAdmin('DELETE', `/api/sys/roles/${idOf('admin')}`)).status).toBe(409)
    expect((await asAdmin('PUT', `/api/sys/roles/${idOf('admin')}`, { permissions: [] })).status).toBe(409)
    expect((await asAdmin('DELETE', `/api/sys/roles/${idOf('user')}`)).status).toBe(422)
  })

  it('are refused with an invalid name or permission, each named by its path', async () => {
    const { status, body } = await asAdmin('POST', '/api/sys/roles', {
      name: 'Bad Name',
      permissions: ['requests.read', 'requests', '*.fly'],
    })
    expect([status, Object.keys(body.errors).sort()]).toEqual([422, ['name', 'permissions.1', 'permissions.2']])
  })

  it('take effect from the next request on', async () => {
    const { id } = (await asAdmin('POST', '/api/sys/roles', { name: 'reader', permissions: ['clients.read'] })).body
      .data
    const token = await tokenOf((await createUser({ roles: ['reader', 'user'] })).email)
    const permissions = async () => (await service.api('GET', '/api/user', { token })).body.data.permissions
    expect(await permissions()).toEqual(['clients.read'])
    await asAdmin('PUT', `/api/sys/roles/${id}`, { permissions: ['*.read', 'clients.update'] })
    expect(await permissions()).toEqual(['*.read', 'clients.update'])
  })
})
