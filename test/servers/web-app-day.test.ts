import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AppInChromium, faultsInEveryLook, faultsOf, signIn, startApp } from './support/app-in-chromium.ts'

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
const create = async (fields: object): Promise<number> => (await app.call('POST', '/api/e/requests', fields)).data.id
const read = async (id: number) => (await app.call('GET', `/api/e/requests/${id}`)).data
const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const more = async (name: string): Promise<void> => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}

describe("an agent's day in the web app", () => {
  it('runs a macro with a key and goes on to the next, takes it back, and runs it on many', async () => {
    const [second, first] = [await create({ title: 'Mouse two' }), await create({ title: 'Mouse one' })]
    const view = { model: 'requests', name: 'Mice', scope: 'private', filter: { title: { _istarts_with: 'mouse' } } }
    const { id } = (await app.call('POST', '/api/sys/views', view)).data
    const macro = { name: 'Take it', model: 'requests', transition: 'in_progress', assign: '$CURRENT_USER', next: true }
    await app.call('POST', '/api/sys/macros', macro)
    await go(`/e/requests?view=${id}`)
    await page.getByRole('row', { name: 'Mouse one' }).click()
    await heading('Mouse one').waitFor()
    await page.keyboard.press('j')
    await heading('Mouse two').waitFor()
    await page.keyboard.press('k')
    await heading('Mouse one').waitFor()
    await page.getByRole('button', { name: 'Macros' }).waitFor()
    await page.keyboard.press('e')
    await heading('Mouse two').waitFor()
    const state = async () => (await read(first)).data.status
    expect(await state()).toBe('in_progress')
    await page.getByText('Take it: done.').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Take it, then the next record').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await go(`/e/requests?view=${id}`)
    await page.getByLabel('Select Mouse two').check()
    await page.getByRole('button', { name: 'Macros' }).click()
    await page.getByRole('menuitem', { name: 'Take it' }).click()
    await page.getByText('1 of 1 records will change.').waitFor()
    expect(await faultsInEveryLook(page, 'macro-bulk')).toEqual([])
    await page.getByRole('button', { name: 'Run on 1 record' }).click()
    await page.getByText('1 record was changed.').waitFor()
    expect((await read(second)).data.status).toBe('in_progress')
    await page.keyboard.press('z')
    await page.getByText('1 record is as before.').waitFor()
    expect((await read(second)).data.status).toBe('new')
    expect(app.complaints).toEqual([])
  })

  it('snoozes a record out of its view, lists it among the own work, and wakes it', async () => {
    const id = await create({ title: 'Paper for spring' })
    const view = { model: 'requests', name: 'Paper', scope: 'private', filter: { title: { _istarts_with: 'paper' } } }
    const made = (await app.call('POST', '/api/sys/views', view)).data
    await go(`/e/requests/${id}`)
    await heading('Paper for spring').waitFor()
    await page.keyboard.press('h')
    await page.getByRole('button', { name: /^Tomorrow morning/ }).waitFor()
    expect(await faultsInEveryLook(page, 'snooze')).toEqual([])
    await page.getByRole('button', { name: /^Tomorrow morning/ }).click()
    await page.getByText('Snoozed until').waitFor()
    await go(`/e/requests?view=${made.id}`)
    await page.getByText('No record matches').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await heading('My work').waitFor()
    const snoozed = page.getByRole('region', { name: 'Snoozed' })
    await snoozed.getByRole('link', { name: 'Paper for spring' }).waitFor()
    await snoozed.getByRole('button', { name: 'End snooze' }).click()
    await snoozed.waitFor({ state: 'detached' })
    await go(`/e/requests?view=${made.id}`)
    await page.getByRole('row', { name: 'Paper for spring' }).waitFor()
    expect(app.complaints).toEqual([])
  })

  it('merges a record into another after a look at what moves, and takes it back there', async () => {
    const into = await create({ title: 'Door does not close' })
    const id = await create({ title: 'The door again', description: 'It is cold.' })
    await app.call('POST', `/api/e/requests/${id}/comments`, { body: 'Please hurry.' })
    await go(`/e/requests/${id}`)
    await heading('The door again').waitFor()
    await page.keyboard.press('m')
    await page.getByRole('combobox', { name: 'Merge into' }).fill('does not close')
    await page.getByRole('option', { name: `${into} Door does not close` }).click()
    await page.getByText('1 comment', { exact: true }).waitFor()
    await page.getByText('Filled in there: Description').waitFor()
    expect(await faultsInEveryLook(page, 'merge')).toEqual([])
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await heading('Door does not close').waitFor()
    await page.locator('.comment-body', { hasText: 'Please hurry.' }).waitFor()
    await go(`/e/requests/${id}`)
    await page.getByText('This record was merged into').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    expect(await faultsInEveryLook(page, 'merged')).toEqual([])
    await page.getByRole('button', { name: 'Undo the merge' }).click()
    await page.getByText('This record was merged into').waitFor({ state: 'detached' })
    await page.locator('.comment-body', { hasText: 'Please hurry.' }).waitFor()
    expect((await read(into)).data.description).toBeNull()
    expect(app.complaints).toEqual([])
  })

  it('makes a record of comments that are about something else', async () => {
    const id = await create({ title: 'Chair wobbles' })
    await app.call('POST', `/api/e/requests/${id}/comments`, { body: 'My lamp is broken, too.' })
    await app.call('POST', `/api/e/requests/${id}/comments`, { body: 'It is the left leg.' })
    await go(`/e/requests/${id}`)
    await page.locator('.comment-body', { hasText: 'My lamp' }).waitFor()
    await more('Split comments off …')
    await page.getByLabel(/My lamp is broken/).check()
    expect(await faultsInEveryLook(page, 'split')).toEqual([])
    await page.getByRole('button', { name: 'Create record' }).click()
    await page.getByText('The title field is required.').waitFor()
    await page.getByRole('dialog').getByLabel('Title').fill('Lamp is broken')
    await page.getByRole('button', { name: 'Create record' }).click()
    await heading('Lamp is broken').waitFor()
    await page.locator('.comment-body', { hasText: 'My lamp' }).waitFor()
    expect(app.complaints).toEqual([])
  })

  it('shows a record as it was, and brings one field or all back', async () => {
    const id = await create({ title: 'Fan is loud', priority: 2 })
    await app.call('PATCH', `/api/e/requests/${id}`, { priority: 4 })
    await app.call('PATCH', `/api/e/requests/${id}`, { priority: 5, title: 'Fan is very loud' })
    await go(`/e/requests/${id}`)
    await heading('Fan is very loud').waitFor()
    await page.keyboard.press('v')
    await page.getByText('Version 2 of 3').waitFor()
    await page.getByRole('button', { name: 'Bring back Title' }).waitFor()
    expect(await faultsInEveryLook(page, 'past')).toEqual([])
    await page.getByRole('slider', { name: 'Moment' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.getByText('Version 1 of 3').waitFor()
    await page.getByRole('button', { name: 'Bring back Priority' }).click()
    const data = async () => {
      const { title, priority } = (await read(id)).data
      return [title, priority]
    }
    await expect.poll(data).toEqual(['Fan is very loud', 2])
    await page.getByRole('button', { name: 'Bring all of this back' }).click()
    await heading('Fan is loud').waitFor()
    expect(await data()).toEqual(['Fan is loud', 2])
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('z')
    await heading('Fan is very loud').waitFor()
    expect(app.complaints).toEqual([])
  })

  it('says who watches a record, and lets people watch', async () => {
    const id = await create({ title: 'Window is open' })
    await go(`/e/requests/${id}`)
    const panel = page.getByRole('region', { name: 'Watchers' })
    await panel.getByText('Administrator').waitFor()
    await panel.getByRole('button', { name: 'Add somebody' }).click()
    await panel.getByRole('combobox', { name: 'Person' }).fill('Ada')
    await page.getByRole('option', { name: 'Ada Lovelace' }).click()
    await panel.getByText('Ada Lovelace').waitFor()
    await heading('Window is open').click()
    await page.keyboard.press('w')
    await panel.getByRole('button', { name: 'Watch', exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Remove Ada Lovelace' }).click()
    await panel.getByText('Nobody watches this record.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(app.complaints).toEqual([])
  })

  it('gathers what waits for the reader, and is walked with keys', async () => {
    const me = (await app.call('GET', '/api/user')).data.id
    const id = await create({ title: 'Mine alone', assigned_to: me })
    const ada = (await app.call('POST', '/api/login-local', { email: 'ada@example.com', password: 'brass gears 1843' }))
      .token
    await fetch(`${app.service.url}/api/e/requests/${id}/comments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada}` },
      body: JSON.stringify({ body: `@[${me}] could you look?` }),
    })
    await app.call('PUT', `/api/e/requests/${id}/snooze`, { until: new Date(Date.now() + 86_400_000).toISOString() })
    const noticed = async () =>
      (await app.call('GET', '/api/notifications')).data.some((one: { category: string }) => one.category === 'mention')
    await expect.poll(noticed).toBe(true)
    await go('/my-work')
    for (const name of ['Assigned to me', 'Mentions', 'Snoozed'])
      await page.getByRole('region', { name }).getByRole('link').first().waitFor()
    expect(await faultsInEveryLook(page, 'my-work')).toEqual([])
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/e/requests/*')
    expect(app.complaints).toEqual([])
  })
})
