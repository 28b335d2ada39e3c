import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AppInChromium, faultsInEveryLook, isRefusal, signIn, startApp } from './support/app-in-chromium.ts'

/* Two mailboxes of one company, two customers whose requests become one, somebody in copy, and a mail that comes back. */

let app: AppInChromium
let page: Page
beforeAll(async () => {
  app = await startApp()
  page = await app.open()
  await signIn(app, page)
})
afterAll(() => app?.stop())

const support = 'support@demo.example'
const billing = 'billing@demo.example'
const hal = 'hal@pine.example'
const lea = 'lea@pine.example'
const tia = 'tia@oak.example'

async function receive(to: string, headers: Readonly<Record<string, string>>, content: string): Promise<void> {
  const lines = Object.entries({ To: to, 'MIME-Version': '1.0', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const { id } = (await app.call('GET', '/api/sys/mailboxes')).data.find((one: any) => one.address === to)
  const answer = await fetch(`${app.service.url}/_local/mailbox?to=${encodeURIComponent(to)}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: [...lines, '', content].join('\r\n'),
  })
  expect(answer.ok).toBe(true)
  await app.call('POST', `/api/sys/mailboxes/${id}/fetch`)
}
async function requestNamed(title: string): Promise<number> {
  const named = async (): Promise<any> =>
    (await app.call('GET', '/api/e/requests?per_page=100')).data.find((one: any) => one.data.title === title)
  await expect.poll(named, { timeout: 20_000 }).toBeTruthy()
  return (await named()).id
}
async function mails(): Promise<any[]> {
  const headers = { accept: 'application/json' }
  const answer = await fetch(`${app.service.url}/_local/outbox?type=mail&limit=50`, { headers })
  return ((await answer.json()) as { readonly data: any[] }).data
}
const mailWith = async (text: string): Promise<any> => {
  await expect.poll(async () => (await mails()).some((one) => one.text?.includes(text)), { timeout: 20_000 }).toBe(true)
  return (await mails()).find((one) => one.text?.includes(text))
}
const form = () => page.getByRole('form', { name: 'Write' })

it('each reads what is theirs: in the mailbox, on the page that follows a request, and in the app', async () => {
  for (const [name, address] of [
    ['Support', support],
    ['Billing', billing],
  ] as const)
    await app.call('POST', '/api/sys/mailboxes', { name, address, incoming: { protocol: 'local' } })
  await app.call('PUT', '/api/sys/settings', { FOLLOW_TABLES: 'requests' })
  const confirm = `const client = $api.get('clients', $data.client_id)
    $api.sendEmail('request_created', client.email, { request: { id: $data.id, title: $data.title }, client })`
  const automations = [{ kind: 'after_create', name: 'Confirm', script: confirm }]
  await app.call('PUT', '/api/sys/entities/name/requests', { name: 'requests', automations })
  for (const [name, email] of [
    ['Hal Pine', hal],
    ['Tia Oak', tia],
  ])
    await app.call('POST', '/api/e/clients', { name, email })

  // Two customers, at two addresses; one of them with Outlook, and a colleague in copy.
  const outlook = `<html><body><p>The blinds on the third floor are stuck.</p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> Lea<br><b>Sent:</b> Monday<br><b>To:</b> Hal<br><b>Subject:</b> Blinds</p></div></div><p>Please tell the desk.</p></body></html>`
  const ofHal = {
    From: `Hal Pine <${hal}>`,
    Cc: `Lea Pine <${lea}>`,
    'Message-ID': '<1@pine.example>',
    'Content-Type': 'text/html; charset=utf-8',
  }
  await receive(support, { ...ofHal, Subject: 'Blinds are stuck' }, outlook)
  await receive(
    billing,
    { From: `Tia Oak <${tia}>`, Subject: 'Sun in the office', 'Message-ID': '<1@oak.example>' },
    'We cannot work: the sun.',
  )
  const [first, second] = [await requestNamed('Blinds are stuck'), await requestNamed('Sun in the office')]
  await app.call('POST', `/api/e/requests/${second}/merge`, { into: first })

  // The agent reads both, and what Outlook copied is folded.
  await page.goto(`${app.service.url}/e/requests/${first}`)
  const frame = page.frameLocator('iframe.mail-frame')
  await frame.getByText('The blinds on the third floor are stuck.').waitFor()
  await frame.getByText('Please tell the desk.').waitFor({ state: 'hidden' })
  await page.getByText(`Cc: ${lea}`).waitFor()
  await page.getByText('We cannot work: the sun.').first().waitFor()

  // One answer each: from the address that each wrote to, with their own copies.
  const answer = async (to: string, text: string): Promise<any> => {
    const which = form().getByLabel('Conversation that is answered')
    await which.selectOption({ label: `${to} (no. ${to === hal ? first : second})` })
    await form().getByText(`<${to}>`).waitFor()
    await form().getByRole('textbox').last().fill(text)
    await page.keyboard.press('Control+Enter')
    await page.locator('.comment', { hasText: text }).getByText(`Mail to ${to}: delivered`).waitFor()
    return mailWith(text)
  }
  await form().getByLabel('Conversation that is answered').waitFor()
  expect(await faultsInEveryLook(page, 'two-customers')).toEqual([])
  const toTia = await answer(tia, 'A blind for you comes on Monday.')
  const toHal = await answer(hal, 'We look at your blinds today.')
  expect([toTia.to, toTia.from]).toEqual([[tia], expect.stringContaining(billing)])
  expect([toHal.to.toSorted(), toHal.from]).toEqual([[hal, lea].toSorted(), expect.stringContaining(support)])
  expect(`${toTia.text}${toTia.html}`).not.toContain('third floor')
  expect(`${toHal.text}${toHal.html}`).not.toContain('the sun')

  // The page that each follows shows their own conversation.
  const followed = async (address: string): Promise<string> => {
    const link = (await mails()).flatMap(({ to, html }) =>
      to.includes(address) ? (/https?:[^"]+\/follow\/[^"]+/.exec(html ?? '') ?? []) : [],
    )[0]
    const outside = await app.browser.newPage()
    await outside.goto(new URL(new URL(String(link)).pathname, app.service.url).href)
    await outside
      .getByText(address === tia ? 'A blind for you comes on Monday.' : 'We look at your blinds today.')
      .waitFor()
    const text = await outside.locator('body').innerText()
    await outside.close()
    return text
  }
  expect(await followed(tia)).not.toMatch(/your blinds today|third floor/)
  expect(await followed(hal)).not.toMatch(/comes on Monday|the sun/)

  // The mail to Tia comes back: who wrote it is told.
  const messageId = /^message-id:\s*(<[^>]+>)/im.exec(toTia.source)?.[1]
  const report = [
    '--b1',
    'Content-Type: text/plain',
    '',
    'User unknown',
    '--b1',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.oak.example',
    '',
    `Final-Recipient: rfc822; ${tia}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
    '--b1',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${messageId}`,
    '',
    '--b1--',
  ].join('\r\n')
  await receive(
    billing,
    {
      From: 'MAILER-DAEMON@oak.example',
      Subject: 'Undelivered',
      'Message-ID': '<2@oak.example>',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b1',
    },
    report,
  )
  await page.locator('.comment', { hasText: 'comes on Monday' }).getByText(`Mail to ${tia}: not delivered`).waitFor()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByText(`Your answer did not reach ${tia}`).waitFor()
  expect(app.complaints.filter((one) => !isRefusal(one))).toEqual([])
})
