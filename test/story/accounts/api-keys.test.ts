import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administerApiKeys } from '../../../shared/accounts/keys/administer-api-keys.ts'
import { createAuthentication } from '../../../shared/accounts/sessions/authentication.ts'
import { Unauthenticated } from '../../../shared/kernel/failures/faults.ts'
import { createConfig } from '../../../shared/platform/store/config.ts'
import { tokenKey } from '../../../shared/platform/store/keys/auth.ts'
import { deploymentWide } from '../../../shared/platform/store/store.ts'
import { frozenClock } from '../../make/builders/frozen-clock.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let role: string
beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'notes', [{ name: 'title', type: 'text' }])
  role = (await userWith(service, ['notes.*'])).role
})
afterAll(() => service?.stop())

const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const makeKey = async (more: object = {}): Promise<{ id: number; token: string }> => {
  const { status, body } = await api('POST', '/api/sys/api-keys', { name: 'Robot', roles: [role], ...more })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data
}
const rowOf = (token: string) => service.store.get(deploymentWide, tokenKey(Number(token.split('|')[0])))

describe('an API key', () => {
  it('is answered once with its token, of which only the hash is stored', async () => {
    const { status, body } = await api('POST', '/api/sys/api-keys', {
      name: 'Invoice export',
      roles: [role],
      expires_at: '2999-01-01T02:00:00+02:00',
    })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.any(Number),
      name: 'Invoice export',
      roles: [role],
      is_active: true,
      created_by: service.admin.userId,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expires_at: '2999-01-01T00:00:00.000Z',
      last_used_at: null,
      token: expect.stringMatching(/^[1-9]\d*\|[A-Za-z0-9_-]{43}$/),
    })
    const { token, ...shown } = body.data
    const listed = (await api('GET', '/api/sys/api-keys?per_page=1')).body
    expect(listed.data).toEqual([shown])
    expect(listed.meta.total).toBeGreaterThan(0)
    const secret = token.split('|')[1]
    expect(JSON.stringify([await rowOf(token), listed])).not.toContain(secret)
  })

  it('acts as a service user with its name, which history names as the author', async () => {
    const { id, token } = await makeKey({ name: 'Importer' })
    const { body: me } = await api('GET', '/api/user', undefined, token)
    expect(me.data).toMatchObject({ id, name: 'Importer', email: null, roles: [role], permissions: ['notes.*'] })
    const made = await api('POST', '/api/e/notes', { title: 'by a robot' }, token)
    expect([made.status, made.body.data.created_by]).toEqual([201, id])
    await service.cloud.idle()
    const history = await api('GET', `/api/sys/history/notes/${made.body.data.id}`)
    expect(history.body.data[0].user).toEqual({ id, name: 'Importer' })
    expect((await api('GET', `/api/sys/users/${id}`)).body.data).toMatchObject({ name: 'Importer', email: null })
  })

  it('may do what its roles allow and nothing else', async () => {
    const { token } = await makeKey()
    expect((await api('GET', '/api/sys/users', undefined, token)).status).toBe(403)
    expect((await api('GET', '/api/e/sys_companies', undefined, token)).status).toBe(403)
  })

  it('ends with the next request after it was deleted, and its user stays for history', async () => {
    const { id, token } = await makeKey()
    expect((await api('GET', '/api/user', undefined, token)).status).toBe(200)
    expect((await api('DELETE', `/api/sys/api-keys/${id}`)).status).toBe(204)
    expect((await api('GET', '/api/user', undefined, token)).status).toBe(401)
    expect(await rowOf(token)).toBeUndefined()
    const again = await api('DELETE', `/api/sys/api-keys/${id}`)
    expect([again.status, again.body.code]).toEqual([404, 'api_key_not_found'])
    expect((await api('GET', `/api/sys/users/${id}`)).body.data).toMatchObject({ is_active: false, roles: [] })
    expect((await api('GET', '/api/sys/api-keys')).body.data.map((key: { id: number }) => key.id)).not.toContain(id)
  })

  it('ends when its service user is disabled, and the list says so', async () => {
    const { id, token } = await makeKey()
    await api('PUT', `/api/sys/users/${id}`, { is_active: false })
    expect((await api('GET', '/api/user', undefined, token)).status).toBe(401)
    await api('PUT', `/api/sys/users/${id}`, { is_active: true })
    expect((await api('GET', '/api/user', undefined, token)).status).toBe(401)
    const { data } = (await api('GET', '/api/sys/api-keys')).body
    expect(data.find((key: { id: number }) => key.id === id)).toMatchObject({ is_active: false })
  })

  it('cannot make keys, sign out, or change an account, also with the role of an administrator', async () => {
    const { token } = await makeKey({ roles: ['admin'] })
    expect((await api('GET', '/api/sys/users', undefined, token)).status).toBe(200)
    const refused: [string, string, object?][] = [
      ['POST', '/api/sys/api-keys', { name: 'Child', roles: ['admin'] }],
      ['POST', '/api/logout'],
      ['PUT', '/api/user', { name: 'Somebody' }],
    ]
    for (const [method, path, body] of refused) {
      const answer = await api(method, path, body, token)
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'person_required'])
    }
  })

  it('gives nobody a password, an address, a second factor or the role of an administrator', async () => {
    const { id, token } = await makeKey({ roles: ['admin'] })
    const person = await userWith(service, [])
    const chief = await userWith(service, [])
    await api('PUT', `/api/sys/users/${chief.id}`, { roles: ['admin'], is_active: false })
    const unit = (await api('POST', '/api/e/sys_org_units', { name: 'Desk' })).body.data.id
    const mapping = await api('POST', '/api/sys/auth-mappings', { group: 'g', org_unit_id: unit, roles: ['admin'] })
    const invitation = await api('POST', '/api/tenant/invite', { email: 'early@acme.test', roles: ['admin'] })
    const password = 'chosen by the key 1'
    const eve = { name: 'Eve', email: 'eve@evil.test', password, roles: [role] }
    const before = (await api('GET', `/api/sys/users/${person.id}`)).body.data
    const refused: [string, string, object?][] = [
      ['POST', '/api/sys/users', eve],
      ['PUT', `/api/sys/users/${person.id}`, { password }],
      ['PUT', `/api/sys/users/${person.id}`, { name: 'New', password }],
      ['PUT', `/api/sys/users/${person.id}`, { email: 'eve@evil.test' }],
      ['PUT', `/api/sys/users/${person.id}`, { roles: [role, 'admin'] }],
      ['PUT', `/api/sys/users/${chief.id}`, { is_active: true }],
      ['DELETE', `/api/sys/users/${person.id}/mfa`],
      ['POST', '/api/tenant/invite', { email: 'eve@evil.test', roles: ['admin'] }],
      ['POST', `/api/tenant/invitations/${invitation.body.data.id}/resend`],
      ['POST', '/api/sys/auth-mappings', { group: 'evil', org_unit_id: unit, roles: ['admin'] }],
      ['PUT', `/api/sys/auth-mappings/${mapping.body.data.id}`, { group: 'evil' }],
      ['PUT', '/api/sys/settings', { OAUTH_GOOGLE_ISSUER: 'https://evil.test' }],
      ['PUT', '/api/sys/settings', { DEFAULT_ROLE: 'admin' }],
      ['POST', `/api/impersonate/${person.id}`],
    ]
    for (const [method, path, body] of refused) {
      const answer = await api(method, path, body, token)
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 403, 'person_required'])
    }
    expect((await api('GET', `/api/sys/users/${person.id}`)).body.data).toEqual(before)
    const allowed: [string, string, object][] = [
      ['PUT', `/api/sys/users/${person.id}`, { name: 'Renamed', email: before.email, roles: [role] }],
      ['PUT', `/api/sys/users/${id}`, { roles: ['admin', role] }],
      ['POST', '/api/tenant/invite', { email: 'new@acme.test', roles: [role] }],
      ['PUT', `/api/sys/auth-mappings/${mapping.body.data.id}`, { roles: ['admin', role] }],
      ['PUT', '/api/sys/settings', { DEFAULT_ROLE: role }],
    ]
    for (const [method, path, body] of allowed) {
      const answer = await api(method, path, body, token)
      expect([method, path, answer.status < 300, answer.body.message]).toEqual([method, path, true, 'OK'])
    }
    await api('PUT', '/api/sys/settings', { DEFAULT_ROLE: null })
  })

  it('does not count as an administrator: the last person with the role stays', async () => {
    await makeKey({ roles: ['admin'] })
    const answer = await api('DELETE', `/api/sys/users/${service.admin.userId}`)
    expect([answer.status, answer.body.code]).toEqual([409, 'last_administrator'])
  })

  it('keeps its roles in use until it ends', async () => {
    const made = await userWith(service, [])
    await api('PUT', `/api/sys/users/${made.id}`, { roles: [] })
    const { id } = await makeKey({ roles: [made.role] })
    expect((await api('DELETE', `/api/sys/roles/${made.roleId}`)).status).toBe(422)
    await api('DELETE', `/api/sys/api-keys/${id}`)
    expect((await api('DELETE', `/api/sys/roles/${made.roleId}`)).status).toBe(204)
  })

  it('is made by administrators only, of roles that exist, and not for the past', async () => {
    const { token } = await userWith(service, ['*'])
    expect((await api('POST', '/api/sys/api-keys', { name: 'Mine', roles: [role] }, token)).status).toBe(403)
    const invalid = await api('POST', '/api/sys/api-keys', { name: '', roles: [], expires_at: 'soon' })
    expect([invalid.status, Object.keys(invalid.body.errors)]).toEqual([422, ['name', 'roles', 'expires_at']])
    const unknown = await api('POST', '/api/sys/api-keys', { name: 'Robot', roles: [role, 'pilot'] })
    expect(unknown.body.errors).toEqual({
      'roles.1': [expect.stringMatching(/^The selected roles\.1 is invalid: there is no such role\./)],
    })
    const past = await api('POST', '/api/sys/api-keys', { name: 'Robot', roles: [role], expires_at: '2020-01-01' })
    expect(past.body.errors).toEqual({ expires_at: ['The expires_at must be a date in the future.'] })
  })

  it('is neither listed nor ended by another tenant', async () => {
    const { id } = await makeKey()
    const other = await otherTenant(service)
    expect((await api('GET', '/api/sys/api-keys', undefined, other.token)).body.data).toEqual([])
    expect((await api('DELETE', `/api/sys/api-keys/${id}`, undefined, other.token)).status).toBe(404)
  })

  it('leaves its making and its end in the trail', async () => {
    const { id } = await makeKey({ name: 'Traced' })
    await api('DELETE', `/api/sys/api-keys/${id}`)
    await service.cloud.idle()
    const { data } = (await api('GET', '/api/sys/audit?model=sys_api_keys')).body
    const own = data.filter((entry: { record_id: number }) => entry.record_id === id)
    expect(own.map((entry: { action: string }) => entry.action)).toEqual(['delete', 'create'])
    expect(own[1]).toMatchObject({ user: { id: service.admin.userId }, changes: { roles: { new: [role] } } })
  })
})

describe('the use of an API key', () => {
  const hourMs = 3_600_000

  it('does not keep a key alive: it has no end by being idle', async () => {
    const { token } = await makeKey()
    const clock = frozenClock(new Date(Date.now() + 365 * 24 * hourMs).toISOString())
    const authenticate = createAuthentication({
      store: service.store,
      config: createConfig(service.store, clock),
      clock,
    })
    expect((await authenticate(`Bearer ${token}`, () => [])).caller.name).toBe('Robot')
    expect(await rowOf(token)).not.toHaveProperty('expires_at')
  })

  it('is noted at most once an hour, and refused from the moment it expires', async () => {
    const clock = frozenClock(new Date().toISOString())
    const accounts = { store: service.store, config: createConfig(service.store, clock), clock }
    const authenticate = createAuthentication(accounts)
    const keys = administerApiKeys(accounts)
    const { caller } = await authenticate(`Bearer ${service.admin.token}`, () => [])
    const startMs = clock.now()
    const made = await keys.create(caller, { name: 'Watched', roles: [role], expires_at: startMs + 3 * hourMs })
    const listed = async () =>
      (await keys.list(caller.tenant, { page: 1, per_page: 25 })).items.find(({ id }) => id === made.id)
    const use = () => authenticate(`Bearer ${made.token}`, () => [])
    const iso = (ms: number) => new Date(ms).toISOString()

    clock.advance(1000)
    await use()
    expect(await listed()).toMatchObject({ last_used_at: iso(startMs + 1000), is_active: true })
    clock.advance(hourMs - 1)
    await use()
    expect(await listed()).toMatchObject({ last_used_at: iso(startMs + 1000) })
    clock.advance(1)
    await use()
    expect(await listed()).toMatchObject({ last_used_at: iso(clock.now()) })
    clock.advance(startMs + 3 * hourMs - clock.now() - 1)
    await use()
    clock.advance(1)
    await expect(use()).rejects.toThrow(Unauthenticated)
    expect(await listed()).toMatchObject({ is_active: false })
  })
})
