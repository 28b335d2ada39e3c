import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../../shared/accounts/people/create-user.ts'
import { joinTenant } from '../../../shared/accounts/people/membership/change-membership.ts'
import { findPerson } from '../../../shared/accounts/people/person.ts'
import { findTenantBySlug } from '../../../shared/accounts/tenants/find-tenant.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { otherTenant } from '../../make/builders/people.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let other: { token: string; tenant: Tenant }
beforeAll(async () => {
  service = await sharedService()
  const { token } = await otherTenant(service, 'memberships-engines')
  other = { token, tenant: (await findTenantBySlug(service.store, 'memberships-engines')) as Tenant }
})
afterAll(() => service.stop())

const password = 'brass gears 1843'
const accounts = () => ({ store: service.store, clock })
const logIn = (email: string, more: object = {}) =>
  service.api('POST', '/api/login-local', { body: { email, password, ...more } })

let count = 0
/** A person with a user in both tenants; the second one was joined last. */
async function personOfBoth() {
  const email = `both${(count += 1)}@${service.tenant.slug}.test`
  const here = await createUser(accounts(), service.tenant, { name: 'Ada', email, password, roles: ['user'] })
  const person = await findPerson(service.store, email)
  const there = await joinTenant(accounts(), other.tenant, person!, { roles: ['admin'] })
  return { email, here, there }
}

describe('a person in several tenants', () => {
  it('enters the tenant last used, or the one that the login names', async () => {
    const { email, here, there } = await personOfBoth()
    const first = (await logIn(email)).body
    expect([first.tenant.slug, first.user]).toEqual([
      'memberships-engines',
      { id: there.id, name: 'Ada', email, roles: ['admin'] },
    ])
    const named = (await logIn(email, { tenant: service.tenant.slug })).body
    expect([named.tenant.slug, named.user]).toEqual([
      service.tenant.slug,
      { id: here.id, name: 'Ada', email, roles: ['user'] },
    ])
    expect((await logIn(email)).body.tenant.slug).toBe(service.tenant.slug)
  })

  it('gets the same 401 for an unknown tenant, for one of others and for a disabled membership', async () => {
    const { email, here } = await personOfBoth()
    await service.api('DELETE', `/api/sys/users/${here.id}`, { token: service.admin.token })
    const wrong = await logIn(email, { password: 'a wrong guess' })
    expect(wrong.status).toBe(401)
    for (const tenant of ['nowhere', 'Not a slug!', service.tenant.slug]) {
      const { status, body } = await logIn(email, { tenant })
      expect([tenant, status, body]).toEqual([tenant, 401, wrong.body])
    }
    expect(
      (await logIn(service.admin.email, { password: service.admin.password, tenant: 'memberships-engines' })).status,
    ).toBe(401)
    expect((await logIn(email)).body.tenant.slug).toBe('memberships-engines')
  })

  it('enters another tenant when the one last used has disabled the person', async () => {
    const { email, here, there } = await personOfBoth()
    await service.api('DELETE', `/api/sys/users/${there.id}`, { token: other.token })
    expect((await logIn(email)).body).toMatchObject({ tenant: { slug: service.tenant.slug }, user: { id: here.id } })
  })

  it('takes the same steps for every login that fails, however many tenants the person has', async () => {
    const { email, here } = await personOfBoth()
    const disabled = await personOfBoth()
    const everywhere = [
      [service.admin.token, disabled.here.id],
      [other.token, disabled.there.id],
      [service.admin.token, here.id],
    ] as const
    for (const [token, id] of everywhere) await service.api('DELETE', `/api/sys/users/${id}`, { token })
    const stepsOf = async (body: object) => {
      service.cloud.recordCalls()
      const answer = await service.api('POST', '/api/login-local', { body })
      const { roundTrips, calls } = service.cloud.callsOf(answer.headers.get('apigw-requestid') as string)
      service.cloud.recordCalls(false)
      return [answer.status, answer.body, roundTrips, calls.map(({ operation }) => operation).sort()]
    }
    const unknown = await stepsOf({ email: 'nobody@memberships.test', password })
    expect(unknown[0]).toBe(401)
    expect(await stepsOf({ email, password: 'a wrong guess' })).toEqual(unknown)
    expect(await stepsOf({ email: disabled.email, password })).toEqual(unknown)
    const unknownTenant = await stepsOf({ email, password, tenant: 'nowhere' })
    expect(unknownTenant.slice(0, 2)).toEqual(unknown.slice(0, 2))
    expect(await stepsOf({ email: 'nobody@memberships.test', password, tenant: service.tenant.slug })).toEqual(
      unknownTenant,
    )
    expect(await stepsOf({ email, password, tenant: service.tenant.slug })).toEqual(unknownTenant)
    expect(await stepsOf({ email: service.admin.email, password, tenant: 'memberships-engines' })).toEqual(
      unknownTenant,
    )
  })

  it('has one name and one password, whose change ends the tokens of all tenants', async () => {
    const { email, here, there } = await personOfBoth()
    const token = (await logIn(email, { tenant: service.tenant.slug })).body.token
    const far = (await logIn(email, { tenant: 'memberships-engines' })).body.token
    const body = { name: 'Ada King', locale: 'de', password: 'a much better one', current_password: password }
    expect((await service.api('PUT', '/api/user', { token, body })).status).toBe(200)
    for (const ended of [token, far]) expect((await service.api('GET', '/api/user', { token: ended })).status).toBe(401)
    for (const [asked, id] of [
      [service.admin.token, here.id],
      [other.token, there.id],
    ] as const) {
      const user = (await service.api('GET', `/api/sys/users/${id}`, { token: asked })).body.data
      expect(user).toMatchObject({ name: 'Ada King', locale: 'de', version: 2 })
    }
    expect((await logIn(email)).status).toBe(401)
    expect((await logIn(email, { password: 'a much better one', tenant: 'memberships-engines' })).status).toBe(200)
  })

  it('keeps name, address, password and locale when an administrator of one tenant wants to change them', async () => {
    const { email, here } = await personOfBoth()
    const path = `/api/sys/users/${here.id}`
    const before = (await service.api('GET', path, { token: service.admin.token })).body.data
    const change = (body: object) => service.api('PUT', path, { token: service.admin.token, body })
    const personal = { name: 'Stolen', email: 'stolen@memberships.test', password: 'stolen goods 1', locale: 'xx' }
    const { status, body } = await change(personal)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['name', 'email', 'password', 'locale']])
    expect(body.errors.name).toEqual(['This person also belongs to other companies; only they can change it.'])
    const changed = await change({ ...before, roles: ['admin'] })
    expect([changed.status, changed.body.data.roles]).toEqual([200, ['admin']])
    expect((await logIn(email, { tenant: service.tenant.slug })).status).toBe(200)
  })

  it('cannot join a tenant twice, even at once', async () => {
    const { email } = await personOfBoth()
    const person = (await findPerson(service.store, email))!
    await expect(joinTenant(accounts(), other.tenant, person, { roles: [] })).rejects.toMatchObject({
      errors: { email: ['This person already belongs to this company.'] },
    })
    const fresh = await createUser(accounts(), service.tenant, { name: 'Eve', email: `x${email}`, password, roles: [] })
    const eve = (await findPerson(service.store, fresh.email!))!
    const joined = await Promise.allSettled(
      [1, 2, 3].map(() => joinTenant(accounts(), other.tenant, eve, { roles: [] })),
    )
    expect(joined.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect((await findPerson(service.store, eve.email))?.memberships).toHaveLength(2)
  })

  it('has one address in all tenants, and no second person can get it', async () => {
    const { email } = await personOfBoth()
    const body = { name: 'Second', email, password }
    const taken = await service.api('POST', '/api/sys/users', { token: other.token, body })
    expect([taken.status, taken.body.errors]).toEqual([422, { email: ['The email has already been taken.'] }])
  })
})

describe('a person without a password', () => {
  it('cannot sign in with any password', async () => {
    const email = 'sso-only@memberships.test'
    await createUser(accounts(), service.tenant, { name: 'Only SSO', email, roles: ['user'] })
    for (const guess of ['null', 'undefined', password])
      expect([guess, (await logIn(email, { password: guess })).status]).toEqual([guess, 401])
  })
})
