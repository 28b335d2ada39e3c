import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoTableHeads } from '../../infra/local/demo/demo.ts'
import { serveFrontPage } from '../../infra/local/front-page/serve-front-page.ts'
import { chromiumFlags } from './support/chromium-flags.ts'

/** Pictures are taken when a folder for them is named. */
const pictures = process.env['FRONT_PAGE_PICTURES']
const profile = mkdtempSync(join(tmpdir(), 'front-page-'))
const cards = ['Getting started', 'A service desk in 30 minutes', 'Reference and guides', 'Outbox']
const examples = [
  'Sign in, with your password in place of the dots',
  'Read and write records, and see who has to approve',
  'Make a table, and a record in it',
]
const askedHosts = new Set<string>()
const complaints: string[] = []
let server: Server
let url: string
let browser: BrowserContext

beforeAll(async () => {
  const pages = serveFrontPage(() => ({
    tenant: 'demo',
    administrator: `o'neill&co@example.com`,
    tables: demoTableHeads,
  }))
  server = createServer((request, response) =>
    (pages[request.url ?? ''] ?? pages['/_local/start'])?.(request, response),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://localhost:${(server.address() as AddressInfo).port}`
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: chromiumFlags,
  })
  browser.on('request', (request) => askedHosts.add(new URL(request.url()).host))
  browser.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
})
afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
  rmSync(profile, { recursive: true, force: true })
})

describe('the page at /_local/start', () => {
  it.each([
    [375, 'light'],
    [375, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('at %i px in %s fits, can be read and contacts nobody else', async (width, colorScheme) => {
    const page = await browser.newPage()
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.goto(url)
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual(cards)
    expect(await page.getByRole('heading').allTextContents()).toEqual([
      'Entity and workflow service',
      'Sign in',
      'The demo',
      'Your first own table',
      'Guides',
    ])
    expect(await page.textContent('main')).toContain(`${url}/api/e/requests`)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect(await page.evaluate(lowContrast)).toEqual([])
    expect([...askedHosts]).toEqual([new URL(url).host])
    expect(complaints).toEqual([])
    if (pictures) await page.screenshot({ path: join(pictures, `${width}-${colorScheme}.png`), fullPage: true })
    await page.close()
  })

  it('leads with the keyboard to every link and every example', async () => {
    const page = await browser.newPage()
    await page.goto(url)
    const reached: (string | null)[] = []
    for (let count = 0; count < 10; count += 1) {
      await page.keyboard.press('Tab')
      reached.push(
        await page.evaluate<string>(
          'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
        ),
      )
    }
    expect(reached).toEqual([...cards, ...examples.flatMap((label) => [`Copy: ${label}`, label])])
    await page.close()
  })

  it('copies an example as it is shown', async () => {
    await browser.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await browser.newPage()
    await page.goto(url)
    await page.getByRole('button', { name: `Copy: ${examples[1]}` }).click()
    await page.getByText('Copied').waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toBe(`${await page.getByRole('region', { name: examples[1] }).textContent()}\n`)
    expect(copied).toContain(`curl -s ${url}/api/e/requests`)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('is JSON for programs, refuses other methods, and is shown on this machine only', async () => {
    const json = await fetch(url, { headers: { accept: 'application/json' } })
    expect(await json.json()).toMatchObject({ data: { tenant: 'demo', links: { reference: '/api/docs' } } })
    const posted = await fetch(url, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const head = await fetch(url, { method: 'HEAD', headers: { accept: 'text/html' } })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

/** Texts with less contrast than WCAG 2 AA asks for (4.5:1), in the browser. */
const lowContrast = `(() => {
  const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
  const rgb = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number)
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const color = rgb(getComputedStyle(node).backgroundColor)
      if (color.length === 3 || color[3] === 1) return color
    }
    return [255, 255, 255]
  }
  return [...document.querySelectorAll('body *')]
    .filter((node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
    .filter((node) => {
      const [a, b] = [light(rgb(getComputedStyle(node).color)), light(behind(node))]
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5
    })
    .map((node) => node.outerHTML.slice(0, 80))
})()`
