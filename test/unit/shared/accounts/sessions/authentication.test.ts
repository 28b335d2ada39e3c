import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSecret, tokenIdleMs, tokenLifeMs } from '../../../../../shared/accounts/credentials/token.ts'
import { changeUser, type UserChanges } from '../../../../../shared/accounts/people/change-user.ts'
import { createUser } from '../../../../../shared/accounts/people/create-user.ts'
import type { User } from '../../../../../shared/accounts/people/user.ts'
import { roleObjects } from '../../../../../shared/accounts/roles/administer-roles.ts'
import { createAuthentication, findViewer } from '../../../../../shared/accounts/sessions/authentication.ts'
import { issueToken, revokeToken, type SessionStart } from '../../../../../shared/accounts/sessions/issue-token.ts'
import type { Authenticate } from '../../../../../shared/platform/http/routing/endpoint-group.ts'
import { tenantKey, userKey } from '../../../../../shared/platform/store/keys/auth.ts'
import { deploymentWide } from '../../../../../shared/platform/store/store.ts'
import { type AccountWorld, openAccountWorld, uncheckedRoles } from '../../../../make/services/worlds/account-world.ts'

const hourMs = 3_600_000
let world: AccountWorld
let made = 0
beforeAll(async () => {
  world = await openAccountWorld()
  await roleObjects.create(uncheckedRoles(world.accounts), world.caller, {
    name: 'guarded',
    mfa_required: true,
    permissions: ['cars.read'],
  })
})
afterAll(() => world?.single.close())

const makeUser = async (roles: string[] = ['user']): Promise<User> =>
  createUser(world.accounts, world.tenant, { name: 'Grace', email: `grace${(made += 1)}@acme.test`, roles })
const change = async ({ id }: User, changes: UserChanges) => changeUser(world.accounts, world.tenant, id, () => changes)
const issue = async (user: User, start?: SessionStart) =>
  issueToken(world.accounts, { tenant: world.tenant, user }, start)
const removeRow = async (key: { pk: string; sk: string }) => world.accounts.store.write(deploymentWide, { remove: key })
const authenticate = async (by: Authenticate, token: string) => (await by(`Bearer ${token}`, () => [])).caller

/** A process that meets the token for the first time, and one that has its owner cached. */
describe.each(['sees the token for the first time', 'has seen the token before'])('a process that %s', (which) => {
  const processFor = async (token: string): Promise<Authenticate> => {
    const one = createAuthentication(world.accounts)
    if (which === 'has seen the token before') await authenticate(one, token)
    return one
  }
  /** The refusal of a token after `meanwhile`. */
  const refusalAfter = async (token: string, meanwhile: () => unknown, sent = token) => {
    const one = await processFor(token)
    await meanwhile()
    return authenticate(one, sent).catch((error: unknown) => error)
  }
  const unknown = expect.objectContaining({ code: 'unauthenticated', message: expect.stringContaining('unknown') })
  const expired = expect.objectContaining({ code: 'unauthenticated', message: expect.stringContaining('expired') })
  const revoked = expect.objectContaining({ code: 'unauthenticated', message: expect.stringContaining('revoked') })

  it('accepts the token of an active user', async () => {
    const user = await makeUser()
    const token = await issue(user)
    expect(await authenticate(await processFor(token), token)).toMatchObject({
      tenant: { id: world.tenant.id, slug: 'acme' },
      userId: user.id,
      email: user.email,
      tokenKind: 'session',
      isAdministrator: false,
      mustSetUpMfa: false,
    })
  })

  it('refuses the number of a token with another secret', async () => {
    const token = await issue(await makeUser())
    const guessed = `${token.split('|')[0]}|${makeSecret(world.accounts.clock)}`
    expect(await refusalAfter(token, () => undefined, guessed)).toEqual(unknown)
  })

  it('refuses one that was signed out', async () => {
    const user = await makeUser()
    const token = await issue(user)
    const signOut = () => revokeToken(world.accounts, world.tenant, { userId: user.id }, Number(token.split('|')[0]))
    expect(await refusalAfter(token, signOut)).toEqual(unknown)
  })

  it('refuses one that was not used for seven days, and accepts it a millisecond before', async () => {
    const token = await issue(await makeUser())
    const one = await processFor(token)
    world.accounts.clock.advance(tokenIdleMs - 1)
    await authenticate(one, token)
    expect(await refusalAfter(token, () => world.accounts.clock.advance(tokenIdleMs))).toEqual(expired)
  })

  it('refuses one of 30 days, however often it was used', async () => {
    const token = await issue(await makeUser())
    const one = await processFor(token)
    const uses = 5
    for (let use = 0; use < uses; use += 1) {
      world.accounts.clock.advance(tokenLifeMs / uses - Number(use === 0))
      if (use < uses - 1) await authenticate(one, token)
    }
    await authenticate(one, token)
    expect(await refusalAfter(token, () => world.accounts.clock.advance(1))).toEqual(expired)
  })

  it('refuses one whose user is disabled, and also once the user is enabled again', async () => {
    const user = await makeUser()
    const token = await issue(user)
    expect(await refusalAfter(token, () => change(user, { isActive: false }))).toEqual(revoked)
    await change(user, { isActive: true })
    expect(await authenticate(createAuthentication(world.accounts), token).catch((error: unknown) => error)).toEqual(
      revoked,
    )
  })

  it('refuses one of a disabled user whose credentials are those of the token', async () => {
    const user = await makeUser()
    const disabled = await change(user, { isActive: false })
    expect(await authenticate(createAuthentication(world.accounts), await issue(disabled)).catch(String)).toContain(
      'revoked',
    )
  })

  it('refuses one after a new password', async () => {
    const user = await makeUser()
    expect(await refusalAfter(await issue(user), () => change(user, { password: 'a compiler of 1952' }))).toEqual(
      revoked,
    )
  })

  it('refuses one whose user is gone', async () => {
    const user = await makeUser()
    expect(await refusalAfter(await issue(user), () => removeRow(userKey(world.tenant, user.id)))).toEqual(revoked)
  })

  it('answers the rights that the user has now', async () => {
    const user = await makeUser(['guarded'])
    const token = await issue(user)
    const one = await processFor(token)
    await change(user, { roles: ['admin'] })
    expect(await authenticate(one, token)).toMatchObject({ isAdministrator: true, permissions: ['*'] })
  })

  it.each<[string, SessionStart, boolean]>([
    ['a session', {}, true],
    ['a session of a provider', { kind: 'provider_session' }, false],
    ['a session of the provider of a tenant', { kind: 'tenant_session' }, false],
  ])('decides by the kind whether %s must set up a second factor', async (_, start, asked) => {
    const token = await issue(await makeUser(['user', 'guarded']), start)
    expect((await authenticate(await processFor(token), token)).mustSetUpMfa).toBe(asked)
  })

  describe('acts as a user for an administrator', () => {
    const impersonation = async (roles = ['admin']) => {
      const [administrator, user] = [await makeUser(roles), await makeUser()]
      const token = await issue(user, { kind: 'impersonation', impersonator: administrator })
      return { administrator, user, token }
    }

    it('and names both', async () => {
      const { administrator, user, token } = await impersonation()
      expect(await authenticate(await processFor(token), token)).toMatchObject({
        userId: user.id,
        tokenKind: 'impersonation',
        impersonatorId: administrator.id,
        impersonatorName: administrator.name,
        isAdministrator: false,
      })
    })

    it.each<[string, (both: { administrator: User; user: User }) => unknown]>([
      ['the administrator is none any more', ({ administrator }) => change(administrator, { roles: ['user'] })],
      ['the administrator is disabled', ({ administrator }) => change(administrator, { isActive: false })],
      [
        'the administrator was disabled in between',
        async ({ administrator }) => {
          await change(administrator, { isActive: false })
          await change(administrator, { isActive: true })
        },
      ],
      ['the administrator is gone', ({ administrator }) => removeRow(userKey(world.tenant, administrator.id))],
      ['the user becomes an administrator', ({ user }) => change(user, { roles: ['admin'] })],
      ['the user is disabled', ({ user }) => change(user, { isActive: false })],
    ])('until %s', async (_, meanwhile) => {
      const both = await impersonation()
      expect(await refusalAfter(both.token, () => meanwhile(both))).toEqual(revoked)
    })

    it('for an hour', async () => {
      const { token } = await impersonation()
      const one = await processFor(token)
      world.accounts.clock.advance(hourMs - 1)
      await authenticate(one, token)
      expect(await refusalAfter(token, () => world.accounts.clock.advance(1))).toEqual(expired)
    })
  })
})

describe('a request', () => {
  it.each([
    [undefined, 'The token is missing.'],
    ['', 'The token is missing.'],
    ['Basic YTpi', 'The token is malformed.'],
    [`Bearer 1|${'A'.repeat(43)}`, 'The token is unknown'],
  ])('with the header %j is refused', async (header, why) => {
    const refused = createAuthentication(world.accounts)(header, () => [])
    await expect(refused).rejects.toMatchObject({ code: 'unauthenticated', message: expect.stringContaining(why) })
  })
})

it('work on behalf of a user has the rights of now, and ends when the user is disabled or gone', async () => {
  const user = await makeUser(['guarded'])
  const viewer = async () => findViewer(world.accounts, world.tenant, user.id)
  expect(await viewer()).toMatchObject({ userId: user.id, permissions: ['cars.read'], isAdministrator: false })
  await change(user, { isActive: false })
  expect(await viewer()).toBeUndefined()
  expect(await findViewer(world.accounts, world.tenant, 999_999)).toBeUndefined()
})

it('no token of a tenant that is gone is accepted', async () => {
  const gone = await openAccountWorld()
  try {
    const { accounts, tenant, administrator } = gone
    const token = await issueToken(accounts, { tenant, user: administrator })
    const warm = createAuthentication(accounts)
    await authenticate(warm, token)
    await accounts.store.write(deploymentWide, { remove: tenantKey(tenant) })
    for (const one of [warm, createAuthentication(accounts)])
      await expect(authenticate(one, token)).rejects.toMatchObject({ code: 'unauthenticated' })
  } finally {
    await gone.single.close()
  }
})
