/**
 * `npm run pictures`: starts the demo and takes the pictures of the documentation, `docs/pictures/<screen>.png`, with
 * `-375` for a narrow screen and `-dark` for dark colours.
 */
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { chromiumFlags } from '../servers/support/chromium-flags.ts'
import { startService } from '../servers/support/start-service.ts'

const folder = join(import.meta.dirname, '../../docs/pictures')
const maxBytes = 150_000
const email = 'admin@example.com'
const password = 'correct horse battery staple'

const shots = [
  ['queue', '/e/requests?view=0', (page: Page) => page.getByRole('row', { name: 'No paper in the tray' })],
  ['record', '/e/requests/1', (page: Page) => page.getByText('The spare part is here', { exact: false }).first()],
] as const
const forms = [
  [1280, 'light', ''],
  [1280, 'dark', '-dark'],
  [375, 'light', '-375'],
  [375, 'dark', '-375-dark'],
] as const

await mkdir(folder, { recursive: true })
const service = await startService({ ADMIN_PASSWORD: password })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: chromiumFlags })
try {
  await fillDemo()
  const page = await browser.newPage({ locale: 'en-GB' })
  // The functions of the service are still being built.
  page.setDefaultTimeout(120_000)
  await page.goto(`${service.url}/sign-in`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('grid').waitFor()
  for (const [width, colorScheme, ending] of forms) {
    await page.setViewportSize({ width, height: width < 500 ? 720 : 760 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const [name, path, shown] of shots) {
      await page.goto(`${service.url}${path}`)
      await shown(page).waitFor()
      await page.waitForLoadState('networkidle')
      const file = join(folder, `${name}${ending}.png`)
      await page.screenshot({ path: file })
      const { size } = await stat(file)
      if (size > maxBytes) throw new Error(`${file} has ${size} bytes; ${maxBytes} are allowed.`)
      console.log(`${file}: ${Math.round(size / 1000)} kB`)
    }
  }
} finally {
  await browser.close()
  await service.stop()
}

/** What makes a day of the demo: more requests, some of them with an agent, and an answer with the face of a mail. */
async function fillDemo(): Promise<void> {
  const { token } = await call('POST', '/api/login-local', { email, password })
  const api = (method: string, path: string, body: object) => call(method, path, body, token)
  const made = [
    ['Badge does not open the garage', 3, 1, 'in_progress'],
    ['Meeting room 4: screen stays black', 4, 2, 'in_progress'],
    ['Access to the archive for a new colleague', 2, 2, 'new'],
    ['Mail arrives an hour late', 5, 2, 'resolved'],
    ['Second screen for the reception', 1, null, 'new'],
    ['No paper in the tray', 3, null, 'new'],
  ] as const
  for (const [title, priority, agent, status] of made) {
    const { id } = (await api('POST', '/api/e/requests', { title, priority, client_id: 2, assigned_to: agent })).data
    const steps = status === 'new' ? [] : status === 'resolved' ? ['in_progress', 'resolved'] : [status]
    for (const step of steps) await api('PATCH', `/api/e/requests/${id}`, { status: step })
  }
  await api('PATCH', '/api/e/requests/1', { assigned_to: 2, status: 'in_progress' })
  await api('POST', '/api/e/requests/1/comments', { body: 'The spare part is here. I come up at two o’clock.' })
  await api('POST', '/api/e/requests/1/comments', { body: 'Floor 3 has the same printer.', is_internal: true })
}

async function call(method: string, path: string, body: object, token?: string): Promise<any> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`${service.url}${path}`, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
