import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

let made = 0
const password = 'correct horse battery'

/** A user of their own for a test, signed in. */
async function makeUser(given: { roles?: string[] } = {}): Promise<{ id: number; email: string; token: string }> {
  const email = `person${(made += 1)}@acme.test`
  const body = { name: `Person ${made}`, email, password, roles: given.roles ?? [] }
  const created = await service.api('POST', '/api/sys/users', { token: service.admin.token, body })
  expect(created.status).toBe(201)
  return { id: created.body.data.id, email, token: await tokenOf(email) }
}

const logIn = (email: string, secret = password) =>
  service.api('POST', '/api/login-local', { body: { email, password: secret } })
const tokenOf = async (email: string, secret = password): Promise<string> => (await logIn(email, secret)).body.token
const me = (token: string | undefined) => service.api('GET', '/api/user', { token })

describe('signing in', () => {
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
      tenant: { slug: 'acme', name: 'Acme Ltd' },
    })
  })

  it('compares the address in lower case', async () => {
    const { email } = await makeUser()
    expect((await logIn(` ${email.toUpperCase()} `)).status).toBe(200)
  })

  it('answers the same 401 to a wrong password, an unknown address and a disabled user', async () => {
    const wrong = await makeUser()
    const disabled = await makeUser()
    await service.api('DELETE', `/api/sys/users/${disabled.id}`, { token: service.admin.token })
    const answers = [
      await logIn(wrong.email, 'not the password'),
      await logIn('nobody@acme.test'),
      await logIn(disabled.email),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual(answers[0]?.body)
    }
  })

  it('names the fields that are missing or unknown', async () => {
    const { status, body } = await service.api('POST', '/api/login-local', { body: { password: 1, remember: true } })
    expect(status).toBe(422)
    expect(body.errors).toEqual({
      email: ['The email field is required.'],
      password: ['The password must be a string.'],
      remember: ['The remember field is unknown.'],
    })
  })

  it('holds an address up after five failures on an account, with Retry-After, even for the right password', async () => {
    const { email } = await makeUser()
    for (let failure = 0; failure < 5; failure += 1) expect((await logIn(email, 'wrong guess')).status).toBe(401)
    const sixth = await logIn(email)
    expect(sixth.status).toBe(429)
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(25)
    expect(Number(sixth.headers.get('retry-after'))).toBeLessThanOrEqual(30)
  })

  it('throttles unknown addresses alike, so that 429 does not tell who exists', async () => {
    for (let failure = 0; failure < 5; failure += 1) await logIn('ghost@acme.test')
    expect((await logIn('ghost@acme.test')).status).toBe(429)
  })

  it('lets no more than five of many guesses made at once pass', async () => {
    const { email } = await makeUser()
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, n) => logIn(email, `guess number ${n}`)))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  it('lets any number of right logins at once in', async () => {
    const { email } = await makeUser()
    const answers = await Promise.all(Array.from({ length: 20 }, () => logIn(email)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  it('forgets failures after a success', async () => {
    const { email } = await makeUser()
    for (let round = 0; round < 2; round += 1) {
      for (let failure = 0; failure < 4; failure += 1) await logIn(email, 'wrong guess')
      expect((await logIn(email)).status).toBe(200)
    }
  })
})

describe('a token', () => {
  it('is needed, and anything that is not one is 401', async () => {
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

  it('ends with logout, and only that one', async () => {
    const { email, token } = await makeUser()
    const other = await tokenOf(email)
    const out = await service.api('POST', '/api/logout', { token })
    expect([out.status, out.body]).toEqual([200, { success: true, data: null, message: 'OK' }])
    expect((await me(token)).status).toBe(401)
    expect((await service.api('POST', '/api/logout', { token })).status).toBe(401)
    expect((await me(other)).status).toBe(200)
  })

  it('ends at once, with all others of the user, when an administrator disables the user', async () => {
    const { id, email, token } = await makeUser()
    const other = await tokenOf(email)
    expect((await me(other)).status).toBe(200)
    expect((await service.api('DELETE', `/api/sys/users/${id}`, { token: service.admin.token })).status).toBe(204)
    expect([(await me(token)).status, (await me(other)).status]).toEqual([401, 401])
    await service.api('PUT', `/api/sys/users/${id}`, { token: service.admin.token, body: { is_active: true } })
    expect((await me(token)).status).toBe(401)
    expect((await logIn(email)).status).toBe(200)
  })

  it('ends at once when an administrator sets a new password', async () => {
    const { id, email, token } = await makeUser()
    await service.api('PUT', `/api/sys/users/${id}`, {
      token: service.admin.token,
      body: { password: 'another good one' },
    })
    expect((await me(token)).status).toBe(401)
    expect((await logIn(email, 'another good one')).status).toBe(200)
  })

  it('costs one round trip to the table when the instance knows it, two when not', async () => {
    const { token } = await makeUser()
    service.cloud.recordCalls()
    const first = await me(token)
    const second = await me(token)
    const tripsOf = (answer: ApiAnswer) =>
      service.cloud.callsOf(answer.headers.get('apigw-requestid') as string).roundTrips
    expect([tripsOf(first), tripsOf(second)]).toEqual([2, 1])
    service.cloud.recordCalls(false)
  })
})

describe('the current user', () => {
  it('is shown with roles, permissions and tenant, and never with a hash', async () => {
    const { body } = await me(service.admin.token)
    expect(body.data).toEqual({
      id: service.admin.userId,
      name: 'Grace Hopper',
      email: service.admin.email,
      roles: ['admin'],
      permissions: ['*'],
      tenant: { slug: 'acme', name: 'Acme Ltd' },
      org_units: [],
      company_id: null,
      messenger_linked: false,
      locale: null,
    })
  })

  it('changes name and locale and goes on with the same token', async () => {
    const { token } = await makeUser()
    const changed = await service.api('PUT', '/api/user', { token, body: { name: 'Katherine', locale: 'de-AT' } })
    expect(changed.status).toBe(200)
    expect(changed.body.data).toMatchObject({ name: 'Katherine', locale: 'de-AT' })
    expect((await me(token)).body.data).toMatchObject({ name: 'Katherine', locale: 'de-AT' })
  })

  it('sets a new password with the current one, which ends all tokens, the one in use included', async () => {
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

  it('our choice: guessing the current password is throttled like a login', async () => {
    const { token } = await makeUser()
    const guess = () =>
      service.api('PUT', '/api/user', { token, body: { password: 'a much better one', current_password: 'wrong' } })
    for (let failure = 0; failure < 5; failure += 1) expect((await guess()).status).toBe(422)
    expect((await guess()).status).toBe(429)
  })

  it.each([
    ['roles', { roles: ['admin'] }],
    ['is_active', { is_active: false }],
    ['email', { email: 'other@acme.test' }],
  ])('may not change %s', async (field, body) => {
    const { token } = await makeUser()
    const answer = await service.api('PUT', '/api/user', { token, body })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
  })
})
