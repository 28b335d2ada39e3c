import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AccountDependencies } from '../../../../../../shared/accounts/dependencies.ts'
import { changeUser } from '../../../../../../shared/accounts/people/change-user.ts'
import { createTenant } from '../../../../../../shared/accounts/people/create-tenant.ts'
import { createUser } from '../../../../../../shared/accounts/people/create-user.ts'
import { findPerson } from '../../../../../../shared/accounts/people/person.ts'
import type { User } from '../../../../../../shared/accounts/people/user.ts'
import {
  type DomainSettings,
  type ExternalIdentity,
  ownsDomain,
} from '../../../../../../shared/accounts/sign-in/providers/identity-claims.ts'
import { RefusedSignIn } from '../../../../../../shared/accounts/sign-in/providers/refused-sign-in.ts'
import { admitExternal, type Authority } from '../../../../../../shared/accounts/sign-in/providers/sign-in-external.ts'
import { maxIdentities } from '../../../../../../shared/kernel/limits/accounts.ts'
import type { Tenant } from '../../../../../../shared/kernel/tenancy.ts'
import { putConfigRow } from '../../../../../../shared/platform/store/config.ts'
import { userKey } from '../../../../../../shared/platform/store/keys/auth.ts'
import { type AccountWorld, openAccountWorld } from '../../../../../make/services/worlds/account-world.ts'

const issuer = 'https://login.test'
const authorities: readonly Authority[] = ['tenant', 'deployment', 'public']
const settings: DomainSettings = { APP_MODE: 'saas', SSO_DOMAINS: new Map([['engines.test', 'engines']]) }
const deleteAt = '2026-12-20T08:00:00.000Z'
let world: AccountWorld
let engines: Tenant
let made = 0
let subject: string
beforeAll(async () => {
  world = await openAccountWorld()
  engines = (await createTenant(world.accounts, { slug: 'engines', name: 'Engines' })).tenant
})
afterAll(() => world?.single.close())
beforeEach(() => {
  subject = `subject${(made += 1)}`
})

const own = () => `${subject}@engines.test`
const foreign = () => `${subject}@elsewhere.test`
const makeUser = (tenant: Tenant, email: string, emailVerified = true): Promise<User> =>
  createUser(world.accounts, tenant, { name: 'Grace', email, roles: ['user'], emailVerified })
const admit = (
  email: string,
  {
    authority = 'deployment',
    tenant = engines,
    accounts = world.accounts,
    ...more
  }: { authority?: Authority; tenant?: Tenant; accounts?: AccountDependencies } & Partial<ExternalIdentity> = {},
) => {
  const identity: ExternalIdentity = { issuer, subject, email, name: 'Grace', emailVerified: undefined, ...more }
  return admitExternal({ ...accounts, settings }, tenant, identity, authority)
}
const personOf = (email: string) => findPerson(world.accounts.store, email)
const identity = (one: string) => ({ issuer, subject: one })

describe.each(authorities)('somebody for whom the provider of the %s vouches', (authority) => {
  it('with an address of the tenant gets an account there, of a role that administers nothing', async () => {
    const { user, person } = await admit(own(), { authority })
    expect([user.roles, user.isActive]).toEqual([['user'], true])
    expect(person).toMatchObject({ email: own(), emailVerified: true, passwordHash: null })
    expect(person.identities).toEqual([identity(subject)])
    expect((await admit(own(), { authority })).user.id).toBe(user.id)
  })

  it('with another address gets none', async () => {
    await expect(admit(foreign(), { authority })).rejects.toThrow('no verified domain')
    await makeUser(world.tenant, foreign())
    await expect(admit(foreign(), { authority })).rejects.toThrow('no verified domain')
    expect((await personOf(foreign()))?.memberships).toHaveLength(1)
  })

  it('as a member with another address is signed in, but not by the provider that the tenant chose', async () => {
    const { id } = await makeUser(engines, foreign())
    const entered = await admit(foreign(), { authority }).then(
      ({ user }) => user.id,
      (error: Error) => error.message,
    )
    expect(entered).toBe(authority === 'tenant' ? 'the address is in no verified domain of the tenant' : id)
  })

  it('is refused when the provider says that the address is not verified', async () => {
    await makeUser(engines, own())
    await expect(admit(own(), { authority, emailVerified: false })).rejects.toThrow('has not verified the address')
  })

  it('joins with the account of another tenant only when its address was verified before', async () => {
    await makeUser(world.tenant, own(), false)
    await expect(admit(own(), { authority, emailVerified: true })).rejects.toThrow('address of the account')
    expect(await personOf(own())).toMatchObject({ identities: [], emailVerified: false })

    subject += 'b'
    await makeUser(world.tenant, own())
    expect((await admit(own(), { authority })).user.roles).toEqual(['user'])
    expect((await personOf(own()))?.memberships.map(({ tenantId }) => tenantId)).toEqual([world.tenant.id, engines.id])
  })

  it('is refused as a disabled user', async () => {
    const { id } = await makeUser(engines, own())
    await changeUser(world.accounts, engines, id, () => ({ isActive: false }))
    await expect(admit(own(), { authority })).rejects.toThrow('disabled')
  })

  it('gets no account in a tenant that is deleted; members may still enter, as far as its state lets them', async () => {
    const deleted = { ...engines, deleteAt }
    await expect(admit(own(), { authority, tenant: deleted })).rejects.toThrow('the tenant is deleted')
    expect(await personOf(own())).toBeUndefined()
    const { id } = await makeUser(engines, own())
    expect((await admit(own(), { authority, tenant: deleted })).user.id).toBe(id)
  })

  it('gets a session that is good for this tenant only, when the tenant chose the provider', async () => {
    expect((await admit(own(), { authority })).kind).toBe(
      authority === 'tenant' ? 'tenant_session' : 'provider_session',
    )
  })
})

describe('the account that has an address', () => {
  it('is linked by the first sign-in, so that no other account of the provider gets in without a proof', async () => {
    await makeUser(engines, own())
    await admit(own())
    expect((await personOf(own()))?.identities).toEqual([identity(subject)])
    await expect(admit(own(), { subject: 'other' })).rejects.toThrow('another account of the provider')
    expect((await admit(own(), { subject: 'other', emailVerified: true })).person.identities).toEqual([
      identity(subject),
      identity('other'),
    ])
    expect((await admit(own())).person.identities).toHaveLength(2)
  })

  it('of one provider is linked to the account of another, which has the same subject or not', async () => {
    await makeUser(engines, own())
    await admit(own())
    for (const second of [subject, 'other'])
      expect(
        (await admit(own(), { issuer: `https://${second}.test`, subject: second })).person.identities,
      ).toContainEqual({ issuer: `https://${second}.test`, subject: second })
  })

  it('is changed by its first sign-in only', async () => {
    await makeUser(engines, own())
    const { version } = (await admit(own())).person
    await admit(own())
    expect((await personOf(own()))?.version).toBe(version)
  })

  it.each([
    [true, true],
    [undefined, false],
  ])('counts as verified when the provider has verified the address: %s', async (emailVerified, expected) => {
    await makeUser(engines, own(), false)
    expect((await admit(own(), { emailVerified })).person.emailVerified).toBe(expected)
    expect((await personOf(own()))?.emailVerified).toBe(expected)
  })

  it('keeps the last accounts of providers', async () => {
    await makeUser(engines, own())
    for (let n = 0; n <= maxIdentities; n += 1) await admit(own(), { subject: `s${n}`, emailVerified: true })
    const { identities = [] } = (await personOf(own())) ?? {}
    expect([identities.length, identities[0], identities.at(-1)]).toEqual([
      maxIdentities,
      identity('s1'),
      identity(`s${maxIdentities}`),
    ])
  })

  it('is the one that another sign-in made meanwhile', async () => {
    let other: User | undefined
    const accounts = world.overtaken(async () => (other = (await admit(own())).user))
    expect((await admit(own(), { accounts })).user.id).toBe(other?.id)
    expect((await personOf(own()))?.memberships).toHaveLength(1)
  })

  it('is linked as another request has just changed it', async () => {
    await makeUser(engines, own())
    const accounts = world.overtaken(() => admit(own(), { issuer: 'https://faster.test' }))
    const { identities } = (await admit(own(), { accounts })).person
    expect(identities).toEqual([{ issuer: 'https://faster.test', subject }, identity(subject)])
  })

  it('whose user is gone signs in nobody', async () => {
    const { id } = await makeUser(engines, own())
    await world.accounts.store.write(engines, { remove: userKey(engines, id) })
    await expect(admit(own())).rejects.toThrow(RefusedSignIn)
  })
})

it('makes nobody an administrator, also when that is the role of new users', async () => {
  const { tenant } = await createTenant(world.accounts, { slug: `works${made}`, name: 'Works' })
  const row = { name: 'DEFAULT_ROLE', version: 1, doc: 'admin' }
  const audit = { userId: 0, at: deleteAt }
  await world.accounts.config.change(tenant, [putConfigRow(tenant, 'SETTING', row, null, audit)], () => new Error())
  const { user } = await admitExternal(
    { ...world.accounts, settings: { ...settings, SSO_DOMAINS: new Map([['engines.test', tenant.slug]]) } },
    tenant,
    { issuer, subject, email: own(), name: 'Grace', emailVerified: true },
    'deployment',
  )
  expect(user.roles).toEqual(['user'])
})

describe('a verified domain', () => {
  const owns = (given: DomainSettings, tenant: Tenant, email: string) =>
    ownsDomain(world.accounts.store, given, tenant, email)
  const domains = new Map([['engines.test', 'engines']])

  it.each<[string, DomainSettings, string, boolean, boolean]>([
    ['one tenant, no domains named', { APP_MODE: 'single' }, 'ada@any.test', true, false],
    ['one tenant, domains named', { APP_MODE: 'single', SSO_DOMAINS: domains }, 'ada@any.test', false, false],
    ['one tenant, its domain', { APP_MODE: 'single', SSO_DOMAINS: domains }, 'ada@engines.test', false, true],
    ['several tenants, no domains named', { APP_MODE: 'saas' }, 'ada@any.test', false, false],
    ['several tenants, domains named', { APP_MODE: 'saas', SSO_DOMAINS: domains }, 'ada@any.test', false, false],
    ['several tenants, a domain of one', { APP_MODE: 'saas', SSO_DOMAINS: domains }, 'ada@engines.test', false, true],
    ['a domain below', { APP_MODE: 'saas', SSO_DOMAINS: domains }, 'ada@sub.engines.test', false, false],
    ['an @ in front', { APP_MODE: 'saas', SSO_DOMAINS: domains }, '"ada@engines.test"@evil.test', false, false],
  ])('with %s', async (_, given, email, isOfFirst, isOfSecond) => {
    expect([await owns(given, world.tenant, email), await owns(given, engines, email)]).toEqual([isOfFirst, isOfSecond])
  })
})
