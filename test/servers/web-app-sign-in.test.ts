import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { client, type OpenIdServer, startOpenIdServer } from '../make/services/servers/openid-server.ts'
import {
  type AppInChromium,
  email,
  faultsInEveryLook,
  faultsOf,
  password,
  startApp,
} from './support/app-in-chromium.ts'

const accounts = {
  ada: { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' },
  stranger: { email: 'stranger@example.com', email_verified: false },
}

let app: AppInChromium
let openId: OpenIdServer
let page: Page
beforeAll(async () => {
  app = await startApp()
  openId = await startOpenIdServer(app.service.url, accounts)
})
afterAll(async () => {
  await app?.stop()
  await openId?.stop()
})
beforeEach(async () => {
  page = await app.open()
  await app.browser.clearCookies()
  return () => page.close()
})

async function enterPassword(): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The code of an authenticator app for a moment (RFC 6238). */
function codeOf(secret: string, atMs: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const at = (digest.at(-1) as number) & 15
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

describe('sign-in of the web app', () => {
  it('leads to the providers that are set up, and back to what was wanted', async () => {
    await page.goto(`${app.service.url}/e/requests/2`)
    await page.getByLabel('E-mail address').waitFor()
    expect(await page.getByRole('link', { name: 'Sign in with Google' }).count()).toBe(0)
    await app.call('PUT', '/api/sys/settings', {
      OAUTH_GOOGLE_ISSUER: openId.issuer,
      OAUTH_GOOGLE_CLIENT_ID: client.id,
      OAUTH_GOOGLE_CLIENT_SECRET: client.secret,
    })
    await page.reload()
    await page.getByRole('link', { name: 'Sign in with Google' }).waitFor()
    for (const name of ['Sign in with Microsoft', 'Single sign-on (SSO)'])
      expect([name, await page.getByRole('link', { name }).count()]).toEqual([name, 0])
    await app.call('PUT', '/api/sys/settings', {
      OAUTH_MICROSOFT_ISSUER: openId.issuer,
      OAUTH_MICROSOFT_CLIENT_ID: client.id,
      OAUTH_MICROSOFT_CLIENT_SECRET: client.secret,
      SSO_ISSUER: openId.issuer,
      SSO_AUDIENCE: client.id,
      SSO_CLIENT_SECRET: client.secret,
    })
    await page.reload()
    await page.getByRole('link', { name: 'Sign in with Microsoft' }).waitFor()
    expect(await faultsInEveryLook(page, 'sign-in')).toEqual([])
    for (const name of ['Sign in with Google', 'Sign in with Microsoft', 'Single sign-on (SSO)']) {
      await app.browser.clearCookies()
      await page.goto(`${app.service.url}/e/requests/2`)
      await page.getByRole('link', { name }).click()
      await page.getByText('Sign in as ada').click()
      await page.getByRole('heading', { name: 'VPN drops every hour' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/e/requests/2')
      await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor()
    }
    await app.browser.clearCookies()
    await page.goto(`${app.service.url}/e/requests/2`)
    await page.getByRole('link', { name: 'Single sign-on (SSO)' }).click()
    await page.getByText('Sign in as stranger').click()
    await page.getByText('The sign-in at the provider did not work').waitFor()
    expect(app.complaints).toEqual([])
  })

  it('asks for the second factor that somebody has set up, and takes a recovery code instead', async () => {
    await page.goto(`${app.service.url}/profile`)
    await enterPassword()
    const factor = page.getByRole('region', { name: 'Second factor' })
    await factor.getByLabel('Password', { exact: true }).fill(password)
    await factor.getByRole('button', { name: 'Set up' }).click()
    await factor.getByRole('button', { name: 'Confirm' }).waitFor()
    const [secret, codes] = await factor.locator('pre').allTextContents()
    const key = (secret as string).replaceAll(' ', '')
    const recovery = (codes as string).split('\n')
    expect(recovery.length).toBeGreaterThan(4)
    expect(await faultsOf(page)).toEqual([])
    // A code is taken once: those of the moments before and after are as good.
    const now = Date.now()
    await factor.getByLabel('Code').fill(codeOf(key, now - 30_000))
    await factor.getByRole('button', { name: 'Confirm' }).click()
    await factor.getByRole('button', { name: 'Remove' }).waitFor()

    await app.browser.clearCookies()
    await page.goto(`${app.service.url}/e/requests/2`)
    await enterPassword()
    const code = page.getByLabel('Code')
    await code.fill('000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    expect(await faultsInEveryLook(page, 'second-factor')).toEqual([])
    await code.fill(codeOf(key, Date.now()))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'VPN drops every hour' }).waitFor()

    await app.browser.clearCookies()
    await page.goto(`${app.service.url}/e/requests/2`)
    await enterPassword()
    await page.getByLabel('Code').fill(recovery[0] as string)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'VPN drops every hour' }).waitFor()
    await page.goto(`${app.service.url}/profile`)
    await factor.getByLabel('Code').fill(recovery[1] as string)
    await factor.getByRole('button', { name: 'Remove' }).click()
    await factor.getByRole('button', { name: 'Set up' }).waitFor()
    expect(app.complaints).toEqual([])
  })
})
