import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AppInChromium,
  email,
  faultsOf,
  fits,
  isRefusal,
  password,
  picture,
  signIn as signInOn,
  startApp,
} from './support/app-in-chromium.ts'
import { hostileMail } from './support/hostile-mail.ts'
import type { RunningService } from './support/start-service.ts'

let app: AppInChromium
let service: RunningService
let browser: BrowserContext
let page: Page
let call: AppInChromium['call']
let complaints: string[]
let askedHosts: ReadonlySet<string>

beforeAll(async () => {
  app = await startApp()
  ;({ service, browser, call, complaints, askedHosts } = app)
})
afterAll(() => app?.stop())
beforeEach(async () => {
  page = await app.open()
  return () => page.close()
})

const signIn = (): Promise<void> => signInOn(app, page)
const faults = (): Promise<readonly string[]> => faultsOf(page)

const screens = [
  ['list', '/e/requests', () => page.getByRole('row', { name: 'My monitor flickers' })],
  ['groups', '/e/requests?group=%22status%22', () => page.getByRole('button', { name: /In progress/ })],
  ['record', '/e/requests/1', () => page.getByRole('heading', { name: 'Printer on floor 2 is jammed' })],
  ['new record', '/e/requests/new', () => page.getByLabel('Title')],
  ['profile', '/profile', () => page.getByRole('heading', { name: 'Sessions' })],
  ['nothing', '/e/requests/99999', () => page.getByText('There is nothing here').first()],
] as const

describe('the web app', () => {
  it('asks who somebody is, and leads where the person wanted to go', async () => {
    await page.goto(`${service.url}/e/requests/2`)
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('not this one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').filter({ hasText: 'wrong' }).waitFor()
    expect(await faults()).toEqual([])
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'VPN drops every hour' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/e/requests/2')
    expect(await page.evaluate('document.cookie')).toBe('')
  })

  it.each([
    [1280, 'light'],
    [1280, 'dark'],
    [375, 'light'],
    [375, 'dark'],
  ] as const)('fits at %i px in %s, can be used by everybody, and contacts nobody else', async (width, colorScheme) => {
    await signIn()
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const [name, path, shown] of screens) {
      await page.goto(`${service.url}${path}`)
      await shown().waitFor()
      expect([name, await faults()]).toEqual([name, []])
      expect([name, await fits(page)]).toEqual([name, true])
      await picture(page, `${name}-${width}-${colorScheme}`)
    }
    expect([...askedHosts].filter((host) => host !== new URL(service.url).host)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('filters, sorts and groups a list in its address', async () => {
    await signIn()
    await page.goto(`${service.url}/e/requests`)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Priority' }).click()
    await page.getByLabel('Value').fill('5')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 record', { exact: true }).waitFor()
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click()
    await page.reload()
    await page.getByRole('row', { name: 'VPN drops every hour' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('button', { name: 'Remove filter Priority' }).click()
    await page.getByText(/^\d+ records$/).waitFor()
    expect(complaints).toEqual([])
  })

  it('keeps what a list shows as a view, with its exact count', async () => {
    await signIn()
    await page.goto(`${service.url}/e/requests`)
    const views = page.getByRole('navigation', { name: 'Views' })
    await views.getByRole('link', { name: /^New requests ?\d+$/ }).click()
    await page.getByRole('button', { name: 'Remove filter Status' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('monitor')
    await page.getByText('1 record', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Actions for views' }).click()
    await page.getByRole('menuitem', { name: /^Save as/ }).click()
    await page.getByLabel('Name').fill('Monitors')
    expect(await faults()).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await views.getByRole('link', { name: /^Monitors ?1$/ }).waitFor()
    await page.reload()
    await page.getByText('1 record', { exact: true }).waitFor()
    expect(await views.getByRole('link', { name: 'Monitors' }).getAttribute('aria-current')).toBe('page')
    await page.getByRole('button', { name: 'Actions for views' }).click()
    await page.getByRole('menuitem', { name: 'Delete view' }).click()
    await page.getByText('The view Monitors was deleted.').waitFor()
    await page.keyboard.press('z')
    await views.getByRole('link', { name: /^Monitors/ }).waitFor()
    expect(complaints).toEqual([])
  })

  it('changes many records after a look at what would happen, and undoes it but for what others changed', async () => {
    const titles = ['Cable one', 'Cable two', 'Cable three']
    const made: { id: number }[] = []
    for (const title of titles) made.push((await call('POST', '/api/e/requests', { title, priority: 1 })).data)
    const priorities = async () =>
      Promise.all(made.map(async ({ id }) => (await call('GET', `/api/e/requests/${id}`)).data.data.priority))
    await signIn()
    const filter = encodeURIComponent(JSON.stringify({ title: { _istarts_with: 'cable' } }))
    await page.goto(`${service.url}/e/requests?filter=${filter}`)
    await page.getByText('3 records', { exact: true }).waitFor()
    await page.getByLabel('Select all records of this list').check()
    await page.getByRole('button', { name: 'Change fields' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Add a field' }).click()
    await page.getByRole('option', { name: 'Priority' }).click()
    await dialog.getByRole('textbox', { name: 'Priority' }).fill('4')
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByText('3 of 3 records will change.').waitFor()
    expect(await faults()).toEqual([])
    expect(await priorities()).toEqual([1, 1, 1])
    await dialog.getByRole('button', { name: 'Change 3 records' }).click()
    await page.getByText('3 records were changed.').waitFor()
    expect(await priorities()).toEqual([4, 4, 4])
    await call('PATCH', `/api/e/requests/${made[0]?.id}`, { priority: 5 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`Changed since and kept: ${made[0]?.id} (Priority).`).waitFor()
    expect(await priorities()).toEqual([5, 1, 1])

    for (const title of titles) await page.getByLabel(`Select ${title}`).check()
    await page.getByRole('button', { name: 'Delete …' }).click()
    await page.getByRole('button', { name: 'Delete 3 records' }).click()
    await page.getByText('No record matches').waitFor()
    await page.keyboard.press('z')
    await page.getByText('3 records are as before.').waitFor()
    await page.getByText('3 records', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  it('says state and age below the title where there is little room', async () => {
    await signIn()
    await page.setViewportSize({ width: 375, height: 800 })
    await page.goto(`${service.url}/e/requests?view=0`)
    const row = page.getByRole('row', { name: 'VPN drops every hour' })
    await row.getByText(/ago$|now$/).waitFor()
    await row.getByText(/^(New|In progress|Resolved)$/).waitFor()
    await row.getByText('VPN drops every hour').click()
    await page.getByRole('heading', { name: 'VPN drops every hour' }).waitFor()
  })

  it('is used by the keyboard alone', async () => {
    /** Moves the focus as a person does. */
    async function tabTo(name: string, key = 'Tab', steps = 60): Promise<void> {
      const nameOfFocus = `{
        const at = document.activeElement
        at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent
      }`
      for (let step = 0; step < steps; step++) {
        if (String(await page.evaluate(nameOfFocus)).startsWith(name)) return
        await page.keyboard.press(key)
      }
      throw new Error(`${key} does not reach ${name}.`)
    }
    await page.goto(`${service.url}/sign-in`)
    await page.getByLabel('E-mail address').waitFor()
    await tabTo('E-mail address')
    await page.keyboard.type(email)
    await tabTo('Password')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('screen')
    const filter = encodeURIComponent(JSON.stringify({ id: { _lte: 4 } }))
    await page.goto(`${service.url}/e/requests?filter=${filter}`)
    await page.getByRole('row', { name: 'My monitor flickers' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New laptop for a starter' }).waitFor()
    await page.keyboard.press('r')
    await page.keyboard.type('Ordered.')
    await page.keyboard.press('Control+Enter')
    await page.locator('.comment-body', { hasText: 'Ordered.' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('s')
    await page.getByText('Now: In progress').waitFor()
    await tabTo('Priority', 'Shift+Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('1')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Saved.').waitFor()
    await tabTo('More actions', 'Shift+Tab')
    await page.keyboard.press('z')
    await expect.poll(() => page.getByLabel('Priority').inputValue()).toBe('2')
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Write an internal note').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.locator('[role=dialog] input:focus').waitFor()
    await page.keyboard.type('vpn')
    await page.getByRole('dialog').getByText('VPN drops every hour').waitFor()
    expect(complaints).toEqual([])
  })

  it('shows a hostile mail, of which nothing runs and nothing is fetched', async () => {
    const mail = { to: 'support@demo.example', from: 'mallory@evil.example', subject: 'A hostile mail' }
    await call('POST', '/_local/mailbox', { ...mail, text: 'Plain.', html: hostileMail })
    await call('POST', '/api/sys/settings/fetch-imap')
    const find = async () =>
      (await call('GET', `/api/e/requests?filter=${encodeURIComponent('{"title":"A hostile mail"}')}`)).data[0]?.id
    await expect.poll(find).toBeTypeOf('number')
    const id = await find()
    await signIn()
    await page.setViewportSize({ width: 1280, height: 800 })
    // First as the service cleaned it, then as if it had not.
    for (const isRaw of [false, true]) {
      if (isRaw)
        await page.route('**/timeline*', async (route) => {
          const answer = await route.fetch()
          const body = await answer.json()
          for (const { kind, data } of body.data) if (kind === 'message') data.payload.html = hostileMail
          await route.fulfill({ response: answer, json: body })
        })
      await page.goto(`${service.url}/e/requests/${id}`)
      await page.frameLocator('iframe.mail-frame').getByText('The end of the mail').waitFor()
      expect(await page.evaluate('window.pwned')).toBeUndefined()
      const inside = `document.querySelector('iframe.mail-frame').contentDocument`
      const bad =
        'script,style,link,meta[http-equiv],base,iframe,object,embed,form,input,button,svg,math,video,audio,template'
      expect(await page.evaluate(`${inside}.body.querySelectorAll('${bad}').length`)).toBe(0)
      const named = `[...${inside}.body.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())`
      expect(
        ((await page.evaluate(named)) as string[]).filter((name) => /^on|srcset|ping|background/.test(name)),
      ).toEqual([])
      const hrefs = `[...${inside}.links].map((one) => one.getAttribute('href'))`
      expect(await page.evaluate(hrefs)).toEqual(['https://evil.example/k'])
      const styles = `[...${inside}.body.querySelectorAll('[style]')].map((one) => one.getAttribute('style')).join()`
      const style = await page.evaluate(styles)
      expect(style).toContain('rgb(200, 0, 0)')
      expect(style).not.toMatch(/url|fixed|image-set|expression/)
      await page.getByRole('button', { name: /^Show \d+ pictures? of other sites/ }).waitFor()
    }
    expect(await faults()).toEqual([])
    expect(browser.pages().length).toBeLessThan(4)
    expect([...askedHosts].filter((host) => host !== new URL(service.url).host)).toEqual([])
    expect(complaints.filter((text) => !isRefusal(text))).toEqual([])
    await page.getByRole('button', { name: 'Show as text' }).click()
    await page.locator('.comment-body', { hasText: 'Plain.' }).waitFor()
  })

  it('changes a record at once, takes it back with Z, and shows both sides of a conflict', async () => {
    const made = (await call('POST', '/api/e/requests', { title: 'The lamp is broken', priority: 2 })).data
    await signIn()
    await page.goto(`${service.url}/e/requests/${made.id}`)
    await page.getByLabel('Priority').fill('4')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('z')
    await expect.poll(() => page.getByLabel('Priority').inputValue()).toBe('2')

    await page.getByLabel('Priority').fill('5')
    await call('PATCH', `/api/e/requests/${made.id}`, { priority: 1 })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Theirs:').waitFor()
    expect(await faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Store the choice' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(async () => (await call('GET', `/api/e/requests/${made.id}`)).data.data.priority).toBe(5)
  })

  it('makes a record, and shows what the service refuses next to the field', async () => {
    await signIn()
    await page.goto(`${service.url}/e/requests/new`)
    await page.getByLabel('Priority').fill('9')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The title field is required.').waitFor()
    await page.getByLabel('Title').fill('A desk for two')
    await page.getByLabel('Priority').fill('1')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'A desk for two' }).waitFor()
    await page.getByRole('button', { name: 'In progress' }).click()
    await page.getByRole('button', { name: 'Resolved' }).waitFor()
  })

  it('gives programs keys, shown once, and lets an administrator act as somebody else and come back', async () => {
    await signIn()
    await page.goto(`${service.url}/profile`)
    const keys = page.getByRole('region', { name: 'API keys' })
    await keys.getByLabel('Name of the program').fill('Monitoring')
    await keys.getByLabel('Roles').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'agent' }).click()
    await page.keyboard.press('Escape')
    await keys.getByRole('button', { name: 'Create key' }).click()
    const key = await keys.locator('pre').textContent()
    expect(key).toMatch(/^\d+\|/)
    const use = async () =>
      (await fetch(`${service.url}/api/user`, { headers: { authorization: `Bearer ${key}` } })).status
    expect(await use()).toBe(200)
    await keys.getByRole('button', { name: 'I have kept it' }).click()
    await keys.getByRole('button', { name: 'Revoke the key Monitoring' }).click()
    await expect.poll(use).toBe(401)

    const acting = page.getByRole('region', { name: 'Act as somebody else' })
    await acting.getByLabel('Person').first().click()
    await page.getByRole('option', { name: 'Ada Lovelace' }).click()
    await acting.getByRole('button', { name: 'Act as somebody else' }).click()
    await page.getByText('You act as Ada Lovelace.').waitFor()
    expect(await faults()).toEqual([])
    await page.getByRole('button', { name: 'End' }).click()
    await page.getByText('You act as Ada Lovelace.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Account of Administrator' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('says when there is no connection, and keeps what was typed', async () => {
    const { id } = (await call('POST', '/api/e/requests', { title: 'Written in a train', priority: 2 })).data
    await signIn()
    await page.goto(`${service.url}/e/requests/${id}`)
    await page.getByLabel('Priority').fill('4')
    await browser.setOffline(true)
    try {
      await page.getByText('No connection.').waitFor()
      expect(await faults()).toEqual([])
    } finally {
      await browser.setOffline(false)
    }
    await page.getByText('No connection.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await call('GET', `/api/e/requests/${id}`)).data.data.priority).toBe(4)
    // What the browser says of requests without a connection is no complaint about the app.
    const others = complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))
    complaints.splice(0, Infinity, ...others)
  })

  it('speaks German', async () => {
    await signIn()
    await page.goto(`${service.url}/profile`)
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Sitzungen' }).waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    await page.evaluate('localStorage.clear()')
  })

  it('signs out', async () => {
    await signIn()
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail address').waitFor()
    await page.goto(`${service.url}/e/requests`)
    await page.getByLabel('E-mail address').waitFor()
  })
})
