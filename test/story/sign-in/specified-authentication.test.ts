/** The endpoints of the specification's "Authentication and users", and each statement of its "Authentication". */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { openBrowser } from '../../make/services/servers/browser.ts'
import { type IdentityProvider, startIdentityProvider } from '../../make/services/servers/identity-provider.ts'
import { client, type OpenIdServer, startOpenIdServer } from '../../make/services/servers/openid-server.ts'
import { startService, type TestService } from '../../make/services/service.ts'

const password = 'brass gears 1843'
const person = { name: 'Ada Lovelace', password, password_confirmation: password }
const token = expect.stringMatching(/^\d+\|[A-Za-z0-9_-]{43}$/)
/** A login result, at the top level and again in `data`. */
const loginResult = (email: string, roles: string[], slug = 'acme') => {
  const result = {
    token,
    user: { id: expect.any(Number), name: expect.any(String), email, roles },
    tenant: { slug, name: expect.any(String) },
  }
  return { success: true, message: expect.any(String), ...result, data: result }
}

let service: TestService
let provider: IdentityProvider
let openId: OpenIdServer
const api = (method: string, path: string, body?: unknown, as = service.admin.token) =>
  service.api(method, path, { token: as, body })
const open = (method: string, path: string, body?: unknown) => service.api(method, path, { body })
const invite = async (email: string, roles = ['user']): Promise<string> =>
  (await api('POST', '/api/tenant/invite', { email, roles })).body.data.token

beforeAll(async () => {
  provider = await startIdentityProvider()
  service = await startService({ registration: 'open' })
  openId = await startOpenIdServer(service.url, {
    bob: { email: 'bob@acme.test', email_verified: true, name: 'Bob' },
  })
  const { status, body } = await api('PUT', '/api/sys/settings', {
    SSO_ISSUER: provider.issuer,
    SSO_AUDIENCE: 'workflow',
    SSO_JWKS_URL: provider.jwksUrl,
    OAUTH_GOOGLE_ISSUER: openId.issuer,
    OAUTH_GOOGLE_CLIENT_ID: client.id,
    OAUTH_GOOGLE_CLIENT_SECRET: client.secret,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
})
afterAll(async () => {
  await service?.stop()
  await openId?.stop()
  await provider?.stop()
})

describe('the endpoints of the specification', () => {
  it('POST /api/login-local', async () => {
    const { status, body } = await open('POST', '/api/login-local', {
      email: service.admin.email,
      password: service.admin.password,
    })
    expect([status, body]).toEqual([200, loginResult(service.admin.email, ['admin'])])
  })

  it('POST /api/login-sso', async () => {
    const external = await provider.sign({ sub: 'sso', email: 'sso@acme.test', name: 'Sam' })
    const { status, body } = await open('POST', '/api/login-sso', { token: external })
    expect([status, body]).toEqual([200, loginResult('sso@acme.test', ['user'])])
  })

  it('GET /api/auth/{provider}/redirect and /callback', async () => {
    const browser = openBrowser()
    const page = await browser.go(`${service.url}/api/auth/google/redirect`)
    const { status, body } = await browser.go(`${page.url}?as=bob`)
    expect([status, body]).toEqual([200, loginResult('bob@acme.test', ['user'])])
  })

  it('POST /api/register', async () => {
    const { status, body } = await open('POST', '/api/register', { ...person, email: 'ada@acme.test' })
    expect([status, body]).toEqual([201, loginResult('ada@acme.test', ['user'])])
  })

  it('POST /api/tenant/invite', async () => {
    const { status, body } = await api('POST', '/api/tenant/invite', { email: 'Eve@acme.test', roles: ['user'] })
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.any(Number),
        email: 'eve@acme.test',
        roles: ['user'],
        token: expect.stringMatching(/^[\w-]{43}$/),
        url: expect.stringContaining(body.data.token),
        expires_at: expect.any(String),
      },
    ])
  })

  it('GET /api/join/{token}', async () => {
    const { status, body } = await open('GET', `/api/join/${await invite('fay@acme.test')}`)
    expect([status, body.data]).toMatchObject([
      200,
      {
        email: 'fay@acme.test',
        roles: ['user'],
        tenant: { slug: 'acme', name: 'Acme Ltd' },
        invited_by: 'Grace Hopper',
      },
    ])
  })

  it('POST /api/join/{token}', async () => {
    const { status, body } = await open('POST', `/api/join/${await invite('gus@acme.test')}`, person)
    expect([status, body]).toEqual([201, loginResult('gus@acme.test', ['user'])])
  })

  it('POST /api/logout', async () => {
    const made = await userWith(service, [])
    expect((await api('POST', '/api/logout', undefined, made.token)).status).toBe(200)
  })

  it('POST /api/impersonate/{user_id}', async () => {
    const { id } = await userWith(service, [])
    const { status, body } = await api('POST', `/api/impersonate/${id}`)
    expect([status, body]).toMatchObject([
      200,
      { token, user: { id }, impersonator: { id: service.admin.userId, name: 'Grace Hopper' } },
    ])
  })

  it('GET /api/user', async () => {
    const { status, body } = await api('GET', '/api/user')
    expect([status, body.data]).toMatchObject([
      200,
      { id: service.admin.userId, roles: ['admin'], permissions: ['*'], tenant: { slug: 'acme' } },
    ])
  })
})

describe('the statements of the specification', () => {
  it('1: access tokens are bearer tokens of the form <number>|<secret>', async () => {
    const { body } = await open('POST', '/api/register', { ...person, email: 'one@acme.test' })
    const ask = (authorization: string) => service.api('GET', '/api/user', { headers: { authorization } })
    expect((await ask(`Bearer ${body.token}`)).status).toBe(200)
    const [number, secret] = body.token.split('|')
    for (const wrong of [
      `Basic ${body.token}`,
      body.token,
      `Bearer ${secret}`,
      `Bearer ${Number(number) + 1}|${secret}`,
    ])
      expect((await ask(wrong)).status).toBe(401)
  })

  it('2: a login by single sign-on creates the user, and maps groups to organisational units', async () => {
    const unit = (await api('POST', '/api/e/sys_org_units', { name: 'Support' })).body.data.id
    expect((await api('POST', '/api/sys/auth-mappings', { group: 'desk', org_unit_id: unit })).status).toBe(201)
    const external = await provider.sign({ sub: 'two', email: 'two@acme.test', groups: ['desk', 'unknown'] })
    const login = await open('POST', '/api/login-sso', { token: external })
    const me = await api('GET', '/api/user', undefined, login.body.token)
    expect([me.body.data.email, me.body.data.org_units]).toEqual(['two@acme.test', [unit]])
  })

  it('3: the browser is redirected to the provider and returns; an unknown e-mail gets an account', async () => {
    const answer = await fetch(`${service.url}/api/auth/google/redirect`, { redirect: 'manual' })
    const location = new URL(answer.headers.get('location') as string)
    expect([answer.status, location.origin]).toEqual([302, new URL(openId.issuer).origin])
    expect(location.searchParams.get('redirect_uri')).toBe(`${service.url}/api/auth/google/callback`)
    const users = await api('GET', '/api/sys/users?per_page=100')
    expect(users.body.data.map(({ email }: { email: string }) => email)).toContain('bob@acme.test')
  })

  it('4: registration requires the confirmation of the password; company and slug only in SaaS mode', async () => {
    const { password_confirmation: _left, ...without } = person
    const { status, body } = await open('POST', '/api/register', { ...without, email: 'four@acme.test' })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['password_confirmation', 'password']])
    const saas = await startService({ appMode: 'saas' })
    try {
      const given = { ...person, email: 'four@saas.test' }
      const refused = await saas.api('POST', '/api/register', { body: given })
      expect([refused.status, Object.keys(refused.body.errors).sort()]).toEqual([422, ['company_name', 'slug']])
      const made = await saas.api('POST', '/api/register', { body: { ...given, company_name: 'Four', slug: 'four' } })
      expect([made.status, made.body]).toEqual([201, loginResult('four@saas.test', ['admin'], 'four')])
    } finally {
      await saas.stop()
    }
  })

  it('5: an invitation with e-mail and roles is read publicly and accepted with the token in the path', async () => {
    const secret = await invite('five@acme.test', ['user', 'admin'])
    expect((await open('GET', `/api/join/${secret}`)).body.data.roles).toEqual(['user', 'admin'])
    const accepted = await open('POST', `/api/join/${secret}`, person)
    expect([accepted.status, accepted.body]).toEqual([201, loginResult('five@acme.test', ['user', 'admin'])])
    expect((await open('POST', `/api/join/${secret}`, person)).status).toBe(404)
    const { token: plain } = await userWith(service, ['*'])
    const refused = await api('POST', '/api/tenant/invite', { email: 'x@acme.test', roles: ['user'] }, plain)
    expect(refused.status).toBe(403)
  })

  it('6: logout invalidates the token', async () => {
    const made = await userWith(service, [])
    await api('POST', '/api/logout', undefined, made.token)
    expect((await api('GET', '/api/user', undefined, made.token)).status).toBe(401)
  })

  it('7: only administrators impersonate, with a token that acts as the user', async () => {
    const [one, other] = [await userWith(service, []), await userWith(service, [])]
    const { body } = await api('POST', `/api/impersonate/${one.id}`)
    expect((await api('GET', '/api/user', undefined, body.token)).body.data.id).toBe(one.id)
    expect((await api('POST', `/api/impersonate/${one.id}`, undefined, other.token)).status).toBe(403)
  })

  it('8: GET /api/user verifies a token', async () => {
    expect((await open('GET', '/api/user')).status).toBe(401)
    expect((await api('GET', '/api/user', undefined, `1|${'x'.repeat(43)}`)).status).toBe(401)
    expect((await api('GET', '/api/user')).status).toBe(200)
  })

  it('9: permissions have the form <table>.<action>, and the role admin passes', async () => {
    await makeTable(service, 'lamps', [{ name: 'title', type: 'text' }])
    const [reader, maker] = [await userWith(service, ['lamps.read']), await userWith(service, ['lamps.create'])]
    const make = (as: string) => api('POST', '/api/e/lamps', { title: 'Desk' }, as)
    expect([(await make(reader.token)).status, (await make(maker.token)).status]).toEqual([403, 201])
    expect((await make(service.admin.token)).status).toBe(201)
  })
})
