import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AppInChromium, faultsInEveryLook, isRefusal, signIn, startApp } from './support/app-in-chromium.ts'

const wishes = {
  name: 'wishes',
  label: 'Wishes',
  title_field: 'title',
  table_fields: [
    { name: 'title', label: 'For whom?', type: 'text', required: true, max_length: 200 },
    {
      name: 'kind',
      label: 'Which one?',
      type: 'value_list',
      options: [
        { slug: 'usual', label: 'The usual one' },
        { slug: 'other', label: 'Another one' },
      ],
    },
    {
      name: 'reason',
      label: 'Why another one?',
      type: 'textarea',
      visible_if: { kind: 'other' },
      required_if: { kind: 'other' },
    },
    { name: 'margin', label: 'Margin', type: 'integer', default: 7 },
    {
      name: 'status',
      label: 'Status',
      type: 'state_model',
      states: [
        { slug: 'new', label: 'New', is_initial: true },
        { slug: 'waiting', label: 'Waiting for the cheap vendor' },
        { slug: 'done', label: 'Done', is_final: true },
      ],
      transitions: [
        { from: 'new', to: 'waiting' },
        { from: 'waiting', to: 'done' },
        { from: 'done', to: 'waiting' },
      ],
    },
  ],
}
const item = {
  name: 'A laptop for work',
  description: 'For new colleagues, or when yours is too old.',
  category: 'Hardware',
  icon: 'laptop',
  model: 'wishes',
  fields: ['title', 'kind', 'reason'],
  public_states: { waiting: 'Ordered' },
  reopen_state: 'waiting',
}
/** An article with markup, and with what must not run. */
const article = {
  title: 'Which laptop fits?',
  category: 'Hardware',
  body: '<h2>Small or large</h2><p>The <b>small</b> one fits a bag.</p><script>window.ran = 1</script><img src="/x" onerror="window.ran = 2"><a href="javascript:window.ran = 3">more</a>',
  state: 'published',
}
const approve = (approver: number): string => `<?xml version="1.0" encoding="UTF-8"?>
<definitions id="D" xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:wf="urn:entity-workflow:wf:1" targetNamespace="urn:test">
  <process id="P" isExecutable="true"><startEvent id="start"/><sequenceFlow id="a" sourceRef="start" targetRef="ask"/>
  <userTask id="ask" name="May it be bought?" wf:candidateUsers="${approver}" wf:outcomes="approved,rejected"/>
  <sequenceFlow id="b" sourceRef="ask" targetRef="end"/><endEvent id="end"/></process>
</definitions>`

const password = 'nine green moths'
let app: AppInChromium
let page: Page
let approver: number
beforeAll(async () => {
  app = await startApp()
  const person = async (name: string, email: string): Promise<number> =>
    (await app.call('POST', '/api/sys/users', { name, email, password, roles: [] })).data.id
  await person('Grace Hopper', 'grace@example.com')
  approver = await person('Barbara Liskov', 'barbara@example.com')
  await app.call('POST', '/api/sys/entities', wishes)
  await app.call('POST', '/api/sys/process-templates', {
    code: 'wish',
    name: 'Wish',
    table: 'wishes',
    is_auto_start: true,
    bpmn_xml: approve(approver),
  })
  await app.call('POST', '/api/sys/portal/items', item)
  await app.call('POST', '/api/e/sys_articles', article)
})
afterAll(() => app?.stop())

const phone = { width: 375, height: 740 }
const go = (path: string): Promise<unknown> => page.goto(`${app.service.url}${path}`)
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const tab = (name: string | RegExp) => page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name })

/** Signs in as a person of the portal, on a phone. */
async function enterAs(email: string): Promise<void> {
  await app.browser.clearCookies()
  await page.setViewportSize(phone)
  await go('/sign-in')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button('Sign in').click()
  await heading('How can we help?').waitFor()
}

/** What can be pressed and is smaller than a thumb; links within a sentence are as high as its lines. */
const small = `[...document.querySelectorAll('.portal-frame :is(a, button, input, textarea, select, label.star)')]
  .filter((one) => one.checkVisibility() && !one.matches('.skip-link, p > a, .article-body a, .star input, [type=file], .mantine-Pill-remove, .mantine-SegmentedControl-input'))
  .map((one) => [one.getBoundingClientRect().height, one.outerHTML.slice(0, 120)])
  .filter(([height]) => height > 1 && height < 43.5)
  .map(([height, html]) => height + ' ' + html)`

/** Looks at the screen wide and narrow, light and dark. */
async function look(name: string): Promise<void> {
  expect.soft(await faultsInEveryLook(page, `portal-${name}`)).toEqual([])
  await page.setViewportSize(phone)
  expect.soft([name, await page.evaluate(small)]).toEqual([name, []])
}

it('leads from a wish to a rating, with one hand', { timeout: 240_000 }, async () => {
  page = await app.open()
  await enterAs('grace@example.com')
  expect(new URL(page.url()).pathname).toBe('/portal')
  await page.getByRole('link', { name: /^A laptop for work/ }).waitFor()
  await look('home')

  // An article may help at once, and runs nothing.
  const search = page.getByRole('searchbox', { name: 'What do you need?' })
  await search.fill('which laptop')
  const suggestions = page.getByRole('region', { name: 'Suggestions' })
  await suggestions.getByRole('link', { name: /^A laptop for work/ }).waitFor()
  await suggestions.getByRole('link', { name: /^Which laptop fits/ }).waitFor()
  await look('suggestions')
  await search.press('ArrowDown')
  await page.keyboard.press('Enter')
  await heading('Which laptop fits?').waitFor()
  await page.getByRole('heading', { level: 2, name: 'Small or large' }).waitFor()
  expect(await page.locator('.article-body').innerHTML()).not.toMatch(/script|onerror|javascript/)
  await button('Yes').click()
  await page.getByText('Thank you.').waitFor()
  await look('article')
  expect(await page.evaluate('window.ran')).toBeUndefined()

  // The form follows what is chosen, keeps what is typed, and shows errors where they belong.
  await tab('Help').click()
  await page.getByRole('link', { name: /^A laptop for work/ }).click()
  await heading('A laptop for work').waitFor()
  await button('Send request').click()
  await page.getByText('The For whom? field is required.').waitFor()
  await page.locator('[aria-invalid=true]:focus').waitFor()
  await page.getByLabel('For whom?').fill('A laptop for Hedy')
  await page
    .getByRole('region', { name: 'This may help at once' })
    .getByRole('link', { name: /Which laptop/ })
    .waitFor()
  expect(await page.getByLabel('Why another one?').count()).toBe(0)
  await page.getByRole('combobox', { name: 'Which one?' }).click()
  await page.getByRole('option', { name: 'Another one' }).click()
  await page.getByLabel('Why another one?').waitFor()
  await look('form')
  await button('Send request').click()
  await page.getByText('The Why another one? field is required.').waitFor()
  await page.getByLabel('Why another one?').fill('She draws plans.')
  await tab('My requests').click()
  await page.getByText('No requests here').waitFor()
  await go('/portal')
  await page.getByRole('link', { name: /^A laptop for work/ }).click()
  await page.getByText('Your draft was kept on this device.').waitFor()
  expect(await page.getByLabel('Why another one?').inputValue()).toBe('She draws plans.')
  await page.locator('input[type=file]').setInputFiles({
    name: 'offer.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('1,200'),
  })
  await page.getByRole('button', { name: 'Remove offer.txt' }).waitFor()
  await button('Send request').click()

  // It is there, with its file; a colleague is added and removed; a message is written.
  await heading('A laptop for Hedy').waitFor()
  await page.getByText('We have your request.').waitFor()
  await page.getByRole('link', { name: 'offer.txt' }).waitFor()
  const people = page.getByRole('region', { name: 'People who see this' })
  await people.getByRole('button', { name: 'Add somebody' }).click()
  await people.getByRole('combobox', { name: 'Person' }).fill('Barb')
  await page.getByRole('option', { name: 'Barbara Liskov' }).click()
  await people.getByText('Barbara Liskov').waitFor()
  await people.getByRole('button', { name: 'Remove Barbara Liskov' }).click()
  await people.getByText('Only you and the team.').waitFor()
  await page.getByRole('textbox', { name: 'Write a message' }).fill('By Monday, please.')
  await button('Send').click()
  await page.locator('.said.is-mine', { hasText: 'By Monday, please.' }).waitFor()
  await look('request')
  await tab('My requests').click()
  await page.getByRole('link', { name: /A laptop for Hedy/ }).waitFor()
  await page.getByRole('searchbox', { name: 'Search my requests' }).fill('nothing like it')
  await page.getByText('Nothing found').waitFor()
  await page.getByRole('searchbox', { name: 'Search my requests' }).fill('hedy')
  await page.getByRole('link', { name: /A laptop for Hedy/ }).waitFor()
  await look('requests')

  // The approver decides with a comment, which Grace reads.
  await enterAs('barbara@example.com')
  await page.getByRole('link', { name: '1 approval waits for you' }).click()
  const approval = page.getByRole('article', { name: 'A laptop for Hedy' })
  await approval.getByText('She draws plans.').waitFor()
  await approval.getByLabel('Comment for the requester').fill('The small one is enough.')
  await look('approvals')
  await approval.getByRole('button', { name: 'Approved' }).click()
  await page.getByText('Decided: Approved').waitFor()
  await page.getByText('Nothing waits for your decision').waitFor()

  await enterAs('grace@example.com')
  const wish = (await app.call('GET', '/api/e/wishes')).data[0].id
  const move = (status: string): Promise<unknown> => app.call('PATCH', `/api/e/wishes/${wish}`, { status })
  await move('waiting')
  await move('done')
  await tab('My requests').click()
  await page.getByText('No requests here').waitFor()
  await page.getByText('Closed', { exact: true }).click()
  await page.getByRole('link', { name: /A laptop for Hedy/ }).click()
  await page.locator('.said.is-team', { hasText: 'The small one is enough.' }).waitFor()
  await look('closed')
  await button('Reopen').click()
  await page.getByText('Ordered').waitFor()
  expect(await page.getByText(/cheap vendor|Margin/).count()).toBe(0)
  await move('done')
  await page.reload()
  await page.getByRole('radio', { name: '4 stars' }).check()
  await page.getByLabel('What was good, what was not?').fill('A day late.')
  await look('rating')
  await button('Send rating').click()
  await page.getByRole('region', { name: 'Your rating' }).getByRole('img', { name: '4 stars' }).waitFor()
  await look('rated')

  await page.evaluate(`localStorage.setItem('language', 'de')`)
  await go('/portal')
  await heading('Wie können wir helfen?').waitFor()
  await look('home-de')
  await go('/portal/requests/1')
  await page.getByRole('region', { name: 'Ihre Bewertung' }).waitFor()
  await look('request-de')
  await page.evaluate(`localStorage.removeItem('language')`)
  expect(app.complaints.filter((complaint) => !isRefusal(complaint))).toEqual([])
})

it('is reached by agents from the navigation, and leads back', async () => {
  await app.browser.clearCookies()
  page = await app.open()
  await signIn(app, page)
  await page.getByRole('link', { name: 'Portal', exact: true }).click()
  await heading('How can we help?').waitFor()
  await page.getByRole('link', { name: 'Workspace' }).click()
  await page.getByRole('grid').waitFor()
  expect(app.complaints).toEqual([])
})
