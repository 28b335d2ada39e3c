import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeUser } from '../../../../../shared/accounts/people/change-user.ts'
import { createTenant } from '../../../../../shared/accounts/people/create-tenant.ts'
import { createUser } from '../../../../../shared/accounts/people/create-user.ts'
import { joinTenant } from '../../../../../shared/accounts/people/membership/change-membership.ts'
import { findPerson, type Person } from '../../../../../shared/accounts/people/person.ts'
import type { User } from '../../../../../shared/accounts/people/user.ts'
import { createAuthentication } from '../../../../../shared/accounts/sessions/authentication.ts'
import { issueToken, type SessionStart } from '../../../../../shared/accounts/sessions/issue-token.ts'
import { endOtherSessions, endSession, listSessions } from '../../../../../shared/accounts/sessions/own-sessions.ts'
import { impersonate } from '../../../../../shared/accounts/sign-in/impersonate.ts'
import { logIn, type LoginResult } from '../../../../../shared/accounts/sign-in/login.ts'
import { switchTenant } from '../../../../../shared/accounts/sign-in/switch-tenant.ts'
import type { Caller } from '../../../../../shared/kernel/principal.ts'
import type { Tenant } from '../../../../../shared/kernel/tenancy.ts'
import { tenantKey } from '../../../../../shared/platform/store/keys/auth.ts'
import { deploymentWide } from '../../../../../shared/platform/store/store.ts'
import { type AccountWorld, openAccountWorld } from '../../../../make/services/worlds/account-world.ts'

const password = 'a compiler of 1952'
let world: AccountWorld
let made = 0
let email: string
let first: Tenant
let second: Tenant
let inFirst: User
let inSecond: User
beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world?.single.close())
/** A person who is a user of the first tenant, and an administrator of the second, which was joined last. */
beforeEach(async () => {
  email = `grace${(made += 1)}@acme.test`
  first = (await createTenant(world.accounts, { slug: `first${made}`, name: 'First' })).tenant
  second = (await createTenant(world.accounts, { slug: `second${made}`, name: 'Second' })).tenant
  inFirst = await createUser(world.accounts, first, { name: 'Grace', email, password, roles: ['user'] })
  const person = (await findPerson(world.accounts.store, email)) as Person
  inSecond = await joinTenant(world.accounts, second, person, { roles: ['admin'] })
})

const enter = (more: { tenant?: string; password?: string; email?: string } = {}) =>
  logIn(world.accounts, { email, password, sourceIp: `192.0.2.${made}`, ...more })
const slugOf = (entered: Promise<unknown>) =>
  entered.then(
    (result) => (result as LoginResult).tenant.slug,
    (error: { code: string }) => error.code,
  )
const disable = ({ id }: { id: number }, tenant: Tenant) =>
  changeUser(world.accounts, tenant, id, () => ({ isActive: false }))
/** Marks a tenant as deleted. */
const deleteTenant = (tenant: Tenant, deleteAt = '2099-12-20T08:00:00.000Z') =>
  world.accounts.store.write(deploymentWide, {
    update: tenantKey(tenant),
    change: { expression: 'SET delete_at = :at', values: { ':at': deleteAt } },
  })
const callerOf = async (token: string): Promise<Caller> =>
  (await createAuthentication(world.accounts)(`Bearer ${token}`, () => [])).caller
const session = async (tenant: Tenant, user: User, start?: SessionStart) =>
  callerOf(await issueToken(world.accounts, { tenant, user }, start))

describe('a login', () => {
  it('enters the tenant joined or used last, or the one that it names, which is then the last', async () => {
    expect(await slugOf(enter())).toBe(second.slug)
    expect(await slugOf(enter({ tenant: first.slug }))).toBe(first.slug)
    expect(await slugOf(enter())).toBe(first.slug)
  })

  it('is for the tenant that it names only', async () => {
    await createUser(world.accounts, second, { name: 'Ada', email: `ada${made}@acme.test`, roles: ['admin'] })
    await disable(inSecond, second)
    expect(await slugOf(enter({ tenant: second.slug }))).toBe('wrong_credentials')
    expect(await slugOf(enter())).toBe(first.slug)
  })

  it.each([
    ['a wrong password', () => ({ password: 'not the password' })],
    ['an unknown address', () => ({ email: 'nobody@acme.test' })],
    ['an unknown tenant', () => ({ tenant: 'nowhere' })],
    ['a tenant of others', () => ({ tenant: world.tenant.slug })],
    ['an unknown address and a tenant', () => ({ email: 'nobody@acme.test', tenant: first.slug })],
  ])('is refused alike with %s', async (_, more) => {
    expect(await slugOf(enter(more()))).toBe('wrong_credentials')
  })

  it('enters a living tenant rather than a deleted one', async () => {
    await deleteTenant(second)
    expect(await slugOf(enter())).toBe(first.slug)
  })

  it('enters a deleted tenant that the person may restore, when there is no other', async () => {
    await enter({ tenant: first.slug })
    await Promise.all([deleteTenant(first), deleteTenant(second)])
    expect(await slugOf(enter())).toBe(second.slug)
    expect(await slugOf(enter({ tenant: first.slug }))).toBe('tenant_deleted')
  })

  it('enters no tenant whose removal is due', async () => {
    await Promise.all([deleteTenant(first), deleteTenant(second, '2026-01-01T00:00:00.000Z')])
    expect(await slugOf(enter())).toBe('tenant_deleted')
  })
})

describe('a session that enters another tenant', () => {
  const change = async (caller: Caller, slug: string) => switchTenant(world.accounts, caller, slug, undefined)

  it.each(['session', 'provider_session'] as const)('stays a %s', async (kind) => {
    const { token, tenant } = await change(await session(first, inFirst, { kind }), second.slug)
    expect(tenant.slug).toBe(second.slug)
    expect(await callerOf(token)).toMatchObject({ userId: inSecond.id, tokenKind: kind, isAdministrator: true })
  })

  it('gets into no tenant of others, none that does not exist, and none where the user is disabled', async () => {
    const caller = await session(second, inSecond)
    await disable(inFirst, first)
    for (const slug of [world.tenant.slug, 'nowhere', first.slug])
      await expect(change(caller, slug)).rejects.toMatchObject({ errors: { tenant: [expect.any(String)] } })
  })

  it('is none of a program, nor of a person whose account is gone', async () => {
    for (const other of [null, 'nobody@acme.test'])
      await expect(change({ ...(await session(first, inFirst)), email: other }, second.slug)).rejects.toMatchObject({
        errors: { tenant: [expect.any(String)] },
      })
  })
})

describe('an administrator who acts as another user', () => {
  const actAs = (caller: Caller, id: number) => impersonate(world.accounts, caller, id, undefined)
  const refused = { code: 'impersonation_refused' }

  it('gets a session that names both', async () => {
    const user = await createUser(world.accounts, second, {
      name: 'Ada',
      email: `ada${made}@acme.test`,
      roles: ['user'],
    })
    const { token, impersonator } = await actAs(await session(second, inSecond), user.id)
    expect(impersonator).toEqual({ id: inSecond.id, name: 'Grace' })
    expect(await callerOf(token)).toMatchObject({
      userId: user.id,
      impersonatorId: inSecond.id,
      isAdministrator: false,
    })
  })

  it('is refused for itself, for another administrator, a disabled user, nobody, and as no administrator', async () => {
    const make = (name: string, roles: string[]) =>
      createUser(world.accounts, second, { name, email: `${name}${made}@acme.test`, roles })
    const [other, user, gone] = [
      await make('boss', ['admin']),
      await make('ada', ['user']),
      await make('eve', ['user']),
    ]
    await disable(gone, second)
    const caller = await session(second, inSecond)
    for (const id of [inSecond.id, other.id, gone.id, 999_999])
      await expect(actAs(caller, id)).rejects.toMatchObject(refused)
    await expect(actAs(await session(second, user), gone.id)).rejects.toMatchObject(refused)
    await expect(actAs({ ...caller, userId: 999_999 }, user.id)).rejects.toMatchObject(refused)
  })
})

describe("one's own sessions", () => {
  const list = async (caller: Caller) =>
    (await listSessions(world.accounts, caller, { page: 1, per_page: 50 } as never)).items.map(({ id, is_current }) => [
      id,
      is_current,
    ])

  it('are those of all tenants, but of one tenant only for a session that is good for one', async () => {
    const [here, there] = [await session(first, inFirst), await session(second, inSecond)]
    const confined = await session(first, inFirst, { kind: 'tenant_session' })
    expect((await list(here)).toSorted()).toEqual(
      [
        [here.tokenNumber, true],
        [there.tokenNumber, false],
        [confined.tokenNumber, false],
      ].toSorted(),
    )
    expect((await list(confined)).map(([id]) => id).toSorted()).toEqual(
      [here.tokenNumber, confined.tokenNumber].toSorted(),
    )
    await expect(endSession(world.accounts, confined, there.tokenNumber)).rejects.toMatchObject({
      code: 'session_not_found',
    })
    await endSession(world.accounts, here, there.tokenNumber)
    expect(await list(here)).toHaveLength(2)
  })

  it('of others are not ended, nor an administrator who acts as the person', async () => {
    const caller = await session(first, inFirst)
    const ada = await createUser(world.accounts, first, { name: 'Ada', email: `ada${made}@acme.test`, roles: ['user'] })
    const hers = await session(first, ada)
    const acting: SessionStart = { kind: 'impersonation', impersonator: world.administrator }
    const token = await issueToken(world.accounts, { tenant: first, user: inFirst }, acting)
    for (const id of [hers.tokenNumber, Number(token.split('|')[0])])
      await expect(endSession(world.accounts, caller, id)).rejects.toMatchObject({ code: 'session_not_found' })
    await endOtherSessions(world.accounts, caller)
    expect(await list(caller)).toEqual([[caller.tokenNumber, true]])
    expect(await list(hers)).toEqual([[hers.tokenNumber, true]])
  })
})
