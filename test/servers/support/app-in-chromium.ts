import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { isFullDepth } from '../../make/depth.ts'
import { chromiumFlags } from './chromium-flags.ts'
import { type RunningService, startService } from './start-service.ts'

export const email = 'admin@example.com'
export const password = 'correct horse battery staple'

/** Pictures are taken when a folder for them is named. */
const pictures = process.env['WEB_APP_PICTURES']
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The policy holds even where the HTML of a mail or an article is only read: that the browser refused something of it is no fault. */
export const isRefusal = (complaint: string): boolean =>
  /^(Applying inline style|Setting the document's base URI|Executing inline event handler)/.test(complaint)

/** The service with its demo, and a browser that has the web app open. */
export interface AppInChromium {
  readonly service: RunningService
  readonly browser: BrowserContext
  /** What the page complained about, since it was opened. */
  readonly complaints: string[]
  /** The hosts that were asked for something. */
  readonly askedHosts: ReadonlySet<string>
  /** Asks the API as the administrator. */
  readonly call: (method: string, path: string, body?: object) => Promise<any>
  /** A page of its own for a test. */
  readonly open: () => Promise<Page>
  readonly stop: () => Promise<void>
}

/** Starts the service and a browser. */
export async function startApp(settings: Readonly<Record<string, string>> = {}): Promise<AppInChromium> {
  const profile = mkdtempSync(join(tmpdir(), 'web-app-'))
  const service = await startService({ ADMIN_PASSWORD: password, ...settings })
  const complaints: string[] = []
  const askedHosts = new Set<string>()
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: chromiumFlags,
    locale: 'en-GB',
  })
  // The first page waits for a service that has just started.
  browser.setDefaultNavigationTimeout(50_000)
  browser.on('request', (request) => askedHosts.add(new URL(request.url()).host))
  browser.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  browser.on('weberror', (error) => complaints.push(error.error().message))

  let token: string | undefined
  async function call(method: string, path: string, body?: object): Promise<any> {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(`${service.url}${path}`, { method, headers, body: body && JSON.stringify(body) })
    return answer.status === 204 ? undefined : answer.json()
  }
  token = (await call('POST', '/api/login-local', { email, password })).token
  return {
    service,
    browser,
    complaints,
    askedHosts,
    call,
    async open() {
      const page = await browser.newPage()
      await page.setViewportSize({ width: 1280, height: 800 })
      complaints.length = 0
      return page
    },
    async stop() {
      await browser.close()
      await service.stop()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** Signs in as the administrator, and waits for the first list. */
export async function signIn({ service }: AppInChromium, page: Page): Promise<void> {
  await page.goto(`${service.url}/sign-in`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('grid').waitFor()
}

/** One for each page: one that is closed would bring a page that is offline its connection back. */
const debuggers = new WeakMap<Page, Promise<CDPSession>>()
function debuggerOf(page: Page): Promise<CDPSession> {
  const known = debuggers.get(page) ?? page.context().newCDPSession(page)
  debuggers.set(page, known)
  return known
}

const wcag = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }

/** What axe finds on the page. It runs through the debugger, because the policy of the page allows no other script. */
export async function faultsOf(page: Page, options: object = wcag): Promise<readonly string[]> {
  const debug = await debuggerOf(page)
  const expression = `${axe}; axe.run(document, ${JSON.stringify(options)})
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200) + ' ' + nodes[0].failureSummary))`
  const { result } = await debug.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
  return result.value as readonly string[]
}

/** Whether everything stands within the width of the page. */
export const fits = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth <= innerWidth')

/** Takes a picture, where pictures are wanted. */
export async function picture(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) })
}

/**
 * The page is drawn, and what moves or fades to its look is there: a colour that elements inherit fades level by level.
 * Skeletons never end: they are not waited for.
 */
const settled = `(async () => {
  for (let round = 0; round < 50; round += 1) {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    if (moving.length === 0) break
    await Promise.allSettled(moving.map(({ finished }) => finished))
  }
  return true
})()`

/** Of width and theme, which seldom meet in one fault, two of the four; all of them at full depth, and for pictures. */
const looks = (
  [
    [1280, 'light'],
    [1280, 'dark'],
    [375, 'light'],
    [375, 'dark'],
  ] as const
).filter((_, index) => isFullDepth || pictures !== undefined || index % 3 === 0)

/** The faults of what is open, wide and narrow, light and dark; with the name of the look. */
export async function faultsInEveryLook(page: Page, name: string, options?: object): Promise<readonly string[]> {
  const found: string[] = []
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await page.evaluate(settled)
    const look = `${name}-${width}-${colorScheme}`
    for (const fault of await faultsOf(page, options)) found.push(`${look} ${fault}`)
    if (!(await fits(page))) found.push(`${look} is wider than the page`)
    await picture(page, look)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}
