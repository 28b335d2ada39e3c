/** Every kind of secret of accounts is used, rightly and wrongly; then it is looked for wherever data or text remains. */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type Mailbox, openMailbox } from '../../make/services/mailboxes/mailbox.ts'
import { openBrowser } from '../../make/services/servers/browser.ts'
import { type IdentityProvider, startIdentityProvider } from '../../make/services/servers/identity-provider.ts'
import { client, type OpenIdServer, startOpenIdServer } from '../../make/services/servers/openid-server.ts'
import { type ApiAnswer, startService, type TestService } from '../../make/services/service.ts'
import { everyItem, everyObject } from '../../make/services/stores/whole-store.ts'

const mailPassword = 'canary mail password 1'
const password = 'canary of grace 1906'
const newPassword = 'canary of ada 1815'
const wrongPassword = 'canary wrong guess 9'

let service: TestService
let provider: IdentityProvider
let openId: OpenIdServer
let mailbox: Mailbox
let logs = ''
/** By what it is for. */
const secrets = new Map<string, string>([
  ['the password of a person', password],
  ['a new password', newPassword],
  ['a wrong password', wrongPassword],
  ['the password of the mail server', mailPassword],
  ['the client secret of OAuth', client.secret],
])
/** The answers that are not meant to hold any of them. */
const answers: ApiAnswer[] = []

const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
/** A request whose answer holds no secret. */
async function quietly(method: string, path: string, body?: unknown, token?: string): Promise<ApiAnswer> {
  const answer = await service.api(method, path, { body, ...(token !== undefined && { token }) })
  answers.push(answer)
  return answer
}
const keep = (what: string, secret: string): string => {
  if (typeof secret !== 'string' || secret.length < 6) throw new Error(`no secret: ${what}`)
  secrets.set(what, secret)
  return secret
}
const mailedSecret = (address: string): string => {
  const found = /\/([A-Za-z0-9_-]{43})\s/.exec(mailbox.textFor(address))
  return (found as RegExpExecArray)[1] as string
}

beforeAll(async () => {
  provider = await startIdentityProvider()
  mailbox = await openMailbox({ login: { username: 'desk', password: mailPassword } })
  service = await startService({
    registration: 'open',
    parameters: { LogLevel: 'DEBUG', AppUrl: 'https://app.acme.test' },
    onOutput: (_function, text) => {
      logs += text
    },
    log: (entry) => {
      logs += JSON.stringify(entry)
    },
  })
  openId = await startOpenIdServer(service.url, { bob: { email: 'bob@acme.test', email_verified: true } })
  await makeTable(service, 'notes', [{ name: 'title', type: 'text' }])
  const settings = await quietly(
    'PUT',
    '/api/sys/settings',
    {
      SSO_ISSUER: provider.issuer,
      SSO_AUDIENCE: 'workflow',
      SSO_JWKS_URL: provider.jwksUrl,
      OAUTH_GOOGLE_ISSUER: openId.issuer,
      OAUTH_GOOGLE_CLIENT_ID: client.id,
      OAUTH_GOOGLE_CLIENT_SECRET: client.secret,
      MAIL_HOST: '127.0.0.1',
      MAIL_PORT: mailbox.port,
      MAIL_USERNAME: 'desk',
      MAIL_PASSWORD: mailPassword,
      MAIL_FROM_ADDRESS: 'desk@acme.test',
    },
    service.admin.token,
  )
  if (settings.status !== 200) throw new Error(JSON.stringify(settings.body))
  await useSecrets()
  await service.cloud.idle()
})
afterAll(async () => {
  await service?.stop()
  await openId?.stop()
  await mailbox?.close()
  await provider?.stop()
})

async function useSecrets(): Promise<void> {
  const tokens = await usePasswords()
  await useInvitations()
  await useSecondFactor()
  await useProviders()
  const key = (await api('POST', '/api/sys/api-keys', { name: 'robot', roles: ['admin'] })).body.data
  const robot = keep('an API key', key.token)
  expect((await quietly('POST', '/api/e/notes', { title: 'A note' }, robot)).status).toBe(201)
  expect((await quietly('GET', '/api/sys/api-keys', undefined, service.admin.token)).status).toBe(200)
  for (const token of [tokens.session, robot]) {
    await quietly('GET', '/api/user', undefined, `${token}x`)
    await quietly('GET', '/api/user/sessions', undefined, token)
    await quietly('PUT', '/api/user', { password: wrongPassword, current_password: wrongPassword }, token)
  }
}

async function usePasswords(): Promise<{ session: string }> {
  const email = 'ada@acme.test'
  const account = { name: 'Ada', email, password, password_confirmation: password }
  keep('the token of a registration', (await api('POST', '/api/register', account)).body.token)
  expect((await quietly('POST', '/api/register', account)).status).toBe(422)
  expect((await quietly('POST', '/api/login-local', { email, password: wrongPassword })).status).toBe(401)
  await quietly('POST', '/api/password/forgot', { email })
  await service.cloud.idle()
  const reset = keep('the link of a password reset', mailedSecret(email))
  const wanted = { password: newPassword, password_confirmation: newPassword }
  expect((await quietly('POST', '/api/password/reset', { token: reset, ...wanted })).status).toBe(200)
  expect((await quietly('POST', '/api/password/reset', { token: reset, ...wanted })).status).toBe(422)
  const login = await api('POST', '/api/login-local', { email, password: newPassword })
  return { session: keep('the token of a login', login.body.token) }
}

async function useInvitations(): Promise<void> {
  const invited = await api('POST', '/api/tenant/invite', { email: 'eve@acme.test', roles: ['user'] })
  const secret = keep('the link of an invitation', invited.body.data.token)
  await service.cloud.idle()
  keep('the link in the mail of an invitation', mailedSecret('eve@acme.test'))
  await quietly('GET', '/api/tenant/invitations', undefined, service.admin.token)
  const join = { name: 'Eve', password, password_confirmation: password }
  keep(
    'the token of an accepted invitation',
    (await service.api('POST', `/api/join/${secret}`, { body: join })).body.token,
  )
  expect((await quietly('POST', `/api/join/${secret}`, join)).status).toBe(404)
}

async function useSecondFactor(): Promise<void> {
  const account = { name: 'Fay', email: 'fay@acme.test', password, password_confirmation: password }
  const { token } = (await service.api('POST', '/api/register', { body: account })).body
  const { data } = (await api('POST', '/api/user/mfa', { password }, token)).body
  keep('the secret of an authenticator app', data.secret)
  data.recovery_codes.forEach((code: string, n: number) => keep(`recovery code ${n}`, code))
  const totp = new TOTP({ secret: Secret.fromBase32(data.secret) })
  const code = totp.generate({ timestamp: Date.now() - 30_000 })
  expect((await quietly('POST', '/api/user/mfa/confirm', { code }, token)).status).toBe(200)
  const challenge = await api('POST', '/api/login-local', { email: account.email, password })
  const mfa_token = keep('the token of a challenge', challenge.body.data.mfa_token)
  expect((await quietly('POST', '/api/login-mfa', { mfa_token, code: '000000' })).status).toBe(401)
  const entered = await api('POST', '/api/login-mfa', { mfa_token, code: data.recovery_codes[0] })
  keep('the token after a second factor', entered.body.token)
}

async function useProviders(): Promise<void> {
  const external = keep(
    'the token of a provider',
    await provider.sign({ sub: 's', email: 'sso@acme.test', jti: 'one' }),
  )
  keep('the token of a single sign-on', (await api('POST', '/api/login-sso', { token: external })).body.token)
  expect((await quietly('POST', '/api/login-sso', { token: external })).status).toBe(401)
  expect((await quietly('POST', '/api/login-sso', { token: `${external}x` })).status).toBe(401)
  const browser = openBrowser()
  const page = await browser.go(`${service.url}/api/auth/google/redirect?redirect=/start`)
  const back = new URL(
    await browser.follow(`${page.url}?as=bob`, (url) => url.startsWith('https://app.acme.test')),
  ).searchParams.get('code') as string
  keep('the code of a finished sign-in', back)
  const exchanged = await api('POST', '/api/auth/exchange', { code: back })
  keep('the token of an exchange', exchanged.body.token)
  expect((await quietly('POST', '/api/auth/exchange', { code: back })).status).toBe(401)
}

/** What a text holds of the secrets: whole, or the part of a token behind its number. */
const foundIn = (text: string): string[] =>
  [...secrets].flatMap(([what, secret]) => (text.includes(secret.split('|').at(-1) as string) ? [what] : []))

describe('the secrets of accounts', () => {
  it('are of every kind', () => expect(secrets.size).toBeGreaterThanOrEqual(28))

  it('are in no log', () => {
    expect(logs).toContain('"message":"request"')
    expect(logs).toContain('refused a sign-in at a provider')
    expect(foundIn(logs)).toEqual([])
  })

  it('are in no answer but those that hand them out', () => {
    expect(answers.length).toBeGreaterThan(20)
    expect(foundIn(JSON.stringify(answers.map(({ body, headers }) => [body, [...headers]])))).toEqual([])
  })

  it('are in no row and no object', async () => {
    expect(foundIn(JSON.stringify(await everyItem(service)))).toEqual([])
    for (const [key, bytes] of await everyObject(service))
      expect([key, foundIn(bytes.toString('latin1'))]).toEqual([key, []])
  })

  it('are in no trail, history or configuration', async () => {
    for (const path of [
      '/api/sys/audit?per_page=500',
      '/api/sys/history/notes/1',
      '/api/sys/config',
      '/api/sys/settings',
    ]) {
      const { status, body } = await api('GET', path)
      expect([path, status, foundIn(JSON.stringify(body))]).toEqual([path, 200, []])
    }
  })
})
