import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client, type OpenIdServer, startOpenIdServer } from '../make/services/servers/openid-server.ts'
import { chromiumFlags } from './support/chromium-flags.ts'
import { type RunningService, startService } from './support/start-service.ts'

const accounts = { ada: { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' } }
const administrator = { email: 'admin@example.com', password: 'nanoseconds of wire' }

describe('sign-in at an OpenID provider, in Chromium', () => {
  const profile = mkdtempSync(join(tmpdir(), 'oauth-'))
  let service: RunningService
  let openId: OpenIdServer
  let app: Server
  let appUrl: string
  let browser: BrowserContext
  const returned: string[] = []

  const api = async (method: string, path: string, body?: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(`${service.url}${path}`, { method, headers, body: body && JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as { token?: string; user?: { email: string } } }
  }

  beforeAll(async () => {
    app = createServer((request, response) => {
      returned.push(request.url as string)
      response.end('<h1>Welcome back</h1>')
    })
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
    appUrl = `http://localhost:${(app.address() as AddressInfo).port}`
    service = await startService({ APP_URL: appUrl, ADMIN_PASSWORD: administrator.password })
    openId = await startOpenIdServer(service.url, accounts)
    const { token } = (await api('POST', '/api/login-local', administrator)).body
    const settings = {
      OAUTH_GOOGLE_ISSUER: openId.issuer,
      OAUTH_GOOGLE_CLIENT_ID: client.id,
      OAUTH_GOOGLE_CLIENT_SECRET: client.secret,
      SSO_ISSUER: openId.issuer,
      SSO_AUDIENCE: client.id,
    }
    await api('PUT', '/api/sys/settings', settings, token)
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: '/usr/bin/chromium',
      args: chromiumFlags,
    })
  })

  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    await openId?.stop()
    app?.close()
    rmSync(profile, { recursive: true, force: true })
  })

  it('answers the login result to a browser without an app', async () => {
    const page = await browser.newPage()
    await page.goto(`${service.url}/api/auth/google/redirect`)
    await page.getByText('Sign in as ada').click()
    await page.waitForURL(`${service.url}/api/auth/google/callback?**`)
    const login = JSON.parse(await page.locator('body').innerText())
    // The demo has this agent, whom the address finds.
    expect(login.user).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com', roles: ['agent'] })
    expect((await browser.cookies()).filter(({ name }) => name.endsWith('sign-in'))).toEqual([])
  })

  it('returns to an app with a code that signs in', async () => {
    const page = await browser.newPage()
    await page.goto(`${service.url}/api/auth/google/redirect?redirect=/welcome`)
    // The browser is still signed in at the provider, but the provider asks again after its own rules.
    if (page.url().startsWith(openId.issuer)) await page.getByText('Sign in as ada').click()
    await page.waitForURL(`${appUrl}/welcome?**`)
    expect(await page.locator('h1').innerText()).toBe('Welcome back')
    const code = new URL(page.url()).searchParams.get('code')
    const { status, body } = await api('POST', '/api/auth/exchange', { code: code as string })
    expect([status, body.user?.email]).toEqual([200, 'ada@example.com'])
    expect(returned.some((path) => path.startsWith('/welcome?code='))).toBe(true)
  })

  it('finds the new keys of a provider that rotates them, once the cool-down is over', async () => {
    expect((await api('POST', '/api/login-sso', { token: await openId.idToken('ada') })).status).toBe(200)
    await openId.rotateKeys()
    const { status } = await api('POST', '/api/login-sso', { token: await openId.idToken('ada') })
    expect(status).toBe(401)
    await sleep(31_000)
    expect((await api('POST', '/api/login-sso', { token: await openId.idToken('ada') })).status).toBe(200)
  })
})
