import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUser } from '../../../shared/accounts/people/create-user.ts'
import { findPerson } from '../../../shared/accounts/people/person.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { otherTenant } from '../../make/builders/people.ts'
import { type IdentityProvider, makeKey, startIdentityProvider } from '../../make/services/servers/identity-provider.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let provider: IdentityProvider
let units: number[]
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const logIn = (token: string) => service.api('POST', '/api/login-sso', { body: { token } })
const signIn = async (claims: object = {}) => logIn(await provider.sign({ ...claims }))
const refusal = { success: false, code: 'sign_in_refused', message: 'The sign-in was refused.' }

beforeAll(async () => {
  provider = await startIdentityProvider()
  service = await startService()
  await api('PUT', '/api/sys/settings', {
    SSO_ISSUER: provider.issuer,
    SSO_AUDIENCE: 'workflow',
    SSO_JWKS_URL: provider.jwksUrl,
  })
  units = []
  for (const name of ['Support', 'Sales'])
    units.push((await api('POST', '/api/e/sys_org_units', { name })).body.data.id as number)
  await api('POST', '/api/sys/roles', { name: 'agent', permissions: ['sys_companies.read'] })
})
afterAll(async () => {
  await service.stop()
  await provider.stop()
})
beforeEach(() => {
  provider.answer = undefined
})

let count = 0
const newPerson = () => ({ email: `p${(count += 1)}@acme.test`, sub: `subject-${count}` })

describe('a first sign-in', () => {
  it('creates the user with the default role, and the next one finds it again', async () => {
    const ada = newPerson()
    const first = await signIn({ ...ada, email: ada.email.toUpperCase() })
    expect([first.status, first.body.data.user]).toEqual([
      200,
      { id: expect.any(Number), name: 'Ada Lovelace', email: ada.email, roles: ['user'] },
    ])
    expect(first.body).toMatchObject({ token: first.body.data.token, tenant: { slug: 'acme' } })
    const me = await api('GET', '/api/user', undefined, first.body.token)
    expect(me.body.data.email).toBe(ada.email)
    expect((await signIn(ada)).body.user.id).toBe(first.body.user.id)
    expect((await findPerson(service.store, ada.email))?.identities).toEqual([
      { issuer: provider.issuer, subject: ada.sub },
    ])
  })

  it('links the account of the tenant that has the address', async () => {
    const { email, sub } = newPerson()
    const made = await createUser(
      { store: service.store, clock },
      { id: 1 },
      { name: 'Bob', email, password: 'brass gears 1843', roles: ['user'] },
    )
    expect((await signIn({ email, sub })).body.user).toMatchObject({ id: made.id, name: 'Bob' })
    const local = await service.api('POST', '/api/login-local', { body: { email, password: 'brass gears 1843' } })
    expect(local.status).toBe(200)
  })

  it('at the same time as others creates one user', async () => {
    const eve = newPerson()
    const answers = await Promise.all([1, 2, 3].map(() => signIn(eve)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.user?.id}`)).size).toBe(1)
  })
})

describe('groups', () => {
  it('give organisational units and roles, and take them back; what was given by hand stays', async () => {
    const [support, sales] = units as [number, number]
    await api('POST', '/api/sys/auth-mappings', { group: 'support', org_unit_id: support, roles: ['agent'] })
    const second = (await api('POST', '/api/sys/auth-mappings', { group: 'sales', org_unit_id: sales })).body.data
    const carl = newPerson()
    const { id } = (await signIn({ ...carl, groups: ['support', 'others'] })).body.user
    const user = async () => (await api('GET', `/api/sys/users/${id}`)).body.data
    expect(await user()).toMatchObject({ roles: ['user', 'agent'], org_unit_ids: [support] })

    await api('PUT', `/api/sys/users/${id}`, { org_unit_ids: [support, sales] })
    await signIn({ ...carl, groups: ['sales'] })
    expect(await user()).toMatchObject({ roles: ['user'], org_unit_ids: [sales] })
    await signIn({ ...carl, groups: [] })
    expect(await user()).toMatchObject({ roles: ['user'], org_unit_ids: [sales] })

    await signIn({ ...carl, groups: 'support' })
    expect(await user()).toMatchObject({ roles: ['user', 'agent'], org_unit_ids: [sales, support] })
    await api('DELETE', `/api/e/sys_org_units/${sales}`)
    expect((await signIn({ ...carl, groups: ['sales'] })).status).toBe(200)
    await api('DELETE', `/api/sys/auth-mappings/${second.id}`)
    expect((await signIn(carl)).status).toBe(200)
    expect(await user()).toMatchObject({ roles: ['user'] })
  })

  it('never take the role from the last administrator', async () => {
    const other = await startService()
    await other.api('PUT', '/api/sys/settings', {
      token: other.admin.token,
      body: { SSO_ISSUER: provider.issuer, SSO_AUDIENCE: 'workflow' },
    })
    const unit = await other.api('POST', '/api/e/sys_org_units', { token: other.admin.token, body: { name: 'IT' } })
    await other.api('POST', '/api/sys/auth-mappings', {
      token: other.admin.token,
      body: { group: 'root', org_unit_id: unit.body.data.id, roles: ['admin'] },
    })
    const enter = async (groups: string[]) =>
      other.api('POST', '/api/login-sso', { body: { token: await provider.sign({ ...root, groups }) } })
    const root = newPerson()
    const boss = (await enter(['root'])).body
    expect(boss.user.roles).toContain('admin')
    await other.api('DELETE', `/api/sys/users/${other.admin.userId}`, { token: boss.token })
    expect((await enter([])).body.user.roles).toContain('admin')
    await other.stop()
  })
})

describe('the same 401 answers', () => {
  const at = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

  it.each<[string, object]>([
    ['another audience', { aud: 'others' }],
    ['another issuer', { iss: 'https://login.evil.test' }],
    ['an issuer with a slash more', { iss: undefined }],
    ['an expired token', { exp: at(-61) }],
    ['a token that is not valid yet', { nbf: at(120) }],
    ['a token from the future', { iat: at(120) }],
    ['a token without exp', { exp: undefined }],
    ['a token without iat', { iat: undefined }],
    ['a token without sub', { sub: undefined }],
    ['an empty sub', { sub: '' }],
    ['an exp that is a text', { exp: '9999999999' }],
    ['a jti that is a number', { jti: 7 }],
    ['a token without e-mail', { email: undefined }],
    ['an address that is none', { email: 'ada' }],
    ['an address that is not verified', { email_verified: false }],
    ['an address that is verified by a word', { email_verified: 'maybe' }],
  ])('%s', async (_, claims) => {
    const { status, body } = await signIn({ ...newPerson(), ...claims })
    expect([status, body]).toEqual([401, refusal])
  })

  it('a token that has signed in already, also at the same time', async () => {
    const token = await provider.sign(newPerson())
    const answers = await Promise.all([logIn(token), logIn(token)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect((await logIn(token)).body).toEqual(refusal)
  })

  it('a user who is disabled', async () => {
    const dora = newPerson()
    const { id } = (await signIn(dora)).body.user
    await api('DELETE', `/api/sys/users/${id}`)
    expect((await signIn(dora)).body).toEqual(refusal)
  })

  it('another account of the provider with the address of somebody, unless the provider has verified it', async () => {
    const frank = newPerson()
    await signIn(frank)
    expect((await signIn({ ...frank, sub: 'someone-else', email_verified: undefined })).body).toEqual(refusal)
    expect((await signIn({ ...frank, sub: 'someone-else' })).status).toBe(200)
  })
})

describe('keys', () => {
  it('that are new are found, those that are gone are not, and nothing else is ever requested', async () => {
    const rotating = await startIdentityProvider()
    const { token } = await otherTenant(service)
    await api('PUT', '/api/sys/settings', { SSO_ISSUER: rotating.issuer, SSO_AUDIENCE: 'w', SSO_JWKS_URL: null }, token)
    // The first tenant is the one of single mode, so the addresses of others are refused; the keys are fetched first.
    expect((await logIn(await rotating.sign({ aud: 'w' }))).status).toBe(401)
    expect(rotating.requests).toEqual(['/.well-known/openid-configuration', '/keys'])
    rotating.keys = [await makeKey('second')]
    for (let attempt = 0; attempt < 5; attempt += 1) await logIn(await rotating.sign({ aud: 'w' }))
    expect(rotating.requests).toHaveLength(2)
    await rotating.stop()
  })
})

describe('a provider of another tenant', () => {
  it('signs in nobody to this one, and no address outside its domains', async () => {
    const mallory = await startIdentityProvider()
    const { token } = await otherTenant(service)
    const settings = { SSO_ISSUER: mallory.issuer, SSO_AUDIENCE: 'workflow' }
    expect((await api('PUT', '/api/sys/settings', settings, token)).status).toBe(200)
    for (const email of [service.admin.email, 'new@acme.test', 'mallory@other.test'])
      expect((await logIn(await mallory.sign({ email, sub: email }))).body).toEqual(refusal)
    const stolen = await provider.sign({ iss: mallory.issuer })
    expect((await logIn(stolen)).body).toEqual(refusal)
    await mallory.stop()
  })
})
