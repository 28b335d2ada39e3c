import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AppInChromium, faultsInEveryLook, signIn, startApp } from './support/app-in-chromium.ts'

let app: AppInChromium
let page: Page
beforeAll(async () => {
  app = await startApp()
  page = await app.open()
  await signIn(app, page)
})
afterAll(() => app?.stop())

const idOf = async (path: string, name: string): Promise<number> =>
  (await app.call('GET', path)).data.find((one: any) => (one.name ?? one.data?.name) === name).id
const write = () => page.getByRole('form', { name: 'Write' }).getByRole('textbox')
const comment = (text: string) => page.locator('.comment', { hasText: text })

/** Lets mails go nowhere, or arrive. */
async function mailGoes(config: object): Promise<void> {
  const id = await idOf('/api/sys/channels', 'Support mail')
  await app.call('PUT', `/api/sys/channels/${id}`, {
    config: { from_address: 'support@demo.example', from_name: 'Demo support', ...config },
  })
}

it('a conversation: a reply by mail from a template with a mention, a note, a draft, and a mail that failed and is sent again', async () => {
  const ann = await idOf('/api/e/clients', 'Ann Carter')
  const { id } = (await app.call('POST', '/api/e/requests', { title: 'The scanner is dark', client_id: ann })).data
  await page.goto(`${app.service.url}/e/requests/${id}`)
  await page.getByText('To Ann Carter <ann@northwind.example>').waitFor()
  const related = page.getByRole('region', { name: 'Of the same person' })
  await related.getByRole('link', { name: 'Printer on floor 2 is jammed' }).waitFor()

  // A reply, from a template whose values are filled in.
  await page.keyboard.press('r')
  await page.getByRole('button', { name: 'Templates' }).click()
  await page.getByRole('menuitem', { name: 'Need more to go on' }).click()
  await expect.poll(() => write().inputValue()).toMatch(/^Hello Ann Carter,\n\nwhat did you do/)
  await write().focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Thanks, @ad')
  await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor()
  expect(await faultsInEveryLook(page, 'composer-mention')).toEqual([])
  await page.keyboard.press('Enter')
  await page.keyboard.type('too.')
  await page.keyboard.press('Control+Enter')
  const reply = comment('Thanks, @Ada Lovelace too.')
  await reply.getByText('Mail to ann@northwind.example: delivered').waitFor()
  const mails = (await app.call('GET', '/_local/outbox?type=mail')).data
  const sent = mails.find(({ to }: { to: string }) => JSON.stringify(to).includes('ann@northwind.example'))
  expect(JSON.stringify(sent)).toContain('Thanks, @Ada Lovelace too.')
  expect(await write().inputValue()).toBe('')

  // A note, which looks like one and goes nowhere.
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await page.getByText('Internal note – nobody outside sees it').waitFor()
  await page.keyboard.type('The lamp is from 2009.')
  expect(await faultsInEveryLook(page, 'composer-note')).toEqual([])
  await page.keyboard.press('Control+Enter')
  await comment('The lamp is from 2009.').getByText('Internal note').waitFor()

  // A draft stays, with what it is, until it is sent or discarded.
  await page.keyboard.type('Half a thought')
  await page.reload()
  await expect.poll(() => write().inputValue()).toBe('Half a thought')
  await page.getByText('Internal note – nobody outside sees it').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  expect(await write().inputValue()).toBe('')

  // A mail that fails says so where it stands, and is sent again there.
  const dead = { transport: 'smtp', host: '127.0.0.1', port: 9, encryption: 'none', retry_schedule: [0] }
  await mailGoes(dead)
  await page.getByRole('radio', { name: 'Reply by mail' }).check({ force: true })
  await write().fill('Are you there?')
  await page.keyboard.press('Control+Enter')
  const lost = comment('Are you there?')
  await lost.getByText('Mail to ann@northwind.example: not delivered').waitFor()
  expect(await lost.locator('.delivery-reason').textContent()).toBeTruthy()
  // Somebody else opens the record meanwhile.
  const ada = (await app.call('POST', '/api/login-local', { email: 'ada@example.com', password: 'brass gears 1843' }))
    .token
  await fetch(`${app.service.url}/api/e/requests/${id}/presence`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ada}` },
    body: JSON.stringify({ is_editing: true }),
  })
  await page.getByRole('list', { name: 'Who else is here' }).getByText('Ada Lovelace is writing here.').waitFor()
  expect(await faultsInEveryLook(page, 'conversation')).toEqual([])
  await mailGoes({ transport: 'local' })
  await lost.getByRole('button', { name: 'Send again' }).click()
  await lost.getByText('Mail to ann@northwind.example: delivered').waitFor()

  // What is shown of the timeline stands in the address.
  await page.getByRole('link', { name: 'Internal notes' }).click()
  await comment('Are you there?').waitFor({ state: 'detached' })
  await comment('The lamp is from 2009.').waitFor()
  expect(new URL(page.url()).searchParams.get('show')).toBe('notes')
  await page.getByRole('link', { name: 'Process', exact: true }).click()
  await page.getByText(/^Administrator started the process Request approval/).waitFor()
  await page.getByRole('link', { name: 'Changes', exact: true }).click()
  await page.getByText('created this record').waitFor()
  expect(app.complaints).toEqual([])
})
