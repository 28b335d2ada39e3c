import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AppInChromium, faultsInEveryLook, password, signIn, startApp } from './support/app-in-chromium.ts'

/** While others work, without a connection, in the color of a company and in another language. */

let app: AppInChromium
let page: Page
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  page = await app.open()
  await app.browser.setOffline(false)
  await signIn(app, page)
  return () => page.close()
})

const open = (path: string) => page.goto(`${app.service.url}${path}`)
const record = async (id: number) => (await app.call('GET', `/api/e/requests/${id}`)).data

/** Asks the API as somebody else: the administrator's own changes are no news in the app. */
async function asGrace(method: string, path: string, body: object): Promise<void> {
  const url = `${app.service.url}${path}`
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${grace}` }
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
  expect([path, answer.ok]).toEqual([path, true])
}
let grace = ''
beforeAll(async () => {
  const person = { name: 'Grace Hopper', email: 'grace@others.test', password, roles: ['admin'] }
  await app.call('POST', '/api/sys/users', person)
  grace = (await app.call('POST', '/api/login-local', { email: person.email, password })).token
})

describe('the web app while others work', () => {
  it('shows what others change in an open record, and keeps what is being typed', async () => {
    await open('/e/requests/2')
    const title = page.locator('.record-fields').getByLabel('Title')
    await title.fill('VPN drops every other hour')
    await asGrace('PATCH', '/api/e/requests/2', { title: 'VPN drops in the train', priority: 4 })
    const notice = page.getByRole('status').filter({ hasText: 'Grace Hopper changed this record' })
    await notice.waitFor()
    expect(await title.inputValue()).toBe('VPN drops every other hour')
    await page.getByRole('heading', { name: 'VPN drops in the train' }).waitFor()
    expect(await notice.innerText()).toContain('you are changing it, too')
    expect(await faultsInEveryLook(page, 'others')).toEqual([])

    await asGrace('POST', '/api/e/requests/2/comments', { body: 'Which train?' })
    await page.getByText('Which train?').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Store' }).click()
    await page.getByRole('heading', { name: 'VPN drops every other hour' }).waitFor()
    expect((await record(2)).data).toMatchObject({ title: 'VPN drops every other hour', priority: 4 })
  })

  it('keeps what is typed without a connection, and offers to send it once', async () => {
    await open('/e/requests/1')
    const title = page.locator('.record-fields').getByLabel('Title')
    const composer = page.getByRole('form', { name: 'Write' })
    await composer.getByRole('button', { name: 'Templates' }).waitFor()
    const before = (await record(1)).version
    await app.browser.setOffline(true)
    const offline = page.locator('.offline-bar')
    await offline.waitFor()
    await title.fill('Printer on floor 2 is on fire')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const bar = page.getByRole('region', { name: 'Unsaved changes' })
    await bar.getByText('Not sent').waitFor()
    await composer.getByRole('textbox').fill('Please call the fire brigade.')
    await composer.getByRole('button', { name: 'Send mail' }).click()
    await composer.getByText('Not sent').waitFor()
    expect(await faultsInEveryLook(page, 'offline')).toEqual([])
    await offline.waitFor()
    await app.browser.setOffline(false)
    await bar.getByText('You are connected again').waitFor()
    expect((await record(1)).version).toBe(before)

    // What was typed is still there when the page is opened anew.
    await page.reload()
    await bar.getByText('You typed this before').waitFor()
    expect(await title.inputValue()).toBe('Printer on floor 2 is on fire')
    await bar.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Printer on floor 2 is on fire' }).waitFor()
    await bar.waitFor({ state: 'detached' })
    expect((await record(1)).version).toBe(before + 1)
    expect(await composer.getByRole('textbox').inputValue()).toBe('Please call the fire brigade.')
  })

  it('shows what it knows of a record when the rest cannot be read, and sends no reply to nobody', async () => {
    const [form, ways] = ['**/api/e/requests/form?**', '**/api/e/requests/3/reply-options']
    await page.route(form, (route) => route.abort())
    await page.route(ways, (route) => route.abort())
    await open('/e/requests/3')
    await page.getByText('What can be changed here now could not be read').waitFor()
    const { title } = (await record(3)).data
    const fields = page.locator('.record-fields')
    await fields.getByText(title, { exact: true }).waitFor()
    expect(await fields.locator('input, textarea').count()).toBe(0)
    const composer = page.getByRole('form', { name: 'Write' })
    await composer.getByText('Whom a reply reaches could not be read').waitFor()
    await composer.getByRole('textbox').fill('We are looking into it.')
    const posted: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posted.push(request.url()))
    await composer.locator('button[type=submit]').click()
    await composer.getByText('the service was not reached').waitFor()
    expect(posted.filter((url) => url.endsWith('/comments'))).toEqual([])
    expect(await faultsInEveryLook(page, 'partial')).toEqual([])
    await page.unroute(form)
    await page.unroute(ways)
    await page.getByRole('button', { name: 'Try again' }).click()
    await fields.getByLabel('Title').waitFor()
    await composer.getByRole('button', { name: 'Send now' }).click()
    const sendMail = composer.getByRole('button', { name: 'Send mail' })
    await sendMail.waitFor()
    await composer.getByRole('button', { name: 'Cc, subject' }).click()
    await composer.getByLabel('Cc').fill('boss@northwind.example, desk@northwind.example')
    await composer.getByLabel('Subject').fill('Your new laptop')
    expect(await faultsInEveryLook(page, 'copies')).toEqual([])
    await sendMail.click()
    await page.getByText('Cc: boss@northwind.example, desk@northwind.example').waitFor()

    // A screen that was not loaded yet says so; the page stays.
    await open('/e/requests?view=0')
    await page.getByRole('row', { name: title }).waitFor()
    await page.evaluate('globalThis.isSamePage = true')
    await app.browser.setOffline(true)
    await page.locator('.offline-bar').waitFor()
    expect(await faultsInEveryLook(page, 'offline-queue')).toEqual([])
    await page.locator('h1').click()
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByText('The service was not reached').waitFor()
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
    await app.browser.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('region', { name: 'Second factor' }).waitFor()
  })

  it('is in the color of the company, and in German also where the service speaks', async () => {
    await app.call('PUT', '/api/sys/settings', { ACCENT_COLOR: '#ffd500' })
    await open('/profile')
    const save = page.getByRole('button', { name: 'Change password' })
    await save.waitFor()
    const fill = `getComputedStyle(document.documentElement).getPropertyValue('--accent')`
    expect(await page.evaluate(fill)).toMatch(/^#[0-9a-f]{6}$/)
    expect(await page.evaluate(fill)).not.toBe('#2f5fd0')
    await open('/e/requests?view=0')
    await page.getByRole('button', { name: 'New', exact: false }).first().waitFor()
    expect(await faultsInEveryLook(page, 'accent')).toEqual([])

    await page.evaluate(`localStorage.setItem('language', 'de')`)
    await open('/profile')
    await page
      .getByLabel('Bisheriges Passwort')
      .or(page.getByLabel(/Passwort/))
      .first()
      .fill('not this one')
    await page.getByLabel('Neues Passwort').fill('brass gears 1843')
    await page.getByRole('button', { name: 'Passwort ändern' }).click()
    const wrong = page.locator('input[name=current][aria-invalid=true]')
    await wrong.waitFor()
    const described = await wrong.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described?.split(' ').at(-1)}"]`).innerText()).toBe(
      'Das bisherige Passwort ist falsch.',
    )
    await page.evaluate(`localStorage.removeItem('language')`)
    await app.call('PUT', '/api/sys/settings', { ACCENT_COLOR: null })
    expect(app.complaints.filter((one) => !one.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  })
})
