import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../../shared/accounts/people/create-user.ts'
import { findPerson } from '../../../shared/accounts/people/person.ts'
import { findTenantBySlug } from '../../../shared/accounts/tenants/find-tenant.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { otherTenant } from '../../make/builders/people.ts'
import { type IdentityProvider, startIdentityProvider } from '../../make/services/servers/identity-provider.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let deployment: IdentityProvider
let own: IdentityProvider
let engines: Tenant
const refusal = { success: false, code: 'sign_in_refused', message: 'The sign-in was refused.' }

/** A service in SaaS mode with two tenants, `acme` and `engines`, of which the latter has a provider. */
beforeAll(async () => {
  deployment = await startIdentityProvider()
  own = await startIdentityProvider()
  service = await startService({
    appMode: 'saas',
    parameters: {
      PublicUrl: 'https://api.engines.test',
      SsoIssuer: deployment.issuer,
      SsoAudience: 'workflow',
      SsoDomains: 'engines.test=engines,motors.test=engines,acme.test=acme',
    },
  })
  const { token } = await otherTenant(service, 'engines')
  engines = (await findTenantBySlug(service.store, 'engines')) as Tenant
  const body = {
    SSO_ISSUER: own.issuer,
    SSO_AUDIENCE: 'workflow',
    OAUTH_GOOGLE_ISSUER: own.issuer,
    OAUTH_GOOGLE_CLIENT_ID: 'workflow',
    OAUTH_GOOGLE_CLIENT_SECRET: 'between the two of them',
  }
  await service.api('PUT', '/api/sys/settings', { token, body })
})
afterAll(async () => {
  await service.stop()
  await Promise.all([deployment.stop(), own.stop()])
})

const signIn = async (provider: IdentityProvider, email: string, claims: object = {}) =>
  service.api('POST', '/api/login-sso', { body: { token: await provider.sign({ email, sub: email, ...claims }) } })
const makePerson = (tenant: { readonly id: number }, email: string, emailVerified: boolean) =>
  createUser({ store: service.store, clock }, tenant, {
    name: 'Ann',
    email,
    password: 'brass gears 1843',
    roles: ['user'],
    emailVerified,
  })

describe('the provider of a tenant', () => {
  it.each(['ada@engines.test', 'bob@MOTORS.test'])('signs in %s, of a verified domain', async (email) => {
    const { status, body } = await signIn(own, email)
    expect([status, body.tenant]).toEqual([200, { slug: 'engines', name: 'engines' }])
  })

  it.each(['ada@acme.test', 'ada@sub.engines.test', 'ada@engines.test.evil', 'grace@acme.test', 'ada@gmail.com'])(
    'refuses %s, of no verified domain of its own',
    async (email) => {
      expect((await signIn(own, email)).body).toEqual(refusal)
    },
  )

  it('refuses even members with another address', async () => {
    await makePerson(engines, 'member@elsewhere.test', true)
    expect((await signIn(own, 'member@elsewhere.test')).body).toEqual(refusal)
  })

  it('adds people of other tenants only when their address was verified before', async () => {
    await makePerson({ id: 1 }, 'eve@engines.test', false)
    expect((await signIn(own, 'eve@engines.test')).body).toEqual(refusal)
    await makePerson({ id: 1 }, 'kim@engines.test', true)
    expect((await signIn(own, 'kim@engines.test')).body.tenant.slug).toBe('engines')
    expect((await findPerson(service.store, 'kim@engines.test'))?.memberships).toHaveLength(2)
  })
})

describe('the provider of the deployment', () => {
  it('signs in to the tenant of the domain, and members to the one they used last', async () => {
    expect((await signIn(deployment, 'carl@acme.test')).body.tenant.slug).toBe('acme')
    expect((await signIn(deployment, 'dora@engines.test')).body.tenant.slug).toBe('engines')
    await makePerson(engines, 'guest@elsewhere.test', false)
    const { status, body } = await signIn(deployment, 'guest@elsewhere.test')
    expect([status, body.tenant.slug]).toEqual([200, 'engines'])
  })

  it('refuses strangers of no domain', async () => {
    expect((await signIn(deployment, 'nobody@elsewhere.test')).body).toEqual(refusal)
  })
})

describe('in SaaS mode', () => {
  it('a sign-in with the browser keeps its cookie with the host, where the API has https', async () => {
    const { status, headers } = await service.api('GET', '/api/auth/google/redirect?tenant=engines')
    const { origin, searchParams } = new URL(headers.get('location') as string)
    expect([status, origin, searchParams.get('redirect_uri')]).toEqual([
      302,
      own.issuer,
      'https://api.engines.test/api/auth/google/callback',
    ])
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-sign-in=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  it('a sign-in with the browser names the company', async () => {
    const { status, body } = await service.api('GET', '/api/auth/google/redirect')
    expect([status, Object.keys(body.errors)]).toEqual([422, ['tenant']])
  })
})
