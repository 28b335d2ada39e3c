import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type DemoService, startDemo } from '../make/services/demo-service.ts'
import { faultsInEveryLook } from './support/app-in-chromium.ts'
import { chromiumFlags } from './support/chromium-flags.ts'

/* What people who are not signed in do at the links in their mails. */

const profile = mkdtempSync(join(tmpdir(), 'link-pages-'))
const [askedHosts, complaints] = [new Set<string>(), [] as string[]]
let service: DemoService
let token: string
let browser: BrowserContext
let page: Page

beforeAll(async () => {
  service = await startDemo()
  token = await service.signIn('admin@example.com')
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: chromiumFlags,
    locale: 'en',
  })
  browser.on('request', (request) => askedHosts.add(new URL(request.url()).host))
  browser.on('console', (message) => {
    // The answers 404 and 422 of the API are part of the stories.
    if (message.type() === 'error' && !/status of 4(04|22)/.test(message.text())) complaints.push(message.text())
  })
  browser.on('weberror', (failure) => complaints.push(String(failure.error())))
}, 120_000)
beforeEach(async () => {
  page = await browser.newPage()
})
afterEach(() => page.close())
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  rmSync(profile, { recursive: true, force: true })
})

const api = async (method: string, path: string, body?: object): Promise<any> => {
  const { status, body: answer } = await service.api(method, path, { token, body })
  expect([path, status, answer]).toEqual([path, expect.toSatisfy((code) => code < 300), answer])
  return answer?.data
}
const mailTo = async (address: string) => {
  await service.cloud.idle()
  return service.cloud.outbox.list({ type: 'mail', to: address })[0]
}
const linkTo = async (address: string): Promise<string> =>
  /http\S+/.exec((await mailTo(address))?.text ?? '')?.[0] ?? ''
const titled = (text: string) => page.locator('h1', { hasText: text }).waitFor()
const press = (name: string) => page.getByRole('button', { name }).click()
/** What has the focus, by its name or its text. */
const focused = () => page.evaluate('document.activeElement.name ?? document.activeElement.textContent')

/** Fits into a phone, in both themes, is accessible, also by what axe calls best practice, and says its title. */
async function look(name: string): Promise<void> {
  await page.locator('h1').waitFor()
  expect(await faultsInEveryLook(page, `link-${name}`, {})).toEqual([])
  expect(await page.title()).toContain(await page.locator('h1').textContent())
}

it('an invited person makes an account, signs in with it, and the link is used up', async () => {
  const { url } = await api('POST', '/api/tenant/invite', { email: 'hedy@example.com', roles: ['agent'] })
  await page.goto(url)
  await titled('Join Demo')
  await look('join')
  await page.getByLabel('Your name').fill('Hedy Lamarr')
  await page.getByLabel('New password').fill('frequency hopping 1942')
  await page.getByLabel('The same password again').fill('frequency')
  await press('Accept the invitation')
  await page.getByText('The two passwords differ.').waitFor()
  expect(await focused()).toBe('password_confirmation')
  await page.getByLabel('The same password again').fill('frequency hopping 1942')
  await press('Accept the invitation')
  await titled('Welcome')
  expect(await focused()).toBe('Welcome')
  await look('joined')
  const login = await service.api('POST', '/api/login-local', {
    body: { email: 'hedy@example.com', password: 'frequency hopping 1942' },
  })
  expect(login.status).toBe(200)
  // That of this login is the only session: the page ended its own.
  const sessions = await service.api('GET', '/api/user/sessions', { token: login.body.token })
  expect(sessions.body.data).toHaveLength(1)
  await page.reload()
  await titled('This invitation is no longer valid')
  await look('join-gone')
})

it('a person with an account accepts with its password', async () => {
  const { url } = await api('POST', '/api/tenant/invite', { email: 'grown@example.com', roles: ['agent'] })
  const accepted = { name: 'Grown', password: 'brass gears 1843', password_confirmation: 'brass gears 1843' }
  await service.api('POST', `/api/join/${url.split('/').at(-1)}`, { body: accepted })
  const { id } = (await api('GET', '/api/sys/users?per_page=100')).find(
    ({ email }: any) => email === 'grown@example.com',
  )
  await api('DELETE', `/api/sys/users/${id}`)
  const again = await api('POST', '/api/tenant/invite', { email: 'grown@example.com', roles: ['agent'] })
  await page.goto(again.url)
  await page.getByLabel('Your password').fill('wrong gears 1843')
  await press('Accept the invitation')
  await page.getByText('this is not its password').waitFor()
  await page.getByLabel('Your password').fill('brass gears 1843')
  await press('Accept the invitation')
  await titled('Welcome')
})

it('a lost password is set anew', async () => {
  await page.goto(`${service.url}/password/forgot`)
  await look('forgot')
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await press('Send the link')
  await titled('Look into your mailbox')
  await page.goto(await linkTo('ada@example.com'))
  await titled('Set a new password')
  await look('reset')
  await page.getByLabel('New password').fill('password')
  await page.getByLabel('The same password again').fill('password')
  await press('Set the password')
  await page.locator('.mantine-PasswordInput-error:not(:empty)').waitFor()
  expect(await focused()).toBe('password')
  await look('reset-refused')
  await page.getByLabel('New password').fill('analytical engine 1')
  await page.getByLabel('The same password again').fill('analytical engine 1')
  await press('Set the password')
  await titled('Your password is set')
  const body = { email: 'ada@example.com', password: 'analytical engine 1' }
  expect((await service.api('POST', '/api/login-local', { body })).status).toBe(200)
})

it('an address is confirmed by a button, and a link that is none says so', async () => {
  await page.goto(`${service.url}/email/verify/none`)
  await titled('Confirm your e-mail address')
  await look('verify')
  await press('Confirm the address')
  await titled('This link is no longer valid')
  await look('verify-gone')
})

it('a client follows a request, in the language of the browser, whoever is signed in', async () => {
  const { id } = await api('POST', '/api/e/requests', { title: 'The <b>lamp</b> in room 7 flickers', client_id: 1 })
  const script = `$api->sendEmail('request_created', 'ann@northwind.example', { request: { id: $context->id, title: $data->title } })`
  await api('PUT', '/api/sys/entities/name/requests', {
    name: 'requests',
    automations: [{ kind: 'after_update', name: 'mail', script }],
  })
  await api('PATCH', `/api/e/requests/${id}`, { status: 'in_progress' })
  await api('POST', `/api/e/requests/${id}/comments`, { body: 'We ordered a new one.\nIt arrives on Monday.' })
  const html = (await mailTo('ann@northwind.example'))?.html ?? ''
  await page.goto(/href="([^"]*\/follow\/[^"]*)"/.exec(html)?.[1] ?? '')
  await page.locator('.conversation li').waitFor()
  expect(await page.locator('h1').textContent()).toBe('The <b>lamp</b> in room 7 flickers')
  expect(await page.locator('.public-state').textContent()).toBe('In progress')
  await look('follow')
  await page.evaluate(
    `fetch('/api/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"token":"${token}"}' })`,
  )
  await page.addInitScript(`Object.defineProperty(navigator, 'languages', { get: () => ['de-AT', 'en'] })`)
  await page.reload()
  await page.getByRole('heading', { name: 'Verlauf' }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('de')
  await look('follow-de')
  await page.goto(`${service.url}/follow/none`)
  await titled('Hier gibt es nichts zu verfolgen')
})

it('no other host was asked, and the browser had nothing to complain about', () => {
  expect([...askedHosts]).toEqual([new URL(service.url).host])
  expect(complaints).toEqual([])
})
