import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, type TestService, sharedService } from '../../make/services/service.ts'

let service: TestService

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service.stop())

let made = 0
const password = 'correct horse battery'

/** Creates a user for one test, and logs the user in. */
async function makeUser(given: { roles?: string[] } = {}): Promise<{ id: number; email: string; token: string }> {
  const email = `person${(made += 1)}@${service.tenant.slug}.test`
  const body = { name: `Person ${made}`, email, password, roles: given.roles ?? [] }
  const created = await service.api('POST', '/api/sys/users', { token: service.admin.token, body })
  expect(created.status).toBe(201)
  return { id: created.body.data.id, email, token: await tokenOf(email) }
}

const logIn = (email: string, secret = password) =>
  service.api('POST', '/api/login-local', { body: { email, password: secret } })
const tokenOf = async (email: string, secret = password): Promise<string> => (await logIn(email, secret)).body.token
const me = (token: string | undefined) => service.api('GET', '/api/user', { token })

describe('a login', () => {
  it('answers token, user and tenant at the top level and inside data', async () => {
    const { id, email } = await makeUser({ roles: ['user'] })
    const { status, body } = await logIn(email)
    expect(status).toBe(200)
    const { success, data, message, ...top } = body
    expect({ success, message }).toEqual({ success: true, message: 'OK' })
    expect(top).toEqual(data)
    expect(top).toEqual({
      token: expect.stringMatching(/^[1-9]\d*\|[A-Za-z0-9_-]{43}$/),
      user: { id, name: expect.any(String), email, roles: ['user'] },
      tenant: { slug: service.tenant.slug, name: 'Acme Ltd' },
    })
  })

  it('ignores the case of the e-mail address', async () => {
    const { email } = await makeUser()
    expect((await logIn(` ${email.toUpperCase()} `)).status).toBe(200)
  })

  it('answers the same 401 to a wrong password, an unknown address and a disabled user', async () => {
    const wrong = await makeUser()
    const disabled = await makeUser()
    await service.api('DELETE', `/api/sys/users/${disabled.id}`, { token: service.admin.token })
    const answers = [
      await logIn(wrong.email, 'not the password'),
      await logIn('nobody@accounts.test'),
      await logIn(disabled.email),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual(answers[0]?.body)
    }
  })

  it('names every field that is missing, wrong or unknown', async () => {
    const { status, body } = await service.api('POST', '/api/login-local', { body: { password: 1, remember: true } })
    expect(status).toBe(422)
    expect(body.errors).toEqual({
      email: ['The email field is required.'],
      password: ['The password must be a string.'],
      remember: ['The remember field is unknown. Known are: email, password, tenant.'],
    })
  })

  it('is blocked after five failures on the account, even with the right password, and answers Retry-After', async () => {
    const { email } = await makeUser()
    for (let failure = 0; failure < 5; failure += 1) expect((await logIn(email, 'wrong guess')).status).toBe(401)
    const sixth = await logIn(email)
    expect(sixth.status).toBe(429)
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(25)
    expect(Number(sixth.headers.get('retry-after'))).toBeLessThanOrEqual(30)
  })

  it('is throttled for unknown e-mail addresses as well, so that 429 does not reveal which accounts exist', async () => {
    for (let failure = 0; failure < 5; failure += 1) await logIn('ghost@accounts.test')
    expect((await logIn('ghost@accounts.test')).status).toBe(429)
  })

  it('is let through for at most five of many concurrent guesses', async () => {
    const { email } = await makeUser()
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, n) => logIn(email, `guess number ${n}`)))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  it('succeeds for any number of concurrent requests with the right password', async () => {
    const { email } = await makeUser()
    const answers = await Promise.all(Array.from({ length: 20 }, () => logIn(email)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  it('resets the number of failures when it succeeds', async () => {
    const { email } = await makeUser()
    for (let round = 0; round < 2; round += 1) {
      for (let failure = 0; failure < 4; failure += 1) await logIn(email, 'wrong guess')
      expect((await logIn(email)).status).toBe(200)
    }
  })
})

describe('an access token', () => {
  it('is required, and anything else answers 401', async () => {
    const [number, secret] = service.admin.token.split('|') as [string, string]
    const bad = [
      undefined,
      '',
      'x',
      number,
      `${number}|`,
      `${number}|${'A'.repeat(43)}`,
      `${Number(number) + 1}|${secret}`,
      `0|${secret}`,
      `${'9'.repeat(16)}|${secret}`,
    ]
    for (const token of bad) expect([token, (await me(token)).status]).toEqual([token, 401])
    expect(
      (await service.api('GET', '/api/user', { headers: { authorization: `Basic ${service.admin.token}` } })).status,
    ).toBe(401)
    expect((await me(service.admin.token)).status).toBe(200)
  })

  it('is revoked by logout, and other tokens of the user are not', async () => {
    const { email, token } = await makeUser()
    const other = await tokenOf(email)
    const out = await service.api('POST', '/api/logout', { token })
    expect([out.status, out.body]).toEqual([200, { success: true, data: null, message: 'OK' }])
    expect((await me(token)).status).toBe(401)
    expect((await service.api('POST', '/api/logout', { token })).status).toBe(401)
    expect((await me(other)).status).toBe(200)
  })

  it('is revoked at once, with all others of the user, when an administrator disables the user', async () => {
    const { id, email, token } = await makeUser()
    const other = await tokenOf(email)
    expect((await me(other)).status).toBe(200)
    expect((await service.api('DELETE', `/api/sys/users/${id}`, { token: service.admin.token })).status).toBe(204)
    expect([(await me(token)).status, (await me(other)).status]).toEqual([401, 401])
    await service.api('PUT', `/api/sys/users/${id}`, { token: service.admin.token, body: { is_active: true } })
    expect((await me(token)).status).toBe(401)
    expect((await logIn(email)).status).toBe(200)
  })

  it('is revoked at once when an administrator sets a new password', async () => {
    const { id, email, token } = await makeUser()
    await service.api('PUT', `/api/sys/users/${id}`, {
      token: service.admin.token,
      body: { password: 'another good one' },
    })
    expect((await me(token)).status).toBe(401)
    expect((await logIn(email, 'another good one')).status).toBe(200)
  })

  it('costs one round trip to the table when the instance has cached it, and two when not', async () => {
    const { token } = await makeUser()
    service.cloud.recordCalls()
    // Refused after authentication, so that nothing else is read.
    const refused = () => service.api('GET', '/api/sys/users', { token })
    const first = await refused()
    const second = await refused()
    expect(second.status).toBe(403)
    const tripsOf = (answer: ApiAnswer) =>
      service.cloud.callsOf(answer.headers.get('apigw-requestid') as string).roundTrips
    expect([tripsOf(first), tripsOf(second)]).toEqual([2, 1])
    service.cloud.recordCalls(false)
  })
})

describe('the current user', () => {
  it('is answered with roles, permissions and tenant, and without the password hash', async () => {
    const { body } = await me(service.admin.token)
    expect(body.data).toEqual({
      id: service.admin.userId,
      name: 'Grace Hopper',
      email: service.admin.email,
      roles: ['admin'],
      permissions: ['*'],
      tenant: { slug: service.tenant.slug, name: 'Acme Ltd' },
      tenants: [{ slug: service.tenant.slug, name: 'Acme Ltd' }],
      org_units: [],
      company_id: null,
      messenger_linked: false,
      locale: null,
      mfa_enabled: false,
      mfa_setup_required: false,
      verification_required: false,
    })
  })

  it('can change name and locale, and keeps the token', async () => {
    const { token } = await makeUser()
    const changed = await service.api('PUT', '/api/user', { token, body: { name: 'Katherine', locale: 'de-AT' } })
    expect(changed.status).toBe(200)
    expect(changed.body.data).toMatchObject({ name: 'Katherine', locale: 'de-AT' })
    expect((await me(token)).body.data).toMatchObject({ name: 'Katherine', locale: 'de-AT' })
  })

  it('can set a new password with the current one, which revokes all tokens, including the one in use', async () => {
    const { email, token } = await makeUser()
    const other = await tokenOf(email)
    const body = { password: 'a much better one', current_password: password }
    expect((await service.api('PUT', '/api/user', { token, body })).status).toBe(200)
    expect([(await me(token)).status, (await me(other)).status]).toEqual([401, 401])
    expect([(await logIn(email)).status, (await logIn(email, 'a much better one')).status]).toEqual([401, 200])
  })

  it('keeps the password when the current one is missing or wrong', async () => {
    const { email, token } = await makeUser()
    const change = (body: object) => service.api('PUT', '/api/user', { token, body })
    expect((await change({ password: 'a much better one' })).body.errors).toEqual({
      current_password: ['The current_password field is required.'],
    })
    expect((await change({ password: 'a much better one', current_password: 'wrong' })).body.errors).toEqual({
      current_password: ['The current_password is incorrect.'],
    })
    expect((await logIn(email)).status).toBe(200)
  })

  it('our choice: is throttled like a login when guessing the current password', async () => {
    const { token } = await makeUser()
    const guess = () =>
      service.api('PUT', '/api/user', { token, body: { password: 'a much better one', current_password: 'wrong' } })
    for (let failure = 0; failure < 5; failure += 1) expect((await guess()).status).toBe(422)
    expect((await guess()).status).toBe(429)
  })

  it.each([
    ['roles', { roles: ['admin'] }],
    ['is_active', { is_active: false }],
    ['email', { email: 'other@accounts.test' }],
  ])('cannot change %s', async (field, body) => {
    const { token } = await makeUser()
    const answer = await service.api('PUT', '/api/user', { token, body })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
  })
})
