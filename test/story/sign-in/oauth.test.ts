import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPerson } from '../../../shared/accounts/people/person.ts'
import { otherTenant } from '../../make/builders/people.ts'
import { openBrowser } from '../../make/services/servers/browser.ts'
import { client, type OpenIdServer, startOpenIdServer } from '../../make/services/servers/openid-server.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let openId: OpenIdServer
const refusal = { success: false, code: 'sign_in_refused', message: 'The sign-in was refused.' }
const accounts = {
  ada: { email: 'Ada@acme.test', email_verified: true, name: 'Ada Lovelace' },
  bob: { email: 'bob@acme.test', email_verified: true },
  mallory: { email: 'grace@acme.test', email_verified: false, name: 'Grace Hopper' },
  trudy: { name: 'Trudy' },
  hedy: { email: 'hedy@acme.test', groups: ['desk'] },
}

const setUp = (issuer: string, name = 'GOOGLE') => ({
  [`OAUTH_${name}_ISSUER`]: issuer,
  [`OAUTH_${name}_CLIENT_ID`]: client.id,
  [`OAUTH_${name}_CLIENT_SECRET`]: client.secret,
})
const put = (body: object, token = service.admin.token) => service.api('PUT', '/api/sys/settings', { token, body })
const start = (path = '/api/auth/google/redirect') => `${service.url}${path}`

beforeAll(async () => {
  service = await startService({ parameters: { AppUrl: 'http://app.test/base' } })
  openId = await startOpenIdServer(service.url, accounts)
  const sso = { SSO_ISSUER: openId.issuer, SSO_AUDIENCE: client.id, SSO_CLIENT_SECRET: client.secret }
  await put({ ...setUp(openId.issuer), ...setUp(openId.issuer, 'MICROSOFT'), ...sso })
})
afterAll(async () => {
  await service.stop()
  await openId.stop()
})

/** Signs in as an account, up to the answer of the callback. */
async function signInAs(name: string, path?: string) {
  const browser = openBrowser()
  const page = await browser.go(start(path))
  return browser.go(`${page.url}?as=${name}`)
}

describe('sign-in with the browser', () => {
  it.each(['google', 'microsoft', 'sso'])('at %s creates the account, and finds it again', async (name) => {
    const path = `/api/auth/${name}/redirect`
    const first = await signInAs('ada', path)
    expect([first.status, first.body.user]).toEqual([
      200,
      { id: expect.any(Number), name: 'Ada Lovelace', email: 'ada@acme.test', roles: ['user'] },
    ])
    expect(first.body.data.token).toBe(first.body.token)
    const me = await service.api('GET', '/api/user', { token: first.body.token })
    expect(me.body.data).toMatchObject({ email: 'ada@acme.test', tenant: { slug: 'acme' } })
    expect((await signInAs('ada', path)).body.user.id).toBe(first.body.user.id)
    expect((await findPerson(service.store, 'ada@acme.test'))?.identities).toEqual([
      { issuer: openId.issuer, subject: 'ada' },
    ])
  })

  it("believes the company's own provider, which says nothing of the address, and applies its groups", async () => {
    expect((await signInAs('hedy')).body).toEqual(refusal)
    const token = service.admin.token
    const unit = await service.api('POST', '/api/e/sys_org_units', { token, body: { name: 'Desk' } })
    const body = { group: 'desk', roles: ['desk'], org_unit_id: unit.body.data.id }
    await service.api('POST', '/api/sys/roles', { token, body: { name: 'desk', permissions: [] } })
    expect((await service.api('POST', '/api/sys/auth-mappings', { token, body })).status).toBe(201)
    const { body: login } = await signInAs('hedy', '/api/auth/sso/redirect')
    expect(login.user).toMatchObject({ email: 'hedy@acme.test', roles: expect.arrayContaining(['desk']) })
    expect((await signInAs('mallory', '/api/auth/sso/redirect')).body).toEqual(refusal)
    expect((await service.api('GET', '/api/session')).body.data.providers).toEqual(['google', 'microsoft', 'sso'])
  })

  it('asks with PKCE, state and nonce, and binds the state to a cookie', async () => {
    const answer = await fetch(start(), { redirect: 'manual' })
    const { searchParams } = new URL(answer.headers.get('location') as string)
    expect([answer.status, Object.fromEntries(searchParams)]).toEqual([
      302,
      {
        client_id: client.id,
        response_type: 'code',
        redirect_uri: `${service.url}/api/auth/google/callback`,
        scope: 'openid email profile',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      },
    ])
    expect(answer.headers.get('set-cookie')).toMatch(
      /^sign-in=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
  })

  it.each(['mallory', 'trudy', 'nobody'])('is refused for %s, whose address is not proved', async (name) => {
    const { status, body } = await signInAs(name)
    expect([status, body]).toEqual([401, refusal])
  })
})

describe('a callback is refused', () => {
  /** The address of the callback, with the browser that was led there. */
  async function arrive(name = 'bob') {
    const browser = openBrowser()
    const page = await browser.go(start())
    const callback = await browser.follow(`${page.url}?as=${name}`, (url) => url.startsWith(service.url))
    return { browser, callback }
  }

  it('in another browser, without its cookie, or with the cookie of another sign-in', async () => {
    const { callback, browser } = await arrive()
    expect((await openBrowser().go(callback)).body).toEqual(refusal)
    const other = openBrowser()
    await other.go(start())
    expect((await other.go(callback)).body).toEqual(refusal)
    expect((await browser.go(callback)).status).toBe(200)
  })

  it('the second time', async () => {
    const { callback, browser } = await arrive()
    expect((await browser.go(callback)).status).toBe(200)
    expect((await browser.go(callback)).body).toEqual(refusal)
  })

  it.each<[string, (url: URL) => void]>([
    ['without state', ({ searchParams }) => searchParams.delete('state')],
    ['with another state', ({ searchParams }) => searchParams.set('state', 'x'.repeat(43))],
    ['without code', ({ searchParams }) => searchParams.delete('code')],
    ['with another code', ({ searchParams }) => searchParams.set('code', 'guess')],
    ['from another issuer', ({ searchParams }) => searchParams.set('iss', 'https://evil.test')],
    ['without the issuer that the provider announces', ({ searchParams }) => searchParams.delete('iss')],
    ['at another provider', (url) => (url.pathname = '/api/auth/microsoft/callback')],
  ])('%s', async (_, change) => {
    const { callback, browser } = await arrive()
    const url = new URL(callback)
    change(url)
    const { status, body } = await browser.go(url.href)
    expect([status, body]).toEqual([401, refusal])
  })

  it('with a code that another sign-in brought', async () => {
    const [mine, victims] = [await arrive('bob'), await arrive('ada')]
    const url = new URL(mine.callback)
    url.searchParams.set('code', new URL(victims.callback).searchParams.get('code') as string)
    expect((await mine.browser.go(url.href)).body).toEqual(refusal)
  })
})

describe('a web app', () => {
  const exchange = (code: string) => service.api('POST', '/api/auth/exchange', { body: { code } })

  it('gets a code that signs in once', async () => {
    const browser = openBrowser()
    const page = await browser.go(start('/api/auth/google/redirect?redirect=/requests%3Ftab=mine'))
    const address = await browser.follow(`${page.url}?as=bob`, (url) => url.startsWith('http://app.test'))
    const url = new URL(address)
    expect([url.pathname, url.searchParams.get('tab')]).toEqual(['/base/requests', 'mine'])
    const code = url.searchParams.get('code') as string
    const answers = await Promise.all([exchange(code), exchange(code)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect(answers.find(({ status }) => status === 200)?.body.user.email).toBe('bob@acme.test')
    expect((await exchange(code)).body).toEqual(refusal)
  })

  it('learns that a sign-in was refused', async () => {
    const browser = openBrowser()
    const page = await browser.go(start('/api/auth/google/redirect?redirect=/'))
    const address = await browser.follow(`${page.url}?as=nobody`, (url) => url.startsWith('http://app.test'))
    expect(address).toBe('http://app.test/base/?error=sign_in_refused')
  })

  it.each(['//evil.test', '/\\evil.test', 'https://evil.test', 'evil', '/a\r\nb', '/a b', '', '/a#b', '\t/x'])(
    'is never left for %j',
    async (redirect) => {
      const query = new URLSearchParams({ redirect })
      const { status, body } = await service.api('GET', `/api/auth/google/redirect?${query}`)
      expect([status, Object.keys(body.errors)]).toEqual([422, ['redirect']])
    },
  )
})

describe('a provider', () => {
  it('that is unknown is 404, and one that is not set up is 422, as is every unknown company', async () => {
    expect((await service.api('GET', '/api/auth/github/redirect')).status).toBe(404)
    expect((await service.api('GET', '/api/auth/github/callback')).status).toBe(404)
    await otherTenant(service, 'engines')
    const answers = await Promise.all(
      ['engines', 'nowhere'].map((slug) => service.api('GET', `/api/auth/google/redirect?tenant=${slug}`)),
    )
    for (const { status, body } of answers)
      expect([status, body]).toEqual([
        422,
        { success: false, code: 'provider_not_configured', message: 'Sign-in with google is not set up.' },
      ])
  })

  it('of another tenant signs in nobody outside its domains, which it has none of here', async () => {
    const { token } = await otherTenant(service, 'mills')
    await put(setUp(openId.issuer), token)
    const { status, body } = await signInAs('bob', '/api/auth/google/redirect?tenant=mills')
    expect([status, body]).toEqual([401, refusal])
  })

  it('that does not answer refuses the sign-in', async () => {
    const { token } = await otherTenant(service, 'looms')
    await put(setUp('http://127.0.0.1:9'), token)
    expect((await service.api('GET', '/api/auth/google/redirect?tenant=looms')).body).toEqual(refusal)
  })
})
