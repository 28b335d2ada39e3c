import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPerson } from '../../../shared/accounts/people/person.ts'
import { findUser } from '../../../shared/accounts/people/user.ts'
import { signIn } from '../../../shared/accounts/sign-in/login.ts'
import { findTenantBySlug } from '../../../shared/accounts/tenants/find-tenant.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'
import { itemsOf } from '../../make/services/stores/items-of.ts'

/** Invitations by the API, between two companies that people belong to. */
let service: TestService
let engines: { token: string }
beforeAll(async () => {
  service = await sharedService()
  engines = await otherTenant(service, 'inviting-engines')
})
afterAll(() => service.stop())

const password = 'sufficiently long 7'
const answer = { name: 'Ada Lovelace', password, password_confirmation: password }
const send = (token: string, method: string, path: string, body?: object) => service.api(method, path, { token, body })
const invite = (email: string, roles = ['user'], token = service.admin.token) =>
  send(token, 'POST', '/api/tenant/invite', { email, roles })
const read = (token: string) => service.api('GET', `/api/join/${token}`)
const accept = (token: string, body: object = answer, bearer?: string) =>
  service.api('POST', `/api/join/${token}`, { body, token: bearer })
const logIn = (email: string, more: object = {}) =>
  service.api('POST', '/api/login-local', { body: { email, password, ...more } })
const listed = async () => (await send(service.admin.token, 'GET', '/api/tenant/invitations')).body.data

let count = 0
/** Somebody with an account in the company engines only. */
async function personElsewhere() {
  const email = `elsewhere${(count += 1)}@engines.test`
  await send(engines.token, 'POST', '/api/sys/users', { name: 'Charles', email, password, roles: ['user'] })
  return { email, token: (await logIn(email)).body.token as string }
}

describe('an administrator', () => {
  it('invites with several roles and hands over a link', async () => {
    const { status, body } = await invite('Ada@inviting.test', ['user', 'admin', 'user'])
    expect(status).toBe(201)
    const { token } = body.data
    expect(body.data).toEqual({
      id: expect.any(Number),
      email: 'ada@inviting.test',
      roles: ['user', 'admin'],
      token: expect.stringMatching(/^[\w-]{43}$/),
      url: `${service.url}/join/${token}`,
      expires_at: expect.any(String),
    })
    const days = (Date.parse(body.data.expires_at) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(7, 2)
    expect((await read(token)).body.data).toMatchObject({ invited_by: 'Grace Hopper', roles: ['user', 'admin'] })
    expect((await accept(token)).body.user.roles).toEqual(['user', 'admin'])
    expect(JSON.stringify(await itemsOf(service, 'T'))).not.toContain(token)
  })

  it('is told what is wrong with an invitation', async () => {
    const errorsOf = async (email: string, roles: string[]) => (await invite(email, roles)).body.errors
    expect(await errorsOf('new@inviting.test', ['user', 'wizard'])).toEqual({
      'roles.1': ['The selected roles.1 is invalid: there is no such role. There are: admin, user.'],
    })
    expect(Object.keys(await errorsOf('not an address', []))).toEqual(['email', 'roles'])
    expect(await errorsOf(service.admin.email, ['user'])).toEqual({
      email: ['This person already belongs to this company.'],
    })
  })

  it('sees what is pending, newest first, until it is accepted', async () => {
    const first = (await invite('pending1@inviting.test')).body.data
    const second = (await invite('pending2@inviting.test')).body.data
    const [newest, next] = await listed()
    expect([newest.id, next.id]).toEqual([second.id, first.id])
    expect(newest).toEqual({
      id: second.id,
      email: 'pending2@inviting.test',
      roles: ['user'],
      invited_by: 'Grace Hopper',
      created_at: expect.any(String),
      expires_at: second.expires_at,
    })
    await accept(second.token)
    expect((await listed())[0].id).toBe(first.id)
    const theirs = await send(engines.token, 'GET', '/api/tenant/invitations')
    expect(theirs.body.data).toEqual([])
  })

  it('renews an invitation: both links open it, and the first use ends both', async () => {
    const first = (await invite('renewed@inviting.test')).body.data
    const path = `/api/tenant/invitations/${first.id}/resend`
    expect((await send(engines.token, 'POST', path)).status).toBe(404)
    const { status, body } = await send(service.admin.token, 'POST', path)
    expect([status, body.data.id, body.data.email]).toEqual([200, first.id, 'renewed@inviting.test'])
    expect(body.data.token).not.toBe(first.token)
    expect([(await read(first.token)).status, (await read(body.data.token)).status]).toEqual([200, 200])
    const accepted = await Promise.all([accept(first.token), accept(body.data.token)])
    expect(accepted.map((one) => one.status).sort()).toEqual([201, 404])
    for (const token of [first.token, body.data.token]) expect((await read(token)).status).toBe(404)
    expect((await send(service.admin.token, 'POST', path)).status).toBe(404)
  })

  it('revokes an invitation, of the own company only', async () => {
    const { id, token } = (await invite('revoked@inviting.test')).body.data
    const path = `/api/tenant/invitations/${id}`
    expect((await send(engines.token, 'DELETE', path)).status).toBe(404)
    expect((await send(service.admin.token, 'DELETE', path)).status).toBe(204)
    expect([(await read(token)).status, (await accept(token)).status]).toEqual([404, 404])
    const again = await send(service.admin.token, 'DELETE', path)
    expect([again.status, again.body.code]).toEqual([404, 'invitation_not_found'])
  })

  it('leaves a trail of inviting and revoking, without the address', async () => {
    const { id } = (await invite('traced@inviting.test')).body.data
    await send(service.admin.token, 'DELETE', `/api/tenant/invitations/${id}`)
    const trail = (await send(service.admin.token, 'GET', '/api/sys/audit?model=sys_invitations')).body.data
    expect(trail.slice(0, 2)).toMatchObject([
      { action: 'delete', record_id: id, user: { id: service.admin.userId } },
      { action: 'create', record_id: id, changes: { roles: { old: null, new: ['user'] } } },
    ])
    expect(JSON.stringify(trail)).not.toContain('traced@')
  })
})

describe('an inviter never gives more than they have:', () => {
  it('nobody but administrators invites, lists, renews or revokes', async () => {
    const { token } = await userWith(service, ['*'])
    expect((await invite('x@inviting.test', ['user'], token)).status).toBe(403)
    expect((await send(token, 'GET', '/api/tenant/invitations')).status).toBe(403)
    expect((await send(token, 'POST', '/api/tenant/invitations/1/resend')).status).toBe(403)
    expect((await send(token, 'DELETE', '/api/tenant/invitations/1')).status).toBe(403)
  })

  it('an invitation ends with the rights of its inviter, until another administrator renews it', async () => {
    const email = 'leaving@inviting.test'
    const leaving = await send(service.admin.token, 'POST', '/api/sys/users', {
      name: 'Leaving',
      email,
      password,
      roles: ['admin'],
    })
    const { id, token } = (await invite('backdoor@inviting.test', ['admin'], (await logIn(email)).body.token)).body.data
    expect((await read(token)).status).toBe(200)
    await send(service.admin.token, 'PUT', `/api/sys/users/${leaving.body.data.id}`, { roles: [] })
    expect([(await read(token)).status, (await accept(token)).status]).toEqual([404, 404])
    const renewed = (await send(service.admin.token, 'POST', `/api/tenant/invitations/${id}/resend`)).body.data
    expect((await accept(renewed.token)).status).toBe(201)
  })
})

describe('somebody who already has an account', () => {
  it('joins with the password of it, and keeps name and password', async () => {
    const { email } = await personElsewhere()
    const { token } = (await invite(email, ['user', 'admin'])).body.data
    expect((await read(token)).body.data.has_account).toBe(true)
    const { status, body } = await accept(token, { password })
    expect([status, body.tenant.slug, body.user.name, body.user.roles]).toEqual([
      201,
      service.tenant.slug,
      'Charles',
      ['user', 'admin'],
    ])
    const me = (await service.api('GET', '/api/user', { token: body.token })).body.data
    expect(me.tenants.map(({ slug }: { slug: string }) => slug)).toEqual(['inviting-engines', service.tenant.slug])
    expect((await logIn(email)).body.tenant.slug).toBe(service.tenant.slug)
    expect((await logIn(email, { tenant: 'inviting-engines' })).status).toBe(200)
  })

  it('joins with the token of a session', async () => {
    const { email, token: bearer } = await personElsewhere()
    const { token } = (await invite(email)).body.data
    const { status, body } = await accept(token, {}, bearer)
    expect([status, body.tenant.slug, body.user.email]).toEqual([201, service.tenant.slug, email])
    expect((await service.api('GET', '/api/user', { token: bearer })).body.data.tenant.slug).toBe('inviting-engines')
  })

  it('is refused with a wrong or missing password, which an inviter cannot replace', async () => {
    const { email } = await personElsewhere()
    const { token } = (await invite(email)).body.data
    const missing = await accept(token, {})
    expect([missing.status, Object.keys(missing.body.errors)]).toEqual([422, ['password']])
    const stolen = 'a stolen account 1'
    const wrong = await accept(token, { name: 'Mallory', password: stolen, password_confirmation: stolen })
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      { password: ['This address already has an account, and this is not its password.'] },
    ])
    expect((await logIn(email)).status).toBe(200)
    expect((await accept(token, { password })).status).toBe(201)
  })

  it('may guess the password five times, together with the logins', async () => {
    const { email } = await personElsewhere()
    const { token } = (await invite(email)).body.data
    const guesses: number[] = []
    for (let guess = 0; guess < 6; guess += 1)
      guesses.push((await accept(token, { password: `guess ${guess}` })).status)
    expect(guesses).toEqual([422, 422, 422, 422, 422, 429])
    const login = await logIn(email)
    expect([login.status, Number(login.headers.get('retry-after')) > 0]).toEqual([429, true])
  })

  it('cannot use the token of somebody else, of one company only, or one that ended', async () => {
    const { email, token: bearer } = await personElsewhere()
    const { token } = (await invite(email)).body.data
    const stranger = await accept(token, {}, (await personElsewhere()).token)
    expect([stranger.status, stranger.body.code]).toEqual([403, 'forbidden'])
    expect((await accept(token, answer, service.admin.token)).status).toBe(403)
    const tenant = (await findTenantBySlug(service.store, 'inviting-engines'))!
    const [membership] = (await findPerson(service.store, email))!.memberships
    const user = (await findUser(service.store, tenant, membership!.userId))!
    const vouched = await signIn({ store: service.store, clock }, tenant, user, { kind: 'tenant_session' })
    const confined = await accept(token, {}, vouched.token)
    expect([confined.status, confined.body.code]).toEqual([403, 'person_required'])
    await service.api('POST', '/api/logout', { token: bearer })
    expect((await accept(token, {}, bearer)).status).toBe(401)
    expect((await read(token)).status).toBe(200)
  })

  it('joins once, even by concurrent requests', async () => {
    const { email, token: bearer } = await personElsewhere()
    const { token } = (await invite(email)).body.data
    const answers = await Promise.all([
      accept(token, {}, bearer),
      accept(token, {}, bearer),
      accept(token, {}, bearer),
      accept(token, { password }),
      accept(token, { password }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404, 404])
    expect((await findPerson(service.store, email))?.memberships).toHaveLength(2)
  })

  it('is enabled again by an invitation after being disabled, with the password only', async () => {
    const { id, email } = (
      await send(service.admin.token, 'POST', '/api/sys/users', { name: 'Back', email: 'back@inviting.test', password })
    ).body.data
    await send(service.admin.token, 'DELETE', `/api/sys/users/${id}`)
    const { token } = (await invite(email, ['user'])).body.data
    expect((await accept(token, { ...answer, password: 'another one 12' })).status).toBe(422)
    expect((await accept(token, { password })).body.user).toMatchObject({ id, name: 'Back' })
  })
})

describe('a new account', () => {
  it('needs a name and a confirmed password', async () => {
    const { token } = (await invite('fresh@inviting.test')).body.data
    const { status, body } = await accept(token, { password })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['name', 'password_confirmation', 'password']])
    expect((await accept(token)).status).toBe(201)
  })
})
