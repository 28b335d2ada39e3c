import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AppInChromium, faultsInEveryLook, faultsOf, signIn, startApp } from './support/app-in-chromium.ts'
import { hostileMail } from './support/hostile-mail.ts'

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
const link = (name: string) => page.getByRole('link', { name, exact: true })

/** A mail arrives that no rule takes. */
async function arrives(subject: string, text: string, html?: string): Promise<number> {
  const mail = { to: 'support@demo.example', from: 'ann@northwind.example', subject, text }
  await app.call('POST', '/_local/mailbox', { ...mail, ...(html && { html }) })
  await app.call('POST', '/api/sys/settings/fetch-imap')
  const find = async () =>
    (await app.call('GET', '/api/sys/incoming_messages?is_processed=false')).data.find(
      (one: { subject: string; is_waiting: boolean }) => one.subject === subject && !one.is_waiting,
    )?.id
  await expect.poll(find).toBeTypeOf('number')
  return find()
}

/** What the picture of a process that the page has asked for last marks. */
function followPicture(): () => readonly string[] {
  let svg = ''
  page.on('response', async (answer) => {
    if (answer.url().includes('/diagram.svg')) svg = await answer.text().catch(() => svg)
  })
  return () => [...svg.matchAll(/<g class="(is-\w+)" data-element="(\w+)"/g)].map(([, is, id]) => `${is} ${id}`)
}
/** Whether the browser could draw the picture. */
const isDrawn = (dialog: Locator): Promise<boolean> =>
  dialog.locator('.process-picture img').evaluate((image: any) => image.naturalWidth > 0)

describe("an agent's desk in the web app", () => {
  it('makes a request and a client of messages that no rule took, and sets another aside', async () => {
    const rules = (await app.call('GET', '/api/sys/incoming-actions')).data
    for (const { id, is_automatic: isAutomatic } of rules)
      if (isAutomatic) await app.call('PUT', `/api/sys/incoming-actions/${id}`, { is_active: false })
    await arrives('Win a phone', 'Click here.')
    await arrives('The printer is jammed again', 'Plain.', hostileMail)
    await link('Incoming').click()
    await page.getByRole('button', { name: /Win a phone/ }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'The printer is jammed again' }).waitFor()
    await page.frameLocator('iframe.mail-frame').getByText('The end of the mail').waitFor()
    await page.getByRole('button', { name: 'The printer is jammed', exact: true }).waitFor()
    expect(await faultsInEveryLook(page, 'incoming')).toEqual([])

    await page.keyboard.press('1')
    const preview = page.getByRole('region', { name: 'Preview of Sender to client' })
    await preview.getByText('ann@northwind.example').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await preview.waitFor({ state: 'detached' })

    await page.keyboard.press('c')
    const form = page.getByRole('form', { name: 'Make a record' })
    await expect.poll(() => form.getByRole('combobox', { name: 'Table' }).inputValue()).toBe('Requests')
    await expect.poll(() => form.getByLabel('Title').inputValue()).toBe('The printer is jammed again')
    await expect.poll(() => form.getByRole('combobox', { name: 'Client' }).inputValue()).toBe('Ann Carter')
    expect(await faultsInEveryLook(page, 'incoming-record')).toEqual([])
    await form.getByLabel('Priority').fill('2')
    await form.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The record was made.').waitFor()
    await page.getByRole('heading', { name: 'Win a phone' }).waitFor()
    await page.keyboard.press('d')
    await page.getByText('Nothing waits here').waitFor()
    await page.keyboard.press('z')
    await page.getByRole('button', { name: /Win a phone/ }).waitFor()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'The printer is jammed again' }).waitFor()
    await page.frameLocator('iframe.mail-frame').getByText('The end of the mail').waitFor()
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect([...app.askedHosts].filter((host) => host !== new URL(app.service.url).host)).toEqual([])
  })

  it('writes an article, publishes it, and brings an earlier version back', async () => {
    await link('Articles').click()
    await link('The printer is jammed').waitFor()
    await page.keyboard.press('c')
    await page.getByLabel('Title').fill('Set up a phone')
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await text.click()
    await page.keyboard.type('Before you begin')
    await page.getByRole('button', { name: 'Heading', exact: true }).click()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Charge it ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('fully')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('. 5 * 3 <img src=x onerror=pwned=1>')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.keyboard.type('Find the card')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Insert it')
    expect(await faultsInEveryLook(page, 'article')).toEqual([])
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(/\/articles\/\d+$/)
    const id = Number(page.url().split('/').at(-1))
    const body =
      '## Before you begin\n\nCharge it **fully**. 5 \\* 3 <img src=x onerror=pwned=1>\n\n- Find the card\n- Insert it'
    expect((await app.call('GET', `/api/e/sys_articles/${id}`)).data.data).toMatchObject({ body, state: 'draft' })
    await page.reload()
    await text.getByText('Find the card').waitFor()
    expect(await text.locator('strong').textContent()).toBe('fully')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('it is in the portal now').waitFor()
    const found = async () =>
      (await app.call('GET', '/api/portal/articles?search=charge')).data.map(({ title }: { title: string }) => title)
    await expect.poll(found).toEqual(['Set up a phone'])

    await page.getByLabel('Title').fill('Set up your phone')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Saved.').waitFor()
    await page.getByRole('button', { name: 'Versions' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button').filter({ hasText: 'Administrator' }).nth(1).click()
    await dialog.getByRole('heading', { name: 'Set up a phone' }).waitFor()
    expect(await faultsInEveryLook(page, 'article-versions')).toEqual([])
    await dialog.getByRole('button', { name: 'Bring all of this back' }).click()
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Set up a phone')
    await link('Articles').first().click()
    await link('Set up a phone').waitFor()
    expect(await faultsInEveryLook(page, 'articles')).toEqual([])
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(app.complaints).toEqual([])
  })

  it('shows where a process is, and completes its task with a form there', async () => {
    const form = `<wf:form><wf:formField name="reason" label="Reason" type="text" required="true" />
      <wf:formField name="urgency" label="Urgency" type="integer" bind="record.priority" /></wf:form>`
    const xml = `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:wf="urn:entity-workflow:wf:1" targetNamespace="urn:test"><bpmn:process id="p" isExecutable="true"><bpmn:startEvent id="begin"/><bpmn:sequenceFlow id="a" sourceRef="begin" targetRef="look"/><bpmn:userTask id="look" name="Look at it" wf:outcomes="approved,rejected"><bpmn:extensionElements>${form}</bpmn:extensionElements></bpmn:userTask><bpmn:sequenceFlow id="b" sourceRef="look" targetRef="wait"/><bpmn:intermediateCatchEvent id="wait" name="A day"><bpmn:timerEventDefinition><bpmn:timeDuration>P1D</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent><bpmn:sequenceFlow id="c" sourceRef="wait" targetRef="end"/><bpmn:endEvent id="end"/></bpmn:process></bpmn:definitions>`
    const made = await app.call('POST', '/api/sys/process-templates', {
      name: 'Second look',
      table: 'requests',
      bpmn_xml: xml,
    })
    const { id } = (await app.call('POST', '/api/e/requests', { title: 'Needs a second look' })).data
    await app.call('POST', '/api/sys/process-instances', { template_id: made.data.id, record_id: id })
    const marked = followPicture()
    await page.goto(`${app.service.url}/e/requests/${id}`)
    await page.getByRole('region', { name: 'Processes' }).getByText('running').first().waitFor()
    await page.getByRole('button', { name: 'Second look' }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(marked).toContain('is-active look')
    await expect.poll(() => isDrawn(dialog)).toBe(true)
    expect(await faultsInEveryLook(page, 'process')).toEqual([])
    await dialog.getByRole('button', { name: 'Approved' }).click()
    await dialog.getByText('reason field is required').waitFor()
    await dialog.getByLabel('Reason').fill('It works now')
    await dialog.getByRole('textbox', { name: 'Urgency' }).fill('5')
    await dialog.getByRole('button', { name: 'Approved' }).click()
    await expect.poll(marked).toEqual(expect.arrayContaining(['is-done look', 'is-active wait']))
    await dialog.getByText('waits until').waitFor()
    expect((await app.call('GET', `/api/e/requests/${id}`)).data.data.priority).toBe(5)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('p')
    await dialog.waitFor()
    expect(app.complaints).toEqual([])
  })

  it('claims a task, asks somebody, takes what they propose, and is told of four eyes', async () => {
    const task = (id: string, more: string) =>
      `<bpmn:userTask id="${id}" name="${id === 'offer' ? 'Write the offer' : 'Check the offer'}" wf:candidateRoles="admin,agent" ${more}/>`
    const flow = (from: string, to: string) =>
      `<bpmn:sequenceFlow id="${from}_${to}" sourceRef="${from}" targetRef="${to}"/>`
    const xml = `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:wf="urn:entity-workflow:wf:1" targetNamespace="urn:test"><bpmn:process id="p" isExecutable="true"><bpmn:startEvent id="begin"/>${flow('begin', 'offer')}${task('offer', 'wf:outcomes="ready,declined"')}${flow('offer', 'check')}${task('check', 'wf:fourEyes="offer"')}${flow('check', 'end')}<bpmn:endEvent id="end"/></bpmn:process></bpmn:definitions>`
    const made = await app.call('POST', '/api/sys/process-templates', {
      name: 'Offer',
      table: 'clients',
      bpmn_xml: xml,
    })
    const { id } = (await app.call('POST', '/api/e/clients', { name: 'Wants an offer' })).data
    await app.call('POST', '/api/sys/process-instances', { template_id: made.data.id, record_id: id })
    await page.goto(`${app.service.url}/e/clients/${id}`)
    const tasks = page.getByRole('region', { name: 'Tasks' })
    await tasks.getByText('Offered to admin, agent').waitFor()
    await page.keyboard.press('t')
    await page.keyboard.press('c')
    await tasks.getByText('You have it.').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Task: Give back').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('t')
    await page.keyboard.press('g')
    await tasks.getByText('Offered to admin, agent').waitFor()

    await tasks.getByRole('button', { name: 'Claim' }).click()
    await tasks.getByText('You have it.').waitFor()
    await tasks.getByRole('button', { name: 'More for Write the offer' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Ask somebody' }).press('Enter')
    const form = tasks.getByRole('form', { name: 'Ask somebody' })
    const whom = form.getByRole('combobox', { name: 'Whom' })
    await whom.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Admin')
    await page.getByRole('option', { name: 'Administrator' }).click()
    await form.getByRole('button', { name: 'Ask somebody' }).click()
    await form.getByText('you cannot delegate a task to yourself').waitFor()
    expect(await faultsInEveryLook(page, 'task-ask')).toEqual([])
    await whom.fill('Ada')
    await page.getByRole('option', { name: 'Ada Lovelace' }).click()
    await form.getByRole('button', { name: 'Ask somebody' }).click()
    await tasks.getByText('Ada Lovelace works on it, then it returns to you.').waitFor()

    const ada = await app.call('POST', '/api/login-local', { email: 'ada@example.com', password: 'brass gears 1843' })
    const [asked] = (await app.call('GET', `/api/sys/process-tasks?model=clients&record_id=${id}`)).data
    await fetch(`${app.service.url}/api/sys/process-tasks/${asked.id}/complete`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.token}` },
      body: JSON.stringify({ outcome: 'ready' }),
    })
    await page.goto(`${app.service.url}/my-work`)
    const mine = page.getByRole('listitem').filter({ hasText: 'Write the offer' })
    await mine.getByText('It has returned to you.').waitFor()
    await mine.getByRole('link').focus()
    await page.keyboard.press('t')
    await page.keyboard.press('d')
    await mine.getByLabel('Due', { exact: true }).fill('2030-05-06T09:30')
    expect(await faultsInEveryLook(page, 'my-work-tasks')).toEqual([])
    await mine.getByRole('button', { name: 'Save' }).click()
    await mine.locator('time[datetime^="2030-05-06"]').waitFor()
    await mine.getByRole('link').click()
    await tasks.getByText('Proposed: Ready').waitFor()
    await tasks.getByRole('button', { name: 'Ready' }).click()
    await tasks.getByText('Not for whoever did “Offer” (four eyes).').waitFor()
    await tasks.getByRole('button', { name: 'Claim' }).click()
    await tasks.getByText('so somebody else has to do this task (four eyes).').waitFor()
    expect(await faultsInEveryLook(page, 'task-four-eyes')).toEqual([])
    expect(app.complaints).toEqual([])
  })

  it('operates a process: begins what may begin, mends what failed, suspends, resumes and cancels it', async () => {
    const flow = (from: string, to: string) =>
      `<bpmn:sequenceFlow id="${from}_${to}" sourceRef="${from}" targetRef="${to}"/>`
    const xml = `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:wf="urn:entity-workflow:wf:1" targetNamespace="urn:test"><bpmn:process id="p" isExecutable="true"><bpmn:startEvent id="begin"/>${flow('begin', 'price')}<bpmn:scriptTask id="price" name="Work out the price" scriptFormat="javascript"><bpmn:script>if (typeof variables.discount !== 'number') throw new Error('There is no discount yet.')</bpmn:script></bpmn:scriptTask>${flow('price', 'care')}<bpmn:adHocSubProcess id="care" name="Care for the client" wf:begin="onRequest"><bpmn:userTask id="call" name="Call the client" wf:candidateRoles="admin"/><bpmn:userTask id="visit" name="Visit the client" wf:candidateRoles="admin"/><bpmn:completionCondition>\${variables.cared === true}</bpmn:completionCondition></bpmn:adHocSubProcess>${flow('care', 'end')}<bpmn:endEvent id="end"/></bpmn:process></bpmn:definitions>`
    const made = await app.call('POST', '/api/sys/process-templates', { name: 'Care', table: 'clients', bpmn_xml: xml })
    const { id } = (await app.call('POST', '/api/e/clients', { name: 'Needs care' })).data
    const variables = { discount: null, note: 'Friendly' }
    await app.call('POST', '/api/sys/process-instances', { template_id: made.data.id, record_id: id, variables })
    const marked = followPicture()
    await page.goto(`${app.service.url}/e/clients/${id}`)
    await page.getByText('at: Work out the price').waitFor()
    await page.keyboard.press('p')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('There is no discount yet.').waitFor()
    await expect.poll(marked).toContain('is-failed price')
    expect(await faultsInEveryLook(page, 'process-incident')).toEqual([])

    await dialog.getByRole('button', { name: 'Change variables' }).click()
    const json = dialog.getByLabel('Variables', { exact: true })
    await json.fill('{ "discount": 5, ')
    await dialog.getByText('not valid JSON').waitFor()
    await json.fill('{ "discount": 5 }')
    await dialog.getByText('Sets discount. Removes note.').waitFor()
    expect(await faultsInEveryLook(page, 'process-variables')).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await json.waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByRole('button', { name: 'Call the client' }).click()
    await dialog.getByRole('list', { name: 'Tasks' }).getByText('Call the client').waitFor()
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await dialog.getByRole('button', { name: 'Resume' }).waitFor()
    await dialog.getByRole('button', { name: 'Complete' }).click()
    await dialog.getByText(/is suspended, so its tasks cannot be completed/).waitFor()
    await dialog.getByText('steps so far').click()
    await dialog.getByText('interventions').click()
    expect(await faultsInEveryLook(page, 'process-operate')).toEqual([])
    await dialog.getByRole('button', { name: 'Resume' }).click()
    await dialog.getByRole('button', { name: 'Suspend' }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel the process' }).click()
    await dialog.getByLabel('Reason').fill('They left.')
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByRole('form').getByRole('button', { name: 'Cancel the process' }).click()
    await dialog.getByText('Administrator cancelled it').waitFor()
    await dialog.getByText('They left.').waitFor()
    expect(app.complaints).toEqual([])
  })

  it('operates many processes: lists what failed, tries it again, and cancels it with a reason, by keys', async () => {
    const xml = `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="urn:test"><bpmn:process id="p" isExecutable="true"><bpmn:startEvent id="begin"/><bpmn:sequenceFlow id="a" sourceRef="begin" targetRef="price"/><bpmn:scriptTask id="price" scriptFormat="javascript"><bpmn:script>if (variables.discount > 0) throw new Error('A discount of ' + variables.discount + ' needs somebody who grants it.')</bpmn:script></bpmn:scriptTask><bpmn:sequenceFlow id="b" sourceRef="price" targetRef="end"/><bpmn:endEvent id="end"/></bpmn:process></bpmn:definitions>`
    const made = await app.call('POST', '/api/sys/process-templates', {
      name: 'Discount',
      table: 'clients',
      bpmn_xml: xml,
    })
    const ids: number[] = []
    for (const [name, discount] of [
      ['Northwind Traders and Sons', 5],
      ['Contoso', 7],
      ['Fabrikam', 9],
    ] as const) {
      const { id } = (await app.call('POST', '/api/e/clients', { name })).data
      const body = { template_id: made.data.id, record_id: id, variables: { discount } }
      ids.push((await app.call('POST', '/api/sys/process-instances', body)).data.id)
    }
    await link('Processes').click()
    const list = page.getByRole('list', { name: 'Processes' })
    await list.getByText('A discount of 5 needs somebody').waitFor()
    await list.getByRole('link', { name: 'Northwind Traders and Sons' }).waitFor()
    expect(await faultsInEveryLook(page, 'operations')).toEqual([])

    await page.getByRole('combobox', { name: 'Kind of process' }).fill('Disc')
    await page.getByRole('option', { name: 'Discount' }).click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(3)
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Try 1 again' }).waitFor()
    await page.getByLabel('All 3 shown').check()
    await page.getByRole('button', { name: 'Try 3 again' }).press('Enter')
    await page.getByText('Done for 3 of 3 processes.').waitFor()
    await page.getByRole('region', { name: 'What was started last' }).getByRole('button', { name: 'Close' }).click()

    await page.getByLabel('All 3 shown').check()
    await page.getByRole('button', { name: 'Cancel 3' }).press('Enter')
    const form = page.getByRole('form', { name: 'Cancel 3' })
    await form.getByLabel('Reason').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('There are no discounts any more.')
    expect(await faultsInEveryLook(page, 'operations-cancel')).toEqual([])
    await form.getByRole('button', { name: 'Cancel 3 processes' }).click()
    await page.getByText('Done for 3 of 3 processes.').waitFor()
    await page.getByText('Nothing has failed').waitFor()
    expect(await faultsInEveryLook(page, 'operations-done')).toEqual([])
    await link('Cancelled').click()
    await list.getByRole('link', { name: 'Fabrikam' }).waitFor()
    const { operations } = (await app.call('GET', `/api/sys/process-instances/${ids[0]}`)).data
    expect(operations.map(({ action, details }: any) => [action, details])).toEqual([
      ['cancel', { reason: 'There are no discounts any more.' }],
      ['retry', {}],
    ])
    expect(app.complaints).toEqual([])
  })

  it('hands the own tasks over to somebody for some days, and ends that', async () => {
    await page.goto(`${app.service.url}/profile`)
    const away = page.getByRole('region', { name: 'Away' })
    await away.getByLabel('Who has your tasks').first().fill('Ada')
    await page.getByRole('option', { name: 'Ada Lovelace' }).click()
    await away.getByLabel('First day').fill('2030-05-06')
    await away.getByLabel('Last day').fill('2030-05-01')
    await away.getByText('It is before the first day.').waitFor()
    await away.getByLabel('First day').fill('')
    await away.getByLabel('Last day').fill('2020-05-01')
    await away.getByRole('button', { name: 'Hand over' }).click()
    await away.getByText('This day is over.').waitFor()
    await away.getByLabel('First day').fill('2030-05-06')
    await away.scrollIntoViewIfNeeded()
    expect(await faultsInEveryLook(page, 'away')).toEqual([])
    await away.getByLabel('Last day').fill('2030-05-10')
    await away.getByRole('button', { name: 'Hand over' }).click()
    await away.getByText('Ada Lovelace will have your tasks.').waitFor()
    await away.getByText('From 6 May 2030 to 10 May 2030').waitFor()
    expect(await faultsInEveryLook(page, 'away-planned')).toEqual([])
    await away.getByRole('button', { name: 'End it now' }).click()
    await away.getByRole('button', { name: 'Hand over' }).waitFor()
    expect((await app.call('GET', '/api/user')).data.substitute_id).toBeUndefined()
    expect(app.complaints).toEqual([])
  })

  it('follows what others do with lists and the bell within five seconds, and keeps the place of the reader', async () => {
    const view = { model: 'requests', name: 'Lamps', scope: 'private', filter: { title: { _istarts_with: 'lamp' } } }
    const { id } = (await app.call('POST', '/api/sys/views', view)).data
    await app.call('POST', '/api/e/requests', { title: 'Lamp one' })
    await page.goto(`${app.service.url}/e/requests?view=${id}`)
    await page.getByRole('row', { name: 'Lamp one' }).waitFor()
    await page.keyboard.press('j')
    const unchanged = page.waitForResponse((answer) => answer.url().endsWith('/revision') && answer.status() === 304)
    await unchanged
    await app.call('POST', '/api/e/requests', { title: 'Lamp two' })
    await page.getByRole('row', { name: 'Lamp two' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Lamp one' }).waitFor()

    const me = (await app.call('GET', '/api/user')).data.id
    const before = (await app.call('GET', '/api/notifications')).meta.unread
    const ada = await app.call('POST', '/api/login-local', { email: 'ada@example.com', password: 'brass gears 1843' })
    await fetch(`${app.service.url}/api/e/requests/1/comments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.token}` },
      body: JSON.stringify({ body: `@[${me}] look` }),
    })
    await page.getByRole('button', { name: new RegExp(`${before + 1} unread`) }).waitFor()
    expect(app.complaints).toEqual([])
  })
})
