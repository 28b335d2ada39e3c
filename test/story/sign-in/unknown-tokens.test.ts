import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiAnswer, startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let count = 0
beforeAll(async () => {
  service = await startService({ log: () => {} })
})
afterAll(() => service?.stop())

const secret = (): string => `${(count += 1)}`.padStart(43, 'x')
const password = 'sufficiently long 7'

/** What somebody may guess: each answers alike for every wrong secret, and counts. */
const guesses: Readonly<Record<string, () => Promise<ApiAnswer>>> = {
  'the link of a record': () => service.api('GET', `/api/follow/${secret()}`),
  'the button of a mail': () =>
    service.api(
      'GET',
      `/api/decide/1.1.1.1999999999999.${`${(count += 1)}`.padStart(32, 'x').replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`,
    ),
  'an invitation': () => service.api('GET', `/api/join/${secret()}`),
  'the acceptance of one': () =>
    service.api('POST', `/api/join/${secret()}`, { body: { name: 'Eve', password, password_confirmation: password } }),
  'the link for a new password': () =>
    service.api('POST', '/api/password/reset', {
      body: { token: secret(), password, password_confirmation: password },
    }),
  'the link that proves an address': () => service.api('POST', '/api/email/verify', { body: { token: secret() } }),
  'the code of a provider': () => service.api('POST', '/api/auth/exchange', { body: { code: secret() } }),
  'the second step of a sign-in': () =>
    service.api('POST', '/api/login-mfa', { body: { mfa_token: secret(), code: '123456' } }),
  'the token of a session': () => service.api('POST', '/api/session', { body: { token: `${count + 1}|${secret()}` } }),
}

it('secrets are guessed sixty times a network in a quarter of an hour, of whatever kind, and then not at all', async () => {
  const kinds = Object.values(guesses)
  const wrong = new Set<number>()
  for (let n = 0; n < 60; n += 1) wrong.add((await (kinds[n % kinds.length] as () => Promise<ApiAnswer>)()).status)
  expect([...wrong].sort()).toEqual([401, 404, 422])
  for (const guess of kinds) {
    const answer = await guess()
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true])
  }
  // Whoever is signed in, or signs in with a password, notices nothing.
  expect((await service.api('GET', '/api/user', { token: service.admin.token })).status).toBe(200)
  const { email, password: own } = service.admin
  expect((await service.api('POST', '/api/session', { body: { email, password: own } })).status).toBe(200)
  expect((await service.api('GET', '/api/user', { token: `1|${secret()}` })).status).toBe(401)
})
