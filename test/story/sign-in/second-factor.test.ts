import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenantWithAdministrator } from '../../../shared/accounts/people/create-tenant.ts'
import { joinTenant } from '../../../shared/accounts/people/membership/change-membership.ts'
import { findPerson, type Person } from '../../../shared/accounts/people/person.ts'
import { findUser } from '../../../shared/accounts/people/user.ts'
import { challengeUser } from '../../../shared/accounts/sign-in/second-factor/challenge.ts'
import { logInMfa } from '../../../shared/accounts/sign-in/second-factor/log-in-mfa.ts'
import {
  acceptCode,
  type CodeDependencies,
  sealSecret,
} from '../../../shared/accounts/sign-in/second-factor/use-code.ts'
import { findTenant } from '../../../shared/accounts/tenants/find-tenant.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { frozenClock } from '../../make/builders/frozen-clock.ts'
import { userWith } from '../../make/builders/people.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'
import { itemsOf } from '../../make/services/stores/items-of.ts'
import { testSecretBox } from '../../make/services/stores/local-kms.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

const password = 'sufficiently long 7'
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const open = (path: string, body: object) => service.api('POST', path, { body })
const logIn = (email: string) => open('/api/login-local', { email, password })
const logInMfa2 = (mfa_token: string, code: string) => open('/api/login-mfa', { mfa_token, code })
const challenge = async (email: string): Promise<string> => (await logIn(email)).body.data.mfa_token
/** The code of the app, `steps` of 30 s from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
const wrongCode = (secret: string) => {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) as string
}

async function newPerson() {
  const { id, token, role, roleId } = await userWith(service, [])
  return { id, token, role, roleId, email: `${role}@${service.tenant.slug}.test` }
}
/** A person whose second factor is confirmed with the code of the step before this one. */
async function protectedPerson() {
  const made = await newPerson()
  const { status, body } = await api('POST', '/api/user/mfa', { password }, made.token)
  if (status !== 200) throw new Error(JSON.stringify(body))
  const { secret, recovery_codes: codes } = body.data as { secret: string; recovery_codes: string[] }
  const confirmed = await api('POST', '/api/user/mfa/confirm', { code: codeOf(secret, -1) }, made.token)
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body))
  return { ...made, secret, codes }
}
const refusal = ({ status, body }: ApiAnswer) => [status, body.code]

describe('setting up a second factor', () => {
  it('answers a secret for an app and ten recovery codes, which no row holds', async () => {
    const { token, email } = await newPerson()
    const { status, body } = await api('POST', '/api/user/mfa', { password }, token)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauth_url: expect.any(String),
      recovery_codes: Array.from({ length: 10 }, () => expect.stringMatching(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/)),
    })
    const url = new URL(body.data.otpauth_url)
    expect([url.protocol, decodeURIComponent(url.pathname)]).toEqual(['otpauth:', `/Acme Ltd:${email}`])
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ issuer: 'Acme Ltd', secret: body.data.secret })
    const rows = JSON.stringify(await itemsOf(service, ''))
    for (const text of [body.data.secret, ...body.data.recovery_codes]) expect(rows).not.toContain(text)
  })

  it('changes no sign-in until a code of the app confirms it', async () => {
    const { token, email } = await newPerson()
    const { body } = await api('POST', '/api/user/mfa', { password }, token)
    const { secret, recovery_codes: codes } = body.data
    expect((await logIn(email)).body.token).toBeDefined()
    for (const code of [wrongCode(secret), codes[0], 'x']) {
      const answer = await api('POST', '/api/user/mfa/confirm', { code }, token)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['code']])
    }
    expect((await api('POST', '/api/user/mfa/confirm', { code: codeOf(secret) }, token)).status).toBe(200)
    expect((await api('GET', '/api/user', undefined, token)).body.data).toMatchObject({ mfa_enabled: true })
    expect((await logIn(email)).body.data).toMatchObject({ mfa_required: true })
  })

  it('needs the password, and is refused once there is a second factor', async () => {
    const { token } = await protectedPerson()
    const wrong = await api('POST', '/api/user/mfa', { password: 'wrong guess' }, token)
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['password']])
    expect(refusal(await api('POST', '/api/user/mfa', { password }, token))).toEqual([409, 'mfa_enabled'])
    expect(refusal(await api('POST', '/api/user/mfa/confirm', { code: '123456' }, token))).toEqual([409, 'mfa_enabled'])
    const other = await newPerson()
    expect(refusal(await api('POST', '/api/user/mfa/confirm', { code: '123456' }, other.token))).toEqual([
      409,
      'mfa_not_set_up',
    ])
    expect(refusal(await api('DELETE', '/api/user/mfa', { code: '123456' }, other.token))).toEqual([
      409,
      'mfa_not_set_up',
    ])
  })

  it('is not for API keys', async () => {
    const key = await api('POST', '/api/sys/api-keys', { name: 'Robot', roles: ['admin'] })
    const { token } = key.body.data
    for (const [method, path] of [
      ['POST', '/api/user/mfa'],
      ['POST', '/api/user/mfa/confirm'],
      ['DELETE', '/api/user/mfa'],
      ['DELETE', `/api/sys/users/${service.admin.userId}/mfa`],
    ] as const)
      expect(refusal(await api(method, path, {}, token))).toEqual([403, 'person_required'])
  })
})

describe('a sign-in with a second factor', () => {
  it('answers no token after the password, and one after the code', async () => {
    const { email, id, secret } = await protectedPerson()
    const first = await logIn(email)
    expect([first.status, first.body]).toEqual([
      200,
      {
        success: true,
        message: 'OK',
        mfa_required: true,
        mfa_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        data: { mfa_required: true, mfa_token: first.body.data.mfa_token },
      },
    ])
    const second = await logInMfa2(first.body.data.mfa_token, codeOf(secret))
    expect([second.status, second.body.user.id, second.body.tenant.slug]).toEqual([200, id, service.tenant.slug])
    expect((await api('GET', '/api/user', undefined, second.body.token)).status).toBe(200)
    expect(JSON.stringify(await itemsOf(service, 'MFA#'))).not.toContain(first.body.data.mfa_token)
  })

  it('accepts each code once, also when it is sent twice at the same time', async () => {
    const { email, secret } = await protectedPerson()
    const tokens = [await challenge(email), await challenge(email)]
    const code = codeOf(secret)
    const answers = await Promise.all(tokens.map((token) => logInMfa2(token, code)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect(refusal(answers.find(({ status }) => status === 401) as ApiAnswer)).toEqual([401, 'wrong_code'])
    expect(refusal(await logInMfa2(await challenge(email), codeOf(secret, -1)))).toEqual([401, 'wrong_code'])
    expect((await logInMfa2(await challenge(email), codeOf(secret, 1))).status).toBe(200)
  })

  it('uses the token up, and ends it after five wrong codes', async () => {
    const { email, secret } = await protectedPerson()
    const used = await challenge(email)
    expect((await logInMfa2(used, codeOf(secret))).status).toBe(200)
    expect(refusal(await logInMfa2(used, codeOf(secret, 1)))).toEqual([401, 'unauthenticated'])
    const guessed = await challenge(email)
    const guesses = await Promise.all(Array.from({ length: 5 }, () => logInMfa2(guessed, wrongCode(secret))))
    expect(guesses.map(refusal)).toEqual(Array.from({ length: 5 }, () => [401, 'wrong_code']))
    expect(refusal(await logInMfa2(guessed, codeOf(secret, 1)))).toEqual([401, 'unauthenticated'])
    // Another password login does not start the count of codes again.
    expect((await logInMfa2(await challenge(email), wrongCode(secret))).status).toBe(429)
  })

  it('accepts each recovery code once, however it is typed', async () => {
    const { email, codes } = await protectedPerson()
    const [first, second] = codes as [string, string]
    expect((await logInMfa2(await challenge(email), first.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await logInMfa2(await challenge(email), first)).status).toBe(401)
    expect((await logInMfa2(await challenge(email), second)).status).toBe(200)
  })

  it('ends when the password changes or the user is disabled in between', async () => {
    const { email, id, secret } = await protectedPerson()
    const early = await challenge(email)
    await api('PUT', `/api/sys/users/${id}`, { is_active: false })
    expect((await logInMfa2(early, codeOf(secret))).status).toBe(401)
    expect(refusal(await logIn(email))).toEqual([401, 'wrong_credentials'])
    await api('PUT', `/api/sys/users/${id}`, { is_active: true })
    const late = await challenge(email)
    await api('PUT', `/api/sys/users/${id}`, { password: 'another good one' })
    expect((await logInMfa2(late, codeOf(secret))).status).toBe(401)
  })

  it('is ended by no token that was not issued', async () => {
    for (const made of ['', 'x', 'A'.repeat(43)]) expect((await logInMfa2(made, '123456')).status).toBe(401)
  })
})

describe('the time of a code', () => {
  it('may be off by 30 seconds, and its sign-in takes five minutes at most', async () => {
    const { email } = await protectedPerson()
    const now = frozenClock(new Date().toISOString())
    const box = testSecretBox()
    const dependencies: CodeDependencies = { store: service.store, clock: now, secrets: async () => box }
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    const factor = {
      sealedSecret: await sealSecret(dependencies, secret),
      recoveryHashes: [],
      lastStep: 0,
      isConfirmed: true,
    }
    const accepted = await Promise.all(
      [-60_000, -30_000, 0, 30_000, 60_000].map(async (offBy) => {
        const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.now() + offBy })
        return (await acceptCode(dependencies, factor, code)) !== undefined
      }),
    )
    expect(accepted).toEqual([false, true, true, true, false])
    const person = (await findPerson(service.store, email)) as Person
    const { tenantId, userId } = person.memberships[0] as Person['memberships'][number]
    const [tenant, user] = await Promise.all([
      findTenant(service.store, tenantId),
      findUser(service.store, { id: tenantId }, userId),
    ])
    const { mfa_token } = await challengeUser(dependencies, { tenant, user } as never)
    now.advance(5 * 60_000)
    await expect(
      logInMfa(dependencies, { mfa_token, code: '123456', sourceIp: '192.0.2.1', userAgent: undefined }),
    ).rejects.toThrow('expired')
  })
})

describe('a second factor', () => {
  it('is removed with a code, and then the password is enough', async () => {
    const { token, email, secret, codes } = await protectedPerson()
    const wrong = await api('DELETE', '/api/user/mfa', { code: wrongCode(secret) }, token)
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['code']])
    expect((await api('DELETE', '/api/user/mfa', { code: codes[3] }, token)).status).toBe(204)
    expect((await logIn(email)).body.token).toBeDefined()
    expect(await itemsOf(service, `EMAIL#${email}`)).toMatchObject([
      expect.not.objectContaining({ mfa_secret: expect.anything() }),
    ])
  })

  it('is removed by an administrator for a person of this company only, and not for oneself', async () => {
    const { id, email } = await protectedPerson()
    expect((await api('GET', `/api/sys/users/${id}`)).body.data.mfa_enabled).toBe(true)
    expect((await api('DELETE', `/api/sys/users/${id}/mfa`)).status).toBe(204)
    expect((await logIn(email)).body.token).toBeDefined()
    expect((await api('GET', `/api/sys/users/${id}`)).body.data.mfa_enabled).toBe(false)
    await service.cloud.idle()
    const trail = (await api('GET', '/api/sys/audit?model=sys_users&action=update')).body.data
    expect(trail.find((entry: { record_id: number }) => entry.record_id === id).changes).toEqual({
      mfa_enabled: { old: true, new: false },
    })
    expect((await api('DELETE', `/api/sys/users/${service.admin.userId}/mfa`)).status).toBe(403)
    expect((await api('DELETE', '/api/sys/users/99999/mfa')).status).toBe(404)

    const shared = await protectedPerson()
    const administrator = { name: 'Eve', email: 'eve@second.test', password }
    const accounts = { store: service.store, clock }
    const other = await createTenantWithAdministrator(accounts, { slug: 'second', name: 'Second', administrator })
    const member = await joinTenant(accounts, other.tenant, (await findPerson(service.store, shared.email)) as Person, {
      roles: ['user'],
    })
    expect(member.mfaEnabled).toBe(true)
    const refused = await api('DELETE', `/api/sys/users/${shared.id}/mfa`)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['mfa']])
    expect((await logIn(shared.email)).body.data).toMatchObject({ mfa_required: true })
  })
})

describe('an invitation to a person with a second factor', () => {
  it('answers a challenge after the password, and a token to a session of the person', async () => {
    const administrator = { name: 'Eve', email: 'eve@third.test', password, emailVerified: true } as const
    await createTenantWithAdministrator(
      { store: service.store, clock },
      { slug: 'third', name: 'Third', administrator },
    )
    const eve = (await logIn(administrator.email)).body.token as string
    const invite = async (email: string): Promise<string> =>
      (await api('POST', '/api/tenant/invite', { email, roles: ['user'] }, eve)).body.data.token
    const [one, two] = [await protectedPerson(), await protectedPerson()]
    const byPassword = await open(`/api/join/${await invite(one.email)}`, { password })
    expect([byPassword.status, byPassword.body.token]).toEqual([201, undefined])
    const entered = await logInMfa2(byPassword.body.data.mfa_token, codeOf(one.secret))
    expect([entered.status, entered.body.tenant.slug]).toEqual([200, 'third'])
    const bySession = await api('POST', `/api/join/${await invite(two.email)}`, {}, two.token)
    expect([bySession.status, bySession.body.tenant.slug]).toEqual([201, 'third'])
  })
})

describe('a role that demands a second factor', () => {
  it('leaves a person without one nothing but to set one up, from the next request on', async () => {
    const { token, role, roleId, email } = await newPerson()
    expect((await api('PUT', `/api/sys/roles/${roleId}`, { mfa_required: true })).body.data).toMatchObject({
      name: role,
      mfa_required: true,
    })
    expect(refusal(await api('GET', '/api/sys/entities', undefined, token))).toEqual([403, 'mfa_setup_required'])
    const again = (await logIn(email)).body.token as string
    expect((await api('GET', '/api/user', undefined, again)).body.data).toMatchObject({ mfa_setup_required: true })
    expect(refusal(await api('PUT', '/api/user', { name: 'New' }, again))).toEqual([403, 'mfa_setup_required'])
    const { secret } = (await api('POST', '/api/user/mfa', { password }, again)).body.data
    expect((await api('POST', '/api/user/mfa/confirm', { code: codeOf(secret) }, again)).status).toBe(200)
    expect((await api('GET', '/api/sys/entities', undefined, again)).status).toBe(200)
    expect((await api('GET', '/api/user', undefined, again)).body.data).toMatchObject({
      mfa_enabled: true,
      mfa_setup_required: false,
    })
  })

  it('lets somebody sign out, and does not stop API keys with the role', async () => {
    const { token, role, roleId } = await newPerson()
    await api('PUT', `/api/sys/roles/${roleId}`, { mfa_required: true })
    const key = (await api('POST', '/api/sys/api-keys', { name: 'Robot', roles: [role] })).body.data.token
    expect((await api('GET', '/api/sys/entities', undefined, key)).status).toBe(200)
    expect((await api('POST', '/api/logout', undefined, token)).status).toBe(200)
  })
})
