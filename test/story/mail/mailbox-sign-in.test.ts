import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pollNow } from '../../make/builders/messages/due-mailbox.ts'
import { userWith } from '../../make/builders/people.ts'
import { openProvider, type ProviderDouble } from '../../make/services/servers/provider-double.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

/* Mailboxes and channels that sign in at a provider, and Microsoft Graph. XOAUTH2 is in test/servers. */

let service: TestService
let provider: ProviderDouble
beforeAll(async () => {
  ;[service, provider] = await Promise.all([sharedService(), openProvider()])
})
beforeEach(() => void Object.assign(provider, { asked: [], sent: [], inbox: [] }))
afterAll(async () => {
  await service.stop()
  await provider.close()
})

const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
let names = 0
const auth = (flow: string) => ({
  kind: 'oauth',
  provider: 'microsoft',
  flow,
  client_id: 'app',
  client_secret: 'secret of the app',
  issuer: provider.issuer,
})
/** A mailbox that is read by Microsoft Graph. */
async function graphMailbox(flow: string, more: object = {}) {
  names += 1
  const place = { host: '127.0.0.1', port: provider.port, encryption: 'none' }
  const address = `graph${names}@${service.tenant.slug}.test`
  const incoming = { protocol: 'graph', ...place, auth: auth(flow) }
  const { status, body } = await api('POST', '/api/sys/mailboxes', {
    name: `Graph ${names}`,
    address,
    incoming,
    ...more,
  })
  expect([status, body.errors ?? null]).toEqual([201, null])
  return body.data as { id: number; address: string }
}
const arrive = (subject: string): void =>
  void provider.inbox.push({
    id: `mail-${subject.replaceAll(' ', '-')}`,
    raw: `From: ada@customer.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replaceAll(' ', '.')}@x.test>\r\n\r\nText\r\n`,
    receivedAt: '2026-11-20T07:14:00Z',
  })
const fetchMails = async (id: number) => (await api('POST', `/api/sys/mailboxes/${id}/fetch`)).body
/** Begins a sign-in, and answers with what the provider sends the browser back. */
async function authorize(id: number, code = `code ${names}`) {
  const { body } = await api('POST', `/api/sys/mailboxes/${id}/authorize`)
  const url = new URL(body.data.url)
  provider.codes.set(code, url.searchParams.get('code_challenge') ?? '')
  return { url, query: new URLSearchParams({ state: url.searchParams.get('state') ?? '', code }).toString() }
}
const comeBack = (query: string, token = service.admin.token) =>
  api('GET', `/api/sys/mailboxes/callback?${query}`, undefined, token)

describe('a mailbox of the application itself', () => {
  it('is read by Graph, each mail once, over pages and after a link that is too old', async () => {
    const { id } = await graphMailbox('client_credentials')
    for (const n of [1, 2, 3]) arrive(`graph ${n}`)
    expect((await api('POST', `/api/sys/mailboxes/${id}/test`)).body.data).toMatchObject({ ok: true, messages: 3 })
    expect(await fetchMails(id)).toMatchObject({ data: { fetched: 3, created: 3, skipped: 0, remaining: 0 } })
    arrive('graph 4')
    expect(await fetchMails(id)).toMatchObject({ data: { fetched: 1, created: 1 } })
    provider.generation += 1
    arrive('graph 5')
    expect(await fetchMails(id)).toMatchObject({ data: { fetched: 1, created: 1 } })
    expect(provider.asked).toHaveLength(1)
    expect(provider.asked[0]).toMatchObject({ grant_type: 'client_credentials', scope: 'https://127.0.0.1/.default' })
    const all = (await api('GET', '/api/sys/incoming_messages?per_page=100')).body.data
    const own = all.filter(({ mailbox_id: box }: { mailbox_id: number }) => box === id)
    expect(own.map(({ subject }: { subject: string }) => subject)).toHaveLength(5)
  })

  it('says when its provider does not answer', async () => {
    const away = { ...auth('client_credentials'), issuer: 'http://127.0.0.1:1' }
    const { id } = await graphMailbox('client_credentials')
    await api('PUT', `/api/sys/mailboxes/${id}`, { incoming: { protocol: 'imap', host: '127.0.0.1', auth: away } })
    const message = 'The metadata at http://127.0.0.1:1/.well-known/openid-configuration could not be fetched.'
    for (const verb of ['test', 'fetch'])
      expect(await api('POST', `/api/sys/mailboxes/${id}/${verb}`)).toMatchObject({ status: 422, body: { message } })
    expect((await api('GET', `/api/sys/mailboxes/${id}/health`)).body.data.error).toBe(message)
  })

  it('gets another token when the provider takes one back', async () => {
    const { id } = await graphMailbox('client_credentials')
    await fetchMails(id)
    provider.tokens.clear()
    arrive('after a new token')
    expect(await fetchMails(id)).toMatchObject({ data: { created: 1 } })
  })
})

describe('a mailbox for which somebody signs in', () => {
  it('is read once they did; the sign-in works once', async () => {
    const { id, address } = await graphMailbox('authorization_code')
    arrive('signed in')
    expect(await fetchMails(id)).toMatchObject({
      code: 'mailbox_unreachable',
      message: expect.stringContaining(`POST /api/sys/mailboxes/${id}/authorize`),
    })
    const { url, query } = await authorize(id)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      login_hint: address,
      redirect_uri: expect.stringMatching(/\/api\/sys\/mailboxes\/callback$/),
    })
    expect((await comeBack(query)).body.data).toMatchObject({ mailbox_id: id, address })
    expect((await comeBack(query)).status).toBe(401)
    expect(await fetchMails(id)).toMatchObject({ data: { created: 1 } })
    expect(JSON.stringify((await api('GET', `/api/sys/mailboxes/${id}`)).body)).not.toMatch(/token|secret of the app/)
  })

  it('is signed in for by nobody but the administrator who began', async () => {
    const { id } = await graphMailbox('authorization_code')
    const { query } = await authorize(id)
    const other = await userWith(service, ['*'])
    expect((await comeBack(query, other.token)).status).toBe(401)
    expect((await service.api('GET', `/api/sys/mailboxes/callback?${query}`, {})).status).toBe(401)
    expect((await comeBack(query)).status).toBe(200)
  })

  it('is signed in for in the browser that brings the cookie back', async () => {
    const { id } = await graphMailbox('authorization_code')
    const begun = await fetch(`${service.url}/api/sys/mailboxes/${id}/authorize`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.admin.token}` },
    })
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
    const url = new URL(((await begun.json()) as { data: { url: string } }).data.url)
    provider.codes.set('browser', url.searchParams.get('code_challenge') ?? '')
    const query = new URLSearchParams({ state: url.searchParams.get('state') ?? '', code: 'browser' })
    const back = (headers: Record<string, string>) =>
      fetch(`${service.url}/api/sys/mailboxes/callback?${query}`, { headers })
    expect((await back({ cookie: `${cookie}x` })).status).toBe(401)
    // Whoever acts as somebody else neither begins nor finishes it, also in the browser of the administrator.
    const person = await userWith(service, ['*'])
    const acting = await service.api('POST', `/api/impersonate/${person.id}`, { token: service.admin.token })
    const authorization = `Bearer ${acting.body.token}`
    expect((await back({ cookie, authorization })).status).toBe(401)
    const begin = await service.api('POST', `/api/sys/mailboxes/${id}/authorize`, { token: acting.body.token })
    expect(begin.status).toBe(403)
    // A browser shows what came of it.
    const refused = await back({ accept: 'text/html', cookie: `${cookie}x` })
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
    expect(await refused.text()).toMatch(/<h1>The sign-in did not succeed<\/h1>\s*<p>This sign-in is not known/)
    const done = await back({ accept: 'text/html,*/*', cookie })
    expect(done.status).toBe(200)
    expect(await done.text()).toMatch(/<h1>Signed in as .*@.*<\/h1>\s*<p>The mailbox .* is connected/)
  })

  it('says what the provider refused', async () => {
    const { id } = await graphMailbox('authorization_code')
    const { query } = await authorize(id)
    const denied = new URLSearchParams(query)
    denied.delete('code')
    denied.set('error', 'access_denied')
    expect(await comeBack(denied.toString())).toMatchObject({
      status: 422,
      body: { message: 'The provider did not let you in: access_denied' },
    })
  })

  it('whose renewal is refused is told to administrators at once', async () => {
    const { id } = await graphMailbox('authorization_code')
    await comeBack((await authorize(id)).query)
    // The sign-in ends at the provider, and the access token with it.
    provider.refresh = undefined
    await pollNow(service, service.tenant, id)
    await service.cloud.idle()
    const { data } = (await api('GET', '/api/notifications')).body
    expect(data).toContainEqual(
      expect.objectContaining({
        title: `The mailbox Graph ${names} cannot be fetched`,
        text: expect.stringContaining('invalid_grant'),
      }),
    )
  })
})

describe('a channel that sends by Graph', () => {
  const channel = async (config: object) => {
    names += 1
    const made = { name: `Sending ${names}`, type: 'email', config }
    const { status, body } = await api('POST', '/api/sys/channels', made)
    return { status, body, id: body.data?.id as number }
  }
  const place = () => ({ host: '127.0.0.1', port: provider.port, encryption: 'none', from_address: 'desk@acme.test' })

  it('hands over the whole mail, as the application', async () => {
    const { id, body } = await channel({ transport: 'graph', ...place(), auth: auth('client_credentials') })
    expect(body.data.config.auth.client_secret).toBe('********')
    const tested = await api('POST', `/api/sys/channels/${id}/test`, { to: 'ada@customer.test' })
    expect(tested.body.data).toEqual({ ok: true, code: '202' })
    expect(provider.sent).toMatchObject([
      { user: 'desk@acme.test', mime: expect.stringMatching(/To: ada@customer.test/) },
    ])
  })

  it('sends by the sign-in of the mailbox that names it', async () => {
    const { id } = await channel({ transport: 'graph', ...place(), auth: auth('authorization_code') })
    const send = async () => (await api('POST', `/api/sys/channels/${id}/test`, { to: 'ada@customer.test' })).body.data
    expect(await send()).toMatchObject({ ok: false, error: expect.stringContaining('No mailbox') })
    const mailbox = await graphMailbox('authorization_code', { channel_id: id })
    await comeBack((await authorize(mailbox.id)).query)
    expect(await send()).toEqual({ ok: true, code: '202' })
  })

  it('by SMTP shows the access token (XOAUTH2), and a new one when that is refused', async () => {
    const shown: string[] = []
    const server = new SMTPServer({
      authMethods: ['XOAUTH2'],
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth({ username, accessToken }, _session, done) {
        shown.push(`${username} ${accessToken}`)
        if (provider.tokens.has(accessToken ?? '')) done(null, { user: username })
        else done(null, { data: { status: '401', schemes: 'bearer' } })
      },
      onData: (stream, _session, done) => void stream.resume().on('end', () => done()),
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.server.address() as AddressInfo
    const { id } = await channel({ ...place(), transport: 'smtp', port, auth: auth('client_credentials') })
    const send = async () => (await api('POST', `/api/sys/channels/${id}/test`, { to: 'ada@customer.test' })).body.data
    expect(await send()).toMatchObject({ ok: true, code: '250' })
    provider.tokens.clear()
    expect(await send()).toMatchObject({ ok: true, code: '250' })
    await new Promise<void>((closed) => server.close(closed))
    expect(shown.every((one) => one.startsWith('desk@acme.test access-token-'))).toBe(true)
  })

  it.each([
    [{ transport: 'graph' }, 'config.auth'],
    [{ transport: 'ses', auth: 'client_credentials' }, 'config.auth'],
    [{ transport: 'smtp', auth: 'client_credentials', issuer: null }, 'config.auth.tenant'],
  ])('is refused where it cannot be: %j', async ({ auth: flow, issuer, ...config }: Record<string, unknown>, path) => {
    const signIn = { ...auth(String(flow)), ...(issuer === null && { issuer: null }) }
    const { status, body } = await channel({
      ...config,
      from_address: 'a@x.test',
      ...(flow !== undefined && { auth: signIn }),
    })
    expect([status, Object.keys(body.errors)]).toEqual([422, [path]])
  })
})
