import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumFlags } from './chromium-flags.ts'
import { type RunningService, startService } from './start-service.ts'

describe('the API reference in a browser', () => {
  const profile = mkdtempSync(join(tmpdir(), 'docs-page-'))
  const askedHosts = new Set<string>()
  const complaints: string[] = []
  let service: RunningService
  let browser: BrowserContext

  beforeAll(async () => {
    service = await startService()
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: '/usr/bin/chromium',
      args: chromiumFlags,
    })
    browser.on('request', (request) => askedHosts.add(new URL(request.url()).host))
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

  it('lists the endpoints, contacts no other host and reports no error', async () => {
    const page = await browser.newPage()
    const answer = await page.goto(`${service.url}/api/docs`, { waitUntil: 'networkidle' })
    expect(answer?.status()).toBe(200)
    expect(await page.locator('body').innerText()).toMatch(/POST\s*\/api\/e\/\{model\}(?!\/)/)
    expect([...askedHosts]).toEqual([new URL(service.url).host])
    expect(complaints).toEqual([])
  })
})
