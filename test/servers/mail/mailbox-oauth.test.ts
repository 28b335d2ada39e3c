import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startService, type TestService } from '../../make/services/service.ts'
import { type Dovecot, startDovecot } from '../support/dovecot.ts'

/* A mail server that takes access tokens (XOAUTH2), and the provider that issues and checks them. */

const user = 'desk@acme.test'
let provider: Server
let address: string
let dovecot: Dovecot
let service: TestService
/** Tokens that the mail server accepts, and forms that the provider received. */
let valid: Set<string>
let asked: Record<string, string>[]
let refresh: string
let issued = 0

beforeAll(async () => {
  provider = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const answer = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/check') {
      const isValid = valid.has(url.searchParams.get('access_token') ?? '')
      return answer(isValid ? 200 : 401, isValid ? { email: user, active: 'true' } : { error: 'invalid_token' })
    }
    if (url.pathname === '/.well-known/openid-configuration')
      return answer(200, { authorization_endpoint: `${address}/authorize`, token_endpoint: `${address}/token` })
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(text))
      asked.push(form)
      if (form.client_secret !== 'secret of the app')
        return answer(401, { error: 'invalid_client', error_description: `No such secret: ${form.client_secret}` })
      if (form.grant_type === 'refresh_token' && form.refresh_token !== refresh)
        return answer(400, { error: 'invalid_grant' })
      const token = `access token ${(issued += 1)}`.replaceAll(' ', '-')
      valid.add(token)
      // As strict providers do: each refresh token works once.
      const next = form.grant_type === 'refresh_token' ? { refresh_token: (refresh = `refresh-token-${issued}`) } : {}
      answer(200, { access_token: token, token_type: 'Bearer', expires_in: 3600, ...next })
    })
  })
  await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening))
  address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  ;[dovecot, service] = await Promise.all([
    startDovecot({ tokeninfo: `${address}/check?access_token=` }),
    startService({ log: () => {} }),
  ])
  for (const n of [1, 2]) dovecot.put(user, `From: ada@example.com\r\nSubject: mail ${n}\r\n\r\nText\r\n`)
})
beforeEach(() => void ([valid, asked] = [new Set(), []]))
afterAll(async () => {
  await service?.stop()
  await dovecot?.close()
  provider?.close()
})

const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const oauth = (more: object) => ({
  IMAP_HOST: '127.0.0.1',
  IMAP_PORT: dovecot.port,
  IMAP_USERNAME: user,
  IMAP_AUTH: 'client_credentials',
  IMAP_OAUTH_TOKEN_URL: `${address}/token`,
  IMAP_OAUTH_CLIENT_ID: 'app',
  IMAP_OAUTH_CLIENT_SECRET: 'secret of the app',
  IMAP_OAUTH_SCOPE: 'https://outlook.office365.com/.default',
  ...more,
})
const test = async () => {
  const { status, body } = await api('POST', '/api/sys/settings/test-imap')
  return status === 200 ? body.data : body.message
}

it('is opened with client credentials; a token that the server refuses is replaced once', async () => {
  await api('PUT', '/api/sys/settings', oauth({}))
  expect(await test()).toEqual({ ok: true, mailbox: 'INBOX', messages: 2 })
  expect(await test()).toEqual({ ok: true, mailbox: 'INBOX', messages: 2 })
  expect(asked).toHaveLength(1)
  valid.clear()
  expect((await api('POST', '/api/sys/settings/fetch-imap')).body.data).toMatchObject({ created: 2 })
  expect(asked).toHaveLength(2)
  expect(asked[1]).toMatchObject({ grant_type: 'client_credentials', scope: 'https://outlook.office365.com/.default' })
})

it('is opened with a refresh token that the provider replaces at each use', async () => {
  refresh = 'refresh token of the consent'
  await api('PUT', '/api/sys/settings', oauth({ IMAP_AUTH: 'refresh_token', IMAP_OAUTH_REFRESH_TOKEN: refresh }))
  for (let n = 0; n < 3; n += 1) {
    valid.clear()
    expect(await test()).toEqual({ ok: true, mailbox: 'INBOX', messages: 2 })
  }
  expect(asked.map((form) => form.refresh_token)[0]).toBe('refresh token of the consent')
  expect(new Set(asked.map((form) => form.refresh_token)).size).toBe(asked.length)
})

it('says what the provider said, without secrets', async () => {
  await api('PUT', '/api/sys/settings', oauth({ IMAP_OAUTH_CLIENT_SECRET: 'a wrong secret' }))
  expect(await test()).toMatch(
    /^The token endpoint 127\.0\.0\.1:\d+ answered 401: invalid_client: No such secret: \*\*\*$/,
  )
  refresh = 'another one'
  await api('PUT', '/api/sys/settings', oauth({ IMAP_AUTH: 'refresh_token', IMAP_OAUTH_REFRESH_TOKEN: 'an old one' }))
  expect(await test()).toMatch(/answered 400: invalid_grant$/)
})

it('opens a mailbox beside that of the settings, at the token endpoint that its issuer names', async () => {
  const auth = {
    kind: 'oauth',
    provider: 'microsoft',
    flow: 'client_credentials',
    client_id: 'app',
    client_secret: 'secret of the app',
    issuer: address,
  }
  const incoming = { protocol: 'imap', host: '127.0.0.1', port: dovecot.port, encryption: 'none', auth }
  const made = await api('POST', '/api/sys/mailboxes', { name: 'Desk', address: user, incoming })
  const { id } = made.body.data
  expect((await api('POST', `/api/sys/mailboxes/${id}/test`)).body.data).toMatchObject({ ok: true, messages: 2 })
  expect((await api('POST', `/api/sys/mailboxes/${id}/fetch`)).body.data).toMatchObject({ fetched: 2 })
  expect(asked).toMatchObject([{ grant_type: 'client_credentials', scope: 'https://outlook.office365.com/.default' }])
})
