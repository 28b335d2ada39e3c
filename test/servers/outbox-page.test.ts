import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openOutbox, type Outbox } from '../../infra/local/outbox/outbox.ts'
import { serveMailbox } from '../../infra/local/outbox/page/serve-mailbox.ts'
import { serveOutbox } from '../../infra/local/outbox/page/serve-outbox.ts'
import { serveMessenger } from '../../infra/local/outbox/page/serve-writing.ts'
import { type Mailboxes, openMailboxes } from '../../infra/local/outbox/servers/imap/mailboxes.ts'
import { teller, type Webhooks } from '../../infra/local/outbox/servers/webhooks.ts'
import { openStorage } from '../../infra/local/runtime/storage/storage.ts'
import { fillOutbox, mail, other } from '../make/builders/messages/outbox-messages.ts'
import { scriptedReceiver } from '../make/services/servers/scripted-receiver.ts'
import { chromiumFlags } from './support/chromium-flags.ts'

/** Pictures are taken when a folder for them is named. */
const pictures = process.env['OUTBOX_PICTURES']
const profile = mkdtempSync(join(tmpdir(), 'outbox-page-'))
const askedHosts = new Set<string>()
const complaints: string[] = []
let outbox: Outbox
let mailboxes: Mailboxes
const webhooks: Webhooks = new Map()
let server: Server
let url: string
let browser: BrowserContext
let page: Page

beforeAll(async () => {
  const storage = await openStorage(':memory:')
  outbox = await openOutbox({ storage, now: Date.now, log: () => {} })
  mailboxes = openMailboxes(storage, Date.now)
  const shown = serveOutbox(outbox)
  const others = new Map([
    ['/_local/mailbox', serveMailbox(outbox, mailboxes)],
    ['/_local/messenger', serveMessenger(teller(webhooks, Date.now))],
  ])
  server = createServer((request, response) =>
    (others.get((request.url ?? '').split('?')[0] as string) ?? shown)(request, response),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://localhost:${(server.address() as AddressInfo).port}/_local/outbox`
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: chromiumFlags,
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  browser.on('request', (request) => askedHosts.add(new URL(request.url()).host))
  browser.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  browser.on('weberror', (failure) => complaints.push(String(failure.error())))
})
beforeEach(async () => {
  outbox.clear()
  page = await browser.newPage()
})
afterEach(() => page.close())
afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
  rmSync(profile, { recursive: true, force: true })
})
const rows = () => page.locator('.row')
const picture = async (name: string) => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) })
}

/** Run by the page: the contents of messages arrive 300 ms late, and are counted. */
const lateMessages = `
  var asked = 0
  var arrived = 0
  const { json } = Response.prototype
  Response.prototype.json = async function () {
    const body = await json.call(this)
    if (!/outbox\\/\\d+$/.test(this.url)) return body
    asked += 1
    await new Promise((resolve) => setTimeout(resolve, 300))
    arrived += 1
    return body
  }
  void 0`

describe('the page of the outbox', () => {
  it('shows messages as they leave, without a reload', async () => {
    await page.goto(url)
    await page.getByText('Nothing has left yet').waitFor()
    await picture('empty')
    await fillOutbox(outbox)
    await expect.poll(() => rows().count()).toBe(7)
    expect(await rows().first().innerText()).toMatch(/ada@example\.com[^]*Grace Hopper invites you[^]*Mail/)
    outbox.add(other('sms', 'One more'))
    await expect.poll(() => rows().first().innerText()).toContain('One more')
    await picture('list')
  })

  it('shows a mail as it looks, as text and as its source', async () => {
    await fillOutbox(outbox)
    await page.goto(url)
    await rows().first().click()
    const frame = page.frameLocator('iframe')
    await frame.getByText('Welcome to Acme').waitFor()
    await picture('mail')
    await page.getByRole('tab', { name: 'Text' }).click()
    expect(await page.locator('pre a').getAttribute('href')).toBe('http://localhost:9/password/reset/abcdef')
    await picture('mail-text')
    await page.getByRole('tab', { name: 'Source' }).click()
    expect(await page.locator('pre').innerText()).toMatch(/^Subject: Grace Hopper/m)
    await picture('mail-source')
    await page.getByRole('button', { name: 'Copy text' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('Set a password')
  })

  it('runs nothing of a hostile mail, and asks nobody for it', async () => {
    const tracker = await scriptedReceiver(() => ({ status: 200 }))
    const hostile = `<script>parent.document.title = 'taken'; fetch('${tracker.url}/script')</script>
      <img src="${tracker.url}/pixel.png" onerror="parent.document.title = 'taken'">
      <style>@import url(${tracker.url}/style.css); p { background: url(${tracker.url}/b.png) }</style>
      <meta http-equiv="refresh" content="0; url=${tracker.url}/refresh">
      <form action="${tracker.url}/form"><button>Press</button></form>
      <iframe src="${tracker.url}/frame"></iframe><p>Hello</p>`
    outbox.add(await mail('<img src=x onerror="document.title=1">', hostile))
    await page.goto(url)
    await rows().first().click()
    await page.frameLocator('iframe').first().getByText('Hello').waitFor()
    await page.getByText('not loaded here').waitFor()
    await page.waitForTimeout(500)
    await picture('hostile')
    expect(await page.title()).toBe('Outbox')
    expect(await page.locator('h2').innerText()).toBe('<img src=x onerror="document.title=1">')
    expect(tracker.received).toEqual([])
    await tracker.close()
    askedHosts.delete(new URL(tracker.url).host)
    // The browser reports what its policy refused.
    expect(complaints.splice(0).filter((text) => !/Content Security Policy|sandboxed|Refused/i.test(text))).toEqual([])
  })

  it('is walked with the keyboard alone', async () => {
    await fillOutbox(outbox)
    await page.goto(url)
    await rows().first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect.poll(() => page.locator('h2').innerText()).toBe('Lost password')
    expect(await page.locator('.row:focus').innerText()).toContain('Lost password')
    await page.keyboard.press('Delete')
    await expect.poll(() => rows().count()).toBe(6)
    await expect.poll(() => page.locator('.facts').first().innerText()).toContain('Acme')
    await page.keyboard.press('/')
    await page.keyboard.type('lamp')
    await expect.poll(() => rows().count()).toBe(2)
    await page.keyboard.press('ArrowDown')
    await page.locator('.row:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Choose a message').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('nothing like it')
    await page.getByText('Nothing matches').waitFor()
    await picture('no-match')
  })

  it('does not go back to a message that arrives after it was left', async () => {
    await fillOutbox(outbox)
    await page.goto(url)
    await rows().first().waitFor()
    await page.evaluate(lateMessages)
    await page.keyboard.press('j')
    await expect.poll(() => page.evaluate<number>('asked')).toBeGreaterThan(0)
    await page.keyboard.press('Escape')
    await page.getByText('Choose a message').waitFor()
    await expect.poll(() => page.evaluate<number>('arrived')).toBeGreaterThan(0)
    expect(await page.getByText('Choose a message').isVisible()).toBe(true)
  })

  it('filters by type, and deletes one message or all', async () => {
    await fillOutbox(outbox)
    await page.goto(url)
    await page.getByRole('button', { name: /^Webhook 1$/ }).click()
    await expect.poll(() => rows().count()).toBe(1)
    await rows().first().click()
    await page.getByText('"priority": "high"').waitFor()
    expect(await rows().first().innerText()).toContain('503')
    await picture('webhook')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Show all messages').click()
    await expect.poll(() => rows().count()).toBe(6)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Delete all' }).click()
    await page.getByText('Nothing has left yet').waitFor()
    expect(outbox.list()).toEqual([])
  })

  it('takes .eml files that are dropped on it, or chosen, and says where they are', async () => {
    await fillOutbox(outbox)
    await page.goto(url)
    await rows().first().click()
    await page.frameLocator('iframe').getByText('Welcome').waitFor()
    const eml = (from: string) => `From: ${from}\nTo: sales@acme.test\nSubject: Lampe für Büro 3\n\nBitte.\n`
    const transfer = await page.evaluateHandle(`{
      const made = new DataTransfer()
      for (const [at, text] of ${JSON.stringify([eml('ann@b.test'), 'no mail'])}.entries())
        made.items.add(new File([text], at + '.eml'))
      made
    }`)
    await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer })
    await page.locator('body.dropping').waitFor()
    await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
    await page.getByText('0.eml: In the mailbox support@demo.example.').waitFor()
    await page.getByText('1.eml: This is no mail').waitFor()
    await picture('dropped')
    complaints.splice(0)
    await page.getByLabel('To', { exact: true }).fill('desk@acme.test')
    await page
      .getByLabel('.eml files')
      .setInputFiles({ name: 'a.eml', mimeType: '', buffer: Buffer.from(eml('b@c.test')) })
    await page.getByText('a.eml: In the mailbox desk@acme.test.').waitFor()
    const sources = await Promise.all(['support@demo.example', 'desk@acme.test'].map((one) => mailboxes.list(one)))
    expect(sources.map((mails) => mails.map(({ source }) => source.toString()))).toEqual([
      [eml('ann@b.test').replaceAll('\n', '\r\n')],
      [eml('b@c.test').replaceAll('\n', '\r\n')],
    ])
  })

  it('answers the text of a bot as whoever got it', async () => {
    const bot = await scriptedReceiver(() => ({ status: 200 }))
    webhooks.set(123, { url: bot.url, secret: 's', max_connections: 1 })
    await fillOutbox(outbox)
    await page.goto(url)
    await rows().filter({ hasText: 'Messenger' }).click()
    await page.getByRole('button', { name: 'Answer as the customer' }).click()
    await page.getByRole('textbox', { name: 'Text' }).fill('Done.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Bot 123 has it.').waitFor()
    expect(bot.received.map(({ body }) => JSON.parse(String(body)))).toMatchObject([
      { message: { chat: { id: 4211 }, text: 'Done.' } },
    ])
    await bot.close()
  })

  it('writes a mail while another one is shown', async () => {
    await fillOutbox(outbox)
    await page.goto(url)
    await rows().first().click()
    await page.frameLocator('iframe').getByText('Welcome').waitFor()
    await page.getByRole('button', { name: 'Write a mail' }).click()
    await page.getByLabel('Subject').fill('No paper')
    await page.getByLabel('Text', { exact: true }).fill('Since Monday.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('In the mailbox support@demo.example.').waitFor()
  })

  it('fits a phone, in dark too: a list, a message, and a way back', async () => {
    await fillOutbox(outbox)
    await page.setViewportSize({ width: 390, height: 800 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(url)
    await rows().first().waitFor()
    await picture('phone-list')
    await rows().nth(3).click()
    await page.getByRole('tab', { name: 'Text' }).waitFor()
    expect(await rows().first().isVisible()).toBe(false)
    await picture('phone-message')
    await page.getByText('‹ Outbox').click()
    await rows().first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1280, height: 800 })
    await rows().first().click()
    await page.frameLocator('iframe').getByText('Welcome').waitFor()
    await picture('dark')
  })

  it('says when the service is gone, and goes on when it is back', async () => {
    await page.goto(url)
    await page.getByText('Live').waitFor()
    await page.route('**/*', (route) => route.abort())
    await page.getByText('Not connected').waitFor()
    await page.unroute('**/*')
    outbox.add(other('sms', 'After the pause'))
    await page.getByText('After the pause').waitFor()
    complaints.splice(0)
  })

  it('contacts no other host, and reports no error', () => {
    expect([...askedHosts]).toEqual([new URL(url).host])
    expect(complaints).toEqual([])
  })
})
