import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
})

const app = { 'x-requested-by': 'app' }
/** What a browser keeps of an answer; undefined when it keeps nothing. */
const cookieOf = ({ headers }: ApiAnswer): string | undefined => headers.get('set-cookie')?.split(';')[0]
const withCookie = (cookie = '', headers: Readonly<Record<string, string>> = app) => ({
  headers: { ...headers, cookie },
})

const begin = (body?: object, cookie?: string): Promise<ApiAnswer> =>
  service.api('POST', '/api/session', {
    body: body ?? { email: service.admin.email, password: service.admin.password },
    headers: cookie === undefined ? app : { ...app, cookie },
  })
const whoIs = async (cookie: string | undefined): Promise<unknown> => {
  const { status, body } = await service.api('GET', '/api/user', withCookie(cookie))
  return status === 200 ? body.data.name : status
}

describe('POST /api/session', () => {
  it('answers the sign-in without its token, and keeps the token in a cookie that no script reads', async () => {
    const answer = await begin()
    expect(answer.status).toBe(200)
    const { user, tenant } = answer.body
    expect(answer.body).toEqual({ success: true, message: 'OK', user, tenant, data: { user, tenant } })
    expect(user).toMatchObject({ name: 'Grace Hopper', email: service.admin.email })
    expect(answer.headers.get('set-cookie')).toMatch(
      /^session=\d+\|[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    )
    expect(await whoIs(cookieOf(answer))).toBe('Grace Hopper')
  })

  it('takes the token of another sign-in', async () => {
    const { body } = await service.api('POST', '/api/login-local', {
      body: { email: service.admin.email, password: service.admin.password },
    })
    const answer = await begin({ token: body.token })
    expect([answer.status, answer.body.data]).toEqual([200, { user: body.user, tenant: body.tenant }])
    expect(await whoIs(cookieOf(answer))).toBe('Grace Hopper')
  })

  it('sets no cookie for a wrong password, an unknown token or an API key', async () => {
    const key = await service.api('POST', '/api/sys/api-keys', {
      token: service.admin.token,
      body: { name: 'robot', roles: ['user'] },
    })
    const answers = [
      await begin({ email: service.admin.email, password: 'not this one' }),
      await begin({ token: `1|${'a'.repeat(43)}` }),
      await begin({ token: key.body.data.token }),
    ]
    expect(answers.map((one) => [one.status, cookieOf(one)])).toEqual([
      [401, undefined],
      [401, undefined],
      [403, undefined],
    ])
  })

  it.each([
    [{}, { email: ['The email field is required.'], password: ['The password field is required.'] }],
    [{ token: 'x', email: 'a@b.test' }, { email: ['Send either the token or the email, not both.'] }],
  ])('refuses %j', async (body, errors) => {
    const answer = await begin(body)
    expect([answer.status, answer.body.errors]).toEqual([422, errors])
  })

  it('ends the session that the browser had before', async () => {
    const first = cookieOf(await begin())
    const second = cookieOf(await begin(undefined, first))
    expect([await whoIs(first), await whoIs(second)]).toEqual([401, 'Grace Hopper'])
  })

  const sendAs = (headers: Readonly<Record<string, string>>) =>
    service.api('POST', '/api/session', {
      body: { email: service.admin.email, password: service.admin.password },
      headers: { ...app, ...headers },
    })

  it.each<Readonly<Record<string, string>>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:1' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { origin: 'https://evil.example', 'content-type': 'text/plain' },
  ])('is refused to pages of other origins: %j', async (headers) => {
    const answer = await sendAs(headers)
    expect([answer.status, answer.body.code, cookieOf(answer)]).toEqual([403, 'forbidden', undefined])
  })

  it.each([
    'text/plain',
    'text/plain;application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
  ])('is refused with a body of type "%s", as a form of any page sends it', async (type) => {
    const answer = await sendAs({ 'content-type': type })
    expect([answer.status, answer.body.code, cookieOf(answer)]).toEqual([415, 'unsupported_media_type', undefined])
    expect(answer.body.message).toContain('Content-Type: application/json')
  })

  it('is for pages of its own origin, at whatever name the browser knows it', async () => {
    const { host, port } = new URL(service.url)
    for (const headers of [
      { origin: `http://${host}` },
      { origin: `http://localhost:${port}` },
      { origin: `http://${host}`, 'content-type': 'Application/JSON; charset=utf-8' },
    ] as Readonly<Record<string, string>>[])
      expect(await whoIs(cookieOf(await sendAs(headers)))).toBe('Grace Hopper')
  })
})

describe('the cookie of a session', () => {
  it('counts only with X-Requested-By: app', async () => {
    const cookie = cookieOf(await begin())
    for (const headers of [{}, { 'x-requested-by': 'other' }] as Readonly<Record<string, string>>[]) {
      const { status, body } = await service.api('GET', '/api/user', withCookie(cookie, headers))
      expect([status, body.message]).toEqual([401, expect.stringMatching(/counts only with the header/)])
    }
  })

  it('counts for pages of the service only', async () => {
    const cookie = cookieOf(await begin())
    const others: Readonly<Record<string, string>>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of others) {
      const { status, body } = await service.api('GET', '/api/user', withCookie(cookie, { ...app, ...headers }))
      expect([status, body.message]).toEqual([401, expect.stringMatching(/only for pages of this service/)])
      const ended = await service.api('DELETE', '/api/session', withCookie(cookie, { ...app, ...headers }))
      expect([ended.status, cookieOf(ended)]).toEqual([403, undefined])
    }
    expect(await whoIs(cookie)).toBe('Grace Hopper')
  })

  it('gives way to a bearer token', async () => {
    const cookie = cookieOf(await begin())
    const other = await userWith(service, [])
    const { body } = await service.api('GET', '/api/user', { ...withCookie(cookie), token: other.token })
    expect(body.data.id).not.toBe(service.admin.userId)
  })
})

describe('DELETE /api/session', () => {
  it('revokes the token and removes the cookie', async () => {
    const cookie = cookieOf(await begin())
    const answer = await service.api('DELETE', '/api/session', withCookie(cookie))
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      204,
      'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ])
    expect(await whoIs(cookie)).toBe(401)
  })

  it('removes a cookie whose session has ended', async () => {
    const cookie = cookieOf(await begin())
    await service.api('DELETE', '/api/session', withCookie(cookie))
    const again = await service.api('DELETE', '/api/session', withCookie(cookie))
    expect([again.status, cookieOf(again)]).toEqual([204, 'session='])
  })

  it('is 401 without a session, and with a cookie that does not count', async () => {
    const cookie = cookieOf(await begin())
    const answers = [
      await service.api('DELETE', '/api/session', { headers: app }),
      await service.api('DELETE', '/api/session', withCookie(cookie, {})),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401])
    expect(await whoIs(cookie)).toBe('Grace Hopper')
  })

  it('leads an administrator who acted as somebody else back to the own session', async () => {
    const own = cookieOf(await begin())
    const other = await userWith(service, [])
    const acting = await service.api('POST', `/api/impersonate/${other.id}`, withCookie(own))
    const session = await begin({ token: acting.body.token }, own)
    expect(session.body.data.impersonator).toEqual({ id: service.admin.userId, name: 'Grace Hopper' })
    expect(await whoIs(cookieOf(session))).not.toBe('Grace Hopper')

    const ended = await service.api('DELETE', '/api/session', withCookie(cookieOf(session)))
    expect([ended.status, cookieOf(ended)]).toEqual([204, own])
    expect(await whoIs(cookieOf(ended))).toBe('Grace Hopper')
    expect(await whoIs(cookieOf(session))).toBe(401)
  })
})

describe('a session that acts as somebody else', () => {
  const actingFor = async (id: number): Promise<string> =>
    (await service.api('POST', `/api/impersonate/${id}`, { token: service.admin.token })).body.token

  it('ends the session before, whose person is not the one who acts', async () => {
    const [other, stranger] = [await userWith(service, []), await userWith(service, [])]
    const before = cookieOf(await begin({ token: stranger.token }))
    const session = cookieOf(await begin({ token: await actingFor(other.id) }, before))
    expect([session?.includes('~'), await whoIs(before)]).toEqual([false, 401])
    const ended = await service.api('DELETE', '/api/session', withCookie(session))
    expect([ended.status, cookieOf(ended)]).toEqual([204, 'session='])
  })

  it('ends one of another company, whose person has the same number there', async () => {
    const other = await userWith(service, [])
    const foreign = await otherTenant(service)
    const theirs = (await service.api('GET', '/api/user', { token: foreign.token })).body.data
    expect(theirs.id).toBe(service.admin.userId)
    const before = cookieOf(await begin({ token: foreign.token }))
    const session = cookieOf(await begin({ token: await actingFor(other.id) }, before))
    expect([session?.includes('~'), await whoIs(before)]).toEqual([false, 401])
  })
})

describe('a person with a second factor', () => {
  it('gets the challenge, and the cookie for the token that the code brings', async () => {
    const person = await userWith(service, [])
    const password = 'sufficiently long 7'
    const { body } = await service.api('POST', '/api/user/mfa', { token: person.token, body: { password } })
    const totp = new TOTP({ secret: Secret.fromBase32(body.data.secret) })
    const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 })
    await service.api('POST', '/api/user/mfa/confirm', { token: person.token, body: { code: code(0) } })
    const { data: user } = (await service.api('GET', '/api/user', { token: person.token })).body

    const challenge = await begin({ email: user.email, password })
    expect([challenge.status, challenge.body.data, cookieOf(challenge)]).toEqual([
      200,
      { mfa_required: true, mfa_token: expect.any(String) },
      undefined,
    ])
    const login = await service.api('POST', '/api/login-mfa', {
      body: { mfa_token: challenge.body.data.mfa_token, code: code(1) },
    })
    expect(await whoIs(cookieOf(await begin({ token: login.body.token })))).toBe(user.name)
  })
})

describe('GET /api/session', () => {
  it('says at which providers people of a company may sign in, also before anybody has', async () => {
    const ask = async (slug: string) => (await service.api('GET', `/api/session?tenant=${slug}`)).body.data
    expect(await ask(service.tenant.slug)).toEqual({ providers: [], registration: 'closed' })
    await service.api('PUT', '/api/sys/settings', {
      token: service.admin.token,
      body: { OAUTH_GOOGLE_CLIENT_ID: 'desk', OAUTH_GOOGLE_CLIENT_SECRET: 'secret' },
    })
    expect((await ask(service.tenant.slug)).providers).toEqual(['google'])
    expect((await ask('no-such-company')).providers).toEqual([])
  })
})
