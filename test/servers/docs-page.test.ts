import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFullDepth } from '../make/depth.ts'
import { chromiumFlags } from './support/chromium-flags.ts'
import { type RunningService, startService } from './support/start-service.ts'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']

describe('the reference and the guides in a browser', () => {
  const profile = mkdtempSync(join(tmpdir(), 'docs-page-'))
  const askedHosts = new Set<string>()
  const complaints: string[] = []
  let service: RunningService
  let browser: BrowserContext

  beforeAll(async () => {
    service = await startService({ ADMIN_PASSWORD: 'correct horse battery staple' })
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: '/usr/bin/chromium',
      args: chromiumFlags,
      viewport: { width: 1400, height: 900 },
    })
    browser.on('request', (request) => {
      const { protocol, host } = new URL(request.url())
      if (protocol !== 'data:') askedHosts.add(host)
    })
    browser.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    browser.on('weberror', (failure) => complaints.push(String(failure.error())))
  })

  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    rmSync(profile, { recursive: true, force: true })
  })

  async function open(place = ''): Promise<Page> {
    const page = await browser.newPage()
    await page.goto(`${service.url}/api/docs${place}`, { waitUntil: 'networkidle' })
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    return page
  }

  /** What axe finds, without what it says of parts of the page that are still being drawn. */
  const violations = async (page: Page): Promise<string[]> => {
    const found = await page.evaluate(
      `(async () => { if (!globalThis.axe) { ${axe.source} } const { violations } = await axe.run(document, { runOnly: ${JSON.stringify(rules)} })
        return violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(' | ')) })()`,
    )
    return found as string[]
  }
  const axeSoonClean = async (page: Page): Promise<void> => {
    await expect.poll(() => violations(page), { interval: 1000 }).toEqual([])
  }

  it('shows endpoints and guides, contacts no other host and reports no error', async () => {
    const page = await open()
    for (const name of ['Guides', 'Hooks cookbook', 'Failure codes', 'Reference', 'Records'])
      expect(await page.getByText(name, { exact: true }).count(), name).toBeGreaterThan(0)
    expect([...askedHosts]).toEqual([new URL(service.url).host])
    expect(complaints).toEqual([])
    await page.close()
  })

  it.each([
    '',
    '#tag/guide-processes',
    '#tag/records/POST/api/e/{model}',
    ...(isFullDepth ? ['#tag/guide-hooks', '#tag/guide-failure-codes'] : []),
  ])(
    'has nothing at "%s" that axe objects to, light and dark, wide and at 375 pixels',
    async (place) => {
      const page = await open(place)
      await axeSoonClean(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.reload({ waitUntil: 'networkidle' })
      await axeSoonClean(page)
      await page.setViewportSize({ width: 375, height: 800 })
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(375)
      await axeSoonClean(page)
      await page.close()
    },
    120_000,
  )

  it('finds words of guides and endpoints with one search', async () => {
    const page = await open()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('sendPushNotification')
    await page
      .getByRole('option', { name: /Hooks cookbook/ })
      .first()
      .waitFor()
    await page.getByRole('combobox').fill('Sign in with e-mail')
    await page
      .getByRole('option', { name: /Sign in with e-mail and password/ })
      .first()
      .waitFor()
    await page
      .getByRole('option', { name: /Sign in with e-mail and password/ })
      .first()
      .click()
    await expect.poll(() => page.url()).toContain('/api/login-local')
    await page.close()
  })

  it('opens a guide by its address', async () => {
    const page = await browser.newPage()
    await page.goto(`${service.url}/api/docs/guide/query-language`, { waitUntil: 'networkidle' })
    expect(page.url()).toBe(`${service.url}/api/docs#tag/guide-query-language`)
    await page.getByRole('heading', { name: 'Values that move' }).waitFor()
    await page.close()
  })

  it('sends a request with the token of a sign-in that was tried out', async () => {
    const page = await open('#tag/accounts/POST/api/login-local')
    const tryOut = async (endpoint: string, address: string): Promise<number> => {
      const sample = page.locator(`[id$="${endpoint}"]`)
      await sample
        .getByRole('button', { name: /Test Request/ })
        .first()
        .click()
      const answered = page.waitForResponse((answer) => answer.url().endsWith(address))
      await page.getByRole('button', { name: /Send/ }).first().click()
      return (await answered).status()
    }
    expect(await tryOut('tag/accounts/POST/api/login-local', '/api/login-local')).toBe(200)
    await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(1)
    // With a token the page shows the tables of its tenant.
    await page.goto(`${service.url}/api/docs#tag/requests/POST/api/e/requests`)
    await page.reload({ waitUntil: 'networkidle' })
    expect(await tryOut('tag/requests/POST/api/e/requests', '/api/e/requests')).toBe(201)
    await page.close()
  })
})
