import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AppInChromium,
  faultsInEveryLook,
  faultsOf,
  fits,
  picture,
  signIn,
  startApp,
} from './support/app-in-chromium.ts'

let app: AppInChromium
let page: Page
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  page = await app.open()
  await signIn(app, page)
  return () => page.close()
})
const go = (path: string): Promise<unknown> => page.goto(`${app.service.url}${path}`)

describe('dialogs of the web app, wide and narrow, light and dark', () => {
  it('filters and chooses columns', async () => {
    await go('/e/requests')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Priority' }).waitFor()
    expect(await faultsInEveryLook(page, 'filter-fields')).toEqual([])
    await page.getByRole('menuitem', { name: 'Priority' }).click()
    await page.getByLabel('Value').waitFor()
    expect(await faultsInEveryLook(page, 'filter')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Reset columns' }).waitFor()
    expect(await faultsInEveryLook(page, 'columns')).toEqual([])
  })

  it('edits views', async () => {
    await go('/e/requests')
    await page.getByRole('button', { name: 'Actions for views' }).click()
    await page.getByRole('menuitem', { name: /^Save as/ }).click()
    await page.getByLabel('Name').waitFor()
    expect(await faultsInEveryLook(page, 'view')).toEqual([])
  })

  it('changes many records', async () => {
    await go('/e/requests')
    await page.getByLabel('Select My monitor flickers').check()
    await page.getByRole('button', { name: 'Change fields' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Add a field' }).click()
    await page.getByRole('option', { name: 'Priority' }).click()
    await dialog.getByRole('textbox', { name: 'Priority' }).fill('4')
    expect(await faultsInEveryLook(page, 'bulk')).toEqual([])
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByText('1 of 1 records will change.').waitFor()
    expect(await faultsInEveryLook(page, 'bulk-check')).toEqual([])
  })

  it('shows both sides of a conflict', async () => {
    const { id } = (await app.call('POST', '/api/e/requests', { title: 'Two at once', priority: 2 })).data
    await go(`/e/requests/${id}`)
    await page.getByLabel('Priority').fill('5')
    await app.call('PATCH', `/api/e/requests/${id}`, { priority: 1 })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByText('Theirs:').waitFor()
    expect(await faultsInEveryLook(page, 'conflict')).toEqual([])
  })

  it('is mirrored from right to left', async () => {
    for (const [name, path] of [
      ['list', '/e/requests'],
      ['record', '/e/requests/1'],
      ['profile', '/profile'],
      ['my-work', '/my-work'],
    ] as const)
      for (const width of [1280, 375]) {
        await page.setViewportSize({ width, height: 800 })
        await go(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.evaluate(`document.documentElement.dir = 'rtl'`)
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        expect([name, width, await faultsOf(page), await fits(page)]).toEqual([name, width, [], true])
        await picture(page, `rtl-${name}-${width}`)
      }
    await page.setViewportSize({ width: 1280, height: 800 })
    await go('/e/requests')
    await page.getByRole('row', { name: 'My monitor flickers' }).waitFor()
    await page.evaluate(`document.documentElement.dir = 'rtl'`)
    const box = async (selector: string) => (await page.locator(selector).first().boundingBox()) as { x: number }
    expect((await box('.side')).x).toBeGreaterThan((await box('main')).x)
  })
})
