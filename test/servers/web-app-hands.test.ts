import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AppInChromium, email, password, signIn, startApp } from './support/app-in-chromium.ts'

let app: AppInChromium
let page: Page
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  page = await app.open()
  await app.browser.clearCookies()
  return () => page.close()
})

const idOf = async (title: string): Promise<number> => {
  const filter = encodeURIComponent(JSON.stringify({ title }))
  return (await app.call('GET', `/api/e/requests?filter=${filter}`)).data[0].id
}

describe('a sign-in', () => {
  it.each([
    'https://evil.example/x',
    '//evil.example/x',
    '/\\evil.example/x',
    '/\t/evil.example/x',
    '/.//evil.example/x',
    '/%2F%2Fevil.example',
    'javascript:document.title="taken"',
  ])('leads to no address but those of the app: %s', async (to) => {
    await page.goto(`${app.service.url}/sign-in?${new URLSearchParams({ to })}`)
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('grid').waitFor()
    expect([new URL(page.url()).origin, await page.title()]).toEqual([
      new URL(app.service.url).origin,
      expect.not.stringContaining('taken'),
    ])
    expect([...app.askedHosts]).not.toContain('evil.example')
  })

  it('does not take the code of a provider that this browser did not ask for', async () => {
    let asked = 0
    await page.route('**/api/auth/exchange', (route) => {
      asked += 1
      return route.abort()
    })
    await page.goto(`${app.service.url}/sign-in?code=${'x'.repeat(43)}`)
    await page.getByRole('alert').waitFor()
    expect(asked).toBe(0)
  })
})

describe('the palette', () => {
  it('takes what is typed while it loads, runs none of it as a shortcut, and opens the first hit with Enter', async () => {
    const id = await idOf('VPN drops every hour')
    await signIn(app, page)
    // Its files come late, and so do the records.
    await page.route('**/assets/palette-*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await route.continue()
    })
    await page.route('**/api/search?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      await route.continue()
    })
    await page.goto(`${app.service.url}/e/requests`)
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('vpn drops')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/e/requests/${id}`)
    expect(app.complaints).toEqual([])
  })

  it('opens what was chosen with the arrows', async () => {
    await signIn(app, page)
    await page.keyboard.press('Control+k')
    await page.locator('[role=dialog] input:focus').waitFor()
    await page.keyboard.type('requests')
    const options = page.locator('[role=dialog] [data-action]')
    await expect.poll(() => options.first().getAttribute('data-selected')).toBe('true')
    await page.keyboard.press('ArrowDown')
    expect(await options.nth(1).getAttribute('data-selected')).toBe('true')
    expect(app.complaints).toEqual([])
  })
})

describe('a list', () => {
  it('stores a choice that was made in a cell with the keyboard', async () => {
    await app.call('POST', '/api/sys/entities', {
      name: 'parcels',
      table_fields: [
        { name: 'title', type: 'text' },
        { name: 'size', label: 'Size', type: 'value_list', options: [{ slug: 'small' }, { slug: 'large' }] },
      ],
    })
    const { id } = (await app.call('POST', '/api/e/parcels', { title: 'A chair' })).data
    await signIn(app, page)
    await page.goto(`${app.service.url}/e/parcels`)
    // After the box, the number and the title.
    await page.getByRole('row', { name: 'A chair' }).getByRole('gridcell').nth(3).hover()
    await page.getByRole('button', { name: /Size.*A chair|A chair.*Size/ }).click()
    await page.locator('.cell-edit input:focus').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'large' }).waitFor()
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
    const stored = async () => (await app.call('GET', `/api/e/parcels/${id}`)).data.data.size
    await expect.poll(stored).toMatch(/^(small|large)$/)
    expect(app.complaints).toEqual([])
  })

  it('opens a record with a double click, which presses nothing of the record', async () => {
    const id = await idOf('VPN drops every hour')
    const before = (await app.call('GET', `/api/e/requests/${id}`)).data
    await signIn(app, page)
    await page.goto(`${app.service.url}/e/requests`)
    const row = page.getByRole('row', { name: 'VPN drops every hour' })
    await row.waitFor()
    const box = (await row.boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    // Two clicks follow as soon as the record is there, however long it took to come.
    const pressed = await page.evaluateHandle(`(() => {
      const pressed = []
      document.addEventListener('click', ({ target }) => pressed.push(target.outerHTML.slice(0, 80)))
      const click = (clientX, clientY, detail) => document.elementFromPoint(clientX, clientY)
        .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, clientX, clientY, detail }))
      new MutationObserver((_, observer) => {
        if (document.querySelector('[role=grid]') || !document.querySelector('main h1')) return
        observer.disconnect()
        requestAnimationFrame(() => {
          click(${x} + 3, ${y}, 2)
          click(${x}, ${y} + 3, 1)
          document.body.dataset.clicked = 'true'
        })
      }).observe(document.body, { childList: true, subtree: true })
      return pressed
    })()`)
    await page.mouse.click(x, y)
    await page.waitForURL(`**/e/requests/${id}`)
    await page.locator('body[data-clicked]').waitFor()
    expect(await pressed.evaluate((list: any) => list.length)).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 600))
    await page.mouse.click(x, y)
    expect(await pressed.evaluate((list: any) => list.length)).toBe(2)
    expect(new URL(page.url()).pathname).toBe(`/e/requests/${id}`)
    expect((await app.call('GET', `/api/e/requests/${id}`)).data.version).toBe(before.version)
  })
})

describe('an article that is written', () => {
  it('is kept for the person who wrote it, in this company', async () => {
    await signIn(app, page)
    await page.goto(`${app.service.url}/articles/new`)
    await page.getByLabel('Title').fill('Half a thought')
    await page.reload()
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Half a thought')
    const other = { email: 'ben.draft@example.com', password: 'correct horse battery 9' }
    await app.call('POST', '/api/sys/users', { name: 'Ben', ...other, roles: ['admin'] })
    await app.browser.clearCookies()
    await page.goto(`${app.service.url}/sign-in?to=/articles/new`)
    await page.getByLabel('E-mail address').fill(other.email)
    await page.getByLabel('Password', { exact: true }).fill(other.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Title').waitFor()
    expect(await page.getByLabel('Title').inputValue()).toBe('')
  })
})
