import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../../shared/accounts/people/create-user.ts'
import { joinTenant } from '../../../shared/accounts/people/membership/change-membership.ts'
import { findPerson } from '../../../shared/accounts/people/person.ts'
import { findUser } from '../../../shared/accounts/people/user.ts'
import { signIn } from '../../../shared/accounts/sign-in/login.ts'
import { findTenantBySlug } from '../../../shared/accounts/tenants/find-tenant.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let acme: Tenant
let engines: { token: string; tenant: Tenant }
beforeAll(async () => {
  service = await sharedService()
  acme = (await findTenantBySlug(service.store, service.tenant.slug)) as Tenant
  const { token } = await otherTenant(service, 'sessions-engines')
  engines = { token, tenant: (await findTenantBySlug(service.store, 'sessions-engines')) as Tenant }
})
afterAll(() => service.stop())

const password = 'brass gears 1843'
const accounts = () => ({ store: service.store, clock })
const me = (token: string) => service.api('GET', '/api/user', { token })
const switchTo = (token: string, tenant: string) => service.api('POST', '/api/user/switch', { token, body: { tenant } })
const sessionsOf = (token: string) => service.api('GET', '/api/user/sessions', { token })

let count = 0
/** A person who belongs to acme and engines, and is signed in to acme. */
async function personOfBoth() {
  const email = `session${(count += 1)}@${service.tenant.slug}.test`
  const here = await createUser(accounts(), acme, { name: 'Ada', email, password, roles: ['user'] })
  const there = await joinTenant(accounts(), engines.tenant, (await findPerson(service.store, email))!, { roles: [] })
  return { email, here, there, token: await logIn(email, { tenant: service.tenant.slug }) }
}

async function logIn(email: string, more: object = {}, userAgent = 'test'): Promise<string> {
  const answer = await service.api('POST', '/api/login-local', {
    body: { email, password, ...more },
    headers: { 'user-agent': userAgent },
  })
  expect(answer.status).toBe(200)
  return answer.body.token
}

describe('a person of several companies', () => {
  it('sees them in GET /api/user, without those that disabled the person', async () => {
    const { token, there } = await personOfBoth()
    const both = [
      { slug: service.tenant.slug, name: 'Acme Ltd' },
      { slug: 'sessions-engines', name: 'sessions-engines' },
    ]
    expect((await me(token)).body.data.tenants).toEqual(both)
    await service.api('DELETE', `/api/sys/users/${there.id}`, { token: engines.token })
    expect((await me(token)).body.data.tenants).toEqual(both.slice(0, 1))
  })

  it('switches to another one, keeps the old token, and enters it at the next login', async () => {
    const { email, here, there, token } = await personOfBoth()
    const switched = await switchTo(token, 'sessions-engines')
    expect(switched.status).toBe(200)
    expect(switched.body).toMatchObject({ tenant: { slug: 'sessions-engines' }, user: { id: there.id, email } })
    expect(switched.body.data.token).toBe(switched.body.token)
    expect((await me(switched.body.token)).body.data).toMatchObject({
      id: there.id,
      tenant: { slug: 'sessions-engines' },
    })
    expect((await me(token)).body.data).toMatchObject({ id: here.id, tenant: { slug: service.tenant.slug } })
    expect((await me(await logIn(email))).body.data.tenant.slug).toBe('sessions-engines')
  })

  it('gets the same 422 for a company that does not exist, of others, or where the person is disabled', async () => {
    const { token, there } = await personOfBoth()
    await service.api('DELETE', `/api/sys/users/${there.id}`, { token: engines.token })
    const stranger = (await userWith(service, [])).token
    const unknown = await switchTo(token, 'nowhere')
    expect([unknown.status, unknown.body.errors]).toEqual([
      422,
      { tenant: ['You do not belong to a company with this slug.'] },
    ])
    expect((await switchTo(token, 'sessions-engines')).body).toEqual(unknown.body)
    expect((await switchTo(stranger, 'sessions-engines')).body).toEqual(unknown.body)
  })

  it('stays in one company when the identity provider of that company signed the person in', async () => {
    const { here } = await personOfBoth()
    const user = (await findUser(service.store, acme, here.id))!
    const { token } = await signIn(accounts(), acme, user, { kind: 'tenant_session' })
    expect((await me(token)).body.data.tenants).toEqual([{ slug: service.tenant.slug, name: 'Acme Ltd' }])
    const refused = await switchTo(token, 'sessions-engines')
    expect([refused.status, refused.body.code]).toEqual([403, 'person_required'])
    expect((await switchTo(token, service.tenant.slug)).status).toBe(403)
    const listed = (await sessionsOf(token)).body.data
    expect(new Set(listed.map((one: { tenant: { slug: string } }) => one.tenant.slug))).toEqual(
      new Set([service.tenant.slug]),
    )
  })
})

describe('sessions', () => {
  it('are listed with client, times and company, the one in use marked', async () => {
    const { email, token } = await personOfBoth()
    await logIn(email, { tenant: 'sessions-engines' }, 'curl/8')
    const { status, body } = await sessionsOf(token)
    expect([status, body.meta.total]).toEqual([200, 2])
    const time = expect.stringMatching(/^2\d{3}-\d\d-\d\dT[\d:.]+Z$/)
    expect(body.data).toEqual([
      {
        id: expect.any(Number),
        created_at: time,
        last_used_at: time,
        user_agent: 'curl/8',
        tenant: { slug: 'sessions-engines', name: 'sessions-engines' },
        is_current: false,
      },
      {
        id: Number(token.split('|')[0]),
        created_at: time,
        last_used_at: time,
        user_agent: 'test',
        tenant: { slug: service.tenant.slug, name: 'Acme Ltd' },
        is_current: true,
      },
    ])
    expect(JSON.stringify(body)).not.toContain(token.split('|')[1])
  })

  it('no longer list a session that was signed out or ended by a new password', async () => {
    const { email, token } = await personOfBoth()
    await service.api('POST', '/api/logout', { token: await logIn(email) })
    expect((await sessionsOf(token)).body.meta.total).toBe(1)
    const body = { password: 'another gear 1844', current_password: password }
    expect((await service.api('PUT', '/api/user', { token, body })).status).toBe(200)
    const fresh = await logIn(email, { password: 'another gear 1844' })
    expect((await sessionsOf(fresh)).body.meta.total).toBe(1)
  })

  it('are ended one by one, at once and in every company', async () => {
    const { email, token } = await personOfBoth()
    const far = await logIn(email, { tenant: 'sessions-engines' })
    const end = (id: string | undefined) => service.api('DELETE', `/api/user/sessions/${id}`, { token })
    expect((await end(far.split('|')[0])).status).toBe(204)
    expect([(await me(far)).status, (await me(token)).status]).toEqual([401, 200])
    const again = await end(far.split('|')[0])
    expect([again.status, again.body.code]).toEqual([404, 'session_not_found'])
    expect((await end(token.split('|')[0])).status).toBe(204)
    expect((await me(token)).status).toBe(401)
  })

  it('of somebody else are 404, also for an administrator', async () => {
    const { token } = await personOfBoth()
    const id = token.split('|')[0]
    for (const other of [service.admin.token, engines.token, (await userWith(service, [])).token])
      expect((await service.api('DELETE', `/api/user/sessions/${id}`, { token: other })).status).toBe(404)
    expect((await me(token)).status).toBe(200)
  })

  it('are all ended but the one in use, however many there are', async () => {
    const { email, token } = await personOfBoth()
    const user = (await findUser(service.store, acme, (await me(token)).body.data.id))!
    const many = await Promise.all(Array.from({ length: 64 }, () => signIn(accounts(), acme, user, {})))
    const far = await logIn(email, { tenant: 'sessions-engines' })
    expect((await sessionsOf(token)).body.meta.total).toBe(66)
    expect((await service.api('DELETE', '/api/user/sessions', { token })).status).toBe(204)
    for (const ended of [far, many[0]!.token, many.at(-1)!.token]) expect((await me(ended)).status).toBe(401)
    expect((await sessionsOf(token)).body.data).toMatchObject([{ is_current: true }])
    expect((await service.api('DELETE', '/api/user/sessions', { token })).status).toBe(204)
  })
})
